/* The row offsets of the whole matrix, and the columns of a small one. */
#include <stdlib.h>

#include "base/memory.h"
#include "ranks/sums/parts.h"

/* Return the number of bytes of each rank, with `each` bytes for a row or for an entry. */
static size_t *sizes_of(const struct sums *sums, const int64_t *counts, size_t each, struct error *error)
{
    size_t *sizes = memory_array((size_t)sums->ranks->count, sizeof *sizes, error);
    for (int r = 0; sizes && r < sums->ranks->count; r++)
        sizes[r] = (size_t)counts[r] * each;
    return sizes;
}

/* Add the entries of earlier ranks to each offset. */
static void add_entries(const struct share *share, int ranks, const int64_t *entries, int64_t *row_ptr)
{
    int64_t before = 0;
    for (int r = 0; r < ranks; before += entries[r++])
        for (int64_t i = share->cuts[r] + 1; i <= share->cuts[r + 1]; i++)
            row_ptr[i] += before;
    row_ptr[0] = 0;
}

static void join_offsets(struct sums *sums, const size_t *sizes, const int64_t *entries)
{
    const struct share *share = sums->share;
    int64_t *row_ptr = sums->csr.row_ptr;
    ranks_join(sums->ranks, 0, share->own.row_ptr + 1, sizes, row_ptr ? row_ptr + 1 : NULL);
    if (row_ptr) add_entries(share, sums->ranks->count, entries, row_ptr);
}

enum status sums_offsets(struct sums *sums, size_t limit, struct error *error)
{
    const struct share *share = sums->share;
    int ranks = sums->ranks->count;
    enum status status = STATUS_OK;
    int64_t *counts = memory_array(2 * (size_t)ranks, sizeof *counts, error), *entries = counts + ranks;
    size_t *sizes = NULL;
    if (!counts) status = STATUS_MEMORY;
    for (int r = 0; counts && r < ranks; r++)
        counts[r] = share->cuts[r + 1] - share->cuts[r];
    if (counts && !(sizes = sizes_of(sums, counts, sizeof(int64_t), error))) status = STATUS_MEMORY;
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        size_t bytes = ((size_t)share->rows + 1) * sizeof *sums->csr.row_ptr;
        status = memory_check(bytes, limit, "where all rows begin, on rank 0,", error);
        if (status == STATUS_OK)
            sums->csr.row_ptr = memory_array((size_t)share->rows + 1, sizeof *sums->csr.row_ptr, error);
        if (status == STATUS_OK && !sums->csr.row_ptr) status = STATUS_MEMORY;
        sums->csr.rows = share->rows;
        sums->csr.cols = share->cols;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) {
        int64_t own = csr_nnz(&share->own);
        ranks_share(sums->ranks, &own, 1, entries);
        join_offsets(sums, sizes, entries);
    }
    free(counts);
    free(sizes);
    return status;
}

bool sums_gathers(const struct sums *sums)
{
    const struct share *share = sums->share;
    return share->nnz <= sums->options.gathered && share->rows <= sums->options.gathered;
}

enum status sums_gather(struct sums *sums, struct error *error)
{
    const struct share *share = sums->share;
    enum status status = STATUS_OK;
    if (!sums_gathers(sums) && !sums->whole) return STATUS_OK;
    int64_t own = csr_nnz(&share->own);
    int64_t *entries = memory_array((size_t)sums->ranks->count, sizeof *entries, error);
    size_t *sizes = memory_array((size_t)sums->ranks->count, sizeof *sizes, error);
    if (!entries || !sizes) status = STATUS_MEMORY;
    if (status == STATUS_OK && sums->ranks->rank == 0) {
        sums->csr.col = memory_array((size_t)share->nnz, sizeof *sums->csr.col, error);
        if (sums->few) sums->csr.val = memory_array((size_t)share->nnz, sizeof *sums->csr.val, error);
        if (!sums->csr.col || (sums->few && !sums->csr.val)) status = STATUS_MEMORY;
    }
    status = ranks_agree(sums->ranks, status, error);
    if (status == STATUS_OK) {
        ranks_share(sums->ranks, &own, 1, entries);
        for (int r = 0; r < sums->ranks->count; r++)
            sizes[r] = (size_t)entries[r] * sizeof *sums->csr.col;
        ranks_join(sums->ranks, 0, share->own.col, sizes, sums->csr.col);
        for (int r = 0; r < sums->ranks->count; r++)
            sizes[r] = (size_t)entries[r] * sizeof *sums->csr.val;
        if (sums->few) ranks_join(sums->ranks, 0, share->own.val, sizes, sums->csr.val);
    }
    free(entries);
    free(sizes);
    return status;
}
