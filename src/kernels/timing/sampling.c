#include "kernels/timing/sampling.h"

#include <math.h>

#include "base/memory.h"
#include "matrix/generators/hash.h"

#define REPEAT 30
#define WARMUP 3
#define MIN_SECONDS 0.2
#define MAX_SECONDS 5.0
#define WARMUP_SHARE 0.1 /* maximum share of warming up in the seconds of sampling */
#define SAMPLES_MAX 100000
#define CRANFIELD_RUNS 20
#define CMRS_RUNS 11

static int repeats(const struct bench_options *options)
{
    if (options->repeat > 0) return options->repeat;
    if (options->protocol == PROTOCOL_CRANFIELD) return CRANFIELD_RUNS;
    return options->protocol == PROTOCOL_CMRS ? CMRS_RUNS : REPEAT;
}

/* The protocols of the sources do not warm up: one drops the first run, the other the slowest. */
int sampling_warm_products(const struct bench_options *options)
{
    if (options->warmup) return options->warmup < 0 ? 0 : options->warmup;
    return options->protocol == PROTOCOL_MEDIAN ? WARMUP : 0;
}

static double min_seconds(const struct bench_options *options)
{
    if (options->protocol != PROTOCOL_MEDIAN) return 0;
    return options->min_seconds > 0 ? options->min_seconds : MIN_SECONDS;
}

int sampling_repeats(const struct bench_options *options, double *least)
{
    *least = min_seconds(options);
    return repeats(options);
}

static double max_seconds(const struct bench_options *options)
{
    return options->max_seconds > 0 ? options->max_seconds : MAX_SECONDS;
}

double sampling_warm_seconds(const struct bench_options *options)
{
    return max_seconds(options) * WARMUP_SHARE;
}

bool sampling_went(struct sampling *sampling, enum status status, const struct error *error)
{
    if (status != STATUS_OK && sampling->ready) {
        sampling->result->status = status;
        sampling->result->error = *error;
        sampling->ready = false;
    }
    return sampling->ready;
}

double sampling_done(const struct bench_options *options, const struct sampling *sampling)
{
    double count = sampling->count, wanted = repeats(options), seconds = min_seconds(options);
    /* The protocols of the sources drop one sample, and one must remain. */
    int fewest = options->protocol == PROTOCOL_MEDIAN ? 1 : 2;
    if (!sampling->ready || sampling->count >= SAMPLES_MAX) return 1;
    double share = count / wanted;
    if (sampling->spent < seconds) share = fmin(share, sampling->spent / seconds);
    return sampling->count >= fewest && sampling->spent >= max_seconds(options) ? 1 : fmin(share, 1);
}

enum status sampling_room(struct sampling *sampling, struct error *error)
{
    if (sampling->count < sampling->capacity) return STATUS_OK;
    int capacity = sampling->capacity ? 2 * sampling->capacity : 64;
    double *seconds = memory_resize(sampling->seconds, (size_t)capacity, sizeof *seconds, error);
    if (!seconds) return STATUS_MEMORY;
    sampling->seconds = seconds;
    sampling->capacity = capacity;
    return STATUS_OK;
}

void sampling_order(const struct bench_options *options, uint64_t *drawn, int *order, int count)
{
    uint64_t key = hash_key(options->seed ? options->seed : 1, HASH_ROUND, 0);
    for (int k = 0; k < count; k++)
        order[k] = k;
    for (int k = count - 1; k > 0; k--) {
        int other = (int)hash_below(hash_at(key, (int64_t)(*drawn)++), k + 1), kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}
