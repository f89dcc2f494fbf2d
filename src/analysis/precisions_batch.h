/* Rounding many values at once, for precisions.c and precisions_scaled.c alone. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_BATCH_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_BATCH_H

#include <stdint.h>

#include "analysis/precisions.h"

/* Maximum number of values in one call. */
#define PRECISION_BATCH 256

/* The parts that are stored for values, the first one first, and their sums. */
struct rounded_batch {
    double part[NUMBER_PARTS_MAX][PRECISION_BATCH];
    double stored[PRECISION_BATCH];
};

/* Round `count` values. Their counts are added to *rounded. Values that are not finite have undefined parts
 * and are not counted. */
void precisions_round(const struct number_type *type, const struct rounding *rounding, const double *val,
                      int64_t count, struct rounded_batch *batch, struct rounded *rounded);

/* Return how many of the values are finite. */
int64_t precisions_finite(const double *val, int64_t count);

/* Add the findings in other values to *to. */
static inline void rounded_join(struct rounded *to, const struct rounded *from)
{
    to->exact += from->exact;
    to->infinite += from->infinite;
    to->zero += from->zero;
    to->subnormal += from->subnormal;
    if (from->largest > to->largest) to->largest = from->largest;
}

/* Let precisions->type[..].scaled be the findings after scaling, of the types with `scaling`. Allocates 4
 * bytes a column. STATUS_MEMORY, STATUS_CANCELLED. */
enum status precisions_scale(const struct csr *a, struct progress *progress, struct precisions *precisions,
                             struct error *error);

#endif
