/* CPU kernels for DIA. */
#ifndef SPARSIGHT_KERNELS_CPU_DIA_H
#define SPARSIGHT_KERNELS_CPU_DIA_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_dia_seq, kernel_cpu_dia_omp;

#endif
