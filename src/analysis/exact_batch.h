/* Adding many numbers to exact sums at once. The sums are the same as if exact_add were called for each. */
#ifndef SPARSIGHT_ANALYSIS_EXACT_BATCH_H
#define SPARSIGHT_ANALYSIS_EXACT_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/exact.h"

/* Maximum number of numbers in one call. */
#define EXACT_BATCH 1024

/* Add the sizes, |a|, of `count` finite numbers, and their squares, and return true; zeros are skipped.
 * `least` and `most` are the smallest and the largest of the other sizes. Returns false and adds nothing
 * unless 2^-400 < least <= most < 2^400 and most / least < 2^16. */
bool exact_add_batch(struct exact *sums, const double *val, int64_t count, double least, double most);

#endif
