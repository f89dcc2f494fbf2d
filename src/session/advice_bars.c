#include "session/advice_bars.h"

#include <math.h>
#include <string.h>

#include "analysis/forecast/explain.h"

const char *advice_role_word(enum advice_role role)
{
    return role == ROLE_ADVISED     ? "advised"
           : role == ROLE_RUNNER_UP ? "runner-up"
           : role == ROLE_CSR       ? "CSR"
           : role == ROLE_COMPARED  ? "compared"
                                    : "library";
}

/* Add a bar, or if a bar has this name, its role. */
static void add(const struct advice *advice, enum advice_role role, int candidate, const char *name,
                const char *like, struct advice_bar bars[ADVICE_BARS], int *count)
{
    const struct advice_candidate *of = &advice->candidates[candidate];
    for (int k = 0; k < *count; k++)
        if (strcmp(bars[k].name, name) == 0) {
            bars[k].roles |= role;
            return;
        }
    struct advice_bar *bar = &bars[(*count)++];
    *bar = (struct advice_bar){.roles = role,
                               .candidate = candidate,
                               .name = name,
                               .like = like,
                               .prediction = of->prediction,
                               .forecast = advice_forecast(of),
                               .timed = like[0] ? NAN : of->timed};
    if (of->prediction) bar->rest = explain_whole(of->prediction, bar->share);
}

/* Add the bar of the library. Its kernel is a candidate, or is forecast from one. */
static void add_library(const struct advice *advice, struct advice_bar bars[ADVICE_BARS], int *count)
{
    const struct advice_library *library = &advice->library;
    for (int k = 0; k < advice->count && library->kernel; k++)
        if (strcmp(advice->candidates[k].result->name, library->name) == 0) {
            add(advice, ROLE_LIBRARY, k, library->name, "", bars, count);
            return;
        }
    for (int k = 0; k < advice->count && library->kernel; k++)
        if (strcmp(advice->candidates[k].result->full_name, library->like) == 0 &&
            advice->candidates[k].prediction) {
            add(advice, ROLE_LIBRARY, k, library->name, library->like, bars, count);
            return;
        }
}

int advice_bars(const struct advice *advice, struct advice_bar bars[ADVICE_BARS])
{
    const struct {
        enum advice_role role;
        int candidate; /* 0 is the recommended candidate, -1 none */
    } picks[] = {{ROLE_ADVISED, advice->best},
                 {ROLE_RUNNER_UP, advice->compared > 1 ? 1 : -1},
                 {ROLE_CSR, advice->csr},
                 {ROLE_COMPARED, advice->why.rival}};
    int count = 0;
    for (size_t k = 0; k < sizeof picks / sizeof *picks; k++)
        if (picks[k].candidate >= 0)
            add(advice, picks[k].role, picks[k].candidate,
                advice->candidates[picks[k].candidate].result->name, "", bars, &count);
    add_library(advice, bars, &count);
    return count;
}

bool advice_bars_have(const struct advice_bar *bars, int count, enum bound bound, double least)
{
    for (int k = 0; k < count; k++)
        if (bars[k].prediction && bars[k].share[bound] > 0 &&
            bars[k].share[bound] >= least * bars[k].forecast)
            return true;
    return false;
}

double advice_bar_seconds(const struct advice_bar *bar)
{
    return isnan(bar->forecast) ? bar->timed : bar->forecast;
}
