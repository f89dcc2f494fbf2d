#include "session/advice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/csc.h"
#include "formats/csr.h"
#include "kernels/cpu/transposed.h"
#include "kernels/gpu/conversion.h"
#include "kernels/gpu/device.h"
#include "kernels/libraries/library.h"
#include "session/advice_parts.h"
#include "session/advice_words.h"
#include "session/session.h"

/* Assumed bandwidths in bytes/s. COPY_ASSUMED is that of the host's copies in memory, if it was not measured.
 * UPLOAD is that of transfers to a GPU: PCI Express 4.0 with 16 lanes reaches about this of its 31.5e9. */
#define COPY_ASSUMED 40e9
#define UPLOAD 25e9

const char *advice_place_key(enum advice_place place)
{
    static const char *const keys[ADVICE_PLACES] = {[ADVICE_CPU] = "cpu",
                                                    [ADVICE_RANKS] = "ranks",
                                                    [ADVICE_GPU] = "gpu",
                                                    [ADVICE_OTHER_GPU] = "other_gpu"};
    return keys[place];
}

const char *advice_article(enum advice_place place)
{
    return place == ADVICE_CPU || place == ADVICE_RANKS ? "" : "the ";
}

double advice_convert_seconds(const struct kernel *kernel, double csr_bytes, double bytes, double copy)
{
    const struct format *format = kernel->format;
    double cost = format->convert_cost > 0 ? format->convert_cost : ADVICE_CONVERT_COST;
    double work = kernel->prepare_cost * csr_bytes + (format == &format_csr ? 0 : cost * (csr_bytes + bytes));
    return work / (copy > 0 ? copy : COPY_ASSUMED);
}

/* The inputs of advice. */
struct gathering {
    const struct matrix_case *of;
    struct advice_question question;
    const struct gpu *gpu; /* the GPU of the estimates; NULL until that is known */
    struct error *error;
};

/* Return the name of the GPU that ran the result's kernel; "" if there was none. */
static const char *device_name(const struct results *results, const struct result *result)
{
    return results_machine(results, result)->name;
}

/* True if a device has the profile's title, or its beginning up to a blank: a driver says "NVIDIA H200", the
 * vendor's data sheet "NVIDIA H200 SXM". */
static bool is_same_gpu(const char *device, const struct gpu *gpu)
{
    size_t length = strlen(device);
    return length > 0 && strncmp(device, gpu->title, length) == 0 &&
           (gpu->title[length] == 0 || gpu->title[length] == ' ');
}

/* Return the machine that a result's time belongs to. Ranks count as one machine, because their times are not
 * those of one processor or GPU, for which forecasts are made. A result may have been timed on another GPU
 * than that of the estimates, and is then forecast for the latter. `forecast` selects the machine of the
 * forecast. */
static enum advice_place place_of(const struct gathering *gathering, const struct results *results,
                                  const struct result *result, bool forecast)
{
    const struct gpu *gpu = gathering->gpu;
    if (result->ranked.ranks > 0) return ADVICE_RANKS;
    if (!result->choice.kernel->backend->devices) return ADVICE_CPU;
    bool other = gpu && !forecast && !is_same_gpu(device_name(results, result), gpu);
    return other ? ADVICE_OTHER_GPU : ADVICE_GPU;
}

/* Return whether a forecast is for the machine of this comparison. For another GPU, the forecast must be by
 * the profile of that GPU, or by a profile that is unknown here. */
static bool is_for(const struct gathering *gathering, enum advice_place place, const char *machine,
                   const char *device)
{
    const struct gpu *gpu = gathering->gpu;
    struct gpu other;
    if (!machine[0]) return true; /* reports of earlier versions do not name the machine */
    if (place == ADVICE_CPU) return strcmp(machine, "cpu") == 0;
    if (place == ADVICE_GPU) return !gpu || strcmp(machine, gpu->name) == 0;
    if (gpu && strcmp(machine, gpu->name) == 0) return false;
    return gpu_find(machine, &other, NULL) != STATUS_OK || is_same_gpu(device, &other);
}

/* The forecast of a result for this machine; NULL if there is none. */
static const struct prediction *prediction_of(const struct gathering *gathering, enum advice_place place,
                                              const struct results *results, const struct result *result)
{
    const struct prediction *prediction = &result->predicted[gathering->question.cold];
    if (!prediction->there || !(prediction->seconds > 0) || place == ADVICE_RANKS) return NULL;
    return is_for(gathering, place, prediction->machine, device_name(results, result)) ? prediction : NULL;
}

/* Two results belong to one candidate if the same choice was requested, or if the resolved parameters are the
 * same: a saved report has those that the kernel chose, and a forecast knows them. Ranks may run a kernel
 * once by each of several partitions. */
static struct advice_candidate *find(const struct advice *advice, const struct result *result)
{
    for (int k = 0; k < advice->count; k++) {
        const struct result *known = advice->candidates[k].result;
        if (strcmp(known->ranked.partition, result->ranked.partition) == 0 &&
            (kernel_choice_same(&known->choice, &result->choice) ||
             kernel_choice_same(&known->resolved, &result->resolved)))
            return &advice->candidates[k];
    }
    return NULL;
}

double advice_device_convert_seconds(const struct kernel_choice *choice, const struct gpu *gpu, double rows,
                                     double csr_bytes, double bytes)
{
    const struct device_type *devices = choice->kernel->backend->devices;
    struct conversion_work work;
    if (choice->format.format == &format_csr) return 0;
    if (!devices || !devices->converts || devices->converts(&choice->format, rows, &work, NULL) != STATUS_OK)
        return NAN;
    double tables =
        choice->kernel->remake ? conversion_seconds(&conversion_tables, gpu, rows, csr_bytes, 0) : 0;
    return conversion_seconds(&work, gpu, rows, csr_bytes, bytes) + tables;
}

/* Assume conversion on the device, from uploaded CSR, if that takes less time in total. Measured times have
 * priority over estimates, which exist only for the GPU of the estimates. */
static void reckon_on_device(const struct gathering *gathering, const struct results *results,
                             enum advice_place place, double csr, struct advice_candidate *candidate)
{
    const struct result *result = candidate->result;
    bool measured = !isnan(result->device_convert_seconds);
    double upload = candidate->upload_measured && candidate->bytes > 0
                        ? candidate->upload * csr / (double)candidate->bytes
                        : csr / UPLOAD;
    double convert = measured ? result->device_convert_seconds : NAN;
    if (candidate->csr) return;
    for (int k = 0; k < results->count; k++) {
        const struct result *other = &results->items[k];
        if (other->choice.kernel->format == &format_csr && !isnan(other->upload_seconds) &&
            other->choice.format.precision == gathering->question.precision)
            upload = other->upload_seconds;
    }
    if (!measured && place == ADVICE_GPU && gathering->gpu)
        convert = advice_device_convert_seconds(&result->resolved, gathering->gpu,
                                                (double)gathering->of->matrix.csr.rows, csr,
                                                (double)candidate->bytes);
    if (!(convert + upload < candidate->setup)) return;
    candidate->convert = convert;
    candidate->convert_measured = measured;
    candidate->convert_on_device = true;
    candidate->upload = upload;
    candidate->setup = convert + upload;
}

/* Return the bytes of a result's storage. If its size is unknown, as without the library, another result with
 * the same storage has it, and for CSR it follows from the matrix. */
static size_t bytes_of(const struct results *results, const struct result *result, double csr)
{
    for (int k = 0; k < results->count && !result->sized; k++)
        if (results->items[k].sized &&
            format_choice_same(&results->items[k].choice.format, &result->choice.format))
            result = &results->items[k];
    if (!result->sized && result->choice.kernel->format == &format_csr) return (size_t)csr;
    return result->size.bytes;
}

/* Return the seconds that the host takes to copy this number of bytes. */
static double copy_seconds(const struct results *results, double bytes)
{
    const double copy = results->machines.host.copy;
    return bytes / (copy > 0 ? copy : COPY_ASSUMED);
}

/* Add the bytes of data that the kernel derives from its storage. Only a forecast knows those of columns in
 * fewer bits. */
static void reckon_aside(const struct gathering *gathering, double csr, struct advice_candidate *candidate)
{
    const double columns = candidate->prediction ? candidate->prediction->aside : 0;
    const bool transposed = transposed_stores(&candidate->result->resolved, gathering->question.product);
    const bool unknown = candidate->result->choice.kernel->prepare_cost > 0 && !(columns > 0);
    candidate->aside = unknown ? NAN : columns + (transposed ? csr : 0);
    if (!unknown) candidate->memory += candidate->aside;
}

static void reckon_setup(const struct gathering *gathering, const struct results *results,
                         enum advice_place place, struct advice_candidate *candidate)
{
    const struct result *result = candidate->result;
    const struct csr *a = &gathering->of->matrix.csr;
    int value = value_width(gathering->question.precision, case_is_complex(gathering->of));
    double csr = (double)case_nnz(gathering->of) * (value + 4) + ((double)a->rows + 1) * 4;
    bool device = result->choice.kernel->backend->devices != NULL;
    candidate->bytes = bytes_of(results, result, csr);
    candidate->memory = (double)candidate->bytes + ((double)a->rows + (double)a->cols) * value *
                                                       product_columns(gathering->question.product);
    reckon_aside(gathering, csr, candidate);
    candidate->csr = kernel_takes_csr(result->choice.kernel) &&
                     !transposed_stores(&result->resolved, gathering->question.product);
    candidate->convert_measured = !candidate->csr && !isnan(result->convert_seconds);
    candidate->convert = candidate->convert_measured
                             ? result->convert_seconds
                             : advice_convert_seconds(result->choice.kernel, csr, (double)candidate->bytes,
                                                      results->machines.host.copy);
    /* A^T is stored by the same steps as CSC. */
    if (!candidate->convert_measured && transposed_stores(&result->resolved, gathering->question.product))
        candidate->convert +=
            copy_seconds(results, format_csc.convert_cost * (csr + (double)candidate->bytes));
    candidate->upload_measured = device && !isnan(result->upload_seconds);
    candidate->upload = !device                      ? 0
                        : candidate->upload_measured ? result->upload_seconds
                                                     : (double)candidate->bytes / UPLOAD;
    candidate->setup = candidate->convert + candidate->upload;
    if (device) reckon_on_device(gathering, results, place, csr, candidate);
}

struct advice_candidate advice_candidate_of(const struct session *session, const struct matrix_case *of,
                                            struct advice_question question, const struct results *results,
                                            const struct result *result)
{
    const struct gathering gathering = {.of = of, .question = question, .gpu = &session->gpu};
    struct advice_candidate candidate = {.results = results, .result = result, .timed = NAN};
    reckon_setup(&gathering, results, ADVICE_GPU, &candidate);
    return candidate;
}

/* True if the matrix and the vectors fit in the memory of the GPU of the estimates. */
static bool has_room(const struct gathering *gathering, const struct advice_candidate *candidate,
                     enum advice_place place)
{
    const struct gpu *gpu = gathering->gpu;
    return place != ADVICE_GPU || !gpu || candidate->memory <= (double)gpu->memory;
}

static enum status append(struct advice *advice, const struct advice_candidate *candidate,
                          struct error *error)
{
    struct advice_candidate *candidates =
        memory_resize(advice->candidates, (size_t)advice->count + 1, sizeof *candidates, error);
    if (!candidates) return STATUS_MEMORY;
    advice->candidates = candidates;
    candidates[advice->count++] = *candidate;
    return STATUS_OK;
}

/* Add a result to the advice for its machine, by its measured or its forecast time. If the candidate exists
 * already, it gets the forecast. */
static enum status add(const struct gathering *gathering, struct advices *advices,
                       const struct results *results, const struct result *result, bool forecast)
{
    enum advice_place place = place_of(gathering, results, result, forecast);
    const struct prediction *prediction = prediction_of(gathering, place, results, result);
    struct advice *advice = &advices->items[place];
    struct advice_candidate *known = find(advice, result);
    struct advice_candidate candidate = {.results = results,
                                         .result = result,
                                         .prediction = prediction,
                                         .timed = forecast ? NAN : result->samples.time};
    if (known && forecast && !known->prediction) {
        known->prediction = prediction;
        reckon_setup(gathering, known->results, place, known);
    }
    if (known || !(forecast ? prediction != NULL : candidate.timed > 0)) return STATUS_OK;
    reckon_setup(gathering, results, place, &candidate);
    if (!has_room(gathering, &candidate, place)) return STATUS_OK;
    return append(advice, &candidate, gathering->error);
}

/* A processor kernel that cannot run here is not recommended, even if it is forecast; nor is a library's
 * kernel before the library is found. */
static bool may_run(const struct result *result)
{
    const struct backend *backend = result->choice.kernel->backend;
    if (backend->library && !library_version(backend->library)[0]) return false;
    return backend->devices || result->status == STATUS_OK;
}

/* Add the results with a measured time, or with a forecast. With `elsewhere` the results are of another
 * machine, and only those of GPUs are added. */
static enum status add_all(const struct gathering *gathering, struct advices *advices,
                           const struct results *results, bool forecast, bool elsewhere)
{
    enum status status = STATUS_OK;
    for (int k = 0; k < results->count && status == STATUS_OK; k++) {
        const struct result *result = &results->items[k];
        bool device = result->choice.kernel->backend->devices != NULL;
        if (result->choice.format.precision != gathering->question.precision || (elsewhere && !device))
            continue;
        if (forecast ? result->predicted[gathering->question.cold].there && may_run(result)
                     : result_timed(result))
            status = add(gathering, advices, results, result, forecast);
    }
    return status;
}

struct advice_question advice_question_of(const struct matrix_case *of, enum precision precision)
{
    return (struct advice_question){precision, of->results.options.product, of->results.options.cold};
}

/* Only times of the same product, with the same state of the caches, are compared. */
static bool goes_with(const struct gathering *gathering, const struct results *results)
{
    return results->options.cold == gathering->question.cold &&
           product_same(results->options.product, gathering->question.product);
}

static enum status gather(const struct gathering *gathering, struct advices *advices)
{
    const struct matrix_case *of = gathering->of;
    const struct foresight *foresight =
        case_foresight(of, gathering->question.precision, gathering->question.product);
    const bool here = case_has_entries(of); /* without entries, nothing can run here */
    enum status status = STATUS_OK;
    for (int forecast = 0; forecast < 2 && status == STATUS_OK; forecast++) {
        if (goes_with(gathering, &of->results))
            status = add_all(gathering, advices, &of->results, forecast, false);
        for (int k = of->runs.count - 1; k >= 0 && status == STATUS_OK; k--) {
            const struct run *run = of->runs.items[k];
            if (goes_with(gathering, &run->results))
                status = add_all(gathering, advices, &run->results, forecast, run->saved && here);
        }
    }
    if (!gathering->question.early && !foresight_complete(foresight)) return status;
    for (int k = 0; k < foresight_count(foresight) && status == STATUS_OK; k++)
        status = add_all(gathering, advices, &foresight->groups[k], true, false);
    return status;
}

/* Find the best candidate for a number of products, and the candidates tied with it, sorted by time. */
static void choose(struct advice *advice, struct advice_at *at)
{
    int count = 0;
    for (int k = 1; k < advice->compared; k++)
        if (advice_seconds(&advice->candidates[k], at->products) <
            advice_seconds(&advice->candidates[at->best], at->products))
            at->best = k;
    if (advice->candidates[0].csr &&
        advice_prefers(&advice->candidates[0], &advice->candidates[at->best], at->products))
        at->best = 0;
    const struct advice_candidate *best = &advice->candidates[at->best];
    at->seconds = advice_seconds(best, at->products);
    for (int k = 0; k < advice->compared; k++) {
        if (k == at->best || !advice_tied(&advice->candidates[k], best, at->products)) continue;
        int place = count++;
        for (; place > 0 && advice_seconds(&advice->candidates[at->tied[place - 1]], at->products) >
                                advice_seconds(&advice->candidates[k], at->products);
             place--)
            at->tied[place] = at->tied[place - 1];
        at->tied[place] = k;
    }
    at->ties = count;
}

/* Among candidates, put the fastest one that reads CSR directly first if it is preferred to the fastest: it
 * needs no conversion. */
static void put_csr_first(struct advice *advice)
{
    int csr = 0;
    while (csr < advice->compared && !advice->candidates[csr].csr)
        csr++;
    if (csr == 0 || csr == advice->compared) return;
    struct advice_candidate fastest = advice->candidates[0], taken = advice->candidates[csr];
    fastest.setup = taken.setup = 0;
    if (!advice_prefers(&taken, &fastest, 1)) return;
    struct advice_candidate first = advice->candidates[csr];
    memmove(advice->candidates + 1, advice->candidates, (size_t)csr * sizeof first);
    advice->candidates[0] = first;
}

static void weigh_against_csr(struct advice *advice)
{
    advice->csr = -1;
    for (int k = advice->compared - 1; k >= 0; k--)
        if (advice->candidates[k].csr) advice->csr = k;
    for (int k = 0; k < advice->count; k++) {
        struct advice_candidate *candidate = &advice->candidates[k];
        const struct advice_candidate *csr = &advice->candidates[advice->csr < 0 ? k : advice->csr];
        candidate->break_even =
            advice->csr < 0 || k >= advice->compared ? -1 : advice_break_even(candidate, csr);
        candidate->break_even_low = candidate->break_even_high = candidate->break_even;
        if (candidate != csr && k < advice->compared)
            advice_break_even_ends(candidate, csr, &candidate->break_even_low, &candidate->break_even_high);
    }
}

/* Return the number of products from which on the fastest candidate is the best. */
static int64_t best_from(const struct advice *advice)
{
    int64_t from = 1;
    for (int k = 1; k < advice->compared; k++) {
        int64_t even = advice_break_even(&advice->candidates[0], &advice->candidates[k]);
        if (even > from) from = even;
    }
    return from;
}

static int fastest_measured(const struct advice *advice)
{
    int fastest = -1;
    for (int k = 0; k < advice->count; k++)
        if (advice->candidates[k].timed > 0 &&
            (fastest < 0 || advice->candidates[k].timed < advice->candidates[fastest].timed))
            fastest = k;
    return fastest;
}

/* Write the number of ranks, and of their threads unless all kernels ran on GPUs. */
static void name_ranks(const struct advice *advice, char *name, size_t size)
{
    const int ranks = advice->candidates[0].result->ranked.ranks;
    int threads = 0;
    for (int k = 0; k < advice->compared; k++)
        if (advice->candidates[k].result->resolved.threads > threads)
            threads = advice->candidates[k].result->resolved.threads;
    const int used = snprintf(name, size, "%d rank%s", ranks, ranks == 1 ? "" : "s");
    if (threads > 0)
        snprintf(name + used, size - (size_t)used, " with %d thread%s%s", threads, threads == 1 ? "" : "s",
                 ranks == 1 ? "" : " each");
}

static enum status conclude(const struct gathering *gathering, enum advice_place place,
                            enum advice_basis basis, struct advice *advice)
{
    if (advice->count > 0) advice_compare_by(advice, basis);
    advice->there = advice->compared > 0;
    if (!advice->there) return STATUS_OK;
    advice->place = place;
    advice->precision = gathering->question.precision;
    advice->order = gathering->of->order;
    advice->cold = gathering->question.cold;
    advice->foresight =
        case_foresight(gathering->of, gathering->question.precision, gathering->question.product);
    put_csr_first(advice);
    advice->fastest = fastest_measured(advice);
    bool estimated = place == ADVICE_GPU && gathering->gpu;
    char label[GPU_LABEL];
    snprintf(advice->machine, sizeof advice->machine, "%s",
             place == ADVICE_CPU ? (case_foreseeable(gathering->of) ? "this processor" : "that processor")
             : estimated         ? gpu_label(gathering->gpu, label)
                                 : device_name(advice->candidates[0].results, advice->candidates[0].result));
    if (place == ADVICE_RANKS) name_ranks(advice, advice->machine, sizeof advice->machine);
    advice->ties =
        memory_array((size_t)advice->count, ADVICE_COUNTS * sizeof *advice->ties, gathering->error);
    if (!advice->ties) return STATUS_MEMORY;
    weigh_against_csr(advice);
    advice->from = best_from(advice);
    int64_t products = 1;
    for (int k = 0; k < ADVICE_COUNTS; k++, products *= 10) {
        advice->at[k] = (struct advice_at){.products = products, .tied = advice->ties + k * advice->count};
        choose(advice, &advice->at[k]);
    }
    return STATUS_OK;
}

enum status advice_of(const struct session *session, const struct matrix_case *of,
                      struct advice_question question, enum advice_basis basis, struct advices *advices,
                      struct error *error)
{
    bool known = atomic_load_explicit(&session->ready, memory_order_acquire) & SESSION_GPU;
    const struct gathering gathering = {
        .of = of, .question = question, .gpu = known ? &session->gpu : NULL, .error = error};
    *advices = (struct advices){0};
    /* Without entries all kernels are equal. */
    enum status status = case_nnz(of) > 0 ? gather(&gathering, advices) : STATUS_OK;
    for (int place = 0; place < ADVICE_PLACES && status == STATUS_OK; place++)
        status = conclude(&gathering, (enum advice_place)place, basis, &advices->items[place]);
    if (status != STATUS_OK) advices_free(advices);
    return status;
}

enum status advice_left_out(const struct session *session, const struct matrix_case *of,
                            const struct foresight *foresight, int *group, int *number, struct error *error)
{
    const struct advice_question question = {.precision = foresight->precision,
                                             .product = foresight->product,
                                             .cold = of->results.options.cold,
                                             .early = true};
    struct advices advices;
    double fastest = INFINITY;
    enum status status = advice_of(session, of, question, ADVICE_BY_EITHER, &advices, error);
    *group = *number = -1;
    if (status != STATUS_OK) return status;
    for (int g = 0; g < foresight_count(foresight); g++)
        for (int k = 0; k < foresight->groups[g].count; k++) {
            const struct result *result = &foresight->groups[g].items[k];
            if (!(result->least > 0) || result->least >= fastest) continue;
            const struct advice_candidate candidate =
                advice_candidate_of(session, of, question, &foresight->groups[g], result);
            if (!question.cold && advice_settled(&advices.items[ADVICE_GPU], of, &candidate, result->least))
                continue;
            fastest = result->least;
            *group = g;
            *number = k;
        }
    advices_free(&advices);
    return STATUS_OK;
}

enum status session_advise(const struct session *session, const struct matrix_case *matrix_case,
                           struct advice_question question, struct advices *advices, struct error *error)
{
    enum status status = advice_of(session, matrix_case, question, ADVICE_BY_EITHER, advices, error);
    const bool all = foresight_complete(case_foresight(matrix_case, question.precision, question.product));
    const bool compared = all || !question.early;
    question.early = false; /* the best of some kernels in one order is not comparable with the best of all
                               kernels in another */
    if (status == STATUS_OK && compared)
        status = advice_compare_cases(session, matrix_case, question, advices, error);
    for (int place = 0; place < ADVICE_PLACES && status == STATUS_OK; place++) {
        if (!advices->items[place].there) continue;
        advice_find_library(&advices->items[place], question.product);
        advice_say(&advices->items[place], question.product, matrix_case);
    }
    if (status != STATUS_OK) advices_free(advices);
    return status;
}

void advices_free(struct advices *advices)
{
    for (int place = 0; place < ADVICE_PLACES; place++) {
        free(advices->items[place].candidates);
        free(advices->items[place].ties);
    }
    *advices = (struct advices){0};
}
