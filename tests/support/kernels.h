/* What the tests over all kernels share. */
#ifndef SPARSIGHT_TESTS_SUPPORT_KERNELS_H
#define SPARSIGHT_TESTS_SUPPORT_KERNELS_H

#include "kernels/kernel.h"

/* The kernels that tests ask for by name. */
extern const struct kernel kernel_cpu_csr_seq;
extern const struct kernel kernel_cpu_csr_omp;
extern const struct kernel kernel_cpu_hyb_seq;
extern const struct kernel kernel_cpu_sell_seq;
extern const struct kernel kernel_cuda_coo_atomic;
extern const struct kernel kernel_cuda_coo_segmented;
extern const struct kernel kernel_cuda_csr_scalar;
extern const struct kernel kernel_cuda_csr_vector;
extern const struct kernel kernel_cuda_csr_balanced;
extern const struct kernel kernel_cuda_ell_padded;
extern const struct kernel kernel_cuda_ell_bounded;
extern const struct kernel kernel_cuda_ell_masked;
extern const struct kernel kernel_cuda_ell_rowmajor;
extern const struct kernel kernel_cuda_hyb;
extern const struct kernel kernel_cuda_hyb_fused;
extern const struct kernel kernel_cuda_hyb_host;
extern const struct kernel kernel_cuda_jds;
extern const struct kernel kernel_cuda_jds_sections;
extern const struct kernel kernel_cuda_cmrs;
extern const struct kernel kernel_cuda_cmrs_padded;
extern const struct kernel kernel_cuda_sell;
extern const struct kernel kernel_cusparse_coo_alg1;
extern const struct kernel kernel_cusparse_coo_alg2;
extern const struct kernel kernel_cusparse_csr_alg1;
extern const struct kernel kernel_cusparse_csr_alg2;
extern const struct kernel kernel_cusparse_sell;
extern const struct kernel kernel_cusparse_bsr;

/* Sets of a kernel's own parameters: the defaults, each one over its range, and after each word of another.
 */
struct sets {
    char text[64][96];
    int count;
};

struct sets sets_of(const struct kernel *kernel);

/* Rows of these lengths, at most the 3000 columns that there are, with entries at random places. */
struct csr support_rows(int64_t rows, int64_t (*length)(int64_t i));

/* Lengths of 300 rows that kernels could trip over; the last one is NULL. */
extern int64_t (*const support_lengths[])(int64_t i);

int64_t support_few(int64_t i); /* the last of them: one entry in 150 rows */

#endif
