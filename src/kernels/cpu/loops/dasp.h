/* Loops over DASP (formats/dasp.h). A unit is a long row, a row block, a block of 8 lines of short rows, or
 * DASP_TAIL rows of at most one entry, which have no partner. A block is multiplied with all of its 32 slots.
 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_DASP_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_DASP_H

#include "kernels/cpu/dasp.h"
#include "kernels/cpu/loops/sums.h"

struct dasp_arrays {
    const struct storage *storage;
    const int32_t *perm, *col;
    const real *val, *x;
};

/* Put the sums of n rows from position p on. */
static inline void dasp_put(const struct launch *launch, const struct dasp_arrays *dasp, const real *sum,
                            int64_t p, int64_t n)
{
    put_sums(launch, sum, 0, dasp->perm + p, n);
}

static inline void dasp_long(const struct launch *launch, const struct dasp_arrays *dasp, int64_t p)
{
    const struct array *block_ptr = &dasp->storage->array[DASP_BLOCK_PTR];
    const int64_t slot = offset_of(block_ptr, p);
    const real sum = dot(dasp->val + slot, dasp->col + slot, dasp->x, offset_of(block_ptr, p + 1) - slot);
    dasp_put(launch, dasp, &sum, p, 1);
}

static inline void dasp_row_block(const struct launch *launch, const struct dasp_arrays *dasp, int64_t b)
{
    const struct storage *storage = dasp->storage;
    const struct array *array = storage->array, *irreg_ptr = &array[DASP_IRREG_PTR];
    const int64_t longs = storage->number[DASP_LONG];
    const int64_t rows = min(storage->number[DASP_MEDIUM] - DASP_M * b, DASP_M);
    const int64_t end = offset_of(&array[DASP_BLOCK_PTR], longs + b + 1);
    real sum[DASP_M] = {0};
    for (int64_t e = offset_of(&array[DASP_BLOCK_PTR], longs + b); e < end; e += DASP_BLOCK)
        for (int64_t l = 0; l < DASP_M; l++)
            for (int64_t k = e + DASP_K * l; k < e + DASP_K * (l + 1); k++)
                sum[l] += dasp->val[k] * dasp->x[dasp->col[k]];
    for (int64_t l = 0; l < rows && storage->slots[1] > 0; l++) {
        const int64_t first = offset_of(irreg_ptr, DASP_M * b + l);
        sum[l] += dot((const real *)array[DASP_IRREG_VAL].data + first,
                      (const int32_t *)array[DASP_IRREG_COL].data + first, dasp->x,
                      offset_of(irreg_ptr, DASP_M * b + l + 1) - first);
    }
    dasp_put(launch, dasp, sum, longs + DASP_M * b, rows);
}

/* Block b of the short rows: rows of 4, pairs of 1 and 3, or two rows of 2 entries in each line. */
static inline void dasp_short_block(const struct launch *launch, const struct dasp_arrays *dasp, int64_t b)
{
    const struct dasp_short s = dasp_short(dasp->storage);
    const int64_t *number = dasp->storage->number;
    const int64_t e = number[DASP_SHORT] + DASP_BLOCK * b;
    real product[DASP_BLOCK], sum[2 * DASP_M], other[DASP_M];
    for (int64_t k = 0; k < DASP_BLOCK; k++)
        product[k] = dasp->val[e + k] * dasp->x[dasp->col[e + k]];
    if (b < s.four_blocks) {
        for (int64_t l = 0; l < DASP_M; l++)
            sum[l] = product[4 * l] + product[4 * l + 1] + (product[4 * l + 2] + product[4 * l + 3]);
        dasp_put(launch, dasp, sum, s.fours + DASP_M * b, min(number[DASP_FOURS] - DASP_M * b, DASP_M));
    } else if (b < s.four_blocks + s.pair_blocks) {
        const int64_t q = DASP_M * (b - s.four_blocks), n = min(number[DASP_PAIRS] - q, DASP_M);
        for (int64_t l = 0; l < DASP_M; l++) {
            other[l] = product[4 * l];
            sum[l] = product[4 * l + 1] + product[4 * l + 2] + product[4 * l + 3];
        }
        dasp_put(launch, dasp, other, s.ones + q, n);
        dasp_put(launch, dasp, sum, s.threes + q, n);
    } else {
        const int64_t q = 2 * DASP_M * (b - s.four_blocks - s.pair_blocks);
        for (int64_t l = 0; l < 2 * DASP_M; l++)
            sum[l] = product[2 * l] + product[2 * l + 1];
        dasp_put(launch, dasp, sum, s.twos + q, min(number[DASP_TWOS] - q, 2 * DASP_M));
    }
}

/* Rows of one entry without a partner, and empty rows: the q-th of them and those after it. */
static inline void dasp_tail(const struct launch *launch, const struct dasp_arrays *dasp, int64_t q)
{
    const struct dasp_short s = dasp_short(dasp->storage);
    const int64_t *number = dasp->storage->number;
    const int64_t e = number[DASP_SHORT] + DASP_BLOCK * (s.four_blocks + s.pair_blocks + s.two_blocks);
    const int64_t end = min(q + DASP_TAIL, dasp->storage->rows - s.single);
    real sum[DASP_TAIL];
    for (int64_t r = q; r < end; r++)
        sum[r - q] = r < number[DASP_ONES] ? dasp->val[e + r] * dasp->x[dasp->col[e + r]] : 0;
    dasp_put(launch, dasp, sum, s.single + q, end - q);
}

static void dasp(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const struct dasp_units units = dasp_units(storage);
    const struct dasp_arrays arrays = {storage, storage->array[DASP_PERM].data, storage->array[DASP_COL].data,
                                       storage->array[DASP_VAL].data, launch->x};
    for (int64_t u = first; u < end; u++)
        if (u < units.row_blocks)
            dasp_long(launch, &arrays, u);
        else if (u < units.short_blocks)
            dasp_row_block(launch, &arrays, u - units.row_blocks);
        else if (u < units.tail)
            dasp_short_block(launch, &arrays, u - units.short_blocks);
        else
            dasp_tail(launch, &arrays, (u - units.tail) * DASP_TAIL);
}

#endif
