/* Triangular solves on NVIDIA's GPUs: parameters, plans and their copies on the device. */
#include "kernels/cuda/trisolve/solve.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/parameters.h"
#include "kernels/backend.h"
#include "kernels/cuda/code.h"
#include "kernels/cuda/grid.h"

/* Bytes of shared memory that CUDA reserves in each block. */
#define SHARED_OWN 1024

static const struct parameter parameters[] = {
    {.name = "lanes",
     .help = "threads that add the terms of a row",
     .type = PARAMETER_POWER,
     .min = 1,
     .max = 32,
     .automatic = "by the terms of each row"},
    {.name = "threads",
     .help = "threads of a block in levels with many rows",
     .type = PARAMETER_POWER,
     .min = 32,
     .max = 1024,
     .standard = 128},
    {.name = "block",
     .help = "threads of a block that solves levels with few rows",
     .type = PARAMETER_POWER,
     .min = 32,
     .max = 1024,
     .standard = 512},
    {.name = "narrow",
     .help = "KiB of shared memory that a level with few rows takes at most; 0: there are none",
     .type = PARAMETER_INTEGER,
     .min = 0,
     .max = 200,
     .standard = 2},
    {.name = "segment",
     .help = "KiB of shared memory of such a block",
     .type = PARAMETER_INTEGER,
     .min = 1,
     .max = 200,
     .standard = 96},
    {.name = "ahead",
     .help = "rows in flight, in levels of mean width; 0: as many as the GPU holds",
     .type = PARAMETER_INTEGER,
     .min = 0,
     .max = 1000,
     .standard = 6},
    {.name = "queue",
     .help = "blocks that solve levels with few rows, of which all but one load or wait",
     .type = PARAMETER_INTEGER,
     .min = 1,
     .max = 1000,
     .standard = 16},
    {.name = "terms",
     .help = "terms that a thread adds at most, while rows have less than 32 times as many",
     .type = PARAMETER_INTEGER,
     .min = 1,
     .max = 1024,
     .automatic = "by the rows of a level"},
    {.name = "sleep",
     .help = "nanoseconds between two looks at an x",
     .type = PARAMETER_INTEGER,
     .min = 0,
     .max = 10000,
     .standard = 0},
    {.name = NULL},
};
enum { LANES, THREADS, BLOCK, NARROW, SEGMENT, AHEAD, QUEUE, TERMS, SLEEP };

static struct triplan_options options_for(const struct cuda_solve *solve,
                                          const struct parameter_values *values, enum triangle triangle)
{
    size_t most = cuda_solve_shared(solve->device);
    most -= most > SHARED_OWN ? SHARED_OWN : 0;
    struct triplan_options options = {.triangle = triangle,
                                      .both =
                                          solve->operation == TRISOLVE_SYMGS && triangle == TRIANGLE_LOWER,
                                      .lanes = isnan(values->number[LANES]) ? 0 : (int)values->number[LANES],
                                      .terms = isnan(values->number[TERMS]) ? 0 : (int)values->number[TERMS],
                                      .threads = (int)values->number[BLOCK],
                                      .narrow = (size_t)values->number[NARROW] << 10,
                                      .shared = (size_t)values->number[SEGMENT] << 10};
    if (options.shared > most) options.shared = most;
    if (options.narrow > options.shared) options.narrow = options.shared;
    return options;
}

/* Copy an array to the device. On failure only this kernel is unavailable. */
static enum status copy(struct device *device, const void *from, size_t bytes, void *to, struct error *error)
{
    struct error reason = {0};
    void **place = to;
    if (!from) return STATUS_OK;
    *place = device_copy_of(device, from, bytes, "a triangular solve", &reason);
    return *place ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

static enum status copy_entries(struct device *device, const struct triplan_entries *from, int64_t slices,
                                struct triplan_entries *to, struct error *error)
{
    const size_t count = from->ptr ? (size_t)from->ptr[slices] * 32 : 0;
    enum status status = copy(device, from->ptr, (size_t)(slices + 1) * sizeof *from->ptr, &to->ptr, error);
    if (status == STATUS_OK) status = copy(device, from->col, count * sizeof *from->col, &to->col, error);
    if (status == STATUS_OK) status = copy(device, from->val, count * sizeof *from->val, &to->val, error);
    return status;
}

/* Copy the arrays of a plan to the device, into *there, whose arrays are NULL before. */
static enum status copy_plan(struct device *device, const struct triplan *plan, struct triplan *there,
                             struct error *error)
{
    const struct {
        const void *from;
        size_t bytes;
        void *to;
    } arrays[] = {
        {plan->slice, (size_t)plan->slices * sizeof *plan->slice, &there->slice},
        {plan->row, (size_t)plan->places * sizeof *plan->row, &there->row},
        {plan->inverse, (size_t)plan->places * sizeof *plan->inverse, &there->inverse},
        {plan->diagonal, (size_t)plan->places * sizeof *plan->diagonal, &there->diagonal},
        {plan->level_slice, (size_t)plan->level_slices * sizeof *plan->level_slice, &there->level_slice},
        {plan->segments, (size_t)plan->segment_count * sizeof *plan->segments, &there->segments},
        {plan->start, (size_t)plan->starts * sizeof *plan->start, &there->start},
        {plan->level, (size_t)plan->level_starts * sizeof *plan->level, &there->level},
        {plan->own_col, (size_t)plan->own_entries * sizeof *plan->own_col, &there->own_col},
        {plan->own_val, (size_t)plan->own_entries * sizeof *plan->own_val, &there->own_val},
    };
    enum status status = STATUS_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && status == STATUS_OK; k++)
        status = copy(device, arrays[k].from, arrays[k].bytes, arrays[k].to, error);
    if (status == STATUS_OK) status = copy_entries(device, &plan->fresh, plan->slices, &there->fresh, error);
    return status == STATUS_OK ? copy_entries(device, &plan->old, plan->slices, &there->old, error) : status;
}

/* Allocate an array on the device, and set all of its bytes to `byte`. */
static enum status fill(struct device *device, size_t bytes, unsigned char byte, void *to,
                        struct error *error)
{
    struct error reason = {0};
    void **place = to;
    *place = device_array(device, bytes, 1, "a triangular solve", &reason);
    const bool filled = *place && device->type->fill(device, *place, byte, bytes, &reason) == STATUS_OK;
    return filled ? STATUS_OK : error_set(error, STATUS_UNAVAILABLE, "%s", reason.message);
}

/* Allocate both arrays of x by place. All x are unknown, except that of place 0. */
static enum status make_unknown(struct device *device, struct cuda_half *half, struct error *error)
{
    const double zero = 0;
    const size_t bytes = (size_t)half->plan.places * sizeof(double);
    enum status status = fill(device, sizeof *half->arrived, 0, &half->arrived, error);
    for (int k = 0; k < 2 && status == STATUS_OK; k++) {
        status = fill(device, bytes, 0xff, &half->x[k], error);
        if (status == STATUS_OK) status = device->type->write(device, half->x[k], &zero, sizeof zero, error);
    }
    return status;
}

static enum status make_half(struct cuda_solve *solve, const struct trisolve_parts *parts,
                             const struct parameter_values *values, enum triangle triangle,
                             struct progress *progress, struct error *error)
{
    const struct triplan_options options = options_for(solve, values, triangle);
    struct cuda_half *half = &solve->half[triangle];
    struct triplan plan;
    enum status status = triplan_make(parts, &options, progress, &plan, error);
    if (status != STATUS_OK) return status;
    half->plan = plan;
    triplan_forget(&half->plan);
    half->phases = plan.phases;
    plan.phases = NULL;
    status = copy_plan(solve->device, &plan, &half->plan, error);
    triplan_free(&plan);
    return status == STATUS_OK ? make_unknown(solve->device, half, error) : status;
}

static enum status make(struct cuda_solve *solve, const struct trisolve_parts *parts,
                        const struct parameter_values *values, struct progress *progress, struct error *error)
{
    enum status status = STATUS_OK;
    solve->threads = (int)values->number[THREADS];
    solve->ahead = (int)values->number[AHEAD];
    solve->queue = (int)values->number[QUEUE];
    solve->sleep = (unsigned)values->number[SLEEP];
    for (int t = 0; t < TRIANGLES && status == STATUS_OK; t++)
        if (solve->operation == TRISOLVE_SYMGS ||
            (solve->operation == TRISOLVE_UPPER) == (t == TRIANGLE_UPPER))
            status = make_half(solve, parts, values, (enum triangle)t, progress, error);
    if (status == STATUS_OK) status = fill(solve->device, sizeof *solve->failed, 0, &solve->failed, error);
    if (status == STATUS_OK && solve->operation == TRISOLVE_SYMGS)
        status = fill(solve->device, (size_t)parts->rows * sizeof *solve->right, 0, &solve->right, error);
    return status == STATUS_OK ? cuda_solve_fit(solve, error) : status;
}

static enum status prepare(const struct trisolve_parts *parts, enum trisolve_operation operation,
                           bool barriers, const struct trisolve_place *place, struct progress *progress,
                           void **state, struct error *error)
{
    struct parameter_values values = {0};
    struct cuda_solve *solve = memory_zeroed(1, sizeof *solve, error);
    *state = solve;
    if (!solve) return STATUS_MEMORY;
    *solve = (struct cuda_solve){.device = place->device, .operation = operation, .barriers = barriers};
    enum status status = parameters_read("a triangular solve", parameters,
                                         place->parameters ? place->parameters : "", &values, error);
    if (status == STATUS_OK) status = make(solve, parts, &values, progress, error);
    parameters_free(&values);
    return status;
}

static enum status prepare_free(const struct trisolve_parts *parts, enum trisolve_operation operation,
                                const struct trisolve_place *place, struct progress *progress, void **state,
                                struct error *error)
{
    return prepare(parts, operation, false, place, progress, state, error);
}

static enum status prepare_levels(const struct trisolve_parts *parts, enum trisolve_operation operation,
                                  const struct trisolve_place *place, struct progress *progress, void **state,
                                  struct error *error)
{
    return prepare(parts, operation, true, place, progress, state, error);
}

static void release_half(struct device *device, struct cuda_half *half)
{
    void *const arrays[] = {
        half->plan.slice,

        half->plan.row,      half->plan.inverse,   half->plan.diagonal,  half->plan.level_slice,
        half->plan.segments, half->plan.start,     half->plan.level,     half->plan.own_col,
        half->plan.own_val,  half->plan.fresh.ptr, half->plan.fresh.col, half->plan.fresh.val,
        half->plan.old.ptr,  half->plan.old.col,   half->plan.old.val,   half->x[0],
        half->x[1],          half->arrived};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        device_release(device, arrays[k]);
    free(half->phases);
}

static void release(void *state)
{
    struct cuda_solve *solve = state;
    if (!solve) return;
    for (int t = 0; t < TRIANGLES; t++)
        release_half(solve->device, &solve->half[t]);
    device_release(solve->device, solve->right);
    device_release(solve->device, solve->failed);
    free(solve);
}

static enum status outcome(void *state, struct error *error)
{
    const struct cuda_solve *solve = state;
    struct device *device = solve->device;
    int failed = 0;
    enum status status = device->type->read(device, &failed, solve->failed, sizeof failed, error);
    if (status != STATUS_OK || !failed) return status;
    status = device->type->fill(device, solve->failed, 0, sizeof failed, error);
    if (status != STATUS_OK) return status;
    return error_set(error, STATUS_UNAVAILABLE, "a thread waited for an x that never came");
}

static struct trisolve_facts facts(const void *state)
{
    const struct cuda_solve *solve = state;
    return (struct trisolve_facts){.levels = solve->half[TRIANGLE_LOWER].plan.levels +
                                             solve->half[TRIANGLE_UPPER].plan.levels};
}

const struct trisolve_kernel trisolve_cuda_free = {
    .name = "cuda/syncfree",
    .summary = "rows in the order of levels wait for the x that they need",
    .source = "after Liu, Li, Hogg, Duff and Vinter, Euro-Par 2016, and Su, Zhang, Cai and others, ICPP 2020",
    .backend = &backend_cuda,
    .parameters = parameters,
    .prepare_on = prepare_free,
    .run = CUDA_CODE(cuda_solve_run),
    .outcome = outcome,
    .release = release,
    .facts = facts,
};

const struct trisolve_kernel trisolve_cuda_levels = {
    .name = "cuda/levels",
    .summary = "all blocks wait for each other after each level with many rows",
    .source = "after Naumov, NVIDIA Technical Report NVR-2011-001",
    .backend = &backend_cuda,
    .parameters = parameters,
    .prepare_on = prepare_levels,
    .run = CUDA_CODE(cuda_solve_run),
    .outcome = outcome,
    .release = release,
    .facts = facts,
};
