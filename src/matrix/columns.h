/* The columns of a matrix that is stored by rows: the number of entries of each, and the offset at which each
 * would begin if the entries were stored column by column. */
#ifndef SPARSIGHT_MATRIX_COLUMNS_H
#define SPARSIGHT_MATRIX_COLUMNS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/histogram.h"

/* Find the lengths of a's columns, in the form that histogram_of takes. *lines refers to the array *lengths,
 * which the caller frees; after failure, and if the entries are far (struct csr), *lengths is NULL. If there
 * are fewer entries than a quarter of the columns, the empty columns are only counted (lines->empty), and the
 * lengths are those of the other columns in the order of their indices.
 *
 * It takes O(nnz + cols) time in parallel and 4 bytes a column; if a byte an entry, or 4 MiB, suffices for
 * that, it takes 4 bytes a column for each thread. In a matrix of fewer entries than a quarter of its columns
 * one thread takes O(nnz) time and 8 bytes an entry. In all cases it takes no more than 16 bytes an entry, or
 * 4 MiB. Progress counts entries. */
enum status column_lengths(const struct csr *a, struct progress *progress, struct lines *lines,
                           uint32_t **lengths, struct error *error);

/* Add the number of entries of each column j = from .. to-1 to counts[j - from]. One thread; O(rows log len +
 * entries in these columns). */
void column_counts_add(const struct csr *a, int64_t from, int64_t to, int64_t *counts);

/* Return the bytes that column_lengths needs for this number of columns and entries. */
size_t column_lengths_bytes(int64_t cols, int64_t nnz);

/* Find the offsets of columns if entries are stored column by column, the column pointer of CSC: column j has
 * the entries (*offsets)[j] to (*offsets)[j+1] - 1.
 *
 *     (*offsets)[j] = number of entries in columns 0 to j-1,    j = 0, ..., cols
 *
 * The caller frees the array; it is NULL after failure. All memory that this takes, column_offsets_bytes, has
 * to lie within `limit` (memory_check). Parallel, O(nnz + cols). */
enum status column_offsets(const struct csr *a, size_t limit, struct progress *progress, int64_t **offsets,
                           struct error *error);

/* Return the bytes that column_offsets takes, including the offsets themselves: 12 bytes a column, or 8 bytes
 * and 4 for each thread (see column_lengths). */
size_t column_offsets_bytes(const struct csr *a);

#endif
