/* The kernels of a matrix for people. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "report/parts.h"
#include "report/table.h"

/* The bandwidth of a machine that does nothing else stays within this of its best. */
#define DRIFT 0.75

void say_timing(struct text *text, const struct session *session, append_note *note)
{
    static const char *const times[] = {[PROTOCOL_MEDIAN] =
                                            "the median of the samples, +- half its 95% interval",
                                        [PROTOCOL_CRANFIELD] = "the mean of all samples but the first",
                                        [PROTOCOL_CMRS] = "the mean of all samples but the slowest"};
    const struct results *results = &session->results;
    const struct bench_options *options = &results->options;
    const struct machine *machine = &results->machine;
    char words[256], cache[32];
    snprintf(words, sizeof words, "%s%s: %s", options->accumulate ? "y += A x" : "y = A x",
             options->cold ? ", the caches flushed before each sample" : "", times[options->protocol]);
    note(text, ' ', words);
    if (machine->read <= 0) return;
    snprintf(words, sizeof words, "memory: read %.3g GB/s, copy %.3g GB/s by %d thread%s; cache %s",
             machine->read * 1e-9, machine->copy * 1e-9, machine->threads, machine->threads > 1 ? "s" : "",
             format_bytes(cache, sizeof cache, (double)machine->cache));
    note(text, ' ', words);
    if (machine->read_low >= DRIFT * machine->read) return;
    snprintf(words, sizeof words, "reading fell to %.3g GB/s in between: something else was running",
             machine->read_low * 1e-9);
    note(text, '!', words);
}

/* What does not agree with b, or that all does. */
static void say_verdicts(struct text *text, const struct results *results, enum precision precision,
                         append_note *note)
{
    char words[sizeof results->items->name + 160];
    double largest = 0;
    int held = 0, wrong = 0;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result->precision != precision || !result_timed(result)) continue;
        held++;
        largest = fmax(largest, result->residual);
        if (result->residual <= RESULTS_AGREE) continue;
        wrong++;
        snprintf(words, sizeof words, "%s: A x is not b: max abs(A x - b) / max abs(b) is %.3g, more than %g",
                 result->name, result->residual, RESULTS_AGREE);
        note(text, '!', words);
    }
    if (held == 0 || wrong > 0) return;
    snprintf(words, sizeof words, "A x is b: max abs(A x - b) / max abs(b) is %.3g, at most %g", largest,
             RESULTS_AGREE);
    note(text, ' ', words);
}

void say_outcome(struct text *text, const struct session *session, enum precision precision,
                 append_note *note)
{
    const struct results *results = &session->results;
    bool cached = false, tied = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (result->precision != precision || !result_timed(result)) continue;
        cached = cached || result->cached;
        tied = tied || results_tied(results, result);
    }
    if (tied) note(text, '=', "a tie: which of these is fastest cannot be told");
    if (cached) note(text, '*', "fits in the cache: memory does not limit it");
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        char words[sizeof result->name + sizeof result->error.message + 8];
        if (result->precision != precision || result_timed(result)) continue;
        snprintf(words, sizeof words, "%s: %s", result->name, result->error.message);
        note(text, '!', words);
    }
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
    for (int k = 0; k < session->results.count; k++)
        asked = asked || session->results.items[k].precision == precision;
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

void append_kernels(struct text *text, const struct session *session)
{
    if (session->results.count == 0) return;
    text_append(text, "\nTiming\n");
    say_timing(text, session, append_plain);
    append_precision(text, session, PRECISION_F64);
    append_precision(text, session, PRECISION_F32);
}
