/* Loops over the chunks of SELL whose columns are encoded in fewer bits (kernels/cpu/sell_compact.h). A unit
 * is a chunk. If a line's columns are consecutive, its elements of x are loaded contiguously, like its
 * values. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SELL_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SELL_COMPACT_H

#include "kernels/cpu/sell_compact.h"

#include "kernels/cpu/loops/sell.h"

/* The arrays that are read. */
struct told_arrays {
    const struct array *chunk_ptr;
    const int32_t *col, *base, *perm;
    const int64_t *place;
    const uint8_t *difference;
    const real *val, *x;
};

static inline struct told_arrays told_arrays(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    const struct sell_compact *compact = launch->state;
    return (struct told_arrays){
        .chunk_ptr = &storage->array[SELL_CHUNK_PTR],
        .col = storage->array[SELL_COL].data,
        .base = compact->base,
        .perm = storage->count > SELL_PERM ? storage->array[SELL_PERM].data : NULL,
        .place = compact->place,
        .difference = compact->difference,
        .val = storage->array[SELL_VAL].data,
        .x = launch->x,
    };
}

/* The element of x for slot l of a line whose slots begin at e and differences at `difference`. */
static inline __attribute__((always_inline)) real told_x(const struct told_arrays *a, enum sell_told told,
                                                         const uint8_t *difference, int64_t e, int32_t base,
                                                         int64_t l)
{
    if (told == SELL_TOLD_WHOLE) return a->x[a->col[e + l]];
    if (told == SELL_TOLD_SHORT) return a->x[base + ((const uint16_t *)(const void *)difference)[l]];
    return a->x[base + (told == SELL_TOLD_BYTE ? difference[l] : l)];
}

/* The bytes of the differences of c slots. */
static inline int64_t told_bytes(enum sell_told told, int64_t c)
{
    return told == SELL_TOLD_BYTE ? c : told == SELL_TOLD_SHORT ? 2 * c : 0;
}

/* Multiply a chunk of any c, with slots e .. stop-1. */
static inline __attribute__((always_inline)) void told_chunk(const struct told_arrays *a, enum sell_told told,
                                                             const uint8_t *difference, int64_t e,
                                                             int64_t stop, int64_t c, real *sum)
{
    clear_sums(sum, c);
    for (; e < stop; e += c, difference += told_bytes(told, c))
        for (int64_t l = 0; l < c; l++)
            sum[l] += a->val[e + l] * told_x(a, told, difference, e, a->base[e / c], l);
}

static void sell_compact_any(const struct launch *launch, int64_t first, int64_t end)
{
    const struct told_arrays a = told_arrays(launch);
    const int64_t c = (int64_t)launch->storage->values.number[SELL_C];
    for (int64_t i = first; i < end; i++) {
        int64_t e = offset_of(a.chunk_ptr, i), stop = offset_of(a.chunk_ptr, i + 1), r = i * c;
        const uint8_t *difference = a.difference + a.place[i] / SELL_TOLD_KINDS;
        real sum[SELL_MAX];
        switch ((enum sell_told)(a.place[i] % SELL_TOLD_KINDS)) {
        case SELL_TOLD_IN_ORDER:
            told_chunk(&a, SELL_TOLD_IN_ORDER, difference, e, stop, c, sum);
            break;
        case SELL_TOLD_BYTE:
            told_chunk(&a, SELL_TOLD_BYTE, difference, e, stop, c, sum);
            break;
        case SELL_TOLD_SHORT:
            told_chunk(&a, SELL_TOLD_SHORT, difference, e, stop, c, sum);
            break;
        default:
            told_chunk(&a, SELL_TOLD_WHOLE, difference, e, stop, c, sum);
            break;
        }
        put_block(launch, sum, r, a.perm ? a.perm + r : NULL, min(c, launch->storage->rows - r));
    }
}

#ifdef SIMD

/* Prefetch after a line of c slots and its differences. */
INLINE void told_ahead(const real *val, int64_t c, const void *columns, int64_t bytes)
{
    const uintptr_t value = (uintptr_t)val + (uintptr_t)AHEAD_STEADY,
                    column =
                        (uintptr_t)columns + (uintptr_t)(AHEAD_STEADY / (int64_t)sizeof(real) * bytes / c);
    for (int64_t byte = 0; byte < c * (int64_t)sizeof(real); byte += 64)
        __builtin_prefetch((const void *)(value + (uintptr_t)byte), 0, 3);
    for (int64_t byte = 0; byte < bytes; byte += 64)
        __builtin_prefetch((const void *)(column + (uintptr_t)byte), 0, 3);
}

/* SIMD elements of x for slots v SIMD .. of a line. */
INLINE simd told_gather(const struct told_arrays *a, enum sell_told told, const uint8_t *difference,
                        int64_t e, const real *x, int64_t l)
{
    if (told == SELL_TOLD_WHOLE) return simd_gather(a->x, a->col + e + l);
    if (told == SELL_TOLD_SHORT) return simd_gather_narrow(x, (const uint16_t *)(const void *)difference + l);
    if (told == SELL_TOLD_BYTE) return simd_gather_bytes(x, difference + l);
    return simd_load(x + l);
}

/* Multiply a chunk of c = vectors * SIMD rows; `told` and `vectors` are constants. */
INLINE void told_simd(const struct told_arrays *a, enum sell_told told, const uint8_t *difference, int64_t e,
                      int64_t stop, int64_t vectors, bool large, real *sums)
{
    const int64_t c = vectors * SIMD;
    const int64_t bytes = told == SELL_TOLD_WHOLE ? c * (int64_t)sizeof *a->col : told_bytes(told, c);
    const int32_t *base = a->base + e / c;
    simd sum[SELL_SIMD] = {{0}};
    for (; e < stop; e += c, difference += told_bytes(told, c), base++) {
        const real *x = told == SELL_TOLD_WHOLE ? a->x : a->x + *base;
        if (large)
            told_ahead(a->val + e, c,
                       told == SELL_TOLD_WHOLE ? (const void *)(a->col + e) : (const void *)difference,
                       bytes);
        for (int64_t v = 0; v < vectors; v++)
            sum[v] += simd_load(a->val + e + v * SIMD) * told_gather(a, told, difference, e, x, v * SIMD);
    }
    for (int64_t v = 0; v < vectors; v++)
        simd_store(sums + v * SIMD, sum[v]);
}

INLINE void sell_compact_simd(const struct launch *launch, int64_t first, int64_t end, int64_t vectors)
{
    const struct told_arrays a = told_arrays(launch);
    const int64_t c = vectors * SIMD;
    const bool large = ahead_pays(launch->storage->slots[0]);
    for (int64_t i = first; i < end; i++) {
        int64_t e = offset_of(a.chunk_ptr, i), stop = offset_of(a.chunk_ptr, i + 1), r = i * c;
        const uint8_t *difference = a.difference + a.place[i] / SELL_TOLD_KINDS;
        real sums[SELL_SIMD * SIMD_BYTES / sizeof(real)];
        switch ((enum sell_told)(a.place[i] % SELL_TOLD_KINDS)) {
        case SELL_TOLD_IN_ORDER:
            told_simd(&a, SELL_TOLD_IN_ORDER, difference, e, stop, vectors, large, sums);
            break;
        case SELL_TOLD_BYTE:
            told_simd(&a, SELL_TOLD_BYTE, difference, e, stop, vectors, large, sums);
            break;
        case SELL_TOLD_SHORT:
            told_simd(&a, SELL_TOLD_SHORT, difference, e, stop, vectors, large, sums);
            break;
        default:
            told_simd(&a, SELL_TOLD_WHOLE, difference, e, stop, vectors, large, sums);
            break;
        }
        put_block(launch, sums, r, a.perm ? a.perm + r : NULL, min(c, launch->storage->rows - r));
    }
}

#endif

static void sell_compact(const struct launch *launch, int64_t first, int64_t end)
{
#ifdef SIMD
    const int64_t c = (int64_t)launch->storage->values.number[SELL_C];
    if (c == SIMD)
        sell_compact_simd(launch, first, end, 1);
    else if (c == 2 * SIMD)
        sell_compact_simd(launch, first, end, 2);
    else if (c == 4 * SIMD)
        sell_compact_simd(launch, first, end, 4);
    else if (c == 8 * SIMD)
        sell_compact_simd(launch, first, end, 8);
    else
#endif
        sell_compact_any(launch, first, end);
    stream_end(launch);
}

#endif
