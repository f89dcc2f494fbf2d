/* How descriptors of kernels name functions of .cu files. In a build without nvcc these are not there, and
 * their names are NULL; nothing calls them then, since there is no device either. */
#ifndef SPARSIGHT_KERNELS_CUDA_CODE_H
#define SPARSIGHT_KERNELS_CUDA_CODE_H

#include "config.h"

#ifdef WITH_CUDA
#    define CUDA_CODE(function) (function)
#else
#    define CUDA_CODE(function) NULL
#endif

#endif
