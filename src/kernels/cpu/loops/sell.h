/* Loops over the chunks of SELL. */
#include "formats/sell.h"
#include "kernels/cpu/loops/sums.h"

/* Rows of the highest chunk. */
#define SELL_MOST 1024

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
        int64_t stop = offset_of(chunk_ptr, i + 1), r = i * c, n = least(c, storage->rows - r);
        real sum[SELL_MOST];
        clear_sums(sum, c);
        for (int64_t e = offset_of(chunk_ptr, i); e < stop; e += c)
            add_column(sum, val + e, col + e, x, c);
        put_sums(launch, sum, r, perm ? perm + r : NULL, n);
    }
}

static void sell_plain(const struct launch *launch, int64_t first, int64_t end)
{
    int64_t c = (int64_t)launch->storage->values.number[SELL_C];
    sell_chunks(launch, first, end, c);
}

static void sell(const struct launch *launch, int64_t first, int64_t end)
{
    switch ((int)launch->storage->values.number[SELL_C]) {
    case 4:
        sell_chunks(launch, first, end, 4);
        break;
    case 8:
        sell_chunks(launch, first, end, 8);
        break;
    case 16:
        sell_chunks(launch, first, end, 16);
        break;
    case 32:
        sell_chunks(launch, first, end, 32);
        break;
    default:
        sell_plain(launch, first, end);
        break;
    }
}
