/* NVIDIA's GPUs as devices. In a build without nvcc it exists, too, and reports that there are none. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUDA_H
#define SPARSIGHT_KERNELS_CUDA_CUDA_H

#include "kernels/gpu/device.h"

extern const struct device_type device_type_cuda;

/* Their functions for exchanges; only in a build with nvcc. */
extern const struct device_exchange cuda_exchange;

#endif
