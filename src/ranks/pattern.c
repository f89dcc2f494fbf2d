#include "ranks/pattern.h"

#include <stdlib.h>

#include "base/memory.h"

/* Allocate on rank 0 the arrays of the whole pattern that it lacks. */
static enum status take_memory(const struct share *share, bool offsets, bool columns, size_t limit,
                               const char *what, struct csr *whole, struct error *error)
{
    const size_t rows = (size_t)share->rows + 1, entries = (size_t)share->nnz;
    size_t bytes;
    size_multiply(columns ? entries : 0, sizeof *whole->col, &bytes);
    size_add(bytes, offsets ? rows * sizeof *whole->row_ptr : 0, &bytes);
    enum status status = memory_check(bytes, limit, what, error);
    if (status != STATUS_OK) return status;
    whole->rows = share->rows;
    whole->cols = share->cols;
    if (offsets) whole->row_ptr = memory_array(rows, sizeof *whole->row_ptr, error);
    if (columns) whole->col = memory_array(entries, sizeof *whole->col, error);
    return (whole->row_ptr || !offsets) && (whole->col || !columns) ? STATUS_OK : STATUS_MEMORY;
}

/* Gather the row offsets of all ranks, each of which counts from 0, and turn them into offsets of the whole
 * matrix. */
static void join_offsets(const struct ranks *ranks, const struct share *share, const int64_t *entries,
                         size_t *sizes, int64_t *row_ptr)
{
    for (int r = 0; r < ranks->count; r++)
        sizes[r] = (size_t)(share->cuts[r + 1] - share->cuts[r]) * sizeof *row_ptr;
    ranks_join(ranks, 0, share->own.row_ptr + 1, sizes, row_ptr ? row_ptr + 1 : NULL);
    if (!row_ptr) return;
    row_ptr[0] = 0;
    for (int64_t r = 0, before = 0; r < ranks->count; before += entries[r++])
        for (int64_t i = share->cuts[r]; i < share->cuts[r + 1]; i++)
            row_ptr[i + 1] += before;
}

enum status pattern_gather(const struct ranks *ranks, const struct share *share, bool columns, size_t limit,
                           const char *what, struct pattern *pattern, struct error *error)
{
    int missing[2] = {!pattern->whole.row_ptr, columns && !pattern->whole.col};
    const int64_t mine = csr_nnz(&share->own);
    ranks_broadcast(ranks, 0, missing, sizeof missing);
    if (!missing[0] && !missing[1]) return STATUS_OK;
    size_t *sizes = memory_zeroed((size_t)ranks->count, sizeof *sizes, error);
    int64_t *entries = memory_zeroed((size_t)ranks->count, sizeof *entries, error);
    enum status status = sizes && entries ? STATUS_OK : STATUS_MEMORY;
    if (status == STATUS_OK && ranks->rank == 0) {
        pattern->own_offsets |= missing[0];
        pattern->own_columns |= missing[1];
        status = take_memory(share, missing[0], missing[1], limit, what, &pattern->whole, error);
    }
    status = ranks_agree(ranks, status, error);
    if (status == STATUS_OK) {
        ranks_share(ranks, &mine, 1, entries);
        if (missing[0]) join_offsets(ranks, share, entries, sizes, pattern->whole.row_ptr);
        for (int r = 0; r < ranks->count; r++)
            sizes[r] = (size_t)entries[r] * sizeof(int32_t);
        if (missing[1]) ranks_join(ranks, 0, share->own.col, sizes, pattern->whole.col);
    } else { /* incomplete arrays must not remain for the next partition */
        pattern_free(pattern);
    }
    free(sizes);
    free(entries);
    return status;
}

void pattern_free(struct pattern *pattern)
{
    if (pattern->own_offsets) free(pattern->whole.row_ptr);
    if (pattern->own_columns) free(pattern->whole.col);
    if (pattern->own_offsets) pattern->whole.row_ptr = NULL;
    if (pattern->own_columns) pattern->whole.col = NULL;
    pattern->own_offsets = pattern->own_columns = false;
}
