/* The five criteria by which PMPP (4th edition, section 14.1) compares storage formats: space efficiency,
 * flexibility, accessibility, memory access efficiency and load balance. The book discusses them in words;
 * here each is a number of one matrix in one format, from 0 to 1, and 1 is best.
 *
 * The kernel of each format is assumed to be the plain one of the book: a thread for each row (CSR, ELL, DIA,
 * BSR; in JDS and SELL for each sorted row), for each entry (COO, the second parts of HYB and JDS), or for
 * each column (CSC); in CMRS a warp for each strip. A warp has 32 threads; the last warp has the remaining
 * ones. */
#ifndef SPARSIGHT_ANALYSIS_CRITERIA_H
#define SPARSIGHT_ANALYSIS_CRITERIA_H

#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"

/* The criteria; NaN where one is unknown, as all are for a matrix without entries, and all but space if
 * nearly all rows are empty (analysis/emptiness.h).
 *
 * space: bytes of the entries' values / bytes of all arrays. The rest of the bytes are indices and padding.
 *
 * flexibility: the share of the bytes that remain unchanged when an entry is added, in the mean over all
 *   positions of the matrix without an entry. Slots and offsets that move or change are written, and so are
 *   new slots other than that of the entry; at most all bytes, as if the matrix were stored anew. An order
 *   that no product needs is given up: the entry comes last in its row, diagonal or strip, and in COO last of
 *   all.
 *
 *       COO          nothing is written
 *       CSR, CSC     the entries of later rows (columns), and the offsets after the row
 *       CSR5         the same, and the descriptors of later tiles
 *       ELL          nothing in a row that has padding; else a slot for each other row, or by rows everything
 *       HYB          nothing: a full row goes on in COO
 *       JDS          the later diagonals and their offsets, and both rows when the row is swapped with
 *                    the first one of its length. In sections of ELL nothing in a row that has padding, else
 *                    a slot for each other row of the section, and the later sections; in sections of CSR the
 *                    entries of later rows. Everything if the row becomes longer than `longest`
 *       SELL         nothing in a row that has padding; else a slot for each other row of the chunk, and the
 *                    later chunks
 *       CMRS         the later strips and their offsets; with modulo the strip itself, and the later ones
 *                    only if it takes another group
 *       DIA          nothing on a stored diagonal; else a slot for each other row
 *       BSR          nothing in a stored block; else the other slots of a block, and the later block rows
 *       BELL         nothing in a stored block, or if the block row has padding; else everything
 *
 * accessibility: the mean of 1 / (1 + look-ups) of two questions: where are the entries of a row, and which
 *   row has the entry of a slot. A look-up reads an element of an array of rows or pointers. Sorted arrays
 *   are searched by bisection, with ceil(log2 n) look-ups among n; others are scanned. All rows are equally
 *   likely, and so are all slots with an entry.
 *
 *       COO          2 log2(nnz + 1), or nnz in random order; 1
 *       CSR, CSR5, BSR   2; log2 of the rows (block rows)
 *       CSC          nnz; 1
 *       ELL, DIA, BELL   0; 0
 *       HYB          those of ELL and COO together; those of the part that the entry is in
 *       JDS          half of perm, and an offset for each diagonal; log2 of the diagonals, and perm. In
 *                    sections of ELL log2 of the sections and 2 offsets; log2 of the sections, the section's
 *                    first row, and perm; in sections of CSR 2; log2 of the rows, and perm
 *       SELL         2, and if rows are sorted half of the window in perm; log2 of the chunks, and perm
 *       CMRS         2, and 2 log2(E + 1) for a strip of E slots if these are in the order of rows, else E;
 *                    log2 of the strips, and 1
 *
 * access: bytes of the entries in those arrays that have an element for each slot / 32 x sectors that warps
 *   touch when they load these arrays, summed over requests (analysis/warps/coalescing.h). Loads of padding
 *   count as sectors and not as bytes. NaN for BSR, blocked ELL, and SELL with chunks that are not whole
 *   warps. NaN for complex matrices, for which it is not counted.
 *
 * balance: slots that threads process / threads x the slots of the busiest thread in the warp, both summed
 *   over warps: the share of the threads that have work. Padding at the end of a row is no work, since its
 *   length tells where to stop. Padding between entries is work (DIA, BSR, CMRS). */
struct criteria {
    double space, flexibility, accessibility, access, balance;
};

#define CRITERIA 5

/* The criteria of a storage of `a` that is planned or built. O(rows) in addition to planning, O(nnz) for CSC
 * and BSR, and the cost of sort_rows for sorted rows. Parallel; the result does not depend on the number of
 * threads. A criterion that would need more memory than the storage's limit, or than is available, is NaN.
 * STATUS_CANCELLED. */
enum status criteria_of(const struct storage *storage, const struct csr *a, struct progress *progress,
                        struct criteria *criteria, struct error *error);

/* Return criteria that are all unknown. */
struct criteria criteria_unknown(void);

#endif
