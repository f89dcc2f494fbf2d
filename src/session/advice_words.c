/* The verdict, the changes that would improve it, and the kernels of libraries. */
#include "session/advice_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "session/advice_parts.h"
#include "session/session.h"

/* A smaller saving of memory, in bytes, is not mentioned. */
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

const char *advice_named(const struct advice_candidate *candidate, char out[static ADVICE_NAMED])
{
    const struct ranked *ranked = &candidate->result->ranked;
    int threads = candidate->result->resolved.threads;
    if (ranked->ranks > 0) /* the machine's name has the numbers of ranks and threads */
        snprintf(out, ADVICE_NAMED, "%s with partition %s", candidate->result->name,
                 advice_partition(ranked));
    else if (candidate->result->choice.kernel->sequential || threads == 0)
        snprintf(out, ADVICE_NAMED, "%s", candidate->result->name);
    else
        snprintf(out, ADVICE_NAMED, "%s with %d thread%s", candidate->result->name, threads,
                 threads == 1 ? "" : "s");
    return out;
}

const char *advice_partition(const struct ranked *ranked)
{
    return ranked->partition[0] ? ranked->partition : "entries"; /* older reports lack it */
}

char *advice_ratio_words(char *out, size_t size, double ratio)
{
    if (ratio < 999.5) {
        snprintf(out, size, "%.3g", ratio);
        return out;
    }
    double unit = pow(10, floor(log10(ratio)) - 2);
    return format_count(out, size, (int64_t)(round(ratio / unit) * unit));
}

/* Of the candidates tied with the best one, CSR is named first because it needs no conversion. */
static void say_ties(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    const bool ranks = advice->place == ADVICE_RANKS;
    char name[ADVICE_NAMED];
    int ties = 0, said = 0;
    for (int k = 1; k < advice->compared; k++)
        ties += advice_tied_alone(best, &advice->candidates[k]);
    for (int csr = 1; csr >= 0; csr--)
        for (int k = 1; k < advice->compared && said < TIES_SAID; k++) {
            const struct advice_candidate *tied = &advice->candidates[k];
            if (!advice_tied_alone(best, tied) || (k == advice->csr) != csr) continue;
            advice_append(words, "%s%s",
                          said == 0           ? ". It is tied with "
                          : ties == TIES_SAID ? " and "
                                              : ", ",
                          ranks ? advice_named(tied, name) : tied->result->name);
            said++;
        }
    if (ties > said) advice_append(words, " and %d more", ties - said);
}

/* Return whether say_csr describes the best candidates exactly: one is the best for all numbers of products,
 * or first CSR and then the fastest. */
static bool is_told(const struct advice *advice)
{
    int changes = 0;
    for (int k = 1; k < ADVICE_COUNTS; k++)
        changes += advice->at[k].best != advice->at[k - 1].best;
    return changes == 0 ||
           (changes == 1 && advice->at[0].best == advice->csr && advice->at[ADVICE_COUNTS - 1].best == 0);
}

/* Return whether the matrix must be uploaded to a GPU. */
static bool has_upload(const struct advice *advice)
{
    return advice->candidates[0].result->choice.kernel->backend->devices != NULL;
}

/* Name the best candidate for each number of products. */
static void say_counts(struct words *words, const struct advice *advice)
{
    char first[32], last[32], name[ADVICE_NAMED];
    if (is_told(advice)) return;
    advice_append(words, " With conversion%s counted,", has_upload(advice) ? " and upload" : "");
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

/* If candidates are compared by forecasts, write the measured times as well. */
static void say_measured(struct words *words, const struct advice *advice)
{
    char seconds[32], foretold[32], name[ADVICE_NAMED];
    if (advice->by_measured || advice->fastest < 0) return;
    const struct advice_candidate *fastest = &advice->candidates[advice->fastest];
    format_seconds(seconds, sizeof seconds, fastest->timed);
    if (advice->fastest == 0)
        advice_append(words, " It was measured at %s.", seconds);
    else if (fastest->prediction)
        advice_append(words, " The fastest measured kernel is %s: %s, forecast at %s.",
                      advice_named(fastest, name), seconds,
                      format_seconds(foretold, sizeof foretold, advice_forecast(fastest)));
    else
        advice_append(words, " %s was measured at %s and has no forecast to compare.",
                      advice_named(fastest, name), seconds);
}

/* Name the product if it is not y = A x, and the caches if they are flushed. */
static void say_verdict(struct advice *advice, struct product product)
{
    struct words words = {advice->verdict, sizeof advice->verdict, 0};
    const struct advice_candidate *best = &advice->candidates[0];
    bool other = !product_same(product, (struct product){.columns = 1});
    char name[ADVICE_NAMED], seconds[32], bytes[32], text[PRODUCT_TEXT], ends[80];
    const bool derived = best->like && kernel_borrows(best->result->choice.kernel);
    advice_append(&words, "On %s%s,%s%s%s%s take %s: %s per product (%s%s%s%s", advice_article(advice->place),
                  advice->machine, other ? " for " : "", other ? product_write(product, text) : "",
                  other ? "," : "", advice->cold ? " with caches flushed," : "", advice_named(best, name),
                  format_seconds(seconds, sizeof seconds, best->seconds),
                  best->measured ? "measured" : "forecast", best->like ? " from " : "",
                  best->like ? best->prediction->like : "", derived ? " (constants derived)" : "");
    if (!best->measured)
        advice_append(&words, "; %.0f%% interval %s", 100 * PREDICTION_SHARE,
                      format_interval(ends, sizeof ends, best->low, best->high));
    advice_append(&words, "), %s of memory", format_bytes(bytes, sizeof bytes, best->memory));
    say_ties(&words, advice);
    advice_append(&words, ".");
    say_measured(&words, advice);
    say_counts(&words, advice);
}

/* Write the interval of the best candidate's break-even, unless both times were measured: " (80% interval:
 * 340 to 1,020)". */
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

/* Return the setup before the first product as a noun: "uploading", "converting and uploading". */
static const char *setup_words(const struct advice_candidate *candidate)
{
    if (!candidate->result->choice.kernel->backend->devices) return "converting";
    if (candidate->csr) return "uploading";
    return candidate->convert_on_device ? "uploading CSR and converting on the GPU"
                                        : "converting and uploading";
}

static const char *estimated(const struct advice_candidate *candidate)
{
    bool converted = candidate->csr || candidate->convert_measured;
    bool uploaded = !candidate->result->choice.kernel->backend->devices || candidate->upload_measured;
    return converted && uploaded ? "" : " (estimated)";
}

/* Say for which numbers of products CSR is better. Each candidate has its own setup, so both are named. */
static void say_csr(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    char count[32], name[ADVICE_NAMED], setup[32], first[32];
    if (best->csr && advice->compared > 1 && !advice->candidates[1].csr &&
        advice->candidates[1].seconds < best->seconds) {
        const struct advice_candidate *faster = &advice->candidates[1];
        advice_append(words, "%s may be faster, but is tied, and converting takes %s%s.",
                      faster->result->name, format_seconds(setup, sizeof setup, faster->convert),
                      faster->convert_measured ? "" : " (estimated)");
        return;
    }
    if (best->csr || advice->csr < 0 || best->break_even <= 1) return;
    const struct advice_candidate *csr = &advice->candidates[advice->csr];
    advice_append(words, "For fewer than %s products", format_count(count, sizeof count, best->break_even));
    say_ends(words, best, csr);
    advice_append(words, " stay with CSR (%s): %s takes %s%s", advice_named(csr, name), setup_words(best),
                  format_seconds(setup, sizeof setup, best->setup), estimated(best));
    if (csr->setup > 0)
        advice_append(words, ", %s alone %s%s", best->convert_on_device ? "uploading" : "uploading CSR",
                      format_seconds(first, sizeof first, csr->setup), estimated(csr));
    advice_append(words, ".");
}

static const char *kind(bool measured)
{
    return measured ? "measured" : "forecast";
}

/* Return the order that saves most; NULL if none is comparable. */
static const struct advice_order *best_order(const struct advice *advice)
{
    const struct advice_order *most = NULL;
    for (int k = 0; k < advice->order_count; k++)
        if (!isnan(advice->orders[k].saved) && (!most || advice->orders[k].saved > most->saved))
            most = &advice->orders[k];
    return most;
}

static void say_orders(struct words *words, const struct advice *advice)
{
    const struct advice_order *most = best_order(advice);
    char count[32];
    if (advice->order_count == 0) return;
    if (!most) {
        advice_append(words, "Other orders cannot be compared: no kernel is measured, or forecast, in both.");
        return;
    }
    if (most->saved <= 1 - TELLING) {
        advice_append(words, "This order is the fastest compared: %s takes %.0f%% longer (%s, %s).",
                      most->name, -100 * most->saved, most->kernel, kind(most->measured));
        return;
    }
    if (most->saved < TELLING - 1) {
        advice_append(words, "No reordering speeds it up by %.0f%% or more.", 100 * (TELLING - 1));
        return;
    }
    advice_append(words, "The order %s saves %.0f%% of each product (%s, %s)", most->name, 100 * most->saved,
                  most->kernel, kind(most->measured));
    if (most->break_even > 1)
        advice_append(words, ", from %s products on if x and y stay in that order",
                      format_count(count, sizeof count, most->break_even));
    advice_append(words, ".");
}

static void say_precision(struct words *words, const struct advice *advice)
{
    const struct advice_precision *other = &advice->other_precision;
    char there[32], here[32];
    if (!(other->seconds > 0)) return;
    advice_append(words, "In %s precision a product takes %s instead of %s (both %s).",
                  advice->precision == PRECISION_F64 ? "single" : "double",
                  format_seconds(there, sizeof there, other->seconds),
                  format_seconds(here, sizeof here, other->here), kind(other->measured));
}

/* Name the library's kernel to call, and compare it with the best candidate. */
static void say_library(struct advice *advice)
{
    const struct advice_library *library = &advice->library;
    struct words words = {advice->call, sizeof advice->call, 0};
    char seconds[32], ratio[32];
    if (!library->kernel) return;
    if (library->kernel == advice->candidates[0].result->choice.kernel) {
        advice_append(&words, "%s is a library's kernel and can be called today.", library->name);
        return;
    }
    advice_append(&words, "To call a library instead, take %s: %s per product (%s%s%s)", library->name,
                  format_seconds(seconds, sizeof seconds, library->seconds), kind(library->measured),
                  library->like[0] ? " from " : "", library->like);
    if (!isnan(library->ratio)) {
        advice_ratio_words(ratio, sizeof ratio, library->ratio);
        const bool equal = strcmp(ratio, "1") == 0;
        advice_append(&words, ", %s%sas long as %s%s", equal ? "" : ratio, equal ? "" : " times ",
                      advice->candidates[0].result->full_name,
                      library->measured == advice->by_measured ? "" : ", both forecast");
    }
    advice_append(&words, ".%s", library->looked_for ? "" : " Whether it is installed was not checked.");
}

/* Name the smallest storage among candidates that are hardly slower. advice_settled relies on the 1.5. */
static void say_memory(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0], *small = best;
    for (int k = 1; k < advice->compared && advice->candidates[k].seconds < 1.5 * best->seconds; k++)
        if (advice->candidates[k].memory < small->memory) small = &advice->candidates[k];
    if (best->memory < MEMORY_TOLD || small->memory > 0.9 * best->memory) return;
    advice_append(words, "If memory is short, %s needs %.0f%% less and takes %.3g times as long.",
                  small->result->name, 100 * (1 - small->memory / best->memory),
                  small->seconds / best->seconds);
}

static void say_caches(struct words *words, const struct advice *advice)
{
    static const char *const states[] = {"with warm caches", "with caches flushed before each product"};
    const struct advice_caches *other = &advice->other_caches;
    char there[32], here[32];
    if (!(other->seconds > 0)) return;
    advice_append(words, "%s takes %s %s", other->kernel, format_seconds(there, sizeof there, other->seconds),
                  states[!advice->cold]);
    format_seconds(here, sizeof here, other->here);
    if (strcmp(other->kernel, other->kernel_here) == 0)
        advice_append(words, ", and %s %s (both forecast).", here, states[advice->cold]);
    else
        advice_append(words, " and is the fastest then; %s takes %s %s (both forecast).", other->kernel_here,
                      here, states[advice->cold]);
}

/* Reports have no key for the sentence on caches, so their text leaves it out. */
static void say_changes(struct advice *advice)
{
    static void (*const say[CHANGES])(struct words *,
                                      const struct advice *) = {[CHANGE_PRODUCTS] = say_csr,
                                                                [CHANGE_ORDER] = say_orders,
                                                                [CHANGE_PRECISION] = say_precision,
                                                                [CHANGE_CACHES] = say_caches,
                                                                [CHANGE_MEMORY] = say_memory};
    struct words all = {advice->change, sizeof advice->change, 0};
    for (int k = 0; k < CHANGES; k++) {
        struct words words = {advice->changes[k], sizeof advice->changes[k], 0};
        say[k](&words, advice);
        if (words.length && k != CHANGE_CACHES)
            advice_append(&all, "%s%s", all.length ? " " : "", advice->changes[k]);
    }
}

void advice_say(struct advice *advice, struct product product, const struct matrix_case *matrix_case)
{
    say_verdict(advice, product);
    advice_say_reason(advice, matrix_case);
    say_changes(advice);
    say_library(advice);
}
