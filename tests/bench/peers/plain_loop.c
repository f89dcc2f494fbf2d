#include "bench/peers/plain_loop.h"

void plain_loop_f64(int rows, const int *row_ptr, const int *col, const double *val, const double *x,
                    double *y, bool add, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < rows; i++) {
        double sum = 0;
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
            sum += val[k] * x[col[k]];
        y[i] = add ? y[i] + sum : sum;
    }
}

void plain_loop_f32(int rows, const int *row_ptr, const int *col, const float *val, const float *x, float *y,
                    bool add, int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < rows; i++) {
        float sum = 0;
        for (int k = row_ptr[i]; k < row_ptr[i + 1]; k++)
            sum += val[k] * x[col[k]];
        y[i] = add ? y[i] + sum : sum;
    }
}
