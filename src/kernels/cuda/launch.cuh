/* Host code shared by the .cu files: launching a kernel. */
#ifndef SPARSIGHT_KERNELS_CUDA_LAUNCH_CUH
#define SPARSIGHT_KERNELS_CUDA_LAUNCH_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#include "kernels/cuda/pair.cuh"

extern "C" {
#include "kernels/cuda/grid.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
}

struct cusparse;  /* in cusparse.cu */
struct cuda_link; /* in exchange.cu */

/* The device->state of an open GPU. */
struct cuda_context {
    cudaStream_t stream;    /* the queue of all work */
    cudaEvent_t begin, end; /* events for timing products */
    int multiprocessors;
    cudaError_t error;         /* the error of the first failed launch since the last check */
    const char *failed;        /* the call that failed with this error */
    struct cusparse *cusparse; /* NULL until a kernel of cuSPARSE is prepared */
    struct cuda_link *link;    /* NULL until the first exchange */
};

/* Free cuSPARSE's state for this device. */
void close_cusparse(cuda_context *context);

/* Let cuSPARSE, if it is open, enqueue its work into context->stream, which has changed. STATUS_UNAVAILABLE.
 */
enum status follow_queue(cuda_context *context, struct error *error);

inline cuda_context *context_of(const struct launch *launch)
{
    return static_cast<cuda_context *>(launch->device->state);
}

/* Record the result of `what`, a launch or another call of `run`. The first error stays. */
inline void note_error(const struct launch *launch, const char *what, cudaError_t error)
{
    cuda_context *context = context_of(launch);
    if (error == cudaSuccess || context->error != cudaSuccess) return;
    context->error = error;
    context->failed = what;
}

/* Enqueue a kernel, with its arguments converted to the types of its parameters. `name` is for error
 * messages. */
template <class... Parameters, class... Arguments>
inline void enqueue(const struct launch *launch, const struct grid &grid, const char *name,
                    void (*kernel)(Parameters...), Arguments... arguments)
{
    if (grid.blocks == 0) return;
    kernel<<<static_cast<unsigned>(grid.blocks), static_cast<unsigned>(grid.threads), grid.shared,
             context_of(launch)->stream>>>(static_cast<Parameters>(arguments)...);
    note_error(launch, name, cudaPeekAtLastError());
}

/* Enqueue a kernel that begins early (early.cuh), if `early` and the GPU can: its blocks start as soon as all
 * blocks of the previous kernel have allowed it or have ended. Code that was compiled from older PTX does not
 * wait for that kernel, and never begins early. */
template <class... Parameters, class... Arguments>
inline void enqueue_early(const struct launch *launch, const struct grid &grid, bool early, const char *name,
                          void (*kernel)(Parameters...), Arguments... arguments)
{
    if (grid.blocks == 0) return;
    if (!early || CUDA_PTX < 10 * EARLY_MAJOR || launch->device->facts.major < EARLY_MAJOR)
        return enqueue(launch, grid, name, kernel, arguments...);
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = dim3(static_cast<unsigned>(grid.blocks));
    config.blockDim = dim3(static_cast<unsigned>(grid.threads));
    config.dynamicSmemBytes = grid.shared;
    config.stream = context_of(launch)->stream;
    config.attrs = &attribute;
    config.numAttrs = 1;
    note_error(launch, name, cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}

/* Returns array q of the stored matrix, in the device's memory. */
template <class T> inline const T *array_of(const struct launch *launch, int q)
{
    return static_cast<const T *>(launch->resident->array[q].data);
}

/* These return x and y, in the device's memory. */
template <class real> inline const real *x_of(const struct launch *launch)
{
    return static_cast<const real *>(launch->x);
}

template <class real> inline real *y_of(const struct launch *launch)
{
    return static_cast<real *>(launch->y);
}

/* The bytes of Y, all of its vectors. */
inline size_t y_bytes(const struct launch *launch)
{
    int64_t size = product_y_size(launch->product, launch->storage->rows, launch->storage->cols);
    return static_cast<size_t>(size) * static_cast<size_t>(product_columns(launch->product)) *
           value_size(launch->storage);
}

/* For kernels that add to y: enqueue y = 0, unless the launch accumulates. */
inline void clear_y(const struct launch *launch)
{
    if (launch->product.accumulate) return;
    note_error(launch, "clearing y",
               cudaMemsetAsync(launch->y, 0, y_bytes(launch), context_of(launch)->stream));
}

inline int number_of(const struct launch *launch, int parameter)
{
    return static_cast<int>(launch->values.number[parameter]);
}

/* Call f(real) with a zero of the type of values, which may be complex. */
template <class Function> inline void by_precision(const struct launch *launch, Function f)
{
    bool single = launch->storage->precision == PRECISION_F32, complex = launch->storage->complex;
    if (single && complex)
        f(pair<float>{});
    else if (single)
        f(float{});
    else if (complex)
        f(pair<double>{});
    else
        f(double{});
}

/* Call f(real, offset) as by_precision does, with a zero of the type of offsets too. */
template <class Function> inline void by_types(const struct launch *launch, Function f)
{
    by_precision(launch, [launch, &f](auto value) {
        if (launch->storage->wide)
            f(value, int64_t{});
        else
            f(value, int32_t{});
    });
}

#endif
