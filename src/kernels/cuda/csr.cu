/* y = A x for CSR. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/csr.h"
#include "kernels/cuda/csr.h"
}

/* A thread a row (PMPP, figure 10.7). */
template <class real, class offset>
__global__ void csr_scalar(int64_t rows, const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i >= rows) return;
    real sum = 0;
    offset end = row_ptr[i + 1];
#pragma unroll 1
    for (offset k = row_ptr[i]; k < end; k++)
        sum += val[k] * x[col[k]];
    put(y, i, sum, accumulate);
}

void cuda_csr_scalar(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue(launch, csr_scalar_grid(launch), "csr_scalar", csr_scalar<real, offset>,
                launch->storage->rows, array_of<offset>(launch, CSR_ROW_PTR),
                array_of<int32_t>(launch, CSR_COL), array_of<real>(launch, CSR_VAL), x_of<real>(launch),
                y_of<real>(launch), launch->accumulate);
    });
}

/* THREADS neighbouring threads a row: each takes every THREADS-th entry, and the first adds up what they
 * have (Bell and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented
 * processors", SC 2009, section 4.3, there with 32; fewer for short rows as in CUSP). */
template <int THREADS, class real, class offset>
__global__ void csr_vector(int64_t rows, const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool accumulate)
{
    int64_t i = thread_of_grid() / THREADS;
    int lane = threadIdx.x % THREADS;
    real sum = 0;
    if (i < rows) {
        offset end = row_ptr[i + 1];
#pragma unroll 1
        for (offset k = row_ptr[i] + lane; k < end; k += THREADS)
            sum += val[k] * x[col[k]];
    }
    sum = sum_over<THREADS>(sum);
    if (lane == 0 && i < rows) put(y, i, sum, accumulate);
}

template <int THREADS> static void vector_with(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        enqueue(launch, csr_vector_grid(launch), "csr_vector", csr_vector<THREADS, real, offset>,
                launch->storage->rows, array_of<offset>(launch, CSR_ROW_PTR),
                array_of<int32_t>(launch, CSR_COL), array_of<real>(launch, CSR_VAL), x_of<real>(launch),
                y_of<real>(launch), launch->accumulate);
    });
}

void cuda_csr_vector(const struct launch *launch)
{
    switch (number_of(launch, CSR_VECTOR_THREADS)) {
    case 2:
        return vector_with<2>(launch);
    case 4:
        return vector_with<4>(launch);
    case 8:
        return vector_with<8>(launch);
    case 16:
        return vector_with<16>(launch);
    default:
        return vector_with<32>(launch);
    }
}
