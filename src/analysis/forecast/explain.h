/* The reason why one product takes longer than another: the difference of their forecasts, divided among the
 * terms of the model. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_EXPLAIN_H
#define SPARSIGHT_ANALYSIS_FORECAST_EXPLAIN_H

#include <stdbool.h>

#include "kernels/prediction.h"

/* The named terms account for at least this share of a difference. */
#define EXPLAIN_LEAST (2.0 / 3)

/* A difference and the share of each term, in seconds. Positive: the other product takes longer. */
struct explanation {
    double difference;    /* of the two forecasts: the sum of all shares and of `rest` */
    double share[BOUNDS]; /* the share of each term */
    double rest; /* the share of no term: nonzero for saved forecasts of another version of the model */
};

/* Divide the difference between `other` and `base`, two forecasts for one machine, among the terms. Terms
 * overlap (struct combination): a difference of one term counts less if others hide it more. With terms u of
 * the base and v of the other, term k has
 *
 *     (v_k - u_k) x integral over t from 0 to 1 of dT/dterm_k at u + t (v - u)
 *
 * of T(v) - T(u), where q goes from that of the base to that of the other, and the effect of this change is
 * added to the terms that overlap. With one q, this is the cost sharing of Aumann and Shapley (Values of
 * Non-Atomic Games, Princeton University Press 1974) between two points: shares add up to the difference, a
 * term that is the same in both has none of it, and the order of the terms has no effect; Billera and Heath
 * (Allocation of shared costs: a set of axioms yielding a unique procedure, Mathematics of Operations
 * Research 7, 1982) show that no other division does all of this and is linear in T. Machine learning knows
 * it as integrated gradients (Sundararajan, Taly and Yan, Axiomatic attribution for deep networks, ICML
 * 2017). Returns false without dividing unless both forecasts exist and are for one machine. O(1). */
bool explain(const struct prediction *base, const struct prediction *other, struct explanation *explanation);

/* Divide the time of one forecast among its terms, which overlap. Term k has
 *
 *     u_k x dT/dterm_k at u
 *
 * By Euler's theorem these shares add up to T(u), since T grows in proportion to all terms together; and they
 * are the division above between no time and u. Returns the share of no term: nonzero for a saved forecast of
 * another version of the model. O(1). */
double explain_whole(const struct prediction *prediction, double share[BOUNDS]);

/* Write the terms that must be named for `difference`, those with the largest shares first, and return their
 * number. It is the smallest with which the absolute shares of all others add up to at most a third of the
 * difference: then the named ones add up to 2/3 to 4/3 of it. 0 if this is impossible: `rest` is too large,
 * or the measured difference is not that of the terms. */
int explanation_name(const struct explanation *explanation, double difference, enum bound named[BOUNDS]);

#endif
