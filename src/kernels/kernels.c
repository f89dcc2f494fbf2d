/* The table of kernels. */
#include "kernels/kernel.h"

#define KERNEL(name) extern const struct kernel kernel_##name;
#include "kernels/kernels.def"
#undef KERNEL

const struct kernel *const kernels[] = {
#define KERNEL(name) &kernel_##name,
#include "kernels/kernels.def"
#undef KERNEL
    NULL,
};
