/* The table of kernels. Each kernel is defined in a file that is called after its format
 * (kernels/cpu/FORMAT.c, kernels/cuda/FORMAT.c) and has two lines here, a declaration and an entry. Kernels
 * are listed to users in the order of the entries. */
#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_coo_seq;
extern const struct kernel kernel_cpu_coo_omp;
extern const struct kernel kernel_cpu_csr_seq;
extern const struct kernel kernel_cpu_csr_omp;
extern const struct kernel kernel_cpu_csr_balanced;
extern const struct kernel kernel_cpu_csc_seq;
extern const struct kernel kernel_cpu_csc_omp;
extern const struct kernel kernel_cpu_ell_seq;
extern const struct kernel kernel_cpu_ell_omp;
extern const struct kernel kernel_cpu_hyb_seq;
extern const struct kernel kernel_cpu_hyb_omp;
extern const struct kernel kernel_cpu_jds_seq;
extern const struct kernel kernel_cpu_jds_omp;
extern const struct kernel kernel_cpu_cmrs_seq;
extern const struct kernel kernel_cpu_cmrs_omp;
extern const struct kernel kernel_cpu_sell_seq;
extern const struct kernel kernel_cpu_sell_omp;
extern const struct kernel kernel_cpu_dia_seq;
extern const struct kernel kernel_cpu_dia_omp;
extern const struct kernel kernel_cpu_bsr_seq;
extern const struct kernel kernel_cpu_bsr_omp;
extern const struct kernel kernel_cuda_coo_atomic;
extern const struct kernel kernel_cuda_coo_segmented;
extern const struct kernel kernel_cuda_csr_scalar;
extern const struct kernel kernel_cuda_csr_vector;
extern const struct kernel kernel_cuda_csr_balanced;
extern const struct kernel kernel_cuda_csc_atomic;
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

const struct kernel *const kernels[] = {
    &kernel_cpu_coo_seq,
    &kernel_cpu_coo_omp,
    &kernel_cpu_csr_seq,
    &kernel_cpu_csr_omp,
    &kernel_cpu_csr_balanced,
    &kernel_cpu_csc_seq,
    &kernel_cpu_csc_omp,
    &kernel_cpu_ell_seq,
    &kernel_cpu_ell_omp,
    &kernel_cpu_hyb_seq,
    &kernel_cpu_hyb_omp,
    &kernel_cpu_jds_seq,
    &kernel_cpu_jds_omp,
    &kernel_cpu_cmrs_seq,
    &kernel_cpu_cmrs_omp,
    &kernel_cpu_sell_seq,
    &kernel_cpu_sell_omp,
    &kernel_cpu_dia_seq,
    &kernel_cpu_dia_omp,
    &kernel_cpu_bsr_seq,
    &kernel_cpu_bsr_omp,
    &kernel_cuda_coo_atomic,
    &kernel_cuda_coo_segmented,
    &kernel_cuda_csr_scalar,
    &kernel_cuda_csr_vector,
    &kernel_cuda_csr_balanced,
    &kernel_cuda_csc_atomic,
    &kernel_cuda_ell_padded,
    &kernel_cuda_ell_bounded,
    &kernel_cuda_ell_masked,
    &kernel_cuda_ell_rowmajor,
    &kernel_cuda_hyb,
    &kernel_cuda_hyb_fused,
    &kernel_cuda_hyb_host,
    &kernel_cuda_jds,
    &kernel_cuda_jds_sections,
    &kernel_cuda_cmrs,
    &kernel_cuda_cmrs_padded,
    &kernel_cuda_sell,
    &kernel_cusparse_coo_alg1,
    &kernel_cusparse_coo_alg2,
    &kernel_cusparse_csr_alg1,
    &kernel_cusparse_csr_alg2,
    &kernel_cusparse_sell,
    &kernel_cusparse_bsr,
    /* Because of this comment clang-format leaves each entry on a line of its own. */
    NULL,
};
