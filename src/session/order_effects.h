/* The effects of the session's orders on products, next to each other: the table of Advice and of the list
 * of orders. */
#ifndef SPARSIGHT_SESSION_ORDER_EFFECTS_H
#define SPARSIGHT_SESSION_ORDER_EFFECTS_H

#include "session/advice.h"
#include "session/session.h"

/* The effect of one order, on one machine. All times are of the same kind in all orders: measured, if
 * measurements suffice for the advice in each order (advice_basis.c), else forecasts. */
struct order_effect {
    const struct matrix_case *of; /* the case in this order */
    bool natural;                 /* it is that of the source */
    int64_t bandwidth, profile; /* the larger of its two bandwidths, and its profile; -1: not computed yet */
    bool there;                 /* a time of this kind is known; else the next ones are not */
    bool measured;
    char kernel[CHOICE_NAME]; /* the best one in this order */
    double seconds;           /* of its product */
    double times;             /* of it, times as long as the best one's in the natural order; NaN: unknown */
    double setup;             /* seconds for finding and making the order; 0 for the natural one */
    double permute;           /* seconds for permuting x and y for one product, if each product needs that */
    int64_t break_even;       /* products after which the order has paid off, if x and y stay permuted; -1:
                                 never, or unknown */
};

/* The effects of all cases of the session. */
struct order_effects {
    struct order_effect items[SESSION_CASES]; /* of the session's cases, the natural one first */
    int count;
};

/* Find them for this machine. STATUS_MEMORY. */
enum status order_effects_find(const struct session *session, struct advice_question question,
                               enum advice_place place, struct order_effects *effects, struct error *error);

/* Write the effect of an order in a sentence: "rcm: 6% faster; worth it only if x and y stay permuted." For
 * the natural order "". Returns out. */
#define ORDER_SENTENCE 320
char *order_effect_say(const struct order_effect *effect, char out[ORDER_SENTENCE]);

/* A number that changes whenever the effects may change: runs, forecasts or cases were added. */
int64_t order_effects_state(const struct session *session, struct advice_question question);

#endif
