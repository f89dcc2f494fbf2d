/* The kernels of a matrix in a document. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/placement.h"
#include "base/text.h"
#include "report/document/build.h"
#include "report/document/rows.h"

/* The bandwidth of an idle machine stays within this ratio of its best. */
#define DRIFT 0.75

/* The processors, and the placement of their threads. */
static void add_topology(struct document *document, const struct topology *topology)
{
    struct text text = {0};
    if (topology->source[0]) {
        topology_write(topology, &text);
        text_append(&text, topology->caches ? "; " : "");
        topology_write_caches(topology, &text);
    } else {
        text_append(&text, "%d (built without hwloc, which tells their cores and caches)", topology->units);
    }
    if (text.failed)
        document->failed = true;
    else
        document_note(document, MARK_NONE, "processors: %s; threads %s", text.data,
                      placement_words(placement_rule()));
    text_free(&text);
}

/* The bandwidths of the processor or a GPU. */
static void add_machine(struct document *document, const struct machine *machine)
{
    char cache[32], read[32], copy[32];
    bool gpu = machine->name[0] != 0;
    if (machine->read <= 0) return;
    format_bandwidth(read, sizeof read, machine->read);
    format_bandwidth(copy, sizeof copy, machine->copy);
    format_bytes(cache, sizeof cache, (double)machine->cache);
    if (gpu)
        document_note(document, MARK_NONE, "%s: read %s, copy %s; L2 %s", machine->name, read, copy, cache);
    else
        document_note(document, MARK_NONE, "memory: read %s, copy %s by %d thread%s; cache %s (measured)",
                      read, copy, machine->threads, machine->threads > 1 ? "s" : "", cache);
    if (!gpu && !document->from) add_topology(document, topology_here());
    if (!gpu && !document->from && machine_narrow(machine))
        document_note(document, MARK_BAD,
                      "measured within %s because of the limit: this may be the bandwidth of a cache",
                      format_bytes(cache, sizeof cache, (double)machine->share * machine->threads));
    if (machine->read_low < DRIFT * machine->read)
        document_note(document, MARK_BAD, "reading fell to %s at times: another program was running",
                      format_bandwidth(read, sizeof read, machine->read_low));
}

static void add_timing(struct document *document, const struct results *results)
{
    static const char *const times[] = {
        [PROTOCOL_MEDIAN] = "the median of the samples, +- half its 95% interval",
        [PROTOCOL_CRANFIELD] = "the mean of all samples but the first, +- their standard deviation",
        [PROTOCOL_CMRS] = "the mean of all samples but the slowest, +- their standard deviation"};
    const struct bench_options *options = &results->options;
    document_section(document, "Timing");
    char product[PRODUCT_TEXT];
    document_note(document, MARK_NONE, "%s%s: %s", product_write(options->product, product),
                  options->cold ? ", the caches flushed before each sample" : "", times[options->protocol]);
    if (!product_plain(options->product))
        document_note(document, MARK_NONE,
                      "no estimates: GPU memory requests are replayed only for y = A x with one vector");
    add_machine(document, &results->machines.host);
    for (int k = 0; k < results->machines.devices; k++)
        add_machine(document, &results->machines.device[k]);
}

static bool is_asked(const struct results *results, enum precision precision)
{
    for (int k = 0; k < results->count; k++)
        if (results->items[k].choice.format.precision == precision) return true;
    return false;
}

static void add_runs(struct document *document, const struct results *results, enum precision precision)
{
    struct rows rows;
    if (rows_of_kernels(results, precision, &rows) != STATUS_OK) document->failed = true;
    document_section(document, "%s, %s", part_run.title, value_name(precision, results->items[0].complex));
    if (rows.count > 0) document_table(document, "kernel", &rows);
    document_outcome(document, results, precision);
    rows_free(&rows);
}

static const struct estimate *estimate_of(const struct row *row)
{
    return results_estimate_of(row->subject.results, row->subject.result);
}

/* Write the smallest share of warps that was replayed, and the largest possible error of the sectors. */
static void add_sample(struct document *document, const struct rows *rows)
{
    double share = 1, error = 0;
    for (int k = 0; k < rows->count; k++) {
        const struct estimate *estimate = estimate_of(&rows->items[k]);
        share = fmin(share, estimate->sampled);
        if (!(estimate->error <= error)) error = estimate->error; /* a NaN stays */
        if (isnan(error)) break;
    }
    if (share >= 1) return;
    if (isnan(error))
        document_note(document, MARK_NONE,
                      "counted from a sample of %.3g%% of the warps or more: too few to estimate the error",
                      100 * share);
    else
        document_note(
            document, MARK_NONE,
            "counted from a sample of %.3g%% of the warps or more: the 95%% interval of all sectors "
            "is +- %.2g%% at most",
            100 * share, 100 * error);
}

static void add_estimates(struct document *document, const struct session *session, const struct rows *rows)
{
    const struct estimate *estimate = estimate_of(&rows->items[0]);
    document_note(document, MARK_NONE,
                  "memory requests of the kernels' warps, estimated for %s, the fewest sectors of all "
                  "accesses first: 32-byte sectors of loads; bytes requested / bytes of the %s touched for "
                  "values, columns, x and all accesses, above 1 where lanes request the same bytes; active "
                  "lanes of loads, of 32; forecast from empty caches: sectors requested from L2 and bytes "
                  "from and to DRAM, the GPU's memory; resident warps of a multiprocessor / its maximum",
                  session->gpu.title[0] ? session->gpu.title : estimate->gpu,
                  estimate->granule == 32 ? "sectors" : "128-byte lines");
    add_sample(document, rows);
}

/* The machines that these rows' times are forecast for: "this processor and NVIDIA H200 SXM". */
static void name_machines(const struct session *session, const struct rows *rows, struct text *text)
{
    bool cpu = false, gpu = false;
    for (int k = 0; k < rows->count; k++) {
        const struct result *result = rows->items[k].subject.result;
        if (result->choice.kernel->backend->devices)
            gpu = true;
        else
            cpu = true;
    }
    if (cpu) text_append(text, "this processor");
    if (cpu && gpu) text_append(text, " and ");
    char label[GPU_LABEL];
    if (gpu) text_append(text, "%s", session->gpu.title[0] ? gpu_label(&session->gpu, label) : "a GPU");
}

/* Name the kernels that borrow the pace of another one until their own is fitted. */
static void add_borrowed(struct document *document, const struct rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        const struct result *result = rows->items[k].subject.result;
        const struct prediction *prediction = results_prediction_of(rows->items[k].subject.results, result);
        if (prediction && prediction->like[0] && kernel_borrows(result->choice.kernel))
            document_note(document, MARK_BAD, "%s: forecast from %s (constants derived)", result->name,
                          prediction->like);
    }
}

static void add_forecast(struct document *document, const struct session *session, const struct rows *rows)
{
    struct text machines = {0};
    name_machines(session, rows, &machines);
    if (machines.failed) document->failed = true;
    document_note(document, MARK_NONE,
                  "forecast time of a product for %s, the shortest first, with its %.0f%% interval and its "
                  "bound; then the time of each term alone: launches or waking threads, the longest warp, "
                  "and memory traffic; a library's kernel is forecast from one of our kernels",
                  machines.data ? machines.data : "", 100 * PREDICTION_SHARE);
    text_free(&machines);
    add_borrowed(document, rows);
}

static void add_model(struct document *document, const struct session *session, const struct rows *rows)
{
    const struct results *results = rows->items[0].subject.results;
    document_note(
        document, MARK_NONE,
        "Koza et al., mu = %.4g: f, bytes moved for strips / bytes requested (1 is best); a, the largest "
        "gain over a warp per row, and ~a, its approximation in the paper, for memory reads of 32, 128 or "
        "256 bytes; gain: T of csr-vector:threads=32 / T; GB/s by eq. 6.1, x as loaded; eta: bytes by eq. "
        "6.1, x as loaded (-) and once (+), / T / measured copy bandwidth",
        (double)results->nnz / (double)results->rows);
}

/* Name the parameters for which ranks have chosen different values. */
static void add_chosen_by_rank(struct document *document, const struct rows *rows)
{
    for (int k = 0; k < rows->count; k++) {
        const struct result *result = rows->items[k].subject.result;
        if (result->ranked.params[0])
            document_note(document, MARK_NONE, "%s: each rank chooses by its own rows: %s", result->name,
                          result->ranked.params);
    }
}

static void add_ranked(struct document *document, const struct session *session, const struct rows *rows)
{
    const struct ranked *ranked = &rows->items[0].subject.result->ranked;
    bool several = false;
    for (int k = 1; k < rows->count; k++)
        several = several || strcmp(rows->items[k].subject.result->ranked.partition, ranked->partition) != 0;
    document_note(
        document, MARK_NONE,
        "times of the slowest rank in a product, rows partitioned %s%s: computing, packing and starting the "
        "exchange, and waiting for others; imbalance is the longest computing time / the mean",
        several ? "as named" : "by ",
        several                ? ""
        : ranked->partition[0] ? ranked->partition
                               : "entries");
    add_chosen_by_rank(document, rows);
}

/* Add a separate table for a part of the columns, with an explanation. */
static void add_part(struct document *document, const struct session *session, const struct results *results,
                     enum precision precision, const struct column_part *part,
                     void (*explain)(struct document *, const struct session *, const struct rows *))
{
    struct rows rows;
    if (rows_of_part(results, precision, part, &rows) != STATUS_OK) document->failed = true;
    if (rows.count > 0) {
        document_section(document, "%s, %s", part->title, value_name(precision, results->items[0].complex));
        document_table(document, "kernel", &rows);
        explain(document, session, &rows);
    }
    rows_free(&rows);
}

/* A speedup of exactly 1 means that the best variant is the kernel as requested. */
static void add_best(struct document *document, const struct result *result)
{
    const struct tuned *tuned = &result->tuned;
    char gain[64] = "", search[96] = "", from[96];
    if (tuned->speedup == 1)
        snprintf(gain, sizeof gain, ", as the kernel chooses itself");
    else if (isfinite(tuned->speedup))
        snprintf(gain, sizeof gain, ", %.2f times as fast as untuned", tuned->speedup);
    if (tuned->search_runs > 0 && isfinite(tuned->search_loss))
        snprintf(search, sizeof search, "; a search that ran %d would have lost %.1f%%", tuned->search_runs,
                 100 * tuned->search_loss);
    if (tuned->runs == tuned->space)
        snprintf(from, sizeof from, "all %d variants", tuned->space);
    else
        snprintf(from, sizeof from, "%d of %d variants", tuned->runs, tuned->space);
    document_note(document, MARK_NONE, "%s: the fastest of %s%s%s%s", result->name, from,
                  tuned->forecast ? " by forecast, not measured" : "", gain, search);
}

/* The results of tuning: a line for each kernel. */
static void add_tuning(struct document *document, const struct results *results, enum precision precision)
{
    bool begun = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!result->tuned.best || result->choice.format.precision != precision) continue;
        if (!begun)
            document_section(document, "%s, %s", part_tuning.title,
                             value_name(precision, results->items[0].complex));
        begun = true;
        add_best(document, result);
    }
}

void document_kernels(struct document *document, const struct session *session,
                      const struct matrix_case *matrix_case)
{
    static const enum precision precisions[] = {PRECISION_F64, PRECISION_F32};
    const struct results *results = &matrix_case->results;
    if (results->count == 0) return;
    add_timing(document, results);
    for (int p = 0; p < 2; p++) {
        if (!is_asked(results, precisions[p])) continue;
        add_runs(document, results, precisions[p]);
        add_tuning(document, results, precisions[p]);
        document_energy(document, results, precisions[p]);
        add_part(document, session, results, precisions[p], &part_ranked, add_ranked);
        add_part(document, session, results, precisions[p], &part_predicted, add_forecast);
        add_part(document, session, results, precisions[p], &part_estimate, add_estimates);
        add_part(document, session, results, precisions[p], &part_cmrs, add_model);
    }
}
