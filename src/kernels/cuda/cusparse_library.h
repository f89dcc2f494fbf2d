/* cuSPARSE as found at run time, and the used part of its interface. It is declared here, so that neither its
 * headers nor the library are needed to build or to start the program; cusparse.cuh compares it with NVIDIA's
 * header if nvcc has it. Finding the library needs no GPU: C and C++ include this header, and tests use their
 * own library. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUSPARSE_LIBRARY_H
#define SPARSIGHT_KERNELS_CUDA_CUSPARSE_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/backend.h"

/* A handle of the library, the descriptor of a matrix, that of a vector, or, for cusparseSpMM, of several. */
typedef void *cusparse_context, *cusparse_matrix, *cusparse_vector;
/* An operation and a plan of SpMVOp. */
typedef void *cusparse_operation, *cusparse_plan;

/* The types of cuSPARSE's functions. Enumerations, cudaDataType among them, are int, and a stream is an
 * address. cusparseSpMV and cusparseSpMV_preprocess have the type `spmv`; cusparseSpMV_bufferSize is the
 * `spmv_question`, and cusparseSbsrmv and its sisters are `blocks`. All of them compute, or prepare,
 * y = alpha A x + beta y. */
typedef int cusparse_spmv(cusparse_context, int operation, const void *alpha, cusparse_matrix a,
                          cusparse_vector x, const void *beta, cusparse_vector y, int type, int algorithm,
                          void *buffer);
typedef int cusparse_spmv_question(cusparse_context, int operation, const void *alpha, cusparse_matrix a,
                                   cusparse_vector x, const void *beta, cusparse_vector y, int type,
                                   int algorithm, size_t *bytes);
/* The same for cusparseSpMM, which also has an operation on X. */
typedef int cusparse_spmm(cusparse_context, int operation, int operation_x, const void *alpha,
                          cusparse_matrix a, cusparse_vector x, const void *beta, cusparse_vector y, int type,
                          int algorithm, void *buffer);
typedef int cusparse_spmm_question(cusparse_context, int operation, int operation_x, const void *alpha,
                                   cusparse_matrix a, cusparse_vector x, const void *beta, cusparse_vector y,
                                   int type, int algorithm, size_t *bytes);
typedef int cusparse_blocks(cusparse_context, int direction, int operation, int rows, int columns, int count,
                            const void *alpha, void *description, const void *val, const int *row_ptr,
                            const int *col, int size, const void *x, const void *beta, void *y);

/* The types of cusparseSpSV_bufferSize, cusparseSpSV_analysis and cusparseSpSV_solve, which solve A y = alpha
 * x. */
typedef int cusparse_spsv_question(cusparse_context, int operation, const void *alpha, cusparse_matrix a,
                                   cusparse_vector x, cusparse_vector y, int type, int algorithm, void *solve,
                                   size_t *bytes);
typedef int cusparse_spsv_analysis(cusparse_context, int operation, const void *alpha, cusparse_matrix a,
                                   cusparse_vector x, cusparse_vector y, int type, int algorithm, void *solve,
                                   void *buffer);
typedef int cusparse_spsv_solve(cusparse_context, int operation, const void *alpha, cusparse_matrix a,
                                cusparse_vector x, cusparse_vector y, int type, int algorithm, void *solve);

struct cusparse_functions {
    int (*get_property)(int what, int *value);
    const char *(*error_string)(int status);
    const char *(*error_name)(int status);
    int (*create)(cusparse_context *);
    int (*destroy)(cusparse_context);
    int (*set_stream)(cusparse_context, void *stream);
    int (*create_vector)(cusparse_vector *, int64_t size, void *values, int type);
    int (*destroy_vector)(cusparse_vector);
    int (*set_values)(cusparse_vector, void *values);
    int (*create_csr)(cusparse_matrix *, int64_t rows, int64_t columns, int64_t entries, void *row_ptr,
                      void *col, void *val, int offset, int index, int base, int type);
    int (*create_coo)(cusparse_matrix *, int64_t rows, int64_t columns, int64_t entries, void *row, void *col,
                      void *val, int index, int base, int type);
    int (*destroy_matrix)(cusparse_matrix);
    int (*create_vectors)(cusparse_vector *, int64_t size, int64_t count, int64_t leading, void *values,
                          int type, int order);
    int (*destroy_vectors)(cusparse_vector);
    int (*set_values_of_vectors)(cusparse_vector, void *values);
    cusparse_spmm_question *products_buffer_size;
    cusparse_spmm *multiply_vectors;
    cusparse_spmv_question *buffer_size;
    cusparse_spmv *multiply;
    /* The first releases of version 12 lack these functions. */
    cusparse_spmv *preprocess;
    cusparse_spmm *preprocess_vectors;
    int (*create_sell)(cusparse_matrix *, int64_t rows, int64_t columns, int64_t entries, int64_t slots,
                       int64_t c, void *chunk_ptr, void *col, void *val, int offset, int index, int base,
                       int type);
    int (*create_bsr)(cusparse_matrix *, int64_t rows, int64_t columns, int64_t count, int64_t high,
                      int64_t wide, void *row_ptr, void *col, void *val, int offset, int index, int base,
                      int type, int order);
    /* Later releases may lack these functions. */
    int (*create_description)(void **);
    int (*destroy_description)(void *);
    cusparse_blocks *blocks_single;
    cusparse_blocks *blocks_double;
    cusparse_blocks *blocks_single_complex;
    cusparse_blocks *blocks_double_complex;
    /* Triangular solves. */
    int (*set_attribute)(cusparse_matrix, int attribute, void *data, size_t bytes);
    int (*create_solve)(void **);
    int (*destroy_solve)(void *);
    cusparse_spsv_question *solve_buffer_size;
    cusparse_spsv_analysis *solve_analysis;
    cusparse_spsv_solve *solve;
    /* SpMVOp: z = alpha A x + beta y by a plan that was made for the matrix; z may be y. NVIDIA calls it
     * experimental (CUSPARSE_ENABLE_EXPERIMENTAL_API): another release may change or lack it. NULL, all of
     * them, unless the release is one whose functions have these types. */
    int (*op_buffer_size)(cusparse_context, int operation, cusparse_matrix a, cusparse_vector x,
                          cusparse_vector y, cusparse_vector z, int type, int algorithm, size_t *bytes);
    int (*op_create)(cusparse_context, cusparse_operation *, int operation, cusparse_matrix a,
                     cusparse_vector x, cusparse_vector y, cusparse_vector z, int type, int algorithm,
                     void *buffer);
    int (*op_destroy)(cusparse_operation);
    int (*op_plan)(cusparse_context, cusparse_operation, cusparse_plan *, const void *code, size_t bytes);
    int (*op_destroy_plan)(cusparse_plan);
    int (*op_multiply)(cusparse_context, cusparse_plan, const void *alpha, const void *beta,
                       cusparse_vector x, cusparse_vector y, cusparse_vector z);
};

/* The result of the search for the library. */
struct cusparse_library {
    char named[1024];    /* value of SPARSIGHT_CUSPARSE at the time of the search */
    char reason[1024];   /* the reason why it cannot be used; "" if it can */
    char op_reason[256]; /* the reason why SpMVOp cannot be used; "" if it can, or if the library cannot */
    struct device_library found; /* its version and its file */
    struct cusparse_functions functions;
};

/* Search for the library unless that was done since SPARSIGHT_CUSPARSE was changed. Once loaded it stays in
 * memory. The result is valid until the variable changes; the variable must not be changed while a kernel of
 * the library is prepared. */
const struct cusparse_library *cusparse_look(void);

/* Return the first function of triangular solves that the library lacks; NULL if it has all. */
const char *cusparse_solve_lacks(const struct cusparse_library *library);

/* Return the reason why SpMVOp cannot compile: its compiler nvJitLink is missing. NULL if the file with this
 * name exists, in the system's library paths or beside cuSPARSE. */
#define CUSPARSE_COMPILER "libnvJitLink.so.13"
const char *cusparse_compiler_missing(const struct cusparse_library *library);

#endif
