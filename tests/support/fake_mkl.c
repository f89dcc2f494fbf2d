/* Of the library that stands for all (fake_library.h): oneMKL, its inspector and executor. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/fake_library.h"

static int mkl_threads = 7;

int MKL_Set_Interface_Layer(int layer);
int MKL_Set_Threading_Layer(int layer);
void MKL_Get_Version_String(char *text, int length);
void MKL_Set_Dynamic(int on);
int MKL_Verbose(int on);
int MKL_Set_Num_Threads_Local(int threads);
struct descr {
    int type, mode, diagonal;
};
int mkl_sparse_s_create_csr(void **a, int base, int rows, int cols, int *first, int *end, int *col,
                            float *val);
int mkl_sparse_d_create_csr(void **a, int base, int rows, int cols, int *first, int *end, int *col,
                            double *val);
int mkl_sparse_set_mv_hint(void *a, int operation, struct descr descr, int calls);
int mkl_sparse_set_memory_hint(void *a, int policy);
int mkl_sparse_optimize(void *a);
int mkl_sparse_s_mv(int operation, float alpha, void *a, struct descr descr, const float *x, float beta,
                    float *y);
int mkl_sparse_d_mv(int operation, double alpha, void *a, struct descr descr, const double *x, double beta,
                    double *y);
int mkl_sparse_set_mm_hint(void *a, int operation, struct descr descr, int layout, int columns, int calls);
int mkl_sparse_s_mm(int operation, float alpha, void *a, struct descr descr, int layout, const float *x,
                    int columns, int x_stride, float beta, float *y, int y_stride);
int mkl_sparse_d_mm(int operation, double alpha, void *a, struct descr descr, int layout, const double *x,
                    int columns, int x_stride, double beta, double *y, int y_stride);
int mkl_sparse_set_sv_hint(void *a, int operation, struct descr descr, int calls);
int mkl_sparse_set_symgs_hint(void *a, int operation, struct descr descr, int calls);
int mkl_sparse_d_trsv(int operation, double alpha, void *a, struct descr descr, const double *b, double *x);
int mkl_sparse_d_symgs(int operation, void *a, struct descr descr, double alpha, const double *b, double *x);
int mkl_sparse_destroy(void *a);

int MKL_Set_Interface_Layer(int layer)
{
    return strcmp(fake_fault("MKL_Set_Interface_Layer", 0), "insist") == 0 ? 1 : layer;
}

int MKL_Set_Threading_Layer(int layer)
{
    return strcmp(fake_fault("MKL_Set_Threading_Layer", 0), "insist") == 0 ? 0 : layer;
}

void MKL_Get_Version_String(char *text, int length)
{
    bool old = strcmp(fake_fault("MKL_Get_Version_String", 0), "old") == 0;
    snprintf(text, (size_t)length, "Intel(R) Math Kernel Library Version %s Product Build 20261122",
             old ? "2018.0.4" : "2031.5");
}

void MKL_Set_Dynamic(int on)
{
}

int MKL_Verbose(int on)
{
    return on;
}

int MKL_Set_Num_Threads_Local(int threads)
{
    int before = mkl_threads;
    mkl_threads = threads;
    return before;
}

static int mkl_create(const char *function, void **a, int base, int rows, int cols, const int *first,
                      const int *end, const int *col, const void *val, bool single)
{
    int code = base == 0 && end == first + 1 ? fake_outcome(function, rows, 3, 2) : 3;
    if (code == 0) *a = fake_matrix_new(rows, cols, first[rows], first, col, val, single);
    return code;
}

int mkl_sparse_s_create_csr(void **a, int base, int rows, int cols, int *first, int *end, int *col,
                            float *val)
{
    return mkl_create("mkl_sparse_s_create_csr", a, base, rows, cols, first, end, col, val, true);
}

int mkl_sparse_d_create_csr(void **a, int base, int rows, int cols, int *first, int *end, int *col,
                            double *val)
{
    return mkl_create("mkl_sparse_d_create_csr", a, base, rows, cols, first, end, col, val, false);
}

/* The lower triangle of a symmetric matrix is given. */
static bool is_symmetric(int operation, struct descr descr)
{
    return operation == 10 && descr.type == 21 && descr.mode == 40;
}

static void set_number(const struct fake_matrix *a, void *vector, int e, double value)
{
    if (a->single)
        ((float *)vector)[e] = (float)value;
    else
        ((double *)vector)[e] = value;
}

/* y = beta y + A x. */
static void multiply_symmetric(const struct fake_matrix *a, const void *x, double beta, void *y)
{
    for (int i = 0; i < a->rows; i++)
        set_number(a, y, i, beta == 0 ? 0 : fake_number_at(a, y, i));
    for (int i = 0; i < a->rows; i++)
        for (int k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            const int j = a->col[k];
            const double value = fake_number_at(a, a->val, k);
            set_number(a, y, i, fake_number_at(a, y, i) + value * fake_number_at(a, x, j));
            if (i != j) set_number(a, y, j, fake_number_at(a, y, j) + value * fake_number_at(a, x, i));
        }
}

static bool is_general(int operation, struct descr descr)
{
    return (operation == 10 || operation == 11) && descr.type == 20;
}

int mkl_sparse_set_mv_hint(void *a, int operation, struct descr descr, int calls)
{
    if ((!is_general(operation, descr) && !is_symmetric(operation, descr)) || calls < 1) return 3;
    return fake_outcome("mkl_sparse_set_mv_hint", ((struct fake_matrix *)a)->rows, 6, 2);
}

int mkl_sparse_set_mm_hint(void *a, int operation, struct descr descr, int layout, int columns, int calls)
{
    if (!is_general(operation, descr) || (layout != 101 && layout != 102) || columns < 2 || calls < 1)
        return 3;
    return fake_outcome("mkl_sparse_set_mm_hint", ((struct fake_matrix *)a)->rows, 6, 2);
}

int mkl_sparse_set_memory_hint(void *a, int policy)
{
    return policy == 81 ? fake_outcome("mkl_sparse_set_memory_hint", ((struct fake_matrix *)a)->rows, 6, 2)
                        : 3;
}

int mkl_sparse_optimize(void *a)
{
    fake_seen.optimized++;
    return fake_outcome("mkl_sparse_optimize", ((struct fake_matrix *)a)->rows, 5, 2);
}

int mkl_sparse_s_mv(int operation, float alpha, void *a, struct descr descr, const float *x, float beta,
                    float *y)
{
    int code = fake_outcome("mkl_sparse_s_mv", ((struct fake_matrix *)a)->rows, 4, 2);
    const bool half = is_symmetric(operation, descr);
    if ((!is_general(operation, descr) && !half) || alpha != 1) return 3;
    if (code == 0 && half)
        multiply_symmetric(a, x, (double)beta, y);
    else if (code == 0 && operation == 11)
        fake_multiply_several("mkl_sparse_s_mv", a, true, 1, x, fake_apart_of(true, 1), (double)beta, y,
                              fake_apart_of(true, 1), mkl_threads);
    else if (code == 0)
        fake_multiply("mkl_sparse_s_mv", a, x, (double)beta, y, mkl_threads);
    return code;
}

int mkl_sparse_d_mv(int operation, double alpha, void *a, struct descr descr, const double *x, double beta,
                    double *y)
{
    int code = fake_outcome("mkl_sparse_d_mv", ((struct fake_matrix *)a)->rows, 4, 2);
    const bool half = is_symmetric(operation, descr);
    if ((!is_general(operation, descr) && !half) || alpha != 1) return 3;
    if (code == 0 && half)
        multiply_symmetric(a, x, beta, y);
    else if (code == 0 && operation == 11)
        fake_multiply_several("mkl_sparse_d_mv", a, true, 1, x, fake_apart_of(true, 1), beta, y,
                              fake_apart_of(true, 1), mkl_threads);
    else if (code == 0)
        fake_multiply("mkl_sparse_d_mv", a, x, beta, y, mkl_threads);
    return code;
}

static int mkl_mm(const char *function, int operation, double alpha, const struct fake_matrix *a,
                  struct descr descr, int layout, const void *x, int columns, int x_stride, double beta,
                  void *y, int y_stride)
{
    int code = fake_outcome(function, a->rows, 4, 2);
    bool by_rows = layout == 101;
    int x_least = by_rows ? columns : operation == 11 ? a->rows : a->cols;
    int y_least = by_rows ? columns : operation == 11 ? a->cols : a->rows;
    if (!is_general(operation, descr) || alpha != 1 || (!by_rows && layout != 102)) return 3;
    if (x_stride < x_least || y_stride < y_least) return 3;
    if (code == 0)
        fake_multiply_several(function, a, operation == 11, columns, x, fake_apart_of(by_rows, x_stride),
                              beta, y, fake_apart_of(by_rows, y_stride), mkl_threads);
    return code;
}

int mkl_sparse_s_mm(int operation, float alpha, void *a, struct descr descr, int layout, const float *x,
                    int columns, int x_stride, float beta, float *y, int y_stride)
{
    return mkl_mm("mkl_sparse_s_mm", operation, (double)alpha, a, descr, layout, x, columns, x_stride,
                  (double)beta, y, y_stride);
}

int mkl_sparse_d_mm(int operation, double alpha, void *a, struct descr descr, int layout, const double *x,
                    int columns, int x_stride, double beta, double *y, int y_stride)
{
    return mkl_mm("mkl_sparse_d_mm", operation, alpha, a, descr, layout, x, columns, x_stride, beta, y,
                  y_stride);
}

/* A triangular matrix with its diagonal. */
static bool is_triangular(int operation, struct descr descr)
{
    return operation == 10 && descr.type == 23 && (descr.mode == 40 || descr.mode == 41) &&
           descr.diagonal == 50;
}

static bool is_whole(int operation, struct descr descr)
{
    return operation == 10 && descr.type == 21 && descr.mode == 42 && descr.diagonal == 50;
}

int mkl_sparse_set_sv_hint(void *a, int operation, struct descr descr, int calls)
{
    if (!is_triangular(operation, descr) || calls < 1) return 3;
    return fake_outcome("mkl_sparse_set_sv_hint", ((struct fake_matrix *)a)->rows, 6, 2);
}

int mkl_sparse_set_symgs_hint(void *a, int operation, struct descr descr, int calls)
{
    if (!is_whole(operation, descr) || calls < 1) return 3;
    return fake_outcome("mkl_sparse_set_symgs_hint", ((struct fake_matrix *)a)->rows, 6, 2);
}

/* Solve for each row in turn, with the entries of the others as they are. */
static void relax(const struct fake_matrix *a, bool backward, const double *b, double *x)
{
    for (int k = 0; k < a->rows; k++) {
        const int i = backward ? a->rows - 1 - k : k;
        double sum = b[i], diagonal = 0;
        for (int e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++) {
            if (a->col[e] == i)
                diagonal = fake_number_at(a, a->val, e);
            else
                sum -= fake_number_at(a, a->val, e) * x[a->col[e]];
        }
        x[i] = sum / diagonal;
    }
}

int mkl_sparse_d_trsv(int operation, double alpha, void *a, struct descr descr, const double *b, double *x)
{
    const struct fake_matrix *matrix = a;
    int code = fake_outcome("mkl_sparse_d_trsv", matrix->rows, 4, 2);
    if (!is_triangular(operation, descr) || alpha != 1) return 3;
    fake_seen.threads = mkl_threads;
    if (code == 0) relax(matrix, descr.mode == 41, b, x);
    return code;
}

int mkl_sparse_d_symgs(int operation, void *a, struct descr descr, double alpha, const double *b, double *x)
{
    const struct fake_matrix *matrix = a;
    int code = fake_outcome("mkl_sparse_d_symgs", matrix->rows, 4, 2);
    if (!is_whole(operation, descr) || alpha != 1) return 3;
    fake_seen.threads = mkl_threads;
    if (code == 0) relax(matrix, false, b, x);
    if (code == 0) relax(matrix, true, b, x);
    return code;
}

#ifndef LACKING
int mkl_sparse_destroy(void *a)
{
    fake_matrix_free(a);
    return 0;
}
#endif
