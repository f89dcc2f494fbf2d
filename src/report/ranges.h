/* Histograms for people: the number of rows or columns with a length in each of a few ranges. */
#ifndef SPARSIGHT_REPORT_RANGES_H
#define SPARSIGHT_REPORT_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "analysis/values.h"

/* Maximum number of ranges: one for empty rows, and 32 of doubling width for lengths of 31 bits. */
#define RANGES_MAX 33

/* `count` rows or columns have a length from `first` to `last`. */
struct range {
    int64_t first, last;
    int64_t count;
};

/* Maximum number of ranges of values. */
#define VALUE_RANGES 16

/* Choose the ranges: single lengths if there are few, ranges of equal width if the longest rows are close to
 * the mean, else 0, 1, 2-3, 4-7, ... `ranges` has room for RANGES_MAX of them and is {0}. Returns their
 * number. */
int ranges_of(const struct lengths *lengths, struct range *ranges);

/* Ranges of |a|, whose `first` and `last` are powers of ten: a range has the values with 10^first <= |a| <
 * 10^(last + 1). `ranges` has room for VALUE_RANGES of them. Returns their number, 0 if all values are 0 or
 * not finite. */
int ranges_of_values(const struct values *values, struct range *ranges);

/* Write the beginning of a range of |a|, "1e-3". */
char *value_range_name(const struct range *range, char *out, size_t size);

/* Write a range as "7" or "1,024-2,047" into out (size bytes; 72 suffice), and return out. */
char *range_name(const struct range *range, char *out, size_t size);

#endif
