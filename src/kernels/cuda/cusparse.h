/* The kernels of cuSPARSE, NVIDIA's library, are in the same table as ours, since users compare with them.
 * The library is searched for at run time, not when the program is built. If the library lacks a function,
 * this is the reason why its kernel is unavailable. C and C++ include this header. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUSPARSE_H
#define SPARSIGHT_KERNELS_CUDA_CUSPARSE_H

#include "kernels/kernel.h"

/* The assumed order in which cuSPARSE's BSR kernel, whose code is unknown, reads its format
 * (traces/cusparse_bsr.c). */
extern const struct trace trace_block_rows;

/* cuSPARSE's algorithms, named by the format that they read. */
enum cusparse_way {
    CUSPARSE_CSR_1,
    CUSPARSE_CSR_2,
    CUSPARSE_CSR_OP_1,
    CUSPARSE_CSR_OP_2,
    CUSPARSE_COO_1,
    CUSPARSE_COO_2,
    CUSPARSE_SELL,
    CUSPARSE_BSR
};

/* The functions are in cusparse.cu and cusparse_open.cu, or in absent.c for a build without nvcc. */

/* The library of this machine; NULL if it cannot be used. */
const struct device_library *cusparse_found(void);

/* Return the reason why the cuSPARSE of this machine, its SpMVOp, its sliced ELL, or its BSR cannot be used;
 * NULL if it can. */
const char *cusparse_unavailable(void);
const char *cusparse_op_unavailable(void);
const char *cusparse_sell_unavailable(void);
const char *cusparse_bsr_unavailable(void);

/* Make launch->state: cuSPARSE's descriptors of the matrix and the vectors, and its buffer. cuSPARSE analyses
 * the matrix (cusparseSpMV_preprocess, or SpMVOp's descriptor and plan), and the function waits for its end.
 * Fails with STATUS_UNAVAILABLE and cuSPARSE's own words. */
enum status cusparse_prepare(struct launch *launch, enum cusparse_way way, struct error *error);
void cusparse_multiply(const struct launch *launch);
void cusparse_release(struct launch *launch);

#endif
