#include "kernels/cuda/csr_swept.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "formats/csr.h"
#include "kernels/cuda/code.h"
#include "kernels/gpu/device.h"

static const struct parameter swept_parameters[] = {
    [SWEPT_BLOCK] = {"block", "threads of a block", 32, 1024, 1024, .type = PARAMETER_POWER},
    [SWEPT_SUMS] = {"sums", "sums of rows in the shared memory of a block", 64, SWEEP_SUMS_MAX,
                    .type = PARAMETER_INTEGER, .automatic = "those that fit in 7/10 of it, up to 24576"},
    [SWEPT_PIECES] = {"pieces", "pieces of the matrix for each multiprocessor", 1, 64,
                      .type = PARAMETER_INTEGER, .automatic = "1 to 4, to balance the work"},
    {0},
};

/* The more rows a band has, the more of its entries share a sector of x. But L1, which gets the rest of the
 * shared memory, holds the data in flight: on an H200 in double precision, using 98% of shared memory instead
 * of 70% makes R-MAT 1.2 times as slow, and a permutation 1.7 times. In single precision the same bytes are
 * twice the rows, and half of these suffice. */
#define SHARED_TENTHS 7
#define SUMS_ENOUGH 24576

static enum status choose_sums(struct launch *launch, struct error *error)
{
    double *sums = &launch->values.number[SWEPT_SUMS];
    size_t value = value_size(launch->storage), shared = launch->device->facts.shared;
    if (shared == 0) shared = SHARED_PLAIN;
    if (isnan(*sums)) *sums = (double)min((int64_t)(shared / value * SHARED_TENTHS / 10), SUMS_ENOUGH);
    if (*sums * (double)value <= (double)shared) return STATUS_OK;
    return error_set(error, STATUS_UNAVAILABLE,
                     "csr-swept with %.0f sums needs %.0f bytes of shared memory, and a block can have %zu: "
                     "give fewer sums",
                     *sums, *sums * (double)value, shared);
}

/* Return a copy of a table on the device, or NULL if the table is missing or after a failure. */
static void *place(const struct launch *launch, const void *table, int64_t count, size_t size,
                   struct error *reason)
{
    size_t bytes;
    size_multiply((size_t)count, size, &bytes);
    if (!table || reason->status != STATUS_OK) return NULL;
    return device_copy_of(launch->device, table, bytes, "a table of csr-swept", reason);
}

static enum status place_tables(const struct launch *launch, const struct sweeps *sweeps, struct error *error)
{
    struct swept *swept = launch->state;
    struct sweeps *there = &swept->sweeps;
    struct error reason = {0};
    const size_t value = value_size(launch->storage);
    const int64_t places = sweeps->groups * SWEEP_LANES;
    *there = *sweeps;
    there->places = place(launch, sweeps->places, places, sizeof *sweeps->places, &reason);
    there->bases = place(launch, sweeps->bases, sweeps->groups, sizeof *sweeps->bases, &reason);
    there->values = place(launch, sweeps->values, places, value, &reason);
    there->pieces = place(launch, sweeps->pieces, sweeps->count, sizeof *sweeps->pieces, &reason);
    there->copies = place(launch, sweeps->copies, sweeps->copied, sizeof *sweeps->copies, &reason);
    there->joins = place(launch, sweeps->joins, sweeps->joined, sizeof *sweeps->joins, &reason);
    if (sweeps->partials > 0 && reason.status == STATUS_OK)
        swept->partials = device_array(launch->device, (size_t)sweeps->partials, value,
                                       "the partial sums of csr-swept", &reason);
    return reason.status == STATUS_OK ? STATUS_OK : error_set(error, reason.status, "%s", reason.message);
}

static enum status prepare(struct launch *launch, struct error *error)
{
    enum status (*const allow)(const struct launch *, struct error *) = CUDA_CODE(cuda_csr_swept_allow);
    struct sweeps sweeps;
    struct swept *swept = memory_zeroed(1, sizeof *swept, error);
    launch->state = swept;
    if (!swept) return STATUS_MEMORY;
    enum status status = check_warps(launch, SWEPT_BLOCK, error);
    if (status == STATUS_OK) status = choose_sums(launch, error);
    if (status != STATUS_OK) return status;
    double *pieces = &launch->values.number[SWEPT_PIECES];
    const struct sweep_plan plan = {.sums = (int64_t)launch->values.number[SWEPT_SUMS],
                                    .threads = (int)launch->values.number[SWEPT_BLOCK],
                                    .each = isnan(*pieces) ? 0 : (int)*pieces,
                                    .multiprocessors = (int)max(launch->device->facts.multiprocessors, 1),
                                    .limit = launch->limit};
    status = sweeps_make(launch->storage, &plan, &sweeps, error);
    if (status != STATUS_OK) return status;
    *pieces = fmax(1, floor((double)sweeps.count / plan.multiprocessors + 0.5));
    status = place_tables(launch, &sweeps, error);
    swept->read = (size_t)launch->storage->nnz * value_size(launch->storage) +
                  (size_t)sweeps.groups * (SWEEP_LANES * sizeof *sweeps.places + sizeof *sweeps.bases) +
                  (size_t)sweeps.count * sizeof *sweeps.pieces +
                  (size_t)sweeps.copied * sizeof *sweeps.copies +
                  (size_t)sweeps.joined * sizeof *sweeps.joins;
    sweeps_free(&sweeps);
    if (status != STATUS_OK || swept_grid(launch).shared <= SHARED_PLAIN || !device_runs(launch->device))
        return status;
    return allow ? allow(launch, error) : STATUS_OK;
}

static void release(struct launch *launch)
{
    struct swept *swept = launch->state;
    const struct sweeps *sweeps = &swept->sweeps;
    void *const tables[] = {sweeps->places, sweeps->bases, sweeps->values, sweeps->pieces,
                            sweeps->copies, sweeps->joins, swept->partials};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
        device_release(launch->device, tables[k]);
    free(swept);
    launch->state = NULL;
}

/* The tables are read instead of the arrays, and partial sums are written and read. */
static void traffic(const struct launch *launch, struct traffic *traffic)
{
    const struct swept *swept = launch->state;
    traffic->array_bytes = swept->read;
    traffic->own_bytes = (size_t)swept->sweeps.partials * value_size(launch->storage);
}

const struct kernel kernel_cuda_csr_swept = {
    .name = "csr-swept",
    .backend = &backend_cuda,
    .format = &format_csr,
    .summary = "a block sweeps over the columns of a band of rows, with their sums in shared memory",
    .source = "after cache blocking: Nishtala, Vuduc, Demmel and Yelick, \"When cache blocking of "
              "sparse matrix vector multiply works and why\", Appl. Algebra Eng. Commun. Comput. 18, "
              "2007",
    .wins =
        "It suits large matrices with columns scattered over an x that exceeds the caches: entries that "
        "share sectors of x are read together. It is the fastest kernel on large R-MAT and random graphs.",
    .parameters = swept_parameters,
    .complex = true,
    .prepare = prepare,
    .needs = NEEDS_SHUFFLES,
    .run = CUDA_CODE(cuda_csr_swept),
    .trace = &trace_csr_swept,
    .release = release,
    .traffic = traffic,
    .pace = {.turn = 10.5, .request = 0.241, .shared = 2.69, .start = 12.1, .overlap = 9.42},
};
