/* HYB: up to k entries of each row in ELL, the rest in COO (PMPP, section 10.4, figure 10.13). */
#ifndef SPARSIGHT_FORMATS_HYB_H
#define SPARSIGHT_FORMATS_HYB_H

#include "formats/format.h"

struct length_count;

/* The arrays: those of part 0 are ELL's (formats/ell.h), with rows padded to number[HYB_WIDTH]. Those of part
 * 1 have an element for each entry beyond that width, in the order of rows and columns. With k = 2:
 *
 *     row 0   a b | c d        ell    a b        coo_row  0 0 2
 *     row 1   e . |                   e .        coo_val  c d h
 *     row 2   f g | h                 f g
 */
enum { HYB_ELL_COL, HYB_ELL_VAL, HYB_ROW, HYB_COL, HYB_VAL };

/* The parameters; `layout` and `pad` have ELL's values. */
enum { HYB_K, HYB_RULE, HYB_SHARE, HYB_LAYOUT, HYB_PAD };

/* The numbers of the storage: the width of part 0, which is min(k, length of the longest row). */
enum { HYB_WIDTH };

/* The values of the parameter `rule`, which chooses k if it is not given.
 *
 * bytes: the smallest k for which all arrays together take the fewest bytes.
 * third: the largest k such that at least a third of the rows, and at least 4096 rows, have k entries or
 *   more; 0 if there is none. The rule is that of Bell and Garland, "Implementing sparse matrix-vector
 * multiplication on throughput-oriented processors" (SC 2009): they assume that a full ELL is three times as
 * fast as COO, but not faster below 4096 rows.
 * share: the smallest k such that at least `share` of the entries are in part 0. */
enum hyb_rule { HYB_BYTES, HYB_THIRD, HYB_ENTRIES };

/* Return the k that the rule chooses for rows whose lengths the histogram counts (matrix/histogram.h).
 * HYB_BYTES uses `value`, the bytes of a value, and HYB_ENTRIES uses `share`. O(bins). */
int64_t hyb_choose(const struct length_count *histogram, int64_t bins, enum hyb_rule rule, double share,
                   size_t value);

extern const struct format format_hyb;

#endif
