/* Loops over the chunks of SELL. */
#include "formats/sell.h"
#include "kernels/cpu/loops/ahead.h"
#include "kernels/cpu/loops/sums.h"

/* Rows of the highest chunk. */
#define SELL_MAX 1024

/* Kreutzer et al., section 4: chunk by chunk, column by column, the sums of all rows of a chunk side by side.
 * For a c that is a constant where this is inlined they stay in registers. */
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

#ifdef LANES

/* Vectors of the highest chunk whose sums fit in registers. */
#    define SELL_LANES 8

/* Chunks of so many vectors, a constant: the sums stay in registers. */
INLINE void sell_lanes(const struct launch *launch, int64_t first, int64_t end, int64_t vectors)
{
    const struct storage *storage = launch->storage;
    const struct array *chunk_ptr = &storage->array[SELL_CHUNK_PTR];
    const int32_t *col = storage->array[SELL_COL].data;
    const int32_t *perm = storage->count > SELL_PERM ? storage->array[SELL_PERM].data : NULL;
    const real *val = storage->array[SELL_VAL].data, *x = launch->x;
    const int64_t c = vectors * LANES;
    bool large = ahead_pays(storage->slots[0]);
    for (int64_t i = first; i < end; i++) {
        int64_t stop = offset_of(chunk_ptr, i + 1), r = i * c;
        lanes sum[SELL_LANES] = {{0}};
        for (int64_t e = offset_of(chunk_ptr, i); e < stop; e += c) {
            if (large) ahead(val, col, e, e + c);
            for (int64_t v = 0; v < vectors; v++)
                sum[v] += lanes_load(val + e + v * LANES) * lanes_gather(x, col + e + v * LANES);
        }
        real sums[SELL_LANES * LANES_BYTES / sizeof(real)];
        for (int64_t v = 0; v < vectors; v++)
            lanes_store(sums + v * LANES, sum[v]);
        put_block(launch, sums, r, perm ? perm + r : NULL, min(c, storage->rows - r));
    }
}

/* Chunks of a few vectors; false if they are not. */
static bool sell_by_lanes(const struct launch *launch, int64_t first, int64_t end, int64_t c)
{
    if (c == LANES)
        sell_lanes(launch, first, end, 1);
    else if (c == 2 * LANES)
        sell_lanes(launch, first, end, 2);
    else if (c == 4 * LANES)
        sell_lanes(launch, first, end, 4);
    else if (c == 8 * LANES)
        sell_lanes(launch, first, end, 8);
    else
        return false;
    return true;
}

#endif

static void sell(const struct launch *launch, int64_t first, int64_t end)
{
    int64_t c = (int64_t)launch->storage->values.number[SELL_C];
#ifdef LANES
    if (sell_by_lanes(launch, first, end, c)) {
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
