/* What the .cu files have in common on the host's side: how a kernel is launched. */
#ifndef SPARSIGHT_KERNELS_CUDA_LAUNCH_CUH
#define SPARSIGHT_KERNELS_CUDA_LAUNCH_CUH

#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

extern "C" {
#include "kernels/cuda/grid.h"
#include "kernels/gpu/device.h"
#include "kernels/kernel.h"
}

struct cusparse; /* in cusparse.cu */

/* device->state of an open GPU. */
struct cuda_context {
    cudaStream_t stream; /* everything is put into this one queue */
    cudaEvent_t begin, end;
    int multiprocessors;
    cudaError_t error;         /* of the first launch that failed since it was looked at */
    const char *failed;        /* which one that was */
    struct cusparse *cusparse; /* NULL until a kernel of it is made ready */
};

/* Give back what cuSPARSE has for this device. */
void close_cusparse(cuda_context *context);

inline cuda_context *context_of(const struct launch *launch)
{
    return static_cast<cuda_context *>(launch->device->state);
}

/* Note what became of a launch, or of any other call that `run` made. */
inline void note_error(const struct launch *launch, const char *what, cudaError_t error)
{
    cuda_context *context = context_of(launch);
    if (error == cudaSuccess || context->error != cudaSuccess) return;
    context->error = error;
    context->failed = what;
}

/* Put a kernel into the queue; `name` is for the message if that fails. Arguments are converted to the types
 * that the kernel has them in. */
template <class... Parameters, class... Arguments>
inline void enqueue(const struct launch *launch, const struct grid &grid, const char *name,
                    void (*kernel)(Parameters...), Arguments... arguments)
{
    if (grid.blocks == 0) return;
    kernel<<<static_cast<unsigned>(grid.blocks), static_cast<unsigned>(grid.threads), grid.shared,
             context_of(launch)->stream>>>(static_cast<Parameters>(arguments)...);
    note_error(launch, name, cudaPeekAtLastError());
}

/* Array q of the stored matrix, in the device's memory. */
template <class T> inline const T *array_of(const struct launch *launch, int q)
{
    return static_cast<const T *>(launch->resident->array[q].data);
}

/* The vectors, in the device's memory. */
template <class real> inline const real *x_of(const struct launch *launch)
{
    return static_cast<const real *>(launch->x);
}

template <class real> inline real *y_of(const struct launch *launch)
{
    return static_cast<real *>(launch->y);
}

/* Put y = 0 into the queue, unless products are added to it: for kernels that add to y themselves. */
inline void clear_y(const struct launch *launch)
{
    size_t value = launch->storage->precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
    if (launch->product.accumulate) return;
    note_error(launch, "clearing y",
               cudaMemsetAsync(launch->y, 0, static_cast<size_t>(launch->storage->rows) * value,
                               context_of(launch)->stream));
}

inline int number_of(const struct launch *launch, int parameter)
{
    return static_cast<int>(launch->values.number[parameter]);
}

/* Call f(real, offset) with a zero of the type that values have, and one of the type of offsets. */
template <class Function> inline void by_types(const struct launch *launch, Function f)
{
    bool single = launch->storage->precision == PRECISION_F32, wide = launch->storage->wide;
    if (single && wide)
        f(float{}, int64_t{});
    else if (single)
        f(float{}, int32_t{});
    else if (wide)
        f(double{}, int64_t{});
    else
        f(double{}, int32_t{});
}

/* The same for kernels that read no offsets: f(real). */
template <class Function> inline void by_precision(const struct launch *launch, Function f)
{
    if (launch->storage->precision == PRECISION_F32)
        f(float{});
    else
        f(double{});
}

#endif
