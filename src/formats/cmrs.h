/* CMRS: compressed multirow storage (Koza, Matyka, Szkoda and Mirosław, "Compressed multirow storage format
 * for sparse matrices on graphics processing units", SIAM J. Sci. Comput. 36, 2014, section 3). */
#ifndef SPARSIGHT_FORMATS_CMRS_H
#define SPARSIGHT_FORMATS_CMRS_H

#include "formats/format.h"

/* Rows s * height .. s * height + height-1 make strip s, whose slots are StripPtr[s] .. StripPtr[s+1]-1 of
 * the other arrays. A strip's entries stand row by row, or by column and then by row if sorted.
 *
 * packed: ColInd holds column * 16 + row in strip, as uint32, and there is no RowInStrip.
 *
 * modulo M (section 6.7): the slots of a strip come in groups of 32, a warp's load. A group has at most M
 * entries of one row, side by side, rows ascending; what is left of it is padding, whose row and column
 * repeat those of the group's last entry. Thus a run of one row is up to M entries, then perhaps padding: a
 * segmented sum towards the first lane of each run needs log2 M steps. */
enum { CMRS_STRIP_PTR, CMRS_COL_IND, CMRS_VAL, CMRS_ROW_IN_STRIP };

/* Numbers: the parameters (modulo 0: off), strips, and the slots of the longest strip. */
enum { CMRS_HEIGHT, CMRS_PACKED, CMRS_SORTED, CMRS_MODULO, CMRS_STRIPS, CMRS_WIDEST };

#define CMRS_HEIGHT_MAX 16
#define CMRS_ROW_BITS 4
#define CMRS_GROUP 32
#define CMRS_PACKED_COLS ((int64_t)1 << (32 - CMRS_ROW_BITS))

extern const struct format format_cmrs;

#endif
