/* The analyses one by one, for sums.c alone. All are collective, and fail with the same error on all ranks.
 */
#ifndef SPARSIGHT_RANKS_SUMS_PARTS_H
#define SPARSIGHT_RANKS_SUMS_PARTS_H

#include "ranks/ranks.h"
#include "ranks/sums/sums.h"

/* offsets.c: the row offsets, into sums->csr. If rank 0 gathers the columns, also the columns of all entries,
 * and their values if few of them differ. */
enum status sums_offsets(struct sums *sums, size_t limit, struct error *error);
enum status sums_gather(struct sums *sums, struct error *error);

/* True, on all ranks, if rank 0 gathers the columns: there are at most sums->options.gathered entries and
 * rows. */
bool sums_gathers(const struct sums *sums);

/* excerpt.c: otherwise, an excerpt of the entries on rank 0, with the entries of at most `admitted` rows and
 * columns. Values must still be present, if there are any. *excerpt stays {0} on the other ranks. */
enum status sums_excerpt(struct sums *sums, int64_t admitted, struct excerpt *excerpt, struct error *error);

/* structure.c: the structure, and the set of diagonals. */
enum status sums_structure(struct sums *sums, struct structure *structure, struct error *error);

/* columns.c: the column offsets, into sums->skeleton.col_ptr; and the largest sum of |a| of a column.
 * `largest` is the largest |a|; 0: no values. */
enum status sums_columns(struct sums *sums, double largest, size_t limit, double *norm_1,
                         struct error *error);

/* values.c */
enum status sums_values(struct sums *sums, size_t limit, struct values *values, struct error *error);

/* components.c: the connected components. */
enum status sums_components(struct sums *sums, struct components *components, struct error *error);

/* strong.c: the strongly connected components of a square matrix; -1 if the search is given up. */
enum status sums_strong(struct sums *sums, struct components *components, struct error *error);

/* picture.c */
enum status sums_pyramid(struct sums *sums, struct pyramid *pyramid, struct error *error);

/* blocks.c: the state for counting blocks, until blocks_close. Rank 0 counts by sums->skeleton.count_blocks
 * and block_rows while the others are in blocks_serve, until rank 0 calls blocks_dismiss. */
enum status blocks_open(struct sums *sums, struct error *error);
void blocks_serve(struct sums *sums);
void blocks_dismiss(struct sums *sums);
void blocks_close(struct sums *sums);

#endif
