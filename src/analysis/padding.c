#include "analysis/padding.h"

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
    return padding;
}
