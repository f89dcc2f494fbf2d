/* Histograms for people: how many rows or columns have a length in each of a few ranges. */
#ifndef SPARSIGHT_REPORT_RANGES_H
#define SPARSIGHT_REPORT_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* The most ranges there are: one for empty rows, and 32 that double for lengths of 31 bits. */
#define RANGES_MAX 33

/* `count` rows or columns have a length from `first` to `last`. */
struct range {
    int64_t first, last;
    int64_t count;
};

/* Ranges that tell most: each length on its own if there are few, ranges of equal width if the longest rows
 * are not far from the mean, else 0, 1, 2-3, 4-7, ... `ranges` has room for RANGES_MAX of them and is {0}.
 * Returns how many there are. */
int ranges_of(const struct lengths *lengths, struct range *ranges);

/* Write a range as "7" or "1,024-2,047" into out (size bytes; 72 suffice), and return out. */
char *range_name(const struct range *range, char *out, size_t size);

#endif
