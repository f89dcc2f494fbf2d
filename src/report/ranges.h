/* Histograms for people: how many rows or columns have a length in each of a few ranges. */
#ifndef SPARSIGHT_REPORT_RANGES_H
#define SPARSIGHT_REPORT_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"
#include "analysis/values.h"

/* The most ranges there are: one for empty rows, and 32 that double for lengths of 31 bits. */
#define RANGES_MAX 33

/* `count` rows or columns have a length from `first` to `last`. */
struct range {
    int64_t first, last;
    int64_t count;
};

/* The most ranges of values there are. */
#define VALUE_RANGES 16

/* Ranges that tell most: each length on its own if there are few, ranges of equal width if the longest rows
 * are not far from the mean, else 0, 1, 2-3, 4-7, ... `ranges` has room for RANGES_MAX of them and is {0}.
 * Returns how many there are. */
int ranges_of(const struct lengths *lengths, struct range *ranges);

/* Ranges of |a|, whose `first` and `last` are powers of ten: a range has the values with 10^first <= |a| <
 * 10^(last + 1). `ranges` has room for VALUE_RANGES of them. Returns how many there are, 0 if all values are
 * 0 or not finite. */
int ranges_of_values(const struct values *values, struct range *ranges);

/* Write where a range of |a| begins, "1e-3". */
char *value_range_name(const struct range *range, char *out, size_t size);

/* Write a range as "7" or "1,024-2,047" into out (size bytes; 72 suffice), and return out. */
char *range_name(const struct range *range, char *out, size_t size);

#endif
