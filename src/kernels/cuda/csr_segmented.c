#include "kernels/cuda/csr_segmented.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/array.h"
#include "formats/csr.h"
#include "kernels/cuda/code.h"
#include "kernels/gpu/device.h"

static const struct parameter segmented_parameters[] = {
    [SEGMENTED_ENTRIES] = {"entries", "entries for each thread", 1, SEGMENTED_ENTRIES_MAX,
                           .type = PARAMETER_POWER, .automatic = "by entries a multiprocessor"},
    [SEGMENTED_BLOCK] = {"block", "threads of a block", 32, 1024, .type = PARAMETER_POWER,
                         .automatic = "256, or 512 for long rows of small matrices"},
    [SEGMENTED_EARLY] = EARLY_PARAMETER,
    {0},
};

/* A block has 256 threads, or 512 if only these can process the longest row of a small matrix whole: orani678
 * then takes 2.66 us instead of 3.42 us on an H200. In large matrices the warps of blocks of 512 wait longer
 * for each other. */
static void choose_block(struct launch *launch)
{
    double *block = &launch->values.number[SEGMENTED_BLOCK];
    double row = (double)launch->storage->number[CSR_LONGEST],
           each = launch->values.number[SEGMENTED_ENTRIES];
    bool small = launch->storage->nnz <= grid_resident_threads(launch);
    if (isnan(each)) each = SEGMENTED_ENTRIES_MAX;
    if (isnan(*block)) *block = small && row > 256 * each && row <= 512 * each ? 512 : 256;
}

/* Choose the entries of a thread. One entry spreads a small matrix over the whole GPU. With more entries for
 * each multiprocessor two, and then four, are faster, since fewer threads start and end: on an H200 from
 * about a third of its resident threads on, and from three quarters. If the longest row would be cut into
 * parts, more entries are chosen if that leaves it whole, since adding up parts costs more. A given number is
 * rounded down to a power of two. */
static void choose_entries(struct launch *launch)
{
    double *entries = &launch->values.number[SEGMENTED_ENTRIES];
    double threads = (double)grid_resident_threads(launch), nnz = (double)launch->storage->nnz;
    double row = (double)launch->storage->number[CSR_LONGEST], block = launch->values.number[SEGMENTED_BLOCK];
    if (isnan(*entries)) {
        *entries = nnz <= threads * 0.35 ? 1 : nnz <= threads * 0.75 ? 2 : 4;
        double whole = *entries;
        while (whole < SEGMENTED_ENTRIES_MAX && whole * block < row)
            whole *= 2;
        if (whole * block >= row) *entries = whole;
    }
    *entries = exp2(floor(log2(*entries)));
}

/* Runs */

struct cutting {
    const struct array *row_ptr;
    int64_t rows, room;
    struct segmented_run *runs; /* NULL while they are only counted */
    int64_t count, parts;
};

static void put_run(struct cutting *cutting, struct segmented_run run)
{
    if (cutting->runs) cutting->runs[cutting->count] = run;
    cutting->count++;
}

/* Cut a row into parts of equal lengths, up to whole requests of a warp. */
static void cut_row(struct cutting *cutting, int64_t row, int64_t begin, int64_t end)
{
    int64_t parts = (end - begin + cutting->room - 1) / cutting->room,
            each = (end - begin + parts - 1) / parts;
    each = (each + WARP - 1) / WARP * WARP;
    parts = (end - begin + each - 1) / each;
    int32_t from = (int32_t)cutting->count;
    for (int64_t at = begin; at < end; at += each)
        put_run(cutting,
                (struct segmented_run){at, min(at + each, end), (int32_t)row, 1, (int32_t)parts, from});
    cutting->parts += parts;
}

/* Add rows to a run until the next does not fit. O(rows + runs). */
static void cut(struct cutting *cutting)
{
    struct segmented_run run = {0};
    cutting->count = cutting->parts = 0;
    int64_t begin = 0;
    for (int64_t i = 0; i < cutting->rows; i++) {
        int64_t end = array_integer(cutting->row_ptr, i + 1);
        bool wide = end - begin > cutting->room;
        if (run.rows > 0 &&
            (wide || end - run.begin > cutting->room || run.rows >= SEGMENTED_ROWS * cutting->room)) {
            put_run(cutting, run);
            run.rows = 0;
        }
        if (wide) {
            cut_row(cutting, i, begin, end);
        } else {
            if (run.rows == 0) run = (struct segmented_run){.begin = begin, .row = (int32_t)i};
            run.rows++;
            run.end = end;
            run.from += end == begin;
        }
        begin = end;
    }
    if (run.rows > 0) put_run(cutting, run);
}

static enum status make_runs(const struct launch *launch, struct cutting *cutting, struct error *error)
{
    size_t bytes;
    *cutting = (struct cutting){.row_ptr = &launch->storage->array[CSR_ROW_PTR],
                                .rows = launch->storage->rows,
                                .room = segmented_room(launch)};
    cut(cutting);
    if (cutting->count > INT32_MAX)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-segmented takes up to %d runs of rows: give more entries", INT32_MAX);
    size_multiply((size_t)cutting->count, sizeof *cutting->runs + 4 * sizeof(uint64_t) + sizeof(uint32_t),
                  &bytes);
    enum status status = memory_check(bytes, launch->limit, "the runs of csr-segmented", error);
    if (status != STATUS_OK) return status;
    cutting->runs = memory_array((size_t)cutting->count, sizeof *cutting->runs, error);
    if (!cutting->runs) return STATUS_MEMORY;
    cut(cutting);
    return STATUS_OK;
}

/* Tables on the device */

static void *place_zeros(const struct launch *launch, size_t count, size_t size, struct error *reason)
{
    struct device *device = launch->device;
    if (reason->status != STATUS_OK) return NULL;
    void *there = device_array(device, count, size, "the partial sums of csr-segmented", reason);
    if (there) device->type->fill(device, there, 0, count * size, reason);
    return there;
}

static enum status place_tables(const struct launch *launch, const struct cutting *cutting,
                                struct error *error)
{
    struct segmented *segmented = launch->state;
    struct error reason = {0};
    size_t count = (size_t)cutting->count;
    segmented->count = cutting->count;
    segmented->parts = cutting->parts;
    if (count == 0) return STATUS_OK;
    segmented->runs = device_copy_of(launch->device, cutting->runs, count * sizeof *cutting->runs,
                                     "the runs of csr-segmented", &reason);
    if (cutting->parts > 0) {
        segmented->partials = place_zeros(launch, (size_t)segmented_words(launch->storage->complex) * count,
                                          sizeof *segmented->partials, &reason);
        segmented->arrived = place_zeros(launch, count, sizeof *segmented->arrived, &reason);
    }
    return reason.status == STATUS_OK ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static enum status prepare(struct launch *launch, struct error *error)
{
    struct cutting cutting;
    choose_block(launch);
    choose_entries(launch);
    choose_early(launch, SEGMENTED_EARLY);
    if (check_warps(launch, SEGMENTED_BLOCK, error) != STATUS_OK) return STATUS_UNAVAILABLE;
    struct segmented *segmented = memory_zeroed(1, sizeof *segmented, error);
    launch->state = segmented;
    if (!segmented) return STATUS_MEMORY;
    size_t shared = segmented_grid(launch).shared;
    if (shared > SHARED_PLAIN)
        return error_set(error, STATUS_UNAVAILABLE,
                         "csr-segmented with %d entries for each of %d threads needs %zu bytes of shared "
                         "memory, and has %d: give fewer entries or a smaller block",
                         (int)launch->values.number[SEGMENTED_ENTRIES],
                         (int)launch->values.number[SEGMENTED_BLOCK], shared, SHARED_PLAIN);
    enum status status = make_runs(launch, &cutting, error);
    if (status == STATUS_OK) status = place_tables(launch, &cutting, error);
    free(cutting.runs);
    return status;
}

static void release(struct launch *launch)
{
    struct segmented *segmented = launch->state;
    device_release(launch->device, segmented->runs);
    device_release(launch->device, segmented->partials);
    device_release(launch->device, segmented->arrived);
    free(segmented);
    launch->state = NULL;
}

/* The runs are read beside the arrays, and partial sums are written and read. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct segmented *segmented = launch->state;
    traffic->own_bytes =
        (size_t)segmented->count * sizeof(struct segmented_run) +
        (size_t)segmented->parts *
            ((size_t)segmented_words(launch->storage->complex) * sizeof(uint64_t) + sizeof(uint32_t));
}

const struct kernel kernel_cuda_csr_segmented = {
    .name = "csr-segmented",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "a block a run of rows, whose products are added by a segmented scan",
    .source = "after CSR-Adaptive: Greathouse and Daga, \"Efficient sparse matrix-vector "
              "multiplication on GPUs using the CSR storage format\", SC 2014; the scan: Blelloch, "
              "\"Prefix sums and their applications\", CMU-CS-90-190, 1990",
    .wins = "It suits matrices that the caches hold, regular or not. It is the fastest kernel on "
            "many of them, and takes less than twice as long as the fastest on most others. Large ones "
            "have faster kernels.",
    .parameters = segmented_parameters,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_csr_segmented),
    .trace = &trace_csr_segmented,
    .release = release,
    .traffic = traffic,
    .pace =
        {.turn = 0.18, .request = 0.234, .shared = 0.49, .start = 0.783, .handover = 6.99, .overlap = 0.672},
};
