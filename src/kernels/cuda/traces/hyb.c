/* The traces of the kernels of hyb.cu: the memory requests of their warps. */
#include "kernels/cuda/hyb.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/ell.h"
#include "kernels/cuda/traces/replay.h"

static struct rectangle rectangle_of(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    return (struct rectangle){.q_col = HYB_ELL_COL,
                              .q_val = HYB_ELL_VAL,
                              .height = storage->rows,
                              .width = storage->number[HYB_WIDTH],
                              .masked = hyb_masked(launch)};
}

/* hyb, whose first launch is that of hyb-host, too. If there are no entries of COO, there is no second
 * launch. */

enum { ROWS, REST };

static int64_t stages(const struct launch *launch)
{
    return launch->storage->slots[1] > 0 ? REST + 1 : ROWS + 1;
}

static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    if (s == ROWS)
        replay_stage(stage, hyb_rows_grid(launch), "hyb_ell<%s, %s>", replay_bool(hyb_masked(launch)),
                     replay_real(launch));
    else
        replay_stage(stage, hyb_rest_grid(launch), "coo_part<%s>", replay_real(launch));
}

static void warp_rows(const struct launch *launch, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = hyb_rows_grid(launch);
    const struct rectangle rectangle = rectangle_of(launch);
    int64_t i;
    int lanes = replay_threads(&grid, launch->storage->rows, warp, &i);
    replay_rectangle(tracer, launch, &rectangle, i, lanes);
    replay_put_line(tracer, launch, lanes, i);
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = hyb_rest_grid(launch);
    int64_t e;
    if (s == ROWS) {
        warp_rows(launch, warp, tracer);
        return;
    }
    int lanes = replay_threads(&grid, launch->storage->slots[1], warp, &e);
    replay_entries(tracer, launch, HYB_ROW, e, lanes);
}

const struct trace trace_hyb = {.stages = stages, .stage = stage, .warp = warp};
const struct trace trace_hyb_host = {.stage = stage, .warp = warp};

/* hyb-fused */

static void stage_fused(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, hyb_fused_grid(launch), "hyb_fused<%s, %s>", replay_bool(hyb_masked(launch)),
                 replay_real(launch));
}

/* A warp adds entries from `first` on to the sums of its block, whose rows begin with row `base`. The trace
 * counts conflicts in an element of shared memory within a warp; conflicts between the warps of a block are
 * left out. */
static void add_entries(struct tracer *tracer, const struct launch *launch, int64_t first, int64_t end,
                        int64_t base)
{
    const struct replay_product product = replay_product(launch, HYB_COL, HYB_VAL);
    const int parts = replay_parts(launch), value = replay_value(launch) / parts;
    const struct ask load = {ACCESS_LOAD, OPERAND_ROWS, "row[e]", sizeof(int32_t)};
    const struct ask sum = {ACCESS_LOAD, OPERAND_SHARED, "sums[place]", value};
    const struct ask swap = {ACCESS_ATOMIC, OPERAND_SHARED, "sums[place]", value};
    const int32_t *row = launch->resident->array[HYB_ROW].data;
    int lanes = (int)min(WARP, end - first);
    int64_t place[WARP], of[WARP];
    for (int lane = 0; lane < lanes; lane++)
        place[lane] = row[first + lane] - base;
    uint32_t adding = place[0] == place[lanes - 1] ? 1 : lanes_below(lanes);
    replay_multiply_line(tracer, &product, lanes_below(lanes), first);
    trace_line(tracer, &load, 0, lanes, first);
    for (int part = 0; part < parts; part++) {
        replay_part(launch, adding, place, part, of);
        trace_add_in_shared(tracer, &sum, &swap, adding, of);
    }
}

static void warp_fused(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    const struct grid grid = hyb_fused_grid(launch);
    const struct rectangle rectangle = rectangle_of(launch);
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "sums[threadIdx.x]", replay_value(launch)};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "sums[threadIdx.x]", replay_value(launch)};
    const struct ask from = {ACCESS_LOAD, OPERAND_TABLES, "begin[blockIdx.x]", sizeof(int64_t)};
    const struct ask to = {ACCESS_LOAD, OPERAND_TABLES, "begin[blockIdx.x + 1]", sizeof(int64_t)};
    const int64_t *begin = launch->state;
    int64_t block = warp / replay_warps(&grid), below = warp % replay_warps(&grid) * WARP, i;
    int lanes = replay_threads(&grid, launch->storage->rows, warp, &i);
    replay_rectangle(tracer, launch, &rectangle, i, lanes);
    trace_line(tracer, &store, 0, WARP, below);
    trace_same(tracer, &to, UINT32_MAX, block + 1);
    trace_same(tracer, &from, UINT32_MAX, block);
    for (int64_t e = begin[block] + below; e < begin[block + 1]; e += grid.threads)
        add_entries(tracer, launch, e, begin[block + 1], block * grid.threads);
    trace_line(tracer, &load, 0, lanes, below);
    replay_put_line(tracer, launch, lanes, i);
}

/* The slots of the warp's rows in ELL, and an equal share of the block's entries in COO. */
static int64_t weight_fused(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct grid grid = hyb_fused_grid(launch);
    const int64_t *begin = launch->state;
    int64_t block = warp / replay_warps(&grid);
    return launch->storage->number[HYB_WIDTH] + (begin[block + 1] - begin[block]) / grid.threads;
}

const struct trace trace_hyb_fused = {.stage = stage_fused, .warp = warp_fused, .weight = weight_fused};
