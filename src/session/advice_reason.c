/* The reasons of advice. Each is made from numbers; of several reasons those that weigh most are said. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/csc.h"
#include "formats/ell.h"
#include "session/advice_parts.h"
#include "session/session.h"

/* What takes so many times as long is slower by far. */
#define FAR 1.5

/* What takes more times as long than this is nothing that anyone would weigh against the best. */
#define HOPELESS 20

/* Rows differ much if the longest is so many times the mean. */
#define UNEQUAL 4

/* A smaller share of padding is not told. */
#define PADDING_TOLD 0.01

#define FACTS_MAX 8
#define FACTS_SAID 2

/* Why one kernel takes longer than another: words that follow a colon, and how much of the difference they
 * may stand for, as the logarithm of a ratio. */
struct fact {
    double weight;
    char words[256];
};

struct facts {
    struct fact items[FACTS_MAX];
    int count;
};

static void add_fact(struct facts *facts, double weight, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void add_fact(struct facts *facts, double weight, const char *format, ...)
{
    va_list list;
    if (!(weight > 0) || facts->count == FACTS_MAX) return;
    struct fact *fact = &facts->items[facts->count++];
    fact->weight = weight;
    va_start(list, format);
    vsnprintf(fact->words, sizeof fact->words, format, list);
    va_end(list);
}

static int compare(const void *a, const void *b)
{
    const struct fact *one = a, *two = b;
    return one->weight < two->weight ? 1 : one->weight > two->weight ? -1 : 0;
}

/* The name of a kernel without parameters. */
static const char *plain(const struct advice_candidate *candidate)
{
    return candidate->result->full_name;
}

/* Why the kernel's format pads: "blocks are not full", "all rows have 5 entries", "rows have 19 to 27
 * entries" */
static void say_padding(const struct matrix_case *of, const struct advice_candidate *candidate, char *out,
                        size_t size)
{
    const struct format *format = candidate->result->choice.kernel->format;
    const struct lengths *lengths = &of->row_lengths;
    char min[32], max[32];
    format_count(min, sizeof min, lengths->min);
    format_count(max, sizeof max, lengths->max);
    if (format->pads)
        snprintf(out, size, "%s", format->pads);
    else if (lengths->min == lengths->max)
        snprintf(out, size, "all rows have %s %s", max, lengths->max == 1 ? "entry" : "entries");
    else
        snprintf(out, size, "rows have %s to %s entries", min, max);
}

/* Write a ratio in three digits, and return out: 1.31, 71.5, 5,950. */
static const char *say_ratio(char *out, size_t size, double ratio)
{
    if (ratio < 999.5) {
        snprintf(out, size, "%.3g", ratio);
        return out;
    }
    double unit = pow(10, floor(log10(ratio)) - 2);
    return format_count(out, size, (int64_t)(round(ratio / unit) * unit));
}

/* What the terms of a forecast are told with where times were measured, of which they are no part. */
static const char *by_forecast(const struct advice_candidate *one, const struct advice_candidate *two)
{
    return one->measured || two->measured ? ", by the forecast" : "";
}

/* True if a warp of the kernel is held up by a long row: the longest has many times the requests of the mean
 * warp, as it has not where the work is divided evenly, however long the rows are. */
static bool is_held_up(const struct matrix_case *of, const struct advice_candidate *candidate)
{
    const struct lengths *lengths = &of->row_lengths;
    const struct estimate *estimate = results_estimate_of(candidate->results, candidate->result);
    if (candidate->result->choice.kernel->format == &format_csc) return false; /* its columns would do so */
    if (!candidate->prediction || !estimate || !((double)lengths->max > UNEQUAL * lengths->mean))
        return false;
    double mean = estimate->steps.requests / estimate->steps.turns;
    return (double)estimate->steps.longest > UNEQUAL * mean &&
           candidate->prediction->term[BOUND_LONGEST] > candidate->seconds / 4;
}

/* Rows of very different lengths, where the longest piece of work costs the other one much. */
static void find_long_rows(const struct matrix_case *of, const struct advice_candidate *best,
                           const struct advice_candidate *other, struct facts *facts)
{
    const struct prediction *here = best->prediction, *there = other->prediction;
    const struct lengths *lengths = &of->row_lengths;
    char long_row[32], times[32], one[32], two[32];
    if (!here || !there || !is_held_up(of, other)) return;
    double ratio = (double)lengths->max / lengths->mean;
    double cost = there->term[BOUND_LONGEST], less = here->term[BOUND_LONGEST];
    if (cost < TELLING * less) return;
    add_fact(facts, log(cost / fmax(less, cost / 100)),
             "the longest row has %s entries, %s times the mean, and keeps it busy for %s instead of %s%s",
             format_count(long_row, sizeof long_row, lengths->max), say_ratio(times, sizeof times, ratio),
             format_seconds(one, sizeof one, cost), format_seconds(two, sizeof two, less),
             by_forecast(best, other));
}

/* What the other one is bound by, if this one takes less for it; what this one does without is not named. */
static void find_bound(const struct advice_candidate *best, const struct advice_candidate *other,
                       struct facts *facts)
{
    const struct prediction *here = best->prediction, *there = other->prediction;
    char one[32], two[32];
    if (!here || !there) return;
    double cost = there->term[there->bound], less = here->term[there->bound];
    if (cost < there->seconds / 4 || cost < TELLING * less) return;
    format_seconds(one, sizeof one, cost);
    format_seconds(two, sizeof two, less);
    add_fact(facts, log(cost / fmax(less, cost / 100)) / 2, "%s %s%s%s%s",
             prediction_cost_words(there, there->bound), one, less > 0 ? " instead of " : "",
             less > 0 ? two : "", by_forecast(best, other));
}

static void find_bytes(const struct matrix_case *of, const struct advice_candidate *best,
                       const struct advice_candidate *other, struct facts *facts)
{
    double nnz = (double)case_nnz(of);
    double here = best->result->bytes.plus, there = other->result->bytes.plus;
    if (!(here > 0) || there < TELLING * here || nnz <= 0) return;
    add_fact(facts, log(there / here), "it moves %.3g bytes an entry instead of %.3g", there / nnz,
             here / nnz);
}

static double load_sectors(const struct advice_candidate *candidate)
{
    const struct estimate *estimate = results_estimate_of(candidate->results, candidate->result);
    return estimate ? (double)estimate->accesses[ACCESS_LOAD].sectors : NAN;
}

static void find_sectors(const struct matrix_case *of, const struct advice_candidate *best,
                         const struct advice_candidate *other, struct facts *facts)
{
    double nnz = (double)case_nnz(of), here = load_sectors(best), there = load_sectors(other);
    if (!(here > 0) || !(there >= TELLING * here) || nnz <= 0) return;
    add_fact(facts, log(there / here), "its loads touch %.3g sectors of 32 bytes an entry instead of %.3g",
             there / nnz, here / nnz);
}

/* What the other one pads. */
static void find_padding(const struct matrix_case *of, const struct advice_candidate *best,
                         const struct advice_candidate *other, struct facts *facts)
{
    double here = best->result->size.padding_ratio, there = other->result->size.padding_ratio;
    char why[96];
    say_padding(of, other, why, sizeof why);
    if (!(there >= TELLING) || there < TELLING * here) return;
    add_fact(facts, log(there / fmax(here, 1)), "%.0f%% of its slots are padding, since %s",
             100 * (1 - 1 / there), why);
}

/* The kernel that the best one is compared with: the fastest that reads CSR or, if that is the best, the
 * fastest that reads another format; if that is tied with it, the first that is slower by far. NULL if there
 * is none that is not hopeless. */
static const struct advice_candidate *rival_of(const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    const struct advice_candidate *rival = NULL;
    for (int k = 1; k < advice->count && !rival; k++)
        if (advice->candidates[k].csr != best->csr) rival = &advice->candidates[k];
    if (rival && advice_tied_alone(best, rival)) rival = NULL;
    for (int k = 1; k < advice->count && !rival; k++)
        if (advice->candidates[k].seconds >= FAR * best->seconds &&
            !advice_tied_alone(best, &advice->candidates[k]))
            rival = &advice->candidates[k];
    return rival && rival->seconds < HOPELESS * best->seconds ? rival : NULL;
}

static void say_rival(struct words *words, const struct matrix_case *of, const struct advice_candidate *best,
                      const struct advice_candidate *rival)
{
    struct facts facts = {0};
    char times[32];
    find_long_rows(of, best, rival, &facts);
    if (facts.count == 0) find_bound(best, rival, &facts);
    find_bytes(of, best, rival, &facts);
    find_sectors(of, best, rival, &facts);
    find_padding(of, best, rival, &facts);
    qsort(facts.items, (size_t)facts.count, sizeof *facts.items, compare);
    advice_append(words, "%s takes %s times as long", plain(rival),
                  say_ratio(times, sizeof times, rival->seconds / best->seconds));
    for (int k = 0; k < facts.count && k < FACTS_SAID; k++)
        advice_append(words, "%s%s", k == 0 ? ": " : ", and ", facts.items[k].words);
    advice_append(words, ".");
}

/* What the best one itself is bound by, and what it pads. */
static void say_best(struct words *words, const struct matrix_case *of, const struct advice_candidate *best)
{
    const struct prediction *prediction = best->prediction;
    const struct machine *machine = results_machine(best->results, best->result);
    double factor = best->result->size.padding_ratio, moved = best->result->bytes.plus / best->seconds;
    char why[96], cost[32], read[32];
    bool paces = best->measured && machine->read > 0 && moved > 0 && !best->result->cached;
    bool pads = 1 - 1 / factor >= PADDING_TOLD;
    const char *gap = words->length ? " " : "";
    say_padding(of, best, why, sizeof why);
    if (prediction)
        advice_append(words, "%s%s is bound by %s (%.0f%% of its %s)", gap, plain(best),
                      prediction_bound_words(prediction),
                      100 * fmin(prediction->term[prediction->bound] / prediction->seconds, 1),
                      best->measured ? "forecast time" : "time");
    else if (paces)
        advice_append(words, "%s%s moves what it must at %s, where memory is read at %s", gap, plain(best),
                      format_bandwidth(cost, sizeof cost, moved),
                      format_bandwidth(read, sizeof read, machine->read));
    else if (pads)
        advice_append(words, "%s%s", gap, plain(best));
    if (pads)
        advice_append(words, "%s %.2g%% of its slots, since %s", prediction || paces ? ", and pads" : " pads",
                      100 * (1 - 1 / factor), why);
    if (prediction || paces || pads) advice_append(words, ".");
}

/* Rows that differ much rule ELL out: the size tells, no kernel has to. */
static void say_ell(struct words *words, const struct matrix_case *of, const struct advice_candidate *best)
{
    const struct lengths *lengths = &of->row_lengths;
    if (best->result->choice.kernel->format == &format_ell || !(lengths->mean > 0)) return;
    double factor = (double)lengths->max / lengths->mean;
    char times[32];
    if (factor < 2) return;
    advice_append(words,
                  "%sELL would have %s slots for each entry, since its rows are all as long as the longest.",
                  words->length ? " " : "", say_ratio(times, sizeof times, factor));
}

/* Where rows differ much: how long the longest keeps the fastest kernel busy that it holds up. False if it
 * holds up none. */
static bool say_held_up(struct words *words, const struct matrix_case *of, const struct advice *advice)
{
    const struct lengths *lengths = &of->row_lengths;
    char length[32], times[32], seconds[32];
    for (int k = 1; k < advice->count; k++) {
        const struct advice_candidate *held = &advice->candidates[k];
        if (!held->csr || held->seconds < FAR * advice->candidates[0].seconds || !is_held_up(of, held))
            continue;
        advice_append(words, "%sThe longest row has %s entries, %s times the mean, and keeps %s busy for %s.",
                      words->length ? " " : "", format_count(length, sizeof length, lengths->max),
                      say_ratio(times, sizeof times, (double)lengths->max / lengths->mean), plain(held),
                      format_seconds(seconds, sizeof seconds, held->prediction->term[BOUND_LONGEST]));
        return true;
    }
    return false;
}

void advice_say_reason(struct advice *advice, const struct matrix_case *of)
{
    struct words words = {advice->reason, sizeof advice->reason, 0};
    const struct advice_candidate *best = &advice->candidates[0], *rival = rival_of(advice);
    if (!case_has(of, SESSION_ROW_LENGTHS)) return;
    if (rival) say_rival(&words, of, best, rival);
    say_best(&words, of, best);
    bool told = strstr(advice->reason, "longest row") != NULL || say_held_up(&words, of, advice);
    if (!rival && !told) say_ell(&words, of, best);
}
