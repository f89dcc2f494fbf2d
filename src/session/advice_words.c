/* The sentences of advice. Each is made from numbers; of several reasons those that weigh most are said. */
#include "session/advice_words.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/csc.h"
#include "formats/ell.h"
#include "session/session.h"

/* A ratio below this is no reason for anything. */
#define TELLING 1.05

/* What takes so many times as long is slower by far. */
#define FAR 1.5

/* Rows differ much if the longest is so many times the mean. */
#define UNEQUAL 4

/* A smaller share of padding is not told, nor is what would save memory of fewer bytes. */
#define PADDING_TOLD 0.01
#define MEMORY_TOLD 64e6

#define FACTS_MAX 8
#define FACTS_SAID 2
#define TIES_SAID 2

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

/* A buffer that sentences are appended to; what does not fit is cut off. */
struct words {
    char *out;
    size_t size, length;
};

static void say(struct words *words, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *words, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(words->out + words->length, words->size - words->length, format, list);
    va_end(list);
    if (length > 0) words->length += (size_t)length;
    if (words->length >= words->size) words->length = words->size - 1;
}

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

/* The kernel's name with its threads, if it has a number of them. */
static const char *named(const struct advice_candidate *candidate, char out[static 192])
{
    int threads = candidate->result->resolved.threads;
    if (candidate->result->choice.kernel->sequential || threads == 0)
        snprintf(out, 192, "%s", candidate->result->name);
    else
        snprintf(out, 192, "%s with %d thread%s", candidate->result->name, threads, threads == 1 ? "" : "s");
    return out;
}

/* The name of a kernel without parameters. */
static const char *plain(const struct advice_candidate *candidate)
{
    return candidate->result->full_name;
}

/* "rows have 5 entries", "rows have 19 to 27 entries" */
static void say_rows(const struct matrix_case *of, char *out, size_t size)
{
    const struct lengths *lengths = &of->row_lengths;
    char min[32], max[32];
    format_count(min, sizeof min, lengths->min);
    format_count(max, sizeof max, lengths->max);
    if (lengths->min == lengths->max)
        snprintf(out, size, "all rows have %s %s", max, lengths->max == 1 ? "entry" : "entries");
    else
        snprintf(out, size, "rows have %s to %s entries", min, max);
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
             "the longest row has %s entries, %s times the mean, and keeps it busy for %s instead of %s",
             format_count(long_row, sizeof long_row, lengths->max), format_short(times, sizeof times, ratio),
             format_seconds(one, sizeof one, cost), format_seconds(two, sizeof two, less));
}

/* What the other one is bound by, if this one takes less for it. */
static void find_bound(const struct advice_candidate *best, const struct advice_candidate *other,
                       struct facts *facts)
{
    const struct prediction *here = best->prediction, *there = other->prediction;
    char one[32], two[32];
    if (!here || !there) return;
    double cost = there->term[there->bound], less = here->term[there->bound];
    if (cost < there->seconds / 4 || cost < TELLING * less) return;
    add_fact(facts, log(cost / fmax(less, cost / 100)) / 2, "%s takes it %s instead of %s",
             bound_words(there->bound), format_seconds(one, sizeof one, cost),
             format_seconds(two, sizeof two, less));
}

static void find_bytes(const struct matrix_case *of, const struct advice_candidate *best,
                       const struct advice_candidate *other, struct facts *facts)
{
    double nnz = (double)csr_nnz(&of->matrix.csr);
    double here = best->result->bytes.plus, there = other->result->bytes.plus;
    if (!(here > 0) || there < TELLING * here || nnz <= 0) return;
    add_fact(facts, log(there / here), "it moves %.3g instead of %.3g bytes an entry", there / nnz,
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
    double nnz = (double)csr_nnz(&of->matrix.csr), here = load_sectors(best), there = load_sectors(other);
    if (!(here > 0) || !(there >= TELLING * here) || nnz <= 0) return;
    add_fact(facts, log(there / here), "its loads touch %.3g instead of %.3g sectors of 32 bytes an entry",
             there / nnz, here / nnz);
}

/* What the other one pads, or what ELL would, which no candidate shows that is too slow. */
static void find_padding(const struct matrix_case *of, const struct advice_candidate *best,
                         const struct advice_candidate *other, struct facts *facts)
{
    double here = best->result->size.padding_ratio, there = other->result->size.padding_ratio;
    char rows[96];
    say_rows(of, rows, sizeof rows);
    if (!(there >= TELLING) || there < TELLING * here) return;
    add_fact(facts, log(there / fmax(here, 1)), "%.0f%% of its slots are padding, since %s",
             100 * (1 - 1 / there), rows);
}

/* Ties of a single product, without what comes before it. */
static bool is_tied(const struct advice_candidate *a, const struct advice_candidate *b)
{
    struct advice_candidate one = *a, two = *b;
    one.setup = two.setup = 0;
    return advice_tied(&one, &two, 1);
}

/* The kernel that the best one is compared with: the fastest that reads CSR or, if that is the best, the
 * fastest that reads another format; if that is tied with it, the first that is slower by far. NULL if there
 * is none. */
static const struct advice_candidate *rival_of(const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    for (int k = 1; k < advice->count; k++)
        if (advice->candidates[k].csr != best->csr) {
            if (!is_tied(best, &advice->candidates[k])) return &advice->candidates[k];
            break;
        }
    for (int k = 1; k < advice->count; k++)
        if (advice->candidates[k].seconds >= FAR * best->seconds && !is_tied(best, &advice->candidates[k]))
            return &advice->candidates[k];
    return NULL;
}

static void say_rival(struct words *words, const struct matrix_case *of, const struct advice_candidate *best,
                      const struct advice_candidate *rival)
{
    struct facts facts = {0};
    find_long_rows(of, best, rival, &facts);
    if (facts.count == 0) find_bound(best, rival, &facts);
    find_bytes(of, best, rival, &facts);
    find_sectors(of, best, rival, &facts);
    find_padding(of, best, rival, &facts);
    qsort(facts.items, (size_t)facts.count, sizeof *facts.items, compare);
    say(words, "%s takes %.3g times as long", plain(rival), rival->seconds / best->seconds);
    for (int k = 0; k < facts.count && k < FACTS_SAID; k++)
        say(words, "%s%s", k == 0 ? ": " : ", and ", facts.items[k].words);
    say(words, ".");
}

/* What the best one itself is bound by, and what it pads. */
static void say_best(struct words *words, const struct matrix_case *of, const struct advice_candidate *best)
{
    const struct prediction *prediction = best->prediction;
    const struct machine *machine = results_machine(best->results, best->result);
    double factor = best->result->size.padding_ratio, moved = best->result->bytes.plus / best->seconds;
    char rows[96], cost[32], read[32];
    bool paces = best->measured && machine->read > 0 && moved > 0 && !best->result->cached;
    bool pads = 1 - 1 / factor >= PADDING_TOLD;
    const char *gap = words->length ? " " : "";
    say_rows(of, rows, sizeof rows);
    if (prediction)
        say(words, "%s%s is bound by %s, %.0f%% of its time", gap, plain(best),
            bound_words(prediction->bound),
            100 * fmin(prediction->term[prediction->bound] / prediction->seconds, 1));
    else if (paces)
        say(words, "%s%s moves what it must at %s, where memory is read at %s", gap, plain(best),
            format_bandwidth(cost, sizeof cost, moved), format_bandwidth(read, sizeof read, machine->read));
    else if (pads)
        say(words, "%s%s", gap, plain(best));
    if (pads)
        say(words, "%s %.2g%% of its slots, since %s", prediction || paces ? ", and pads" : " pads",
            100 * (1 - 1 / factor), rows);
    if (prediction || paces || pads) say(words, ".");
}

/* Rows that differ much rule ELL out: the size tells, no kernel has to. */
static void say_ell(struct words *words, const struct matrix_case *of, const struct advice_candidate *best)
{
    const struct lengths *lengths = &of->row_lengths;
    if (best->result->choice.kernel->format == &format_ell || !(lengths->mean > 0)) return;
    double factor = (double)lengths->max / lengths->mean;
    if (factor < 2) return;
    say(words, "%sELL would have %.3g slots for each entry, as its rows are all as long as the longest.",
        words->length ? " " : "", factor);
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
        say(words, "%sThe longest row has %s entries, %s times the mean, and keeps %s busy for %s.",
            words->length ? " " : "", format_count(length, sizeof length, lengths->max),
            format_short(times, sizeof times, (double)lengths->max / lengths->mean), plain(held),
            format_seconds(seconds, sizeof seconds, held->prediction->term[BOUND_LONGEST]));
        return true;
    }
    return false;
}

static void say_reason(struct advice *advice, const struct matrix_case *of)
{
    struct words words = {advice->reason, sizeof advice->reason, 0};
    const struct advice_candidate *best = &advice->candidates[0], *rival = rival_of(advice);
    if (!case_has(of, SESSION_ROW_LENGTHS)) return;
    if (rival) say_rival(&words, of, best, rival);
    say_best(&words, of, best);
    bool told = strstr(advice->reason, "longest row") != NULL || say_held_up(&words, of, advice);
    if (!rival && !told) say_ell(&words, of, best);
}

/* CSR is named first, since it need not be converted to. */
static void say_ties(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    int ties = 0, said = 0;
    for (int k = 1; k < advice->count; k++)
        ties += is_tied(best, &advice->candidates[k]);
    for (int csr = 1; csr >= 0; csr--)
        for (int k = 1; k < advice->count && said < TIES_SAID; k++) {
            const struct advice_candidate *tied = &advice->candidates[k];
            if (!is_tied(best, tied) || (k == advice->csr) != csr) continue;
            say(words, "%s%s",
                said == 0           ? ". It is tied with "
                : ties == TIES_SAID ? " and "
                                    : ", ",
                tied->result->name);
            said++;
        }
    if (ties > said) say(words, " and %d more", ties - said);
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
    say(words, " With conversion%s counted,", advice->place == ADVICE_CPU ? "" : " and upload");
    for (int k = 0, next; k < ADVICE_COUNTS; k = next) {
        for (next = k + 1; next < ADVICE_COUNTS && advice->at[next].best == advice->at[k].best;)
            next++;
        format_count(first, sizeof first, advice->at[k].products);
        format_count(last, sizeof last, advice->at[next - 1].products);
        say(words, "%s %s %s%s%s",
            k == 0                  ? ""
            : next == ADVICE_COUNTS ? " and"
                                    : ",",
            named(&advice->candidates[advice->at[k].best], name), k == 0 ? "is best for " : "for ", first,
            next == ADVICE_COUNTS ? " and more" : "");
        if (next < ADVICE_COUNTS && next > k + 1) say(words, " to %s", last);
        if (k == 0) say(words, " product%s", next == 1 ? "" : "s");
    }
    say(words, ".");
}

static void say_verdict(struct advice *advice)
{
    struct words words = {advice->verdict, sizeof advice->verdict, 0};
    const struct advice_candidate *best = &advice->candidates[0];
    char name[192], seconds[32], bytes[32];
    say(&words, "On %s%s, take %s: %s a product (%s%s%s), %s of memory",
        advice->place == ADVICE_CPU ? "" : "the ", advice->machine, named(best, name),
        format_seconds(seconds, sizeof seconds, best->seconds), best->measured ? "measured" : "forecast",
        best->like ? " as of " : "", best->like ? best->prediction->like : "",
        format_bytes(bytes, sizeof bytes, best->memory));
    say_ties(&words, advice);
    say(&words, ".");
    say_counts(&words, advice);
}

static void say_csr(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0];
    char count[32], name[192], setup[32];
    if (best->csr || advice->csr < 0 || best->break_even <= 1) return;
    say(words, "For fewer than %s products stay with CSR (%s): %s %s%s.",
        format_count(count, sizeof count, best->break_even), named(&advice->candidates[advice->csr], name),
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
        say(words,
            "%sNone of the other orders that it was brought into makes a product faster by %.0f%% or more.",
            words->length ? " " : "", 100 * (TELLING - 1));
        return;
    }
    say(words, "%sThe order %s would save %.0f%% of a product's time (%s%s)", words->length ? " " : "",
        most->name, 100 * most->saved, most->kernel, most->measured ? "" : ", forecast");
    if (most->break_even > 1)
        say(words, ", from %s products on if x and y stay in it",
            format_count(count, sizeof count, most->break_even));
    say(words, ".");
}

static void say_precision(struct words *words, const struct advice *advice)
{
    char seconds[32];
    double share = advice->other_precision / advice->candidates[0].seconds;
    if (!(share > 0)) return;
    say(words, "%sIn %s precision a product would take %s, %.2g of that time.", words->length ? " " : "",
        advice->precision == PRECISION_F64 ? "single" : "double",
        format_seconds(seconds, sizeof seconds, advice->other_precision), share);
}

/* The smallest storage among those that take hardly longer. */
static void say_memory(struct words *words, const struct advice *advice)
{
    const struct advice_candidate *best = &advice->candidates[0], *small = best;
    for (int k = 1; k < advice->count && advice->candidates[k].seconds < 1.5 * best->seconds; k++)
        if (advice->candidates[k].memory < small->memory) small = &advice->candidates[k];
    if (best->memory < MEMORY_TOLD || small->memory > 0.9 * best->memory) return;
    say(words, "%sIf memory is short, %s needs %.0f%% less and takes %.3g times as long.",
        words->length ? " " : "", small->result->name, 100 * (1 - small->memory / best->memory),
        small->seconds / best->seconds);
}

void advice_say(struct advice *advice, const struct matrix_case *matrix_case)
{
    struct words words = {advice->change, sizeof advice->change, 0};
    say_verdict(advice);
    say_reason(advice, matrix_case);
    say_csr(&words, advice);
    say_orders(&words, advice);
    say_precision(&words, advice);
    say_memory(&words, advice);
}
