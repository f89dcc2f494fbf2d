/* The reasons of advice. Each is made from numbers; of several reasons, the most important ones are given. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "base/text.h"
#include "formats/csc.h"
#include "formats/ell.h"
#include "session/advice_parts.h"
#include "session/session.h"

/* A candidate that takes this many times as long is much slower. */
#define FAR 1.5

/* A candidate that takes more than this many times as long is not worth comparing with the best. */
#define HOPELESS 20

/* Rows differ much if the longest is this many times the mean. */
#define UNEQUAL 4

/* A smaller share of padding is not mentioned. */
#define PADDING_TOLD 0.01

/* The name of a kernel without parameters. */
static const char *plain(const struct advice_candidate *candidate)
{
    return candidate->result->full_name;
}

/* Write the reason why the kernel's format pads: "blocks are not full", "all rows have 5 entries", "rows have
 * 19 to 27 entries". */
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

/* Return whether a long row delays a warp of the kernel: the longest warp has many times the mean number of
 * requests. If work is divided evenly, this never happens. */
static bool is_held_up(const struct matrix_case *of, const struct advice_candidate *candidate)
{
    const struct lengths *lengths = &of->row_lengths;
    const struct estimate *estimate = results_estimate_of(candidate->results, candidate->result);
    if (candidate->result->choice.kernel->format->lines == FORMAT_COLUMNS)
        return false; /* the warps of such a kernel have columns */
    if (!candidate->prediction || !estimate || !((double)lengths->max > UNEQUAL * lengths->mean))
        return false;
    double mean = estimate->steps.requests / estimate->steps.turns;
    return (double)estimate->steps.longest > UNEQUAL * mean &&
           candidate->prediction->term[BOUND_LONGEST] > candidate->prediction->seconds / 4;
}

/* Write a detail that explains a term in brackets after it, if there is one. */
struct detail {
    const struct matrix_case *of;
    const struct advice_candidate *best, *other;
    struct words *words;
    bool padding; /* padding was mentioned already */
};

static bool detail_long_row(const struct detail *detail)
{
    const struct lengths *lengths = &detail->of->row_lengths;
    char long_row[32], times[32];
    if (!is_held_up(detail->of, detail->other)) return false;
    advice_append(detail->words, " (the longest row has %s entries, %s times the mean)",
                  format_count(long_row, sizeof long_row, lengths->max),
                  advice_ratio_words(times, sizeof times, (double)lengths->max / lengths->mean));
    return true;
}

/* Mention the share of padding in the other candidate's slots, if it is larger than that of the best one. */
static bool detail_padding(struct detail *detail)
{
    double here = detail->best->result->size.padding_ratio, there = detail->other->result->size.padding_ratio;
    char why[96];
    if (detail->padding || !(there >= TELLING) || there < TELLING * here) return false;
    say_padding(detail->of, detail->other, why, sizeof why);
    advice_append(detail->words, " (%.0f%% of its slots are padding, since %s)", 100 * (1 - 1 / there), why);
    detail->padding = true;
    return true;
}

static bool detail_bytes(const struct detail *detail)
{
    double nnz = (double)case_nnz(detail->of);
    double here = detail->best->result->bytes.plus, there = detail->other->result->bytes.plus;
    if (!(here > 0) || !(there >= TELLING * here) || nnz <= 0) return false;
    advice_append(detail->words, " (it moves %.3g bytes per entry instead of %.3g)", there / nnz, here / nnz);
    return true;
}

static double load_sectors(const struct advice_candidate *candidate)
{
    const struct estimate *estimate = results_estimate_of(candidate->results, candidate->result);
    return estimate ? (double)estimate->accesses[ACCESS_LOAD].sectors : NAN;
}

static bool detail_sectors(const struct detail *detail)
{
    double nnz = (double)case_nnz(detail->of);
    double here = load_sectors(detail->best), there = load_sectors(detail->other);
    if (!(here > 0) || !(there >= TELLING * here) || nnz <= 0) return false;
    advice_append(detail->words, " (its loads touch %.3g 32-byte sectors per entry instead of %.3g)",
                  there / nnz, here / nnz);
    return true;
}

static void say_detail(struct detail *detail, enum bound bound)
{
    const bool bytes = bound == BOUND_DRAM || bound == BOUND_L2 || bound == BOUND_L1;
    if (bound == BOUND_LONGEST && detail_long_row(detail)) return;
    if ((bytes || bound == BOUND_ARITHMETIC) && detail_padding(detail)) return;
    if (bound == BOUND_L1 && detail_sectors(detail)) return;
    if (bytes) detail_bytes(detail);
}

/* Return whether the terms that are larger for the other candidate exceed the whole difference, to the digits
 * that are written. */
static bool exceed(const struct advice_why *why)
{
    double sum = 0;
    for (int k = 0; k < why->count; k++)
        sum += fmax(why->terms.share[why->named[k]], 0);
    return sum > 1.001 * why->difference;
}

/* Write "2.11 us is its traffic through L1, and 310 ns its instructions, less 40 ns for launch overhead":
 * first the terms that are larger for the other candidate, then those that are smaller. */
static void say_terms(struct detail *detail, const struct advice_why *why)
{
    const struct prediction *there = detail->other->prediction;
    char seconds[32];
    int said = 0, more = 0;
    for (int k = 0; k < why->count; k++)
        more += why->terms.share[why->named[k]] > 0;
    const bool others = exceed(why) && more == why->count; /* the smaller terms are not named */
    for (int k = 0; k < why->count; k++) {
        double share = why->terms.share[why->named[k]];
        if (share < 0) continue;
        advice_append(detail->words, "%s%s %s%s",
                      said == 0          ? ""
                      : said == more - 1 ? " and "
                                         : ", ",
                      format_seconds(seconds, sizeof seconds, share), said == 0 ? "is " : "",
                      prediction_term_words(there, why->named[k]));
        say_detail(detail, why->named[k]);
        said++;
    }
    for (int k = 0; k < why->count; k++) {
        double share = why->terms.share[why->named[k]];
        if (share < 0)
            advice_append(detail->words, ", less %s for %s", format_seconds(seconds, sizeof seconds, -share),
                          prediction_term_words(there, why->named[k]));
    }
    advice_append(detail->words, "%s.", others ? "; other terms are shorter" : "");
}

/* Return whether moving, or storing, `amount` times as much explains a time that is `ratio` times as long. */
static bool accounts_for(double amount, double ratio)
{
    return fabs((amount - 1) - (ratio - 1)) <= (1 - EXPLAIN_LEAST) * (ratio - 1);
}

/* Explain the difference by counts, because not both candidates have a forecast. */
static void say_counted(struct detail *detail, double ratio)
{
    const struct result *here = detail->best->result, *there = detail->other->result;
    if (accounts_for(there->bytes.plus / here->bytes.plus, ratio) && detail_bytes(detail))
        advice_append(detail->words, ", which accounts for it.");
    else if (accounts_for(there->size.padding_ratio / here->size.padding_ratio, ratio) &&
             detail_padding(detail))
        advice_append(detail->words, ", which accounts for it.");
    else
        advice_append(detail->words, "; no forecasts of both explain why.");
}

/* Name the phase of a product over ranks that takes up more than half of the difference, if there is one. */
static void say_phase(struct words *words, const struct ranked *best, const struct ranked *other,
                      double difference)
{
    const struct {
        const char *words;
        double more;
    } phases[] = {{"computing", other->compute_seconds - best->compute_seconds},
                  {"packing and starting the exchange", other->exchange_seconds - best->exchange_seconds},
                  {"waiting for other ranks", other->wait_seconds - best->wait_seconds}};
    for (size_t k = 0; k < sizeof phases / sizeof *phases; k++)
        if (phases[k].more > difference / 2) advice_append(words, ", mainly %s", phases[k].words);
    advice_append(words, ".");
}

/* Return the candidate that the best one is compared with. It is the fastest that reads CSR or, if the best
 * one does, the fastest that reads another format. If that is tied with the best, it is the first that is
 * much slower. -1 if no candidate is worth comparing. */
static int rival_of(const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    int rival = -1;
    for (int k = 1; k < advice->compared && rival < 0; k++)
        if (advice->candidates[k].csr != best->csr) rival = k;
    if (rival > 0 && advice_tied_alone(best, &advice->candidates[rival])) rival = -1;
    for (int k = 1; k < advice->compared && rival < 0; k++)
        if (advice->candidates[k].seconds >= FAR * best->seconds &&
            !advice_tied_alone(best, &advice->candidates[k]))
            rival = k;
    return rival > 0 && advice->candidates[rival].seconds < HOPELESS * best->seconds ? rival : -1;
}

/* Return whether a candidate of at least `least` seconds is not tied with the best one, however wide its
 * interval is. */
static bool is_apart(const struct advice_candidate *best, const struct advice_candidate *candidate,
                     double least)
{
    const double reach =
        hypot(log(best->high / best->seconds), log(interval_least(candidate->result->choice.kernel)));
    return best->seconds / least * exp(reach) < 1;
}

/* True if a candidate of at least `least` seconds is not the rival. */
static bool has_other_rival(const struct advice *advice, double least)
{
    const struct advice_candidate *best = &advice->candidates[0];
    for (int k = 1; k < advice->compared; k++)
        if (advice->candidates[k].csr != best->csr) {
            if (!advice_tied_alone(best, &advice->candidates[k])) return true; /* the fastest of its kind */
            break;
        }
    for (int k = 1; k < advice->compared; k++)
        if (advice->candidates[k].seconds >= FAR * best->seconds &&
            !advice_tied_alone(best, &advice->candidates[k]))
            return advice->candidates[k].seconds < least;
    return false;
}

/* Return whether say_held_up does not name a candidate of at least `least` seconds: rows differ little, or it
 * names a faster one. */
static bool has_other_held_up(const struct advice *advice, const struct matrix_case *of, double least)
{
    const struct lengths *lengths = &of->row_lengths;
    if (!((double)lengths->max > UNEQUAL * lengths->mean)) return true;
    for (int k = 1; k < advice->compared && advice->candidates[k].seconds < least; k++)
        if (advice->candidates[k].csr &&
            advice->candidates[k].seconds >= FAR * advice->candidates[0].seconds &&
            is_held_up(of, &advice->candidates[k]))
            return true;
    return false;
}

/* Return whether a candidate of the kind is faster than `least`. */
static bool has_faster(const struct advice *advice, bool library, bool csr, double least)
{
    for (int k = 0; k < advice->compared && advice->candidates[k].seconds < least; k++)
        if (library ? advice_is_library(advice->candidates[k].result->choice.kernel->backend)
                    : advice->candidates[k].csr == csr)
            return true;
    return false;
}

bool advice_settled(const struct advice *advice, const struct matrix_case *of,
                    const struct advice_candidate *candidate, double least)
{
    const struct advice_candidate *best = advice->candidates;
    const bool library = advice_is_library(candidate->result->choice.kernel->backend);
    if (!advice->there || advice->by_measured || !case_has(of, SESSION_ROW_LENGTHS)) return false;
    if (!(least > FAR * best->seconds) || !is_apart(best, candidate, least)) return false; /* ties, memory */
    if (!has_faster(advice, false, candidate->csr, least) || !has_other_rival(advice, least)) return false;
    if (library && !has_faster(advice, true, false, least)) return false;
    if (candidate->csr && !has_other_held_up(advice, of, least)) return false;
    for (int k = 0; k < ADVICE_COUNTS; k++)
        if (!(candidate->setup + (double)advice->at[k].products * least > advice->at[k].seconds))
            return false;
    return true;
}

/* Find why the rival takes longer. */
static void find_why(struct advice *advice)
{
    struct advice_why *why = &advice->why;
    *why = (struct advice_why){.rival = rival_of(advice)};
    if (why->rival < 0) return;
    const struct advice_candidate *best = &advice->candidates[0], *rival = &advice->candidates[why->rival];
    why->difference = rival->seconds - best->seconds;
    why->there = explain(best->prediction, rival->prediction, &why->terms);
    if (why->there) why->count = explanation_name(&why->terms, why->difference, why->named);
}

static void say_rival(struct words *words, const struct matrix_case *of, const struct advice *advice)
{
    const struct advice_why *why = &advice->why;
    const struct advice_candidate *best = &advice->candidates[0], *rival = &advice->candidates[why->rival];
    struct detail detail = {.of = of, .best = best, .other = rival, .words = words};
    char times[32], longer[32], one[32], two[32];
    double ratio = rival->seconds / best->seconds;
    const bool ranks = advice->place == ADVICE_RANKS;
    advice_append(words, "%s%s%s takes %s longer (%s times as long)", plain(rival),
                  ranks ? " with partition " : "", ranks ? advice_partition(&rival->result->ranked) : "",
                  format_seconds(longer, sizeof longer, why->difference),
                  advice_ratio_words(times, sizeof times, ratio));
    if (ranks) {
        say_phase(words, &best->result->ranked, &rival->result->ranked, why->difference);
    } else if (!why->there) {
        say_counted(&detail, ratio);
    } else if (why->count == 0) {
        advice_append(words, "; the forecasts, %s and %s, do not explain why.",
                      format_seconds(one, sizeof one, rival->prediction->seconds),
                      format_seconds(two, sizeof two, best->prediction->seconds));
    } else {
        advice_append(words, "%s",
                      advice->by_measured ? ". By the forecasts, "
                      : exceed(why)       ? ". By term, "
                                          : ". Of that, ");
        say_terms(&detail, why);
    }
}

/* Write the bound of the best candidate, and its padding. */
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
    double share[BOUNDS];
    if (prediction) {
        explain_whole(prediction, share);
        advice_append(words, "%s%s is bound by %s (%.0f%% of its forecast time)", gap, plain(best),
                      prediction_bound_words(prediction),
                      100 * share[prediction->bound] / prediction->seconds);
    } else if (paces)
        advice_append(words, "%s%s moves its data at %s; memory is read at %s", gap, plain(best),
                      format_bandwidth(cost, sizeof cost, moved),
                      format_bandwidth(read, sizeof read, machine->read));
    else if (pads)
        advice_append(words, "%s%s", gap, plain(best));
    if (pads)
        advice_append(words, "%s %.2g%% of its slots, since %s", prediction || paces ? ", and pads" : " pads",
                      100 * (1 - 1 / factor), why);
    if (prediction || paces || pads) advice_append(words, ".");
}

/* If rows differ much, say how much ELL would pad. This follows from its size, without a kernel. */
static void say_ell(struct words *words, const struct matrix_case *of, const struct advice_candidate *best)
{
    const struct lengths *lengths = &of->row_lengths;
    if (best->result->choice.kernel->format == &format_ell || !(lengths->mean > 0)) return;
    double factor = (double)lengths->max / lengths->mean;
    char times[32];
    if (factor < 2) return;
    advice_append(words,
                  "%sELL would have %s slots for each entry, since its rows are all as long as the longest.",
                  words->length ? " " : "", advice_ratio_words(times, sizeof times, factor));
}

/* If rows differ much, write the time that the longest row takes in the fastest kernel that it delays.
 * Returns false if it delays none. */
static bool say_held_up(struct words *words, const struct matrix_case *of, const struct advice *advice)
{
    const struct lengths *lengths = &of->row_lengths;
    char length[32], times[32], seconds[32];
    for (int k = 1; k < advice->compared; k++) {
        const struct advice_candidate *held = &advice->candidates[k];
        if (!held->csr || held->seconds < FAR * advice->candidates[0].seconds || !is_held_up(of, held))
            continue;
        advice_append(words, "%sThe longest row has %s entries, %s times the mean, and keeps %s busy for %s.",
                      words->length ? " " : "", format_count(length, sizeof length, lengths->max),
                      advice_ratio_words(times, sizeof times, (double)lengths->max / lengths->mean),
                      plain(held),
                      format_seconds(seconds, sizeof seconds, held->prediction->term[BOUND_LONGEST]));
        return true;
    }
    return false;
}

void advice_say_reason(struct advice *advice, const struct matrix_case *of)
{
    struct words words = {advice->reason, sizeof advice->reason, 0};
    find_why(advice);
    if (!case_has(of, SESSION_ROW_LENGTHS)) return;
    if (advice->why.rival >= 0) say_rival(&words, of, advice);
    say_best(&words, of, &advice->candidates[0]);
    bool told = strstr(advice->reason, "longest row") != NULL || say_held_up(&words, of, advice);
    if (advice->why.rival < 0 && !told) say_ell(&words, of, &advice->candidates[0]);
}
