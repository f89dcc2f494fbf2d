#include "kernels/timing/rounds.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/placement.h"
#include "base/threads.h"
#include "kernels/libraries/library.h"

#define WATCH_SECONDS 0.5    /* a machine is measured again at least so long after the time before, */
#define WATCH_SHARE 10.0     /* and at least so many times as long as measuring takes */
#define OUTLOOK_SECONDS 0.25 /* others are told what the samples say at most so often */
#define CONTENDER_PROGRESS 1000
#define REST_NANOSECONDS 8000000 /* in which threads that have nothing to do go to sleep */
#define RETAKES_MAX 3 /* a sample that was disturbed is taken again so often; then it counts as it is */

static bool went_well(struct contender *contender, enum status status, const struct error *error)
{
    return sampling_went(&contender->sampling, status, error);
}

/* Tell in the error of a wrong row if the arrays of the storage are damaged, which is so if this kernel or
 * one before it wrote where it must not. All kernels that read this storage are wrong then, whatever they do
 * themselves. The arrays are looked at only after a row was wrong, which leaves conversions and samples as
 * fast as they are. */
static void blame_arrays(const struct contender *contender, struct error *error)
{
    struct error damage = {0};
    size_t length = strlen(error->message);
    if (storage_validate(contender->storage, &damage) != STATUS_INPUT) return;
    snprintf(error->message + length, sizeof error->message - length,
             "; the arrays of %s are damaged: %.200s", contender->storage->format->name, damage.message);
}

/* Compare y with the reference, and refuse the contender if a row is wrong. */
static void verdict(struct contender *contender)
{
    struct error error = {0};
    double largest;
    enum status status = operands_check(contender->operands, contender->launch.device, &largest, &error);
    if (status == STATUS_INPUT) blame_arrays(contender, &error);
    contender->sampling.result->max_error = fmax(contender->sampling.result->max_error, largest);
    went_well(contender, status, &error);
}

/* Run so many products. Returns the seconds that one of them took, or 0 if they could not be run. */
static double run(struct contender *contender, int products)
{
    struct error error = {0};
    double seconds = 0;
    enum status status = operands_run(contender->operands, &contender->launch, products, &seconds, &error);
    went_well(contender, status, &error);
    return seconds;
}

static bool poison(struct contender *contender)
{
    struct error error = {0};
    enum status status = operands_poison(contender->operands, contender->launch.device, &error);
    return went_well(contender, status, &error);
}

static bool settle(struct contender *contender)
{
    struct error error = {0};
    enum status status = operands_settle(contender->operands, contender->launch.device, &error);
    return went_well(contender, status, &error);
}

/* Check one product, from a y in which every row that it fails to write is noticed. Returns its seconds. */
static double check(struct contender *contender)
{
    double seconds = poison(contender) ? run(contender, 1) : 0;
    if (contender->sampling.ready) verdict(contender);
    return seconds;
}

static void hold_against(struct contender *contender, const struct vector *b)
{
    struct error error = {0};
    enum status status = operands_residual(contender->operands, &contender->launch, b,
                                           &contender->sampling.result->residual, &error);
    went_well(contender, status, &error);
}

void rounds_warm_up(struct rounds *rounds, struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    double seconds = check(contender), spent = seconds, stop = sampling_warm_seconds(options);
    if (contender->sampling.ready && options->b) hold_against(contender, options->b);
    for (int k = 0; k < sampling_warm_products(options) && contender->sampling.ready && spent < stop; k++) {
        if (progress_cancelled(rounds->progress)) return;
        double now = run(contender, 1);
        spent += now;
        seconds = fmin(seconds, now);
    }
    bool own = options->protocol == PROTOCOL_MEDIAN && !options->cold;
    contender->sampling.slow = seconds > SLOW_SECONDS;
    contender->sampling.inner = own ? sample_products(seconds) : 1;
    contender->refresh = own && !contender->sampling.slow &&
                         kernel_bytes(&contender->launch).plus <= (double)contender->machine->cache;
}

static bool done(const struct rounds *rounds, const struct contender *contender)
{
    return sampling_done(rounds->options, &contender->sampling) >= 1;
}

static void tell(struct rounds *rounds, struct contender *contender)
{
    int now = (int)(sampling_done(rounds->options, &contender->sampling) * CONTENDER_PROGRESS);
    progress_add(rounds->progress, now - contender->told);
    contender->told = now;
}

/* Gather the threads of the kernel's team before it is timed: another kernel, or the flush, may have run on
 * others, and those of this team would be woken within the sample. Where a library brings an OpenMP of its
 * own, the threads of the one are let rest before the other's are timed: they would share the processors. The
 * others are woken by the product itself, which nothing but a product can do. */
static void gather(struct rounds *rounds, struct contender *contender)
{
    static const struct timespec rest = {.tv_nsec = REST_NANOSECONDS};
    const struct backend *backend = contender->launch.kernel->backend;
    const void *team = backend->library ? library_team(backend->library) : NULL;
    if (contender->launch.threads == 0) return;
    if (team != rounds->team || (team && rounds->options->cold)) nanosleep(&rest, NULL);
    if (team && contender->refresh) run(contender, 1);
    if (!team) threads_gather(contender->launch.threads);
    rounds->team = team;
}

/* Take a sample with all that comes before it. The threads of own kernels stay in their places meanwhile
 * (base/placement.h); a library's are the library's. Returns NaN if that was cancelled, or if the contender
 * is no longer ready. */
static double take(struct rounds *rounds, struct contender *contender)
{
    struct placement placement = {0};
    const struct launch *launch = &contender->launch;
    if ((contender->sampling.slow && !poison(contender)) || !settle(contender)) return NAN;
    if (rounds->options->cold) machine_flush(contender->machine, rounds->progress);
    if (launch->threads > 0 && !launch->kernel->backend->library)
        placement_begin(&placement, launch->threads);
    if (contender->refresh) run(contender, 1);
    bool go = contender->sampling.ready && !progress_cancelled(rounds->progress);
    if (go) gather(rounds, contender);
    double seconds = go ? run(contender, contender->sampling.inner) : NAN;
    placement_end(&placement);
    return contender->sampling.ready ? seconds : NAN;
}

/* Take a sample while nothing is drawn on the screen. If something was drawn meanwhile, it is taken again. */
static void sample(struct rounds *rounds, struct contender *contender)
{
    struct error error = {0};
    double seconds = NAN;
    bool quiet = false;
    if (!went_well(contender, sampling_room(&contender->sampling, &error), &error)) return;
    for (int k = 0;
         k <= RETAKES_MAX && !quiet && contender->sampling.ready && !progress_cancelled(rounds->progress);
         k++) {
        progress_quiet_begin(rounds->progress);
        double start = clock_seconds();
        seconds = take(rounds, contender);
        contender->sampling.spent += clock_seconds() - start;
        quiet = progress_quiet_end(rounds->progress);
    }
    if (isnan(seconds)) return;
    sampling_add(&contender->sampling, seconds);
    if (contender->sampling.slow) verdict(contender);
}

/* Take the samples of a contender for one round: one sample, or all of them with the protocols of the
 * sources. */
static void visit(struct rounds *rounds, struct contender *contender)
{
    bool all = rounds->options->protocol != PROTOCOL_MEDIAN;
    while (!done(rounds, contender) && !progress_cancelled(rounds->progress)) {
        sample(rounds, contender);
        tell(rounds, contender);
        if (!all) return;
    }
    tell(rounds, contender);
}

/* Measure the bandwidths of a machine again, between rounds and not too often, to see them as they are while
 * kernels are timed. The first time nothing is measured: it was before the rounds. */
static void watch(struct rounds *rounds, struct machine *machine, double *watched)
{
    double now = clock_seconds(), pause = fmax(WATCH_SECONDS, WATCH_SHARE * machine->cost);
    if (*watched > 0 && now - *watched < pause) return;
    if (*watched > 0) machine_again(machine, rounds->progress);
    *watched = clock_seconds();
}

static bool runs_on(const struct machine *machine, const struct contender *contenders, int count)
{
    for (int k = 0; k < count; k++)
        if (contenders[k].machine == machine) return true;
    return false;
}

static void watch_all(struct rounds *rounds, const struct contender *contenders, int count)
{
    struct machines *machines = rounds->machines;
    if (runs_on(&machines->host, contenders, count)) watch(rounds, &machines->host, &rounds->host_watched);
    for (int k = 0; k < machines->devices; k++)
        if (runs_on(&machines->device[k], contenders, count))
            watch(rounds, &machines->device[k], &rounds->watched[k]);
}

/* The median of a contender's samples, which stay in their order: that of at most OUTLOOK_SAMPLES of them,
 * evenly spread, so that it takes no time that is worth speaking of. */
static double median_so_far(const struct contender *contender)
{
    enum { OUTLOOK_SAMPLES = 255 };
    double sorted[OUTLOOK_SAMPLES];
    struct samples samples;
    int count = contender->sampling.count < OUTLOOK_SAMPLES ? contender->sampling.count : OUTLOOK_SAMPLES;
    for (int k = 0; k < count; k++)
        sorted[k] = contender->sampling.seconds[(int64_t)k * contender->sampling.count / count];
    samples_of(PROTOCOL_MEDIAN, sorted, count, &samples);
    return samples.median;
}

/* Tell others what the samples of a contender say so far. */
static void show_one(const struct contender *contender)
{
    if (!contender->outlook || !contender->sampling.ready || contender->sampling.count == 0) return;
    atomic_store(&contender->outlook->seconds, median_so_far(contender));
    atomic_store(&contender->outlook->count, contender->sampling.count);
}

/* Tell others what the samples of all contenders say so far. This is done between two rounds, in which no
 * sample is being taken. */
static void show_all(struct rounds *rounds, const struct contender *contenders, int count)
{
    double now = clock_seconds();
    if (!rounds->options->outlooks || now - rounds->shown < OUTLOOK_SECONDS) return;
    for (int k = 0; k < count; k++)
        show_one(&contenders[k]);
    rounds->shown = clock_seconds();
}

static bool some_left(const struct rounds *rounds, const struct contender *contenders, int count)
{
    for (int k = 0; k < count; k++)
        if (!done(rounds, &contenders[k])) return true;
    return false;
}

/* Time the product within a graph, if the device has graphs. Products of which the host does a part cannot be
 * recorded, and neither can those of a library that does not want it: they have no such time. */
static void time_graph(const struct bench_options *options, struct contender *contender)
{
    struct launch *launch = &contender->launch;
    struct error error = {0};
    double seconds;
    bool warm = options->protocol == PROTOCOL_MEDIAN && !options->cold;
    if (!contender->sampling.ready || contender->sampling.slow || !warm || !launch->device ||
        !launch->device->type->time_graph)
        return;
    if (!isnan(kernel_traffic(launch).transfer_seconds) || !settle(contender)) return;
    if (operands_run_graph(contender->operands, launch, contender->sampling.inner, &seconds, &error) ==
        STATUS_OK)
        contender->sampling.result->graph_seconds = seconds;
}

static void conclude(struct rounds *rounds, struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    struct result *result = contender->sampling.result;
    time_graph(options, contender);
    if (contender->sampling.ready && !contender->sampling.slow) check(contender);
    if (!contender->sampling.ready) return;
    result->bytes = kernel_bytes(&contender->launch);
    result->transfer_seconds = kernel_traffic(&contender->launch).transfer_seconds;
    result->cached = !options->cold && result->bytes.plus <= (double)contender->machine->cache;
    samples_of(options->protocol, contender->sampling.seconds, contender->sampling.count, &result->samples);
}

enum status rounds_run(struct rounds *rounds, struct contender *contenders, int count, struct error *error)
{
    int *order = memory_array((size_t)count, sizeof *order, error);
    if (!order) return STATUS_MEMORY;
    progress_phase(rounds->progress, "timing kernels", (int64_t)count * CONTENDER_PROGRESS);
    for (int k = 0; k < count; k++)
        tell(rounds, &contenders[k]);
    while (some_left(rounds, contenders, count) && !progress_cancelled(rounds->progress)) {
        watch_all(rounds, contenders, count);
        sampling_order(rounds->options, &rounds->drawn, order, count);
        for (int k = 0; k < count && !progress_cancelled(rounds->progress); k++) {
            visit(rounds, &contenders[order[k]]);
            if (rounds->options->protocol != PROTOCOL_MEDIAN) show_one(&contenders[order[k]]);
        }
        show_all(rounds, contenders, count);
    }
    free(order);
    for (int k = 0; k < count && !progress_cancelled(rounds->progress); k++)
        conclude(rounds, &contenders[k]);
    return progress_status(rounds->progress, error);
}
