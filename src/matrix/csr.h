/* The canonical matrix: compressed sparse rows, entries sorted by column in every row, no column twice. */
#ifndef SPARSIGHT_MATRIX_CSR_H
#define SPARSIGHT_MATRIX_CSR_H

#include <stdint.h>

#include "base/error.h"

/* Row i holds entries row_ptr[i] .. row_ptr[i+1]-1 (PMPP, section 10.2). Indices count from 0; rows and cols
 * are at most INT32_MAX. The struct owns all arrays, which csr_free frees; it takes {0}, too. */
struct skeleton;
struct csr {
    int64_t rows;
    int64_t cols;
    int64_t *row_ptr;  /* rows + 1 offsets; row_ptr[0] = 0 */
    int32_t *col;      /* nnz columns, ascending in each row */
    double *val;       /* nnz values; the real part if complex; 1 for a pattern matrix. Never NULL. */
    double *imaginary; /* nnz imaginary parts; NULL unless complex */
    /* For a matrix whose entries are not in this process's memory: facts on them in addition to row_ptr
     * (matrix/skeleton.h); not owned. Then `val` and `imaginary` are NULL, and so is `col` unless the columns
     * were gathered. NULL: the entries are in memory. */
    const struct skeleton *skeleton;
};

enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW, SYMMETRY_HERMITIAN };

/* Factors of the parts of a value v at (i, j) for its mirror image at (j, i): v in symmetric matrices, -v in
 * skew-symmetric and conj v in hermitian ones. */
struct mirror_signs {
    double real, imaginary;
};

static inline struct mirror_signs mirror_signs(enum symmetry symmetry)
{
    return (struct mirror_signs){symmetry == SYMMETRY_SKEW ? -1.0 : 1.0,
                                 symmetry == SYMMETRY_SYMMETRIC ? 1.0 : -1.0};
}

/* True if the columns of the entries are in memory; the values need not be. */
static inline int csr_here(const struct csr *a)
{
    return !a->skeleton || a->col;
}

/* True if values are complex, whether or not they are in memory. */
int csr_complex(const struct csr *a);

static inline int64_t csr_nnz(const struct csr *a)
{
    return a->row_ptr ? a->row_ptr[a->rows] : 0;
}

/* Return the number of entry (i, j) among all entries, or -1 if there is none. O(log of the row's length). */
int64_t csr_find(const struct csr *a, int64_t i, int64_t j);

/* Return the first entry of row i whose column is j or larger; row_ptr[i+1] if there is none. O(log of the
 * row's length). */
int64_t csr_lower_bound(const struct csr *a, int64_t i, int64_t j);

/* Return the row that holds entry k, 0 <= k < nnz. O(log rows). */
int64_t csr_row_of(const struct csr *a, int64_t k);

/* Write entry number `from` over entry number `to`. */
static inline void csr_move(struct csr *a, int64_t from, int64_t to)
{
    a->col[to] = a->col[from];
    a->val[to] = a->val[from];
    if (a->imaginary) a->imaginary[to] = a->imaginary[from];
}

/* Check that the arrays have the properties above. STATUS_INPUT names the first row that violates them.
 * Parallel, O(nnz + rows). */
enum status csr_validate(const struct csr *a, struct error *error);

/* Return the bytes of the arrays of a matrix with this number of rows and entries; SIZE_MAX on overflow. */
size_t csr_bytes(int64_t rows, int64_t nnz, int complex);

/* Remove in place the entries whose value, or both of whose complex parts, are zero. Returns their
 * number. */
int64_t csr_drop_zeros(struct csr *a);

/* Return the number of entries whose value, or both of whose complex parts, are zero. Parallel. */
int64_t csr_count_zeros(const struct csr *a);

/* STATUS_UNAVAILABLE if a value, or a part of one, is NaN or infinite. The message begins with `what`, such
 * as "solves", and has the position of the first such entry. Parallel. */
enum status csr_check_finite(const struct csr *a, const char *what, struct error *error);

void csr_free(struct csr *a);

/* Allocate the arrays for this number of entries; csr_free frees those that exist. STATUS_MEMORY. */
enum status csr_allocate(struct csr *a, int64_t nnz, int complex, struct error *error);

#endif
