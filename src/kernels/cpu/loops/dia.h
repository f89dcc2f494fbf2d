/* Loops over the diagonals of DIA: val[d * rows + i] is the entry of row i in diagonal d, whose column is
 * i + offsets[d]. No column indices are read, and x is read in order:
 *
 *     y[i] = sum over d of val[d * rows + i] x[i + offsets[d]]
 *
 * over those d for which 0 <= i + offsets[d] < cols. For diagonal d these are the rows from
 * max(0, -offsets[d]) to min(rows, cols - offsets[d]) - 1. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_DIA_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_DIA_H

#include "formats/dia.h"
#include "kernels/cpu/loops/simd.h"
#include "kernels/cpu/loops/sums.h"

/* This is the published loop, Saad, section 3.4: diagonal after diagonal, each over all of y. */
static void dia_plain(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const int32_t *offsets = storage->array[DIA_OFFSETS].data;
    const real *val = storage->array[DIA_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t d = first; d < end; d++) {
        int64_t offset = offsets[d];
        for (int64_t i = max(0, -offset); i < min(storage->rows, storage->cols - offset); i++)
            y[i] += val[d * storage->rows + i] * x[i + offset];
    }
}

/* Compute sum[i] += val[i] x[first + i] for i = begin .. end-1. Unless `further` is 0, the values that number
 * of elements ahead are prefetched. */
static inline void dia_add(real *restrict sum, const real *val, const real *x, int64_t first, int64_t begin,
                           int64_t end, int64_t further)
{
    const int64_t line = 64 / (int64_t)sizeof(real);
    for (int64_t i = begin; further && i < end; i += line)
        ahead_value(val + i, further);
    for (int64_t i = begin; i < end; i++)
        sum[i] += val[i] * x[first + i];
}

#ifdef SIMD

/* The vectors of a block whose sums stay in registers over all diagonals; so many hide the latency of
 * additions. */
#    define DIA_VECTORS 8
#    define DIA_HELD (DIA_VECTORS * SIMD)

/* Compute the sums of DIA_HELD rows from row i on, in which all diagonals have columns of the matrix. */
INLINE void dia_held(real *sum, const real *val, const real *x, const int32_t *offsets, int64_t diagonals,
                     int64_t rows, int64_t i)
{
    simd held[DIA_VECTORS] = {{0}};
    for (int64_t d = 0; d < diagonals; d++) {
        const real *from = val + d * rows + i, *element = x + i + offsets[d];
        for (int64_t v = 0; v < DIA_VECTORS; v++) /* the next block */
            __builtin_prefetch(
                (const void *)((uintptr_t)from + (uintptr_t)((DIA_HELD + v * SIMD) * (int64_t)sizeof(real))),
                0, 3);
        for (int64_t v = 0; v < DIA_VECTORS; v++)
            held[v] += simd_load(from + v * SIMD) * simd_load(element + v * SIMD);
    }
    for (int64_t v = 0; v < DIA_VECTORS; v++)
        simd_store(sum + v * SIMD, held[v]);
}

/* Bytes after which addresses fall into the same sets of a first-level cache, and the number of diagonals
 * that these sets hold beside each other. */
#    define DIA_SETS 4096
#    define DIA_WAYS 8

/* Return true if the stretches of all diagonals displace each other from the first-level cache. */
INLINE bool dia_collides(const struct storage *storage, int64_t diagonals)
{
    return diagonals > DIA_WAYS && storage->rows * (int64_t)sizeof(real) % DIA_SETS == 0;
}

/* True if all diagonals have columns of the matrix in rows i .. i + DIA_HELD - 1, which are below `end`.
 * Offsets ascend. */
INLINE bool dia_inside(const struct storage *storage, const int32_t *offsets, int64_t diagonals, int64_t i,
                       int64_t end)
{
    return diagonals > 0 && i + DIA_HELD <= end && i + offsets[0] >= 0 &&
           i + DIA_HELD + offsets[diagonals - 1] <= storage->cols;
}

#endif

/* Maximum number of rows of a block, fewer than in other loops: each diagonal reads a stretch of x as long as
 * the block, which must stay in the first-level cache together with the sums. */
#define DIA_ROWS 128

/* Multiply blocks of rows, each diagonal by diagonal: y is written once, and neighbouring diagonals find
 * their stretch of x in the cache. */
static void dia(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const int32_t *offsets = storage->array[DIA_OFFSETS].data;
    const real *val = storage->array[DIA_VAL].data;
    const int64_t diagonals = storage->number[DIA_DIAGONALS];
    const int64_t rows = min(sums_rows(diagonals), DIA_ROWS),
                  further = ahead_pays(storage->slots[0]) ? rows : 0;
    real sum[DIA_ROWS];
#ifdef SIMD
    const bool collides = dia_collides(storage, diagonals);
#endif
    for (int64_t i = first, n; i < end; i += n) {
#ifdef SIMD
        if (!collides && dia_inside(storage, offsets, diagonals, i, end)) {
            n = DIA_HELD;
            dia_held(sum, val, launch->x, offsets, diagonals, storage->rows, i);
            put_block(launch, sum, i, NULL, n);
            continue;
        }
#endif
        n = block_end(i, rows, end) - i;
        clear_sums(sum, n);
        for (int64_t d = 0; d < diagonals; d++) {
            int64_t j = i + offsets[d]; /* the diagonal's column in the block's first row */
            dia_add(sum, val + d * storage->rows + i, launch->x, j, max(0, -j), min(n, storage->cols - j),
                    further);
        }
        put_block(launch, sum, i, NULL, n);
    }
    stream_end(launch);
}

#endif
