/* The loop of ELL, which HYB has as well. */
#ifndef SPARSIGHT_KERNELS_CUDA_ELL_CUH
#define SPARSIGHT_KERNELS_CUDA_ELL_CUH

#include "kernels/cuda/warp.cuh"

/* Return the sum of row i of a transposed rectangle of rows x width slots. Its slot of position c is
 * c rows + i: at each step neighbouring threads read neighbouring slots. MASKED: slots whose column is -1 are
 * skipped (PMPP, figure 10.10, there without the mask). */
template <bool MASKED, class real>
__device__ inline real ell_row_sum(int64_t i, int64_t rows, int64_t width, const int32_t *__restrict__ col,
                                   const real *__restrict__ val, const real *__restrict__ x)
{
    real sum = 0;
#pragma unroll 1
    for (int64_t c = 0; c < width; c++) {
        int64_t e = c * rows + i;
        int32_t j = col[e];
        if (!MASKED || j >= 0) sum += val[e] * x[j];
    }
    return sum;
}

#endif
