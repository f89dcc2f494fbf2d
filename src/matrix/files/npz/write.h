/* Writing what scipy.sparse.load_npz reads. Only files/npz uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_NPZ_WRITE_H
#define SPARSIGHT_MATRIX_FILES_NPZ_WRITE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Write a matrix as scipy.sparse.save_npz(compressed=False) does one in CSR, both triangles of it. Indices
 * have 64 bits if the number of entries takes more than 32; a pattern has booleans. See `write` of struct
 * reader. */
enum status npz_write(FILE *file, const struct matrix *matrix, const char *comment, struct progress *progress,
                      struct error *error);

#endif
