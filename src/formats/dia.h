/* DIA: stored diagonals (Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, section 3.4; Bell
 * and Garland, "Implementing sparse matrix-vector multiplication on throughput-oriented processors", 2009,
 * section 3.1). */
#ifndef SPARSIGHT_FORMATS_DIA_H
#define SPARSIGHT_FORMATS_DIA_H

#include "formats/format.h"

/* offsets: j - i of each diagonal that has an entry, ascending. val[d * rows + i] = a(i, i + offsets[d]):
 * aligned by rows, the stride being the number of rows; where i + offsets[d] lies outside the matrix, 0. */
enum { DIA_OFFSETS, DIA_VAL };

/* Numbers: how many diagonals. */
enum { DIA_DIAGONALS };

extern const struct format format_dia;

#endif
