/* What the traces of CUDA kernels have in common. */
#ifndef SPARSIGHT_KERNELS_CUDA_REPLAY_H
#define SPARSIGHT_KERNELS_CUDA_REPLAY_H

#include "formats/array.h"
#include "kernels/cuda/grid.h"
#include "kernels/kernel.h"
#include "kernels/trace.h"

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

/* A stage of all warps of a grid. */
static inline void replay_grid(struct trace_stage *stage, const struct grid *grid)
{
    stage->blocks = grid->blocks;
    stage->threads = grid->threads;
    stage->shared = grid->shared;
    stage->warps = grid->blocks * (grid->threads / WARP);
}

/* Sums go to y[index[lane]] (warp.cuh, put). */
void replay_put(struct tracer *tracer, const struct launch *launch, uint32_t active,
                const int64_t index[WARP]);

/* The same of neighbouring lanes from the first on, and neighbouring rows from `row` on. */
void replay_put_line(struct tracer *tracer, const struct launch *launch, int lanes, int64_t row);

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
