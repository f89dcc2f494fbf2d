/* A complex matrix as a real one of twice the size, for preconditioners. */
#ifndef SPARSIGHT_ANALYSIS_SOLVERS_EMBEDDING_H
#define SPARSIGHT_ANALYSIS_SOLVERS_EMBEDDING_H

#include <stddef.h>

#include "base/error.h"
#include "matrix/csr.h"

/* Make the real matrix in which each complex entry a is
 *
 *     Re a  -Im a
 *     Im a   Re a,
 *
 * so that it multiplies vectors of pairs of numbers as A multiplies complex ones. It is symmetric if A is
 * Hermitian, and its inverse and the inverse of a diagonal block are embedded likewise. Its ILU(0) and IC(0)
 * have the same product L U on complex entries as those of A, since all four positions of an entry are in the
 * pattern: both are determined by (L U)_ij = a_ij there. Its pivots are real, and may vanish where those of A
 * do not. The result is {0} after a failure. STATUS_MEMORY. */
enum status embedding_make(const struct csr *a, struct csr *embedded, struct error *error);

/* The bytes of the result. */
size_t embedding_bytes(const struct csr *a);

#endif
