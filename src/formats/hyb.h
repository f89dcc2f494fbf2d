/* HYB: up to k entries of each row in ELL, the rest in COO (PMPP section 10.4, figure 10.13). */
#ifndef SPARSIGHT_FORMATS_HYB_H
#define SPARSIGHT_FORMATS_HYB_H

#include "formats/format.h"

struct length_count;

/* Part 0 is as ELL's arrays (formats/ell.h), rows padded to number[HYB_WIDTH]; part 1 has an element for each
 * entry beyond that, in the order of rows. */
enum { HYB_ELL_COL, HYB_ELL_VAL, HYB_ROW, HYB_COL, HYB_VAL };

/* Parameters; `layout` and `pad` have ELL's values. */
enum { HYB_K, HYB_RULE, HYB_SHARE, HYB_LAYOUT, HYB_PAD };

/* Numbers: the width of part 0, which is k, or the length of the longest row if that is less. */
enum { HYB_WIDTH };

/* Values of `rule`: how k is chosen where it is not given.
 *
 * bytes: the least k for which all arrays together take the fewest bytes.
 * third: the largest k such that at least a third of the rows, and at least 4096 rows, have k entries or
 *   more; 0 if there is none. Bell and Garland, "Implementing sparse matrix-vector multiplication on
 *   throughput-oriented processors" (SC 2009), who take a full ELL to be three times as fast as COO, and no
 *   faster below 4096 rows.
 * share: the least k such that at least `share` of the entries are in part 0. */
enum hyb_rule { HYB_BYTES, HYB_THIRD, HYB_ENTRIES };

/* The k that the rule chooses for rows whose lengths the histogram counts (matrix/histogram.h). `value` is
 * the bytes of a value, for bytes; `share` is for share. O(bins). */
int64_t hyb_choose(const struct length_count *histogram, int64_t bins, enum hyb_rule rule, double share,
                   size_t value);

extern const struct format format_hyb;

#endif
