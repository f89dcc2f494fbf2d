#include "kernels/cuda/hyb.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/ell_part.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/gpu/device.h"

static const struct parameter parameters[] = {
    [HYB_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

static enum status prepare(struct launch *launch, struct error *error)
{
    if (storage_parameter(launch->storage, HYB_LAYOUT) == ELL_TRANSPOSED) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s reads transposed rows: ask for layout=%s",
                     launch->kernel->name, ell_layouts[ELL_TRANSPOSED]);
}

static size_t begins_bytes(const struct launch *launch)
{
    return ((size_t)hyb_rows_grid(launch).blocks + 1) * sizeof(int64_t);
}

/* Find the offsets in COO of each block's entries. Blocks have whole warps, since a warp processes these
 * entries together. */
static enum status prepare_fused(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    const struct grid grid = hyb_rows_grid(launch);
    struct error reason = {0};
    enum status status = prepare(launch, error);
    if (status == STATUS_OK) status = check_warps(launch, HYB_BLOCK, error);
    if (status == STATUS_OK)
        status = memory_check(begins_bytes(launch), launch->limit, "where blocks begin in COO", error);
    if (status != STATUS_OK) return status;
    int64_t *begin = memory_array((size_t)grid.blocks + 1, sizeof *begin, error);
    if (!begin) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (grid.blocks > PARALLEL_MIN)
    for (int64_t b = 0; b <= grid.blocks; b++)
        begin[b] =
            array_lower_bound(&storage->array[HYB_ROW], 0, storage->slots[1], b * (int64_t)grid.threads);
    launch->state =
        device_copy_of(launch->device, begin, begins_bytes(launch), "where blocks begin in COO", &reason);
    free(begin);
    return launch->state ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static void release_fused(struct launch *launch)
{
    device_release(launch->device, launch->state);
    launch->state = NULL;
}

static enum status prepare_host(struct launch *launch, struct error *error)
{
    enum status (*const make)(struct launch *, struct error *) = CUDA_CODE(cuda_hyb_host_make);
    const struct storage *storage = launch->storage;
    enum status status = prepare(launch, error);
    if (status != STATUS_OK || !device_runs(launch->device)) return status;
    status = memory_check((size_t)storage->rows * value_size(storage), launch->limit, "y on the host", error);
    if (status != STATUS_OK) return status;
    return make ? make(launch, error) : error_set(error, STATUS_UNAVAILABLE, "built without CUDA");
}

/* Padding is read like an entry, unless it is masked. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const int64_t padding = hyb_masked(launch) ? storage_slots(storage) - storage->nnz : 0;
    traffic_pass(storage, padding, 1U << ROLE_VALUES, traffic);
    traffic->x_loads = storage_slots(storage) - padding;
}

static void traffic_fused(const struct launch *launch, struct traffic *to)
{
    traffic(launch, to);
    to->own_bytes = begins_bytes(launch);
}

/* In addition to the GPU's traffic, y is copied to the host and back. The time of the copies is known after a
 * product. */
static void traffic_host(const struct launch *launch, struct traffic *to)
{
    double (*const transfer)(const struct launch *) = CUDA_CODE(cuda_hyb_host_transfer);
    traffic(launch, to);
    if (transfer && launch->state) to->transfer_seconds = transfer(launch);
}

static const struct tuning_line tuning[] = {
    {"k", TUNING_SHARES, TUNING_LENGTHS}, {"pad", "repeat sentinel"}, {"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_hyb = {
    .name = "hyb",
    .backend = &backend_cuda,
    .format = &format_hyb,
    .summary = "two launches: ELL with a thread a row, then COO with an atomic addition for each entry",
    .source = "Bell and Garland, SC 2009; PMPP, section 10.4",
    .wins = "It suits rows of nearly equal length with a few exceptions, which would pad ELL. Small matrices "
            "pay for the second launch, and many entries in COO for their atomic additions; other kernels "
            "are faster on nearly every matrix that was measured.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL | UNORDERED_APART,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_hyb),
    .traffic = traffic,
    .trace = &trace_hyb,
    .pace = {.turn = 0.262, .request = 0.617, .start = 0.415, .overlap = 1.45},
    .tuning = tuning,
};

const struct kernel kernel_cuda_hyb_fused = {
    .name = "hyb-fused",
    .backend = &backend_cuda,
    .format = &format_hyb,
    .summary = "one launch: each block of rows adds its own entries of COO in shared memory",
    .source = "",
    .wins = "It saves a launch, but its blocks wait for their entries of COO: it is slower than hyb on most "
            "matrices.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL | UNORDERED_APART,
    .complex = true,
    .prepare = prepare_fused,
    .needs = NEEDS_SHUFFLES | NEEDS_F64_ATOMICS,
    .run = CUDA_CODE(cuda_hyb_fused),
    .remake = cuda_remake_hyb_fused,
    .release = release_fused,
    .traffic = traffic_fused,
    .trace = &trace_hyb_fused,
    .pace = {.turn = 3.51, .request = 0.621, .shared = 2.46, .start = 0.209, .overlap = 1.62},
    .tuning = tuning,
};

const struct kernel kernel_cuda_hyb_host = {
    .name = "hyb-host",
    .backend = &backend_cuda,
    .format = &format_hyb,
    .summary = "ELL on the GPU, COO on the host; the time includes both copies of y",
    .source = "PMPP, section 10.4",
    .wins = "It is the published division of the work, for comparison: y crosses the bus twice in each "
            "product, which is nearly always slower than hyb. If COO is empty, it equals ell-padded.",
    .parameters = parameters,
    .complex = true,
    .prepare = prepare_host,
    .run = CUDA_CODE(cuda_hyb_host),
    .release = CUDA_CODE(cuda_hyb_host_free),
    .traffic = traffic_host,
    .trace = &trace_hyb_host,
    .tuning = tuning,
};
