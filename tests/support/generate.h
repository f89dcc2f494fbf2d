/* Shared by the tests of generators. */
#ifndef SPARSIGHT_TESTS_SUPPORT_GENERATE_H
#define SPARSIGHT_TESTS_SUPPORT_GENERATE_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/matrix.h"

/* Return the matrix of a specification, which must be valid. */
struct matrix generated(const char *specification);

/* Return the value at (i, j), 0 if there is no entry. */
double value_at(const struct csr *a, int64_t i, int64_t j);

bool is_symmetric(const struct csr *a);

/* Return true if the arrays are equal bit for bit. */
bool same_matrix(const struct csr *a, const struct csr *b);

#endif
