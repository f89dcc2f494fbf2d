/* The constants of cuSPARSE's interface, compared with NVIDIA's header if it exists, and the state of the
 * library on an open device. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUSPARSE_CUH
#define SPARSIGHT_KERNELS_CUDA_CUSPARSE_CUH

#include "kernels/cuda/launch.cuh"

#include <library_types.h>

extern "C" {
#include "kernels/cuda/cusparse_library.h"
}

#if __has_include(<cusparse.h>)
#    define CUSPARSE_ENABLE_EXPERIMENTAL_API
#    include <cusparse.h>
#endif

namespace cusparse_api
{

enum { SUCCESS = 0, ALLOC_FAILED = 2, NOT_SUPPORTED = 10 };
enum { NON_TRANSPOSE = 0, TRANSPOSE = 1, BASE_ZERO = 0, BY_ROWS = 0, INDEX_32 = 2, INDEX_64 = 3 };
enum { COLUMN_MAJOR = 1, ROW_MAJOR = 2 };
enum { COO_1 = 1, CSR_1 = 2, CSR_2 = 3, COO_2 = 4, SELL_1 = 5, BSR_1 = 6 };
/* Attributes of triangles, their values, and the algorithm of cusparseSpSV. */
enum { FILL_MODE = 0, DIAGONAL_TYPE = 1, FILL_LOWER = 0, FILL_UPPER = 1, DIAGONAL_ANY = 0, SOLVE = 0 };
/* The algorithms of cusparseSpMVOp, and of cusparseSpMM. */
enum { OP_1 = 1, OP_2 = 2 };
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
                  static_cast<int>(INDEX_64) == CUSPARSE_INDEX_64I &&
                  static_cast<int>(FILL_MODE) == CUSPARSE_SPMAT_FILL_MODE &&
                  static_cast<int>(DIAGONAL_TYPE) == CUSPARSE_SPMAT_DIAG_TYPE &&
                  static_cast<int>(FILL_LOWER) == CUSPARSE_FILL_MODE_LOWER &&
                  static_cast<int>(FILL_UPPER) == CUSPARSE_FILL_MODE_UPPER &&
                  static_cast<int>(DIAGONAL_ANY) == CUSPARSE_DIAG_TYPE_NON_UNIT &&
                  static_cast<int>(SOLVE) == CUSPARSE_SPSV_ALG_DEFAULT &&
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

#if defined(CUSPARSE_VERSION) && CUSPARSE_VERSION >= 12801
static_assert(static_cast<int>(OP_1) == CUSPARSE_SPMVOP_ALG1 &&
                  static_cast<int>(OP_2) == CUSPARSE_SPMVOP_ALG2,
              "the numbers of cuSPARSE's own header");
#endif

} // namespace cusparse_api

/* The state of cuSPARSE on an open device. */
struct cusparse {
    cusparse_functions api;
    cusparse_context handle;
};

/* Fail with cuSPARSE's own words, unless `code` is success. */
enum status cusparse_outcome(const struct cusparse *cusparse, const char *what, int code,
                             struct error *error);

/* Make the device's handle of cuSPARSE on first use. */
enum status open_cusparse(cuda_context *context, struct error *error);

#endif
