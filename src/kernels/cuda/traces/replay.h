/* Shared by the traces of CUDA kernels. A trace steps through a warp as the compiled kernel does, and reports
 * the requests of each instruction to the tracer (kernels/gpu/trace.h). It computes no products: it needs
 * only the columns and pointers that determine the next addresses. */
#ifndef SPARSIGHT_KERNELS_CUDA_TRACES_REPLAY_H
#define SPARSIGHT_KERNELS_CUDA_TRACES_REPLAY_H

#include "base/range.h"
#include "formats/array.h"
#include "kernels/cuda/grid.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* Return the bytes of an element of array q. */
static inline int replay_size(const struct launch *launch, int q)
{
    return (int)element_size(launch->resident->array[q].element);
}

/* Return the bytes of a value of the matrix. */
static inline int replay_value(const struct launch *launch)
{
    return (int)value_size(launch->storage);
}

/* Arguments of a kernel's template as cuda_resources has them: the types of values and of offsets, and a
 * bool. */
static inline const char *replay_real(const struct launch *launch)
{
    bool single = launch->storage->precision == PRECISION_F32;
    if (launch->storage->complex) return single ? "pair<float>" : "pair<double>";
    return single ? "float" : "double";
}

static inline const char *replay_offset(const struct launch *launch)
{
    return launch->storage->wide ? "long" : "int";
}

static inline const char *replay_bool(bool value)
{
    return value ? "true" : "false";
}

/* Return the number of warps of a block; the last one may have fewer than 32 threads. */
static inline int64_t replay_warps(const struct grid *grid)
{
    return (grid->threads + WARP - 1) / WARP;
}

/* Describe a launch of this function, as cuda_resources has it, in which all warps of a grid are replayed. */
void replay_stage(struct trace_stage *stage, struct grid grid, const char *function, ...)
    __attribute__((format(printf, 3, 4)));

/* *first becomes the number in the grid of a warp's first thread. Returns how many of its threads, which are
 * its first ones, have a number below `units`. */
static inline int replay_threads(const struct grid *grid, int64_t units, int64_t warp, int64_t *first)
{
    int64_t warps = replay_warps(grid), below = warp % warps * WARP;
    *first = warp / warps * grid->threads + below;
    return (int)max(0, min(min(WARP, grid->threads - below), units - *first));
}

/* Return the length of the longest of `count` rows or columns from `first` on, whose offsets are in the array
 * of pointers. */
static inline int64_t replay_longest(const struct array *pointers, int64_t first, int64_t count)
{
    int64_t longest = 0;
    for (int64_t i = first; i < first + count; i++)
        longest = max(longest, array_integer(pointers, i + 1) - array_integer(pointers, i));
    return longest;
}

/* The slots of an array of values, some of which may be padding. The code that has the slots marks lanes that
 * work on padding (tracer->padding). */
struct replay_slots {
    const struct storage *storage;
    const struct array *values; /* in the host's memory; NULL if none of the slots is padding */
};

/* Return the slots whose values are in array q. */
struct replay_slots replay_slots(const struct launch *launch, int q);

/* Return the active lanes l whose slot e + l is padding. */
uint32_t replay_padding(const struct replay_slots *slots, uint32_t active, int64_t e);

/* The loads of a lane for entry k: val[k], col[k] and x[col[k]]. */
struct replay_product {
    struct ask val, col, x;
    const int32_t *columns; /* col, in the host's memory */
    struct replay_slots slots;
};

/* Return the requests for entries whose columns and values are in arrays q_col and q_val. */
struct replay_product replay_product(const struct launch *launch, int q_col, int q_val);

/* Tell the tracer the requests of active lanes that each multiply an entry or padding: lane l multiplies slot
 * k[l]. */
void replay_multiply(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                     const int64_t k[WARP]);

/* The same as replay_multiply if each active lane l has slot k + l, in O(1) for val and col. */
void replay_multiply_line(struct tracer *tracer, const struct replay_product *product, uint32_t active,
                          int64_t k);

/* Tell the tracer a request in which each active lane l has element `element` + l. O(1) if the active lanes
 * follow each other. */
void replay_line(struct tracer *tracer, const struct ask *ask, uint32_t active, int64_t element);

/* Tell the tracer how each active lane writes its sum to y[index[lane]]: a store, and a load before it if the
 * launch accumulates (put, in warp.cuh). */
void replay_put(struct tracer *tracer, const struct launch *launch, uint32_t active,
                const int64_t index[WARP]);

/* The same as replay_put if lane l < lanes writes to y[row + l]. */
void replay_put_line(struct tracer *tracer, const struct launch *launch, int lanes, int64_t row);

/* The same as replay_put if lane g * wide writes to y[row + g], for each g < groups. */
void replay_put_groups(struct tracer *tracer, const struct launch *launch, int groups, int wide, int64_t row);

/* Atomic additions are by parts: of a complex element the real part and then the imaginary one, each of which
 * is an element of half the size. Return the number of parts of an element, and convert index[l] of the
 * active lanes from elements to their part `part`. */
static inline int replay_parts(const struct launch *launch)
{
    return launch->storage->complex ? 2 : 1;
}

void replay_part(const struct launch *launch, uint32_t active, const int64_t index[WARP], int part,
                 int64_t of[WARP]);

/* Tell the tracer how each active lane adds to y[index[lane]], by a reduction for each part; and how a lane
 * does so to y[row]. `text` is that of struct ask. */
void replay_add(struct tracer *tracer, const struct launch *launch, const char *text, uint32_t active,
                const int64_t index[WARP]);
void replay_add_same(struct tracer *tracer, const struct launch *launch, const char *text, uint32_t active,
                     int64_t row);

/* Report a request of shared memory without bank conflicts by the kernel's construction to the tracer.
 * `index` need not be set, unless the request is to be shown. */
static inline void replay_apart(struct tracer *tracer, const struct ask *ask, uint32_t active,
                                const int64_t index[WARP])
{
    if (tracer->show)
        trace_index(tracer, ask, active, index);
    else
        trace_line(tracer, ask, 0, __builtin_popcount(active), 0);
}

#endif
