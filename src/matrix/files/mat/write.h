/* Writing MATLAB's files of version 5. Only files/mat uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_WRITE_H
#define SPARSIGHT_MATRIX_FILES_MAT_WRITE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Write a matrix as a sparse variable, both triangles of it, not compressed: of doubles, complex ones, or for
 * a pattern logical. It is called as in its file, else A. If there are texts, a struct MAT_ABOUT has them,
 * with the names of fields that the SuiteSparse collection has. See `write` of struct reader. STATUS_LIMIT if
 * the variable takes 2^31 bytes or more, which the version does not hold. */
enum status mat_write(FILE *file, const struct matrix *matrix, const char *comment, struct progress *progress,
                      struct error *error);

#endif
