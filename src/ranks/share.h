/* A matrix that is divided among ranks: each owns a run of its rows. */
#ifndef SPARSIGHT_RANKS_SHARE_H
#define SPARSIGHT_RANKS_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/matrix.h"
#include "ranks/ranks.h"

/* One rank's share. The cuts, the sizes and the source's statements are the same on all ranks. Free with
 * share_free, which takes {0}. */
struct share {
    int64_t rows, cols, nnz; /* of the whole matrix */
    int64_t first, last;     /* this rank owns the rows first .. last-1 */
    int64_t *cuts;           /* rank r owns the rows cuts[r] .. cuts[r+1]-1; ranks + 1 elements; owned */
    /* These rows, numbered from 0, with the columns of the whole matrix. sums_make may free the values. */
    struct csr own;
    int64_t before; /* entries of the ranks before this one */
    /* The statements of the source on the whole matrix, and the findings of reading. Its `csr` is {0}. Its
     * list of summed positions has only those in this rank's rows, numbered as in the whole. */
    struct matrix matrix;
    char *words; /* the target of matrix.format, unless that is the reader's; owned */
};

/* Load a MATRIX of the command line (matrix_load). Each rank loads its own run of rows; all runs have about
 * the same number of entries. Errors are those of matrix_load, the same on all ranks; then *share is {0}.
 * options->limit applies to each rank's part; its default is nine tenths of the available memory, divided
 * among the ranks of a node. Collective. */
enum status share_load(const struct ranks *ranks, const char *name, const struct load_options *options,
                       struct share *share, struct error *error);

/* Cut a whole matrix, of which each rank has a copy, into the same runs, and copy this rank's run.
 * Collective; STATUS_MEMORY on all ranks if it is short on one, and then *share is {0}. */
enum status share_of_matrix(const struct ranks *ranks, const struct matrix *matrix, struct share *share,
                            struct error *error);

/* Write the first row of each part into cuts[0 .. parts], from the offsets row_ptr (rows + 1). All entries
 * are divided evenly, and a row belongs to the part that gets the middle of its entries, as in the
 * partitioner "entries". */
void share_cut(const int64_t *row_ptr, int64_t rows, int parts, int64_t *cuts);

/* Return the rank that owns row i. O(log ranks). */
int share_owner(const struct share *share, const struct ranks *ranks, int64_t i);

/* Return the limit minus the bytes of this rank's rows, at least 1; 0 if there is no limit (0). */
size_t share_leaves(const struct share *share, size_t limit);

void share_free(struct share *share);

#endif
