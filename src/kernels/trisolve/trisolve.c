#include "kernels/trisolve/trisolve.h"

const struct trisolve_kernel *const trisolve_kernels[] = {
    &trisolve_sequential,  &trisolve_levels,   &trisolve_mkl, &trisolve_cuda_free,
    &trisolve_cuda_levels, &trisolve_cusparse, NULL};

const char *trisolve_operation_name(enum trisolve_operation operation)
{
    static const char *const names[TRISOLVE_OPERATIONS] = {
        [TRISOLVE_LOWER] = "lower", [TRISOLVE_UPPER] = "upper", [TRISOLVE_SYMGS] = "symgs"};
    return names[operation];
}

const char *trisolve_operation_title(enum trisolve_operation operation)
{
    static const char *const titles[TRISOLVE_OPERATIONS] = {
        [TRISOLVE_LOWER] = "Lower triangular solve, (L + D) x = b",
        [TRISOLVE_UPPER] = "Upper triangular solve, (D + U) x = b",
        [TRISOLVE_SYMGS] = "Symmetric Gauss-Seidel step",
    };
    return titles[operation];
}
