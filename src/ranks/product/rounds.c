/* Rounds of samples over ranks. All ranks make the same decisions, from the same data: times are those of the
 * slowest rank, and random numbers come from the seed. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/threads.h"
#include "ranks/product/contender.h"

#define SAMPLE_SECONDS 1e-3 /* minimum time of a sample */
#define INNER_MAX 1000
#define PHASE_PRODUCTS 10 /* device products with measured phases, since measuring takes time */

bool contender_agrees(const struct rounds *rounds, struct contender *contender, enum status status,
                      struct error *error)
{
    status = ranks_agree(rounds->ranks, status, error);
    if (status == STATUS_OK) return contender->sampling.ready;
    return sampling_went(&contender->sampling, status, error);
}

/* Replace each number by its maximum over all ranks. */
static void largest(const struct rounds *rounds, double *numbers, int count)
{
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, MPI_DOUBLE, MPI_MAX, rounds->ranks->all);
}

/* Return on all ranks whether any rank was cancelled. */
static bool cancelled(const struct rounds *rounds)
{
    int64_t mine = progress_cancelled(rounds->progress);
    ranks_max(rounds->ranks, &mine, 1);
    return mine != 0;
}

/* Run this number of products after a barrier. Returns the seconds of one product on the slowest rank; 0 if
 * one failed. */
static double run(const struct rounds *rounds, struct contender *contender, int products,
                  struct phases *phases)
{
    struct error error = {0};
    MPI_Barrier(rounds->ranks->all);
    double start = clock_seconds();
    enum status status = joint_run(&contender->joint, products, phases, &error);
    double took[2] = {(clock_seconds() - start) / products, status != STATUS_OK};
    largest(rounds, took, 2);
    if (took[1] == 0) return took[0];
    contender_agrees(rounds, contender, status, &error);
    return 0;
}

/* Check one product, with a y that reveals every row not written. Returns its seconds. */
static double check(const struct rounds *rounds, struct contender *contender)
{
    struct joint *joint = &contender->joint;
    struct error error = {0};
    enum status status = operands_poison(joint->vectors, joint->device, &error);
    if (!contender_agrees(rounds, contender, status, &error)) return 0;
    double seconds = run(rounds, contender, 1, NULL), most = NAN;
    if (!contender->sampling.ready) return 0;
    status = operands_check(joint->vectors, joint->device, &most, &error);
    double worst = isnan(most) ? -1 : most;
    largest(rounds, &worst, 1);
    if (worst >= 0)
        contender->sampling.result->max_error = fmax(contender->sampling.result->max_error, worst);
    contender_agrees(rounds, contender, status, &error);
    return seconds;
}

void ranked_warm_up(struct rounds *rounds, struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    double seconds = check(rounds, contender), spent = seconds, stop = sampling_warm_seconds(options);
    for (int k = 0; k < sampling_warm_products(options) && contender->sampling.ready && spent < stop; k++) {
        double now = run(rounds, contender, 1, NULL);
        spent += now;
        seconds = fmin(seconds, now);
    }
    double inner = ceil(SAMPLE_SECONDS / fmax(seconds, SAMPLE_SECONDS / INNER_MAX));
    contender->sampling.slow = seconds > SLOW_SECONDS;
    contender->sampling.inner = inner < 1 ? 1 : (int)inner;
}

static bool done(const struct rounds *rounds, const struct contender *contender)
{
    return sampling_done(rounds->options, &contender->sampling) >= 1;
}

/* Take a sample after an untimed product, which reloads the data that other kernels have evicted from the
 * caches. Measuring the phases of processors' products costs almost nothing, so that they are those of the
 * samples. */
static void sample(const struct rounds *rounds, struct contender *contender)
{
    struct joint *joint = &contender->joint;
    struct error error = {0};
    double start = clock_seconds();
    enum status status = sampling_room(&contender->sampling, &error);
    if (status == STATUS_OK) status = operands_settle(joint->vectors, joint->device, &error);
    if (!contender_agrees(rounds, contender, status, &error)) return;
    if (!contender->sampling.slow) run(rounds, contender, 1, NULL);
    if (!joint->device) threads_gather(joint->local.threads);
    double seconds = contender->sampling.ready ? run(rounds, contender, contender->sampling.inner,
                                                     joint->device ? NULL : &contender->phases)
                                               : 0;
    double spent = clock_seconds() - start;
    largest(rounds, &spent, 1);
    contender->sampling.spent += spent;
    if (contender->sampling.ready) sampling_add(&contender->sampling, seconds);
}

static bool some_left(const struct rounds *rounds, const struct contender *contenders, int count)
{
    for (int k = 0; k < count; k++)
        if (!done(rounds, &contenders[k])) return true;
    return false;
}

/* The numbers of a rank's products: its phases, and the summands of sums over the ranks. */
enum { EXCHANGE, WAIT, COMPUTE, PHASES };

/* Find the slowest rank and the balance of computation. PETSc does not report its phases. */
static enum status compare_ranks(const struct rounds *rounds, struct contender *contender,
                                 struct error *error)
{
    const struct phases *phases = &contender->phases;
    struct ranked *ranked = &contender->sampling.result->ranked;
    double mine[PHASES] = {phases->exchange, phases->wait, phases->compute},
           products = (double)phases->products;
    int count = rounds->ranks->count, slowest = 0;
    double *all = memory_array((size_t)count, sizeof mine, error), sum = 0, most = 0, longest = 0;
    enum status status = ranks_agree(rounds->ranks, all ? STATUS_OK : STATUS_MEMORY, error);
    if (status == STATUS_OK) {
        MPI_Allgather(mine, PHASES, MPI_DOUBLE, all, PHASES, MPI_DOUBLE, rounds->ranks->all);
        for (int r = 0; r < count; r++) {
            const double *of = all + r * PHASES;
            double total = of[EXCHANGE] + of[WAIT] + of[COMPUTE];
            sum += of[COMPUTE];
            most = fmax(most, of[COMPUTE]);
            if (total <= longest) continue;
            longest = total;
            slowest = r;
        }
        ranked->exchange_seconds = all[slowest * PHASES + EXCHANGE] / products;
        ranked->wait_seconds = all[slowest * PHASES + WAIT] / products;
        ranked->compute_seconds = all[slowest * PHASES + COMPUTE] / products;
        ranked->imbalance = sum > 0 ? most * count / sum : NAN;
    }
    free(all);
    return status;
}

/* Sums over the ranks: bytes moved, and the sizes of storages. */
static void add_ranks(const struct rounds *rounds, struct contender *contender)
{
    const struct joint *joint = &contender->joint;
    struct result *result = contender->sampling.result;
    struct kernel_bytes bytes = joint_bytes(joint);
    double moved[2] = {bytes.plus, bytes.minus};
    int64_t size[3] = {0};
    double longest[2] = {joint->convert_seconds, joint->device ? joint->upload_seconds : 0};
    for (int part = 0; part < 2; part++) {
        if (!joint->stored[part]) continue;
        struct format_size of = storage_size(joint->stored[part]);
        size[0] += (int64_t)of.bytes;
        size[1] += of.integers;
        size[2] += of.slots;
    }
    MPI_Allreduce(MPI_IN_PLACE, moved, 2, MPI_DOUBLE, MPI_SUM, rounds->ranks->all);
    ranks_sum(rounds->ranks, size, 3);
    largest(rounds, longest, 2);
    result->bytes = (struct kernel_bytes){moved[0], moved[1]};
    result->convert_seconds = longest[0];
    if (joint->device) result->upload_seconds = longest[1];
    result->sized = size[0] > 0;
    result->size = (struct format_size){.bytes = (size_t)size[0],
                                        .integers = size[1],
                                        .slots = size[2],
                                        .padding_ratio = NAN,
                                        .dense_ratio = NAN};
}

static enum status conclude(struct rounds *rounds, struct contender *contender, struct error *error)
{
    struct joint *joint = &contender->joint;
    struct result *result = contender->sampling.result;
    if (!contender->sampling.ready) return STATUS_OK;
    if (joint->device) run(rounds, contender, PHASE_PRODUCTS, &contender->phases);
    if (contender->sampling.ready) check(rounds, contender);
    if (!contender->sampling.ready) return STATUS_OK;
    result->ranked.ranks = rounds->ranks->count;
    enum status status = compare_ranks(rounds, contender, error);
    if (joint->way == &joint_by_petsc)
        result->ranked.exchange_seconds = result->ranked.wait_seconds = result->ranked.compute_seconds =
            result->ranked.imbalance = NAN;
    else
        snprintf(result->ranked.link, sizeof result->ranked.link, "%s", joint->linked ? "nccl" : "mpi");
    add_ranks(rounds, contender);
    samples_of(PROTOCOL_MEDIAN, contender->sampling.seconds, contender->sampling.count, &result->samples);
    return status;
}

enum status ranked_rounds(struct rounds *rounds, struct contender *contenders, int count, struct error *error)
{
    int *order = memory_array((size_t)count, sizeof *order, error);
    enum status status = ranks_agree(rounds->ranks, order ? STATUS_OK : STATUS_MEMORY, error);
    bool stop = false;
    while (status == STATUS_OK && !stop && some_left(rounds, contenders, count)) {
        sampling_order(rounds->options, &rounds->drawn, order, count);
        for (int k = 0; k < count; k++)
            if (!done(rounds, &contenders[order[k]])) sample(rounds, &contenders[order[k]]);
        stop = cancelled(rounds);
    }
    free(order);
    for (int k = 0; k < count && status == STATUS_OK && !stop; k++)
        status = conclude(rounds, &contenders[k], error);
    return stop ? error_set(error, STATUS_CANCELLED, "cancelled") : status;
}
