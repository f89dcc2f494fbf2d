/* y = A x for ELL, by a thread for each row. */
#include "kernels/cuda/ell.cuh"
#include "kernels/cuda/launch.cuh"

extern "C" {
#include "kernels/cuda/ell.h"
}

template <class real>
__global__ void ell_padded(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<false>(i, rows, width, col, val, x), accumulate);
}

template <class real>
__global__ void ell_masked(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<true>(i, rows, width, col, val, x), accumulate);
}

/* Each row is gone through as far as it has entries (PMPP, 4th edition, chapter 14). */
template <class real>
__global__ void ell_bounded(int64_t rows, const int32_t *__restrict__ length, const int32_t *__restrict__ col,
                            const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                            bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<false>(i, rows, length[i], col, val, x), accumulate);
}

/* The slots of a row follow each other, so that at each step the threads of a warp read slots that lie a
 * whole row apart. */
template <class real>
__global__ void ell_rowmajor(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                             const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                             bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i >= rows) return;
    real sum = 0;
#pragma unroll 1
    for (int64_t c = 0; c < width; c++)
        sum += val[i * width + c] * x[col[i * width + c]];
    put(y, i, sum, accumulate);
}

void cuda_ell_padded(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, ell_grid(launch), "ell_padded", ell_padded<real>, launch->storage->rows,
                launch->storage->number[ELL_WIDTH], array_of<int32_t>(launch, ELL_COL),
                array_of<real>(launch, ELL_VAL), x_of<real>(launch), y_of<real>(launch),
                launch->product.accumulate);
    });
}

void cuda_ell_masked(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, ell_grid(launch), "ell_masked", ell_masked<real>, launch->storage->rows,
                launch->storage->number[ELL_WIDTH], array_of<int32_t>(launch, ELL_COL),
                array_of<real>(launch, ELL_VAL), x_of<real>(launch), y_of<real>(launch),
                launch->product.accumulate);
    });
}

void cuda_ell_bounded(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, ell_grid(launch), "ell_bounded", ell_bounded<real>, launch->storage->rows,
                static_cast<const int32_t *>(launch->state), array_of<int32_t>(launch, ELL_COL),
                array_of<real>(launch, ELL_VAL), x_of<real>(launch), y_of<real>(launch),
                launch->product.accumulate);
    });
}

void cuda_ell_rowmajor(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, ell_grid(launch), "ell_rowmajor", ell_rowmajor<real>, launch->storage->rows,
                launch->storage->number[ELL_WIDTH], array_of<int32_t>(launch, ELL_COL),
                array_of<real>(launch, ELL_VAL), x_of<real>(launch), y_of<real>(launch),
                launch->product.accumulate);
    });
}
