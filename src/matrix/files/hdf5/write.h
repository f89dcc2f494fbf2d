/* Writing Binsparse files. Only files/hdf5 uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_WRITE_H
#define SPARSIGHT_MATRIX_FILES_HDF5_WRITE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Write a matrix in CSR, or in COO if it has fewer entries than half its rows; of symmetric kinds the lower
 * triangle, of skew-symmetric ones without the diagonal. A pattern is one value for all entries. Texts of the
 * matrix stand beside the description. See `write` of struct reader. */
enum status binsparse_write(FILE *file, const struct matrix *matrix, const char *comment,
                            struct progress *progress, struct error *error);

#endif
