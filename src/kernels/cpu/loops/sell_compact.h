/* Loops over the chunks of SELL whose columns are encoded in fewer bits (kernels/cpu/sell_compact.h). A unit
 * is a chunk. If a line's columns are consecutive, also with gaps, its elements of x are loaded contiguously,
 * like its values. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SELL_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SELL_COMPACT_H

#include "kernels/cpu/sell_compact.h"

#include "kernels/cpu/loops/sell.h"

/* The arrays that are read. */
struct told_arrays {
    const struct array *chunk_ptr;
    const int32_t *col, *base, *perm;
    const int64_t *place;
    const uint8_t *difference, *there;
    const real *val, *x;
    const uint8_t *index; /* the indices of the values in `val`, if it is a table */
};

/* The values of slots: as they are, or as indices into a table, which fits in registers or is in memory. */
enum told_value { VALUE_WHOLE, VALUE_FEW, VALUE_MANY };

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
        .there = compact->there,
        .val = compact->unique.count > 0 ? compact->unique.value
               : compact->gapped         ? compact->gapped
                                         : storage->array[SELL_VAL].data,
        .x = launch->x,
        .index = compact->unique.index,
    };
}

/* A chunk: its values, or the table and its indices; the columns of SELL, the base of its first line, and
 * `aside`: its differences, or its bits if it has gaps. */
struct told_chunk {
    const real *val;
    const uint8_t *index;
    const int32_t *col, *base;
    const uint8_t *aside;
    int64_t lines;
    enum sell_told told;
};

static inline __attribute__((always_inline)) struct told_chunk told_chunk_at(const struct told_arrays *a,
                                                                             int64_t i, int64_t c)
{
    const int64_t e = offset_of(a->chunk_ptr, i), place = a->place[i] / SELL_TOLD_STEP;
    const enum sell_told told = (enum sell_told)(a->place[i] % SELL_TOLD_STEP);
    return (struct told_chunk){.val = a->index ? a->val : a->val + e,
                               .index = a->index ? a->index + e : NULL,
                               .col = a->col + e,
                               .base = a->base + e / c,
                               .aside = told == SELL_TOLD_GAPS ? a->there + e / 8 : a->difference + place,
                               .lines = (offset_of(a->chunk_ptr, i + 1) - e) / c,
                               .told = told};
}

/* The bytes of the differences or bits of a line of c slots. */
static inline __attribute__((always_inline)) int64_t told_aside(enum sell_told told, int64_t c)
{
    return told == SELL_TOLD_BYTE ? c : told == SELL_TOLD_SHORT ? 2 * c : told == SELL_TOLD_GAPS ? c / 8 : 0;
}

/* Return the element of x for slot l of a line, 0 in a gap. If the line has no base, x is the vector and
 * `col` has the columns of the slots; otherwise x begins at the base. */
static inline __attribute__((always_inline)) real told_x(enum sell_told told, const real *x,
                                                         const int32_t *col, const uint8_t *aside, int64_t l)
{
    if (told == SELL_TOLD_WHOLE) return x[col[l]];
    if (told == SELL_TOLD_SHORT) return x[((const uint16_t *)(const void *)aside)[l]];
    if (told == SELL_TOLD_GAPS && !(aside[l / 8] >> l % 8 & 1)) return 0;
    return x[told == SELL_TOLD_BYTE ? aside[l] : l];
}

/* Return the value of slot s of a chunk. */
static inline __attribute__((always_inline)) real told_value(enum told_value how,
                                                             const struct told_chunk *chunk, int64_t s)
{
    return chunk->val[how == VALUE_WHOLE ? s : chunk->index[s]];
}

/* Number of rows whose sums the plain loop keeps in registers: the slots whose bits share a byte. */
#define TOLD_ROWS 8

/* The plain loop reads about TOLD_BYTES bytes of values by blocks of these rows before the next lines. If all
 * values have TOLD_LARGE bytes or more, it reads them in the order of memory, which processors prefetch. */
#define TOLD_BYTES 4096
#define TOLD_LARGE ((int64_t)4 << 20)

/* Add the products of slots l .. l+n-1 of lines d .. end-1, which have c slots, to their sums. `told` and n
 * <= TOLD_ROWS are constants. */
static inline __attribute__((always_inline)) void told_block(const struct told_chunk *chunk,
                                                             enum sell_told told, enum told_value how,
                                                             const real *all, int64_t d, int64_t end,
                                                             int64_t c, int64_t l, int64_t n, real *sum)
{
    real own[TOLD_ROWS];
    for (int64_t k = 0; k < n; k++)
        own[k] = sum[l + k];
    for (; d < end; d++) {
        const real *x = told == SELL_TOLD_WHOLE ? all : all + chunk->base[d];
        const int32_t *col = chunk->col + d * c;
        const uint8_t *aside = chunk->aside + d * told_aside(told, c);
        real element[TOLD_ROWS];
        if (told == SELL_TOLD_GAPS && aside[l / 8] != 0xff)
            for (int64_t k = 0; k < n; k++)
                element[k] = told_x(SELL_TOLD_GAPS, x, col, aside, l + k);
        else
            for (int64_t k = 0; k < n; k++)
                element[k] = told_x(told == SELL_TOLD_GAPS ? SELL_TOLD_IN_ORDER : told, x, col, aside, l + k);
        for (int64_t k = 0; k < n; k++)
            own[k] += told_value(how, chunk, d * c + l + k) * element[k];
    }
    for (int64_t k = 0; k < n; k++)
        sum[l + k] = own[k];
}

/* Add the products of all lines to the c sums, line by line; `told` is a constant. */
static inline __attribute__((always_inline)) void told_lines(const struct told_chunk *chunk,
                                                             enum sell_told told, enum told_value how,
                                                             const real *all, int64_t c, real *sum)
{
    const int32_t *col = chunk->col;
    const uint8_t *aside = chunk->aside;
    for (int64_t d = 0; d < chunk->lines; d++, col += c, aside += told_aside(told, c)) {
        const real *x = told == SELL_TOLD_WHOLE ? all : all + chunk->base[d];
        for (int64_t l = 0; l < c; l++)
            sum[l] += told_value(how, chunk, d * c + l) * told_x(told, x, col, aside, l);
    }
}

/* Multiply a chunk of any c, `step` lines at a time; `told` is a constant. If x is gathered, blocks of rows
 * are faster only with c = 4 and c = TOLD_ROWS, where a block has whole lines. */
static inline __attribute__((always_inline)) void told_any(const struct told_chunk *chunk,
                                                           enum sell_told told, enum told_value how,
                                                           const real *x, int64_t c, int64_t step, real *sum)
{
    const int64_t lines = chunk->lines;
    clear_sums(sum, c);
    if (c == 4)
        told_block(chunk, told, how, x, 0, lines, 4, 0, 4, sum);
    else if (c == TOLD_ROWS)
        told_block(chunk, told, how, x, 0, lines, TOLD_ROWS, 0, TOLD_ROWS, sum);
    else if (told == SELL_TOLD_GAPS || (told == SELL_TOLD_IN_ORDER && c % TOLD_ROWS == 0))
        for (int64_t d = 0; d < lines; d += step)
            for (int64_t l = 0; l < c; l += TOLD_ROWS)
                told_block(chunk, told, how, x, d, min(d + step, lines), c, l, TOLD_ROWS, sum);
    else
        told_lines(chunk, told, how, x, c, sum);
}

static inline __attribute__((always_inline)) void sell_compact_by(const struct launch *launch, int64_t first,
                                                                  int64_t end, enum told_value how)
{
    const struct told_arrays a = told_arrays(launch);
    const int64_t c = (int64_t)launch->storage->values.number[SELL_C],
                  step = launch->storage->slots[0] * (int64_t)sizeof(real) >= TOLD_LARGE
                             ? 1
                             : max(1, TOLD_BYTES / (int64_t)sizeof(real) / c);
    for (int64_t i = first; i < end; i++) {
        const struct told_chunk chunk = told_chunk_at(&a, i, c);
        real sum[SELL_MAX];
        switch (chunk.told) {
        case SELL_TOLD_IN_ORDER:
            told_any(&chunk, SELL_TOLD_IN_ORDER, how, a.x, c, step, sum);
            break;
        case SELL_TOLD_GAPS:
            told_any(&chunk, SELL_TOLD_GAPS, how, a.x, c, step, sum);
            break;
        case SELL_TOLD_BYTE:
            told_any(&chunk, SELL_TOLD_BYTE, how, a.x, c, step, sum);
            break;
        case SELL_TOLD_SHORT:
            told_any(&chunk, SELL_TOLD_SHORT, how, a.x, c, step, sum);
            break;
        default:
            told_any(&chunk, SELL_TOLD_WHOLE, how, a.x, c, step, sum);
            break;
        }
        put_block(launch, sum, i * c, a.perm ? a.perm + i * c : NULL, min(c, launch->storage->rows - i * c));
    }
}

static void sell_compact_any(const struct launch *launch, int64_t first, int64_t end)
{
    const struct sell_compact *compact = launch->state;
    if (compact->unique.count > 0)
        sell_compact_by(launch, first, end, VALUE_MANY);
    else
        sell_compact_by(launch, first, end, VALUE_WHOLE);
}

#ifdef SIMD

/* Prefetch after a line of c slots: `size` bytes for each value, and `bytes` for all columns. */
INLINE void told_ahead(const void *values, int64_t c, int64_t size, const void *columns, int64_t bytes)
{
    const int64_t slots = AHEAD_STEADY / (int64_t)sizeof(real);
    const uintptr_t value = (uintptr_t)values + (uintptr_t)(slots * size),
                    column = (uintptr_t)columns + (uintptr_t)(slots * bytes / c);
    for (int64_t byte = 0; byte < c * size; byte += 64)
        __builtin_prefetch((const void *)(value + (uintptr_t)byte), 0, 3);
    for (int64_t byte = 0; byte < bytes; byte += 64)
        __builtin_prefetch((const void *)(column + (uintptr_t)byte), 0, 3);
}

/* Return the elements of x for slots l .. l+SIMD-1 of a line, as told_x does for one slot. */
INLINE simd told_gather(enum sell_told told, const real *x, const int32_t *col, const uint8_t *aside,
                        int64_t l)
{
    if (told == SELL_TOLD_WHOLE) return simd_gather(x, col + l);
    if (told == SELL_TOLD_SHORT) return simd_gather_narrow(x, (const uint16_t *)(const void *)aside + l);
    if (told == SELL_TOLD_BYTE) return simd_gather_bytes(x, aside + l);
    if (told == SELL_TOLD_GAPS) return simd_where(x + l, aside, l);
    return simd_load(x + l);
}

/* Multiply a chunk of c = vectors * SIMD rows; `told`, `how`, `vectors` and `large` are constants. */
INLINE void told_simd(const struct told_chunk *chunk, enum sell_told told, enum told_value how,
                      simd_table table, const real *all, int64_t vectors, bool large, simd *sum)
{
    const int64_t c = vectors * SIMD, bytes = told_aside(told, c);
    const real *val = chunk->val;
    const uint8_t *index = chunk->index;
    const int32_t *col = chunk->col, *base = chunk->base;
    const uint8_t *aside = chunk->aside;
    for (int64_t v = 0; v < vectors; v++)
        sum[v] = (simd){0};
#    pragma GCC unroll 4 /* as in sell_simd */
    for (int64_t d = 0; d < chunk->lines; d++, col += c, aside += bytes) {
        const real *x = told == SELL_TOLD_WHOLE ? all : all + base[d];
        if (large)
            told_ahead(how == VALUE_WHOLE ? (const void *)val : (const void *)index, c,
                       how == VALUE_WHOLE ? (int64_t)sizeof *val : 1,
                       told == SELL_TOLD_WHOLE ? (const void *)col : (const void *)aside,
                       told == SELL_TOLD_WHOLE ? c * (int64_t)sizeof *col : bytes);
        for (int64_t v = 0; v < vectors; v++) {
            const simd value = how == VALUE_WHOLE ? simd_load(val + v * SIMD)
                               : how == VALUE_FEW ? simd_pick(table, index + v * SIMD)
                                                  : simd_gather_bytes(val, index + v * SIMD);
            sum[v] += value * told_gather(told, x, col, aside, v * SIMD);
        }
        if (how == VALUE_WHOLE)
            val += c;
        else
            index += c;
    }
}

INLINE void sell_compact_simd(const struct launch *launch, int64_t first, int64_t end, enum told_value how,
                              int64_t vectors, bool large)
{
    const struct told_arrays a = told_arrays(launch);
    const struct sell_compact *compact = launch->state;
    const struct sell_target target = sell_target(launch);
    const simd_table table = simd_table_of(a.val, how == VALUE_FEW ? compact->unique.count : 0);
    const int64_t c = vectors * SIMD;
    for (int64_t i = first; i < end; i++) {
        const struct told_chunk chunk = told_chunk_at(&a, i, c);
        simd sum[SELL_SIMD];
        switch (chunk.told) {
        case SELL_TOLD_IN_ORDER:
            told_simd(&chunk, SELL_TOLD_IN_ORDER, how, table, a.x, vectors, large, sum);
            break;
        case SELL_TOLD_GAPS:
            told_simd(&chunk, SELL_TOLD_GAPS, how, table, a.x, vectors, large, sum);
            break;
        case SELL_TOLD_BYTE:
            told_simd(&chunk, SELL_TOLD_BYTE, how, table, a.x, vectors, large, sum);
            break;
        case SELL_TOLD_SHORT:
            told_simd(&chunk, SELL_TOLD_SHORT, how, table, a.x, vectors, large, sum);
            break;
        default:
            told_simd(&chunk, SELL_TOLD_WHOLE, how, table, a.x, vectors, large, sum);
            break;
        }
        sell_put(launch, &target, sum, vectors, i * c);
    }
}

/* Call sell_compact_simd with constants for the values and `large`: whether full values alone have
 * AHEAD_LARGE bytes, since the other arrays are small. Indices are always prefetched. */
INLINE void sell_compact_sized(const struct launch *launch, int64_t first, int64_t end, int64_t vectors)
{
    const int distinct = ((const struct sell_compact *)launch->state)->unique.count;
    if (distinct > 0 && distinct <= SIMD_FEW)
        sell_compact_simd(launch, first, end, VALUE_FEW, vectors, true);
    else if (distinct > 0)
        sell_compact_simd(launch, first, end, VALUE_MANY, vectors, true);
    else if (launch->storage->slots[0] * (int64_t)sizeof(real) >= AHEAD_LARGE)
        sell_compact_simd(launch, first, end, VALUE_WHOLE, vectors, true);
    else
        sell_compact_simd(launch, first, end, VALUE_WHOLE, vectors, false);
}

#endif

static void sell_compact(const struct launch *launch, int64_t first, int64_t end)
{
#ifdef SIMD
    const int64_t c = (int64_t)launch->storage->values.number[SELL_C];
    if (c == SIMD)
        sell_compact_sized(launch, first, end, 1);
    else if (c == 2 * SIMD)
        sell_compact_sized(launch, first, end, 2);
    else if (c == 4 * SIMD)
        sell_compact_sized(launch, first, end, 4);
    else if (c == 8 * SIMD)
        sell_compact_sized(launch, first, end, 8);
    else
#endif
        sell_compact_any(launch, first, end);
    stream_end(launch);
}

#endif
