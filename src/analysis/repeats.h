/* Rows or columns that repeat an earlier one: they have entries at the same positions, and on request equal
 * values there. A line is a row or a column; empty lines repeat nothing. */
#ifndef SPARSIGHT_ANALYSIS_REPEATS_H
#define SPARSIGHT_ANALYSIS_REPEATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* Each line has a number that depends on its entries alone, h = sum over its entries of mix(index, value), so
 * that equal lines have the same number. A table has the first line of each number. Lines with equal numbers
 * are then compared, so that the answers are exact. */
struct repeats {
    const struct csr *a;
    const int64_t *offsets; /* where lines begin: row_ptr, or for columns the result of column_offsets */
    bool columns;
    bool values;    /* values have to be the same, too */
    uint64_t *hash; /* h of each line; owned */
    int32_t *first; /* the hash table: lines, -1 where it is free; owned */
    size_t mask;    /* its size, a power of two, minus one */
};

/* Prepare the answers for all rows or all columns of `a`, whose offsets must outlive *repeats. Takes O(nnz +
 * lines), of which only the table, O(lines), is made by one thread. Takes 8 bytes a line and 6 to 12 more for
 * each line that can have an entry. These bytes and the matrix must stay within the limit
 * (memory_check_beside). Fails with STATUS_LIMIT, STATUS_MEMORY or STATUS_CANCELLED; *repeats is {0} then.
 * Progress counts entries, then lines. */
enum status repeats_make(const struct csr *a, const int64_t *offsets, bool columns, bool values, size_t limit,
                         struct progress *progress, struct repeats *repeats, struct error *error);

/* Return the first line that line k repeats; -1 if it repeats none. O(length) for rows. For columns O(rows
 * log length) in parallel if a candidate exists, else O(1); -1 if the progress was cancelled meanwhile. */
int64_t repeats_of(const struct repeats *repeats, int64_t k, struct progress *progress);

/* True if two lines have entries at the same positions, and with `values` equal values there. Zeros of any
 * sign are equal, and NaN equals NaN. The cost is that of repeats_of. */
bool repeats_alike(const struct repeats *repeats, int64_t k, int64_t other, bool values,
                   struct progress *progress);

void repeats_free(struct repeats *repeats);

#endif
