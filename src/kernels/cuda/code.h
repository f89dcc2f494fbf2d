/* References of kernels' descriptors to functions of .cu files. In a build without nvcc they are NULL, and
 * are never called, since there is no device. */
#ifndef SPARSIGHT_KERNELS_CUDA_CODE_H
#define SPARSIGHT_KERNELS_CUDA_CODE_H

#include "config.h"

#ifdef WITH_CUDA
#    define CUDA_CODE(function) (function)
#else
#    define CUDA_CODE(function) NULL
#endif

#endif
