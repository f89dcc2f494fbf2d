/* Blocks of a grid of processes, and owners of vectors, found by the ranks together. */
#include <stdlib.h>

#include "analysis/parts/grid.h"
#include "analysis/parts/holders.h"
#include "base/memory.h"
#include "base/range.h"
#include "ranks/parts/parts.h"

static struct slab slab_of_share(const struct share *share)
{
    return (struct slab){.a = &share->own,
                         .first = share->first,
                         .before = share->before,
                         .rows = share->rows,
                         .cols = share->cols,
                         .nnz = share->nnz};
}

enum status ranks_holders(const struct ranks *ranks, const struct share *share, struct partition *partition,
                          int32_t *owner, struct error *error)
{
    /* The rows' owners count from the first row of the slab, so that each rank needs only its own. */
    struct slab slab = slab_of_share(share);
    struct partition own = {.parts = partition->parts, .owner = owner, .entry = partition->entry};
    const int64_t parts = partition->parts;
    int64_t *ahead = memory_array((size_t)max(share->own.rows, share->cols), sizeof *ahead, error);
    partition->col_owner = memory_array((size_t)share->cols, sizeof *partition->col_owner, error);
    enum status status = ranks_agree(ranks, ahead && partition->col_owner ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        slab.first = 0;
        holders_of_columns(&slab, &own, ahead);
        ranks_min(ranks, ahead, share->cols);
        holders_take(ahead, 0, share->cols, share->cols, parts, partition->col_owner);
        if (partition->entry) {
            slab.first = share->first;
            holders_of_rows(&slab, partition, ahead);
            holders_take(ahead, share->first, share->own.rows, share->rows, parts, owner);
        }
    }
    free(ahead);
    return status;
}

/* Count the entries of all columns of the whole matrix. */
static void count_columns(const struct ranks *ranks, const struct share *share, int64_t *entries)
{
    for (int64_t k = 0; k < csr_nnz(&share->own); k++)
        entries[share->own.col[k]]++;
    ranks_sum(ranks, entries, share->cols);
}

enum status blocks_owners(const struct ranks *ranks, const struct share *share,
                          const struct partition_choice *choice, struct partition *partition, int32_t *owner,
                          struct error *error)
{
    const struct slab slab = slab_of_share(share);
    const struct csr *own = &share->own;
    struct grid grid;
    enum status status = grid_choose(&choice->values, partition->parts, &grid, error);
    if (status != STATUS_OK) return status;
    int32_t *row = memory_array((size_t)own->rows, sizeof *row, error),
            *col = memory_array((size_t)own->cols, sizeof *col, error);
    int64_t *entries = memory_zeroed((size_t)own->cols, sizeof *entries, error);
    partition->entry = memory_array((size_t)csr_nnz(own), sizeof *partition->entry, error);
    status = ranks_agree(ranks, row && col && entries && partition->entry ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        count_columns(ranks, share, entries);
        grid_rows(&slab, &grid, row);
        grid_cols(entries, own->cols, share->nnz, &grid, col);
        grid_entries(&slab, &grid, row, col, partition->entry);
        if (share->rows != share->cols) {
            status = ranks_holders(ranks, share, partition, owner, error);
        } else {
            for (int64_t i = 0; i < own->rows; i++)
                owner[i] = (int32_t)(row[i] * grid.cols + col[share->first + i]);
        }
    }
    free(row);
    free(col);
    free(entries);
    return status;
}
