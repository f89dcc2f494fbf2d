#include "session/estimates.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/products.h"
#include "analysis/forecast/time.h"
#include "base/memory.h"
#include "kernels/gpu/paper.h"

/* A kernel that takes this many times as long as the fastest one is seldom mentioned by the advice. */
#define ENOUGH 1.75

/* The estimates of one call. */
struct making {
    struct pool *pool;
    const struct excerpt *excerpt; /* the part of the matrix that is known; NULL if all of it is */
    struct pool part;              /* the excerpt's rows, and the same rows moved onto diagonals */
    struct pool diagonal;
    struct csr moved; /* owns the moved rows; {0} until they are needed */
    struct result *results;
    struct estimate *estimates;
    bool *finished; /* for each result: it has its estimate, or cannot have one */
    int count;
    const struct estimate_options *options;
    struct estimate_options each; /* the options, with data on the matrix that several estimates use */
    struct memory_reuse reuse;
    struct estimated *estimated; /* earlier estimates, to which new ones are added; may be NULL */
    struct device device;        /* the GPU that is estimated (kernels/gpu/paper.h) */
    struct progress *progress;
};

/* Return the results of preparing a kernel for the estimate, scaled from the excerpt to the planned storage
 * of the whole matrix. */
static struct result told(const struct kernel_choice *choice, const struct launch *launch,
                          const struct storage *plan, double times)
{
    struct result result = {.choice = *choice, .resolved = *choice, .sized = true};
    result.size = storage_size(plan);
    result.bytes = kernel_bytes(launch);
    if (times > 1) { /* each copy of the excerpt would read and write its own x and y */
        const double part = (double)launch->storage->rows + (double)launch->storage->cols,
                     all = (double)plan->rows + (double)plan->cols,
                     value = value_width(plan->precision, plan->complex);
        result.bytes.plus = round(times * (result.bytes.plus - value * part) + value * all);
        result.bytes.minus = round(times * result.bytes.minus);
    }
    result.resolved.values = launch->values;
    result.resolved.format = storage_choice(plan);
    return result;
}

/* Copy the results of an estimate. A result that was run keeps its measured data. */
static void tell(struct result *result, const struct result *found)
{
    memcpy(result->predicted, found->predicted, sizeof result->predicted);
    result->least = found->least;
    if (!result->choice.kernel->trace || (result->status == STATUS_OK && result->samples.count > 0)) return;
    result->sized = found->sized;
    result->size = found->size;
    result->bytes = found->bytes;
    result->resolved.values = found->resolved.values;
    result->resolved.format = found->resolved.format;
}

/* Return the kernel that is replayed for a result; NULL if there is none. */
static const struct kernel *replayed(const struct kernel *kernel)
{
    if (kernel->trace) return kernel;
    return kernel->like && kernel->like->trace ? kernel->like : NULL;
}

bool estimates_want(const struct result *result)
{
    return replayed(result->choice.kernel) != NULL;
}

/* Find the choice of the kernel that is replayed for a result, on the result's storage. */
static enum status replayed_choice(const struct result *result, struct kernel_choice *choice,
                                   struct error *error)
{
    *choice = result->choice;
    if (result->choice.kernel->trace) return STATUS_OK;
    const char *parameters = result->choice.kernel->like_parameters;
    enum status status =
        kernel_choice_read(replayed(result->choice.kernel), parameters ? parameters : "", choice, error);
    choice->format = result->choice.format;
    return status;
}

/* Write the name of the kernel that is replayed instead of a library's. A model is not in the table of
 * kernels, and has no backend. */
static void name_like(const struct kernel *like, char *name, size_t size)
{
    bool listed = false;
    for (const struct kernel *const *k = kernels; *k && !listed; k++)
        listed = *k == like;
    snprintf(name, size, "%s%s%s", listed ? like->backend->name : "", listed ? "/" : "", like->name);
}

/* Forecast the time of a result from its estimate, or from that of a similar kernel. */
static void forecast(const struct making *making, struct result *result, const struct estimate *estimate)
{
    const struct kernel *kernel = result->choice.kernel;
    for (int cold = 0; cold < 2; cold++) {
        struct prediction *prediction = &result->predicted[cold];
        time_forecast(making->options->gpu, kernel, estimate, cold, prediction);
        if (kernel->trace || !prediction->there) continue;
        name_like(kernel->like, prediction->like, sizeof prediction->like);
    }
}

/* If the estimate was left incomplete, record the least time of the kernel. Otherwise record its time if it
 * is the fastest so far. */
static void note_time(const struct making *making, const struct estimate_bar *bar, struct result *result)
{
    double *fastest = making->options->fastest;
    result->least = bar->least;
    if (!fastest || !result->predicted[0].there) return;
    if (kernel_runs_on(&result->resolved, making->options->gpu, NULL) == STATUS_OK)
        *fastest = fmin(*fastest, result->predicted[0].seconds);
}

/* Show the estimate of a result. The estimate of a library's kernel is that of another kernel, and is not
 * shown. */
static void show(const struct making *making, int k, const struct estimate *estimate)
{
    making->estimates[k] = making->results[k].choice.kernel->trace ? *estimate : (struct estimate){0};
}

/* The stored matrix or excerpt, and the plan of the whole matrix. */
struct stored {
    const struct storage *plan, *storage;
    struct pool *pool; /* the pool that contains it */
};

/* Estimate one kernel on its stored matrix, and forecast its time. There is no estimate if the kernel cannot
 * read this storage. Kernels that go by columns have none on an excerpt, because rows do not represent
 * columns. */
static enum status estimate_result(struct making *making, int k, const struct stored *stored,
                                   struct error *error)
{
    const double times = making->each.times;
    struct result *result = &making->results[k];
    const struct launch_options options = {
        .product = making->options->product, .limit = making->options->limit, .times = making->each.times};
    const struct kernel *kernel = result->choice.kernel;
    struct error reason = {0};
    struct launch launch;
    struct kernel_choice choice;
    struct estimate estimate = {0};
    struct estimate_bar bar = {.enough = making->options->fastest ? ENOUGH * *making->options->fastest : 0};
    enum status status = replayed_choice(result, &choice, error);
    if (status != STATUS_OK) return status;
    if (making->excerpt && choice.kernel->trace->by_columns) return STATUS_OK;
    if (kernel->takes && kernel->takes(stored->plan, &reason) != STATUS_OK) return STATUS_OK;
    status = paper_prepare(&making->device, &choice, stored->storage, &options, &launch, &reason);
    if (status == STATUS_OK) {
        if (!kernel->trace) launch.stands_for = kernel;
        struct result found = told(&result->choice, &launch, stored->plan, times);
        making->each.bar = making->options->fastest ? &bar : NULL;
        status = estimate_make(&launch, &making->each, &estimate, making->progress, error);
        if (status == STATUS_OK) forecast(making, &found, &estimate);
        note_time(making, &bar, &found);
        if (status == STATUS_OK) tell(result, &found);
        show(making, k, &estimate);
        if (status == STATUS_OK && making->estimated && found.least == 0)
            status = estimated_keep(making->estimated, &found, &estimate, making->options, error);
    } else {
        status = status == STATUS_MEMORY ? error_set(error, status, "%s", reason.message) : STATUS_OK;
    }
    kernel_release(&launch);
    return status;
}

/* Outline a choice. An excerpt gets the parameters of the whole matrix. Its number of parts in the whole is
 * the ratio of their slots. */
static enum status take_outline(struct making *making, const struct format_choice *choice,
                                struct stored *stored, struct error *error)
{
    const size_t limit = making->options->limit;
    stored->pool = making->pool;
    making->each.times = 1;
    if (!making->excerpt) {
        enum status status =
            pool_outline(making->pool, choice, limit, making->progress, &stored->storage, error);
        stored->plan = stored->storage;
        return status;
    }
    enum status status = pool_plan(making->pool, choice, 0, making->progress, &stored->plan, error);
    if (status != STATUS_OK) return status;
    const struct format_choice same = storage_choice(stored->plan);
    stored->pool = &making->part;
    if (choice->format->lines == FORMAT_DIAGONALS) {
        stored->pool = &making->diagonal;
        if (!making->moved.row_ptr) status = excerpt_diagonal(making->excerpt, &making->moved, error);
    }
    if (status == STATUS_OK)
        status = pool_outline(stored->pool, &same, limit, making->progress, &stored->storage, error);
    if (status != STATUS_OK) return status;
    making->each.times =
        fmax(1, (double)storage_slots(stored->plan) / fmax(1, (double)storage_slots(stored->storage)));
    /* Some kernels launch as many blocks as the GPU holds. On a GPU that is smaller by the same ratio, each
     * block gets as much of the part as it would of the whole. */
    making->device.facts.multiprocessors =
        (int)fmax(1, round(making->options->gpu->multiprocessors / making->each.times));
    return STATUS_OK;
}

/* Estimate result `first` and all later ones whose kernels read the same storage. The storage is then
 * released. */
static enum status estimate_group(struct making *making, int first, struct error *error)
{
    struct error reason = {0};
    struct stored taken;
    const struct format_choice *choice = &making->results[first].choice.format;
    enum status status = take_outline(making, choice, &taken, &reason);
    bool stored = status == STATUS_OK;
    if (status == STATUS_CANCELLED || status == STATUS_MEMORY)
        error_set(error, status, "%s", reason.message);
    else
        status = STATUS_OK;
    for (int k = first; k < making->count && status == STATUS_OK; k++) {
        if (making->finished[k] || !format_choice_same(&making->results[k].choice.format, choice)) continue;
        making->finished[k] = true;
        if (stored && replayed(making->results[k].choice.kernel))
            status = estimate_result(making, k, &taken, error);
    }
    if (stored) pool_release(taken.pool, taken.storage);
    pool_unkeep(making->pool, choice);
    return status;
}

/* Forecast a product other than y = A x of one kernel. Its requests are counted from the plan of its storage.
 * They are not shown, because nothing is replayed. */
static enum status forecast_product(struct making *making, int k, struct error *error)
{
    const struct estimate_options *options = making->options;
    struct result *result = &making->results[k];
    const struct kernel *kernel = result->choice.kernel;
    const struct storage *plan = NULL;
    struct estimate estimate = {0};
    struct error reason = {0};
    struct result found = {.choice = result->choice, .resolved = result->choice, .bytes = {NAN, NAN}};
    enum status status =
        pool_plan(making->pool, &result->choice.format, options->limit, making->progress, &plan, &reason);
    if (status == STATUS_CANCELLED || (status == STATUS_MEMORY && !plan))
        return error_set(error, status, "%s", reason.message);
    if (status != STATUS_OK) return STATUS_OK;
    found.sized = true;
    found.size = storage_size(plan);
    found.resolved.format = storage_choice(plan);
    status = product_estimate(&result->choice, plan, options->gpu, options->product, making->each.reuse,
                              &estimate, &found.resolved, making->progress, error);
    if (status != STATUS_OK || !estimate.there) return status;
    for (int cold = 0; cold < 2; cold++)
        product_forecast(options->gpu, kernel, &estimate, cold, &found.predicted[cold]);
    tell(result, &found);
    if (!making->estimated) return STATUS_OK;
    return estimated_keep(making->estimated, &found, &(struct estimate){0}, options, error);
}

static enum status forecast_products(struct making *making, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < making->count && status == STATUS_OK; k++)
        if (!making->finished[k] && making->results[k].choice.kernel->product_way)
            status = forecast_product(making, k, error);
    return status;
}

/* Take results from earlier estimates. */
static void recall(struct making *making)
{
    for (int k = 0; k < making->count && making->estimated; k++) {
        const struct estimated_item *item =
            estimated_find(making->estimated, &making->results[k].choice, making->options);
        if (!item) continue;
        tell(&making->results[k], &item->result);
        show(making, k, &item->estimate);
        making->finished[k] = true;
    }
}

/* Estimate all results whose kernels have a trace, or are like one with a trace. Results with an existing
 * storage come first, so that it is freed before others are converted. */
static enum status estimate_all(struct making *making, struct error *error)
{
    enum status status = STATUS_OK;
    for (int there = 1; there >= 0; there--)
        for (int k = 0; k < making->count && status == STATUS_OK; k++) {
            const struct kernel_choice *choice = &making->results[k].choice;
            if (making->finished[k] || !replayed(choice->kernel)) continue;
            if (!there || pool_has(making->pool, &choice->format)) status = estimate_group(making, k, error);
        }
    return status;
}

/* A kernel that cannot run on the estimated GPU has no forecast for it. Unless it has run here, this becomes
 * its reason. Its memory requests are shown nevertheless. */
static void refuse(const struct making *making)
{
    for (int k = 0; k < making->count; k++) {
        struct result *result = &making->results[k];
        const struct kernel_choice *choice = result->resolved.kernel ? &result->resolved : &result->choice;
        struct error reason = {0};
        if (!choice->kernel->backend->devices ||
            kernel_runs_on(choice, making->options->gpu, &reason) == STATUS_OK)
            continue;
        result->predicted[0] = result->predicted[1] = (struct prediction){.there = false};
        result->least = 0;
        if (result->status == STATUS_OK) continue;
        result->status = reason.status;
        result->error = reason;
    }
}

enum status estimates_make(struct estimates *estimates, struct pool *pool, struct result *results, int count,
                           const struct estimate_options *options, struct estimated *estimated,
                           struct progress *progress, struct error *error)
{
    struct device_facts facts = {0};
    struct making making = {.pool = pool,
                            .results = results,
                            .count = count,
                            .options = options,
                            .estimated = estimated,
                            .progress = progress};
    enum status status = STATUS_OK;
    making.reuse.a = pool->a;
    making.excerpt = options->reuse ? options->reuse->excerpt : NULL;
    making.part.a = making.excerpt ? &making.excerpt->rows : NULL;
    making.diagonal.a = &making.moved;
    making.each = *options;
    if (!making.each.reuse) making.each.reuse = &making.reuse;
    *estimates = (struct estimates){0};
    making.estimates = memory_zeroed((size_t)count, sizeof *making.estimates, error);
    making.finished = memory_zeroed((size_t)count, sizeof *making.finished, error);
    if (!making.estimates || !making.finished) status = STATUS_MEMORY;
    gpu_facts(options->gpu, &facts);
    paper_open(&facts, &making.device);
    if (status == STATUS_OK) recall(&making);
    if (status == STATUS_OK)
        status = product_plain(options->product) ? estimate_all(&making, error)
                                                 : forecast_products(&making, error);
    if (status == STATUS_OK) refuse(&making);
    device_close(&making.device);
    memory_reuse_free(&making.reuse);
    pool_free(&making.part);
    pool_free(&making.diagonal);
    csr_free(&making.moved);
    free(making.finished);
    if (status != STATUS_OK) {
        free(making.estimates);
        return status;
    }
    *estimates = (struct estimates){.items = making.estimates, .count = count};
    return STATUS_OK;
}

void estimates_free(struct estimates *estimates)
{
    free(estimates->items);
    *estimates = (struct estimates){0};
}

static bool by_excerpt(const struct estimate_options *options)
{
    return options->reuse && options->reuse->excerpt;
}

static bool is_for(const struct estimated_item *item, const struct estimate_options *options)
{
    return memcmp(&item->gpu, options->gpu, sizeof item->gpu) == 0 && item->share == options->share &&
           item->most_slots == options->most_slots && item->seed == options->seed &&
           item->excerpt == by_excerpt(options) && product_same(item->product, options->product);
}

const struct estimated_item *estimated_find(const struct estimated *estimated,
                                            const struct kernel_choice *choice,
                                            const struct estimate_options *options)
{
    for (int k = 0; k < estimated->count; k++)
        if (kernel_choice_same(&estimated->items[k]->result.choice, choice) &&
            is_for(estimated->items[k], options))
            return estimated->items[k];
    return NULL;
}

static enum status widen(struct estimated *estimated, struct error *error)
{
    int room = estimated->room ? 2 * estimated->room : 32;
    struct estimated_item **items = memory_resize(estimated->items, (size_t)room, sizeof *items, error);
    if (!items) return STATUS_MEMORY;
    estimated->items = items;
    estimated->room = room;
    return STATUS_OK;
}

enum status estimated_keep(struct estimated *estimated, const struct result *result,
                           const struct estimate *estimate, const struct estimate_options *options,
                           struct error *error)
{
    if (estimated->count == ESTIMATED_MAX) return STATUS_OK;
    if (estimated->count == estimated->room && widen(estimated, error) != STATUS_OK) return STATUS_MEMORY;
    struct estimated_item *item = memory_zeroed(1, sizeof *item, error);
    if (!item) return STATUS_MEMORY;
    item->result = *result;
    item->estimate = *estimate;
    memcpy(&item->gpu, options->gpu, sizeof item->gpu);
    item->product = options->product;
    item->share = options->share;
    item->most_slots = options->most_slots;
    item->seed = options->seed;
    item->excerpt = by_excerpt(options);
    estimated->items[estimated->count++] = item;
    return STATUS_OK;
}

void estimated_free(struct estimated *estimated)
{
    for (int k = 0; k < estimated->count; k++)
        free(estimated->items[k]);
    free(estimated->items);
    *estimated = (struct estimated){0};
}
