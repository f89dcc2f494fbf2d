/* Of the library that stands for all (fake_library.h): SuiteSparse:GraphBLAS, version 10; with
 * FAKE_LIBRARY=GxB_Global_Option_get_INT32=old, version 6, and with seven instead, version 7. */
#include <stdbool.h>
#include <string.h>

#include "support/fake_library.h"

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
    return mode == 0 ? fake_outcome("GrB_init", 0, -3, -102) : -3;
}

int GxB_Global_Option_get_INT32(int option, int *value)
{
    const char *what = fake_fault("GxB_Global_Option_get_INT32", 0);
    bool old = strcmp(what, "old") == 0, seven = strcmp(what, "seven") == 0;
    if (option != (old || seven ? 9 : 7005)) return -3;
    value[0] = old ? 6 : seven ? 7 : 31;
    value[1] = 5;
    value[2] = 1;
    return 0;
}

int GxB_Global_Option_set_INT32(int option, int value)
{
    bool seven = strcmp(fake_fault("GxB_Global_Option_get_INT32", 0), "seven") == 0;
    if (option != (seven ? 5 : 7086)) return -3;
    graphblas_threads = value;
    return 0;
}

int GrB_Matrix_new(void **a, void *type, uint64_t rows, uint64_t cols)
{
    int code = fake_outcome("GrB_Matrix_new", (int)rows, -3, -102);
    if (code == 0) *a = fake_matrix_new((int)rows, (int)cols, 0, NULL, NULL, NULL, type == GrB_FP32);
    return code;
}

int GxB_Matrix_pack_CSR(void *a, uint64_t **row_ptr, uint64_t **col, void **val, uint64_t row_ptr_bytes,
                        uint64_t col_bytes, uint64_t val_bytes, bool iso, bool jumbled, void *descriptor)
{
    struct fake_matrix *m = a;
    uint64_t entries = (*row_ptr)[m->rows];
    int code = fake_outcome("GxB_Matrix_pack_CSR", m->rows, -3, -102);
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
    return mode == 1 ? fake_outcome("GrB_Matrix_wait", ((struct fake_matrix *)a)->rows, -3, -102) : -3;
}

int GrB_Matrix_free(void **a)
{
    fake_matrix_free(*a);
    *a = NULL;
    return 0;
}

int GrB_Vector_new(void **v, void *type, uint64_t size)
{
    return GrB_Matrix_new(v, type, size, 1) ? -3 : fake_outcome("GrB_Vector_new", (int)size, -3, -102);
}

int GxB_Vector_pack_Full(void *v, void **data, uint64_t bytes, bool iso, void *descriptor)
{
    struct fake_matrix *m = v;
    int code = fake_outcome("GxB_Vector_pack_Full", m->rows, -3, -102);
    if (bytes != (uint64_t)m->rows * (m->single ? 4 : 8) || iso || descriptor) return -3;
    if (code) return code;
    m->data = *data;
    m->bytes = bytes;
    *data = NULL;
    return 0;
}

int GxB_Vector_unpack_Full(void *v, void **data, uint64_t *bytes, bool *iso, void *descriptor)
{
    struct fake_matrix *m = v;
    *data = m->data;
    *bytes = m->bytes;
    *iso = false;
    m->data = NULL;
    return 0;
}

int GrB_Vector_wait(void *v, int mode)
{
    return mode == 1 ? fake_outcome("GrB_Vector_wait", ((struct fake_matrix *)v)->rows, -3, -102) : -3;
}

int GrB_Vector_free(void **v)
{
    return GrB_Matrix_free(v);
}

#ifndef LACKING
int GrB_mxv(void *y, void *mask, void *accumulate, void *semiring, void *a, void *x, void *descriptor)
{
    struct fake_matrix *m = a;
    int code = fake_outcome("GrB_mxv", m->rows, -3, -102);
    bool right = semiring == (m->single ? GrB_PLUS_TIMES_SEMIRING_FP32 : GrB_PLUS_TIMES_SEMIRING_FP64) &&
                 accumulate == (m->single ? GrB_PLUS_FP32 : GrB_PLUS_FP64);
    if (!right || mask || descriptor) return -3;
    if (code == 0)
        fake_multiply("GrB_mxv", m, ((struct fake_matrix *)x)->data, 1, ((struct fake_matrix *)y)->data,
                      graphblas_threads);
    return code;
}
#endif
