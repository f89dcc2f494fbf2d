/* JDS: jagged diagonals (PMPP, 4th edition, notes of chapter 14), and in sections (3rd edition, section 10.5,
 * figures 10.15 and 10.16). */
#ifndef SPARSIGHT_FORMATS_JDS_H
#define SPARSIGHT_FORMATS_JDS_H

#include "formats/format.h"

struct length_count;

/* The arrays. Rows are sorted by length, longest first, and equal ones by their index; perm[r] is the row at
 * sorted position r. Rows longer than the parameter `longest` are excluded: they are the COO part.
 *
 * Without sections, diagonal d has the d-th entries of all rows that have one. Its slots are iter_ptr[d] ..
 * iter_ptr[d+1]-1, and that of sorted row r is iter_ptr[d] + r, if that is less than iter_ptr[d+1]:
 *
 *                 d = 0  1  2
 *     r = 0           a  b  c         val        a d f h  b e g  c
 *     r = 1           d  e            iter_ptr   0        4      7  8
 *     r = 2           f  g
 *     r = 3           h
 *
 * With sections, section s has sorted rows section_row[s] .. section_row[s+1]-1 and slots section_ptr[s] ..
 * section_ptr[s+1]-1. A section stored as ELL is a transposed rectangle, whose height is the number of its
 * rows and whose width is the length of the longest:
 *
 *     entry d of sorted row r is slot section_ptr[s] + d * height + r - section_row[s]
 *
 * and shorter rows are padded with the value 0 and the column of their last entry. In a section stored as
 * CSR, sorted row r has slots row_ptr[r] .. row_ptr[r+1]-1. Rows without entries are a section without slots,
 * which is the last one; row_ptr does not have them. */
enum { JDS_PERM, JDS_ITER_PTR, JDS_SECTION_ROW = 1, JDS_SECTION_PTR, JDS_ROW_PTR };

/* The numbers:
 *
 * JDS_LONGEST: the length of the longest row in part 0, which is the number of diagonals.
 * JDS_APART: how many rows are in the COO part.
 * JDS_SECTIONS: how many sections there are, including that of empty rows; 0 without sections.
 * JDS_FILLED: how many sorted rows have entries.
 * JDS_COLUMNS: which array has the columns of part 0. Its values come next, and then, if there is a COO part,
 *   the rows, columns and values of that. */
enum { JDS_LONGEST, JDS_APART, JDS_SECTIONS, JDS_FILLED, JDS_COLUMNS };

/* The parameters, and the values of `sections` (JDS_BY) and of `inside`. */
enum { JDS_BY, JDS_HEIGHT, JDS_SHARE, JDS_INSIDE, JDS_MAX };
enum { JDS_NONE, JDS_EQUAL, JDS_SHARED };
enum { JDS_INSIDE_ELL, JDS_INSIDE_CSR };

/* The storage of part 0, which follows from the parameters. */
enum jds_kind { JDS_PLAIN, JDS_SECTIONS_ELL, JDS_SECTIONS_CSR };

static inline enum jds_kind jds_kind(const struct storage *storage)
{
    if ((int)storage->values.number[JDS_BY] == JDS_NONE) return JDS_PLAIN;
    return (int)storage->values.number[JDS_INSIDE] == JDS_INSIDE_CSR ? JDS_SECTIONS_CSR : JDS_SECTIONS_ELL;
}

/* The beginnings of sections: row[s] is the first sorted row of section s and ptr[s] its first slot;
 * row[sections] and ptr[sections] are the numbers of rows and slots. */
struct jds_cut {
    int64_t sections;
    int64_t *row, *ptr;
};

/* Cut sorted rows into sections by the storage's parameters; the histogram has the lengths of these rows,
 * ascending (matrix/histogram.h). Only the parameters of the storage are read. Returns STATUS_MEMORY. The
 * caller frees *cut with jds_cut_free. O(bins). */
enum status jds_cut(const struct storage *storage, const struct length_count *histogram, int64_t bins,
                    struct jds_cut *cut, struct error *error);
void jds_cut_free(struct jds_cut *cut); /* takes {0} */

extern const struct format format_jds;

#endif
