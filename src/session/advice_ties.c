/* The comparison of two candidates by their intervals, and their break-even numbers of products. */
#include <math.h>

#include "analysis/forecast/interval.h"
#include "session/advice.h"

/* The interval of the ratio of the times of a product. For two forecasts it is narrower than their own
 * intervals imply because their errors are correlated (interval_of_ratio). Otherwise it is that of all ratios
 * of times within the two intervals. */
static void ratio_of(const struct advice_candidate *a, const struct advice_candidate *b, double *low,
                     double *high)
{
    if (!a->measured && !b->measured)
        interval_of_ratio(a->prediction, b->prediction, low, high);
    else {
        *low = a->low / b->high;
        *high = a->high / b->low;
    }
}

double advice_seconds(const struct advice_candidate *candidate, int64_t products)
{
    return candidate->setup + (double)products * candidate->seconds;
}

/* If b takes its time, a takes `low` to `high` times as long. They are tied if, with the setups, either may
 * be faster. */
bool advice_tied(const struct advice_candidate *a, const struct advice_candidate *b, int64_t products)
{
    double low, high, all = (double)products * b->seconds, setup = a->setup - b->setup;
    ratio_of(a, b, &low, &high);
    return setup + all * low <= all && setup + all * high >= all;
}

bool advice_tied_alone(const struct advice_candidate *a, const struct advice_candidate *b)
{
    struct advice_candidate one = *a, two = *b;
    one.setup = two.setup = 0;
    return advice_tied(&one, &two, 1);
}

bool advice_prefers(const struct advice_candidate *csr, const struct advice_candidate *other,
                    int64_t products)
{
    if (!advice_tied(csr, other, products)) return false;
    if (csr->measured && other->measured) return true;
    return advice_seconds(csr, products) <= advice_seconds(other, products);
}

/* Return the number of products after which the gain per product has paid off a cost; 0: before the first;
 * -1: never. */
static int64_t paid_off(double cost, double gain)
{
    if (cost <= 0) return gain >= 0 ? 0 : -1;
    double products = ceil(cost / gain);
    return gain > 0 && products < 0x1p62 ? (int64_t)products : -1;
}

int64_t advice_break_even(const struct advice_candidate *candidate, const struct advice_candidate *other)
{
    return paid_off(candidate->setup - other->setup, other->seconds - candidate->seconds);
}

void advice_break_even_ends(const struct advice_candidate *candidate, const struct advice_candidate *other,
                            int64_t *low, int64_t *high)
{
    const double cost = candidate->setup - other->setup;
    double least, most;
    ratio_of(candidate, other, &least, &most);
    *low = paid_off(cost, other->seconds * (1 - least));
    *high = paid_off(cost, other->seconds * (1 - most));
}
