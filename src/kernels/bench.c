#include "kernels/bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "kernels/check.h"
#include "matrix/generators/hash.h"

#define REPEAT 30
#define WARMUP 3
#define LEAST_SECONDS 0.2
#define MOST_SECONDS 5.0
#define SAMPLES_MOST 100000
#define SAMPLE_SECONDS \
    20e-6 /* a sample lasts at least this long: products that are faster are timed several at a time */
#define CRANFIELD_RUNS 20
#define CMRS_RUNS 11

/* A vector in both precisions; those that are not needed are NULL. */
struct vector {
    void *data[2];
};

/* A kernel being timed. */
struct lane {
    struct result *result;
    struct storage *storage;
    struct launch launch;
    double *seconds; /* samples; owned */
    int count, capacity;
    double spent; /* seconds in samples */
    int inner;    /* products a sample */
    bool ready;   /* prepared and found right */
};

struct bench {
    const struct csr *a;
    const struct bench_options *options;
    struct machine *machine;
    struct progress *progress;
    int repeat, warmup;
    double least_seconds, most_seconds;
    uint64_t seed, drawn; /* random numbers drawn so far */
    struct vector x, start, y;
    struct reference reference[2];
    bool referred[2];
};

static size_t value_size(enum precision precision)
{
    return precision == PRECISION_F32 ? sizeof(float) : sizeof(double);
}

static void set_element(void *data, enum precision precision, int64_t e, double value)
{
    if (precision == PRECISION_F32)
        ((float *)data)[e] = (float)value;
    else
        ((double *)data)[e] = value;
}

static void vector_free(struct vector *vector)
{
    free(vector->data[0]);
    free(vector->data[1]);
}

/* A vector of n elements: `given`, or random in (-1, 1) by key. */
static void *make_vector(int64_t n, enum precision precision, const double *given, uint64_t key,
                         struct error *error)
{
    void *data = memory_array((size_t)n, value_size(precision), error);
    if (!data) return NULL;
#pragma omp parallel for schedule(static) if (n > THREADS_LEAST)
    for (int64_t e = 0; e < n; e++)
        set_element(data, precision, e, given ? given[e] : hash_value(hash_at(key, e)));
    return data;
}

/* Vectors and the reference of a precision, once. */
static enum status refer(struct bench *bench, enum precision precision, struct error *error)
{
    const struct bench_options *options = bench->options;
    uint64_t x_key = hash_key(bench->seed, HASH_VALUE, 0), y_key = hash_key(bench->seed, HASH_VALUE, 1);
    if (bench->referred[precision]) return STATUS_OK;
    bench->x.data[precision] = make_vector(bench->a->cols, precision, options->x, x_key, error);
    bench->start.data[precision] = make_vector(bench->a->rows, precision, NULL, y_key, error);
    bench->y.data[precision] = make_vector(bench->a->rows, precision, NULL, y_key, error);
    if (!bench->x.data[precision] || !bench->start.data[precision] || !bench->y.data[precision])
        return STATUS_MEMORY;
    bench->referred[precision] = true;
    return reference_make(bench->a, precision, bench->x.data[precision],
                          options->accumulate ? bench->start.data[precision] : NULL, bench->progress,
                          &bench->reference[precision], error);
}

/* Before a product that is checked: NaN, which no row keeps by itself; or what it is added to. */
static void poison(struct bench *bench, enum precision precision)
{
    void *y = bench->y.data[precision];
    int64_t rows = bench->a->rows;
    if (bench->options->accumulate) {
        memcpy(y, bench->start.data[precision], (size_t)rows * value_size(precision));
        return;
    }
#pragma omp parallel for schedule(static) if (rows > THREADS_LEAST)
    for (int64_t i = 0; i < rows; i++)
        set_element(y, precision, i, NAN);
}

static double run_once(struct bench *bench, struct lane *lane, int products)
{
    enum precision precision = lane->result->precision;
    double start = clock_seconds();
    for (int k = 0; k < products; k++)
        kernel_run(&lane->launch, bench->x.data[precision], bench->y.data[precision]);
    return (clock_seconds() - start) / products;
}

/* Largest difference to the given right-hand side, relative to its largest element. */
static double residual_of(const struct bench *bench, enum precision precision)
{
    const double *b = bench->options->b;
    double difference = 0, largest = 0;
    if (!b) return NAN;
    for (int64_t i = 0; i < bench->a->rows; i++) {
        const void *y = bench->y.data[precision];
        double value = precision == PRECISION_F32 ? ((const float *)y)[i] : ((const double *)y)[i];
        difference = fmax(difference, fabs(value - b[i]));
        largest = fmax(largest, fabs(b[i]));
    }
    return largest > 0 ? difference / largest : difference;
}

static void refuse(struct lane *lane, enum status status, const struct error *error)
{
    lane->result->status = status;
    lane->result->error = *error;
    lane->ready = false;
}

/* One product from a poisoned y, held against the reference. Its time is not kept. */
static void check(struct bench *bench, struct lane *lane)
{
    enum precision precision = lane->result->precision;
    struct error error = {0};
    double largest;
    poison(bench, precision);
    run_once(bench, lane, 1);
    enum status status =
        reference_check(&bench->reference[precision], bench->y.data[precision], &largest, &error);
    lane->result->max_error = fmax(lane->result->max_error, largest);
    if (!bench->options->accumulate) lane->result->residual = residual_of(bench, precision);
    if (status != STATUS_OK) refuse(lane, status, &error);
}

/* Wake the threads of the next kernel's team, so that starting them is not in its sample. */
static void wake(int threads)
{
#pragma omp parallel num_threads(threads)
    {
        __asm__ volatile("" ::: "memory");
    }
}

static bool done(const struct bench *bench, const struct lane *lane)
{
    if (!lane->ready || lane->count >= SAMPLES_MOST) return true;
    if (bench->options->protocol != PROTOCOL_MEDIAN) return lane->count >= bench->repeat;
    if (lane->count > 0 && lane->spent >= bench->most_seconds) return true;
    return lane->count >= bench->repeat && lane->spent >= bench->least_seconds;
}

/* Take a sample. */
static void sample(struct bench *bench, struct lane *lane)
{
    struct error error = {0};
    if (lane->count == lane->capacity) {
        int capacity = lane->capacity ? 2 * lane->capacity : 64;
        double *seconds = memory_resize(lane->seconds, (size_t)capacity, sizeof *seconds, &error);
        if (!seconds) {
            refuse(lane, STATUS_MEMORY, &error);
            return;
        }
        lane->seconds = seconds;
        lane->capacity = capacity;
    }
    if (bench->options->cold) machine_flush(bench->machine);
    wake(lane->launch.threads);
    double seconds = run_once(bench, lane, lane->inner);
    lane->seconds[lane->count++] = seconds;
    lane->spent += seconds * lane->inner;
}

/* Warm up, check, and find out how many products a sample takes. */
static void warm_up(struct bench *bench, struct lane *lane)
{
    check(bench, lane);
    if (!lane->ready) return;
    double seconds = INFINITY;
    for (int k = 0; k < bench->warmup || !isfinite(seconds); k++)
        seconds = fmin(seconds, run_once(bench, lane, 1));
    bool several = !bench->options->cold && bench->options->protocol == PROTOCOL_MEDIAN;
    lane->inner = several && seconds < SAMPLE_SECONDS ? (int)(SAMPLE_SECONDS / fmax(seconds, 1e-8)) + 1 : 1;
}

/* Put the lanes into another random order (Fisher and Yates). */
static void shuffle(struct bench *bench, struct lane *lanes, int *order, int count)
{
    for (int k = 0; k < count; k++)
        order[k] = k;
    (void)lanes;
    for (int k = count - 1; k > 0; k--) {
        int other =
            (int)hash_below(hash_at(hash_key(bench->seed, HASH_ROUND, 0), (int64_t)bench->drawn++), k + 1);
        int kept = order[k];
        order[k] = order[other];
        order[other] = kept;
    }
}

static int64_t samples_left(const struct bench *bench, const struct lane *lanes, int count)
{
    int64_t left = 0;
    for (int k = 0; k < count; k++)
        left += !done(bench, &lanes[k]);
    return left;
}

static enum status run_rounds(struct bench *bench, struct lane *lanes, int count, struct error *error)
{
    int *order = memory_array((size_t)count, sizeof *order, error);
    if (!order) return STATUS_MEMORY;
    progress_phase(bench->progress, "timing kernels", (int64_t)bench->repeat * count);
    while (samples_left(bench, lanes, count) > 0 && !progress_cancelled(bench->progress)) {
        shuffle(bench, lanes, order, count);
        for (int k = 0; k < count && !progress_cancelled(bench->progress); k++) {
            if (done(bench, &lanes[order[k]])) continue;
            sample(bench, &lanes[order[k]]);
            progress_add(bench->progress, 1);
        }
    }
    free(order);
    return progress_status(bench->progress, error);
}

static void write_name(struct lane *lane)
{
    const struct result *result = lane->result;
    const struct parameter *p = result->kernel->parameters;
    struct text text = {0}, format = {0};
    char value[64], separator = ':';
    kernel_name(result->kernel, &text);
    storage_name(lane->storage, &format);
    const char *colon = format.data ? strchr(format.data, ':') : NULL;
    if (colon) text_append(&text, "%s", colon);
    if (colon) separator = ',';
    for (int k = 0; p[k].name; k++) {
        if (!lane->launch.values.given[k] && !p[k].automatic) continue;
        text_append(&text, "%c%s=%s", separator, p[k].name,
                    parameter_value(&p[k], lane->launch.values.number[k], value, sizeof value));
        separator = ',';
    }
    snprintf(lane->result->name, sizeof lane->result->name, "%s",
             text.data ? text.data : result->kernel->name);
    text_free(&text);
    text_free(&format);
}

static void conclude(struct bench *bench, struct lane *lane)
{
    struct result *result = lane->result;
    int64_t nnz = csr_nnz(bench->a);
    result->flops = 2.0 * (double)nnz;
    result->flops_cmrs = 2.0 * (double)nnz - (double)bench->a->rows;
    result->bytes = kernel_bytes(&lane->launch);
    result->cached = !bench->options->cold && result->bytes.plus <= (double)bench->machine->cache;
    samples_of(bench->options->protocol, lane->seconds, lane->count, &result->samples);
}

/* Kernels of one group: their matrices are stored at the same time. */
static enum status run_group(struct bench *bench, struct lane *lanes, int count, struct error *error)
{
    for (int k = 0; k < count && !progress_cancelled(bench->progress); k++) {
        struct lane *lane = &lanes[k];
        struct result *result = lane->result;
        struct error reason = {0};
        if (!lane->storage) continue;
        enum status status =
            kernel_prepare(result->kernel, result->parameters, lane->storage, result->threads,
                           bench->options->accumulate, &lane->launch, &reason);
        result->threads = lane->launch.threads;
        result->values = lane->launch.values;
        result->format_values = lane->storage->values;
        write_name(lane);
        if (status == STATUS_OK) status = refer(bench, result->precision, &reason);
        if (status != STATUS_OK) {
            refuse(lane, status, &reason);
            continue;
        }
        lane->ready = true;
        warm_up(bench, lane);
    }
    enum status status = run_rounds(bench, lanes, count, error);
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        if (lanes[k].ready) check(bench, &lanes[k]);
        if (lanes[k].ready) conclude(bench, &lanes[k]);
    }
    for (int k = 0; k < count; k++) {
        kernel_release(&lanes[k].launch);
        free(lanes[k].seconds);
    }
    return status;
}

/* A matrix stored in a format, shared by the kernels that read it. */
struct stored {
    struct storage storage;
    const struct result *first; /* what it was made for */
};

static bool same_storage(const struct result *a, const struct result *b)
{
    return a->kernel->format == b->kernel->format && a->precision == b->precision &&
           strcmp(a->format_parameters, b->format_parameters) == 0;
}

/* The storage for a result: one that is there, or a new one. NULL with the reason in the result. */
static struct storage *store(struct bench *bench, struct stored *stored, int *count, size_t used,
                             struct result *result)
{
    for (int k = 0; k < *count; k++)
        if (same_storage(stored[k].first, result)) return &stored[k].storage;
    size_t limit = memory_limit(bench->options->limit);
    const struct format_options options = {.precision = result->precision,
                                           .limit = limit > used ? limit - used : 1};
    struct storage *storage = &stored[*count].storage;
    result->status = format_convert(result->kernel->format, result->format_parameters, &options, bench->a,
                                    bench->progress, storage, &result->error);
    if (result->status != STATUS_OK) {
        storage_free(storage);
        return NULL;
    }
    stored[(*count)++].first = result;
    return storage;
}

/* Run as many results from `first` on as fit into memory together, at least one storage; returns how many in
 * *taken. */
static enum status run_some(struct bench *bench, struct result *results, int count, int *taken,
                            struct error *error)
{
    struct lane *lanes = memory_zeroed((size_t)count, sizeof *lanes, error);
    struct stored *stored = memory_zeroed((size_t)count, sizeof *stored, error);
    enum status status = lanes && stored ? STATUS_OK : STATUS_MEMORY;
    int kinds = 0, k = 0;
    size_t used = 0;
    for (; k < count && status == STATUS_OK; k++) {
        int before = kinds;
        lanes[k].result = &results[k];
        results[k].residual = NAN;
        lanes[k].storage = store(bench, stored, &kinds, used, &results[k]);
        if (results[k].status == STATUS_CANCELLED) status = progress_status(bench->progress, error);
        if (results[k].status == STATUS_LIMIT && before > 0 && used > 0) { /* alone it may fit */
            results[k].status = STATUS_OK;
            error_clear(&results[k].error);
            break;
        }
        if (kinds > before) used += storage_size(lanes[k].storage).allocated;
        if (lanes[k].storage) results[k].convert_seconds = lanes[k].storage->seconds;
    }
    if (status == STATUS_OK) status = run_group(bench, lanes, k, error);
    for (int s = 0; s < kinds; s++)
        storage_free(&stored[s].storage);
    free(stored);
    free(lanes);
    *taken = k;
    return status;
}

static void set_up(struct bench *bench)
{
    const struct bench_options *options = bench->options;
    bench->repeat = options->repeat ? options->repeat : REPEAT;
    if (options->protocol == PROTOCOL_CRANFIELD) bench->repeat = CRANFIELD_RUNS;
    if (options->protocol == PROTOCOL_CMRS) bench->repeat = CMRS_RUNS;
    bench->warmup = options->warmup < 0 ? 0 : options->warmup ? options->warmup : WARMUP;
    bench->least_seconds = options->least_seconds > 0 ? options->least_seconds : LEAST_SECONDS;
    bench->most_seconds = options->most_seconds > 0 ? options->most_seconds : MOST_SECONDS;
    bench->seed = options->seed ? options->seed : 1;
}

enum status bench_run(const struct csr *a, struct result *results, int count,
                      const struct bench_options *options, struct machine *machine, struct progress *progress,
                      struct error *error)
{
    struct bench bench = {.a = a, .options = options, .machine = machine, .progress = progress};
    enum status status = STATUS_OK;
    set_up(&bench);
    for (int first = 0, taken = 0; first < count && status == STATUS_OK; first += taken)
        status = run_some(&bench, results + first, count - first, &taken, error);
    vector_free(&bench.x);
    vector_free(&bench.start);
    vector_free(&bench.y);
    reference_free(&bench.reference[0]);
    reference_free(&bench.reference[1]);
    return status;
}

void result_free(struct result *result)
{
    free(result->parameters);
    free(result->format_parameters);
    *result = (struct result){0};
}

int64_t break_even(const struct result *result, const struct result *other)
{
    double gain = other->samples.time - result->samples.time;
    if (result->convert_seconds <= 0) return 0;
    return gain > 0 ? (int64_t)ceil(result->convert_seconds / gain) : -1;
}
