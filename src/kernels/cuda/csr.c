#include "kernels/cuda/csr.h"

#include <math.h>

#include "formats/csr.h"
#include "kernels/cuda/code.h"

static const struct parameter scalar_parameters[] = {
    [CSR_SCALAR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

static const char *const reductions[] = {[CSR_SHUFFLE] = "shuffle", [CSR_SHARED] = "shared", NULL};

static const struct parameter vector_parameters[] = {
    [CSR_VECTOR_THREADS] = {"threads", "threads a row", 2, 32, 32, .type = PARAMETER_POWER,
                            .automatic = "by mean row length"},
    [CSR_VECTOR_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [CSR_VECTOR_ALIGNED] = {"aligned", "1: rows longer than that are read from a multiple of it on",
                            .type = PARAMETER_YES_NO},
    [CSR_VECTOR_REDUCE] = {"reduce", "how the sums of a row's threads are added; shared: a warp a row",
                           .type = PARAMETER_WORD, .words = reductions},
    {0},
};

/* Return as many threads as a row has entries in the mean, rounded up to a power of two from 2 to 32, as CUSP
 * does.
 */
static int mean_threads(const struct storage *storage)
{
    int threads = 2;
    while (threads < WARP && threads * storage->rows < storage->nnz)
        threads *= 2;
    return threads;
}

static enum status prepare_vector(struct launch *launch, struct error *error)
{
    double *threads = &launch->values.number[CSR_VECTOR_THREADS];
    bool shared = (int)launch->values.number[CSR_VECTOR_REDUCE] == CSR_SHARED;
    if (isnan(*threads)) *threads = shared ? WARP : mean_threads(launch->storage);
    if (WARP % (int)*threads)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-vector has 2, 4, 8, 16 or 32 threads a row, not threads=%d", (int)*threads);
    if (shared && (int)*threads != WARP)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-vector with reduce=shared has 32 threads a row: leave out threads=%d or reduce",
                         (int)*threads);
    return check_warps(launch, CSR_VECTOR_BLOCK, error);
}

const struct kernel kernel_cuda_csr_scalar = {
    .name = "csr-scalar",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "a thread a row",
    .source = "PMPP, figure 10.7",
    .parameters = scalar_parameters,
    .complex = true,
    .run = CUDA_CODE(cuda_csr_scalar),
    .trace = &trace_csr_scalar,
    .pace = {.turn = 1.37, .request = 0.517, .start = 0.29},
};

static bool warp_a_row(const struct parameter_values *values)
{
    return values->number[CSR_VECTOR_THREADS] == WARP;
}

const struct kernel kernel_cuda_csr_vector = {
    .name = "csr-vector",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "several threads a row, whose sums are added by shuffles or in shared memory",
    .source = "Bell and Garland, SC 2009, section 4.3; CUSP; reduce=shared: Cranfield report on OpenMP and "
              "CUDA",
    .parameters = vector_parameters,
    .complex = true,
    .prepare = prepare_vector,
    .run = CUDA_CODE(cuda_csr_vector),
    .warp_a_row = warp_a_row,
    .trace = &trace_csr_vector,
    .pace = {.turn = 2.51, .request = 0.795, .start = 0.201},
};
