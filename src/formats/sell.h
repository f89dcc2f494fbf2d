/* SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske, Bishop, "A unified sparse matrix data format for efficient
 * general sparse matrix-vector multiplication on modern processors with wide SIMD units", SIAM J. Sci.
 * Comput. 36, 2014). */
#ifndef SPARSIGHT_FORMATS_SELL_H
#define SPARSIGHT_FORMATS_SELL_H

#include "formats/format.h"

/* Rows are sorted by length within windows of sigma rows, longest first, equal ones by their index; perm has
 * the row at sorted position r, and is only there if sigma > 1: else that is row r. Chunk i has sorted rows
 * i * c .. i * c + c-1 and slots chunk_ptr[i] .. chunk_ptr[i+1]-1, as many a row as its longest row has
 * entries: entry d of sorted row r is slot chunk_ptr[i] + d * c + r - i * c. The others repeat their last
 * column (0 if they have none) with value 0, also the rows of the last chunk that the matrix does not have.
 */
enum { SELL_CHUNK_PTR, SELL_COL, SELL_VAL, SELL_PERM };

/* Numbers: the length of the longest row; chunks. */
enum { SELL_LONGEST, SELL_CHUNKS };

/* Parameters. */
enum { SELL_C, SELL_SIGMA };

extern const struct format format_sell;

#endif
