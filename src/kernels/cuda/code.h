/* Device code, as the descriptors in FORMAT.c name it. In a build without nvcc there is none; no kernel of a
 * GPU is run then, since there is no device either. */
#ifndef SPARSIGHT_KERNELS_CUDA_CODE_H
#define SPARSIGHT_KERNELS_CUDA_CODE_H

#include "config.h"

#ifdef WITH_CUDA
#    define CUDA_CODE(function) (function)
#else
#    define CUDA_CODE(function) NULL
#endif

#endif
