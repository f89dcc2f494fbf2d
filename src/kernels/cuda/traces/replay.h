/* What the traces of CUDA kernels have in common. */
#ifndef SPARSIGHT_KERNELS_CUDA_TRACES_REPLAY_H
#define SPARSIGHT_KERNELS_CUDA_TRACES_REPLAY_H

#include "base/range.h"
#include "formats/array.h"
#include "kernels/cuda/grid.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* Bytes of an element of array q. */
static inline int replay_size(const struct launch *launch, int q)
{
    return (int)element_size(launch->resident->array[q].element);
}

/* Bytes of a value. */
static inline int replay_value(const struct launch *launch)
{
    return (int)value_size(launch->storage);
}

/* The type arguments of a kernel's template, as cuda_resources has them: "double", "int". */
static inline const char *replay_real(const struct launch *launch)
{
    return launch->storage->precision == PRECISION_F32 ? "float" : "double";
}

static inline const char *replay_offset(const struct launch *launch)
{
    return launch->storage->wide ? "long" : "int";
}

static inline const char *replay_bool(bool value)
{
    return value ? "true" : "false";
}

/* Warps of a block; the last one may have fewer threads than the others. */
static inline int64_t replay_warps(const struct grid *grid)
{
    return (grid->threads + WARP - 1) / WARP;
}

/* A stage of all warps of a grid. */
static inline void replay_grid(struct trace_stage *stage, const struct grid *grid)
{
    stage->blocks = grid->blocks;
    stage->threads = grid->threads;
    stage->shared = grid->shared;
    stage->warps = grid->blocks * replay_warps(grid);
}

/* The first thread of a warp, counted in the grid; returns how many of its threads are below `units`, which
 * are its first ones. */
static inline int replay_threads(const struct grid *grid, int64_t units, int64_t warp, int64_t *first)
{
    int64_t warps = replay_warps(grid), below = warp % warps * WARP;
    *first = warp / warps * grid->threads + below;
    return (int)max(0, min(min(WARP, grid->threads - below), units - *first));
}

/* What is loaded to multiply an entry. */
struct replay_product {
    struct ask val, col, x;
    const int32_t *columns;
};

/* Of the entries of arrays q_col and q_val. */
struct replay_product replay_product(const struct launch *launch, int q_col, int q_val);

/* Each active lane multiplies its entry k[lane]. */
void replay_multiply(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                     const int64_t k[WARP]);

/* The same where lane l has entry k + l. */
void replay_multiply_line(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                          int64_t k);

/* Active lane l has element `element` + l. */
void replay_line(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element);

/* Sums go to y[index[lane]] (warp.cuh, put). */
void replay_put(struct tracer *tracer, const struct launch *launch, uint32_t active,
                const int64_t index[WARP]);

/* The same of neighbouring lanes from the first on, and neighbouring rows from `row` on. */
void replay_put_line(struct tracer *tracer, const struct launch *launch, int lanes, int64_t row);

/* The same of the first of each group of `wide` lanes, and neighbouring rows from `row` on. */
void replay_put_groups(struct tracer *tracer, const struct launch *launch, int groups, int wide, int64_t row);

/* An access to shared memory in which no two of the active lanes' elements lie in the same bank, by the
 * kernel's construction: nothing is looked at unless it is to be shown, and only then need index be set. */
static inline void replay_apart(struct tracer *tracer, const struct ask *ask, uint32_t active,
                                const int64_t index[WARP])
{
    if (tracer->show)
        trace_index(tracer, ask, active, index);
    else
        trace_line(tracer, ask, 0, __builtin_popcount(active), 0);
}

#endif
