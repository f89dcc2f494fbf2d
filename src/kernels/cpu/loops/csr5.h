/* Loops over the tiles of CSR5 (formats/csr5.h).
 *
 * Lane c goes down column c of a tile and keeps the sum of its segment. Where a row begins, the lane writes
 * the sum and begins another. The sum that a lane ends with is carried to the next one. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_CSR5_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_CSR5_H

#include "kernels/cpu/csr5.h"
#include "kernels/cpu/loops/sums.h"

/* The row that is being summed, and its sum so far. */
struct csr5_sum {
    real sum;
    int64_t row;
    bool foreign; /* the row began before the loop's first unit, so that its sum is returned */
    real returned;
};

/* The row is complete: write its sum, or put it aside to be returned. */
static inline void csr5_end(const struct launch *launch, struct csr5_sum *of)
{
    real *y = launch->y;
    if (of->foreign)
        of->returned = of->sum;
    else
        y[of->row] = launch->product.accumulate ? y[of->row] + of->sum : of->sum;
    of->foreign = false;
    of->sum = 0;
}

/* Set rows first .. end-1, which are empty or not yet written, to 0. */
static inline void csr5_clear(const struct launch *launch, int64_t first, int64_t end)
{
    real *y = launch->y;
    for (int64_t i = first; i < end && !launch->product.accumulate; i++)
        y[i] = 0;
}

/* Multiply tile t. */
static void csr5_tile(const struct launch *launch, int64_t t, struct csr5_sum *of)
{
    const struct storage *storage = launch->storage;
    const int64_t *number = storage->number;
    const uint32_t *tile_ptr = storage->array[CSR5_TILE_PTR].data;
    int64_t omega = number[CSR5_OMEGA], sigma = number[CSR5_SIGMA], size = number[CSR5_SIZE];
    bool gaps = tile_ptr[t] & CSR5_GAPS;
    int64_t row = tile_ptr[t] & ~CSR5_GAPS, next = tile_ptr[t + 1] & ~CSR5_GAPS, segment = 0;
    const uint32_t *desc = storage->array[CSR5_TILE_DESC].data;
    const int32_t *col = (const int32_t *)storage->array[CSR5_COL].data + t * size;
    const real *val = (const real *)storage->array[CSR5_VAL].data + t * size, *x = launch->x;
    desc += storage->count > CSR5_DESC_PTR ? offset_at(storage->array[CSR5_DESC_PTR].data, storage->wide, t)
                                           : t * omega;
    if (row != of->row) csr5_end(launch, of);
    of->row = row;
    if (gaps) csr5_clear(launch, row + 1, next);
    for (int64_t c = 0; c < omega; c++)
        for (int64_t r = 0; r < sigma; r++) {
            if (desc[c] >> r & 1 && segment++ > 0) {
                csr5_end(launch, of);
                of->row = row + (gaps ? desc[omega + segment - 1] : segment - 1);
            }
            of->sum += val[r * omega + c] * x[col[r * omega + c]];
        }
}

/* Multiply the tail. */
static void csr5_tail(const struct launch *launch, struct csr5_sum *of)
{
    const struct storage *storage = launch->storage;
    const void *row_ptr = storage->array[CSR5_ROW_PTR].data;
    const int32_t *col = storage->array[CSR5_TAIL_COL].data;
    const real *val = storage->array[CSR5_TAIL_VAL].data, *x = launch->x;
    int64_t first = storage->slots[0], row = csr5_row(storage, storage->number[CSR5_TILES]);
    for (int64_t i = row; i < storage->rows; i++) {
        int64_t k = max(offset_at(row_ptr, storage->wide, i), first);
        if (i != of->row) csr5_end(launch, of);
        of->row = i;
        for (; k < offset_at(row_ptr, storage->wide, i + 1); k++)
            of->sum += val[k - first] * x[col[k - first]];
    }
}

/* Multiply units first .. end-1: the tiles, and after them the tail, which is the last unit. */
static loop_sum csr5(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    int64_t tiles = storage->number[CSR5_TILES];
    if (first == end) return 0;
    struct csr5_sum of = {.row = csr5_row(storage, first), .foreign = csr5_continues(storage, first)};
    if (first == 0) csr5_clear(launch, 0, of.row);
    for (int64_t t = first; t < min(end, tiles); t++)
        csr5_tile(launch, t, &of);
    if (end > tiles) csr5_tail(launch, &of);
    if (of.row < storage->rows) csr5_end(launch, &of);
    return (loop_sum)of.returned;
}

#endif
