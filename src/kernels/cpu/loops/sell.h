/* Loops over the chunks of SELL: chunk i has sorted rows i c .. i c + c-1, and its slots are stored column by
 * column, entry d of its row r at chunk_ptr[i] + d c + r:
 *
 *     c = 4, rows of 3, 2, 1, 1 entries     slots  a b c d | e f . . | g . . .
 *                                                  d = 0     d = 1     d = 2
 *
 * A column is c products for c sums. Padding has value 0 and is summed like entries. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SELL_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SELL_H

#include "formats/sell.h"
#include "kernels/cpu/loops/ahead.h"
#include "kernels/cpu/loops/sums.h"

/* The largest c of the format. */
#define SELL_MAX 1024

/* Multiply chunk by chunk, and within a chunk column by column (Kreutzer et al., section 4). Where c is a
 * constant, the compiler keeps the sums in registers. */
static inline __attribute__((always_inline)) void sell_chunks(const struct launch *launch, int64_t first,
                                                              int64_t end, int64_t c)
{
    const struct storage *storage = launch->storage;
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    const int32_t *col = storage->array[SELL_COL].data;
    const int32_t *perm = storage->count > SELL_PERM ? storage->array[SELL_PERM].data : NULL;
    const real *val = storage->array[SELL_VAL].data, *x = launch->x;
    for (int64_t i = first; i < end; i++) {
        int64_t stop = offset_of(chunk_ptr, i + 1), r = i * c, n = min(c, storage->rows - r);
        real sum[SELL_MAX];
        clear_sums(sum, c);
        for (int64_t e = offset_of(chunk_ptr, i); e < stop; e += c)
            add_column(sum, val + e, col + e, x, c, 0);
        put_block(launch, sum, r, perm ? perm + r : NULL, n);
    }
}

static void sell_plain(const struct launch *launch, int64_t first, int64_t end)
{
    int64_t c = (int64_t)launch->storage->values.number[SELL_C];
    sell_chunks(launch, first, end, c);
}

#ifdef SIMD

/* Maximum number of vectors of a chunk whose sums fit in registers. */
#    define SELL_SIMD 8

/* The vector y that receives the sums of chunks. */
struct sell_target {
    real *y;
    const int32_t *perm; /* the row of each sum; NULL: they are in the order of rows */
    int64_t rows;
    bool add, stream;
};

static inline struct sell_target sell_target(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    return (struct sell_target){.y = launch->y,
                                .perm = storage->count > SELL_PERM ? storage->array[SELL_PERM].data : NULL,
                                .rows = storage->rows,
                                .add = launch->product.accumulate,
                                .stream = streams(launch) && (uintptr_t)launch->y % 64 == 0};
}

/* Store the sums of a chunk whose first row is r; vectors of whole chunks need no loop over rows. */
INLINE void sell_put(const struct launch *launch, const struct sell_target *target, const simd *sum,
                     int64_t vectors, int64_t r)
{
    const int64_t c = vectors * SIMD;
    real *y = target->y + r;
    if (!target->perm && r + c <= target->rows) {
        for (int64_t v = 0; v < vectors; v++)
            if (target->stream)
                simd_stream(y + v * SIMD, sum[v]);
            else
                simd_store(y + v * SIMD, target->add ? simd_load(y + v * SIMD) + sum[v] : sum[v]);
        return;
    }
    real sums[SELL_SIMD * SIMD_BYTES / sizeof(real)];
    for (int64_t v = 0; v < vectors; v++)
        simd_store(sums + v * SIMD, sum[v]);
    put_sums(launch, sums, r, target->perm ? target->perm + r : NULL, min(c, target->rows - r));
}

/* Multiply chunks of c = vectors * SIMD rows; `vectors` and `large` are constants, so that the sums stay in
 * registers over all columns of a chunk. */
INLINE void sell_simd(const struct launch *launch, int64_t first, int64_t end, int64_t vectors, bool large)
{
    const struct storage *storage = launch->storage;
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    const struct sell_target target = sell_target(launch);
    const int64_t c = vectors * SIMD;
    const real *x = launch->x;
    int64_t next = offset_of(chunk_ptr, first);
    for (int64_t i = first; i < end; i++) {
        const int64_t begin = next;
        next = offset_of(chunk_ptr, i + 1);
        const int64_t lines = (next - begin) / c;
        const int32_t *col = (const int32_t *)storage->array[SELL_COL].data + begin;
        const real *val = (const real *)storage->array[SELL_VAL].data + begin;
        simd sum[SELL_SIMD] = {{0}};
        /* One branch for eight lines: the processor predicts the end of a loop of so few branches. */
#    pragma GCC unroll 8
        for (int64_t d = 0; d < lines; d++, col += c, val += c) {
            if (large) ahead(val, col, 0, c);
            for (int64_t v = 0; v < vectors; v++)
                sum[v] += simd_load(val + v * SIMD) * simd_gather(x, col + v * SIMD);
        }
        sell_put(launch, &target, sum, vectors, i * c);
    }
}

/* Call sell_simd with a constant `large`. */
INLINE void sell_sized(const struct launch *launch, int64_t first, int64_t end, int64_t vectors)
{
    if (ahead_pays(launch->storage->slots[0]))
        sell_simd(launch, first, end, vectors, true);
    else
        sell_simd(launch, first, end, vectors, false);
}

/* Run the loop compiled for this c, if c is 1, 2, 4 or 8 vectors, and return true; else return false. */
static bool sell_by_simd(const struct launch *launch, int64_t first, int64_t end, int64_t c)
{
    if (c == SIMD)
        sell_sized(launch, first, end, 1);
    else if (c == 2 * SIMD)
        sell_sized(launch, first, end, 2);
    else if (c == 4 * SIMD)
        sell_sized(launch, first, end, 4);
    else if (c == 8 * SIMD)
        sell_sized(launch, first, end, 8);
    else
        return false;
    return true;
}

#endif

static void sell(const struct launch *launch, int64_t first, int64_t end)
{
    int64_t c = (int64_t)launch->storage->values.number[SELL_C];
#ifdef SIMD
    if (sell_by_simd(launch, first, end, c)) {
        stream_end(launch);
        return;
    }
#endif
    if (c == 4)
        sell_chunks(launch, first, end, 4);
    else if (c == 8)
        sell_chunks(launch, first, end, 8);
    else if (c == 16)
        sell_chunks(launch, first, end, 16);
    else if (c == 32)
        sell_chunks(launch, first, end, 32);
    else
        sell_chunks(launch, first, end, c);
    stream_end(launch);
}

#endif
