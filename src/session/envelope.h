/* The best candidate of an advice as a function of the number of products: the lower envelope of their
 * times. */
#ifndef SPARSIGHT_SESSION_ENVELOPE_H
#define SPARSIGHT_SESSION_ENVELOPE_H

#include "session/advice.h"

/* The maximum number of products considered. */
#define EVEN_MOST 1e6

/* The seconds of this number of products, setup included: setup + products x seconds. */
double advice_total(const struct advice_candidate *candidate, double products);

/* The number of products from which b is at least as fast as a, while a is faster for fewer; INFINITY: never.
 * Both times and setups are known. */
double advice_crossing(const struct advice_candidate *a, const struct advice_candidate *b);

#define EVEN_CURVES 6

/* Candidates on the lower envelope of the totals, by increasing number of products: items[k] is best from
 * `from[k]` products on. Returns their number, at most EVEN_CURVES. */
int advice_envelope(const struct advice *advice, int items[EVEN_CURVES], double from[EVEN_CURVES]);

#endif
