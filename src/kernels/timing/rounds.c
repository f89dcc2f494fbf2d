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
#include "matrix/generators/hash.h"

#define REPEAT 30
#define WARMUP 3
#define MIN_SECONDS 0.2
#define MAX_SECONDS 5.0
#define WARMUP_SHARE 0.1 /* warming up ends after this share of the seconds that sampling may take */
#define SAMPLES_MAX 100000
#define CRANFIELD_RUNS 20
#define CMRS_RUNS 11
#define WATCH_SECONDS 0.5    /* a machine is measured again at least so long after the time before, */
#define WATCH_SHARE 10.0     /* and at least so many times as long as measuring takes */
#define OUTLOOK_SECONDS 0.25 /* others are told what the samples say at most so often */
#define CONTENDER_PROGRESS 1000
#define REST_NANOSECONDS 8000000 /* in which threads that have nothing to do go to sleep */
#define RETAKES_MAX 3 /* a sample that was disturbed is taken again so often; then it counts as it is */

static int repeats(const struct bench_options *options)
{
    if (options->repeat > 0) return options->repeat;
    if (options->protocol == PROTOCOL_CRANFIELD) return CRANFIELD_RUNS;
    return options->protocol == PROTOCOL_CMRS ? CMRS_RUNS : REPEAT;
}

/* The protocols of the sources do not warm up: one drops the first run, the other the slowest. */
static int warmups(const struct bench_options *options)
{
    if (options->warmup) return options->warmup < 0 ? 0 : options->warmup;
    return options->protocol == PROTOCOL_MEDIAN ? WARMUP : 0;
}

static double min_seconds(const struct bench_options *options)
{
    if (options->protocol != PROTOCOL_MEDIAN) return 0;
    return options->min_seconds > 0 ? options->min_seconds : MIN_SECONDS;
}

static double max_seconds(const struct bench_options *options)
{
    return options->max_seconds > 0 ? options->max_seconds : MAX_SECONDS;
}

static void refuse(struct contender *contender, enum status status, const struct error *error)
{
    contender->result->status = status;
    contender->result->error = *error;
    contender->ready = false;
}

/* Returns whether the contender is still ready; if the status is an error, it is refused and no longer is. */
static bool went_well(struct contender *contender, enum status status, const struct error *error)
{
    if (status != STATUS_OK && contender->ready) refuse(contender, status, error);
    return contender->ready;
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
    contender->result->max_error = fmax(contender->result->max_error, largest);
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
    if (contender->ready) verdict(contender);
    return seconds;
}

static void hold_against(struct contender *contender, const struct vector *b)
{
    struct error error = {0};
    enum status status =
        operands_residual(contender->operands, &contender->launch, b, &contender->result->residual, &error);
    went_well(contender, status, &error);
}

void rounds_warm_up(struct rounds *rounds, struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    double seconds = check(contender), spent = seconds, stop = max_seconds(options) * WARMUP_SHARE;
    if (contender->ready && options->b) hold_against(contender, options->b);
    for (int k = 0; k < warmups(options) && contender->ready && spent < stop; k++) {
        if (progress_cancelled(rounds->progress)) return;
        double now = run(contender, 1);
        spent += now;
        seconds = fmin(seconds, now);
    }
    bool own = options->protocol == PROTOCOL_MEDIAN && !options->cold;
    contender->slow = seconds > MIN_SECONDS;
    contender->inner = own ? sample_products(seconds) : 1;
    contender->refresh =
        own && !contender->slow && kernel_bytes(&contender->launch).plus <= (double)contender->machine->cache;
}

/* Returns which share of a contender's timing is done, 0 to 1: it needs so many samples, and so many seconds.
 */
static double share_done(const struct rounds *rounds, const struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    double count = contender->count, wanted = repeats(options), seconds = min_seconds(options);
    /* The protocols of the sources drop one sample, and one has to be left. */
    int fewest = options->protocol == PROTOCOL_MEDIAN ? 1 : 2;
    if (!contender->ready || contender->count >= SAMPLES_MAX) return 1;
    double share = count / wanted;
    if (contender->spent < seconds) share = fmin(share, contender->spent / seconds);
    return contender->count >= fewest && contender->spent >= max_seconds(options) ? 1 : fmin(share, 1);
}

static bool done(const struct rounds *rounds, const struct contender *contender)
{
    return share_done(rounds, contender) >= 1;
}

static void tell(struct rounds *rounds, struct contender *contender)
{
    int now = (int)(share_done(rounds, contender) * CONTENDER_PROGRESS);
    progress_add(rounds->progress, now - contender->told);
    contender->told = now;
}

/* Make room for another sample. If there is no memory for it, the contender is refused. */
static bool make_room(struct contender *contender)
{
    struct error error = {0};
    if (contender->count < contender->capacity) return true;
    int capacity = contender->capacity ? 2 * contender->capacity : 64;
    double *seconds = memory_resize(contender->seconds, (size_t)capacity, sizeof *seconds, &error);
    if (!seconds) {
        refuse(contender, STATUS_MEMORY, &error);
        return false;
    }
    contender->seconds = seconds;
    contender->capacity = capacity;
    return true;
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
    if ((contender->slow && !poison(contender)) || !settle(contender)) return NAN;
    if (rounds->options->cold) machine_flush(contender->machine, rounds->progress);
    if (launch->threads > 0 && !launch->kernel->backend->library)
        placement_begin(&placement, launch->threads);
    if (contender->refresh) run(contender, 1);
    bool go = contender->ready && !progress_cancelled(rounds->progress);
    if (go) gather(rounds, contender);
    double seconds = go ? run(contender, contender->inner) : NAN;
    placement_end(&placement);
    return contender->ready ? seconds : NAN;
}

/* Take a sample while nothing is drawn on the screen. If something was drawn meanwhile, it is taken again. */
static void sample(struct rounds *rounds, struct contender *contender)
{
    double seconds = NAN;
    bool quiet = false;
    if (!make_room(contender)) return;
    for (int k = 0; k <= RETAKES_MAX && !quiet && contender->ready && !progress_cancelled(rounds->progress);
         k++) {
        progress_quiet_begin(rounds->progress);
        double start = clock_seconds();
        seconds = take(rounds, contender);
        contender->spent += clock_seconds() - start;
        quiet = progress_quiet_end(rounds->progress);
    }
    if (isnan(seconds)) return;
    contender->seconds[contender->count++] = seconds;
    if (contender->slow) verdict(contender);
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

/* Draw a random order of 0 .. count-1, in which each order is as likely as any other (Fisher and Yates): from
 * the last place down, each place gets one of those that have none yet. */
static void shuffle(struct rounds *rounds, int *order, int count)
{
    uint64_t key = hash_key(rounds->seed, HASH_ROUND, 0);
    for (int k = 0; k < count; k++)
        order[k] = k;
    for (int k = count - 1; k > 0; k--) {
        int other = (int)hash_below(hash_at(key, (int64_t)rounds->drawn++), k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
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
    int count = contender->count < OUTLOOK_SAMPLES ? contender->count : OUTLOOK_SAMPLES;
    for (int k = 0; k < count; k++)
        sorted[k] = contender->seconds[(int64_t)k * contender->count / count];
    samples_of(PROTOCOL_MEDIAN, sorted, count, &samples);
    return samples.median;
}

/* Tell others what the samples of a contender say so far. */
static void show_one(const struct contender *contender)
{
    if (!contender->outlook || !contender->ready || contender->count == 0) return;
    atomic_store(&contender->outlook->seconds, median_so_far(contender));
    atomic_store(&contender->outlook->count, contender->count);
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
    if (!contender->ready || contender->slow || !warm || !launch->device || !launch->device->type->time_graph)
        return;
    if (!isnan(kernel_traffic(launch).transfer_seconds) || !settle(contender)) return;
    if (operands_run_graph(contender->operands, launch, contender->inner, &seconds, &error) == STATUS_OK)
        contender->result->graph_seconds = seconds;
}

static void conclude(struct rounds *rounds, struct contender *contender)
{
    const struct bench_options *options = rounds->options;
    struct result *result = contender->result;
    time_graph(options, contender);
    if (contender->ready && !contender->slow) check(contender);
    if (!contender->ready) return;
    result->bytes = kernel_bytes(&contender->launch);
    result->transfer_seconds = kernel_traffic(&contender->launch).transfer_seconds;
    result->cached = !options->cold && result->bytes.plus <= (double)contender->machine->cache;
    samples_of(options->protocol, contender->seconds, contender->count, &result->samples);
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
        shuffle(rounds, order, count);
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
