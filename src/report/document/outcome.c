/* The notes to a table of kernels. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "report/document/build.h"

static bool of_precision(const struct result *result, enum precision precision, bool timed)
{
    return result->choice.format.precision == precision && result_timed(result) == timed;
}

/* Name the kernels whose A x differs from b, or say that all agree. If no kernel agrees, x and b do not
 * belong together, and one note says so. */
static void add_verdicts(struct document *document, const struct results *results, enum precision precision)
{
    static const char residual[] = "max abs(A x - b) / max abs(b)";
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
    if (wrong == 0)
        document_note(document, MARK_NONE, "A x is b: %s is %.3g, at most %g", residual, largest,
                      RESULTS_AGREE);
    else if (wrong == held)
        document_note(document, MARK_BAD, "A x is not b: %s is %.3g%s, more than %g", residual, min,
                      held > 1 ? " or more by every kernel" : "", RESULTS_AGREE);
    for (int k = 0; wrong < held && k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true) || result->residual <= RESULTS_AGREE) continue;
        document_note(document, MARK_BAD, "%s: A x is not b: %s is %.3g, more than %g", result->name,
                      residual, result->residual, RESULTS_AGREE);
    }
}

/* True if the same kernel was requested in this precision with another number of threads. */
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

static bool same_reason(const struct result *a, const struct result *b)
{
    return of_precision(b, a->choice.format.precision, false) &&
           strcmp(a->error.message, b->error.message) == 0;
}

static bool same_partition(const struct result *a, const struct result *b)
{
    return strcmp(a->ranked.partition, b->ranked.partition) == 0;
}

/* True if ranks ran kernels by several partitions, which then belong to the names of the kernels. */
static bool has_partitions(const struct results *results)
{
    for (int k = 1; k < results->count; k++)
        if (!same_partition(&results->items[k], &results->items[0])) return true;
    return false;
}

/* The reason of result `first`, once for all results with the same reason: "cpu/coo-seq, cpu/csr-omp (threads
 * 1, 2): it is too large". */
static void add_reason(struct document *document, const struct results *results, int first)
{
    struct text names = {0};
    const struct result *result = &results->items[first], *last = NULL;
    const bool named = has_partitions(results);
    bool open = false;
    for (int k = first; k < results->count; k++) {
        const struct result *other = &results->items[k];
        if (!same_reason(result, other)) continue;
        bool again =
            last && same_partition(last, other) && kernel_choice_alike(&last->resolved, &other->resolved);
        if (!again)
            text_append(&names, "%s%s%s%s%s", open ? ")" : "", last ? ", " : "", other->name,
                        named ? " by " : "", named ? other->ranked.partition : "");
        open = is_swept(results, other);
        if (open) text_append(&names, "%s%d", again ? ", " : " (threads ", other->resolved.threads);
        last = other;
    }
    document->failed = document->failed || names.failed;
    if (!names.failed)
        document_note(document, MARK_BAD, "%s%s: %s", names.data, open ? ")" : "", result->error.message);
    text_free(&names);
}

/* True if an earlier result of the precision has the same reason. */
static bool is_said(const struct results *results, int k)
{
    for (int earlier = 0; earlier < k; earlier++)
        if (same_reason(&results->items[k], &results->items[earlier])) return true;
    return false;
}

/* Name products that use the host. */
static void add_transfers(struct document *document, const struct results *results, enum precision precision)
{
    char time[32];
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true) || !(result->transfer_seconds > 0)) continue;
        document_note(document, MARK_NONE, "%s: %s of each product copy y to the host and back", result->name,
                      format_seconds(time, sizeof time, result->transfer_seconds));
    }
}

void document_outcome(struct document *document, const struct results *results, enum precision precision)
{
    bool cached = false, tied = false;
    for (int k = 0; k < results->count; k++) {
        const struct result *result = &results->items[k];
        if (!of_precision(result, precision, true)) continue;
        cached = cached || result->cached;
        tied = tied || results_tied(results, result);
    }
    if (tied) document_note(document, MARK_TIE, "a tie: the intervals overlap");
    if (cached) document_note(document, MARK_CACHED, "fits in the cache: memory does not limit it");
    add_transfers(document, results, precision);
    for (int k = 0; k < results->count; k++)
        if (of_precision(&results->items[k], precision, false) && !is_said(results, k))
            add_reason(document, results, k);
    if (results->held) add_verdicts(document, results, precision);
}
