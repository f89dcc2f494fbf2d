/* How descriptors of kernels refer to functions of .cu files. In a build without nvcc the references are
 * NULL; nothing calls them, since there is no device either. */
#ifndef SPARSIGHT_KERNELS_CUDA_CODE_H
#define SPARSIGHT_KERNELS_CUDA_CODE_H

#include "config.h"

#ifdef WITH_CUDA
#    define CUDA_CODE(function) (function)
#else
#    define CUDA_CODE(function) NULL
#endif

#endif
