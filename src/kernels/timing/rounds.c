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

#define WATCH_SECONDS 0.5    /* minimum seconds between two measurements of a machine, */
#define WATCH_SHARE 10.0     /* and minimum interval in times of a measurement's duration */
#define OUTLOOK_SECONDS 0.25 /* minimum seconds between two reports of preliminary times */
#define CONTENDER_PROGRESS 1000
#define REST_NANOSECONDS 8000000 /* in which idle threads go to sleep */
#define RETAKES_MAX 3            /* maximum repetitions of a disturbed sample; then it counts */

static bool went_well(struct contender *contender, enum status status, const struct error *error)
{
    return sampling_went(&contender->sampling, status, error);
}

/* Add to the error of a wrong row if the arrays of the storage are damaged, because this kernel or an earlier
 * one wrote outside its memory. All kernels that read this storage are then wrong. The arrays are validated
 * only after a wrong row, so that conversions and samples stay fast. */
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

/* Run this number of products. Returns the seconds of one product, or 0 if they could not be run. */
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

/* Check one product, with a y that reveals every row not written. Returns its seconds. */
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

/* Wake the threads of the kernel's team before it is timed: another kernel, or the flush, may have run on
 * other threads, and waking would fall into the sample. If a library has its own OpenMP runtime, the threads
 * of one runtime must sleep before those of the other are timed, since they would share the processors. A
 * library's threads are woken only by a product. */
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

/* Take a sample with the work before it. The threads of own kernels are pinned meanwhile (base/placement.h);
 * a library pins its own. Returns NaN if cancelled, or if the contender is no longer ready. */
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

enum status rounds_repeat(struct rounds *rounds, struct contender *contender, int products,
                          struct error *error)
{
    struct placement placement = {0};
    struct launch *launch = &contender->launch;
    enum status status = operands_settle(contender->operands, launch->device, error);
    if (status != STATUS_OK) return status;
    if (launch->threads > 0 && !launch->kernel->backend->library)
        placement_begin(&placement, launch->threads);
    gather(rounds, contender);
    status = operands_repeat(contender->operands, launch, products, error);
    placement_end(&placement);
    return status;
}

/* Take a sample while nothing is drawn on the screen, and repeat it if something was drawn. */
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

/* Measure the bandwidths of a machine again, between rounds and not too often, to follow them during the run.
 * The first call measures nothing, since the machine was measured before the rounds. */
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

/* The median of a contender's samples, whose order is kept: from at most OUTLOOK_SAMPLES of them, evenly
 * spread, which takes negligible time. */
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

/* Publish the preliminary time of a contender. */
static void show_one(const struct contender *contender)
{
    if (!contender->outlook || !contender->sampling.ready || contender->sampling.count == 0) return;
    atomic_store(&contender->outlook->seconds, median_so_far(contender));
    atomic_store(&contender->outlook->count, contender->sampling.count);
}

/* Publish the preliminary times of all contenders, between two rounds, when no sample is taken. */
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

/* Time the product within a graph, if the device has graphs. Products with a part on the host, and those of
 * libraries that exclude it, cannot be recorded and have no such time. */
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
