/* A matrix that is divided among ranks: each owns a run of its rows. */
#ifndef SPARSIGHT_RANKS_SHARE_H
#define SPARSIGHT_RANKS_SHARE_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/matrix.h"
#include "ranks/ranks.h"

/* One rank's share. The cuts, the sizes and what the source said are the same on all ranks. Free with
 * share_free, which takes {0}. */
struct share {
    int64_t rows, cols, nnz; /* of the whole matrix */
    int64_t first, last;     /* this rank owns the rows first .. last-1 */
    int64_t *cuts; /* rank r owns the rows cuts[r] .. cuts[r+1]-1; as many + 1 as there are ranks; owned */
    /* These rows, of which the first is its row 0; columns are those of the whole. It is without values once
     * sums_make has spent them. */
    struct csr own;
    int64_t before; /* entries of the ranks before this one */
    /* What the source said of the whole matrix, and what reading found; its `csr` is {0}, and its list of
     * summed places has those of this rank's rows alone, as rows of the whole. */
    struct matrix matrix;
    char *words; /* what matrix.format points to, unless that is the reader's; owned */
};

/* Load what the command line calls a MATRIX (matrix_load), each rank what it owns, so that the rows are cut
 * into runs of about equally many entries. Errors are those of matrix_load, the same on all ranks; then
 * *share is {0}. options->limit, or nine tenths of the available memory, which the ranks of a node divide,
 * holds for each rank's part. Collective. */
enum status share_load(const struct ranks *ranks, const char *name, const struct load_options *options,
                       struct share *share, struct error *error);

/* Cut a whole matrix, of which each rank has a copy, into the same runs, and copy this rank's. Collective;
 * STATUS_MEMORY on all ranks if one is short of it, and then *share is {0}. */
enum status share_of_matrix(const struct ranks *ranks, const struct matrix *matrix, struct share *share,
                            struct error *error);

/* Write where rows begin whose beginnings are row_ptr (rows + 1 offsets) into cuts[0 .. parts]: a row belongs
 * to the part that has the middle of its entries, if all entries are divided evenly, as the partitioner
 * "entries" has it. */
void share_cut(const int64_t *row_ptr, int64_t rows, int parts, int64_t *cuts);

/* Return the rank that owns row i. O(log ranks). */
int share_owner(const struct share *share, const struct ranks *ranks, int64_t i);

void share_free(struct share *share);

#endif
