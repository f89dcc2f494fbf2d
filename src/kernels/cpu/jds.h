/* CPU kernels for JDS. */
#ifndef SPARSIGHT_KERNELS_CPU_JDS_H
#define SPARSIGHT_KERNELS_CPU_JDS_H

#include "kernels/kernel.h"

extern const struct kernel kernel_cpu_jds_seq, kernel_cpu_jds_omp;

#endif
