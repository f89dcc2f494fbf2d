/* The kernels of libraries that run on processors, and the libraries of their backends
 * (kernels/backend.c). */
#ifndef SPARSIGHT_KERNELS_LIBRARIES_BACKENDS_H
#define SPARSIGHT_KERNELS_LIBRARIES_BACKENDS_H

#include "formats/csr.h"
#include "kernels/kernel.h"
#include "kernels/libraries/library.h"

extern const struct kernel kernel_mkl_csr, kernel_mkl_sss, kernel_aocl_csr, kernel_rsb_csr,
    kernel_graphblas_csr, kernel_armpl_csr, kernel_petsc_csr;

/* The own kernels that model them. */
extern const struct kernel kernel_cpu_csr_omp, kernel_cpu_csr_balanced, kernel_cpu_sss_omp;

extern const struct library library_mkl, library_aocl, library_rsb, library_graphblas, library_armpl;

#endif
