/* A library that stands for oneMKL, AOCL-Sparse, librsb, SuiteSparse:GraphBLAS and Arm Performance Libraries
 * at once, written after their documentation as src/kernels/libraries is: it has their functions, multiplies
 * in plain loops, and does wrong what the environment asks for:
 *
 *     FAKE_LIBRARY=FUNCTION=ACTION    fail, memory (it fails for lack of it), exit, crash, hang, wrong (the
 *                                     last row is one too large), old (an old version), insist (on another
 *                                     layer), print
 *     FAKE_LARGE=1                    only with matrices of more than 4 rows
 *     FAKE_MARK=FILE                  FILE is made when the library is loaded
 *
 * It is compiled a second time as a library that lacks the last function of each (LACKING). Tests read what
 * it was asked for in fake_seen. */
#include <fcntl.h>
#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What was asked for last. */
struct {
    int threads;   /* of a product */
    int optimized; /* matrices that were analysed or tuned, */
    int alive;     /* and that were not freed */
} fake_seen;

/* A matrix, or a vector of GraphBLAS. */
struct matrix {
    int rows, cols, entries;
    const int *row_ptr, *col;
    const void *val;
    bool single;
    uint64_t *wide_row_ptr, *wide_col; /* GraphBLAS' own */
    void *data;                        /* a vector's */
    uint64_t bytes;
};

__attribute__((constructor)) static void loaded(void)
{
    const char *mark = getenv("FAKE_MARK");
    if (mark) close(open(mark, O_CREAT | O_WRONLY, 0600));
}

/* What a function is to do wrong with a matrix of so many rows; "" for nothing. */
static const char *fault(const char *function, int rows)
{
    const char *asked = getenv("FAKE_LIBRARY");
    size_t length = strlen(function);
    if (!asked || strncmp(asked, function, length) != 0 || asked[length] != '=') return "";
    if (getenv("FAKE_LARGE") && rows <= 4) return "";
    asked += length + 1;
    if (strcmp(asked, "exit") == 0) {
        printf("first words\nFAKE FATAL ERROR: no %s\n\n", function);
        exit(0);
    }
    if (strcmp(asked, "crash") == 0) raise(SIGSEGV);
    if (strcmp(asked, "print") == 0) printf("%s prints\n", function);
    while (strcmp(asked, "hang") == 0)
        pause();
    return asked;
}

/* 0; or the code that means failure, or that there is no memory, if the function is to fail. */
static int outcome(const char *function, int rows, int failure, int memory)
{
    const char *what = fault(function, rows);
    return strcmp(what, "fail") == 0 ? failure : strcmp(what, "memory") == 0 ? memory : 0;
}

static struct matrix *matrix_new(int rows, int cols, int entries, const int *row_ptr, const int *col,
                                 const void *val, bool single)
{
    struct matrix *a = calloc(1, sizeof *a);
    if (!a) abort();
    *a = (struct matrix){rows, cols, entries, row_ptr, col, val, single, NULL, NULL, NULL, 0};
    fake_seen.alive++;
    return a;
}

static void matrix_free(struct matrix *a)
{
    if (!a) return;
    free(a->wide_row_ptr);
    free(a->wide_col);
    if (a->wide_col) free((void *)a->val);
    free(a);
    fake_seen.alive--;
}

/* y = beta y + A x */
static void multiply(const char *function, const struct matrix *a, const void *x, double beta, void *y,
                     int threads)
{
    bool wrong = strcmp(fault(function, a->rows), "wrong") == 0;
    fake_seen.threads = threads;
    for (int i = 0; i < a->rows; i++) {
        int64_t first = a->wide_col ? (int64_t)a->wide_row_ptr[i] : a->row_ptr[i];
        int64_t end = a->wide_col ? (int64_t)a->wide_row_ptr[i + 1] : a->row_ptr[i + 1];
        double sum = wrong && i + 1 == a->rows;
        if (beta != 0) sum += beta * (a->single ? (double)((float *)y)[i] : ((double *)y)[i]);
        for (int64_t k = first; k < end; k++) {
            int64_t j = a->wide_col ? (int64_t)a->wide_col[k] : a->col[k];
            sum += a->single ? (double)((const float *)a->val)[k] * (double)((const float *)x)[j]
                             : ((const double *)a->val)[k] * ((const double *)x)[j];
        }
        if (a->single)
            ((float *)y)[i] = (float)sum;
        else
            ((double *)y)[i] = sum;
    }
}

static double number_at(const struct matrix *a, const void *vector, int64_t e)
{
    return a->single ? (double)((const float *)vector)[e] : ((const double *)vector)[e];
}

/* Y = beta Y + A X, or A^T X, for vectors whose elements lie as far apart as `x` and `y` say. */
struct apart {
    int64_t element, vector;
};

static void multiply_several(const char *function, const struct matrix *a, bool transposed, int columns,
                             const void *x, struct apart x_apart, double beta, void *y, struct apart y_apart,
                             int threads)
{
    bool wrong = strcmp(fault(function, a->rows), "wrong") == 0;
    int64_t size = transposed ? a->cols : a->rows;
    fake_seen.threads = threads;
    for (int64_t c = 0; c < columns; c++)
        for (int64_t i = 0; i < size; i++) {
            int64_t e = i * y_apart.element + c * y_apart.vector;
            double sum = (beta != 0 ? beta * number_at(a, y, e) : 0) + wrong;
            for (int64_t r = 0; r < a->rows; r++)
                for (int64_t k = a->row_ptr[r]; k < a->row_ptr[r + 1]; k++)
                    if ((transposed ? a->col[k] : r) == i)
                        sum += number_at(a, a->val, k) *
                               number_at(a, x,
                                         (transposed ? r : a->col[k]) * x_apart.element + c * x_apart.vector);
            if (a->single)
                ((float *)y)[e] = (float)sum;
            else
                ((double *)y)[e] = sum;
        }
}

/* The distances in vectors one behind the other, or side by side, with this leading dimension. */
static struct apart apart_of(bool by_rows, int stride)
{
    return by_rows ? (struct apart){stride, 1} : (struct apart){1, stride};
}

/* oneMKL */

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
int mkl_sparse_destroy(void *a);

int MKL_Set_Interface_Layer(int layer)
{
    return strcmp(fault("MKL_Set_Interface_Layer", 0), "insist") == 0 ? 1 : layer;
}

int MKL_Set_Threading_Layer(int layer)
{
    return strcmp(fault("MKL_Set_Threading_Layer", 0), "insist") == 0 ? 0 : layer;
}

void MKL_Get_Version_String(char *text, int length)
{
    bool old = strcmp(fault("MKL_Get_Version_String", 0), "old") == 0;
    snprintf(text, (size_t)length, "Intel(R) Math Kernel Library Version %s Product Build 20261122",
             old ? "2018.0.4" : "2031.5");
}

void MKL_Set_Dynamic(int on)
{
    (void)on;
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
    int code = base == 0 && end == first + 1 ? outcome(function, rows, 3, 2) : 3;
    if (code == 0) *a = matrix_new(rows, cols, first[rows], first, col, val, single);
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

static bool is_general(int operation, struct descr descr)
{
    return (operation == 10 || operation == 11) && descr.type == 20;
}

int mkl_sparse_set_mv_hint(void *a, int operation, struct descr descr, int calls)
{
    if (!is_general(operation, descr) || calls < 1) return 3;
    return outcome("mkl_sparse_set_mv_hint", ((struct matrix *)a)->rows, 6, 2);
}

int mkl_sparse_set_mm_hint(void *a, int operation, struct descr descr, int layout, int columns, int calls)
{
    if (!is_general(operation, descr) || (layout != 101 && layout != 102) || columns < 2 || calls < 1)
        return 3;
    return outcome("mkl_sparse_set_mm_hint", ((struct matrix *)a)->rows, 6, 2);
}

int mkl_sparse_set_memory_hint(void *a, int policy)
{
    return policy == 81 ? outcome("mkl_sparse_set_memory_hint", ((struct matrix *)a)->rows, 6, 2) : 3;
}

int mkl_sparse_optimize(void *a)
{
    fake_seen.optimized++;
    return outcome("mkl_sparse_optimize", ((struct matrix *)a)->rows, 5, 2);
}

int mkl_sparse_s_mv(int operation, float alpha, void *a, struct descr descr, const float *x, float beta,
                    float *y)
{
    int code = outcome("mkl_sparse_s_mv", ((struct matrix *)a)->rows, 4, 2);
    if (!is_general(operation, descr) || alpha != 1) return 3;
    if (code == 0 && operation == 11)
        multiply_several("mkl_sparse_s_mv", a, true, 1, x, apart_of(true, 1), (double)beta, y,
                         apart_of(true, 1), mkl_threads);
    else if (code == 0)
        multiply("mkl_sparse_s_mv", a, x, (double)beta, y, mkl_threads);
    return code;
}

int mkl_sparse_d_mv(int operation, double alpha, void *a, struct descr descr, const double *x, double beta,
                    double *y)
{
    int code = outcome("mkl_sparse_d_mv", ((struct matrix *)a)->rows, 4, 2);
    if (!is_general(operation, descr) || alpha != 1) return 3;
    if (code == 0 && operation == 11)
        multiply_several("mkl_sparse_d_mv", a, true, 1, x, apart_of(true, 1), beta, y, apart_of(true, 1),
                         mkl_threads);
    else if (code == 0)
        multiply("mkl_sparse_d_mv", a, x, beta, y, mkl_threads);
    return code;
}

static int mkl_mm(const char *function, int operation, double alpha, const struct matrix *a,
                  struct descr descr, int layout, const void *x, int columns, int x_stride, double beta,
                  void *y, int y_stride)
{
    int code = outcome(function, a->rows, 4, 2);
    bool by_rows = layout == 101;
    int x_least = by_rows ? columns : operation == 11 ? a->rows : a->cols;
    int y_least = by_rows ? columns : operation == 11 ? a->cols : a->rows;
    if (!is_general(operation, descr) || alpha != 1 || (!by_rows && layout != 102)) return 3;
    if (x_stride < x_least || y_stride < y_least) return 3;
    if (code == 0)
        multiply_several(function, a, operation == 11, columns, x, apart_of(by_rows, x_stride), beta, y,
                         apart_of(by_rows, y_stride), mkl_threads);
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

#ifndef LACKING
int mkl_sparse_destroy(void *a)
{
    matrix_free(a);
    return 0;
}
#endif

/* AOCL-Sparse */

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
    bool old = strcmp(fault("aoclsparse_get_version", 0), "old") == 0;
    return old ? "AOCL-Sparse 3.2.0 Build 20261122" : "AOCL-Sparse 31.5.0 Build 20261122";
}

int aoclsparse_create_mat_descr(void **descr)
{
    int code = outcome("aoclsparse_create_mat_descr", 0, 4, 10);
    if (code == 0) *descr = matrix_new(0, 0, 0, NULL, NULL, NULL, false);
    return code;
}

int aoclsparse_destroy_mat_descr(void *descr)
{
    matrix_free(descr);
    return 0;
}

int aoclsparse_create_scsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           float *val)
{
    int code = base == 0 && entries == row_ptr[rows] ? outcome("aoclsparse_create_scsr", rows, 5, 10) : 5;
    if (code == 0) *a = matrix_new(rows, cols, entries, row_ptr, col, val, true);
    return code;
}

int aoclsparse_create_dcsr(void **a, int base, int rows, int cols, int entries, int *row_ptr, int *col,
                           double *val)
{
    int code = base == 0 && entries == row_ptr[rows] ? outcome("aoclsparse_create_dcsr", rows, 5, 10) : 5;
    if (code == 0) *a = matrix_new(rows, cols, entries, row_ptr, col, val, false);
    return code;
}

int aoclsparse_set_mv_hint(void *a, int operation, const void *descr, int calls)
{
    if (operation != 111 || !descr || calls < 1) return 5;
    return outcome("aoclsparse_set_mv_hint", ((struct matrix *)a)->rows, 5, 10);
}

int aoclsparse_optimize(void *a)
{
    fake_seen.optimized++;
    return outcome("aoclsparse_optimize", ((struct matrix *)a)->rows, 4, 10);
}

int aoclsparse_smv(int operation, const float *alpha, void *a, const void *descr, const float *x,
                   const float *beta, float *y)
{
    int code = outcome("aoclsparse_smv", ((struct matrix *)a)->rows, 4, 10);
    if (operation != 111 || *alpha != 1 || !descr) return 5;
    if (code == 0) multiply("aoclsparse_smv", a, x, (double)*beta, y, omp_get_max_threads());
    return code;
}

int aoclsparse_dmv(int operation, const double *alpha, void *a, const void *descr, const double *x,
                   const double *beta, double *y)
{
    int code = outcome("aoclsparse_dmv", ((struct matrix *)a)->rows, 4, 10);
    if (operation != 111 || *alpha != 1 || !descr) return 5;
    if (code == 0) multiply("aoclsparse_dmv", a, x, *beta, y, omp_get_max_threads());
    return code;
}

#ifndef LACKING
int aoclsparse_destroy(void **a)
{
    matrix_free(*a);
    *a = NULL;
    return 0;
}
#endif

/* librsb */

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
    (void)options;
    return outcome("rsb_lib_init", 0, -1, -0x40);
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
    *code = outcome("rsb_mtx_alloc_from_csr_const", rows, -1, -0x40);
    if (entries != row_ptr[rows] || (type != 'S' && type != 'D') || high != 1 || wide != 1 || flags)
        *code = -2;
    return *code ? NULL : matrix_new(rows, cols, entries, row_ptr, col, val, type == 'S');
}

/* The matrix may move. */
int rsb_tune_spmm(void **a, double *gain, int *threads, int rounds, double seconds, int transposition,
                  const void *alpha, const void *same, int columns, int order, const void *x, int x_stride,
                  const void *beta, void *y, int y_stride)
{
    struct matrix *old = *a;
    int code = outcome("rsb_tune_spmm", old->rows, -1, -0x40);
    if (threads || same || columns < 1 || (transposition != 'N' && transposition != 'T') ||
        (order != 0x4000000 && order != 0) || x || y || !alpha || !beta)
        return -2;
    (void)gain;
    (void)rounds;
    (void)seconds;
    (void)x_stride;
    (void)y_stride;
    fake_seen.optimized++;
    if (code) return code;
    *a = matrix_new(old->rows, old->cols, old->entries, old->row_ptr, old->col, old->val, old->single);
    matrix_free(old);
    return 0;
}

int rsb_spmv(int transposition, const void *alpha, const void *a, const void *x, int x_step, const void *beta,
             void *y, int y_step)
{
    const struct matrix *m = a;
    int code = outcome("rsb_spmv", m->rows, -1, -0x40);
    if ((transposition != 'N' && transposition != 'T') || x_step != 1 || y_step != 1) return -2;
    if ((m->single ? (double)*(const float *)alpha : *(const double *)alpha) != 1) return -2;
    if (code == 0 && transposition == 'T') return rsb_spmm('T', alpha, a, 1, 0, x, 1, beta, y, 1);
    if (code == 0)
        multiply("rsb_spmv", m, x, m->single ? (double)*(const float *)beta : *(const double *)beta, y,
                 rsb_threads);
    return code;
}

int rsb_spmm(int transposition, const void *alpha, const void *a, int columns, int order, const void *x,
             int x_stride, const void *beta, void *y, int y_stride)
{
    const struct matrix *m = a;
    int code = outcome("rsb_spmm", m->rows, -1, -0x40);
    bool by_rows = order == 0, transposed = transposition == 'T';
    int x_least = by_rows ? columns : transposed ? m->rows : m->cols;
    int y_least = by_rows ? columns : transposed ? m->cols : m->rows;
    if ((!by_rows && order != 0x4000000) || x_stride < x_least || y_stride < y_least) return -2;
    if (number_at(m, alpha, 0) != 1) return -2;
    if (code == 0)
        multiply_several("rsb_spmm", m, transposed, columns, x, apart_of(by_rows, x_stride),
                         number_at(m, beta, 0), y, apart_of(by_rows, y_stride), rsb_threads);
    return code;
}

#ifndef LACKING
void *rsb_mtx_free(void *a)
{
    matrix_free(a);
    return NULL;
}
#endif

/* SuiteSparse:GraphBLAS, version 10; with FAKE_LIBRARY=GxB_Global_Option_get_INT32=old, version 6 */

static int graphblas_threads, type_single, type_double, plus_times_single, plus_times_double, plus_single,
    plus_double;
void *GrB_FP32 = &type_single, *GrB_FP64 = &type_double, *GrB_PLUS_FP32 = &plus_single,
     *GrB_PLUS_FP64 = &plus_double, *GrB_PLUS_TIMES_SEMIRING_FP32 = &plus_times_single,
     *GrB_PLUS_TIMES_SEMIRING_FP64 = &plus_times_double;

int GrB_init(int mode);
int GxB_Global_Option_get_INT32(int option, int *value);
int GxB_Global_Option_set_INT32(int option, int value);
int GrB_Matrix_new(void **a, void *type, uint64_t rows, uint64_t cols);
int GxB_Matrix_pack_CSR(void *a, uint64_t **row_ptr, uint64_t **col, void **val, uint64_t row_ptr_bytes,
                        uint64_t col_bytes, uint64_t val_bytes, bool iso, bool jumbled, void *descriptor);
int GrB_Matrix_wait(void *a, int mode);
int GrB_Matrix_free(void **a);
int GrB_Vector_new(void **v, void *type, uint64_t size);
int GxB_Vector_pack_Full(void *v, void **data, uint64_t bytes, bool iso, void *descriptor);
int GxB_Vector_unpack_Full(void *v, void **data, uint64_t *bytes, bool *iso, void *descriptor);
int GrB_Vector_wait(void *v, int mode);
int GrB_Vector_free(void **v);
int GrB_mxv(void *y, void *mask, void *accumulate, void *semiring, void *a, void *x, void *descriptor);

int GrB_init(int mode)
{
    return mode == 0 ? outcome("GrB_init", 0, -3, -102) : -3;
}

int GxB_Global_Option_get_INT32(int option, int *value)
{
    const char *what = fault("GxB_Global_Option_get_INT32", 0);
    bool old = strcmp(what, "old") == 0, seven = strcmp(what, "seven") == 0;
    if (option != (old || seven ? 9 : 7005)) return -3;
    value[0] = old ? 6 : seven ? 7 : 31;
    value[1] = 5;
    value[2] = 1;
    return 0;
}

int GxB_Global_Option_set_INT32(int option, int value)
{
    bool seven = strcmp(fault("GxB_Global_Option_get_INT32", 0), "seven") == 0;
    if (option != (seven ? 5 : 7086)) return -3;
    graphblas_threads = value;
    return 0;
}

int GrB_Matrix_new(void **a, void *type, uint64_t rows, uint64_t cols)
{
    int code = outcome("GrB_Matrix_new", (int)rows, -3, -102);
    if (code == 0) *a = matrix_new((int)rows, (int)cols, 0, NULL, NULL, NULL, type == GrB_FP32);
    return code;
}

int GxB_Matrix_pack_CSR(void *a, uint64_t **row_ptr, uint64_t **col, void **val, uint64_t row_ptr_bytes,
                        uint64_t col_bytes, uint64_t val_bytes, bool iso, bool jumbled, void *descriptor)
{
    struct matrix *m = a;
    uint64_t entries = (*row_ptr)[m->rows];
    int code = outcome("GxB_Matrix_pack_CSR", m->rows, -3, -102);
    if (row_ptr_bytes != ((uint64_t)m->rows + 1) * 8 || col_bytes != entries * 8 ||
        val_bytes != entries * (m->single ? 4 : 8) || iso || jumbled || descriptor)
        return -3;
    if (code) return code;
    m->wide_row_ptr = *row_ptr;
    m->wide_col = *col;
    m->val = *val;
    *row_ptr = *col = NULL;
    *val = NULL;
    return 0;
}

int GrB_Matrix_wait(void *a, int mode)
{
    fake_seen.optimized++;
    return mode == 1 ? outcome("GrB_Matrix_wait", ((struct matrix *)a)->rows, -3, -102) : -3;
}

int GrB_Matrix_free(void **a)
{
    matrix_free(*a);
    *a = NULL;
    return 0;
}

int GrB_Vector_new(void **v, void *type, uint64_t size)
{
    return GrB_Matrix_new(v, type, size, 1) ? -3 : outcome("GrB_Vector_new", (int)size, -3, -102);
}

int GxB_Vector_pack_Full(void *v, void **data, uint64_t bytes, bool iso, void *descriptor)
{
    struct matrix *m = v;
    int code = outcome("GxB_Vector_pack_Full", m->rows, -3, -102);
    if (bytes != (uint64_t)m->rows * (m->single ? 4 : 8) || iso || descriptor) return -3;
    if (code) return code;
    m->data = *data;
    m->bytes = bytes;
    *data = NULL;
    return 0;
}

int GxB_Vector_unpack_Full(void *v, void **data, uint64_t *bytes, bool *iso, void *descriptor)
{
    struct matrix *m = v;
    (void)descriptor;
    *data = m->data;
    *bytes = m->bytes;
    *iso = false;
    m->data = NULL;
    return 0;
}

int GrB_Vector_wait(void *v, int mode)
{
    return mode == 1 ? outcome("GrB_Vector_wait", ((struct matrix *)v)->rows, -3, -102) : -3;
}

int GrB_Vector_free(void **v)
{
    return GrB_Matrix_free(v);
}

#ifndef LACKING
int GrB_mxv(void *y, void *mask, void *accumulate, void *semiring, void *a, void *x, void *descriptor)
{
    struct matrix *m = a;
    int code = outcome("GrB_mxv", m->rows, -3, -102);
    bool right = semiring == (m->single ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64) &&
                 accumulate == (m->single ? GrB_PLUS_FP32 : GrB_PLUS_FP64);
    if (!right || mask || descriptor) return -3;
    if (code == 0)
        multiply("GrB_mxv", m, ((struct matrix *)x)->data, 1, ((struct matrix *)y)->data, graphblas_threads);
    return code;
}
#endif

/* Arm Performance Libraries */

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
    *major = strcmp(fault("armplversion", 0), "old") == 0 ? 18 : 31;
    *minor = 5;
    *patch = 0;
    *tag = "";
}

int armpl_spmat_create_csr_s(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const float *val, int flags)
{
    int code = flags == 0 ? outcome("armpl_spmat_create_csr_s", rows, 1, 2) : 1;
    if (code == 0) *a = matrix_new(rows, cols, row_ptr[rows], row_ptr, col, val, true);
    return code;
}

int armpl_spmat_create_csr_d(void **a, int rows, int cols, const int *row_ptr, const int *col,
                             const double *val, int flags)
{
    int code = flags == 0 ? outcome("armpl_spmat_create_csr_d", rows, 1, 2) : 1;
    if (code == 0) *a = matrix_new(rows, cols, row_ptr[rows], row_ptr, col, val, false);
    return code;
}

int armpl_spmat_hint(void *a, int hint, int value)
{
    bool known = (hint == 60 && value == 300) || (hint == 80 && value == 420);
    return known ? outcome("armpl_spmat_hint", ((struct matrix *)a)->rows, 1, 2) : 1;
}

int armpl_spmv_optimize(void *a)
{
    fake_seen.optimized++;
    return outcome("armpl_spmv_optimize", ((struct matrix *)a)->rows, 1, 2);
}

int armpl_spmv_exec_s(int operation, float alpha, void *a, const float *x, float beta, float *y)
{
    int code =
        operation == 300 && alpha == 1 ? outcome("armpl_spmv_exec_s", ((struct matrix *)a)->rows, 2, 2) : 1;
    if (code == 0) multiply("armpl_spmv_exec_s", a, x, (double)beta, y, omp_get_max_threads());
    return code;
}

int armpl_spmv_exec_d(int operation, double alpha, void *a, const double *x, double beta, double *y)
{
    int code =
        operation == 300 && alpha == 1 ? outcome("armpl_spmv_exec_d", ((struct matrix *)a)->rows, 2, 2) : 1;
    if (code == 0) multiply("armpl_spmv_exec_d", a, x, beta, y, omp_get_max_threads());
    return code;
}

#ifndef LACKING
int armpl_spmat_destroy(void *a)
{
    matrix_free(a);
    return 0;
}
#endif
