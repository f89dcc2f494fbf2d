#include "kernels/trisolve/times.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/job.h"
#include "base/memory.h"
#include "base/text.h"
#include "base/threads.h"
#include "kernels/trisolve/check.h"
#include "kernels/trisolve/on_device.h"
#include "matrix/generators/hash.h"

/* The minimum number of samples of each kernel, and their minimum and maximum time in seconds. */
#define SAMPLES_MIN 30
#define SECONDS_MIN 0.2
#define SECONDS_MAX 5
/* The maximum number of repetitions of a sample during which the screen was drawn. */
#define RETAKES 3

/* A kernel that is being timed. */
struct contender {
    struct trisolve_run *run;
    const struct trisolve_kernel *kernel;
    void *state; /* NULL: the kernel is not timed any more */
    double *seconds;
    int count, room, inner;
    double spent;
};

struct work {
    const struct csr *a;
    struct trisolve_parts parts;
    struct trisolves *trisolves;
    const struct trisolves_options *options;
    const struct trisolve_kernel *const *table;
    struct progress *progress;
    struct contender *contenders; /* one for each kernel */
    int kernels;
    struct trisolve_bed bed; /* for kernels of a device */
    struct error no_bed;     /* the reason why there is none */
    double *b, *x;
};

enum status trisolves_read(const char *text, unsigned *operations, struct error *error)
{
    *operations = 0;
    for (const char *word = text; *word;) {
        const size_t length = strcspn(word, ",");
        int k = 0;
        while (k < TRISOLVE_OPERATIONS && !(strlen(trisolve_operation_name(k)) == length &&
                                            strncmp(trisolve_operation_name(k), word, length) == 0))
            k++;
        if (k == TRISOLVE_OPERATIONS)
            return error_set(error, STATUS_USAGE, "'%.*s' is no triangular solve: lower, upper, symgs",
                             (int)length, word);
        *operations |= 1u << k;
        word += length + (word[length] == ',');
    }
    if (!*operations) *operations = (1u << TRISOLVE_OPERATIONS) - 1;
    return STATUS_OK;
}

static size_t bytes_of(const struct csr *a)
{
    /* The parts, with a copy for each host kernel and the plan of a device's kernel; vectors, checks, levels
     * and the division among threads. */
    return trisolve_parts_bytes(a) * 5 + (size_t)a->rows * 256;
}

static void make_right(const struct work *work, enum trisolve_operation operation)
{
    const struct trisolve_parts *parts = &work->parts;
    const uint64_t key = hash_key(1, HASH_VALUE, 0);
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < parts->rows; i++)
        work->x[i] = hash_value(hash_at(key, i));
#pragma omp parallel for schedule(static)
    for (int64_t i = 0; i < parts->rows; i++) {
        double sum = parts->diagonal[i] * work->x[i];
        for (int t = 0; t < TRIANGLES; t++) {
            const struct trisolve_triangle *triangle = &parts->triangle[t];
            if (operation != TRISOLVE_SYMGS && (operation == TRISOLVE_UPPER) != (t == TRIANGLE_UPPER))
                continue;
            for (int64_t k = triangle->row_ptr[i]; k < triangle->row_ptr[i + 1]; k++)
                sum += triangle->val[k] * work->x[triangle->col[k]];
        }
        work->b[i] = sum;
    }
}

static void drop(struct contender *contender)
{
    contender->kernel->release(contender->state);
    contender->state = NULL;
}

/* Store the error of a kernel as its reason. False if the error ends the timing of all kernels. */
static bool out(struct contender *contender, enum status status, const struct error *failure,
                struct error *error)
{
    drop(contender);
    if (status != STATUS_UNAVAILABLE) {
        if (error) *error = *failure;
        return false;
    }
    snprintf(contender->run->reason, TRISOLVE_REASON, "%.*s", TRISOLVE_REASON - 1, failure->message);
    return true;
}

static void reset(const struct work *work)
{
    memset(work->x, 0, (size_t)work->parts.rows * sizeof *work->x);
}

/* Why a kernel cannot run here; NULL if it can. */
static const char *reason_of(const struct work *work, const struct contender *contender)
{
    const struct trisolve_kernel *kernel = contender->kernel;
    if (kernel->backend && work->no_bed.status != STATUS_OK) return work->no_bed.message;
    return kernel->unavailable ? kernel->unavailable() : NULL;
}

/* Make the kernel's state. */
static enum status prepare_kernel(struct work *work, struct contender *contender, struct error *error)
{
    const struct trisolve_run *run = contender->run;
    const struct trisolve_kernel *kernel = contender->kernel;
    const struct trisolve_place place = {.device = &work->bed.device};
    if (kernel->backend)
        return kernel->prepare_on(&work->parts, run->operation, &place, work->progress, &contender->state,
                                  error);
    return kernel->prepare(&work->parts, run->operation, run->threads, work->progress, &contender->state,
                           error);
}

/* Solve from x = 0; x is the result, and *seconds the time. */
static enum status solve_once(struct work *work, struct contender *contender, double *seconds,
                              struct error *error)
{
    struct trisolve_bed *bed = &work->bed;
    reset(work);
    if (!contender->kernel->backend) {
        const double start = clock_seconds();
        contender->kernel->run(contender->state, work->b, work->x);
        *seconds = clock_seconds() - start;
        return STATUS_OK;
    }
    enum status status = trisolve_bed_put(bed, work->b, error);
    if (status == STATUS_OK) status = trisolve_bed_reset(bed, error);
    if (status == STATUS_OK)
        status = trisolve_bed_time(bed, contender->kernel, contender->state, 1, seconds, error);
    return status == STATUS_OK ? trisolve_bed_get(bed, work->x, error) : status;
}

static enum status prepare(struct work *work, struct contender *contender, const struct trisolve_check *check,
                           struct error *error)
{
    struct trisolve_run *run = contender->run;
    struct error failure = {0};
    const char *reason = reason_of(work, contender);
    if (reason) {
        snprintf(run->reason, sizeof run->reason, "%.*s", TRISOLVE_REASON - 1, reason);
        return STATUS_OK;
    }
    const double begun = clock_seconds();
    double seconds = 0;
    enum status status = prepare_kernel(work, contender, &failure);
    run->prepare = clock_seconds() - begun;
    if (status == STATUS_OK && contender->kernel->facts)
        run->facts = contender->kernel->facts(contender->state);
    if (status == STATUS_OK) status = solve_once(work, contender, &seconds, &failure);
    if (status == STATUS_OK) {
        contender->inner = sample_products(seconds);
        run->checked = !check->loose;
        status = trisolve_check_result(check, work->x, &failure);
    }
    if (status == STATUS_OK) return STATUS_OK;
    return out(contender, status, &failure, error) ? STATUS_OK : status;
}

/* Measure the time of one solve. An untimed solve first reloads the data that other kernels have evicted from
 * the caches. */
static enum status take(struct work *work, const struct contender *contender, double *seconds,
                        struct error *error)
{
    const struct trisolve_run *run = contender->run;
    if (contender->kernel->backend) {
        enum status status =
            trisolve_bed_time(&work->bed, contender->kernel, contender->state, 1, seconds, error);
        if (status != STATUS_OK) return status;
        return trisolve_bed_time(&work->bed, contender->kernel, contender->state, contender->inner, seconds,
                                 error);
    }
    double sum = 0;
    if (contender->kernel->parallel && run->threads > 1) threads_gather(run->threads);
    contender->kernel->run(contender->state, work->b, work->x);
    for (int k = 0; k < contender->inner; k++) {
        const double start = clock_seconds();
        contender->kernel->run(contender->state, work->b, work->x);
        sum += clock_seconds() - start;
    }
    *seconds = sum / contender->inner;
    return STATUS_OK;
}

/* Repeated steps of SymGS may grow without bound, so that each sample begins with x = 0. */
static enum status begin_sample(struct work *work, const struct contender *contender, struct error *error)
{
    reset(work);
    if (!contender->kernel->backend) return STATUS_OK;
    enum status status = trisolve_bed_put(&work->bed, work->b, error);
    return status == STATUS_OK ? trisolve_bed_reset(&work->bed, error) : status;
}

static enum status sample(struct work *work, struct contender *contender, struct error *error)
{
    if (contender->count == contender->room) {
        const int room = 2 * contender->room + SAMPLES_MIN;
        double *wider = memory_resize(contender->seconds, (size_t)room, sizeof *contender->seconds, error);
        if (!wider) return STATUS_MEMORY;
        contender->seconds = wider;
        contender->room = room;
    }
    const double begun = clock_seconds();
    double seconds = 0;
    bool quiet = false;
    struct error failure = {0};
    enum status status = begin_sample(work, contender, &failure);
    for (int k = 0; k <= RETAKES && !quiet && status == STATUS_OK; k++) {
        progress_quiet_begin(work->progress);
        status = take(work, contender, &seconds, &failure);
        quiet = progress_quiet_end(work->progress);
    }
    if (status != STATUS_OK) return out(contender, status, &failure, error) ? STATUS_OK : status;
    contender->spent += clock_seconds() - begun;
    contender->seconds[contender->count++] = seconds;
    return STATUS_OK;
}

static bool has_enough(const struct contender *contender)
{
    if (!contender->state || contender->spent >= SECONDS_MAX) return true;
    return contender->count >= SAMPLES_MIN && contender->spent >= SECONDS_MIN;
}

/* A sample of each kernel a round, until each has enough. */
static enum status time_all(struct work *work, struct error *error)
{
    enum status status = STATUS_OK;
    for (bool enough = false; !enough && status == STATUS_OK;) {
        enough = true;
        for (int k = 0; k < work->kernels && status == STATUS_OK; k++) {
            if (has_enough(&work->contenders[k])) continue;
            enough = false;
            status = sample(work, &work->contenders[k], error);
        }
        if (status == STATUS_OK) status = progress_status(work->progress, error);
    }
    return status;
}

/* ||b - A x|| / ||b|| after one step from 0. */
static double reduction_of(struct work *work, const struct contender *contender)
{
    const struct trisolve_parts *parts = &work->parts;
    double residual = 0, all = 0;
    reset(work);
    contender->kernel->run(contender->state, work->b, work->x);
    for (int64_t i = 0; i < parts->rows; i++) {
        double r = work->b[i] - parts->diagonal[i] * work->x[i];
        for (int t = 0; t < TRIANGLES; t++)
            for (int64_t k = parts->triangle[t].row_ptr[i]; k < parts->triangle[t].row_ptr[i + 1]; k++)
                r -= parts->triangle[t].val[k] * work->x[parts->triangle[t].col[k]];
        residual += r * r;
        all += work->b[i] * work->b[i];
    }
    return all > 0 ? sqrt(residual / all) : NAN;
}

static double flops_of(const struct trisolve_parts *parts, enum trisolve_operation operation)
{
    const double lower = (double)parts->triangle[TRIANGLE_LOWER].row_ptr[parts->rows];
    const double upper = (double)parts->triangle[TRIANGLE_UPPER].row_ptr[parts->rows];
    const double rows = (double)parts->rows;
    if (operation == TRISOLVE_SYMGS) return 4 * (lower + upper + rows);
    return 2 * ((operation == TRISOLVE_LOWER ? lower : upper) + rows);
}

static void finish(struct work *work)
{
    double sequential = NAN;
    for (int k = 0; k < work->kernels; k++) {
        struct contender *contender = &work->contenders[k];
        struct trisolve_run *run = contender->run;
        samples_of(PROTOCOL_MEDIAN, contender->seconds, contender->state ? contender->count : 0,
                   &run->samples);
        if (run->samples.count && contender->kernel == &trisolve_sequential) sequential = run->samples.time;
        run->speedup = run->samples.count ? sequential / run->samples.time : NAN;
    }
}

static enum status run_operation(struct work *work, enum trisolve_operation operation, struct error *error)
{
    struct trisolve_check check;
    make_right(work, operation);
    reset(work);
    enum status status = trisolve_check_make(&work->parts, operation, work->b, work->x, &check, error);
    for (int k = 0; k < work->kernels && status == STATUS_OK; k++) {
        const struct trisolve_kernel *kernel = work->table[k];
        const int threads = kernel->backend                  ? 0
                            : kernel == &trisolve_sequential ? 1
                                                             : work->trisolves->threads;
        struct trisolve_run *run = &work->trisolves->runs[work->trisolves->count++];
        work->contenders[k] = (struct contender){.run = run, .kernel = kernel};
        *run = (struct trisolve_run){
            .operation = operation, .threads = threads, .flops = flops_of(&work->parts, operation)};
        snprintf(run->name, sizeof run->name, "%s", kernel->name);
        if (kernel->backend)
            snprintf(run->device, sizeof run->device, "%.*s", (int)sizeof run->device - 1,
                     work->bed.device.facts.name);
        status = prepare(work, &work->contenders[k], &check, error);
    }
    if (status == STATUS_OK) status = time_all(work, error);
    if (status == STATUS_OK && operation == TRISOLVE_SYMGS && work->contenders[0].state)
        work->trisolves->reduction = reduction_of(work, &work->contenders[0]);
    if (status == STATUS_OK) finish(work);
    for (int k = 0; k < work->kernels; k++) {
        if (work->contenders[k].state) drop(&work->contenders[k]);
        free(work->contenders[k].seconds);
        work->contenders[k] = (struct contender){0};
    }
    trisolve_check_free(&check);
    progress_add(work->progress, 1);
    return status;
}

static enum status make(struct work *work, struct error *error)
{
    const size_t rows = (size_t)work->a->rows;
    while (work->table[work->kernels])
        work->kernels++;
    const int count = work->kernels * __builtin_popcount(work->options->operations);
    work->contenders = memory_zeroed((size_t)work->kernels, sizeof *work->contenders, error);
    work->b = memory_array(rows, sizeof *work->b, error);
    work->x = memory_array(rows, sizeof *work->x, error);
    work->trisolves->runs = memory_zeroed((size_t)count, sizeof *work->trisolves->runs, error);
    if (!work->contenders || !work->b || !work->x || !work->trisolves->runs) return STATUS_MEMORY;
    return trisolve_parts_make(work->a, &work->parts, error);
}

/* Open the device of the first kernel that needs one. */
static void open_bed(struct work *work)
{
    const struct backend *backend = NULL;
    for (int k = 0; k < work->kernels && !backend; k++)
        backend = work->table[k]->backend;
    if (!backend) return;
    trisolve_bed_open(backend->devices, work->options->device, work->a->rows, &work->bed, &work->no_bed);
}

enum status trisolves_run_with(const struct csr *a, const struct trisolves_options *options,
                               struct progress *progress, struct trisolves *trisolves, struct error *error)
{
    struct work work = {.a = a, .options = options, .trisolves = trisolves, .progress = progress};
    const unsigned operations = options->operations;
    work.table = options->kernels ? options->kernels : trisolve_kernels;
    *trisolves = (struct trisolves){.threads = options->threads, .reduction = NAN};
    enum status status = memory_check_beside(bytes_of(a), csr_bytes(a->rows, csr_nnz(a), 0), options->limit,
                                             "the arrays of triangular solves", error);
    if (status == STATUS_OK) status = make(&work, error);
    if (status == STATUS_OK) trisolves->ones = work.parts.ones;
    if (status == STATUS_OK) open_bed(&work);
    progress_phase(progress, "timing triangular solves", __builtin_popcount(operations));
    for (int k = 0; k < TRISOLVE_OPERATIONS && status == STATUS_OK; k++)
        if (operations >> k & 1) status = run_operation(&work, (enum trisolve_operation)k, error);
    trisolve_bed_close(&work.bed);
    trisolve_parts_free(&work.parts);
    free(work.contenders);
    free(work.b);
    free(work.x);
    if (status != STATUS_OK) trisolves_free(trisolves);
    return status;
}

enum status trisolves_run(const struct csr *a, unsigned operations, int threads, size_t limit,
                          struct progress *progress, struct trisolves *trisolves, struct error *error)
{
    const struct trisolves_options options = {.operations = operations, .threads = threads, .limit = limit};
    return trisolves_run_with(a, &options, progress, trisolves, error);
}

void trisolves_free(struct trisolves *trisolves)
{
    free(trisolves->runs);
    *trisolves = (struct trisolves){0};
}

const char *trisolves_reason(const struct trisolves *trisolves, int k)
{
    const struct trisolve_run *run = &trisolves->runs[k];
    for (int j = 0; j < k; j++)
        if (strcmp(trisolves->runs[j].name, run->name) == 0 &&
            strcmp(trisolves->runs[j].reason, run->reason) == 0)
            return "";
    return run->reason;
}
