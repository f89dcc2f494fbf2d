#include "session/order_effects.h"

#include <math.h>
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "session/advice_parts.h"

/* A smaller relative difference counts as none. */
#define SAME 0.01

/* Find the advice of all cases. *all becomes false if a case has none by times of this kind. */
static enum status advise_all(const struct session *session, struct advice_question question,
                              enum advice_place place, enum advice_basis basis,
                              struct advices advices[SESSION_CASES], bool *all, struct error *error)
{
    enum status status = STATUS_OK;
    *all = true;
    for (int k = 0; k < session->case_count && status == STATUS_OK; k++) {
        const struct advice *advice = &advices[k].items[place];
        advices_free(&advices[k]);
        status = advice_of(session, &session->cases[k], question, basis, &advices[k], error);
        *all = *all && advice->there && (basis == ADVICE_BY_FORECASTS || advice->by_measured);
    }
    return status;
}

static void fill_structure(struct order_effect *effect)
{
    const struct structure *structure = &effect->of->structure;
    effect->bandwidth = effect->profile = -1;
    if (!case_has(effect->of, SESSION_STRUCTURE)) return;
    effect->bandwidth = max(structure->lower_bandwidth, structure->upper_bandwidth);
    effect->profile = structure->profile;
}

static void fill(const struct session *session, enum advice_place place,
                 const struct advices advices[SESSION_CASES], struct order_effects *effects)
{
    const struct advice *natural = &advices[0].items[place];
    effects->count = session->case_count;
    for (int k = 0; k < effects->count; k++) {
        const struct advice *advice = &advices[k].items[place];
        const struct reordering *reordering = &session->cases[k].reordering;
        struct order_effect *effect = &effects->items[k];
        *effect = (struct order_effect){.of = &session->cases[k],
                                        .natural = k == 0,
                                        .there = advice->there,
                                        .seconds = NAN,
                                        .times = NAN,
                                        .setup = reordering->order_seconds + reordering->reorder_seconds,
                                        .permute = reordering->permute_seconds,
                                        .break_even = -1};
        fill_structure(effect);
        if (!advice->there) continue;
        const struct advice_candidate *best = &advice->candidates[0];
        effect->measured = best->measured;
        effect->seconds = best->seconds;
        snprintf(effect->kernel, sizeof effect->kernel, "%s", best->result->name);
        if (!natural->there) continue;
        effect->times = best->seconds / natural->candidates[0].seconds;
        if (k > 0) effect->break_even = advice_order_even(&natural->candidates[0], best, effect->setup);
    }
}

enum status order_effects_find(const struct session *session, struct advice_question question,
                               enum advice_place place, struct order_effects *effects, struct error *error)
{
    struct advices advices[SESSION_CASES] = {0};
    bool all;
    question.early = false; /* the best of some kernels in one order is not comparable with the best of all
                               kernels in another */
    *effects = (struct order_effects){.count = 0};
    enum status status = advise_all(session, question, place, ADVICE_BY_EITHER, advices, &all, error);
    if (status == STATUS_OK && !all)
        status = advise_all(session, question, place, ADVICE_BY_FORECASTS, advices, &all, error);
    if (status == STATUS_OK) fill(session, place, advices, effects);
    for (int k = 0; k < SESSION_CASES; k++)
        advices_free(&advices[k]);
    return status;
}

int64_t order_effects_state(const struct session *session, struct advice_question question)
{
    int64_t state = session->case_count;
    for (int k = 0; k < session->case_count; k++) {
        const struct matrix_case *of = &session->cases[k];
        const struct foresight *foresight = case_foresight(of, question.precision, question.product);
        const bool complete = foresight_complete(foresight);
        state = state * 31 + of->runs.added;
        state = state * 31 + of->runs.count;
        state = state * 31 + (complete ? foresight->version + 1 : 0);
        state = state * 31 + case_has(of, SESSION_STRUCTURE);
        state %= (int64_t)1 << 40;
    }
    return state;
}

/* Write after how many products the order has paid off; "" if it never does. */
static void say_break_even(const struct order_effect *effect, char *out, size_t size)
{
    char count[32], setup[32];
    out[0] = 0;
    if (effect->break_even < 0) return;
    snprintf(out, size, " Reordering takes %s and pays off after %s products.",
             format_seconds(setup, sizeof setup, effect->setup),
             format_count(count, sizeof count, effect->break_even));
}

char *order_effect_say(const struct order_effect *effect, char out[ORDER_SENTENCE])
{
    const char *name = effect->of->order;
    const double saved = 1 - effect->times, natural = effect->seconds / effect->times;
    char share[32], even[128], permute[32];
    out[0] = 0;
    if (effect->natural) return out;
    format_rough(share, sizeof share, fabs(saved));
    say_break_even(effect, even, sizeof even);
    if (!effect->there)
        snprintf(out, ORDER_SENTENCE, "%s: not measured and not forecast yet.", name);
    else if (isnan(effect->times))
        snprintf(out, ORDER_SENTENCE, "%s: not comparable with the natural order.", name);
    else if (fabs(saved) < SAME)
        snprintf(out, ORDER_SENTENCE, "%s: as fast as the natural order.", name);
    else if (saved < 0)
        snprintf(out, ORDER_SENTENCE, "%s: %s slower.", name, share);
    else if (effect->permute >= natural - effect->seconds)
        snprintf(out, ORDER_SENTENCE, "%s: %s faster, worth it only if x and y stay permuted.%s", name, share,
                 even);
    else
        snprintf(out, ORDER_SENTENCE, "%s: %s faster, even if x and y are permuted for each product (%s).%s",
                 name, share, format_seconds(permute, sizeof permute, effect->permute), even);
    return out;
}
