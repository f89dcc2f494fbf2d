/* Permutations in files: a Matrix Market vector (array integer general), or a list with one index on each
 * line. Index k is the number, counted from 1, of the line of the natural matrix that becomes line k. */
#ifndef SPARSIGHT_MATRIX_ORDERS_FILE_H
#define SPARSIGHT_MATRIX_ORDERS_FILE_H

#include <stdio.h>

#include "matrix/orders/order.h"

/* Write a permutation as a Matrix Market vector, or if there are two, that of the rows and then that of the
 * columns; `comment` is a line that describes it. STATUS_IO, STATUS_CANCELLED. */
enum status permutation_write(FILE *file, const struct permutation *permutation, const char *comment,
                              struct progress *progress, struct error *error);

#endif
