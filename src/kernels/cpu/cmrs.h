/* CPU kernels for CMRS. */
#ifndef SPARSIGHT_KERNELS_CPU_CMRS_H
#define SPARSIGHT_KERNELS_CPU_CMRS_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_cmrs_seq, kernel_cpu_cmrs_omp;

#endif
