/* The trace of the kernel of dia.cu: the memory requests of its warps. */
#include "kernels/cuda/dia.h"
#include "kernels/cuda/traces/replay.h"

static void stage_dia(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, dia_grid(launch), "dia<%s>", replay_real(launch));
    stage->early = begins_early(launch, DIA_KERNEL_EARLY);
}

/* Return the first and behind the last of `lanes` lanes, from row i on, whose column on the diagonal is one
 * of the matrix. */
struct lanes {
    int first, end;
};

static struct lanes lanes_inside(const struct launch *launch, int64_t i, int lanes, int64_t offset)
{
    const int first = (int)clip(-(i + offset), lanes);
    return (struct lanes){first, (int)max(first, clip(launch->storage->cols - (i + offset), lanes))};
}

static void warp_dia(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct array *array = launch->resident->array;
    const struct grid grid = dia_grid(launch);
    const int value = replay_value(launch);
    const struct ask offset = {ACCESS_LOAD, OPERAND_COLUMNS, "offsets[d]", sizeof(int32_t)};
    const struct ask val = {ACCESS_LOAD, OPERAND_VALUES, "val[d * rows + i]", value, true};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[i + offsets[d]]", value};
    const struct replay_slots slots = replay_slots(launch, DIA_VAL);
    const int32_t *offsets = array[DIA_OFFSETS].data;
    const int64_t rows = launch->storage->rows;
    int64_t i;
    const int lanes = replay_threads(&grid, rows, warp, &i);
    if (lanes == 0) return;
    for (int64_t d = 0; d < launch->storage->number[DIA_DIAGONALS]; d++) {
        const struct lanes inside = lanes_inside(launch, i, lanes, offsets[d]);
        tracer->padding = replay_padding(&slots, lanes_below(lanes), d * rows + i);
        trace_same(tracer, &offset, lanes_below(lanes), d);
        trace_line(tracer, &val, 0, lanes, d * rows + i);
        trace_line(tracer, &x, inside.first, inside.end - inside.first, i + inside.first + offsets[d]);
        tracer->padding = 0;
    }
    replay_put_line(tracer, launch, lanes, i);
}

static void rows_dia(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    const struct grid grid = dia_grid(launch);
    int64_t i;
    const int lanes = replay_threads(&grid, launch->storage->rows, warp, &i);
    for (int lane = 0; lane < WARP; lane++)
        row[lane] = lane < lanes ? i + lane : -1;
}

const struct trace trace_dia = {.stage = stage_dia, .warp = warp_dia, .rows = rows_dia};
