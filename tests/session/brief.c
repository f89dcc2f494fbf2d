/* Brief forecasts: what is left out would be slow, and changes no sentence of the advice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "kernels/cuda/cusparse.h"
#include "session/advice_parts.h"
#include "session/session.h"
#include "support/advising.h"
#include "support/kernels.h"
#include "support/unit.h"

static const char *const matrices[] = {
    "gen:dense,m=4,n=4",
    "gen:laplace2d,n=40",
    "gen:stencil27,n=8",
    "gen:random,m=900,mean=9",
    "gen:random,m=300,n=2000,mean=20,spread=19",
    "gen:powerlaw,scale=10,edge=7",
    "gen:arrow,n=900",
    "gen:blocks,n=150,size=3,mean=7",
    "gen:banded,n=600,lower=20,upper=3,fill=0.5",
    "gen:dissection,n=22",
};

#define MATRICES ((int)(sizeof matrices / sizeof *matrices))

/* Load a matrix and forecast all kernels in this precision. */
static void foresee(struct session *session, const char *name, enum precision precision, bool brief)
{
    struct error error = {0};
    advising_load(session, name);
    session->hasty = true;
    session->brief = brief;
    assert_int_equal(
        session_foresight(session, session->shown, &session->shown->foresight[precision], NULL, &error),
        STATUS_OK);
}

static void advise(const struct session *session, enum precision precision, struct advices *advices)
{
    assert_int_equal(
        session_advise(session, session->shown, advice_question_of(session->shown, precision), advices, NULL),
        STATUS_OK);
}

static void compare_advice(const struct advice *full, const struct advice *brief)
{
    assert_int_equal(full->there, brief->there);
    if (!full->there) return;
    assert_string_equal(full->verdict, brief->verdict);
    assert_string_equal(full->reason, brief->reason);
    assert_string_equal(full->change, brief->change);
    assert_string_equal(full->call, brief->call);
}

/* Compare the results of all groups: what is left out takes at least `least`. Returns the number that is left
 * out. */
static int compare_results(const struct foresight *full, const struct foresight *brief)
{
    int left = 0;
    assert_int_equal(foresight_count(full), foresight_count(brief));
    for (int g = 0; g < foresight_count(full); g++) {
        assert_int_equal(full->groups[g].count, brief->groups[g].count);
        for (int k = 0; k < full->groups[g].count; k++) {
            const struct result *all = &full->groups[g].items[k], *some = &brief->groups[g].items[k];
            assert_string_equal(all->name, some->name);
            assert_true(all->least == 0);
            for (int cold = 0; cold < 2 && some->least == 0; cold++) {
                assert_int_equal(all->predicted[cold].there, some->predicted[cold].there);
                if (all->predicted[cold].there)
                    assert_float_equal(all->predicted[cold].seconds, some->predicted[cold].seconds, 0);
            }
            if (some->least == 0) continue;
            assert_false(some->predicted[0].there || some->predicted[1].there);
            assert_true(all->predicted[0].seconds >= some->least);
            left++;
        }
    }
    return left;
}

TEST(forecasts_that_are_left_out_change_no_sentence)
{
    int left = 0;
    for (int m = 0; m < MATRICES; m++)
        for (enum precision precision = PRECISION_F64; precision <= PRECISION_F32; precision++) {
            struct session full, brief;
            struct advices advices, brief_advices;
            foresee(&full, matrices[m], precision, false);
            foresee(&brief, matrices[m], precision, true);
            left += compare_results(&full.shown->foresight[precision], &brief.shown->foresight[precision]);
            advise(&full, precision, &advices);
            advise(&brief, precision, &brief_advices);
            for (int place = 0; place < ADVICE_PLACES; place++)
                compare_advice(&advices.items[place], &brief_advices.items[place]);
            advices_free(&advices);
            advices_free(&brief_advices);
            session_free(&full);
            session_free(&brief);
        }
    assert_true(left > 5 * MATRICES); /* each matrix has some 60 forecasts in both precisions */
}

#define KERNELS 7
#define TRIALS 4000

/* A pseudo-random number in [0, 1). */
static double drawn(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) * 0x1p-53;
}

/* Give the results random forecasts, sizes and longest warps. */
static void draw(struct results *results, uint64_t *state)
{
    static const enum bound bounds[] = {BOUND_LAUNCH, BOUND_LONGEST, BOUND_L2};
    for (int k = 0; k < results->count; k++) {
        struct estimate *estimate = &results->estimates.items[k];
        advising_forecast(&results->items[k], 2e-6 * pow(40, drawn(state)), bounds[(int)(3 * drawn(state))]);
        struct prediction *prediction = &results->items[k].predicted[0];
        prediction->low = prediction->seconds * interval_least(results->items[k].choice.kernel);
        prediction->high = prediction->seconds * (1.01 + 2 * drawn(state) * drawn(state));
        results->items[k].size.bytes = (size_t)(ADVISING_CSR * 0.05 * pow(1e6, drawn(state)));
        *estimate = (struct estimate){.there = true};
        estimate->steps.turns = 1;
        estimate->steps.requests = 10;
        estimate->steps.longest = (int64_t)(100 * drawn(state));
    }
}

/* The sentences on the GPU, with and without one of the kernels. */
struct sentences {
    char all[4096];
};

static void take_sentences(struct session *session, struct sentences *sentences)
{
    const struct advice *advice = &advising(session)->items[ADVICE_GPU];
    snprintf(sentences->all, sizeof sentences->all, "%s %s %s %s", advice->verdict, advice->reason,
             advice->change, advice->call);
}

/* If a kernel's least time settles it, none of its possible forecasts changes a sentence. */
TEST(what_is_settled_changes_no_sentence)
{
    static const struct kernel *const kernels_of[KERNELS] = {
        &kernel_cuda_csr_vector, &kernel_cuda_csr_scalar,   &kernel_cusparse_csr_alg1, &kernel_cuda_sell,
        &kernel_cuda_ell_padded, &kernel_cusparse_coo_alg1, &kernel_cuda_coo_atomic};
    uint64_t random = 5;
    int settled = 0;
    FREED(session_free) struct session session;
    struct results *results = advising_load(&session, "gen:arrow,n=1000");
    const struct advice_question question = advice_question_of(session.shown, PRECISION_F64);
    for (int k = 0; k < KERNELS; k++)
        advising_add(results, kernels_of[k], ADVISING_CSR);
    results->estimates = (struct estimates){calloc(KERNELS, sizeof(struct estimate)), KERNELS};
    assert_non_null(results->estimates.items);
    for (int trial = 0; trial < TRIALS; trial++) {
        struct sentences with, without;
        struct result *slow = &results->items[(int)(KERNELS * drawn(&random))];
        draw(results, &random);
        const double least = slow->predicted[0].seconds * (1 - 0.5 * drawn(&random));
        take_sentences(&session, &with);
        slow->predicted[0].there = false;
        take_sentences(&session, &without);
        const struct advice *advice = &advising(&session)->items[ADVICE_GPU];
        const struct advice_candidate candidate =
            advice_candidate_of(&session, session.shown, question, results, slow);
        if (!advice_settled(advice, session.shown, &candidate, least)) continue;
        assert_string_equal(with.all, without.all);
        settled++;
    }
    assert_true(settled > TRIALS / 20 && settled < TRIALS);
}
