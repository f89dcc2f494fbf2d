/* The memory requests of the warps of coo.cu and coo_part.cuh. Their atomic additions to y are reductions,
 * since they do not use the old value. */
#include "formats/coo.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/traces/replay.h"

static struct ask row_ask(const char *text)
{
    return (struct ask){ACCESS_LOAD, OPERAND_ROWS, text, sizeof(int32_t)};
}

/* coo-atomic, and the COO parts of other formats */

void replay_entries(struct tracer *tracer, const struct launch *launch, int q_row, int64_t e, int lanes)
{
    const struct replay_product product = replay_product(launch, q_row + 1, q_row + 2);
    const struct ask load = row_ask("row[e]");
    const int32_t *row = launch->resident->array[q_row].data;
    int64_t i[WARP];
    for (int lane = 0; lane < lanes; lane++)
        i[lane] = row[e + lane];
    replay_multiply_line(tracer, &product, lanes_below(lanes), e);
    trace_line(tracer, &load, 0, lanes, e);
    replay_add(tracer, launch, "y[row[e]]", lanes_below(lanes), i);
}

static int64_t stages(const struct launch *launch)
{
    return launch->storage->nnz > 0;
}

static void stage_atomic(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, coo_atomic_grid(launch), "coo_atomic<%s>", replay_real(launch));
}

static void warp_atomic(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = coo_atomic_grid(launch);
    int64_t e;
    int lanes = replay_threads(&grid, launch->storage->nnz, warp, &e);
    replay_entries(tracer, launch, COO_ROW, e, lanes);
}

const struct trace trace_coo_atomic = {
    .stages = stages, .stage = stage_atomic, .warp = warp_atomic, .meets = true};

/* coo-segmented */

static void stage_segmented(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, coo_segmented_grid(launch), "coo_segmented<%s>", replay_real(launch));
}

/* Replay finish_row, which each active lane l calls for row i[l]. No more than one of these rows, `first`,
 * may have begun before the interval, since rows ascend. The two sides of the branch are different
 * instructions, so they make a request each. */
static void finish_rows(struct tracer *tracer, const struct launch *launch, uint32_t active,
                        const int64_t i[WARP], int64_t first)
{
    uint32_t before = 0;
    if (!active) return;
    for (uint32_t rest = active; rest && !before; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        if (i[lane] == first) before = (uint32_t)1 << lane;
    }
    replay_put(tracer, launch, active & ~before, i);
    replay_add_same(tracer, launch, "y[i]", before, first);
}

/* Return the lanes whose entry is the last of its row: the next lane has another row. */
static uint32_t ends_among(const int64_t i[WARP], int lanes)
{
    uint32_t ends = 0;
    for (int lane = 0; lane + 1 < lanes; lane++)
        ends |= (uint32_t)(i[lane] != i[lane + 1]) << lane;
    return ends;
}

/* One step, with entries e .. e + 31 of an interval that ends before `end`. Lanes beyond that read the row of
 * the last entry. `first` is the interval's first row, and `carried` the row whose sum was carried on to this
 * step. */
static void step_segmented(struct tracer *tracer, const struct launch *launch, int64_t e, int64_t end,
                           int64_t first, int64_t carried)
{
    const struct replay_product product = replay_product(launch, COO_COL, COO_VAL);
    const struct ask load = row_ask("row[e < end ? e : end - 1]");
    const int32_t *row = launch->resident->array[COO_ROW].data;
    int lanes = (int)min(WARP, end - e);
    int64_t i[WARP], place[WARP];
    for (int lane = 0; lane < lanes; lane++)
        i[lane] = row[e + lane];
    replay_multiply_line(tracer, &product, lanes_below(lanes), e);
    if (lanes == WARP) {
        trace_line(tracer, &load, 0, WARP, e);
    } else {
        for (int lane = 0; lane < WARP; lane++)
            place[lane] = min(e + lane, end - 1);
        trace_index(tracer, &load, UINT32_MAX, place);
    }
    if (i[0] != carried) {
        place[0] = carried;
        finish_rows(tracer, launch, 1, place, first);
    }
    finish_rows(tracer, launch, ends_among(i, lanes), i, first);
}

static void warp_segmented(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct ask load = row_ask("row[begin]");
    const int32_t *row = launch->resident->array[COO_ROW].data;
    int64_t count = launch->storage->nnz, interval = coo_segmented_interval(launch), begin = warp * interval;
    int64_t end = min(begin + interval, count);
    if (begin >= count) return;
    trace_same(tracer, &load, UINT32_MAX, begin);
    for (int64_t e = begin; e < end; e += WARP)
        step_segmented(tracer, launch, e, end, row[begin], row[e > begin ? e - 1 : e]);
    replay_add_same(tracer, launch, "y[carried]", 1, row[end - 1]);
}

const struct trace trace_coo_segmented = {.stages = stages, .stage = stage_segmented, .warp = warp_segmented};
