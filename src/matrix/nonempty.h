/* The lines (rows, or columns) of a matrix that have entries, one after the other, where most may have none.
 * A matrix of hundreds of millions of empty rows costs its analyses next to nothing then. */
#ifndef SPARSIGHT_MATRIX_NONEMPTY_H
#define SPARSIGHT_MATRIX_NONEMPTY_H

#include <stdint.h>

/* Return the first line of first .. end-1 that has an entry, or `end` if none has. Line i has the entries
 * offsets[i] .. offsets[i+1]-1, and line `first`, which has none, is passed over. O(log of the lines that are
 * passed over): steps double until one ends behind an entry, and a binary search finds the line. */
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

/* Return how many of lines 0 .. n-1 have an entry. Parallel. */
int64_t nonempty_count(const int64_t *offsets, int64_t n);

#endif
