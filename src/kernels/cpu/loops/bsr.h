/* Loops over the block rows of BSR. Block k is n x n and dense, its position (a, b) at val[(k n + a) n + b],
 * and its columns begin at col[k] n:
 *
 *     y[r n + a] = sum over k and b of val[(k n + a) n + b] x[col[k] n + b],
 *                  k = row_ptr[r] .. row_ptr[r+1]-1, b = 0 .. n-1
 *
 * The blocks at the right and lower edge may reach beyond the matrix. Padding there has value 0, and x and y
 * have no elements for it. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_BSR_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_BSR_H

#include "formats/bsr.h"
#include "kernels/cpu/loops/sums.h"

/* Maximum number of blocks of a block row that are prefetched at once. */
#define BSR_BURST 32

/* This is the published loop, bsr_matvec of SciPy: block by block, and within a block row by row. */
static void bsr_plain(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR];
    const int32_t *col = storage->array[BSR_COL].data;
    const real *val = storage->array[BSR_VAL].data, *x = launch->x;
    int64_t size = storage->number[BSR_SIZE];
    for (int64_t r = first; r < end; r++) {
        real sum[BSR_SIZE_MAX] = {0};
        for (int64_t k = offset_of(row_ptr, r); k < offset_of(row_ptr, r + 1); k++) {
            int64_t j = col[k] * size, n = min(size, storage->cols - j);
            for (int64_t a = 0; a < size; a++) {
                real row = 0;
                for (int64_t b = 0; b < n; b++)
                    row += val[(k * size + a) * size + b] * x[j + b];
                sum[a] += row;
            }
        }
        put_sums(launch, sum, r * size, NULL, min(size, storage->rows - r * size));
    }
}

/* Prefetch after blocks first .. end-1, of this number of slots each; in a long block row, after its first
 * BSR_BURST blocks. */
static inline __attribute__((always_inline)) void bsr_ahead(const real *val, const int32_t *col,
                                                            int64_t first, int64_t end, int64_t slots)
{
    end = min(end, first + BSR_BURST);
    ahead_array(val, first * slots, end * slots, sizeof *val);
    ahead_array(col, first, end, sizeof *col);
}

#ifdef PAIRS

/* Add a block of complex values to the sums of its rows, one vector of a row at a time, and the rest of the
 * row with shorter vectors. */
INLINE void bsr_add_pairs(struct products *row, const real *v, const real *u, int64_t size)
{
    const int64_t twos = SINGLE ? size % PAIRS / 2 : 0;
#    pragma GCC unroll 8
    for (int64_t a = 0; a < size; a++, v += size) {
        int64_t b = 0;
#    pragma GCC unroll 4
        for (; b + PAIRS <= size; b += PAIRS)
            products_add(&row[a], pairs_load(v + b), pairs_load(u + b));
        if (twos) products_add(&row[a], pairs_two(v + b, v + b + 1), pairs_two(u + b, u + b + 1));
        if (size % 2) products_add(&row[a], pairs_one(v + size - 1), pairs_one(u + size - 1));
    }
}

#endif

/* place[a size + b] += sum over blocks k = first .. end-1 of val[(k size + a) size + b] x[col[k] size + b].
 *
 * The values of a block are then used in the order of memory, a vector at a time, and sums along rows come
 * after all blocks; for complex values, place[a size] is the sum of row a. If SIMD is a multiple of the size,
 * a vector has whole rows of a block, and needs the block's elements of x repeated (simd_repeat):
 *
 *     size 4, SIMD 8     val  a00 a01 a02 a03 a10 a11 a12 a13
 *                        x    x0  x1  x2  x3  x0  x1  x2  x3
 */
static inline __attribute__((always_inline)) void bsr_add(real *restrict place, const real *val,
                                                          const int32_t *col, const real *x, int64_t first,
                                                          int64_t end, int64_t size)
{
#ifdef SIMD
    if (size >= 4 && SIMD % size == 0) {
        simd sum[BSR_SIZE_MAX] = {{0}};
        for (int64_t k = first; k < end; k++) {
            simd u = simd_repeat(x + col[k] * size, size);
#    pragma GCC unroll 8
            for (int64_t v = 0; v < size * size / SIMD; v++)
                sum[v] += simd_load(val + k * size * size + v * SIMD) * u;
        }
        for (int64_t v = 0; v < size * size / SIMD; v++)
            simd_store(place + v * SIMD, sum[v]);
        return;
    }
#elif defined(PAIRS)
    struct products row[BSR_SIZE_MAX] = {{{0}, {0}}};
    for (int64_t k = first; k < end; k++)
        bsr_add_pairs(row, val + k * size * size, x + col[k] * size, size);
    for (int64_t a = 0; a < size; a++)
        place[a * size] += pairs_total(products_join(&row[a]));
    return;
#endif
    for (int64_t k = first; k < end; k++) {
        const real *v = val + k * size * size, *u = x + col[k] * size;
        for (int64_t a = 0; a < size; a++)
            for (int64_t b = 0; b < size; b++)
                place[a * size + b] += v[a * size + b] * u[b];
    }
}

/* Multiply block rows first .. end-1. A block row has one sum for each position of a block (bsr_add); finally
 * the sums of a row's positions are added. `size` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void bsr_rows(const struct launch *launch, int64_t first,
                                                           int64_t end, int64_t size)
{
    const struct storage *storage = launch->storage;
    const struct array *row_ptr = &storage->array[BSR_ROW_PTR];
    const int32_t *col = storage->array[BSR_COL].data;
    const real *val = storage->array[BSR_VAL].data, *x = launch->x;
    bool large = ahead_pays(storage->slots[0]);
    for (int64_t r = first; r < end; r++) {
        int64_t k = offset_of(row_ptr, r), stop = offset_of(row_ptr, r + 1), i = r * size;
        if (large) bsr_ahead(val, col, k, stop, size * size);
        /* Columns ascend, so only the last block may reach beyond the last column, where x ends. Its columns
         * within the matrix are added separately. */
        bool beyond = k < stop && ((int64_t)col[stop - 1] + 1) * size > storage->cols;
        real place[BSR_SIZE_MAX * BSR_SIZE_MAX] = {0}, sum[BSR_SIZE_MAX] = {0};
        bsr_add(place, val, col, x, k, stop - beyond, size);
        k = max(k, stop - beyond);
        for (int64_t a = 0; a < size; a++)
            for (int64_t b = 0; b < size; b++)
                sum[a] += place[a * size + b];
        for (int64_t a = 0; a < size && beyond; a++)
            for (int64_t j = col[k] * size; j < storage->cols; j++)
                sum[a] += val[(k * size + a) * size + j % size] * x[j];
        put_sums(launch, sum, i, NULL, min(size, storage->rows - i));
    }
}

static void bsr(const struct launch *launch, int64_t first, int64_t end)
{
    switch (launch->storage->number[BSR_SIZE]) {
    case 2:
        bsr_rows(launch, first, end, 2);
        break;
    case 3:
        bsr_rows(launch, first, end, 3);
        break;
    case 4:
        bsr_rows(launch, first, end, 4);
        break;
    case 5:
        bsr_rows(launch, first, end, 5);
        break;
    case 6:
        bsr_rows(launch, first, end, 6);
        break;
    case 7:
        bsr_rows(launch, first, end, 7);
        break;
    default:
        bsr_rows(launch, first, end, 8);
        break;
    }
}

#endif
