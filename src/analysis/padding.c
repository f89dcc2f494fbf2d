#include "analysis/padding.h"

#include <math.h>

#include "base/range.h"

struct padding padding_of(const struct lengths *lengths, int64_t k, size_t value)
{
    const double index = sizeof(int32_t), v = (double)value;
    double m = (double)lengths->lines, nnz = (double)lengths->nnz;
    double offset = lengths->nnz > INT32_MAX ? sizeof(int64_t) : sizeof(int32_t);
    struct padding padding = {.cut = lengths_cut(lengths, k)};
    double ell_part = m * (double)k, rest = (double)padding.cut.rest;
    padding.ell_slots = m * (double)lengths->max;
    padding.hyb_slots = ell_part + rest;
    padding.ell_bytes = padding.ell_slots * (index + v);
    padding.hyb_bytes = ell_part * (index + v) + rest * (2 * index + v);
    padding.csr_bytes = nnz * (index + v) + (m + 1) * offset;
    padding.min_bytes = fmin(padding.csr_bytes, fmin(padding.ell_bytes, padding.hyb_bytes));
    padding.ell_factor = share_of(padding.ell_slots, nnz);
    padding.hyb_factor = share_of(padding.hyb_slots, nnz);
    padding.hyb_padding = padding.hyb_slots - nnz;
    padding.padding_share = share_of(padding.hyb_padding, padding.hyb_slots);
    padding.kept_share = share_of((double)padding.cut.kept, nnz);
    padding.rest_share = share_of(rest, nnz);
    padding.longer_share = share_of((double)padding.cut.longer, m);
    return padding;
}

int64_t padding_first_cut(int64_t lines, int64_t nnz)
{
    return lines ? nnz / lines + (nnz % lines > 0) : 0;
}

struct chunk_padding padding_of_chunk(const int64_t *row_ptr, int64_t first, int64_t end, int64_t height)
{
    int64_t longest = 0;
    for (int64_t i = first; i < end; i++)
        longest = max(longest, row_ptr[i + 1] - row_ptr[i]);
    struct chunk_padding chunk = {.entries = row_ptr[end] - row_ptr[first], .slots = height * longest};
    chunk.padding = chunk.slots - chunk.entries;
    chunk.share = share_of((double)chunk.padding, (double)chunk.slots);
    return chunk;
}
