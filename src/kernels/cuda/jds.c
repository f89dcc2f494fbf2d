#include "kernels/cuda/jds.h"

#include <stdlib.h>

#include "base/memory.h"
#include "formats/jds_parts.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/convert/convert.h"
#include "kernels/gpu/device.h"

static const struct parameter parameters[] = {
    [JDS_BLOCK] = {"block", "threads of a block", 32, 1024, 256, .type = PARAMETER_POWER},
    {0},
};

struct jds_piece jds_piece(const struct storage *storage, int64_t s)
{
    const struct jds_section section = jds_section(storage, s);
    bool empty = section.first >= storage->number[JDS_FILLED];
    return (struct jds_piece){.first = section.first,
                              .height = section.height,
                              .slot = section.slot,
                              .wide = section.wide,
                              .csr = jds_kind(storage) == JDS_SECTIONS_CSR && !empty};
}

static size_t apart_bytes(const struct launch *launch)
{
    return launch->product.accumulate ? 0 : (size_t)launch->storage->number[JDS_APART] * sizeof(int32_t);
}

/* List the rows of the COO part, each once, and copy them to the device. O(entries of the part). */
static enum status keep_apart(struct launch *launch, struct error *error)
{
    const struct storage *storage = launch->storage;
    const int32_t *coo_row = storage->array[storage->number[JDS_COLUMNS] + 2].data;
    struct error reason = {0};
    int64_t count = 0;
    enum status status = memory_check(apart_bytes(launch), launch->limit, "rows of the COO part", error);
    if (status != STATUS_OK) return status;
    int32_t *row = memory_array((size_t)storage->number[JDS_APART], sizeof *row, error);
    if (!row) return STATUS_MEMORY;
    for (int64_t e = 0; e < storage->slots[1]; e++)
        if (e == 0 || coo_row[e] != coo_row[e - 1]) row[count++] = coo_row[e];
    launch->state = device_copy_of(launch->device, row, apart_bytes(launch), "rows of the COO part", &reason);
    free(row);
    return launch->state ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static enum status prepare_with(struct launch *launch, bool sections, struct error *error)
{
    if ((jds_kind(launch->storage) != JDS_PLAIN) != sections)
        return error_set(error, STATUS_UNAVAILABLE, "%s reads %s", launch->kernel->name,
                         sections ? "sections: ask for sections=share or sections=equal"
                                  : "whole diagonals: ask for sections=none, or for jds-sections");
    return apart_bytes(launch) > 0 ? keep_apart(launch, error) : STATUS_OK;
}

static enum status prepare_plain(struct launch *launch, struct error *error)
{
    return prepare_with(launch, false, error);
}

static enum status prepare_sections(struct launch *launch, struct error *error)
{
    return prepare_with(launch, true, error);
}

static void release(struct launch *launch)
{
    device_release(launch->device, launch->state);
    launch->state = NULL;
}

static void traffic(const struct launch *launch, struct traffic *traffic)
{
    traffic->own_bytes = apart_bytes(launch);
}

/* Entries in the COO part are added to y. */
static unsigned needs_of(const struct kernel_choice *choice)
{
    return choice->format.values.number[JDS_MAX] < INT32_MAX ? NEEDS_F64_ATOMICS : 0;
}

static const struct tuning_line tuning_jds[] = {
    {"longest", "0.9 0.99 0.999", TUNING_LENGTHS}, {"block", "64 128 256 512"}, {NULL}};

const struct kernel kernel_cuda_jds = {
    .name = "jds",
    .backend = &backend_cuda,
    .format = &format_jds,
    .summary = "one launch, a thread a sorted row, over all its diagonals; two more for a COO part",
    .source = "PMPP, 4th edition, notes of chapter 14",
    .wins = "It shows the effect of sorting all rows: adjacent threads have rows of similar length, but x "
            "loses its locality. sell, which sorts within windows, is faster.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL | UNORDERED_APART,
    .complex = true,
    .prepare = prepare_plain,
    .needs_of = needs_of,
    .run = CUDA_CODE(cuda_jds),
    .remake = cuda_remake_jds,
    .release = release,
    .traffic = traffic,
    .trace = &trace_jds,
    .pace = {.turn = 3.58, .request = 0.548, .start = 0.314, .overlap = 1.39},
    .tuning = tuning_jds,
};

static const struct tuning_line tuning_sections[] = {{"longest", "0.9 0.99 0.999", TUNING_LENGTHS},
                                                     {"share", "0.1 0.25 0.5 0.75 0.9 1"},
                                                     {"height", "1 32 1024", TUNING_ROWS},
                                                     {"inside", "ell csr"},
                                                     {"block", "64 128 256 512"},
                                                     {NULL}};

const struct kernel kernel_cuda_jds_sections = {
    .name = "jds-sections",
    .backend = &backend_cuda,
    .format = &format_jds,
    .summary = "one launch a section, a thread a sorted row; two more for a COO part",
    .source = "PMPP, section 10.5, figures 10.15 and 10.16",
    .wins = "It is the published division into launches, for comparison. Each section is a launch, so that "
            "few long ones are best; jds is usually faster.",
    .parameters = parameters,
    .unordered = UNORDERED_ALL | UNORDERED_APART,
    .complex = true,
    .format_defaults = "sections=share",
    .prepare = prepare_sections,
    .needs_of = needs_of,
    .run = CUDA_CODE(cuda_jds_sections),
    .remake = cuda_remake_jds,
    .release = release,
    .traffic = traffic,
    .trace = &trace_jds_sections,
    .pace = {.turn = 1.6, .request = 0.516, .start = 0.383, .overlap = 1.31},
    .tuning = tuning_sections,
};
