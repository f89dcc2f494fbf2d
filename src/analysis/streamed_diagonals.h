/* The set of the diagonals that have an entry, of a matrix whose entries come by once. Only streamed.c uses
 * this. */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_DIAGONALS_H
#define SPARSIGHT_ANALYSIS_STREAMED_DIAGONALS_H

#include <stdint.h>

#include "matrix/relay.h"

/* Add the diagonals of entries, j - i + rows - 1, to a set (base/set.h). One thread at a time. */
void streamed_diagonals_take(uint64_t *set, int64_t rows, const struct entries *entries);

#endif
