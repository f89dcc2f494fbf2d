#include "kernels/cuda/ell.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/ell_part.h"
#include "formats/sorted.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/cuda/products/products.h"
#include "kernels/gpu/device.h"

static const struct parameter parameters[] = {
    [ELL_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

static enum status want_layout(const struct launch *launch, enum ell_layout layout, struct error *error)
{
    if (storage_parameter(launch->storage, ELL_LAYOUT) == layout) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s reads %s: ask for layout=%s", launch->kernel->name,
                     layout == ELL_ROWS ? "rows one after another" : "transposed rows", ell_layouts[layout]);
}

static enum status want_pad(const struct launch *launch, enum ell_pad pad, struct error *error)
{
    if (storage_parameter(launch->storage, ELL_PAD) == pad) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE, "%s %s: ask for pad=%s", launch->kernel->name,
                     pad == ELL_REPEAT ? "takes every column for one of x" : "knows padding by its column -1",
                     ell_pads[pad]);
}

static enum status prepare_rectangle(struct launch *launch, enum ell_pad pad, struct error *error)
{
    enum status status = want_layout(launch, ELL_TRANSPOSED, error);
    if (status == STATUS_OK) status = want_pad(launch, pad, error);
    if (status != STATUS_OK || product_plain(launch->product)) return status;
    return product_prepare_beside(launch, ELL_COL, launch->storage->rows, error);
}

static enum status prepare_padded(struct launch *launch, struct error *error)
{
    return prepare_rectangle(launch, ELL_REPEAT, error);
}

static enum status prepare_masked(struct launch *launch, struct error *error)
{
    return prepare_rectangle(launch, ELL_SENTINEL, error);
}

static enum status prepare_rowmajor(struct launch *launch, struct error *error)
{
    enum status status = want_layout(launch, ELL_ROWS, error);
    return status == STATUS_OK ? want_pad(launch, ELL_REPEAT, error) : status;
}

static size_t lengths_bytes(const struct launch *launch)
{
    return (size_t)launch->storage->rows * sizeof(int32_t);
}

/* The format does not store the lengths of rows. They are derived from the padding. */
static enum status prepare_bounded(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    int64_t rows = storage->rows, width = storage->number[ELL_WIDTH];
    enum status status = want_layout(launch, ELL_TRANSPOSED, error);
    if (status == STATUS_OK)
        status = memory_check(lengths_bytes(launch), launch->limit, "row lengths", error);
    if (status != STATUS_OK) return status;
    struct error reason = {0};
    int32_t *length = memory_array((size_t)rows, sizeof *length, error);
    if (!length) return STATUS_MEMORY;
#pragma omp parallel for schedule(static) if (rows > PARALLEL_MIN)
    for (int64_t i = 0; i < rows; i++)
        length[i] = (int32_t)padded_length(storage, i, rows, width);
    launch->state = device_copy_of(launch->device, length, lengths_bytes(launch), "row lengths", &reason);
    free(length);
    return launch->state ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static void release_bounded(struct launch *launch)
{
    device_release(launch->device, launch->state);
    launch->state = NULL;
}

static void traffic_of_entries(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    const int64_t padding = storage->slots[0] - storage->nnz;
    if (product_plain(launch->product)) traffic_pass(storage, padding, 1U << ROLE_VALUES, traffic);
    traffic->x_loads = storage->nnz;
    product_traffic(launch, traffic);
}

static void traffic_bounded(const struct launch *launch, struct traffic *traffic)
{
    const struct storage *storage = launch->storage;
    traffic_pass(storage, storage->slots[0] - storage->nnz, 1U << ROLE_COLUMNS | 1U << ROLE_VALUES, traffic);
    traffic->x_loads = storage->nnz;
    traffic->own_bytes = lengths_bytes(launch);
}

static const struct tuning_line tuning[] = {{"block", TUNING_BLOCKS}, {NULL}};

const struct kernel kernel_cuda_ell_padded = {
    .name = "ell-padded",
    .backend = &backend_cuda,
    .format = &format_ell,
    .summary = "a thread a row, over all slots, including padding",
    .source = "PMPP, figure 10.10",
    .wins = "It suits rows of nearly equal length, such as those of grids, where padding is negligible. It "
            "has the simplest loop, and sell is usually faster.",
    .parameters = parameters,
    .unordered = UNORDERED_TRANSPOSED,
    .complex = true,
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_padded,
    .run = CUDA_CODE(cuda_ell_padded),
    .release = product_release,
    .traffic = product_traffic,
    .trace = &trace_ell_padded,
    .pace = {.turn = 3.83, .request = 0.52, .start = 0.169, .overlap = 1.46},
    .product_way = PRODUCT_WAY_STRIDED,
    .tuning = tuning,
};

const struct kernel kernel_cuda_ell_bounded = {
    .name = "ell-bounded",
    .backend = &backend_cuda,
    .format = &format_ell,
    .summary = "a thread a row, over its entries only; it also reads the lengths of rows",
    .source = "PMPP, 4th edition, chapter 14",
    .wins = "It suits rows of nearly equal length: it reads the length of each row, and no padding.",
    .parameters = parameters,
    .complex = true,
    .prepare = prepare_bounded,
    .run = CUDA_CODE(cuda_ell_bounded),
    .remake = cuda_remake_ell_bounded,
    .release = release_bounded,
    .traffic = traffic_bounded,
    .trace = &trace_ell_bounded,
    .pace = {.turn = 3.39, .request = 0.52, .start = 0.28, .overlap = 1.38},
    .tuning = tuning,
};

const struct kernel kernel_cuda_ell_masked = {
    .name = "ell-masked",
    .backend = &backend_cuda,
    .format = &format_ell,
    .summary = "a thread a row, skipping slots with column -1",
    .source = "Sparse matrix-vector multiplication for HPCG on GPUs",
    .wins = "It suits rows of nearly equal length: it reads no values and no x for padding. ell-bounded is "
            "usually faster.",
    .parameters = parameters,
    .unordered = UNORDERED_TRANSPOSED,
    .complex = true,
    .format_defaults = "pad=sentinel",
    .transposes = true,
    .columns_max = PRODUCT_COLUMNS_MAX,
    .prepare = prepare_masked,
    .run = CUDA_CODE(cuda_ell_masked),
    .release = product_release,
    .traffic = traffic_of_entries,
    .trace = &trace_ell_masked,
    .pace = {.turn = 1.49, .request = 0.704, .start = 0.144, .overlap = 1.08},
    .product_way = PRODUCT_WAY_STRIDED,
    .tuning = tuning,
};

const struct kernel kernel_cuda_ell_rowmajor = {
    .name = "ell-rowmajor",
    .backend = &backend_cuda,
    .format = &format_ell,
    .summary = "ell-padded on rows that are not transposed: the loads of a warp are a row apart",
    .source = "PMPP, section 10.3, the layout before figure 10.9",
    .wins = "It shows the benefit of ELL's transposed layout: here the lanes of a warp read a whole row "
            "apart. Only caches hide that.",
    .parameters = parameters,
    .complex = true,
    .format_defaults = "layout=rows",
    .prepare = prepare_rowmajor,
    .run = CUDA_CODE(cuda_ell_rowmajor),
    .trace = &trace_ell_rowmajor,
    .pace = {.turn = 4.25, .request = 0.543, .start = 0.0908, .overlap = 1.17},
    .tuning = tuning,
};
