#include "kernels/cuda/coo.h"

#include "formats/coo.h"
#include "formats/fill.h"
#include "kernels/cuda/code.h"

static const struct parameter atomic_parameters[] = {
    [COO_ATOMIC_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

static const struct parameter segmented_parameters[] = {
    [COO_SEGMENTED_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    [COO_SEGMENTED_STEPS] = {"steps", "times that a warp takes 32 entries", 1, 1024, 8,
                             .type = PARAMETER_POWER},
    {0},
};

/* Rows are stored without an atomic addition if they lie within an interval, so a row's entries have to stand
 * side by side. */
static enum status prepare_segmented(struct launch *launch, struct error *error)
{
    if (storage_parameter(launch->storage, COO_ORDER) != COO_BY_ROW)
        return error_set(error, STATUS_UNAVAILABLE, "coo-segmented reads entries by row: ask for order=row");
    return check_warps(launch, COO_SEGMENTED_BLOCK, error);
}

const struct kernel kernel_cuda_coo_atomic = {
    .name = "coo-atomic",
    .backend = &backend_cuda,
    .format = &format_coo,
    .summary = "a thread an entry, added to y by an atomic addition",
    .source = "PMPP, section 10.4",
    .parameters = atomic_parameters,
    .complex = true,
    .run = CUDA_CODE(cuda_coo_atomic),
    .trace = &trace_coo_atomic,
    .pace = {.turn = 0.435, .request = 0.109, .start = 1.8},
};

const struct kernel kernel_cuda_coo_segmented = {
    .name = "coo-segmented",
    .backend = &backend_cuda,
    .format = &format_coo,
    .summary = "a warp a run of entries, whose rows are added up by a segmented sum",
    .source = "Bell and Garland, SC 2009, section 4.4",
    .parameters = segmented_parameters,
    .complex = true,
    .prepare = prepare_segmented,
    .run = CUDA_CODE(cuda_coo_segmented),
    .trace = &trace_coo_segmented,
    .pace = {.turn = 1.24, .request = 0.992, .start = 1.1},
};
