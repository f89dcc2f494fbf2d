/* Triangular solves of cuSPARSE: cusparseSpSV, and for SymGS cusparseSpMV beside it. C and C++ include this.
 */
#ifndef SPARSIGHT_KERNELS_CUDA_TRISOLVE_SPSV_H
#define SPARSIGHT_KERNELS_CUDA_TRISOLVE_SPSV_H

#include "kernels/gpu/device.h"
#include "kernels/trisolve/trisolve.h"

/* A matrix in CSR, in the device's memory. */
struct spsv_csr {
    int64_t entries;
    int32_t *row_ptr, *col;
    double *val;
};

struct spsv_library; /* in spsv.cu: cuSPARSE's descriptors and buffers */

/* The state of the kernel. */
struct spsv {
    struct device *device;
    enum trisolve_operation operation;
    int64_t rows;
    struct spsv_csr triangle[TRIANGLES]; /* with the diagonal */
    struct spsv_csr above;               /* of SymGS: U without it, */
    double *diagonal;                    /* D, */
    double *product, *right, *middle;    /* U x0, the right sides of both solves, and x1 */
    struct spsv_library *library;
    bool failed; /* a run */
};

#ifdef __cplusplus
extern "C" {
#endif

/* Return why cuSPARSE's solves cannot be used, or NULL if they can. */
const char *cusparse_spsv_unavailable(void);
/* Describe the matrices to cuSPARSE, which analyses them. STATUS_UNAVAILABLE with its own words. */
enum status spsv_describe(struct spsv *spsv, struct error *error);
void spsv_forget(struct spsv *spsv);
/* Put a solve into the device's queue. */
void spsv_run(void *spsv, const double *b, double *x);

#ifdef __cplusplus
}
#endif

#endif
