/* CPU kernels for HYB. */
#ifndef SPARSIGHT_KERNELS_CPU_HYB_H
#define SPARSIGHT_KERNELS_CPU_HYB_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_hyb_seq, kernel_cpu_hyb_omp;

#endif
