/* The reasons of advice on every GPU that has a profile, and on a processor, for matrices of all kinds: the
 * named terms cover at least two thirds of the difference. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/gpu/profile.h"
#include "kernels/kernel.h"
#include "session/advice.h"
#include "session/advice_bars.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/unit.h"

static const char *const files[] = {
    "arrow.mtx.gz",    "banded.mtx.gz", "blocks.mtx.gz",      "cmrs.mtx",
    "course.mtx",      "cranfield.mtx", "demo.mtx.gz",        "dissection.mtx.gz",
    "hpcg5.mtx",       "hpcg6.mtx",     "permutation.mtx.gz", "pmpp.mtx",
    "powerlaw.mtx.gz", "random.mtx.gz", "stencil27.mtx.gz",   NULL};

static const char *const made[] = {"gen:arrow,n=2000",
                                   "gen:banded,n=20000,lower=0,upper=0",
                                   "gen:banded,n=6000,lower=8,upper=8",
                                   "gen:laplace2d,n=120",
                                   "gen:powerlaw,scale=13,edge=12",
                                   "gen:random,n=5000",
                                   "gen:stencil27,n=14",
                                   NULL};

/* A processor that takes 5 ns a row and 1 ns a slot, reads memory at a third of the speed of its caches, and
 * waits 80 ns for a distant load. */
static struct processor make_processor(void)
{
    struct processor processor = {.there = true, .threads = 4, .wake = 2e-6, .alone = 1e-7};
    for (int k = 0; k < PROCESSOR_WHOLES; k++)
        processor.whole[0][k] = processor.whole[1][k] = 1;
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        for (int many = 0; many < 2; many++) {
            bool memory = k > PROCESSOR_SIZES / 2;
            processor.read[many][k] = (memory ? 10e9 : 30e9) * (many ? 3 : 1);
            processor.far[many][k] = memory ? 80e-9 : 5e-9 * k;
        }
    for (int k = 0; kernels[k]; k++) {
        if (!backend_is_own(kernels[k]->backend)) continue;
        struct loop_pace *loop = &processor.loop[processor.loops++];
        double slow = 1 + 0.1 * (k % 7);
        *loop = (struct loop_pace){.uneven = {{1e-9, 1e-9, 1e-9}, {1e-9, 1e-9, 1e-9}},
                                   .beyond = {{{1, 1}, 1}, {{1, 1}, 1}}};
        snprintf(loop->name, sizeof loop->name, "%s", kernels[k]->name);
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            loop->row[l] = slow * (5e-9 + 1e-9 * processor_length[l]);
    }
    return processor;
}

struct tally {
    int reasons, explained;
    double least; /* covered share */
};

/* Find the words before the named terms; NULL if no term is named. The two phrases have the same length. The
 * first one says that the terms are a part of the difference. */
static char *terms_of(const char *reason)
{
    char *at = strstr(reason, ". Of that, ");
    return at ? at : strstr(reason, ". By term, ");
}

/* The sum of the named terms, read back from the sentence, which rounds them to three digits. */
static double named_seconds(const char *reason)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"ps", 1e-12}, {"ns", 1e-9}, {"us", 1e-6}, {"ms", 1e-3}, {"s", 1}};
    const char *at = terms_of(reason);
    double sum = 0;
    if (!at) return NAN;
    const char *end = strstr(at, ". ") ? at + 11 + strcspn(at + 11, "\n") : at;
    for (at += 11; at < end && *at; at++) {
        char unit[8];
        double number;
        bool less = strncmp(at, "less ", 5) == 0;
        if (at[-1] != ' ' || (*at != 'l' && (*at < '0' || *at > '9'))) continue;
        if (sscanf(less ? at + 5 : at, "%lf %7[a-z]", &number, unit) != 2) continue;
        for (size_t u = 0; u < sizeof units / sizeof *units; u++)
            if (strcmp(unit, units[u].name) == 0) sum += (less ? -1 : 1) * number * units[u].seconds;
        if (less) at += 5 + strcspn(at + 5, " ");
        if (strncmp(at, ". ", 2) == 0) break;
    }
    return sum;
}

static void check(const char *name, const struct advice *advice, struct tally *tally)
{
    const struct advice_why *why = &advice->why;
    double sum = 0;
    if (!advice->there || why->rival < 0) return;
    tally->reasons++;
    if (!why->there || why->count == 0)
        fail_msg("%s on %s: not explained: %s", name, advice->machine, advice->reason);
    for (int k = 0; k < why->count; k++)
        sum += why->terms.share[why->named[k]];
    double covered = 1 - fabs(why->difference - sum) / why->difference;
    if (!(covered >= 2. / 3 - 1e-9))
        fail_msg("%s on %s: %.2f covered: %s", name, advice->machine, covered, advice->reason);
    tally->least = fmin(tally->least, covered);
    tally->explained++;
}

/* Only the first sentences have times of terms: the others are about other kernels. */
static void check_words(const char *name, const struct advice *advice)
{
    char first[sizeof advice->reason];
    if (!advice->there || advice->why.count == 0) return;
    snprintf(first, sizeof first, "%s", advice->reason);
    char *of = terms_of(first), *end = of ? strstr(of + 11, ". ") : NULL;
    while (end && end[2] >= '0' && end[2] <= '9')
        end = strstr(end + 2, ". ");
    if (end) end[1] = 0;
    double said = named_seconds(first), difference = advice->why.difference;
    if (said > 1.01 * difference && strstr(first, ". Of that, "))
        fail_msg("%s on %s: more than %g s is said to be of it: %s", name, advice->machine, difference,
                 advice->reason);
    if (!(fabs(said - difference) <= difference * (1. / 3 + 0.02)))
        fail_msg("%s on %s: %g of %g s are named: %s", name, advice->machine, said, difference,
                 advice->reason);
}

/* The sentence and the bar of the advised kernel show the same share of its bound. */
static void check_bound(const char *name, const struct advice *advice)
{
    struct advice_bar bars[ADVICE_BARS];
    char said[128];
    if (!advice->there || advice_bars(advice, bars) == 0) return;
    const struct prediction *prediction = bars[0].prediction;
    const double share = bars[0].share[prediction->bound] / bars[0].forecast;
    snprintf(said, sizeof said, "is bound by %s (%.0f%% of its forecast time)",
             prediction_bound_words(prediction), 100 * share);
    if (!strstr(advice->reason, said))
        fail_msg("%s on %s: \"%s\" is not in: %s", name, advice->machine, said, advice->reason);
}

static void check_on(const char *name, const struct gpu_file *file, const struct processor *processor,
                     struct tally *tally)
{
    FREED(session_free) struct session session;
    struct error error = {0};
    struct gpu gpu;
    const struct load_options options = {0};
    assert_int_equal(session_load(&session, name, &options, NULL, &error), STATUS_OK);
    assert_int_equal(gpu_find(file->name, &gpu, &error), STATUS_OK);
    session_for_gpu(&session, &gpu, 0);
    session.processor = *processor;
    assert_int_equal(
        session_need(&session, NULL, SESSION_GPU | SESSION_ROW_LENGTHS | SESSION_FORESIGHT, NULL, &error),
        STATUS_OK);
    const struct advices *advices = advising(&session);
    assert_true(advices->items[ADVICE_CPU].there);
    for (int place = 0; place < ADVICE_PLACES; place++) {
        check(name, &advices->items[place], tally);
        check_words(name, &advices->items[place]);
        check_bound(name, &advices->items[place]);
    }
}

/* Each matrix on two profiles, in turn, so that all have several; on every one if ALL_PROFILES is set, which
 * takes minutes. */
static void check_matrix(const char *name, int turn, const struct processor *processor, struct tally *tally)
{
    int count = 0;
    while (gpu_files[count].name)
        count++;
    for (int k = 0; k < (getenv("ALL_PROFILES") ? count : 2); k++)
        check_on(name, &gpu_files[(2 * turn + k) % count], processor, tally);
}

TEST(reasons_cover_two_thirds)
{
    const struct processor processor = make_processor();
    const char *source = getenv("SRCDIR");
    struct tally tally = {.least = 1};
    char path[4096];
    for (int k = 0; files[k]; k++) {
        snprintf(path, sizeof path, "%s/data/%s", source ? source : ".", files[k]);
        check_matrix(path, k, &processor, &tally);
    }
    for (int k = 0; made[k]; k++)
        check_matrix(made[k], k, &processor, &tally);
    print_message("%d reasons, %d explained, the least covered %.3f\n", tally.reasons, tally.explained,
                  tally.least);
    assert_true(tally.explained > 20);
}

/* The sentence about this processor if CSR, ELL and DIA take these microseconds per product and for
 * converting. */
static void expect_counts(const double product[3], const double convert[3], const char *said)
{
    const struct kernel *const three[] = {&kernel_cpu_csr_seq, &kernel_cpu_ell_seq, &kernel_cpu_dia_seq};
    FREED(session_free) struct session session;
    advising_load(&session, ADVISING_MATRIX);
    for (int k = 0; k < 3; k++)
        advising_time(advising_add(&session.shown->results, three[k], k ? 36000 : ADVISING_CSR),
                      product[k] * 1e-6, 1e-9, convert[k] * 1e-6);
    const char *verdict = advising(&session)->items[ADVICE_CPU].verdict,
               *counts = strstr(verdict, "With conversion");
    if (said ? !counts || strcmp(counts, said) != 0 : counts != NULL) fail_msg("%s", verdict);
}

/* The advice lists the best kernel by number of products, unless CSR always is best or one conversion pays
 * off. */
TEST(counts_are_said_where_they_differ)
{
    expect_counts((double[]){5, 6, 7}, (double[]){0, 1, 1}, NULL);
    expect_counts((double[]){10, 6, 20}, (double[]){0, 35, 1}, NULL);
    /* ELL is ahead of CSR from 8.75 products on, and DIA of ELL from 2,965 / 3 on. */
    expect_counts((double[]){10, 6, 3}, (double[]){0, 35, 3000},
                  "With conversion counted, cpu/csr-seq is best for 1 product, cpu/ell-seq for 10 to 100 and "
                  "cpu/dia-seq for 1,000 and more.");
}

TESTS_BETWEEN(unit_without_cache, NULL)
