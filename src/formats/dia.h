/* DIA: stored diagonals (Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, section 3.4; Bell
 * and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors", 2009,
 * section 3.1). */
#ifndef SPARSIGHT_FORMATS_DIA_H
#define SPARSIGHT_FORMATS_DIA_H

#include "formats/format.h"

/* The arrays: offsets has j - i of each diagonal that has an entry, in ascending order. val has the diagonals
 * one after the other, each with a slot for every row of the matrix:
 *
 *     val[d * rows + i] = a(i, i + offsets[d]), or 0 where i + offsets[d] lies outside the matrix
 *
 *     a  b  .         offsets      -1         0         1
 *     c  d  e         val       0  c  f    a  d  g    b  e  0
 *     .  f  g         row       0  1  2    0  1  2    0  1  2
 */
enum { DIA_OFFSETS, DIA_VAL };

/* The numbers of the storage: the number of stored diagonals, and of positions of the matrix on them, with or
 * without an entry. */
enum { DIA_DIAGONALS, DIA_PLACES };

extern const struct format format_dia;

#endif
