/* The gains of other orders, of the other precision and of the other state of the caches. Both times of a
 * comparison are measured, or both are forecast. */
#include <math.h>
#include <stdio.h>

#include "session/advice_parts.h"
#include "session/session.h"

/* The advice in two cases or precisions. They are compared by measurements if these suffice for both, else by
 * forecasts. */
struct pair {
    struct advices own; /* the advice in the other case or precision */
    struct advices forecasts_here, forecasts_there;
};

static void pair_free(struct pair *pair)
{
    advices_free(&pair->own);
    advices_free(&pair->forecasts_here);
    advices_free(&pair->forecasts_there);
}

static enum status pair_find(const struct session *session, const struct matrix_case *of,
                             struct advice_question question, const struct matrix_case *other,
                             struct advice_question theirs, struct pair *pair, struct error *error)
{
    *pair = (struct pair){0};
    enum status status = advice_of(session, other, theirs, ADVICE_BY_EITHER, &pair->own, error);
    if (status == STATUS_OK)
        status = advice_of(session, of, question, ADVICE_BY_FORECASTS, &pair->forecasts_here, error);
    if (status == STATUS_OK)
        status = advice_of(session, other, theirs, ADVICE_BY_FORECASTS, &pair->forecasts_there, error);
    if (status != STATUS_OK) pair_free(pair);
    return status;
}

/* Find the advice of a machine in both cases, by times of the same kind. *here is NULL if there is none. */
static void pair_take(const struct pair *pair, const struct advice *advice, const struct advice **here,
                      const struct advice **there)
{
    const struct advice *own = &pair->own.items[advice->place],
                        *forecast_here = &pair->forecasts_here.items[advice->place],
                        *forecast_there = &pair->forecasts_there.items[advice->place];
    *here = NULL;
    *there = own;
    if (own->there && own->by_measured && advice->by_measured) {
        *here = advice;
    } else if (forecast_here->there && forecast_there->there) {
        *here = forecast_here;
        *there = forecast_there;
    }
}

int64_t advice_order_even(const struct advice_candidate *here, const struct advice_candidate *there,
                          double cost)
{
    double even = ceil((cost + there->setup - here->setup) / (here->seconds - there->seconds));
    return here->seconds > there->seconds && even < 0x1p62 ? (even > 0 ? (int64_t)even : 0) : -1;
}

/* Record the gain of another order on one machine. */
static void compare_order(const struct matrix_case *other, const struct pair *pair, struct advice *advice)
{
    const struct reordering *reordering = &other->reordering;
    const struct advice *ours, *theirs;
    pair_take(pair, advice, &ours, &theirs);
    if (!theirs->there || advice->order_count == ADVICE_ORDERS) return;
    const struct advice_candidate *best = &theirs->candidates[0], *here = ours ? &ours->candidates[0] : NULL;
    double cost = reordering->order_seconds + reordering->reorder_seconds;
    struct advice_order *order = &advice->orders[advice->order_count++];
    *order = (struct advice_order){.name = other->order,
                                   .seconds = best->seconds,
                                   .here = here ? here->seconds : NAN,
                                   .measured = best->measured,
                                   .timed = best->timed,
                                   .timed_here = here ? here->timed : NAN,
                                   .saved = here ? 1 - best->seconds / here->seconds : NAN,
                                   .setup = cost,
                                   .permute = reordering->permute_seconds,
                                   .break_even = here ? advice_order_even(here, best, cost) : -1};
    snprintf(order->kernel, sizeof order->kernel, "%s", best->result->name);
}

static void compare_precision(const struct pair *pair, struct advice *advice)
{
    const struct advice *here, *there;
    advice->other_precision = (struct advice_precision){.seconds = NAN, .here = NAN};
    pair_take(pair, advice, &here, &there);
    if (!here) return;
    advice->other_precision = (struct advice_precision){.seconds = there->candidates[0].seconds,
                                                        .here = here->candidates[0].seconds,
                                                        .measured = there->by_measured};
}

/* Only forecasts exist for both states of the caches. */
static enum status compare_caches(const struct session *session, const struct matrix_case *of,
                                  struct advice_question question, struct advices *advices,
                                  struct error *error)
{
    struct advices here = {0}, there = {0};
    struct advice_question other = question;
    other.cold = !question.cold;
    enum status status = advice_of(session, of, question, ADVICE_BY_FORECASTS, &here, error);
    if (status == STATUS_OK) status = advice_of(session, of, other, ADVICE_BY_FORECASTS, &there, error);
    for (int place = 0; place < ADVICE_PLACES && status == STATUS_OK; place++) {
        const struct advice *now = &here.items[place], *then = &there.items[place];
        struct advice_caches *caches = &advices->items[place].other_caches;
        *caches = (struct advice_caches){.seconds = NAN, .here = NAN};
        if (!now->there || !then->there || now->by_measured || then->by_measured) continue;
        *caches = (struct advice_caches){.seconds = then->candidates[0].seconds,
                                         .here = now->candidates[0].seconds};
        snprintf(caches->kernel, sizeof caches->kernel, "%s", then->candidates[0].result->name);
        snprintf(caches->kernel_here, sizeof caches->kernel_here, "%s", now->candidates[0].result->name);
    }
    advices_free(&here);
    advices_free(&there);
    return status;
}

enum status advice_compare_cases(const struct session *session, const struct matrix_case *of,
                                 struct advice_question question, struct advices *advices,
                                 struct error *error)
{
    struct advice_question opposite = question;
    opposite.precision = question.precision == PRECISION_F64 ? PRECISION_F32 : PRECISION_F64;
    enum status status = STATUS_OK;
    for (int k = 0; k <= session->case_count && status == STATUS_OK; k++) {
        const bool reordered = k < session->case_count;
        const struct matrix_case *other = reordered ? &session->cases[k] : of;
        struct pair pair;
        if (reordered && other == of) continue;
        status = pair_find(session, of, question, other, reordered ? question : opposite, &pair, error);
        for (int place = 0; place < ADVICE_PLACES && status == STATUS_OK; place++) {
            struct advice *advice = &advices->items[place];
            if (!advice->there) continue;
            if (reordered)
                compare_order(other, &pair, advice);
            else
                compare_precision(&pair, advice);
        }
        if (status == STATUS_OK) pair_free(&pair);
    }
    return status == STATUS_OK ? compare_caches(session, of, question, advices, error) : status;
}
