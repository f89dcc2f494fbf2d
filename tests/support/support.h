/* Shared by several unit tests: small matrices made by hand or at random, without the code under test. */
#ifndef SPARSIGHT_TESTS_SUPPORT_SUPPORT_H
#define SPARSIGHT_TESTS_SUPPORT_SUPPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/csr.h"

/* The next pseudo-random number below `below` (a linear congruential generator; *state is the seed). */
uint32_t support_random(uint64_t *state, uint32_t below);

/* A rows x cols matrix from a dense array of its values, row-major, where 0 means no entry. */
struct csr support_dense(int64_t rows, int64_t cols, const double *values);

/* A random rows x cols matrix: each row has about density x cols entries; every 17th row is empty, and with
 * `skewed` every 29th row is full. Values are small whole numbers, -2..2, zeros among them; so are the
 * imaginary parts if the matrix is complex. Free with csr_free. */
struct csr support_matrix(int64_t rows, int64_t cols, double density, bool skewed, bool complex,
                          uint64_t seed);

/* A square matrix that equals its mirror image by a symmetry other than SYMMETRY_GENERAL: the lower triangle
 * of support_matrix(n, n, density, skewed, complex, seed), its diagonal where the symmetry allows one, and
 * the images. Some rows lack their diagonal entry. Free with csr_free. */
struct csr support_symmetric(enum symmetry symmetry, int64_t n, double density, bool skewed, bool complex,
                             uint64_t seed);

#endif
