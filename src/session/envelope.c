#include "session/envelope.h"

#include <math.h>

double advice_total(const struct advice_candidate *candidate, double products)
{
    return candidate->setup + products * candidate->seconds;
}

double advice_crossing(const struct advice_candidate *a, const struct advice_candidate *b)
{
    if (!(b->seconds < a->seconds)) return INFINITY;
    return fmax(1, (b->setup - a->setup) / (a->seconds - b->seconds));
}

/* Return the candidate that is the first to overtake `best` after `from` products; *at becomes the number of
 * products. If several do so at once, it is the one with the fastest product. -1 if none does. */
static int successor(const struct advice *advice, int best, double from, double *at)
{
    int next = -1;
    for (int k = 0; k < advice->compared; k++) {
        double crossing = advice_crossing(&advice->candidates[best], &advice->candidates[k]);
        if (!(crossing < INFINITY)) continue;
        crossing = fmax(crossing, from);
        if (next >= 0 && (crossing > *at || (crossing == *at && advice->candidates[k].seconds >=
                                                                    advice->candidates[next].seconds)))
            continue;
        next = k;
        *at = crossing;
    }
    return next;
}

int advice_envelope(const struct advice *advice, int items[EVEN_CURVES], double from[EVEN_CURVES])
{
    int count = 0;
    if (advice->compared == 0) return 0;
    items[0] = 0;
    from[0] = 1;
    for (int k = 1; k < advice->compared; k++) {
        double time = advice_total(&advice->candidates[k], 1),
               least = advice_total(&advice->candidates[items[0]], 1);
        if (time < least) items[0] = k;
    }
    for (count = 1; count < EVEN_CURVES; count++) {
        int next = successor(advice, items[count - 1], from[count - 1], &from[count]);
        if (next < 0 || from[count] > EVEN_MOST) break;
        items[count] = next;
    }
    return count;
}
