/* y = A x for ELL, by a thread for each row. At step c, thread i multiplies slot c of its row, so that lanes
 * 0, 1, 2, ... of the warp whose first row is r load these elements of col and val:
 *
 *     ell_padded, ell_masked, ell_bounded    c rows + r,   c rows + r + 1,     c rows + r + 2, ...
 *     ell_rowmajor                           r width + c,  (r + 1) width + c,  (r + 2) width + c, ...
 *
 * Elements that follow each other lie in few sectors of 32 bytes: 32 of 8 bytes are 8 sectors. Elements that
 * are `width` apart lie in a sector each if they are 4 or more of 8 bytes apart: that is 32 sectors. */
#include "kernels/cuda/ell.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "kernels/cuda/ell.h"
}

/* All slots are multiplied. Those of padding have the value 0 and a column of the matrix. */
template <class real>
__global__ void ell_padded(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<false>(i, rows, width, col, val, x), accumulate);
}

/* Slots of padding have the column -1 and are skipped. */
template <class real>
__global__ void ell_masked(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<true>(i, rows, width, col, val, x), accumulate);
}

/* Each thread stops at the end of its row, whose length it loads before (PMPP, 4th edition, chapter 14). A
 * warp takes as many steps as its longest row has entries. */
template <class real>
__global__ void ell_bounded(int64_t rows, const int32_t *__restrict__ length, const int32_t *__restrict__ col,
                            const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                            bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i < rows) put(y, i, ell_row_sum<false>(i, rows, length[i], col, val, x), accumulate);
}

/* The slots of a row are contiguous. All slots are multiplied, including padding. */
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

/* A rectangle in which each lane has a row, for few vectors: neighbouring lanes read neighbouring slots. */
static void ell_product(const struct launch *launch, bool masked)
{
    by_precision(launch, [=](auto value) {
        using real = decltype(value);
        row_source<real> a = {};
        a.rows = launch->storage->rows;
        a.width = launch->storage->number[ELL_WIDTH];
        a.step = launch->storage->rows;
        a.col = array_of<int32_t>(launch, ELL_COL);
        a.val = array_of<real>(launch, ELL_VAL);
        enqueue_rows_product(launch, a, masked, 1);
    });
}

void cuda_ell_padded(const struct launch *launch)
{
    if (!product_plain(launch->product)) return ell_product(launch, false);
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
    if (!product_plain(launch->product)) return ell_product(launch, true);
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
