/* Of the library that stands for all (fake_library.h): AOCL-Sparse. */
#include <omp.h>
#include <stdbool.h>
#include <string.h>

#include "support/fake_library.h"

const char *aoclsparse_get_version(void);
int aoclsparse_create_mat_descr(void **descr);
int aoclsparse_destroy_mat_descr(void *descr);
int aoclsparse_create_scsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           float *val);
int aoclsparse_create_dcsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           double *val);
int aoclsparse_set_mv_hint(void *a, int operation, const void *descr, int calls);
int aoclsparse_optimize(void *a);
int aoclsparse_smv(int operation, const float *alpha, void *a, const void *descr, const float *x,
                   const float *beta, float *y);
int aoclsparse_dmv(int operation, const double *alpha, void *a, const void *descr, const double *x,
                   const double *beta, double *y);
int aoclsparse_destroy(void **a);

const char *aoclsparse_get_version(void)
{
    bool old = strcmp(fake_fault("aoclsparse_get_version", 0), "old") == 0;
    return old ? "AOCL-Sparse 3.2.0 Build 20261122" : "AOCL-Sparse 31.5.0 Build 20261122";
}

int aoclsparse_create_mat_descr(void **descr)
{
    int code = fake_outcome("aoclsparse_create_mat_descr", 0, 4, 10);
    if (code == 0) *descr = fake_matrix_new(0, 0, 0, NULL, NULL, NULL, false);
    return code;
}

int aoclsparse_destroy_mat_descr(void *descr)
{
    fake_matrix_free(descr);
    return 0;
}

int aoclsparse_create_scsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           float *val)
{
    int code =
        base == 0 && entries == row_ptr[rows] ? fake_outcome("aoclsparse_create_scsr", rows, 5, 10) : 5;
    if (code == 0) *a = fake_matrix_new(rows, cols, entries, row_ptr, col, val, true);
    return code;
}

int aoclsparse_create_dcsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           double *val)
{
    int code =
        base == 0 && entries == row_ptr[rows] ? fake_outcome("aoclsparse_create_dcsr", rows, 5, 10) : 5;
    if (code == 0) *a = fake_matrix_new(rows, cols, entries, row_ptr, col, val, false);
    return code;
}

int aoclsparse_set_mv_hint(void *a, int operation, const void *descr, int calls)
{
    if (operation != 111 || !descr || calls < 1) return 5;
    return fake_outcome("aoclsparse_set_mv_hint", ((struct fake_matrix *)a)->rows, 5, 10);
}

int aoclsparse_optimize(void *a)
{
    fake_seen.optimized++;
    return fake_outcome("aoclsparse_optimize", ((struct fake_matrix *)a)->rows, 4, 10);
}

int aoclsparse_smv(int operation, const float *alpha, void *a, const void *descr, const float *x,
                   const float *beta, float *y)
{
    int code = fake_outcome("aoclsparse_smv", ((struct fake_matrix *)a)->rows, 4, 10);
    if (operation != 111 || *alpha != 1 || !descr) return 5;
    if (code == 0) fake_multiply("aoclsparse_smv", a, x, (double)*beta, y, omp_get_max_threads());
    return code;
}

int aoclsparse_dmv(int operation, const double *alpha, void *a, const void *descr, const double *x,
                   const double *beta, double *y)
{
    int code = fake_outcome("aoclsparse_dmv", ((struct fake_matrix *)a)->rows, 4, 10);
    if (operation != 111 || *alpha != 1 || !descr) return 5;
    if (code == 0) fake_multiply("aoclsparse_dmv", a, x, *beta, y, omp_get_max_threads());
    return code;
}

#ifndef LACKING
int aoclsparse_destroy(void **a)
{
    fake_matrix_free(*a);
    *a = NULL;
    return 0;
}
#endif
