/* The memory requests of the warps of sss.cu. Atomic additions to y are reductions, since the old value is
 * not used. */
#include "formats/sss.h"
#include "kernels/cuda/sss.h"
#include "kernels/cuda/traces/replay.h"

struct asks {
    struct ask begin, end, own, diag;
    struct replay_product product;
};

static struct asks asks_of(const struct launch *launch)
{
    int offset = replay_size(launch, SSS_ROW_PTR), value = replay_value(launch);
    return (struct asks){.begin = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[i]", offset},
                         .end = {ACCESS_LOAD, OPERAND_POINTERS, "row_ptr[i + 1]", offset},
                         .own = {ACCESS_LOAD, OPERAND_X, "x[i]", value},
                         .diag = {ACCESS_LOAD, OPERAND_VALUES, "diag[i]", value},
                         .product = replay_product(launch, SSS_COL, SSS_VAL)};
}

static int64_t stages(const struct launch *launch)
{
    return launch->storage->rows > 0;
}

static void stage(const struct launch *launch, int64_t s, struct trace_stage *stage)
{
    replay_stage(stage, sss_atomic_grid(launch), "sss_atomic<%s, %s>", replay_real(launch),
                 replay_offset(launch));
}

/* Active lane l multiplies its entry k[l], and adds its image. */
static void entries(struct tracer *tracer, const struct launch *launch, const struct asks *asks,
                    uint32_t active, const int64_t k[WARP])
{
    int64_t j[WARP];
    for (uint32_t rest = active; rest; rest &= rest - 1) {
        int lane = __builtin_ctz(rest);
        j[lane] = asks->product.columns[k[lane]];
    }
    replay_multiply(tracer, &asks->product, active, k);
    replay_add(tracer, launch, "y[col[k]]", active, j);
}

/* Rows begin at first, one for `threads` lanes each. */
static void warp_rows(const struct launch *launch, struct tracer *tracer, int64_t first, int rows,
                      int threads)
{
    const struct array *row_ptr = &launch->resident->array[SSS_ROW_PTR];
    const struct asks asks = asks_of(launch);
    int64_t k[WARP], end[WARP], row[WARP];
    uint32_t active = 0, leaders = 0;
    for (int lane = 0; lane < rows * threads; lane++) {
        row[lane] = first + lane / threads;
        k[lane] = array_integer(row_ptr, row[lane]) + lane % threads;
        end[lane] = array_integer(row_ptr, row[lane] + 1);
        active |= (uint32_t)(k[lane] < end[lane]) << lane;
        leaders |= (uint32_t)(lane % threads == 0) << lane;
    }
    trace_groups(tracer, &asks.begin, rows, threads, threads, first);
    trace_groups(tracer, &asks.end, rows, threads, threads, first + 1);
    trace_index(tracer, &asks.own, active | leaders, row);
    trace_index(tracer, &asks.diag, leaders, row);
    while (active) {
        entries(tracer, launch, &asks, active, k);
        for (uint32_t rest = active; rest; rest &= rest - 1) {
            int lane = __builtin_ctz(rest);
            k[lane] += threads;
            if (k[lane] >= end[lane]) active &= ~((uint32_t)1 << lane);
        }
    }
    replay_add(tracer, launch, "y[i]", leaders, row);
}

static void warp(const struct launch *launch, int64_t s, int64_t warp, struct tracer *tracer)
{
    int threads = sss_atomic_threads(launch);
    int64_t first = warp * (WARP / threads);
    int rows = (int)min(WARP / threads, launch->storage->rows - first);
    if (rows > 0) warp_rows(launch, tracer, first, rows, threads);
}

static void rows_of(const struct launch *launch, int64_t s, int64_t warp, int64_t row[WARP])
{
    int threads = sss_atomic_threads(launch);
    for (int lane = 0; lane < WARP; lane++) {
        int64_t i = warp * (WARP / threads) + lane / threads;
        row[lane] = i < launch->storage->rows ? i : -1;
    }
}

static int64_t weight(const struct launch *launch, int64_t s, int64_t warp)
{
    int threads = sss_atomic_threads(launch);
    int64_t first = warp * (WARP / threads), rows = clip(launch->storage->rows - first, WARP / threads);
    return replay_longest(&launch->resident->array[SSS_ROW_PTR], first, rows) / threads;
}

const struct trace trace_sss_atomic = {
    .stages = stages, .stage = stage, .warp = warp, .rows = rows_of, .weight = weight};
