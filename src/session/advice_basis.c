/* The choice of the times by which candidates are compared, and the order by these. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "session/advice_parts.h"

double advice_forecast(const struct advice_candidate *candidate)
{
    return candidate->prediction ? candidate->prediction->seconds : NAN;
}

double advice_ratio(const struct advice_candidate *candidate, const struct advice_candidate *other,
                    bool *measured)
{
    *measured = candidate->timed > 0 && other->timed > 0;
    if (*measured) return candidate->timed / other->timed;
    return advice_forecast(candidate) / advice_forecast(other);
}

static void take_measured(struct advice_candidate *candidate)
{
    const struct samples *samples = &candidate->result->samples;
    candidate->measured = true;
    candidate->seconds = candidate->timed;
    candidate->low = samples->low;
    candidate->high = samples->high;
    candidate->like = false;
}

static void take_forecast(struct advice_candidate *candidate)
{
    const struct prediction *prediction = candidate->prediction;
    candidate->measured = false;
    candidate->seconds = prediction->seconds;
    candidate->low = prediction->low;
    candidate->high = prediction->high;
    candidate->like = prediction->like[0] != 0;
}

static void take_all(struct advice *advice, bool measured)
{
    for (int k = 0; k < advice->count; k++) {
        struct advice_candidate *candidate = &advice->candidates[k];
        bool timed = candidate->timed > 0;
        candidate->compared = measured ? timed : candidate->prediction != NULL;
        if (candidate->compared ? measured : timed)
            take_measured(candidate);
        else
            take_forecast(candidate);
    }
}

/* Return the measured candidate with the shortest measured time, or with the shortest forecast; NULL if there
 * is none. */
static const struct advice_candidate *fastest_timed(const struct advice *advice, bool by_forecast)
{
    const struct advice_candidate *fastest = NULL;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *one = &advice->candidates[k];
        if (!(one->timed > 0) || (by_forecast && !one->prediction)) continue;
        if (!fastest ||
            (by_forecast ? advice_forecast(one) < advice_forecast(fastest) : one->timed < fastest->timed))
            fastest = one;
    }
    return fastest;
}

static bool tied_by(const struct advice_candidate *a, const struct advice_candidate *b, bool measured)
{
    struct advice_candidate one = *a, two = *b;
    measured ? take_measured(&one) : take_forecast(&one);
    measured ? take_measured(&two) : take_forecast(&two);
    return advice_tied_alone(&one, &two);
}

/* True if both have forecasts, and by these the first is faster and not tied. */
static bool forecast_faster(const struct advice_candidate *one, const struct advice_candidate *other)
{
    return one->prediction && other->prediction && advice_forecast(one) < advice_forecast(other) &&
           !tied_by(one, other, false);
}

/* Return the measured candidate whose forecast represents all measured ones. It is the fastest one with a
 * measured time, if it has a forecast, else the one with the shortest forecast. */
static const struct advice_candidate *reference(const struct advice *advice)
{
    const struct advice_candidate *fastest = fastest_timed(advice, false);
    return fastest && fastest->prediction ? fastest : fastest_timed(advice, true);
}

static bool measured_suffices(const struct advice *advice)
{
    const struct advice_candidate *known = reference(advice);
    bool csr = false, csr_timed = false, better = false;
    for (int k = 0; k < advice->count; k++) {
        const struct advice_candidate *candidate = &advice->candidates[k];
        bool timed = candidate->timed > 0;
        csr = csr || candidate->csr;
        csr_timed = csr_timed || (candidate->csr && timed);
        better = better || (!timed && known && forecast_faster(candidate, known));
    }
    if (!known) return fastest_timed(advice, false) != NULL;
    return !better && (csr_timed || !csr);
}

/* Leave out candidates whose forecast is shorter than that of the fastest measured one, but whose measured
 * time is longer. */
static void leave_refuted(struct advice *advice)
{
    const struct advice_candidate *fastest = fastest_timed(advice, false);
    for (int k = 0; fastest && fastest->prediction && k < advice->count; k++) {
        struct advice_candidate *candidate = &advice->candidates[k];
        if (!(candidate->timed > fastest->timed) || tied_by(candidate, fastest, true) ||
            !forecast_faster(candidate, fastest))
            continue;
        take_measured(candidate);
        candidate->compared = false;
    }
}

/* Compared candidates come first, sorted by time. At equal times, forecasts of the kernel itself precede
 * those by a similar kernel, and then smaller setups precede larger ones. */
static int compare(const void *a, const void *b)
{
    const struct advice_candidate *one = a, *two = b;
    if (one->compared != two->compared) return one->compared ? -1 : 1;
    if (one->seconds != two->seconds) return one->seconds < two->seconds ? -1 : 1;
    if (one->like != two->like) return one->like ? 1 : -1;
    if (one->setup != two->setup) return one->setup < two->setup ? -1 : 1;
    return strcmp(one->result->name, two->result->name);
}

void advice_compare_by(struct advice *advice, enum advice_basis basis)
{
    bool measured = basis == ADVICE_BY_MEASURED || (basis == ADVICE_BY_EITHER && measured_suffices(advice));
    take_all(advice, measured);
    if (!measured) leave_refuted(advice);
    qsort(advice->candidates, (size_t)advice->count, sizeof *advice->candidates, compare);
    advice->by_measured = measured;
    advice->compared = advice->measured = 0;
    for (int k = 0; k < advice->count; k++) {
        advice->compared += advice->candidates[k].compared;
        advice->measured += advice->candidates[k].timed > 0;
    }
}
