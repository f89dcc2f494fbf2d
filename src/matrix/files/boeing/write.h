/* Writing Rutherford-Boeing files. Only files/boeing uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_BOEING_WRITE_H
#define SPARSIGHT_MATRIX_FILES_BOEING_WRITE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Write a matrix by columns, of symmetric kinds the lower triangle, of skew-symmetric ones without the
 * diagonal. All numbers of a section have the same width, which is the least that the widest takes; reals
 * have as many digits as it takes for every one of them to read back as the same double. Whole numbers of
 * more than 18 digits make a matrix real. See `write` of struct reader. */
enum status boeing_write(FILE *file, const struct matrix *matrix, const char *comment,
                         struct progress *progress, struct error *error);

#endif
