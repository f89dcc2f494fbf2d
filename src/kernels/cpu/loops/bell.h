/* Loops over the block rows of blocked ELL, whose blocks of n x n lie side by side in rows of w n slots.
 * Padding follows the blocks of a block row, with column -1:
 *
 *     y[r n + a] = sum over c and b of ellValue[((r n + a) w + c) n + b] x[ellColInd[r w + c] n + b],
 *                  c = 0 .. w-1 up to the first padding, b = 0 .. n-1
 *
 * The blocks at the right and lower edge may reach beyond the matrix. Padding there has value 0, and x and y
 * have no elements for it. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_BELL_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_BELL_H

#include "formats/bell.h"
#include "kernels/cpu/loops/sums.h"

/* Sizes up to this one have a loop of their own. */
#define BELL_SMALL 8

/* Prefetch after `slots` slots of each of `size` rows. */
static inline __attribute__((always_inline)) void bell_ahead(const real *val, int64_t stride, int64_t slots,
                                                             int64_t size)
{
    for (int64_t a = 0; a < size; a++)
        ahead_array(val, a * stride, a * stride + slots, sizeof *val);
}

/* sum[a] += sum over blocks c < blocks and b of val[a stride + c size + b] x[col[c] size + b]. The sums of a
 * small block's positions are added up after all blocks, so that vectors need not be. */
static inline __attribute__((always_inline)) void bell_add_small(real *restrict sum, const real *val,
                                                                 int64_t stride, const int32_t *col,
                                                                 const real *x, int64_t blocks, int64_t size)
{
    real place[BELL_SMALL * BELL_SMALL] = {0};
    for (int64_t c = 0; c < blocks; c++) {
        const real *v = val + c * size, *u = x + col[c] * size;
        for (int64_t a = 0; a < size; a++)
            for (int64_t b = 0; b < size; b++)
                place[a * size + b] += v[a * stride + b] * u[b];
    }
    for (int64_t a = 0; a < size; a++)
        for (int64_t b = 0; b < size; b++)
            sum[a] += place[a * size + b];
}

/* The same for blocks of any size, row by row. */
static inline void bell_add_large(real *restrict sum, const real *val, int64_t stride, const int32_t *col,
                                  const real *x, int64_t blocks, int64_t size)
{
    for (int64_t a = 0; a < size; a++, val += stride)
        for (int64_t c = 0; c < blocks; c++) {
            const real *v = val + c * size, *u = x + col[c] * size;
            real row = 0;
            for (int64_t b = 0; b < size; b++)
                row += v[b] * u[b];
            sum[a] += row;
        }
}

/* Multiply block rows first .. end-1. `size` is a constant where this is inlined, unless it is large. */
static inline __attribute__((always_inline)) void bell_rows(const struct launch *launch, int64_t first,
                                                            int64_t end, int64_t size)
{
    const struct storage *storage = launch->storage;
    const int64_t width = storage->number[BELL_WIDTH], stride = width * size;
    const int32_t *col = storage->array[BELL_COL].data;
    const real *val = storage->array[BELL_VAL].data, *x = launch->x;
    const bool large = ahead_pays(storage->slots[0]);
    for (int64_t r = first; r < end; r++) {
        const int32_t *columns = col + r * width;
        const real *values = val + r * size * stride;
        real sum[BELL_SIZE_MAX] = {0};
        int64_t blocks = 0;
        while (blocks < width && columns[blocks] >= 0)
            blocks++;
        /* Columns ascend, so only the last block may reach beyond the last column, where x ends. */
        const int64_t beyond = blocks > 0 && ((int64_t)columns[blocks - 1] + 1) * size > storage->cols;
        if (large) bell_ahead(values, stride, blocks * size, size);
        if (size <= BELL_SMALL)
            bell_add_small(sum, values, stride, columns, x, blocks - beyond, size);
        else
            bell_add_large(sum, values, stride, columns, x, blocks - beyond, size);
        for (int64_t a = 0; a < size && beyond; a++)
            for (int64_t j = columns[blocks - 1] * size; j < storage->cols; j++)
                sum[a] += values[a * stride + (blocks - 1) * size + j % size] * x[j];
        put_sums(launch, sum, r * size, NULL, min(size, storage->rows - r * size));
    }
}

static void bell(const struct launch *launch, int64_t first, int64_t end)
{
    const int64_t size = launch->storage->number[BELL_SIZE];
    switch (size) {
    case 2:
        bell_rows(launch, first, end, 2);
        break;
    case 3:
        bell_rows(launch, first, end, 3);
        break;
    case 4:
        bell_rows(launch, first, end, 4);
        break;
    case 5:
        bell_rows(launch, first, end, 5);
        break;
    case 6:
        bell_rows(launch, first, end, 6);
        break;
    case 7:
        bell_rows(launch, first, end, 7);
        break;
    case 8:
        bell_rows(launch, first, end, 8);
        break;
    default:
        bell_rows(launch, first, end, size);
        break;
    }
}

#endif
