/* Which of the candidates of an advice is best for how many products: the lower envelope of their times. */
#ifndef SPARSIGHT_SESSION_ENVELOPE_H
#define SPARSIGHT_SESSION_ENVELOPE_H

#include "session/advice.h"

/* More products are not looked at. */
#define EVEN_MOST 1e6

/* The seconds of so many products, with what comes before the first: setup + products x seconds. */
double advice_total(const struct advice_candidate *candidate, double products);

/* From so many products on b takes no longer than a does, which takes less for fewer; INFINITY if it never
 * does. Both times and setups are known. */
double advice_crossing(const struct advice_candidate *a, const struct advice_candidate *b);

#define EVEN_CURVES 6

/* Candidates whose totals no other one is below, in the order of products: `from[k]` is the number of
 * products from which on items[k] is best. Returns how many, EVEN_CURVES at most. */
int advice_envelope(const struct advice *advice, int items[EVEN_CURVES], double from[EVEN_CURVES]);

#endif
