/* Writing MATLAB's files of version 5. Only files/mat uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_WRITE_H
#define SPARSIGHT_MATRIX_FILES_MAT_WRITE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Write a matrix with both triangles as an uncompressed sparse variable: of doubles, of complex doubles, or
 * for a pattern logical. Its name is that in its file, else A. Texts go into a struct MAT_ABOUT, whose fields
 * have the names of the SuiteSparse collection. See `write` of struct reader. STATUS_LIMIT if the variable
 * takes 2^31 bytes or more, which version 5 does not allow. */
enum status mat_write(FILE *file, const struct matrix *matrix, const char *comment, struct progress *progress,
                      struct error *error);

#endif
