#include "kernels/cuda/csr.h"

#include <math.h>

#include "formats/csr.h"
#include "kernels/cuda/code.h"

static const struct parameter scalar_parameters[] = {
    [CSR_SCALAR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .integer = true, .doubles = true},
    {0},
};

static const struct parameter vector_parameters[] = {
    [CSR_VECTOR_THREADS] = {"threads", "threads a row", 2, 32, 32, .integer = true, .doubles = true,
                            .automatic = "by mean row length"},
    [CSR_VECTOR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .integer = true, .doubles = true},
    {0},
};

/* As many threads as a row has entries in the mean, as a power of two: what CUSP does. */
static enum status prepare_vector(struct launch *launch, struct error *error)
{
    double *threads = &launch->values.number[CSR_VECTOR_THREADS];
    const struct storage *storage = launch->storage;
    (void)error;
    if (!isnan(*threads)) return STATUS_OK;
    *threads = 2;
    while (*threads < WARP && *threads * (double)storage->rows < (double)storage->nnz)
        *threads *= 2;
    return STATUS_OK;
}

const struct kernel kernel_cuda_csr_scalar = {
    .name = "csr-scalar",
    .backend = BACKEND_CUDA,
    .format = &format_csr,
    .summary = "a thread a row",
    .source = "PMPP, figure 10.7",
    .parameters = scalar_parameters,
    .run = CUDA_CODE(cuda_csr_scalar),
};

const struct kernel kernel_cuda_csr_vector = {
    .name = "csr-vector",
    .backend = BACKEND_CUDA,
    .format = &format_csr,
    .summary = "several threads a row, whose sums are added by shuffles",
    .source = "Bell and Garland, SC 2009, section 4.3; CUSP",
    .parameters = vector_parameters,
    .prepare = prepare_vector,
    .run = CUDA_CODE(cuda_csr_vector),
};
