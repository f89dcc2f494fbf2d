/* y = A x for CSR, by a thread or by several threads a row. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/products/products.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/csr.h"
#include "kernels/cuda/csr.h"
}

/* Each thread has a row (PMPP, figure 10.7). Neighbouring threads of a warp read entries that are a row
 * apart, and a warp takes as many steps as its longest row has entries. The first entry is loaded before the
 * loop, while the previous kernel may still run (early.cuh). */
template <class real, class offset>
__global__ void csr_scalar(int64_t rows, const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *x, real *y, bool accumulate)
{
    int64_t i = thread_of_grid();
    let_next_begin();
    if (i >= rows) return;
    slot_of<offset> k = row_ptr[i], end = row_ptr[i + 1];
    real sum = 0;
    int32_t j = 0;
    if (k < end) {
        sum = val[k];
        j = col[k];
    }
    await_previous();
    if (k < end) sum *= x[j];
#pragma unroll 1
    for (k++; k < end; k++)
        sum += val[k] * x[col[k]];
    put(y, i, sum, accumulate);
}

void cuda_csr_scalar(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue_early(launch, csr_scalar_grid(launch), number_of(launch, CSR_SCALAR_EARLY) != 0, "csr_scalar",
                      csr_scalar<real, offset>, launch->storage->rows, array_of<offset>(launch, CSR_ROW_PTR),
                      array_of<int32_t>(launch, CSR_COL), array_of<real>(launch, CSR_VAL), x_of<real>(launch),
                      y_of<real>(launch), launch->product.accumulate);
    });
}

/* Return the sum over a warp through shared memory, where each thread has a cell; the first lane gets the
 * sum. In each round the lanes below `distance` add the cells that lie `distance` above theirs. No lane
 * writes those in the same round. */
template <class real> __device__ inline real sum_in_shared(real value)
{
    int lane = threadIdx.x % WARP;
    real *cell = shared_memory<real>() + threadIdx.x;
    *cell = value;
    __syncwarp();
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        if (lane < distance) *cell = value += cell[distance];
        __syncwarp();
    }
    return value;
}

/* THREADS neighbouring threads have a row. Each takes every THREADS-th entry of it, and the first adds up
 * their sums (Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
 * processors", SC 2009, section 4.3, there with 32; fewer for short rows, as in CUSP):
 *
 *     lane      0  1  2  3  0  1  2  3  0  1         THREADS 4, row of 10 entries
 *     step      0  0  0  0  1  1  1  1  2  2
 *
 * aligned: rows of more than THREADS entries are read from a multiple of THREADS on, so that the entries of a
 * step lie in as few lines as possible; in the first step the lanes before the row wait (CUSP). The first
 * step comes before the loop, since its entries are loaded while the previous kernel may still run
 * (early.cuh). SHARED: sums are added in shared memory, as before shuffles existed (Cranfield report on
 * OpenMP and CUDA). */
template <int THREADS, bool SHARED, class real, class offset>
__global__ void csr_vector(int64_t rows, const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *x, real *y, bool aligned,
                           bool accumulate)
{
    int64_t i = thread_of_grid() / THREADS;
    int lane = threadIdx.x % THREADS;
    slot_of<offset> k = 0, end = 0;
    real sum = 0;
    int32_t j = 0;
    bool some = false;
    let_next_begin();
    if (i < rows) {
        slot_of<offset> begin = row_ptr[i];
        end = row_ptr[i + 1];
        k = (aligned && end - begin > THREADS ? begin / THREADS * THREADS : begin) + lane;
        some = k >= begin && k < end;
    }
    if (some) {
        sum = val[k];
        j = col[k];
    }
    await_previous();
    if (some) sum *= x[j];
#pragma unroll 1
    for (k += THREADS; k < end; k += THREADS)
        sum += val[k] * x[col[k]];
    if constexpr (SHARED)
        sum = sum_in_shared(sum);
    else
        sum = sum_over<THREADS>(sum);
    if (lane == 0 && i < rows) put(y, i, sum, accumulate);
}

template <int THREADS, bool SHARED> static void vector_with(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue_early(launch, csr_vector_grid(launch), number_of(launch, CSR_VECTOR_EARLY) != 0, "csr_vector",
                      csr_vector<THREADS, SHARED, real, offset>, launch->storage->rows,
                      array_of<offset>(launch, CSR_ROW_PTR), array_of<int32_t>(launch, CSR_COL),
                      array_of<real>(launch, CSR_VAL), x_of<real>(launch), y_of<real>(launch),
                      number_of(launch, CSR_VECTOR_ALIGNED) != 0, launch->product.accumulate);
    });
}

/* The row of the storage is that of the matrix, and a chunk of one row (products/products.cuh). */
static void vector_product(const struct launch *launch)
{
    if (cuda_windows_product(launch)) return;
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        row_source<real> a = {};
        a.rows = launch->storage->rows;
        a.pointer = launch->resident->array[CSR_ROW_PTR].data;
        a.wide = launch->storage->wide;
        a.chunk = 1;
        a.step = 1;
        a.col = array_of<int32_t>(launch, CSR_COL);
        a.val = array_of<real>(launch, CSR_VAL);
        enqueue_rows_product(launch, a, false, number_of(launch, CSR_VECTOR_THREADS));
    });
}

void cuda_csr_vector(const struct launch *launch)
{
    if (!product_plain(launch->product)) return vector_product(launch);
    if (number_of(launch, CSR_VECTOR_REDUCE) == CSR_SHARED) return vector_with<WARP, true>(launch);
    switch (number_of(launch, CSR_VECTOR_THREADS)) {
    case 2:
        return vector_with<2, false>(launch);
    case 4:
        return vector_with<4, false>(launch);
    case 8:
        return vector_with<8, false>(launch);
    case 16:
        return vector_with<16, false>(launch);
    default:
        return vector_with<WARP, false>(launch);
    }
}
