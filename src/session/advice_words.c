/* The verdict and what would change it. */
#include "session/advice_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "session/advice_parts.h"
#include "session/session.h"

/* What would save memory of fewer bytes is not told. */
#define MEMORY_TOLD 64e6

#define TIES_SAID 2

void advice_append(struct words *words, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(words->out + words->length, words->size - words->length, format, list);
    va_end(list);
    if (length > 0) words->length += (size_t)length;
    if (words->length >= words->size) words->length = words->size - 1;
}

const char *advice_named(const struct advice_candidate *candidate, char out[static 192])
{
    int threads = candidate->result->resolved.threads;
    if (candidate->result->choice.kernel->sequential || threads == 0)
        snprintf(out, 192, "%s", candidate->result->name);
    else
        snprintf(out, 192, "%s with %d thread%s", candidate->result->name, threads, threads == 1 ? "" : "s");
    return out;
}

/* CSR is named first of what the best one is tied with, since it need not be converted to. */
static void say_ties(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    int ties = 0, said = 0;
    for (int k = 1; k < advice->count; k++)
        ties += advice_tied_alone(best, &advice->candidates[k]);
    for (int csr = 1; csr >= 0; csr--)
        for (int k = 1; k < advice->count && said < TIES_SAID; k++) {
            const struct advice_candidate *tied = &advice->candidates[k];
            if (!advice_tied_alone(best, tied) || (k == advice->csr) != csr) continue;
            advice_append(words, "%s%s",
                          said == 0           ? ". It is tied with "
                          : ties == TIES_SAID ? " and "
                                              : ", ",
                          tied->result->name);
            said++;
        }
    if (ties > said) advice_append(words, " and %d more", ties - said);
}

/* True if it is the same throughout, or first CSR and then the fastest, which say_csr tells exactly. */
static bool is_told(const struct advice *advice)
{
    int changes = 0;
    for (int k = 1; k < ADVICE_COUNTS; k++)
        changes += advice->at[k].best != advice->at[k - 1].best;
    return changes == 0 ||
           (changes == 1 && advice->at[0].best == advice->csr && advice->at[ADVICE_COUNTS - 1].best == 0);
}

/* Which one is best for how many products. */
static void say_counts(struct words *words, const struct advice *advice)
{
    char first[32], last[32], name[192];
    if (is_told(advice)) return;
    advice_append(words, " With conversion%s counted,", advice->place == ADVICE_CPU ? "" : " and upload");
    for (int k = 0, next; k < ADVICE_COUNTS; k = next) {
        for (next = k + 1; next < ADVICE_COUNTS && advice->at[next].best == advice->at[k].best;)
            next++;
        format_count(first, sizeof first, advice->at[k].products);
        format_count(last, sizeof last, advice->at[next - 1].products);
        advice_append(words, "%s %s %s%s%s",
                      k == 0                  ? ""
                      : next == ADVICE_COUNTS ? " and"
                                              : ",",
                      advice_named(&advice->candidates[advice->at[k].best], name),
                      k == 0 ? "is best for " : "for ", first, next == ADVICE_COUNTS ? " and more" : "");
        if (next < ADVICE_COUNTS && next > k + 1) advice_append(words, " to %s", last);
        if (k == 0) advice_append(words, " product%s", next == 1 ? "" : "s");
    }
    advice_append(words, ".");
}

/* The product is named if it is another than y = A x. */
static void say_verdict(struct advice *advice, struct product product)
{
    struct words words = {advice->verdict, sizeof advice->verdict, 0};
    const struct advice_candidate *best = &advice->candidates[0];
    bool other = !product_same(product, (struct product){.columns = 1});
    char name[192], seconds[32], bytes[32], text[PRODUCT_TEXT], ends[80];
    advice_append(&words, "On %s%s,%s%s%s take %s: %s a product (%s%s%s",
                  advice->place == ADVICE_CPU ? "" : "the ", advice->machine, other ? " for " : "",
                  other ? product_write(product, text) : "", other ? "," : "", advice_named(best, name),
                  format_seconds(seconds, sizeof seconds, best->seconds),
                  best->measured ? "measured" : "forecast", best->like ? " from " : "",
                  best->like ? best->prediction->like : "");
    if (!best->measured)
        advice_append(&words, "; %.0f%% interval %s", 100 * PREDICTION_SHARE,
                      format_interval(ends, sizeof ends, best->low, best->high));
    advice_append(&words, "), %s of memory", format_bytes(bytes, sizeof bytes, best->memory));
    say_ties(&words, advice);
    advice_append(&words, ".");
    say_counts(&words, advice);
}

/* The interval of the break-even of the best, unless both times were measured: " (80% interval: 340 to
 * 1,020)". */
static void say_ends(struct words *words, const struct advice_candidate *best,
                     const struct advice_candidate *csr)
{
    char low[32], high[32];
    if (best->measured && csr->measured) return;
    format_count(low, sizeof low, best->break_even_low);
    format_count(high, sizeof high, best->break_even_high);
    advice_append(words, " (%.0f%% interval: %s%s%s)", 100 * PREDICTION_SHARE, low,
                  best->break_even_high < 0 ? " or more" : " to ", best->break_even_high < 0 ? "" : high);
}

static void say_csr(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    char count[32], name[192], setup[32];
    if (best->csr && advice->count > 1 && !advice->candidates[1].csr &&
        advice->candidates[1].seconds < best->seconds) {
        const struct advice_candidate *faster = &advice->candidates[1];
        advice_append(
            words,
            "%s is faster by less than can be told, and has to be converted to first, which takes %s%s.",
            faster->result->name, format_seconds(setup, sizeof setup, faster->convert),
            faster->convert_measured ? "" : ", reckoned from the sizes");
        return;
    }
    if (best->csr || advice->csr < 0 || best->break_even <= 1) return;
    const struct advice_candidate *csr = &advice->candidates[advice->csr];
    advice_append(words, "For fewer than %s products", format_count(count, sizeof count, best->break_even));
    say_ends(words, best, csr);
    advice_append(words, " stay with CSR (%s): %s %s%s.", advice_named(csr, name),
                  best->convert_on_device       ? "uploading it and converting on the GPU take"
                  : advice->place == ADVICE_CPU ? "converting takes"
                                                : "converting and uploading take",
                  format_seconds(setup, sizeof setup, best->setup),
                  best->convert_measured ? "" : ", reckoned from the sizes");
}

static void say_orders(struct words *words, const struct advice *advice)
{
    const struct advice_order *most = NULL;
    char count[32];
    for (int k = 0; k < advice->order_count; k++)
        if (!most || advice->orders[k].saved > most->saved) most = &advice->orders[k];
    if (!most) return;
    if (most->saved < TELLING - 1) {
        advice_append(
            words,
            "%sNone of the other orders that it was brought into makes a product faster by %.0f%% or more.",
            words->length ? " " : "", 100 * (TELLING - 1));
        return;
    }
    advice_append(words, "%sThe order %s would save %.0f%% of a product's time (%s%s)",
                  words->length ? " " : "", most->name, 100 * most->saved, most->kernel,
                  most->measured ? "" : ", forecast");
    if (most->break_even > 1)
        advice_append(words, ", from %s products on if x and y stay in it",
                      format_count(count, sizeof count, most->break_even));
    advice_append(words, ".");
}

static void say_precision(struct words *words, const struct advice *advice)
{
    char seconds[32];
    double share = advice->other_precision / advice->candidates[0].seconds;
    if (!(share > 0)) return;
    advice_append(words, "%sIn %s precision a product would take %s, %.2g of that time.",
                  words->length ? " " : "", advice->precision == PRECISION_F64 ? "single" : "double",
                  format_seconds(seconds, sizeof seconds, advice->other_precision), share);
}

/* The smallest storage among those that take hardly longer. */
static void say_memory(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0], *small = best;
    for (int k = 1; k < advice->count && advice->candidates[k].seconds < 1.5 * best->seconds; k++)
        if (advice->candidates[k].memory < small->memory) small = &advice->candidates[k];
    if (best->memory < MEMORY_TOLD || small->memory > 0.9 * best->memory) return;
    advice_append(words, "%sIf memory is short, %s needs %.0f%% less and takes %.3g times as long.",
                  words->length ? " " : "", small->result->name, 100 * (1 - small->memory / best->memory),
                  small->seconds / best->seconds);
}

void advice_say(struct advice *advice, const struct matrix_case *matrix_case)
{
    struct words words = {advice->change, sizeof advice->change, 0};
    say_verdict(advice, matrix_case->results.options.product);
    advice_say_reason(advice, matrix_case);
    say_csr(&words, advice);
    say_orders(&words, advice);
    say_precision(&words, advice);
    say_memory(&words, advice);
}
