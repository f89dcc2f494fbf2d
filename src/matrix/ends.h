/* Whether rows end where they were counted to end. Entries are counted in one pass over a source and placed
 * in another. If the passes differ, as for a file that changes meanwhile, a row gets too few entries and
 * another one too many, and memory that nobody wrote would become part of the matrix. */
#ifndef SPARSIGHT_MATRIX_ENDS_H
#define SPARSIGHT_MATRIX_ENDS_H

#include <stdint.h>

#include "base/error.h"
#include "matrix/csr.h"

/* The ends of rows as they were counted. Instead of a copy, 64 bits are kept: the sum over all rows of a hash
 * of row and end under a random key. Other ends have the same sum with a probability of 2^-64. */
struct ends {
    uint64_t key, sum;
};

/* Note where the rows of a matrix end, of which row_ptr alone is there. O(rows). */
struct ends ends_note(const struct csr *a);

/* After the last pass, in which row_ptr[i] has moved from the begin of row i to its end: let row_ptr be the
 * begins of all rows again. Fails with STATUS_INPUT and the path if the rows end elsewhere than was noted.
 * O(rows). */
enum status ends_settle(const struct ends *ends, struct csr *a, const char *path, struct error *error);

#endif
