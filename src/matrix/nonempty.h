/* Loops over the lines (rows, or columns) of a matrix that have entries. They skip empty lines, so that
 * hundreds of millions of empty rows take hardly any time. */
#ifndef SPARSIGHT_MATRIX_NONEMPTY_H
#define SPARSIGHT_MATRIX_NONEMPTY_H

#include <stdint.h>

/* Return the first line of first .. end-1 that has an entry, or `end` if none has. Line i has the entries
 * offsets[i] .. offsets[i+1]-1; line `first` must have none. O(log of the number of skipped lines): steps
 * double until one contains an entry, and a binary search then finds its line. */
int64_t nonempty_beyond(const int64_t *offsets, int64_t first, int64_t end);

/* The same for a line `first` that may have entries. A loop over the lines with entries is
 *
 *     for (int64_t i = nonempty_from(offsets, 0, n); i < n; i = nonempty_from(offsets, i + 1, n))
 *
 * It reads offsets[first] .. offsets[end] at most. */
static inline int64_t nonempty_from(const int64_t *offsets, int64_t first, int64_t end)
{
    if (first >= end || offsets[first + 1] > offsets[first]) return first < end ? first : end;
    return nonempty_beyond(offsets, first, end);
}

/* Return the number of lines 0 .. n-1 that have an entry. Parallel. */
int64_t nonempty_count(const int64_t *offsets, int64_t n);

#endif
