/* CMRS: compressed multirow storage (Koza, Matyka, Szkoda and Mirosław, "Compressed multirow storage format
 * for sparse matrices on graphics processing units", SIAM J. Sci. Comput. 36, 2014, section 3). */
#ifndef SPARSIGHT_FORMATS_CMRS_H
#define SPARSIGHT_FORMATS_CMRS_H

#include "formats/format.h"

/* The arrays. Strip s has rows s * height .. s * height + height-1 and slots StripPtr[s] .. StripPtr[s+1]-1.
 * RowInStrip[e] is the row of slot e, counted from the first row of its strip. The entries of a strip are in
 * row order; or, with sorted=1, ordered by column, and within a column by row. A strip of 2 rows:
 *
 *     . a . b         by rows   ColInd      1 3 0 1      sorted    0 1 1 3
 *     c d . .                   RowInStrip  0 0 1 1                1 0 1 0
 *                               Val         a b c d                c a d b
 *
 * With packed=1, ColInd holds column * 16 + row in strip, as uint32, and there is no RowInStrip.
 *
 * With modulo=M (section 6.7), the slots of a strip come in groups of 32, which a warp loads at once. A group
 * has at most M entries of one row, which stand side by side, in ascending order of rows. The rest of the
 * group is padding, which repeats the row and column of the group's last entry. So a run of slots of one row
 * has at most M entries, followed by padding in the last run, which adds nothing: a segmented sum that brings
 * the sum of each run to its first lane needs log2 M steps. */
enum { CMRS_STRIP_PTR, CMRS_COL_IND, CMRS_VAL, CMRS_ROW_IN_STRIP };

/* The numbers of the storage: the resolved parameters (modulo is 0 if there are no groups), the number of
 * strips, and the slots of the longest strip. */
enum { CMRS_HEIGHT, CMRS_PACKED, CMRS_SORTED, CMRS_MODULO, CMRS_STRIPS, CMRS_WIDEST };

#define CMRS_HEIGHT_MAX 16
#define CMRS_ROW_BITS 4
#define CMRS_GROUP 32
#define CMRS_PACKED_COLS ((int64_t)1 << (32 - CMRS_ROW_BITS))

extern const struct format format_cmrs;

#endif
