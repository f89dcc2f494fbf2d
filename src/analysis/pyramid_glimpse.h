/* The pattern pyramid of the entries that a glimpse has counted, for drawing a matrix while it is read. */
#ifndef SPARSIGHT_ANALYSIS_PYRAMID_GLIMPSE_H
#define SPARSIGHT_ANALYSIS_PYRAMID_GLIMPSE_H

#include "analysis/pyramid.h"
#include "base/error.h"
#include "matrix/glimpse.h"

/* Make the pyramid of the present counts. glimpse_begun must be true. *pyramid is {0}, or that of an earlier
 * call for the same glimpse, whose memory is used again. STATUS_MEMORY. The caller frees it with
 * pyramid_free. O(cells). */
enum status pyramid_of_glimpse(const struct glimpse *glimpse, struct pyramid *pyramid, struct error *error);

#endif
