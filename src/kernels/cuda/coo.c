#include "kernels/cuda/coo.h"

#include "formats/coo.h"
#include "kernels/cuda/code.h"

static const struct parameter atomic_parameters[] = {
    [COO_ATOMIC_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .integer = true, .doubles = true},
    {0},
};

const struct kernel kernel_cuda_coo_atomic = {
    .name = "coo-atomic",
    .backend = BACKEND_CUDA,
    .format = &format_coo,
    .summary = "a thread an entry, added to y by an atomic addition",
    .source = "PMPP, section 10.4",
    .parameters = atomic_parameters,
    .run = CUDA_CODE(cuda_coo_atomic),
};
