#include "kernels/cuda/cmrs.h"

#include "kernels/cuda/code.h"
#include "kernels/gpu/device.h"

/* With strips of 16 rows, blocks of 128 threads use a multiprocessor's shared memory best. */
static const struct parameter basic_parameters[] = {
    [CMRS_BASIC_BLOCK] = {"block", "threads of a block", 32, 1024, 128, .type = PARAMETER_POWER},
    [CMRS_BASIC_ALIGNED] = {"aligned", "1: strips of more than 32 slots are read from a multiple of 32 on",
                            .type = PARAMETER_YES_NO},
    {0},
};

static const struct parameter padded_parameters[] = {
    [CMRS_PADDED_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

/* High strips and large blocks need more cells than any block may have. The kernel then needs permission for
 * more, and is refused beyond the device's maximum. */
static enum status prepare_basic(struct launch *launch, struct error *error)
{
    enum status (*const allow)(const struct launch *, struct error *) = CUDA_CODE(cuda_cmrs_allow);
    size_t shared = cmrs_basic_grid(launch).shared, max = launch->device->facts.shared;
    if (max && shared > max)
        return error_set(error, STATUS_UNAVAILABLE,
                         "cmrs with blocks of %d threads and strips of %lld rows needs %zu bytes of shared "
                         "memory, and a block can have %zu: give a smaller block or height",
                         (int)launch->values.number[CMRS_BASIC_BLOCK],
                         (long long)launch->storage->number[CMRS_HEIGHT], shared, max);
    enum status status = check_warps(launch, CMRS_BASIC_BLOCK, error);
    if (status != STATUS_OK || shared <= SHARED_PLAIN || !device_runs(launch->device)) return status;
    return allow ? allow(launch, error) : STATUS_OK;
}

static enum status prepare_padded(struct launch *launch, struct error *error)
{
    if (launch->storage->number[CMRS_MODULO] == 0)
        return error_set(error, STATUS_UNAVAILABLE, "cmrs-padded reads groups: ask for modulo=1 to 32");
    return check_warps(launch, CMRS_PADDED_BLOCK, error);
}

static const struct tuning_line tuning_cmrs[] = {{"height", TUNING_HEIGHTS}, {"packed", "0 1"},
                                                 {"sorted", "0 1"},          {"block", TUNING_BLOCKS},
                                                 {"aligned", "0 1"},         {NULL}};

const struct kernel kernel_cuda_cmrs = {
    .name = "cmrs",
    .backend = &backend_cuda,
    .format = &format_cmrs,
    .summary = "a warp a strip, with a cell of shared memory for each row and lane",
    .source = "Koza et al., SIAM J. Sci. Comput. 36, 2014, algorithm 1",
    .wins = "It is the kernel of the CMRS paper, for comparison. With short rows it is faster than a warp a "
            "row, since a strip of them fills a warp. It is never the fastest kernel on matrices with three "
            "to eight entries a row.",
    .parameters = basic_parameters,
    .complex = true,
    .prepare = prepare_basic,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_cmrs),
    .trace = &trace_cmrs,
    .pace = {.turn = 0.674, .request = 0.394, .shared = 0.298, .start = 0.603, .overlap = 1.4},
    .tuning = tuning_cmrs,
};

static const struct tuning_line tuning_padded[] = {
    {"modulo", "1 2 4 8 16 32"}, {"packed", "0 1"}, {"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_cmrs_padded = {
    .name = "cmrs-padded",
    .backend = &backend_cuda,
    .format = &format_cmrs,
    .summary = "a warp a strip; a segmented sum adds rows before they reach shared memory",
    .source = "Koza et al., SIAM J. Sci. Comput. 36, 2014, section 6.7",
    .wins = "It suits large matrices with eight to fourteen entries a row at random columns, whose "
            "groups of 32 are nearly full: there only csr-swept is faster. On others plain cmrs is usually "
            "faster where caches hold the matrix.",
    .parameters = padded_parameters,
    .complex = true,
    .format_defaults = "modulo=4",
    .prepare = prepare_padded,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_cmrs_padded),
    .trace = &trace_cmrs_padded,
    .pace = {.turn = 0.625, .request = 0.499, .shared = 0.485, .start = 0.572, .overlap = 1.19},
    .tuning = tuning_padded,
};
