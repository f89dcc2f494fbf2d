/* CPU kernels for CSR. */
#ifndef SPARSIGHT_KERNELS_CPU_CSR_H
#define SPARSIGHT_KERNELS_CPU_CSR_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_csr_seq, kernel_cpu_csr_omp, kernel_cpu_csr_balanced;

#endif
