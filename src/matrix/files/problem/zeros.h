/* Explicit zeros that a file stores in a separate matrix. */
#ifndef SPARSIGHT_MATRIX_FILES_PROBLEM_ZEROS_H
#define SPARSIGHT_MATRIX_FILES_PROBLEM_ZEROS_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/matrix.h"

/* The names of the matrix of a file of the SuiteSparse collection, and of the matrix with the positions of
 * its explicit zeros: a sparse matrix of MATLAB cannot store zeros. */
#define ZEROS_MATRIX "Problem.A"
#define ZEROS_NAME "Problem.Zeros"

/* Add an entry of value 0 to *matrix wherever the sparse matrix of `arrays` has an entry and *matrix has
 * none, as in the collection's Matrix Market files (CHOLMOD's mwrite (filename, A, Zeros) writes both). The
 * notes of *matrix give their number, or state that `arrays`, which may be NULL, has another size and was
 * ignored. Fails as arrays_build does; *matrix is then unchanged. O(entries + rows). */
enum status zeros_take(const struct arrays *arrays, const struct load_options *options,
                       struct progress *progress, struct matrix *matrix, struct error *error);

#endif
