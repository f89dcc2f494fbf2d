/* y = A x for ELL. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/ell.h"
#include "kernels/cuda/ell.h"
}

/* A thread a row; slot c of row i is c rows + i, so that neighbouring threads read neighbouring slots (PMPP,
 * figure 10.10). MASKED: what pads has the column -1, and no x is read for it. */
template <bool MASKED, class real>
__global__ void ell_rows(int64_t rows, int64_t width, const int32_t *__restrict__ col,
                         const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                         bool accumulate)
{
    int64_t i = thread_of_grid();
    if (i >= rows) return;
    real sum = 0;
#pragma unroll 1
    for (int64_t c = 0; c < width; c++) {
        int64_t e = c * rows + i;
        int32_t j = col[e];
        if (!MASKED || j >= 0) sum += val[e] * x[j];
    }
    put(y, i, sum, accumulate);
}

template <bool MASKED> static void rows_with(const struct launch *launch, const char *name)
{
    by_precision(launch, [launch, name](auto value) {
        using real = decltype(value);
        enqueue(launch, ell_grid(launch), name, ell_rows<MASKED, real>, launch->storage->rows,
                launch->storage->number[ELL_WIDTH], array_of<int32_t>(launch, ELL_COL),
                array_of<real>(launch, ELL_VAL), x_of<real>(launch), y_of<real>(launch), launch->accumulate);
    });
}

void cuda_ell_padded(const struct launch *launch)
{
    rows_with<false>(launch, "ell_padded");
}

void cuda_ell_masked(const struct launch *launch)
{
    rows_with<true>(launch, "ell_masked");
}
