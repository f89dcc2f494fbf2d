/* The number of blocks of BSR, estimated from the rows of an excerpt (analysis/forecast/excerpt.h). */
#ifndef SPARSIGHT_ANALYSIS_BLOCK_SAMPLE_H
#define SPARSIGHT_ANALYSIS_BLOCK_SAMPLE_H

#include <stdint.h>

#include "analysis/forecast/excerpt.h"
#include "matrix/skeleton.h"

/* Estimate the number of nonempty blocks of size x size positions in a matrix of excerpt->rows.cols columns,
 * whose `rows` rows have the offsets row_ptr. The block rows are divided into classes by their numbers of
 * entries, which are known of all. In each class the blocks an entry of the kept block rows stand for those
 * of the others (a ratio estimate after stratification: Cochran, Sampling Techniques, 1977, section 6.10).
 * The interval is that of groups of rows, which are kept or not as a whole. Each class adds a part of half
 * the range of its possible numbers, all of it if no block row is kept. The error is 0 if all rows are kept.
 * O(rows / size + kept entries). */
struct skeleton_blocks block_sample(const struct excerpt *excerpt, const int64_t *row_ptr, int64_t rows,
                                    int64_t size);

#endif
