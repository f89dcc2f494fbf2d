/* JDS: jagged diagonals (PMPP, 4th edition, notes of chapter 14), and in sections (3rd edition, section 10.5,
 * figures 10.15 and 10.16). */
#ifndef SPARSIGHT_FORMATS_JDS_H
#define SPARSIGHT_FORMATS_JDS_H

#include "formats/format.h"

/* Rows are sorted by length, longest first, equal ones by their index; `perm` has the row at each sorted
 * position r. Rows longer than the parameter `longest` are not among them: they make up the COO part.
 *
 * Plain: diagonal d is the d-th entries of all rows that have one, slots iter_ptr[d] .. iter_ptr[d+1]-1; that
 * of sorted row r is slot iter_ptr[d] + r, if it is less than iter_ptr[d+1].
 *
 * In sections: section s has sorted rows section_row[s] .. section_row[s+1]-1 and slots section_ptr[s] ..
 * section_ptr[s+1]-1. As ELL, it is height x wide slots, transposed: entry d of sorted row r is slot
 * section_ptr[s] + d * height + r - section_row[s]; rows shorter than wide repeat their last column. As CSR,
 * sorted row r has slots row_ptr[r] .. row_ptr[r+1]-1. Rows without entries are a section without slots, the
 * last one, and not in row_ptr. */
enum { JDS_PERM, JDS_ITER_PTR, JDS_SECTION_ROW = 1, JDS_SECTION_PTR, JDS_ROW_PTR };

/* Numbers: the length of the longest row in part 0, which is the number of diagonals; rows in the COO part;
 * sections, 0 if plain, with that of empty rows; sorted rows that have entries; the array of columns, after
 * which come values and, if there is a COO part, its rows, columns and values. */
enum { JDS_LONGEST, JDS_APART, JDS_SECTIONS, JDS_FILLED, JDS_COLUMNS };

/* Parameters. */
enum { JDS_BY, JDS_HEIGHT, JDS_SHARE, JDS_INSIDE, JDS_MAX };
enum { JDS_NONE, JDS_EQUAL, JDS_SHARED }; /* JDS_BY */
enum { JDS_INSIDE_ELL, JDS_INSIDE_CSR };  /* JDS_INSIDE */

extern const struct format format_jds;

#endif
