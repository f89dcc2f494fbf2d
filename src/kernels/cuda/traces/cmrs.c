/* The traces of the kernels of cmrs.cu: the memory requests of their warps. */
#include "formats/cmrs.h"
#include "base/range.h"
#include "formats/array.h"
#include "kernels/cuda/cmrs.h"
#include "kernels/cuda/traces/replay.h"

/* The requests for loads that both kernels make. */
struct asks {
    struct ask begin, end, col, row, val, x;
};

/* The requests that both kernels make for their cells of shared memory. */
struct cell_asks {
    struct ask clear, load, store, sum;
};

static struct asks asks_of(const struct launch *launch)
{
    int offset = replay_size(launch, CMRS_STRIP_PTR), value = replay_value(launch);
    return (struct asks){.begin = {ACCESS_LOAD, OPERAND_POINTERS, "strip_ptr[s]", offset},
                         .end = {ACCESS_LOAD, OPERAND_POINTERS, "strip_ptr[s + 1]", offset},
                         .col = {ACCESS_LOAD, OPERAND_COLUMNS, "col_ind[e]", sizeof(uint32_t)},
                         .row = {ACCESS_LOAD, OPERAND_ROWS, "row_in_strip[e]", sizeof(uint8_t)},
                         .val = {ACCESS_LOAD, OPERAND_VALUES, "val[e]", value},
                         .x = {ACCESS_LOAD, OPERAND_X, "x[spot.col]", value}};
}

static struct cell_asks cell_asks_of(const struct launch *launch)
{
    int value = replay_value(launch);
    return (struct cell_asks){.clear = {ACCESS_STORE, OPERAND_SHARED, "cell[...] = 0", value},
                              .load = {ACCESS_LOAD, OPERAND_SHARED, "cell[...] +=", value},
                              .store = {ACCESS_STORE, OPERAND_SHARED, "cell[...] +=", value},
                              .sum = {ACCESS_LOAD, OPERAND_SHARED, "sum += cell[...]", value}};
}

/* The arrays of the columns and rows of slots. */
struct slots {
    const uint32_t *col_ind;
    const uint8_t *row_in_strip; /* NULL if rows are packed into col_ind */
    struct replay_slots slots;
};

static struct slots slots_of(const struct launch *launch)
{
    const struct array *array = launch->resident->array;
    bool packed = launch->storage->number[CMRS_PACKED] != 0;
    return (struct slots){.col_ind = array[CMRS_COL_IND].data,
                          .row_in_strip = packed ? NULL : array[CMRS_ROW_IN_STRIP].data,
                          .slots = replay_slots(launch, CMRS_VAL)};
}

static int64_t row_at(const struct slots *slots, int64_t e)
{
    return slots->row_in_strip ? slots->row_in_strip[e] : slots->col_ind[e] % (1u << CMRS_ROW_BITS);
}

/* Lanes first .. first + count - 1 load slots e, e + 1, ... and the elements of x that these lead to. */
static void load_slots(struct tracer *tracer, const struct asks *asks, const struct slots *slots, int first,
                       int count, int64_t e)
{
    int shift = slots->row_in_strip ? 0 : CMRS_ROW_BITS;
    int64_t j[WARP];
    for (int lane = 0; lane < count; lane++)
        j[first + lane] = slots->col_ind[e + lane] >> shift;
    tracer->padding =
        tracer->sectors ? 0 : replay_padding(&slots->slots, lanes_below(count) << first, e - first);
    trace_line(tracer, &asks->col, first, count, e);
    if (slots->row_in_strip) trace_line(tracer, &asks->row, first, count, e);
    trace_line(tracer, &asks->val, first, count, e);
    trace_index(tracer, &asks->x, lanes_below(count) << first, j);
    tracer->padding = 0;
}

/* cmrs */

static void stage_basic(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, cmrs_basic_grid(launch), "cmrs_basic<%d, %s, %s, %s>",
                 cmrs_rows(launch->storage->number[CMRS_HEIGHT]),
                 replay_bool(launch->storage->number[CMRS_PACKED] != 0), replay_real(launch),
                 replay_offset(launch));
}

/* Lanes first .. first + count - 1 take slots e, e + 1, ..., and each adds to its own cell of the slot's row.
 */
static void add_slots(struct tracer *tracer, const struct asks *asks, const struct cell_asks *cells,
                      const struct slots *slots, int first, int count, int64_t e)
{
    int64_t cell[WARP];
    if (count <= 0) return;
    load_slots(tracer, asks, slots, first, count, e);
    if (tracer->show)
        for (int lane = first; lane < first + count; lane++)
            cell[lane] = row_at(slots, e + lane - first) * WARP + lane;
    replay_apart(tracer, &cells->load, lanes_below(count) << first, cell);
    replay_apart(tracer, &cells->store, lanes_below(count) << first, cell);
}

/* Replay the reads of sum_of_row: in step k each lane reads column lane xor (k lanes) of its row, where
 * `lanes` lanes share a row. */
static void sum_rows(struct tracer *tracer, const struct cell_asks *cells, int rows, int height)
{
    int lanes = WARP / rows;
    uint32_t active = lanes_below((int64_t)height * lanes);
    int64_t cell[WARP];
    for (int k = 0; k < rows; k++) {
        for (int lane = 0; tracer->show && lane < height * lanes; lane++)
            cell[lane] = lane / lanes * WARP + (lane ^ k * lanes);
        replay_apart(tracer, &cells->sum, active, cell);
    }
}

static void warp_basic(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const int64_t *number = launch->storage->number;
    const struct array *strip_ptr = &launch->resident->array[CMRS_STRIP_PTR];
    const struct asks asks = asks_of(launch);
    const struct cell_asks cells = cell_asks_of(launch);
    const struct slots slots = slots_of(launch);
    int height = (int)number[CMRS_HEIGHT], rows = cmrs_rows(height), lanes = WARP / rows;
    uint32_t heads = 0;
    int64_t index[WARP];
    if (warp >= number[CMRS_STRIPS]) return;
    int64_t begin = array_integer(strip_ptr, warp), end = array_integer(strip_ptr, warp + 1), e = begin;
    trace_same(tracer, &asks.begin, UINT32_MAX, warp);
    trace_same(tracer, &asks.end, UINT32_MAX, warp + 1);
    for (int r = 0; r < height; r++)
        trace_line(tracer, &cells.clear, 0, WARP, (int64_t)r * WARP);
    if (launch->values.number[CMRS_BASIC_ALIGNED] != 0 && end - begin > WARP) {
        int skipped = (int)(begin % WARP);
        add_slots(tracer, &asks, &cells, &slots, skipped, WARP - skipped, begin);
        e += WARP - skipped;
    }
    for (; e < end; e += WARP)
        add_slots(tracer, &asks, &cells, &slots, 0, (int)min(WARP, end - e), e);
    sum_rows(tracer, &cells, rows, height);
    for (int r = 0; r < height && warp * height + r < launch->storage->rows; r++) {
        heads |= (uint32_t)1 << r * lanes;
        index[r * lanes] = warp * height + r;
    }
    replay_put(tracer, launch, heads, index);
}

/* Both kernels give a strip to each warp. */
static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    if (warp >= launch->storage->number[CMRS_STRIPS]) return 0;
    return replay_longest(&launch->resident->array[CMRS_STRIP_PTR], warp, 1) / WARP;
}

const struct trace trace_cmrs = {.stage = stage_basic, .warp = warp_basic, .weight = weight};

/* cmrs-padded */

static void stage_padded(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, cmrs_padded_grid(launch), "cmrs_padded<%d, %s, %s, %s>",
                 (int)launch->storage->number[CMRS_MODULO],
                 replay_bool(launch->storage->number[CMRS_PACKED] != 0), replay_real(launch),
                 replay_offset(launch));
}

/* Replay how the first lane of each run adds to the cell of the run's row. Rows ascend within a group, so
 * that each row has one run. The 16 cells lie in different banks, but those of 16 bytes do not. */
static void add_runs(struct tracer *tracer, const struct cell_asks *cells, const struct slots *slots,
                     int64_t group)
{
    int64_t row[WARP];
    uint32_t heads = 1;
    for (int lane = 0; lane < WARP; lane++)
        row[lane] = row_at(slots, group + lane);
    for (int lane = 1; lane < WARP; lane++)
        heads |= (uint32_t)(row[lane] != row[lane - 1]) << lane;
    if (cells->load.size * CMRS_HEIGHT_MAX > WARP * 4) {
        trace_index(tracer, &cells->load, heads, row);
        trace_index(tracer, &cells->store, heads, row);
        return;
    }
    replay_apart(tracer, &cells->load, heads, row);
    replay_apart(tracer, &cells->store, heads, row);
}

static void warp_padded(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct array *strip_ptr = &launch->resident->array[CMRS_STRIP_PTR];
    const struct asks asks = asks_of(launch);
    const struct cell_asks cells = cell_asks_of(launch);
    const struct slots slots = slots_of(launch);
    if (warp >= launch->storage->number[CMRS_STRIPS]) return;
    int64_t group = array_integer(strip_ptr, warp), end = array_integer(strip_ptr, warp + 1);
    int64_t first = warp * CMRS_HEIGHT_MAX;
    int rows = (int)clip(launch->storage->rows - first, CMRS_HEIGHT_MAX);
    trace_same(tracer, &asks.end, UINT32_MAX, warp + 1);
    trace_same(tracer, &asks.begin, UINT32_MAX, warp);
    trace_line(tracer, &cells.clear, 0, CMRS_HEIGHT_MAX, 0);
    for (; group < end; group += WARP) {
        load_slots(tracer, &asks, &slots, 0, WARP, group);
        add_runs(tracer, &cells, &slots, group);
    }
    trace_line(tracer, &cells.sum, 0, rows, 0);
    replay_put_line(tracer, launch, rows, first);
}

const struct trace trace_cmrs_padded = {.stage = stage_padded, .warp = warp_padded, .weight = weight};
