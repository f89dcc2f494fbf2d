/* y = A x for COO. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/coo.h"
#include "kernels/cuda/coo.h"
}

/* A thread an entry. y is 0 before, or what is added to. */
template <class real>
__global__ void coo_atomic(int64_t count, const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y)
{
    int64_t e = thread_of_grid();
    if (e < count) atomicAdd(&y[row[e]], val[e] * x[col[e]]);
}

void cuda_coo_atomic(const struct launch *launch)
{
    clear_y(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, coo_atomic_grid(launch), "coo_atomic", coo_atomic<real>, launch->storage->nnz,
                array_of<int32_t>(launch, COO_ROW), array_of<int32_t>(launch, COO_COL),
                array_of<real>(launch, COO_VAL), x_of<real>(launch), y_of<real>(launch));
    });
}
