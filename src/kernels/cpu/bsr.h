/* CPU kernels for BSR. */
#ifndef SPARSIGHT_KERNELS_CPU_BSR_H
#define SPARSIGHT_KERNELS_CPU_BSR_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_bsr_seq, kernel_cpu_bsr_omp;

#endif
