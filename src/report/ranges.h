/* Histograms for people: rows by ranges of their length. */
#ifndef SPARSIGHT_REPORT_RANGES_H
#define SPARSIGHT_REPORT_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/lengths.h"

/* Doubling ranges of 31-bit lengths, and empty rows. */
#define RANGES_MAX 33

/* Rows whose length lies in first .. last. */
struct range {
    int64_t first, last;
    int64_t count;
};

/* Ranges that tell most: each length on its own if there are few, ranges of equal width if the longest rows
 * are not far from the mean, else 0, 1, 2-3, 4-7, ... `ranges` has room for RANGES_MAX of them and is {0}.
 * Returns how many there are. */
int ranges_of(const struct lengths *lengths, struct range *ranges);

/* "7", "1,024-2,047". Writes into out (size bytes; 72 suffice) and returns it. */
char *range_name(const struct range *range, char *out, size_t size);

#endif
