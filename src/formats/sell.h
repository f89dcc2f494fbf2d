/* SELL-C-sigma (Kreutzer, Hager, Wellein, Fehske, Bishop, "A unified sparse matrix data format for efficient
 * general sparse matrix-vector multiplication on modern processors with wide SIMD units", SIAM J. Sci.
 * Comput. 36, 2014). */
#ifndef SPARSIGHT_FORMATS_SELL_H
#define SPARSIGHT_FORMATS_SELL_H

#include "formats/format.h"

/* The arrays. Rows are sorted by length within windows of sigma rows, longest first, and equal ones by their
 * index; perm[r] is the row at sorted position r. If sigma is 1, that is row r, and there is no perm.
 *
 * Chunk i has the sorted rows i * c .. i * c + c-1 and slots chunk_ptr[i] .. chunk_ptr[i+1]-1, for each row
 * as many as the longest row of the chunk has entries:
 *
 *     entry d of sorted row r = i * c + l is slot chunk_ptr[i] + d * c + l
 *
 *     c = 4       d = 0  1  2         val of chunk i
 *     l = 0           a  b  c
 *     l = 1           d  e  .         a d f h  b e g .  c . . .
 *     l = 2           f  g  .
 *     l = 3           h  .  .
 *
 * Padding has the value 0 and the column of its row's last entry, or 0 if the row has none. The rows that the
 * last chunk has beyond the matrix are padding too. */
enum { SELL_CHUNK_PTR, SELL_COL, SELL_VAL, SELL_PERM };

/* The numbers of the storage: the length of the longest row, and the number of chunks. */
enum { SELL_LONGEST, SELL_CHUNKS };

/* The parameters. */
enum { SELL_C, SELL_SIGMA };

extern const struct format format_sell;

#endif
