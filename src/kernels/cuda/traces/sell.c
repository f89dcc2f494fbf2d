/* The trace of the kernel of sell.cu: the memory requests of its warps. */
#include "formats/sell.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cuda/sell.h"
#include "kernels/cuda/traces/replay.h"

/* The work of a warp. The column of slot e is base + narrow[e], or if `narrow` is NULL, wide[e]. */
struct slice {
    struct ask col, val, x;
    struct ask table;     /* of values by bytes, */
    const uint8_t *index; /* these; else NULL */
    const uint16_t *narrow;
    const int32_t *wide;
    int64_t base;
    struct replay_slots slots;
};

static const struct sell_columns *columns_of(const struct launch *launch)
{
    return &((const struct sell_state *)launch->state)->columns;
}

static const struct unique *unique_of(const struct launch *launch)
{
    return &((const struct sell_state *)launch->state)->unique;
}

static void stage_sell(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(
        stage, sell_grid(launch), "sell<%d, %s, %s, %s, %s, %s>", (int)launch->values.number[SELL_AHEAD],
        replay_bool(columns_of(launch)->narrow != NULL), replay_bool(unique_of(launch)->index != NULL),
        replay_bool(sell_chunk_slices(launch->storage) == 1), replay_real(launch), replay_offset(launch));
    stage->early = begins_early(launch, SELL_EARLY);
}

static struct slice slice_of(const struct launch *launch, int64_t s)
{
    const struct sell_columns *columns = columns_of(launch);
    bool narrow = columns->narrow && columns->base[s] >= 0;
    const uint8_t *index = unique_of(launch)->index;
    int value = replay_value(launch);
    return (struct slice){
        .col = {ACCESS_LOAD, OPERAND_COLUMNS, narrow ? "narrow[k]" : "col[k]", narrow ? 2 : 4, true},
        .val = {ACCESS_LOAD, OPERAND_VALUES, index ? "index[k]" : "val[k]", index ? 1 : value, true},
        .table = {ACCESS_LOAD, OPERAND_TABLES, "value[index[k]]", value},
        .index = index,
        .x = {ACCESS_LOAD, OPERAND_X, narrow ? "x[base + narrow[k]]" : "x[col[k]]", value},
        .narrow = narrow ? columns->narrow : NULL,
        .wide = launch->resident->array[SELL_COL].data,
        .base = narrow ? columns->base[s] : 0,
        .slots = replay_slots(launch, SELL_VAL)};
}

/* Read the values of slots first .. first + 31 out of their table. */
static void read_table(struct tracer *tracer, const struct slice *slice, int64_t first)
{
    int64_t which[WARP];
    for (int lane = 0; lane < WARP; lane++)
        which[lane] = slice->index[first + lane];
    trace_index(tracer, &slice->table, UINT32_MAX, which);
}

/* Multiply `count` slots of each row, which lie `step` apart. All of them are loaded before the first element
 * of x. */
static void multiply(struct tracer *tracer, const struct slice *slice, int64_t k, int64_t step, int count)
{
    uint32_t padding[SELL_AHEAD_MAX];
    for (int d = 0; d < count; d++) {
        padding[d] = tracer->sectors ? 0 : replay_padding(&slice->slots, UINT32_MAX, k + d * step);
        tracer->padding = padding[d];
        trace_line(tracer, &slice->col, 0, WARP, k + d * step);
        trace_line(tracer, &slice->val, 0, WARP, k + d * step);
    }
    for (int d = 0; d < count; d++) {
        int64_t first = k + d * step, j[WARP];
        if (slice->narrow)
            for (int lane = 0; lane < WARP; lane++)
                j[lane] = slice->base + slice->narrow[first + lane];
        else
            for (int lane = 0; lane < WARP; lane++)
                j[lane] = slice->wide[first + lane];
        tracer->padding = padding[d];
        if (slice->index) read_table(tracer, slice, first);
        trace_index(tracer, &slice->x, UINT32_MAX, j);
    }
    tracer->padding = 0;
}

/* Lane l < lanes writes its sum to y[place + l], or to y[perm[place + l]] unless perm is NULL. */
static void put_rows(const struct launch *launch, struct tracer *tracer, const int32_t *perm, int lanes,
                     int64_t place)
{
    int64_t row[WARP];
    if (!perm) {
        replay_put_line(tracer, launch, lanes, place);
        return;
    }
    for (int lane = 0; lane < lanes; lane++)
        row[lane] = perm[place + lane];
    replay_put(tracer, launch, lanes_below(lanes), row);
}

/* The lanes of a warp do not diverge, since all rows of a chunk have the same number of slots, even those
 * beyond the last row of the matrix. */
static void warp_sell(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct array *array = launch->resident->array, *chunk_ptr = &array[SELL_CHUNK_PTR];
    const struct ask pointer = {ACCESS_LOAD, OPERAND_POINTERS, "chunk_ptr[i]",
                                replay_size(launch, SELL_CHUNK_PTR)};
    const struct ask order = {ACCESS_LOAD, OPERAND_ROWS, "perm[r]", sizeof(int32_t), true};
    const struct ask base = {ACCESS_LOAD, OPERAND_TABLES, "base[s]", sizeof(int32_t)};
    const int32_t *perm = launch->storage->values.number[SELL_SIGMA] > 1 ? array[SELL_PERM].data : NULL;
    int64_t slices = sell_chunk_slices(launch->storage), step = slices * SELL_SLICE, chunk = warp / slices;
    int64_t place = warp * SELL_SLICE;
    int ahead = (int)launch->values.number[SELL_AHEAD];
    int rows = (int)clip(launch->storage->rows - place, WARP);
    if (warp >= sell_slices(launch->storage)) return;
    const struct slice slice = slice_of(launch, warp);
    int64_t k = array_integer(chunk_ptr, chunk) + warp % slices * SELL_SLICE;
    int64_t end = array_integer(chunk_ptr, chunk + 1);
    trace_same(tracer, &pointer, UINT32_MAX, chunk);
    trace_same(tracer, &pointer, UINT32_MAX, chunk + 1);
    if (perm) trace_line(tracer, &order, 0, rows, place);
    if (columns_of(launch)->narrow) trace_same(tracer, &base, UINT32_MAX, warp);
    for (; k < end; k += ahead * step)
        multiply(tracer, &slice, k, step, (int)min(ahead, (end - k + step - 1) / step));
    put_rows(launch, tracer, perm, rows, place);
}

static void rows_sell(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    const struct storage *storage = launch->storage;
    bool sorted = storage->values.number[SELL_SIGMA] > 1;
    const int32_t *perm = sorted ? launch->resident->array[SELL_PERM].data : NULL;
    for (int lane = 0; lane < WARP; lane++) {
        int64_t place = warp * SELL_SLICE + lane;
        row[lane] = place >= storage->rows ? -1 : perm ? perm[place] : place;
    }
}

static int64_t weight_sell(const struct launch *launch, int64_t s, int64_t warp)
{
    if (warp >= sell_slices(launch->storage)) return 0;
    return replay_longest(&launch->resident->array[SELL_CHUNK_PTR], warp / sell_chunk_slices(launch->storage),
                          1) /
           (SELL_SLICE * sell_chunk_slices(launch->storage));
}

const struct trace trace_sell = {
    .stage = stage_sell, .warp = warp_sell, .rows = rows_sell, .weight = weight_sell};
