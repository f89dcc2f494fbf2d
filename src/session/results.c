#include "session/results.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/cpu/transposed.h"
#include "kernels/timing/sampling.h"

/* Return whether the choice was requested in this process, and not only over ranks. */
static bool is_there(const struct results *results, const struct kernel_choice *choice)
{
    for (int k = 0; k < results->count; k++)
        if (results->items[k].ranked.ranks == 0 && kernel_choice_same(&results->items[k].choice, choice))
            return true;
    return false;
}

int results_threads(const struct kernel *kernel, int threads)
{
    if (kernel->backend->devices) return 0;
    return kernel->sequential ? 1 : threads > 0 ? threads : threads_count();
}

enum status results_want(struct results *results, const struct kernel_choice *choice, struct error *error)
{
    const struct kernel_choice wanted = kernel_choice_with(choice, choice->format.precision,
                                                           results_threads(choice->kernel, choice->threads));
    if (is_there(results, &wanted)) return STATUS_OK;
    struct result *items = memory_resize(results->items, (size_t)results->count + 1, sizeof *items, error);
    if (!items) return STATUS_MEMORY;
    results->items = items;
    items[results->count++] = (struct result){.choice = wanted, .resolved = wanted};
    return STATUS_OK;
}

/* Return the maximum number of threads of the requested kernels that can run on this matrix; 0 if none
 * can. */
static int max_threads(const struct results *results, bool complex, struct product product)
{
    int max = 0;
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (kernel_check(item->choice.kernel, complex, product, NULL) == STATUS_OK &&
            item->choice.threads > max)
            max = item->choice.threads;
    }
    return max;
}

/* Open and measure a device. A failure becomes the reason of all its kernels. */
static enum status begin_device(const struct device_type *type, struct device *device, int index,
                                struct machine *machine, struct progress *progress, struct error *error)
{
    struct error reason = {0};
    enum status status = device_open(type, index, device, &reason);
    if (status == STATUS_OK) status = machine_measure_device(machine, device, progress, &reason);
    if (status == STATUS_CANCELLED) return progress_status(progress, error);
    if (status != STATUS_OK) device->lost = reason;
    machine->type = type;
    machine->device = device;
    return STATUS_OK;
}

/* Open and measure a device of each type needed by kernels that can run on this matrix. */
static enum status begin_devices(const struct results *results, bool complex,
                                 const struct bench_options *options, struct workbench *bench,
                                 struct progress *progress, struct error *error)
{
    struct machines *machines = &bench->machines;
    enum status status = STATUS_OK;
    for (int k = 0; k < results->count && status == STATUS_OK; k++) {
        const struct kernel *kernel = results->items[k].choice.kernel;
        int place = machines->devices;
        if (machines_of(machines, kernel->backend->devices) || place == DEVICES_MAX ||
            kernel_check(kernel, complex, options->product, NULL) != STATUS_OK)
            continue;
        machines->devices++;
        status = begin_device(kernel->backend->devices, &bench->devices[place], options->device,
                              &machines->device[place], progress, error);
    }
    return status;
}

enum status workbench_open(struct workbench *bench, const struct results *results, bool complex,
                           const struct bench_options *options, struct progress *progress,
                           struct error *error)
{
    int threads = max_threads(results, complex, options->product);
    enum status status = STATUS_OK;
    if (threads > 0)
        status = machine_measure(&bench->machines.host, threads, options->limit, progress, error);
    if (status != STATUS_OK) return status;
    return begin_devices(results, complex, options, bench, progress, error);
}

void workbench_close(struct workbench *bench)
{
    machines_free(&bench->machines);
    for (int k = 0; k < DEVICES_MAX; k++)
        device_close(&bench->devices[k]);
    *bench = (struct workbench){0};
}

/* Clear the members of a machine that are valid only during the run. The measured figures remain. */
static void keep_figures(struct machine *machine)
{
    machine->memory = NULL;
    machine->device = NULL;
}

enum status results_keep(const struct results *results, struct pool *pool, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < results->count && status == STATUS_OK; k++)
        if (estimates_want(&results->items[k]))
            status = pool_keep(pool, &results->items[k].choice.format, error);
    return status;
}

/* Forecast the times of the host's kernels. */
static enum status forecast(struct results *results, struct pool *pool, struct product product, size_t limit,
                            struct progress *progress, struct error *error)
{
    if (!results->processor) return STATUS_OK;
    return forecasts_make(results->processor, pool, results->items, results->count, product, limit,
                          results->sharing ? &results->sharing->cpu : NULL, progress, error);
}

enum status results_run_on(struct workbench *bench, struct results *results, struct pool *pool,
                           const struct bench_options *options, struct progress *progress,
                           struct error *error)
{
    const struct csr *a = pool->a;
    results->options = *options;
    results->options.x = results->options.b = NULL;
    results->options.natural = NULL;
    results->options.outlooks = NULL;
    results->held = options->b != NULL;
    results->rows = a->rows;
    results->cols = a->cols;
    results->nnz = csr_nnz(a);
    results->machines = (struct machines){0};
    enum status status =
        bench_run(pool, results->items, results->count, options, &bench->machines, progress, error);
    if (status == STATUS_OK)
        status = forecast(results, pool, options->product, options->limit, progress, error);
    if (status == STATUS_OK) results->machines = bench->machines;
    keep_figures(&results->machines.host);
    for (int k = 0; k < results->machines.devices; k++)
        keep_figures(&results->machines.device[k]);
    return status;
}

enum status results_run(struct results *results, struct pool *pool, const struct bench_options *options,
                        struct progress *progress, struct error *error)
{
    struct workbench bench = {0};
    enum status status =
        workbench_open(&bench, results, pool->a->imaginary != NULL, options, progress, error);
    if (status == STATUS_OK) status = results_run_on(&bench, results, pool, options, progress, error);
    workbench_close(&bench);
    return status;
}

enum status results_estimate(struct results *results, struct pool *pool,
                             const struct estimate_options *options, struct progress *progress,
                             struct error *error)
{
    struct estimate_options shared = *options;
    if (results->sharing) shared.reuse = &results->sharing->reuse;
    estimates_free(&results->estimates);
    return estimates_make(&results->estimates, pool, results->items, results->count, &shared,
                          results->estimated, progress, error);
}

/* Record the size of the storage that a result's kernel reads, or why the matrix cannot be stored in it. */
static enum status foresee_size(struct result *result, struct pool *pool, size_t limit,
                                struct progress *progress, struct error *error)
{
    const struct storage *plan;
    struct error reason = {0};
    enum status status = pool_plan(pool, &result->choice.format, limit, progress, &plan, &reason);
    if (status == STATUS_CANCELLED || (status == STATUS_MEMORY && !plan))
        return error_set(error, status, "%s", reason.message);
    if (plan) {
        result->sized = true;
        result->size = storage_size(plan);
    }
    /* Without the GPU or library, the refusal is the better reason: installing it would not help. */
    if (status != STATUS_OK && (result->status == STATUS_OK || result->status == STATUS_UNAVAILABLE)) {
        result->status = status;
        result->error = reason;
    }
    return STATUS_OK;
}

enum status results_foresee(struct results *results, struct pool *pool,
                            const struct estimate_options *options, size_t limit, struct progress *progress,
                            struct error *error)
{
    const struct csr *a = pool->a;
    enum status status = STATUS_OK;
    results->options = (struct bench_options){.product = options->product};
    results->rows = a->rows;
    results->cols = a->cols;
    results->nnz = csr_nnz(a);
    for (int k = 0; k < results->count && status == STATUS_OK; k++) {
        const struct kernel_choice choice = results->items[k].choice;
        results->items[k] = result_unrun(&choice, a->imaginary != NULL, options->product);
        status = foresee_size(&results->items[k], pool, limit, progress, error);
    }
    if (status == STATUS_OK) status = forecast(results, pool, options->product, limit, progress, error);
    return status == STATUS_OK ? results_estimate(results, pool, options, progress, error) : status;
}

void sharing_start(struct pool *pool, const struct excerpt *excerpt, struct sharing *sharing)
{
    const struct csr *a = pool->a;
    *sharing = (struct sharing){.reuse.a = a, .cpu.a = a, .pool = pool, .fastest = INFINITY};
    if (!excerpt->there) return;
    if (excerpt->whole) { /* the excerpt is the matrix */
        sharing->own.a = sharing->reuse.a = sharing->cpu.a = &excerpt->rows;
        sharing->pool = &sharing->own;
    } else {
        sharing->reuse.excerpt = sharing->cpu.excerpt = excerpt;
    }
}

void sharing_free(struct sharing *sharing)
{
    pool_free(&sharing->own);
    memory_reuse_free(&sharing->reuse);
    cpu_matrix_free(&sharing->cpu);
}

bool results_traced(const struct results *results)
{
    for (int k = 0; k < results->count; k++)
        if (results->items[k].choice.kernel->trace) return true;
    return false;
}

const struct estimate *results_estimate_of(const struct results *results, const struct result *result)
{
    for (int k = 0; k < results->estimates.count; k++)
        if (result == &results->items[k])
            return results->estimates.items[k].there ? &results->estimates.items[k] : NULL;
    return NULL;
}

const struct prediction *results_prediction_of(const struct results *results, const struct result *result)
{
    const struct prediction *prediction = &result->predicted[results->options.cold];
    return prediction->there ? prediction : NULL;
}

const struct machine *results_machine(const struct results *results, const struct result *result)
{
    static const struct machine unknown;
    const struct backend *backend = result->choice.kernel->backend;
    const struct machine *machine = machines_of(&results->machines, backend->devices);
    return backend->foreign || !machine ? &unknown : machine;
}

bool result_timed(const struct result *result)
{
    return result->status == STATUS_OK && result->samples.count > 0;
}

/* Return the fastest result for which `suits` is true, or of all if `suits` is NULL; NULL if there is
 * none. */
static const struct result *fastest_of(const struct results *results, enum precision precision,
                                       bool (*suits)(const struct result *result))
{
    const struct result *fastest = NULL;
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (item->choice.format.precision != precision || !result_timed(item) || (suits && !suits(item)))
            continue;
        if (!fastest || item->samples.time < fastest->samples.time) fastest = item;
    }
    return fastest;
}

const struct result *results_fastest(const struct results *results, enum precision precision)
{
    return fastest_of(results, precision, NULL);
}

static bool has_warp_a_row(const struct result *result)
{
    const struct kernel *kernel = result->choice.kernel;
    return kernel->warp_a_row && kernel->warp_a_row(&result->resolved.values);
}

const struct result *results_warp_a_row(const struct results *results, enum precision precision)
{
    return fastest_of(results, precision, has_warp_a_row);
}

bool results_tied(const struct results *results, const struct result *result)
{
    const struct result *fastest = results_fastest(results, result->choice.format.precision);
    if (!result_timed(result)) return false;
    if (fastest != result) return samples_tie(&fastest->samples, &result->samples);
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (item != result && item->choice.format.precision == result->choice.format.precision &&
            result_timed(item) && samples_tie(&item->samples, &result->samples))
            return true;
    }
    return false;
}

/* The fastest kernel of the same backend, precision and threads that reads CSR directly, or NULL. */
static const struct result *reference_of(const struct results *results, const struct result *result)
{
    const struct result *fastest = NULL;
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (!kernel_takes_csr(item->choice.kernel) ||
            transposed_stores(&item->resolved, results->options.product) ||
            strcmp(item->choice.kernel->backend->name, result->choice.kernel->backend->name) != 0 ||
            item->choice.format.precision != result->choice.format.precision ||
            strcmp(item->ranked.partition, result->ranked.partition) != 0 ||
            item->resolved.threads != result->resolved.threads || !result_timed(item))
            continue;
        if (!fastest || item->samples.time < fastest->samples.time) fastest = item;
    }
    return fastest;
}

/* The CSR result for the break-even, or NULL if this result is not faster than it. */
static const struct result *slower_reference(const struct results *results, const struct result *result)
{
    const struct result *reference = reference_of(results, result);
    if (!reference || !result_timed(result)) return NULL;
    return result->samples.time < reference->samples.time ? reference : NULL;
}

int64_t results_break_even(const struct results *results, const struct result *result)
{
    const struct result *reference = slower_reference(results, result);
    return reference ? break_even(result, reference) : -1;
}

int64_t results_device_break_even(const struct results *results, const struct result *result)
{
    const struct result *reference = slower_reference(results, result);
    return reference ? device_break_even(result, reference) : -1;
}

struct result result_unrun(const struct kernel_choice *choice, bool complex, struct product product)
{
    struct result result = {.choice = *choice};
    result_clear(&result, complex, product, NAN, NAN);
    result.status = kernel_check(choice->kernel, complex, product, &result.error);
    return result;
}

int results_fastest_of(const struct result *const *items, int count)
{
    int min = -1;
    for (int k = 0; k < count; k++) {
        if (!items[k] || !result_timed(items[k])) continue;
        if (min < 0 || items[k]->samples.time < items[min]->samples.time) min = k;
    }
    return min;
}

double result_ratio(const struct result *result, const struct result *base)
{
    if (!result_timed(result) || !result_timed(base)) return NAN;
    return result->samples.time / base->samples.time;
}

double result_speedup(const struct result *result, const struct result *base)
{
    return result_ratio(base, result);
}

double result_speed(const struct result *result)
{
    return result_timed(result) ? result->flops / result->samples.time : NAN;
}

double result_intensity(const struct result *result)
{
    if (!result_timed(result) || !(result->bytes.plus > 0)) return NAN;
    return result->flops / result->bytes.plus;
}

double results_ceiling(const struct results *results, const struct result *result)
{
    const struct machine *machine = results_machine(results, result);
    if (!result_timed(result) || result->cached || !(machine->read > 0)) return NAN;
    return result->flops * machine->read / result->bytes.plus;
}

double results_duration(const struct csr *a, const double *seconds, int count, double stored, double slower,
                        const struct bench_options *options)
{
    /* Constants of the estimate. On a Xeon guest with two threads, a run of one kernel on a small matrix
     * takes 0.6 s longer than none, and each further kernel takes 0.23 s, of which 0.2 s are samples. The
     * machine is measured in about 500 stretches. If other programs run, a stretch or a sample begins only
     * after their turns of 3 ms; the scheduler lets a thread wait for at most about 12 of these. A single
     * thread waits less often. With 20 to 70 other threads on two processors, stretches took 15 to 23 s. The
     * other constants were fitted to 11 matrices on an idle machine: the speed of conversions, the number of
     * checked products, and the time around each kernel. */
    const double machine = 0.6, stretches = 500, around = 0.06, others = 10, read = 1e10, convert = 4e8,
                 flushed = 256e6, turn = 3e-3, turns = 12, often = 0.7;
    const double bytes = 12 * (double)csr_nnz(a) + 24 * (double)a->rows,
                 wait = turn * fmin(slower - 1, turns);
    const double most = options->max_seconds > 0 ? options->max_seconds : 5;
    double least;
    const int repeat = sampling_repeats(options, &least);
    double sum = machine + stretches * wait + slower * stored / convert;
    for (int k = 0; k < count; k++) {
        const double product = slower * (isnan(seconds[k]) ? bytes / read : seconds[k]);
        const double sample = product + often * wait + (options->cold ? slower * flushed / read : 0);
        sum += fmax(fmin(fmax(least, repeat * sample), most), sample) + others * product + around;
    }
    return sum;
}

void results_free(struct results *results)
{
    free(results->items);
    estimates_free(&results->estimates);
    foreign_free(results->foreign);
    *results = (struct results){0};
}
