#include "analysis/cmrs_model.h"

#include <math.h>

double cmrs_model_f(double height, double mean, double value_bytes, double lambda)
{
    double elements = height * mean;
    if (!(elements >= 1 && value_bytes > 0 && lambda > 0)) return NAN;
    return 1 + (lambda - value_bytes) / (elements * value_bytes);
}

double cmrs_model_a(double height, double mean, double value_bytes, double lambda)
{
    if (!(height >= 1)) return NAN;
    return cmrs_model_f(1, mean, value_bytes, lambda) / cmrs_model_f(height, mean, value_bytes, lambda);
}

double cmrs_model_a_approximate(double height, double mean, double value_bytes, double lambda)
{
    if (!(height >= 1 && mean >= 1 && value_bytes > 0 && lambda > 0)) return NAN;
    return 1 + (height - 1) / (1 + height * mean * value_bytes / lambda);
}

struct kernel_bytes cmrs_model_bytes(int64_t rows, int64_t cols, int64_t nnz, double height,
                                     double value_bytes)
{
    double both = (double)nnz * (value_bytes + 4) + 4 * ceil((double)rows / height);
    return (struct kernel_bytes){.plus = both + value_bytes * (double)(cols + rows),
                                 .minus = both + value_bytes * (double)(nnz + rows)};
}
