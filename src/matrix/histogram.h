/* Histograms: the number of lines (rows, or columns) of each length that occurs. */
#ifndef SPARSIGHT_MATRIX_HISTOGRAM_H
#define SPARSIGHT_MATRIX_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#ifdef __cplusplus
struct progress; /* device code is C++, which has no C atomics */
#else
#    include "base/job.h"
#endif

struct length_count {
    int64_t length;
    int64_t count;
};

/* Lines whose lengths are given: line i has offsets[i+1] - offsets[i] entries, or if offsets is NULL,
 * lengths[i]. */
struct lines {
    int64_t count;
    const int64_t *offsets;  /* count + 1 of them */
    const uint32_t *lengths; /* count of them */
    int64_t empty;           /* lines of length 0 that are not among the `count` */
};

/* Return the length of line i of the `count`. */
static inline int64_t lines_length(const struct lines *lines, int64_t i)
{
    return lines->offsets ? lines->offsets[i + 1] - lines->offsets[i] : (int64_t)lines->lengths[i];
}

/* *histogram becomes an array of *bins lengths, ascending, each with the number of lines of that length,
 * which is not 0. The caller frees it; after failure it is NULL. Progress counts lines. Parallel; O(lines),
 * and O(k log k) for the k lines of 4096 entries or more. */
enum status histogram_of(const struct lines *lines, struct progress *progress,
                         struct length_count **histogram, int64_t *bins, struct error *error);

/* Return the bytes that histogram_of needs for lines with this total number of entries, including the
 * histogram. */
size_t histogram_bytes(const struct lines *lines, int64_t nnz);

#endif
