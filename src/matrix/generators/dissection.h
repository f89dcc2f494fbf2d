/* The grid Laplacian in nested dissection order, a row at a time. */
#ifndef SPARSIGHT_MATRIX_GENERATORS_DISSECTION_H
#define SPARSIGHT_MATRIX_GENERATORS_DISSECTION_H

#include <stdint.h>

/* Write the columns of row i, ascending; returns how many there are. The grid has nx x ny points, and
 * rectangles of at most `leaf` points are not cut. O(log(nx ny)). */
int dissection_row(int64_t nx, int64_t ny, int64_t leaf, int64_t i, int64_t columns[5]);

#endif
