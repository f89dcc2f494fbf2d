/* The memory requests of the warps of csr_swept.cu. Requests of one round are reported one after another
 * here; the kernel makes those for the next rounds before it adds up those of this one. */
#include "kernels/cuda/csr_swept.h"
#include "kernels/cuda/traces/replay.h"

#define PIECE_HALVES 2 /* a piece and a join are read in two halves of 16 bytes */

static const struct swept *swept_of(const struct launch *launch)
{
    return launch->state;
}

static int64_t stages_swept(const struct launch *launch)
{
    return swept_of(launch)->sweeps.joined > 0 ? 2 : 1;
}

static void stage_swept(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    if (s == 0)
        replay_stage(stage, swept_grid(launch), "csr_swept<%d, %s>", swept_each(launch), replay_real(launch));
    else
        replay_stage(stage, swept_join_grid(launch), "csr_swept_join<%s>", replay_real(launch));
}

/* Replay one round: a warp's loads for its group, and the sums that it adds to. */
static void take_group(const struct launch *launch, struct tracer *tracer, int64_t group)
{
    const struct sweeps *sweeps = &swept_of(launch)->sweeps;
    const int size = replay_value(launch);
    const struct ask place = {ACCESS_LOAD, OPERAND_COLUMNS, "places[...]", sizeof(uint32_t), true};
    const struct ask base = {ACCESS_LOAD, OPERAND_TABLES, "bases[...]", sizeof(int32_t)};
    const struct ask value = {ACCESS_LOAD, OPERAND_VALUES, "values[...]", size, true};
    const struct ask x = {ACCESS_LOAD, OPERAND_X, "x[base[j] + ...]", size};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "sums[to[j]]", size};
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "sums[to[j]]", size};
    const uint32_t *places = sweeps->places + group * WARP;
    int64_t column[WARP] = {0}, sum[WARP] = {0};
    uint32_t active = 0;
    for (int lane = 0; lane < WARP; lane++) {
        if (places[lane] >> 16 == SWEEP_NONE) continue;
        active |= (uint32_t)1 << lane;
        column[lane] = sweeps->bases[group] + (int64_t)(places[lane] & 0xffff);
        sum[lane] = places[lane] >> 16;
    }
    tracer->padding = ~active;
    trace_line(tracer, &place, 0, WARP, group * WARP);
    tracer->padding = 0;
    trace_same(tracer, &base, UINT32_MAX, group);
    replay_line(tracer, &value, active, group * WARP);
    trace_index(tracer, &x, active, column);
    trace_index(tracer, &load, active, sum);
    trace_index(tracer, &store, active, sum);
}

static void add_copies(const struct launch *launch, struct tracer *tracer, const struct sweep_piece *piece,
                       int warp, int warps)
{
    const int size = replay_value(launch);
    const struct ask copy = {ACCESS_LOAD, OPERAND_TABLES, "copies[...]", sizeof(struct sweep_copy)};
    const struct ask of_copy = {ACCESS_LOAD, OPERAND_SHARED, "sums[copy.y + k]", size};
    const struct ask load = {ACCESS_LOAD, OPERAND_SHARED, "sums[copy.x]", size};
    const struct ask store = {ACCESS_STORE, OPERAND_SHARED, "sums[copy.x]", size};
    for (int64_t c = warp; c < piece->copied; c += warps) {
        const struct sweep_copy *own = &swept_of(launch)->sweeps.copies[piece->copies + c];
        trace_same(tracer, &copy, UINT32_MAX, piece->copies + c);
        for (int k = 0; k < own->count; k += WARP)
            trace_line(tracer, &of_copy, 0, (int)min(WARP, own->count - k), own->first + k);
        trace_same(tracer, &load, 1, own->sum);
        trace_same(tracer, &store, 1, own->sum);
    }
}

static void sweep(const struct launch *launch, int64_t warp, struct tracer *tracer)
{
    const struct sweeps *sweeps = &swept_of(launch)->sweeps;
    const struct grid grid = swept_grid(launch);
    const int size = replay_value(launch), warps = (int)replay_warps(&grid), own = (int)(warp % warps);
    const struct ask half = {ACCESS_LOAD, OPERAND_TABLES, "pieces[blockIdx.x]", 16};
    const struct ask clear = {ACCESS_STORE, OPERAND_SHARED, "sums[s] = 0", size};
    const struct ask take = {ACCESS_LOAD, OPERAND_SHARED, "sums[sweep_sum(r)]", size};
    const struct ask leave = {ACCESS_STORE, OPERAND_TABLES, "partials[...]", size};
    const struct sweep_piece *piece = &sweeps->pieces[warp / warps];
    for (int k = 0; k < PIECE_HALVES; k++)
        trace_same(tracer, &half, UINT32_MAX, PIECE_HALVES * (warp / warps) + k);
    for (int64_t s = own * (int64_t)WARP; s < sweeps->sums; s += grid.threads)
        trace_line(tracer, &clear, 0, (int)min(WARP, sweeps->sums - s), s);
    for (int64_t t = 0; t < piece->rounds; t++)
        take_group(launch, tracer, piece->group + t * warps + own);
    add_copies(launch, tracer, piece, own, warps);
    for (int64_t r = own * (int64_t)WARP; r < piece->rows; r += grid.threads) {
        const int lanes = (int)min(WARP, piece->rows - r);
        int64_t sum[WARP];
        for (int lane = 0; lane < lanes; lane++)
            sum[lane] = sweep_sum((int32_t)(r + lane));
        replay_apart(tracer, &take, lanes_below(lanes), sum);
        if (piece->partials >= 0)
            trace_line(tracer, &leave, 0, lanes, piece->partials + r);
        else
            replay_put_line(tracer, launch, lanes, piece->row + r);
    }
}

static void join(const struct launch *launch, int64_t warp, struct tracer *tracer)
{
    const struct sweeps *sweeps = &swept_of(launch)->sweeps;
    const struct grid grid = swept_join_grid(launch);
    const struct ask half = {ACCESS_LOAD, OPERAND_TABLES, "joins[blockIdx.x]", 16};
    const struct ask partial = {ACCESS_LOAD, OPERAND_TABLES, "partials[...]", replay_value(launch)};
    const int64_t block = warp / replay_warps(&grid), first = warp % replay_warps(&grid) * WARP;
    const struct sweep_join *own = &sweeps->joins[block];
    const int lanes = (int)clip(own->rows - first, WARP);
    const uint32_t active = lanes_below(lanes);
    trace_same(tracer, &half, UINT32_MAX, PIECE_HALVES * block);
    trace_same(tracer, &half, active, PIECE_HALVES * block + 1);
    for (int64_t k = 0; k < own->pieces; k++)
        trace_line(tracer, &partial, 0, lanes, own->partials + first + k * own->stride);
    replay_put_line(tracer, launch, lanes, own->row + first);
}

static void warp_swept(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    if (s == 0)
        sweep(launch, warp, tracer);
    else
        join(launch, warp, tracer);
}

static int64_t weight_swept(const struct launch *launch, int64_t s, int64_t warp)
{
    const struct grid grid = swept_grid(launch);
    return s == 0 ? swept_of(launch)->sweeps.pieces[warp / replay_warps(&grid)].rounds : 1;
}

const struct trace trace_csr_swept = {
    .stages = stages_swept, .stage = stage_swept, .warp = warp_swept, .weight = weight_swept};
