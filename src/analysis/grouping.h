/* A grouping: the parts of a matrix by size, and the part to which each dot of a picture belongs. */
#ifndef SPARSIGHT_ANALYSIS_GROUPING_H
#define SPARSIGHT_ANALYSIS_GROUPING_H

#include <stdint.h>

#include "analysis/sizes.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/graphs/parts.h"

/* The rows and columns of a part, and its rank by size: 0 is the largest. Of parts with as many rows and
 * columns together, the one with the first row of the natural order comes first. */
struct part {
    int32_t rows, cols, rank;
};

/* Owned; grouping_free takes {0}. */
struct grouping {
    struct parts parts;
    struct part *part; /* parts.count, by number */
    int32_t *ranked;   /* the numbers of the parts, by rank */
};

/* Find the parts of a matrix and sort them by size. `natural` maps each row to its row in the natural order
 * (permutation_rows); NULL: the same. Costs what parts_find does, and O(p log p) for p parts; fails as it
 * does. On failure *grouping is {0}. */
enum status grouping_make(const struct csr *a, enum parting parting, bool symmetric, const int32_t *natural,
                          struct progress *progress, struct grouping *grouping, struct error *error);

/* Return the bytes that grouping_make takes at its peak, including the result. */
size_t grouping_bytes(const struct csr *a, enum parting parting);

void grouping_free(struct grouping *grouping);

/* The contents of a dot: the number of the part that has all of its entries, or one of these. */
enum { DOT_EMPTY = -1, DOT_BETWEEN = -2, DOT_MIXED = -3 };

/* Return the contents of two dots together. */
static inline int32_t dot_joined(int32_t a, int32_t b)
{
    return a == b || b == DOT_EMPTY ? a : a == DOT_EMPTY ? b : DOT_MIXED;
}

/* of_dot[y wide + x] becomes the part that all entries of the dot lie in, DOT_EMPTY if it has none,
 * DOT_BETWEEN if all of them lie between parts, and DOT_MIXED otherwise. Parallel over rows of dots;
 * O(entries in the picture + rows in it log len). STATUS_CANCELLED. */
enum status grouping_dots(const struct csr *a, const struct parts *parts, const struct size_dots *dots,
                          struct progress *progress, int32_t *of_dot, struct error *error);

#endif
