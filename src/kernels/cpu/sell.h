/* CPU kernels for SELL. */
#ifndef SPARSIGHT_KERNELS_CPU_SELL_H
#define SPARSIGHT_KERNELS_CPU_SELL_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_sell_seq, kernel_cpu_sell_omp;

#endif
