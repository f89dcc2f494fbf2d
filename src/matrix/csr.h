/* The canonical matrix: compressed sparse rows, entries sorted by column in every row, no column twice. */
#ifndef SPARSIGHT_MATRIX_CSR_H
#define SPARSIGHT_MATRIX_CSR_H

#include <stdint.h>

#include "base/error.h"

/* Row i holds entries row_ptr[i] .. row_ptr[i+1]-1 (PMPP section 10.2). All arrays are owned by the struct;
 * {0} is a valid empty value for csr_free. Indices are 0-based; rows and cols are at most INT32_MAX. */
struct csr {
    int64_t rows;
    int64_t cols;
    int64_t *row_ptr;  /* rows + 1 offsets; row_ptr[0] = 0 */
    int32_t *col;      /* nnz columns, ascending in each row */
    double *val;       /* nnz values; the real part if complex; 1 for a pattern matrix. Never NULL. */
    double *imaginary; /* nnz imaginary parts; NULL unless complex */
};

static inline int64_t csr_nnz(const struct csr *a)
{
    return a->row_ptr ? a->row_ptr[a->rows] : 0;
}

/* Index of entry (i, j) among all entries, or -1 if there is none. Cost: log2 of the row's length. */
int64_t csr_find(const struct csr *a, int64_t i, int64_t j);

/* First entry of row i whose column is at least j, or row_ptr[i+1]. Cost: log2 of the row's length. */
int64_t csr_lower_bound(const struct csr *a, int64_t i, int64_t j);

/* The row that holds entry k, 0 <= k < nnz. Cost: log2 of the number of rows. */
int64_t csr_row_of(const struct csr *a, int64_t k);

/* Move entry `from` to place `to` of the arrays, over what was there. */
static inline void csr_move(struct csr *a, int64_t from, int64_t to)
{
    a->col[to] = a->col[from];
    a->val[to] = a->val[from];
    if (a->imaginary) a->imaginary[to] = a->imaginary[from];
}

/* Check every invariant above; STATUS_INPUT with the row that breaks one. Parallel, O(nnz). */
enum status csr_validate(const struct csr *a, struct error *error);

/* Bytes of the arrays of a rows x cols matrix with nnz entries; SIZE_MAX on overflow. */
size_t csr_bytes(int64_t rows, int64_t nnz, int complex);

/* Remove the entries that are exactly zero (both parts), in place. Returns how many there were. */
int64_t csr_drop_zeros(struct csr *a);

/* Number of entries that are exactly zero (both parts). Parallel. */
int64_t csr_count_zeros(const struct csr *a);

void csr_free(struct csr *a);

#endif
