/* The kernels of a matrix for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/parts.h"
#include "report/table.h"

/* The bandwidth of a machine that does nothing else stays within this of its best. */
#define DRIFT 0.75

/* What the memory of the processor or a GPU can do. */
static void say_machine(struct text *text, const struct machine *machine, append_note *note)
{
    char words[320], by[64], cache[32], read[32], copy[32];
    bool gpu = machine->name[0] != 0;
    if (machine->read <= 0) return;
    snprintf(by, sizeof by, " by %d thread%s", machine->threads, machine->threads > 1 ? "s" : "");
    snprintf(words, sizeof words, "%s: read %s, copy %s%s; %s %s", gpu ? machine->name : "memory",
             format_bandwidth(read, sizeof read, machine->read),
             format_bandwidth(copy, sizeof copy, machine->copy), gpu ? "" : by, gpu ? "L2" : "cache",
             format_bytes(cache, sizeof cache, (double)machine->cache));
    note(text, ' ', words);
    if (!gpu && machine_narrow(machine)) {
        snprintf(words, sizeof words, "measured within %s, which the limit left: it may be a cache's figure",
                 format_bytes(cache, sizeof cache, (double)machine->share * machine->threads));
        note(text, '!', words);
    }
    if (machine->read_low >= DRIFT * machine->read) return;
    snprintf(words, sizeof words, "reading fell to %s in between: something else was running",
             format_bandwidth(read, sizeof read, machine->read_low));
    note(text, '!', words);
}

void say_timing(struct text *text, const struct session *session, append_note *note)
{
    static const char *const times[] = {
        [PROTOCOL_MEDIAN] = "the median of the samples, +- half its 95% interval",
        [PROTOCOL_CRANFIELD] = "the mean of all samples but the first, +- their standard deviation",
        [PROTOCOL_CMRS] = "the mean of all samples but the slowest, +- their standard deviation"};
    const struct results *results = &session->shown->results;
    const struct bench_options *options = &results->options;
    char words[256];
    snprintf(words, sizeof words, "%s%s: %s", options->product.accumulate ? "y += A x" : "y = A x",
             options->cold ? ", the caches flushed before each sample" : "", times[options->protocol]);
    note(text, ' ', words);
    say_machine(text, &results->machines.host, note);
    for (int k = 0; k < results->machines.devices; k++)
        say_machine(text, &results->machines.device[k], note);
}

static bool of_precision(const struct result *result, enum precision precision, bool timed)
{
    return result->choice.format.precision == precision && result_timed(result) == timed;
}

/* What does not agree with b, or that all does. Where nothing does, x and b do not belong together: that is
 * said once. */
static void say_verdicts(struct text *text, const struct results *results, enum precision precision,
                         append_note *note)
{
    static const char residual[] = "max abs(A x - b) / max abs(b)";
    char words[sizeof results->items->name + 160];
    double largest = 0, min = INFINITY;
    int held = 0, wrong = 0;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true)) continue;
        held++;
        wrong += !(result->residual <= RESULTS_AGREE);
        largest = fmax(largest, result->residual);
        min = fmin(min, result->residual);
    }
    if (held == 0) return;
    if (wrong == 0) {
        snprintf(words, sizeof words, "A x is b: %s is %.3g, at most %g", residual, largest, RESULTS_AGREE);
        note(text, ' ', words);
    } else if (wrong == held) {
        snprintf(words, sizeof words, "A x is not b: %s is %.3g%s, more than %g", residual, min,
                 held > 1 ? " or more by every kernel" : "", RESULTS_AGREE);
        note(text, '!', words);
    }
    for (int k = 0; wrong < held && k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true) || result->residual <= RESULTS_AGREE) continue;
        snprintf(words, sizeof words, "%s: A x is not b: %s is %.3g, more than %g", result->name, residual,
                 result->residual, RESULTS_AGREE);
        note(text, '!', words);
    }
}

/* True if the same kernel was asked for in this precision with another number of threads. */
static bool is_swept(const struct results *results, const struct result *result)
{
    for (int k = 0; k < results->count; k++) {
        const struct result *other = &results->items[k];
        if (other->resolved.threads != result->resolved.threads &&
            kernel_choice_alike(&other->resolved, &result->resolved))
            return true;
    }
    return false;
}

/* The reason of result `first`, once for all that have the same: "cpu/coo-seq, cpu/csr-omp (threads 1, 2): it
 * is too large". */
static void say_reason(struct text *text, const struct results *results, int first, append_note *note)
{
    struct text words = {0};
    const struct result *result = &results->items[first];
    const struct result *last = NULL;
    bool open = false;
    for (int k = first; k < results->count; k++) {
        const struct result *other = &results->items[k];
        if (!of_precision(other, result->choice.format.precision, false) ||
            strcmp(other->error.message, result->error.message) != 0)
            continue;
        bool again = last && kernel_choice_alike(&last->resolved, &other->resolved);
        if (!again) text_append(&words, "%s%s%s", open ? ")" : "", last ? ", " : "", other->name);
        open = is_swept(results, other);
        if (open) text_append(&words, "%s%d", again ? ", " : " (threads ", other->resolved.threads);
        last = other;
    }
    text_append(&words, "%s: %s", open ? ")" : "", result->error.message);
    text->failed = text->failed || words.failed;
    if (!words.failed) note(text, '!', words.data);
    text_free(&words);
}

/* True if an earlier result of the precision has the same reason. */
static bool is_said(const struct results *results, int k)
{
    const struct result *result = &results->items[k];
    for (int earlier = 0; earlier < k; earlier++)
        if (of_precision(&results->items[earlier], result->choice.format.precision, false) &&
            strcmp(results->items[earlier].error.message, result->error.message) == 0)
            return true;
    return false;
}

/* Products that go by way of the host. */
static void say_transfers(struct text *text, const struct results *results, enum precision precision,
                          append_note *note)
{
    char words[sizeof results->items->name + 80], time[32];
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true) || !(result->transfer_seconds > 0)) continue;
        snprintf(words, sizeof words, "%s: %s of each product take y to the host and back", result->name,
                 format_seconds(time, sizeof time, result->transfer_seconds));
        note(text, ' ', words);
    }
}

void say_outcome(struct text *text, const struct session *session, enum precision precision,
                 append_note *note)
{
    const struct results *results = &session->shown->results;
    bool cached = false, tied = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true)) continue;
        cached = cached || result->cached;
        tied = tied || results_tied(results, result);
    }
    if (tied) note(text, '=', "a tie: which of these is fastest cannot be told");
    if (cached) note(text, '*', "fits in the cache: memory does not limit it");
    say_transfers(text, results, precision, note);
    for (int k = 0; k < results->count; k++)
        if (of_precision(&results->items[k], precision, false) && !is_said(results, k))
            say_reason(text, results, k, note);
    if (results->held) say_verdicts(text, results, precision, note);
}

static void append_plain(struct text *text, char mark, const char *words)
{
    text_append(text, "%c ", mark);
    append_wrapped(text, words, 2, 4);
}

static void append_precision(struct text *text, const struct session *session, enum precision precision)
{
    char title[32];
    struct rows rows;
    bool asked = false;
    for (int k = 0; k < session->shown->results.count; k++)
        asked = asked || session->shown->results.items[k].choice.format.precision == precision;
    if (!asked) return;
    if (rows_of_kernels(session, precision, &rows) != STATUS_OK) text->failed = true;
    snprintf(title, sizeof title, "Kernels, %s", precision_name(precision));
    text_append(text, "\n");
    if (rows.count > 0)
        append_rows(text, title, &rows);
    else
        text_append(text, "%s\n", title);
    say_outcome(text, session, precision, append_plain);
    rows_free(&rows);
}

/* What was not counted in full: the least that was, and how far off sectors may be. */
static void say_sample(struct text *text, const struct rows *rows, append_note *note)
{
    double share = 1, error = 0;
    char words[160];
    for (int k = 0; k < rows->count; k++) {
        const struct subject *subject = &rows->items[k].subject;
        const struct estimate *estimate = results_estimate_of(subject->results, subject->result);
        share = fmin(share, estimate->sampled);
        if (!(estimate->error <= error)) error = estimate->error; /* NaN too, and there it stays */
        if (isnan(error)) break;
    }
    if (share >= 1) return;
    if (isnan(error))
        snprintf(words, sizeof words,
                 "counted from a sample of %.3g%% of the warps or more: too few to tell how far off it is",
                 100 * share);
    else
        snprintf(words, sizeof words,
                 "counted from a sample of %.3g%% of the warps or more: the 95%% interval of all sectors is "
                 "+- %.2g%% at most",
                 100 * share, 100 * error);
    note(text, ' ', words);
}

static void say_estimates(struct text *text, const struct session *session, const struct rows *rows,
                          append_note *note)
{
    const struct row *row = &rows->items[0];
    const struct estimate *estimate = results_estimate_of(&session->shown->results, row->subject.result);
    char words[640];
    snprintf(
        words, sizeof words,
        "what the kernels' warps ask of memory, replayed on paper for %s, the fewest sectors of all accesses "
        "first: the 32-byte sectors that loads touch, in all and a load of a warp; of values, columns, x "
        "and of all accesses together, the bytes asked for / the bytes of the %s touched, above 1 where "
        "lanes ask for the same; active lanes of loads, of 32; warps that a multiprocessor holds, of the "
        "most",
        session->gpu.title[0] ? session->gpu.title : estimate->gpu,
        estimate->granule == 32 ? "sectors" : "128-byte lines");
    note(text, ' ', words);
    say_sample(text, rows, note);
}

void part_title(const struct column_part *part, enum precision precision, char *out, size_t size)
{
    snprintf(out, size, "%s, %s", part->title, precision_name(precision));
}

void say_part(struct text *text, const struct session *session, const struct rows *rows, append_note *note)
{
    if (rows->part == &part_estimate) {
        say_estimates(text, session, rows, note);
        return;
    }
    char words[512];
    const struct results *results = &session->shown->results;
    snprintf(
        words, sizeof words,
        "Koza et al., mu = %.4g: f, bytes moved for strips / bytes asked for, of which 1 is best; the "
        "most a to be gained over a warp a row, and ~a, its approximation in the paper, where memory is "
        "read 32, 128 or 256 bytes at a time; gain: T of csr-vector:threads=32 / T; GB/s by eq. 6.1, x as "
        "loaded; eta: bytes by eq. 6.1, x as loaded (-) and once (+), / T / copy bandwidth measured",
        (double)results->nnz / (double)results->rows);
    note(text, ' ', words);
}

static void append_part(struct text *text, const struct session *session, enum precision precision,
                        const struct column_part *part)
{
    char title[32];
    struct rows rows;
    if (rows_of_part(session, precision, part, &rows) != STATUS_OK) text->failed = true;
    if (rows.count > 0) {
        part_title(part, precision, title, sizeof title);
        text_append(text, "\n");
        append_rows(text, title, &rows);
        say_part(text, session, &rows, append_plain);
    }
    rows_free(&rows);
}

void append_kernels(struct text *text, const struct session *session)
{
    if (session->shown->results.count == 0) return;
    text_append(text, "\nTiming\n");
    say_timing(text, session, append_plain);
    for (int p = 0; p < 2; p++) {
        enum precision precision = p ? PRECISION_F32 : PRECISION_F64;
        append_precision(text, session, precision);
        append_part(text, session, precision, &part_estimate);
        append_part(text, session, precision, &part_cmrs);
    }
}
