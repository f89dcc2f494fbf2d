/* Kernels of cuSPARSE, NVIDIA's library, in the same table as our own, since users compare with it. It is
 * looked for when the program runs; what it cannot do is the kernel's reason. C and C++ alike. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUSPARSE_H
#define SPARSIGHT_KERNELS_CUDA_CUSPARSE_H

#include "kernels/kernel.h"

/* Its algorithms, by the format that they read. */
enum cusparse_way {
    CUSPARSE_CSR_1,
    CUSPARSE_CSR_2,
    CUSPARSE_COO_1,
    CUSPARSE_COO_2,
    CUSPARSE_SELL,
    CUSPARSE_BSR
};

/* In cusparse.cu, or in absent.c for a build without nvcc: */

/* Why cuSPARSE as it is on this machine, or its sliced ELL, or its BSR, cannot be used; NULL if it can. */
const char *cusparse_unavailable(void);
const char *cusparse_sell_unavailable(void);
const char *cusparse_bsr_unavailable(void);

/* Make launch->state: the matrix and the vectors as cuSPARSE describes them, its buffer, and what it finds
 * out about the matrix beforehand, which is waited for. STATUS_UNAVAILABLE with cuSPARSE's own words. */
enum status cusparse_prepare(struct launch *launch, enum cusparse_way way, struct error *error);
void cusparse_multiply(const struct launch *launch);
void cusparse_release(struct launch *launch);

#endif
