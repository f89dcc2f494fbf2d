/* Columns of a matrix that is stored by rows: how many entries each has, and where it would begin if entries
 * were stored column by column. */
#ifndef SPARSIGHT_MATRIX_COLUMNS_H
#define SPARSIGHT_MATRIX_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/histogram.h"

/* The lengths of a's columns, to be given to histogram_of: *lines refers to *lengths, which the caller frees;
 * both say nothing after failure. Where fewer than one column in four can have an entry, those without are
 * only counted (lines->empty), and the others come in the order of their indices.
 *
 * Parallel, O(nnz + cols), and 4 bytes a column, for each thread if that stays below a byte an entry; in a
 * matrix of so many empty columns O(nnz) and 8 bytes an entry, by one thread. So it never takes more than 16
 * bytes an entry, or 4 MiB. Progress counts entries. */
enum status column_lengths(const struct csr *a, struct progress *progress, struct lines *lines,
                           uint32_t **lengths, struct error *error);

/* Where columns begin: (*offsets)[j] entries lie in columns before j, j = 0 .. cols, which is the column
 * pointer of CSC. The caller frees them; NULL after failure. Held against `limit` (memory_check) with all
 * that it takes, column_offsets_bytes. Parallel, O(nnz + cols). */
enum status column_offsets(const struct csr *a, size_t limit, struct progress *progress, int64_t **offsets,
                           struct error *error);

/* Bytes that column_offsets takes, the offsets counted: 12 a column, or more for more threads, as above. */
size_t column_offsets_bytes(const struct csr *a);

#endif
