/* NVIDIA's GPUs. In a build without nvcc the same table is there, and says so. */
#ifndef SPARSIGHT_KERNELS_CUDA_CUDA_H
#define SPARSIGHT_KERNELS_CUDA_CUDA_H

#include "kernels/gpu/device.h"

extern const struct device_type device_type_cuda;

#endif
