#include "kernels/timing/rounds.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matrix/generators/hash.h"

#define REPEAT 30
#define WARMUP 3
#define MIN_SECONDS 0.2
#define MAX_SECONDS 5.0
#define WARMUP_SHARE 0.1 /* of the most seconds: no more warming up after that */
#define SAMPLES_MAX 100000
#define SAMPLE_SECONDS 20e-6 /* products that are faster are timed several at a time */
#define CRANFIELD_RUNS 20
#define CMRS_RUNS 11
#define WATCH_SECONDS 0.5 /* the machine is measured again no more often, */
#define WATCH_SHARE 10.0  /* and only after so many times what that takes */
#define LANE_PROGRESS 1000
#define RETAKES_MAX 3 /* of a sample that was disturbed; the last one counts however it was */

static int repeats(const struct bench_options *options)
{
    if (options->repeat > 0) return options->repeat;
    if (options->protocol == PROTOCOL_CRANFIELD) return CRANFIELD_RUNS;
    return options->protocol == PROTOCOL_CMRS ? CMRS_RUNS : REPEAT;
}

/* The sources do not warm up: one drops the first run, the other the slowest. */
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

static void refuse(struct lane *lane, enum status status, const struct error *error)
{
    lane->result->status = status;
    lane->result->error = *error;
    lane->ready = false;
}

/* True if it went well; else the lane is refused. */
static bool went_well(struct lane *lane, enum status status, const struct error *error)
{
    if (status != STATUS_OK && lane->ready) refuse(lane, status, error);
    return lane->ready;
}

/* Hold y against the reference. */
static void verdict(struct lane *lane)
{
    struct error error = {0};
    double largest;
    enum status status = operands_check(lane->operands, lane->launch.device, &largest, &error);
    lane->result->max_error = fmax(lane->result->max_error, largest);
    went_well(lane, status, &error);
}

/* Run so many products; returns the seconds that one took, 0 if it could not be run. */
static double run(struct lane *lane, int products)
{
    struct error error = {0};
    double seconds = 0;
    enum status status = operands_run(lane->operands, &lane->launch, products, &seconds, &error);
    went_well(lane, status, &error);
    return seconds;
}

static bool poison(struct lane *lane)
{
    struct error error = {0};
    enum status status = operands_poison(lane->operands, lane->launch.device, &error);
    return went_well(lane, status, &error);
}

static bool settle(struct lane *lane)
{
    struct error error = {0};
    enum status status = operands_settle(lane->operands, lane->launch.device, &error);
    return went_well(lane, status, &error);
}

/* One product from a poisoned y; returns its seconds. */
static double check(struct lane *lane)
{
    double seconds = poison(lane) ? run(lane, 1) : 0;
    if (lane->ready) verdict(lane);
    return seconds;
}

static void hold_against(struct lane *lane, const double *b)
{
    struct error error = {0};
    enum status status = operands_residual(lane->operands, &lane->launch, b, &lane->result->residual, &error);
    went_well(lane, status, &error);
}

void rounds_warm_up(struct rounds *rounds, struct lane *lane)
{
    const struct bench_options *options = rounds->options;
    double seconds = check(lane), spent = seconds, stop = max_seconds(options) * WARMUP_SHARE;
    if (lane->ready && options->b) hold_against(lane, options->b);
    for (int k = 0; k < warmups(options) && lane->ready && spent < stop; k++) {
        if (progress_cancelled(rounds->progress)) return;
        double now = run(lane, 1);
        spent += now;
        seconds = fmin(seconds, now);
    }
    bool own = options->protocol == PROTOCOL_MEDIAN && !options->cold;
    lane->slow = seconds > MIN_SECONDS;
    lane->inner = own && seconds < SAMPLE_SECONDS ? (int)(SAMPLE_SECONDS / fmax(seconds, 1e-8)) + 1 : 1;
    lane->refresh = own && !lane->slow && kernel_bytes(&lane->launch).plus <= (double)lane->machine->cache;
}

/* How much of a lane is done, 0 to 1. */
static double share_done(const struct rounds *rounds, const struct lane *lane)
{
    const struct bench_options *options = rounds->options;
    double count = lane->count, wanted = repeats(options), seconds = min_seconds(options);
    /* the sources' protocols drop a sample: one must be left */
    int fewest = options->protocol == PROTOCOL_MEDIAN ? 1 : 2;
    if (!lane->ready || lane->count >= SAMPLES_MAX) return 1;
    double share = count / wanted;
    if (lane->spent < seconds) share = fmin(share, lane->spent / seconds);
    return lane->count >= fewest && lane->spent >= max_seconds(options) ? 1 : fmin(share, 1);
}

static bool done(const struct rounds *rounds, const struct lane *lane)
{
    return share_done(rounds, lane) >= 1;
}

static void tell(struct rounds *rounds, struct lane *lane)
{
    int now = (int)(share_done(rounds, lane) * LANE_PROGRESS);
    progress_add(rounds->progress, now - lane->told);
    lane->told = now;
}

/* Room for another sample; without memory for it the lane is refused. */
static bool make_room(struct lane *lane)
{
    struct error error = {0};
    if (lane->count < lane->capacity) return true;
    int capacity = lane->capacity ? 2 * lane->capacity : 64;
    double *seconds = memory_resize(lane->seconds, (size_t)capacity, sizeof *seconds, &error);
    if (!seconds) {
        refuse(lane, STATUS_MEMORY, &error);
        return false;
    }
    lane->seconds = seconds;
    lane->capacity = capacity;
    return true;
}

/* Gather the threads of the kernel's team: after another kernel, or the flush, they may be others. */
static void gather(int threads)
{
    if (threads == 0) return;
#pragma omp parallel num_threads(threads)
    {
        __asm__ volatile("" ::: "memory");
    }
}

/* Take a sample with all that comes before it; NaN if cancelled, or if the lane is no longer ready. */
static double take(struct rounds *rounds, struct lane *lane)
{
    if ((lane->slow && !poison(lane)) || !settle(lane)) return NAN;
    if (lane->refresh) run(lane, 1);
    if (rounds->options->cold) machine_flush(lane->machine, rounds->progress);
    if (!lane->ready || progress_cancelled(rounds->progress)) return NAN;
    gather(lane->launch.threads);
    double seconds = run(lane, lane->inner);
    return lane->ready ? seconds : NAN;
}

/* Nothing is drawn meanwhile: else the sample is taken again. */
static void sample(struct rounds *rounds, struct lane *lane)
{
    double seconds = NAN;
    bool quiet = false;
    if (!make_room(lane)) return;
    for (int k = 0; k <= RETAKES_MAX && !quiet && lane->ready && !progress_cancelled(rounds->progress); k++) {
        progress_quiet_begin(rounds->progress);
        double start = clock_seconds();
        seconds = take(rounds, lane);
        lane->spent += clock_seconds() - start;
        quiet = progress_quiet_end(rounds->progress);
    }
    if (isnan(seconds)) return;
    lane->seconds[lane->count++] = seconds;
    if (lane->slow) verdict(lane);
}

/* The samples of a lane that are taken at a time. */
static void visit(struct rounds *rounds, struct lane *lane)
{
    bool all = rounds->options->protocol != PROTOCOL_MEDIAN;
    while (!done(rounds, lane) && !progress_cancelled(rounds->progress)) {
        sample(rounds, lane);
        tell(rounds, lane);
        if (!all) return;
    }
    tell(rounds, lane);
}

/* Another random order (Fisher and Yates). */
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

/* Between rounds, now and then: the bandwidths of a machine as it is while the kernels run. */
static void watch(struct rounds *rounds, struct machine *machine, double *watched)
{
    double now = clock_seconds(), pause = fmax(WATCH_SECONDS, WATCH_SHARE * machine->cost);
    if (*watched > 0 && now - *watched < pause) return;
    if (*watched > 0) machine_again(machine, rounds->progress);
    *watched = clock_seconds();
}

static bool runs_on(const struct machine *machine, const struct lane *lanes, int count)
{
    for (int k = 0; k < count; k++)
        if (lanes[k].machine == machine) return true;
    return false;
}

static void watch_all(struct rounds *rounds, const struct lane *lanes, int count)
{
    struct machines *machines = rounds->machines;
    if (runs_on(&machines->host, lanes, count)) watch(rounds, &machines->host, &rounds->host_watched);
    for (int k = 0; k < machines->devices; k++)
        if (runs_on(&machines->device[k], lanes, count))
            watch(rounds, &machines->device[k], &rounds->watched[k]);
}

static bool some_left(const struct rounds *rounds, const struct lane *lanes, int count)
{
    for (int k = 0; k < count; k++)
        if (!done(rounds, &lanes[k])) return true;
    return false;
}

static void conclude(struct rounds *rounds, struct lane *lane)
{
    const struct bench_options *options = rounds->options;
    struct result *result = lane->result;
    if (lane->ready && !lane->slow) check(lane);
    if (!lane->ready) return;
    result->bytes = kernel_bytes(&lane->launch);
    result->transfer_seconds = kernel_traffic(&lane->launch).transfer_seconds;
    result->cached = !options->cold && result->bytes.plus <= (double)lane->machine->cache;
    samples_of(options->protocol, lane->seconds, lane->count, &result->samples);
}

enum status rounds_run(struct rounds *rounds, struct lane *lanes, int count, struct error *error)
{
    int *order = memory_array((size_t)count, sizeof *order, error);
    if (!order) return STATUS_MEMORY;
    progress_phase(rounds->progress, "timing kernels", (int64_t)count * LANE_PROGRESS);
    for (int k = 0; k < count; k++)
        tell(rounds, &lanes[k]);
    while (some_left(rounds, lanes, count) && !progress_cancelled(rounds->progress)) {
        watch_all(rounds, lanes, count);
        shuffle(rounds, order, count);
        for (int k = 0; k < count && !progress_cancelled(rounds->progress); k++)
            visit(rounds, &lanes[order[k]]);
    }
    free(order);
    for (int k = 0; k < count && !progress_cancelled(rounds->progress); k++)
        conclude(rounds, &lanes[k]);
    return progress_status(rounds->progress, error);
}
