/* Of the library that stands for all (fake_library.h): Arm Performance Libraries. */
#include <omp.h>
#include <stdbool.h>
#include <string.h>

#include "support/fake_library.h"

void armplversion(int *major, int *minor, int *patch, const char **tag);
int armpl_spmat_create_csr_s(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const float *val, int flags);
int armpl_spmat_create_csr_d(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const double *val, int flags);
int armpl_spmat_hint(void *a, int hint, int value);
int armpl_spmv_optimize(void *a);
int armpl_spmv_exec_s(int operation, float alpha, void *a, const float *x, float beta, float *y);
int armpl_spmv_exec_d(int operation, double alpha, void *a, const double *x, double beta, double *y);
int armpl_spmat_destroy(void *a);

void armplversion(int *major, int *minor, int *patch, const char **tag)
{
    *major = strcmp(fake_fault("armplversion", 0), "old") == 0 ? 18 : 31;
    *minor = 5;
    *patch = 0;
    *tag = "";
}

int armpl_spmat_create_csr_s(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const float *val, int flags)
{
    int code = flags == 0 ? fake_outcome("armpl_spmat_create_csr_s", rows, 1, 2) : 1;
    if (code == 0) *a = fake_matrix_new(rows, cols, row_ptr[rows], row_ptr, col, val, true);
    return code;
}

int armpl_spmat_create_csr_d(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const double *val, int flags)
{
    int code = flags == 0 ? fake_outcome("armpl_spmat_create_csr_d", rows, 1, 2) : 1;
    if (code == 0) *a = fake_matrix_new(rows, cols, row_ptr[rows], row_ptr, col, val, false);
    return code;
}

int armpl_spmat_hint(void *a, int hint, int value)
{
    bool known = (hint == 60 && value == 300) || (hint == 80 && value == 420);
    return known ? fake_outcome("armpl_spmat_hint", ((struct fake_matrix *)a)->rows, 1, 2) : 1;
}

int armpl_spmv_optimize(void *a)
{
    fake_seen.optimized++;
    return fake_outcome("armpl_spmv_optimize", ((struct fake_matrix *)a)->rows, 1, 2);
}

int armpl_spmv_exec_s(int operation, float alpha, void *a, const float *x, float beta, float *y)
{
    int code = operation == 300 && alpha == 1
                   ? fake_outcome("armpl_spmv_exec_s", ((struct fake_matrix *)a)->rows, 2, 2)
                   : 1;
    if (code == 0) fake_multiply("armpl_spmv_exec_s", a, x, (double)beta, y, omp_get_max_threads());
    return code;
}

int armpl_spmv_exec_d(int operation, double alpha, void *a, const double *x, double beta, double *y)
{
    int code = operation == 300 && alpha == 1
                   ? fake_outcome("armpl_spmv_exec_d", ((struct fake_matrix *)a)->rows, 2, 2)
                   : 1;
    if (code == 0) fake_multiply("armpl_spmv_exec_d", a, x, beta, y, omp_get_max_threads());
    return code;
}

#ifndef LACKING
int armpl_spmat_destroy(void *a)
{
    fake_matrix_free(a);
    return 0;
}
#endif
