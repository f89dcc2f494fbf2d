/* Histograms: how many lines (rows, or columns) have each length that occurs. */
#ifndef SPARSIGHT_MATRIX_HISTOGRAM_H
#define SPARSIGHT_MATRIX_HISTOGRAM_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"

struct length_count {
    int64_t length;
    int64_t count;
};

/* The lengths of lines: differences of offsets, or counted ones. */
struct lines {
    int64_t count;
    const int64_t *offsets;  /* count + 1 */
    const uint32_t *lengths; /* count; used if offsets is NULL */
};

/* The histogram of their lengths: ascending lengths, counts > 0, in an array of *bins that the caller frees;
 * NULL after failure. Progress counts lines. Parallel; O(lines), and O(k log k) for the k lines of 4096
 * entries or more. */
enum status histogram_of(const struct lines *lines, struct progress *progress,
                         struct length_count **histogram, int64_t *bins, struct error *error);

#endif
