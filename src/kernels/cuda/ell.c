#include "kernels/cuda/ell.h"

#include "formats/ell.h"
#include "formats/fill.h"
#include "kernels/cuda/code.h"

static const struct parameter block_parameters[] = {
    [ELL_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .integer = true, .doubles = true},
    {0},
};

/* The layout that neighbouring threads read side by side, and the padding that the loop is written for. */
static enum status check_storage(const struct launch *launch, int64_t pad, const char *words,
                                 struct error *error)
{
    if (storage_parameter(launch->storage, ELL_LAYOUT) == ELL_TRANSPOSED &&
        storage_parameter(launch->storage, ELL_PAD) == pad)
        return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s reads %s only", launch->kernel->name, words);
}

static enum status prepare_padded(struct launch *launch, struct error *error)
{
    return check_storage(launch, ELL_REPEAT, "layout=transposed,pad=repeat", error);
}

static enum status prepare_masked(struct launch *launch, struct error *error)
{
    return check_storage(launch, ELL_SENTINEL, "layout=transposed,pad=sentinel", error);
}

/* Entries alone. */
static int64_t entries(const struct launch *launch)
{
    return launch->storage->nnz;
}

const struct kernel kernel_cuda_ell_padded = {
    .name = "ell-padded",
    .backend = BACKEND_CUDA,
    .format = &format_ell,
    .summary = "a thread a row, padding multiplied like entries",
    .source = "PMPP, figure 10.10",
    .parameters = block_parameters,
    .prepare = prepare_padded,
    .run = CUDA_CODE(cuda_ell_padded),
};

const struct kernel kernel_cuda_ell_masked = {
    .name = "ell-masked",
    .backend = BACKEND_CUDA,
    .format = &format_ell,
    .summary = "a thread a row, padding told by its column and passed over",
    .source = "Sparse matrix-vector multiplication for HPCG on GPUs",
    .parameters = block_parameters,
    .format_defaults = "pad=sentinel",
    .prepare = prepare_masked,
    .run = CUDA_CODE(cuda_ell_masked),
    .x_loads = entries,
};
