/* y = A x for SSS. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/sss.h"
#include "kernels/cuda/sss.h"
}

/* The mirror image of a value, whose real and imaginary parts are multiplied by 1 or -1 (mirror_signs). */
template <class part> __device__ inline part image_of(part value, float real_sign, float)
{
    return value * static_cast<part>(real_sign);
}

template <class part>
__device__ inline pair<part> image_of(pair<part> value, float real_sign, float imaginary_sign)
{
    return {value.real * static_cast<part>(real_sign), value.imaginary * static_cast<part>(imaginary_sign)};
}

/* 2^shift neighbouring threads share a row. Each takes every 2^shift-th entry below the diagonal, sums its
 * product, and adds that of its image to y, which was set to 0 before unless the product accumulates. The
 * first thread adds up the sums and adds the total to y, since other rows add to the same element. */
template <class real, class offset>
__global__ void sss_atomic(int64_t rows, int shift, float real_sign, float imaginary_sign,
                           const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ diag,
                           const real *__restrict__ x, real *__restrict__ y)
{
    int64_t i = thread_of_grid() >> shift;
    unsigned threads = 1u << shift, lane = threadIdx.x & (threads - 1);
    real sum = 0;
    if (i < rows) {
        slot_of<offset> k = row_ptr[i], end = row_ptr[i + 1];
        k += lane;
        if (k < end || lane == 0) {
            real own = x[i];
            if (lane == 0) sum = diag[i] * own;
#pragma unroll 1
            for (; k < end; k += threads) {
                int32_t j = col[k];
                real value = val[k];
                sum += value * x[j];
                atomicAdd(&y[j], image_of(value, real_sign, imaginary_sign) * own);
            }
        }
    }
    for (unsigned distance = threads / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(WHOLE_WARP, sum, distance, threads);
    if (lane == 0 && i < rows) atomicAdd(&y[i], sum);
}

void cuda_sss_atomic(const struct launch *launch)
{
    const struct mirror_signs signs = mirror_signs(launch->storage->symmetry);
    int shift = 0;
    while (1 << shift < sss_atomic_threads(launch))
        shift++;
    clear_y(launch);
    by_types(launch, [launch, shift, signs](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue(launch, sss_atomic_grid(launch), "sss_atomic", sss_atomic<real, offset>,
                launch->storage->rows, shift, static_cast<float>(signs.real),
                static_cast<float>(signs.imaginary), array_of<offset>(launch, SSS_ROW_PTR),
                array_of<int32_t>(launch, SSS_COL), array_of<real>(launch, SSS_VAL),
                array_of<real>(launch, SSS_DIAG), x_of<real>(launch), y_of<real>(launch));
    });
}
