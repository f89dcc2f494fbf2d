/* Loops over the rows of ELL, whose slot of position c of row i is
 *
 *     e = i * width + c  (layout=rows)    or    e = c * rows + i  (layout=transposed):
 *
 *     y[i] = sum over c = 0 .. width-1 of val[e] x[col[e]]
 *
 * With layout=rows the slots of a row are contiguous, and the loop sums along the row. Transposed, the slots
 * of neighbouring rows are contiguous: a block of rows is summed column by column, all its sums at once.
 * Padding with value 0 and a valid column is multiplied like entries; padding with column -1 (the sentinel)
 * must not read x. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_ELL_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_ELL_H

#include "kernels/cpu/loops/sums.h"

/* This is the published loop, PMPP, figure 10.10, by one thread: row by row in either layout. */
static void ell_plain(const struct launch *launch, const struct ell_part *part, int64_t first, int64_t end)
{
    const int32_t *col = launch->storage->array[ELL_COL].data;
    const real *val = launch->storage->array[ELL_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        real sum = launch->product.accumulate ? y[i] : 0;
        for (int64_t c = 0; c < part->width; c++) {
            int64_t e = ell_slot(part, i, c);
            if (!part->sentinel || col[e] >= 0) sum += val[e] * x[col[e]];
        }
        y[i] = sum;
    }
}

/* The same as add_column, but slots with column -1 add nothing. */
static inline void ell_add_valid(real *restrict sum, const real *val, const int32_t *col, const real *x,
                                 int64_t n, int64_t further)
{
#ifdef SIMD
    for (int64_t i = 0; i < n; i += SIMD) {
        if (further) ahead_entry(val + i, col + i, further);
        simd_store(sum + i, simd_load(sum + i) + simd_valid(val + i, x, col + i, min(SIMD, n - i)));
    }
#else
    for (int64_t i = 0; i < n; i++)
        if (col[i] >= 0) sum[i] += val[i] * x[col[i]];
#endif
}

/* Return the sum of val[c] x[col[c]] over those c < n whose column is not -1. */
static inline real ell_dot_valid(const real *val, const int32_t *col, const real *x, int64_t n)
{
#ifdef SIMD
    simd sum = {0};
    for (int64_t c = 0; c < n; c += SIMD)
        sum += simd_valid(val + c, x, col + c, min(SIMD, n - c));
    return simd_sum(sum);
#else
    real sum = 0;
    for (int64_t c = 0; c < n; c++)
        if (col[c] >= 0) sum += val[c] * x[col[c]];
    return sum;
#endif
}

/* Multiply the rows from `first` to end-1 of a matrix that is stored with layout=rows: the slots of a row are
 * contiguous. */
static void ell_rows(const struct launch *launch, const struct ell_part *part, int64_t first, int64_t end)
{
    const int32_t *col = launch->storage->array[ELL_COL].data;
    const real *val = launch->storage->array[ELL_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        int64_t e = i * part->width;
        real sum = part->sentinel ? ell_dot_valid(val + e, col + e, x, part->width)
                                  : dot(val + e, col + e, x, part->width);
        y[i] = launch->product.accumulate ? y[i] + sum : sum;
    }
}

/* Multiply the rows from `first` to end-1 of a matrix that is stored with layout=transposed: blocks of rows,
 * each summed column by column, with sums that stay in the first-level cache. */
static void ell_transposed(const struct launch *launch, const struct ell_part *part, int64_t first,
                           int64_t end)
{
    const int32_t *col = launch->storage->array[ELL_COL].data;
    const real *val = launch->storage->array[ELL_VAL].data, *x = launch->x;
    const int64_t rows = sums_rows(part->width), further = ahead_pays(launch->storage->slots[0]) ? rows : 0;
    real sum[SUMS];
    for (int64_t i = first, n; i < end; i += n) {
        n = block_end(i, rows, end) - i;
        clear_sums(sum, n);
        for (int64_t c = 0; c < part->width; c++) {
            int64_t e = c * part->rows + i;
            if (part->sentinel)
                ell_add_valid(sum, val + e, col + e, x, n, further);
            else
                add_column(sum, val + e, col + e, x, n, further);
        }
        put_block(launch, sum, i, NULL, n);
    }
}

static void ell(const struct launch *launch, const struct ell_part *part, int64_t first, int64_t end)
{
    if (part->transposed)
        ell_transposed(launch, part, first, end);
    else
        ell_rows(launch, part, first, end);
    stream_end(launch);
}

#endif
