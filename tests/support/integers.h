/* Matrices and vectors of small integers, row by row: their products are exact in any order and precision. */
#ifndef SPARSIGHT_TESTS_SUPPORT_INTEGERS_H
#define SPARSIGHT_TESTS_SUPPORT_INTEGERS_H

#include <stdbool.h>
#include <stdint.h>

#include "formats/choice.h"
#include "kernels/kernel.h"
#include "matrix/csr.h"

/* Return a matrix with room for this number of entries and none yet. */
struct csr integers_new(int64_t rows, int64_t cols, int64_t entries);

/* Begin row i, which is empty at first. Rows must be begun in order. */
void integers_row(struct csr *a, int64_t i);

/* Append an entry in column j to row i, the last row begun. */
void integers_put(struct csr *a, int64_t i, int64_t j);

/* Return an element of x, and of y before a product is added. */
double integers_x(int64_t j);
double integers_start(int64_t i);

/* Return y[i] = sum a_ij x_j. */
double integers_product(const struct csr *a, int64_t i);

/* Return a vector of n elements, and room for one more, of this precision; the caller frees it with free().
 */
void *integers_vector(int64_t n, enum precision precision, double (*value)(int64_t));
double integers_at(const void *v, enum precision precision, int64_t i);

/* Run a product that is prepared for the matrix, with these x and y, where y begins at the second element of
 * its memory, so that it is not aligned to a line. Returns true if each element of y is right and the first
 * element of the memory is unchanged. */
bool integers_run(struct launch *launch, const struct csr *a);

#endif
