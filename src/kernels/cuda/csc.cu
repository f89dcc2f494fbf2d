/* y = A x for CSC. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/csc.h"
#include "kernels/cuda/csc.h"
}

/* 2^shift neighbouring threads share a column. Each takes every 2^shift-th entry and adds its product to y,
 * which was set to 0 before unless the product accumulates. The column's element of x is loaded once by each
 * of them that has an entry. */
template <class real, class offset>
__global__ void csc_atomic(int64_t cols, int shift, const offset *__restrict__ col_ptr,
                           const int32_t *__restrict__ row, const real *__restrict__ val,
                           const real *__restrict__ x, real *__restrict__ y)
{
    int64_t j = thread_of_grid() >> shift;
    unsigned threads = 1u << shift;
    if (j >= cols) return;
    slot_of<offset> e = col_ptr[j], end = col_ptr[j + 1];
    e += threadIdx.x & (threads - 1);
    if (e >= end) return;
    real factor = x[j];
#pragma unroll 1
    for (; e < end; e += threads)
        atomicAdd(&y[row[e]], val[e] * factor);
}

void cuda_csc_atomic(const struct launch *launch)
{
    int shift = 0;
    while (1 << shift < csc_atomic_threads(launch))
        shift++;
    clear_y(launch);
    by_types(launch, [launch, shift](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue(launch, csc_atomic_grid(launch), "csc_atomic", csc_atomic<real, offset>,
                launch->storage->cols, shift, array_of<offset>(launch, CSC_COL_PTR),
                array_of<int32_t>(launch, CSC_ROW), array_of<real>(launch, CSC_VAL), x_of<real>(launch),
                y_of<real>(launch));
    });
}
