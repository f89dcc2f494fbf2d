/* The part of cuSPARSE's interface that is used. It is declared here, so that neither its headers nor the
 * library are needed to build or to start the program. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUSPARSE_CUH
#define SPARSIGHT_KERNELS_CUDA_CUSPARSE_CUH

#include "kernels/cuda/launch.cuh"

#include <library_types.h>

#if __has_include(<cusparse.h>)
#    include <cusparse.h>
#endif

namespace cusparse_api
{

#define VERSION_MIN 12

enum { SUCCESS = 0, ALLOC_FAILED = 2, NOT_SUPPORTED = 10 };
enum { NON_TRANSPOSE = 0, TRANSPOSE = 1, BASE_ZERO = 0, BY_ROWS = 0, INDEX_32 = 2 };
enum { COLUMN_MAJOR = 1, ROW_MAJOR = 2 };
enum { COO_1 = 1, CSR_1 = 2, CSR_2 = 3, COO_2 = 4, SELL_1 = 5, BSR_1 = 6 };
/* The algorithms of cusparseSpMM. */
enum { MM_COO_1 = 1, MM_COO_2 = 2, MM_CSR_1 = 4, MM_COO_4 = 5, MM_CSR_2 = 6, MM_CSR_3 = 12 };

#if defined(CUSPARSE_VERSION) && CUSPARSE_VERSION >= 12603
static_assert(static_cast<int>(SUCCESS) == CUSPARSE_STATUS_SUCCESS &&
                  static_cast<int>(ALLOC_FAILED) == CUSPARSE_STATUS_ALLOC_FAILED &&
                  static_cast<int>(NOT_SUPPORTED) == CUSPARSE_STATUS_NOT_SUPPORTED &&
                  static_cast<int>(NON_TRANSPOSE) == CUSPARSE_OPERATION_NON_TRANSPOSE &&
                  static_cast<int>(TRANSPOSE) == CUSPARSE_OPERATION_TRANSPOSE &&
                  static_cast<int>(BASE_ZERO) == CUSPARSE_INDEX_BASE_ZERO &&
                  static_cast<int>(BY_ROWS) == CUSPARSE_DIRECTION_ROW &&
                  static_cast<int>(ROW_MAJOR) == CUSPARSE_ORDER_ROW &&
                  static_cast<int>(COLUMN_MAJOR) == CUSPARSE_ORDER_COL &&
                  static_cast<int>(INDEX_32) == CUSPARSE_INDEX_32I &&
                  static_cast<int>(COO_1) == CUSPARSE_SPMV_COO_ALG1 &&
                  static_cast<int>(CSR_1) == CUSPARSE_SPMV_CSR_ALG1 &&
                  static_cast<int>(CSR_2) == CUSPARSE_SPMV_CSR_ALG2 &&
                  static_cast<int>(COO_2) == CUSPARSE_SPMV_COO_ALG2 &&
                  static_cast<int>(SELL_1) == CUSPARSE_SPMV_SELL_ALG1 &&
                  static_cast<int>(BSR_1) == CUSPARSE_SPMV_BSR_ALG1 &&
                  static_cast<int>(MM_COO_1) == CUSPARSE_SPMM_COO_ALG1 &&
                  static_cast<int>(MM_COO_2) == CUSPARSE_SPMM_COO_ALG2 &&
                  static_cast<int>(MM_COO_4) == CUSPARSE_SPMM_COO_ALG4 &&
                  static_cast<int>(MM_CSR_1) == CUSPARSE_SPMM_CSR_ALG1 &&
                  static_cast<int>(MM_CSR_2) == CUSPARSE_SPMM_CSR_ALG2 &&
                  static_cast<int>(MM_CSR_3) == CUSPARSE_SPMM_CSR_ALG3,
              "the numbers of cuSPARSE's own header");
#endif

using context = void *;
using matrix = void *;
using vector = void *; /* of one vector or, for cusparseSpMM, of several */

/* The types of cuSPARSE's functions. cusparseSpMV and cusparseSpMV_preprocess have the type `spmv`;
 * cusparseSpMV_bufferSize is the `spmv_question`, and cusparseSbsrmv and its sisters are `blocks`. All of
 * them compute, or prepare, y = alpha A x + beta y. */
using spmv = int(context, int operation, const void *alpha, matrix a, vector x, const void *beta, vector y,
                 cudaDataType compute, int algorithm, void *buffer);
using spmv_question = int(context, int operation, const void *alpha, matrix a, vector x, const void *beta,
                          vector y, cudaDataType compute, int algorithm, size_t *bytes);
/* The same of cusparseSpMM, which also takes what is done with X. */
using spmm = int(context, int operation, int operation_x, const void *alpha, matrix a, vector x,
                 const void *beta, vector y, cudaDataType compute, int algorithm, void *buffer);
using spmm_question = int(context, int operation, int operation_x, const void *alpha, matrix a, vector x,
                          const void *beta, vector y, cudaDataType compute, int algorithm, size_t *bytes);
template <class real>
using blocks = int(context, int direction, int operation, int rows, int columns, int count, const real *alpha,
                   void *description, const real *val, const int *row_ptr, const int *col, int size,
                   const real *x, const real *beta, real *y);

struct functions {
    int (*get_property)(int what, int *value);
    const char *(*error_string)(int status);
    const char *(*error_name)(int status);
    int (*create)(context *);
    int (*destroy)(context);
    int (*set_stream)(context, cudaStream_t);
    int (*create_vector)(vector *, int64_t size, void *values, cudaDataType);
    int (*destroy_vector)(vector);
    int (*set_values)(vector, void *values);
    int (*create_csr)(matrix *, int64_t rows, int64_t columns, int64_t entries, void *row_ptr, void *col,
                      void *val, int offset, int index, int base, cudaDataType);
    int (*create_coo)(matrix *, int64_t rows, int64_t columns, int64_t entries, void *row, void *col,
                      void *val, int index, int base, cudaDataType);
    int (*destroy_matrix)(matrix);
    int (*create_vectors)(vector *, int64_t size, int64_t count, int64_t leading, void *values, cudaDataType,
                          int order);
    int (*destroy_vectors)(vector);
    int (*set_values_of_vectors)(vector, void *values);
    spmm_question *products_buffer_size;
    spmm *multiply_vectors;
    spmv_question *buffer_size;
    spmv *multiply;
    /* The first releases of version 12 lack these functions. */
    spmv *preprocess;
    spmm *preprocess_vectors;
    int (*create_sell)(matrix *, int64_t rows, int64_t columns, int64_t entries, int64_t slots, int64_t c,
                       void *chunk_ptr, void *col, void *val, int offset, int index, int base, cudaDataType);
    int (*create_bsr)(matrix *, int64_t rows, int64_t columns, int64_t count, int64_t high, int64_t wide,
                      void *row_ptr, void *col, void *val, int offset, int index, int base, cudaDataType,
                      int order);
    /* Later releases may lack these functions. */
    int (*create_description)(void **);
    int (*destroy_description)(void *);
    blocks<float> *blocks_single;
    blocks<double> *blocks_double;
    blocks<pair<float>> *blocks_single_complex;
    blocks<pair<double>> *blocks_double_complex;
};

} // namespace cusparse_api

/* What an open device keeps of cuSPARSE. */
struct cusparse {
    cusparse_api::functions api;
    cusparse_api::context handle;
};

/* Fail with cuSPARSE's own words, unless `code` is success. */
enum status cusparse_outcome(const struct cusparse *cusparse, const char *what, int code,
                             struct error *error);

/* Make the device's handle of cuSPARSE when it is first wanted. */
enum status open_cusparse(cuda_context *context, struct error *error);

#endif
