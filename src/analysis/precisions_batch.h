/* Rounding many values at once, for precisions.c and precisions_scaled.c alone. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_BATCH_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_BATCH_H

#include <stdint.h>

#include "analysis/precisions.h"

/* Maximum number of values in one call. */
#define PRECISION_BATCH 256

/* The stored parts of values, the largest first, and their sums. */
struct rounded_batch {
    double part[NUMBER_PARTS_MAX][PRECISION_BATCH];
    double stored[PRECISION_BATCH];
};

/* Round `count` values, and add their counts to *rounded. Values that are not finite have undefined parts and
 * are not counted. */
void precisions_round(const struct number_type *type, const struct rounding *rounding, const double *val,
                      int64_t count, struct rounded_batch *batch, struct rounded *rounded);

/* Return the number of finite values. */
int64_t precisions_finite(const double *val, int64_t count);

/* Add the counts of other values to *to. */
static inline void rounded_join(struct rounded *to, const struct rounded *from)
{
    to->exact += from->exact;
    to->infinite += from->infinite;
    to->zero += from->zero;
    to->subnormal += from->subnormal;
    if (from->largest > to->largest) to->largest = from->largest;
}

/* Set precisions->type[..].scaled of the types with `scaling`. Allocates 4 bytes per column. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status precisions_scale(const struct csr *a, struct progress *progress, struct precisions *precisions,
                             struct error *error);

#endif
