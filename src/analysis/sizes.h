/* Sizes of values by position: statistics of the values in each dot of a picture. */
#ifndef SPARSIGHT_ANALYSIS_SIZES_H
#define SPARSIGHT_ANALYSIS_SIZES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* A picture of high x wide dots: dot (y, x) is the dot_rows rows from row0 + y dot_rows on and the dot_cols
 * columns from col0 + x dot_cols on. There are no entries outside the matrix. Row 0 and column 0 are not
 * negative, and dots are at least 1 x 1. */
struct size_dots {
    int64_t row0, col0, dot_rows, dot_cols;
    int high, wide;
};

/* Return the start of dot `index` along an axis, clamped to this number of lines: origin + step index. */
int64_t size_dots_border(int64_t origin, int64_t step, int64_t index, int64_t lines);

/* The work on row i of the matrix: its entries in columns below `right` belong to the picture. `dot` is the
 * number of its leftmost dot, counted by rows of dots. */
typedef void size_dots_row(const struct csr *a, const struct size_dots *dots, int64_t i, int64_t right,
                           size_t dot, const void *into);

/* Call the function for each row of the picture. Rows of dots are shared among threads, so that no two write
 * to the same dot; the rows of one follow each other. `phase` is for the progress. STATUS_CANCELLED. */
enum status size_dots_walk(const struct csr *a, const struct size_dots *dots, size_dots_row *row,
                           const void *into, const char *phase, struct progress *progress,
                           struct error *error);

/* sizes[y wide + x] becomes the largest |a|, or if `sum` the sum of |a|, of the entries of dot (y, x); |a| is
 * the modulus of a complex value. It is 0 if there are none. Values that are NaN are left out. Sums are taken
 * row by row, so that they are the same with any number of threads. Parallel over rows of dots; O(entries in
 * the picture + rows in it log len). STATUS_CANCELLED. */
enum status sizes_of_dots(const struct csr *a, const struct size_dots *dots, bool sum,
                          struct progress *progress, double *sizes, struct error *error);

/* sizes[y wide + x] becomes 1 + the largest class_of[i] of the rows i with an entry in dot (y, x); 0 if there
 * is none. Parallel; the same cost as sizes_of_dots. STATUS_CANCELLED. */
enum status classes_of_dots(const struct csr *a, const struct size_dots *dots, const int32_t *class_of,
                            struct progress *progress, double *sizes, struct error *error);

/* positive[y wide + x] becomes the number of values > 0 in dot (y, x), and negative[...] the number of values
 * < 0. Values that are 0 or NaN count in neither. The matrix is not complex. Parallel; the same cost as
 * sizes_of_dots. STATUS_CANCELLED. */
enum status signs_of_dots(const struct csr *a, const struct size_dots *dots, struct progress *progress,
                          int64_t *positive, int64_t *negative, struct error *error);

#endif
