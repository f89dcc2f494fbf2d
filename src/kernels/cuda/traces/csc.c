/* The memory requests of the warps of csc.cu. Atomic additions to y are reductions, since the old value is
 * not used. */
#include "formats/csc.h"
#include "kernels/cuda/csc.h"
#include "kernels/cuda/traces/replay.h"

struct asks {
    struct ask begin, end, x, val, row;
};

static struct asks asks_of(const struct launch *launch)
{
    int offset = replay_size(launch, CSC_COL_PTR), value = replay_value(launch);
    return (struct asks){.begin = {ACCESS_LOAD, OPERAND_POINTERS, "col_ptr[j]", offset},
                         .end = {ACCESS_LOAD, OPERAND_POINTERS, "col_ptr[j + 1]", offset},
                         .x = {ACCESS_LOAD, OPERAND_X, "x[j]", value},
                         .val = {ACCESS_LOAD, OPERAND_VALUES, "val[e]", value},
                         .row = {ACCESS_LOAD, OPERAND_ROWS, "row[e]", replay_size(launch, CSC_ROW)}};
}

static int64_t stages(const struct launch *launch)
{
    return launch->storage->cols > 0;
}

static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, csc_atomic_grid(launch), "csc_atomic<%s, %s>", replay_real(launch),
                 replay_offset(launch));
}

/* Active lane l adds its entry e[l]. */
static void add_entries(struct tracer *tracer, const struct launch *launch, const struct asks *asks,
                        uint32_t active, const int64_t e[WARP])
{
    const int32_t *row = launch->resident->array[CSC_ROW].data;
    int64_t i[WARP];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        i[lane] = row[e[lane]];
    }
    trace_index(tracer, &asks->row, active, e);
    trace_index(tracer, &asks->val, active, e);
    replay_add(tracer, launch, "y[row[e]]", active, i);
}

/* Replay a column that the whole warp has: it takes neighbouring entries, 32 at a time. */
static void long_column(struct tracer *tracer, const struct launch *launch, const struct asks *asks,
                        int64_t e, int64_t end)
{
    const int32_t *row = launch->resident->array[CSC_ROW].data;
    int64_t i[WARP];
    for (; e < end; e += WARP) {
        int lanes = (int)min(WARP, end - e);
        for (int lane = 0; lane < lanes; lane++)
            i[lane] = row[e + lane];
        trace_line(tracer, &asks->row, 0, lanes, e);
        trace_line(tracer, &asks->val, 0, lanes, e);
        replay_add(tracer, launch, "y[row[e]]", lanes_below(lanes), i);
    }
}

/* Columns begin at first, one for `threads` lanes each. */
static void warp_columns(const struct launch *launch, struct tracer *tracer, int64_t first, int columns,
                         int threads)
{
    const struct array *col_ptr = &launch->resident->array[CSC_COL_PTR];
    const struct asks asks = asks_of(launch);
    int64_t e[WARP], end[WARP], column[WARP];
    uint32_t active = 0;
    for (int lane = 0; lane < columns * threads; lane++) {
        column[lane] = first + lane / threads;
        e[lane] = array_integer(col_ptr, column[lane]) + lane % threads;
        end[lane] = array_integer(col_ptr, column[lane] + 1);
        active |= (uint32_t)(e[lane] < end[lane]) << lane;
    }
    trace_groups(tracer, &asks.begin, columns, threads, threads, first);
    trace_groups(tracer, &asks.end, columns, threads, threads, first + 1);
    trace_index(tracer, &asks.x, active, column);
    if (threads == WARP) {
        long_column(tracer, launch, &asks, e[0], end[0]);
        return;
    }
    while (active) {
        add_entries(tracer, launch, &asks, active, e);
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            e[lane] += threads;
            if (e[lane] >= end[lane]) active &= ~((uint32_t)1 << lane);
        }
    }
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    int threads = csc_atomic_threads(launch);
    int64_t first = warp * (WARP / threads);
    int columns = (int)min(WARP / threads, launch->storage->cols - first);
    if (columns > 0) warp_columns(launch, tracer, first, columns, threads);
}

static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    int threads = csc_atomic_threads(launch);
    int64_t first = warp * (WARP / threads), columns = clip(launch->storage->cols - first, WARP / threads);
    return replay_longest(&launch->resident->array[CSC_COL_PTR], first, columns) / threads;
}

const struct trace trace_csc_atomic = {
    .stages = stages, .stage = stage, .warp = warp, .weight = weight, .by_columns = true};
