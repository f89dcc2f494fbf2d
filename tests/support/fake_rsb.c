/* Of the library that stands for all (fake_library.h): librsb. */
#include <stdio.h>

#include "support/fake_library.h"

static int rsb_threads;

int rsb_lib_init(void *options);
int rsb_lib_set_opt(int option, const void *value);
int rsb_strerror_r(int code, char *text, size_t size);
void *rsb_mtx_alloc_from_csr_const(const void *val, const int *row_ptr, const int *col, int entries,
                                   char type, int rows, int cols, int high, int wide, int flags, int *code);
int rsb_tune_spmm(void **a, double *gain, int *threads, int rounds, double seconds, int transposition,
                  const void *alpha, const void *same, int columns, int order, const void *x, int x_stride,
                  const void *beta, void *y, int y_stride);
int rsb_spmv(int transposition, const void *alpha, const void *a, const void *x, int x_step, const void *beta,
             void *y, int y_step);
int rsb_spmm(int transposition, const void *alpha, const void *a, int columns, int order, const void *x,
             int x_stride, const void *beta, void *y, int y_stride);
void *rsb_mtx_free(void *a);

int rsb_lib_init(void *options)
{
    return fake_outcome("rsb_lib_init", 0, -1, -0x40);
}

int rsb_lib_set_opt(int option, const void *value)
{
    if (option != 9) return -1;
    rsb_threads = *(const int *)value;
    return 0;
}

int rsb_strerror_r(int code, char *text, size_t size)
{
    snprintf(text, size, "error %x of the fake", -code);
    return 0;
}

void *rsb_mtx_alloc_from_csr_const(const void *val, const int *row_ptr, const int *col, int entries,
                                   char type, int rows, int cols, int high, int wide, int flags, int *code)
{
    *code = fake_outcome("rsb_mtx_alloc_from_csr_const", rows, -1, -0x40);
    if (entries != row_ptr[rows] || (type != 'S' && type != 'D') || high != 1 || wide != 1 || flags)
        *code = -2;
    return *code ? NULL : fake_matrix_new(rows, cols, entries, row_ptr, col, val, type == 'S');
}

/* The matrix may move. */
int rsb_tune_spmm(void **a, double *gain, int *threads, int rounds, double seconds, int transposition,
                  const void *alpha, const void *same, int columns, int order, const void *x, int x_stride,
                  const void *beta, void *y, int y_stride)
{
    struct fake_matrix *old = *a;
    int code = fake_outcome("rsb_tune_spmm", old->rows, -1, -0x40);
    if (threads || same || columns < 1 || (transposition != 'N' && transposition != 'T') ||
        (order != 0x4000000 && order != 0) || x || y || !alpha || !beta)
        return -2;
    fake_seen.optimized++;
    if (code) return code;
    *a = fake_matrix_new(old->rows, old->cols, old->entries, old->row_ptr, old->col, old->val, old->single);
    fake_matrix_free(old);
    return 0;
}

int rsb_spmv(int transposition, const void *alpha, const void *a, const void *x, int x_step, const void *beta,
             void *y, int y_step)
{
    const struct fake_matrix *m = a;
    int code = fake_outcome("rsb_spmv", m->rows, -1, -0x40);
    if ((transposition != 'N' && transposition != 'T') || x_step != 1 || y_step != 1) return -2;
    if ((m->single ? (double)*(const float *)alpha : *(const double *)alpha) != 1) return -2;
    if (code == 0 && transposition == 'T') return rsb_spmm('T', alpha, a, 1, 0, x, 1, beta, y, 1);
    if (code == 0)
        fake_multiply("rsb_spmv", m, x, m->single ? (double)*(const float *)beta : *(const double *)beta, y,
                      rsb_threads);
    return code;
}

int rsb_spmm(int transposition, const void *alpha, const void *a, int columns, int order, const void *x,
             int x_stride, const void *beta, void *y, int y_stride)
{
    const struct fake_matrix *m = a;
    int code = fake_outcome("rsb_spmm", m->rows, -1, -0x40);
    bool by_rows = order == 0, transposed = transposition == 'T';
    int x_least = by_rows ? columns : transposed ? m->rows : m->cols;
    int y_least = by_rows ? columns : transposed ? m->cols : m->rows;
    if ((!by_rows && order != 0x4000000) || x_stride < x_least || y_stride < y_least) return -2;
    if (fake_number_at(m, alpha, 0) != 1) return -2;
    if (code == 0)
        fake_multiply_several("rsb_spmm", m, transposed, columns, x, fake_apart_of(by_rows, x_stride),
                              fake_number_at(m, beta, 0), y, fake_apart_of(by_rows, y_stride), rsb_threads);
    return code;
}

#ifndef LACKING
void *rsb_mtx_free(void *a)
{
    fake_matrix_free(a);
    return NULL;
}
#endif
