/* Products of a sparse matrix with itself: A A, A^T A and A A^T. Multiplications and entries of the product
 * C, the memory of accumulators, and what is known of C without forming it. */
#ifndef SPARSIGHT_ANALYSIS_SPGEMM_H
#define SPARSIGHT_ANALYSIS_SPGEMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

enum spgemm_kind {
    SPGEMM_AA,  /* A A, of a square matrix */
    SPGEMM_ATA, /* A^T A, of `cols` rows */
    SPGEMM_AAT, /* A A^T, of `rows` rows */
    SPGEMM_KINDS
};

/* Multiplications up to which the entries of C are counted exactly; and the budget of a sample of the rows
 * otherwise, which is 4 nnz(A) if that is more, since a single row of C can take nnz(A) multiplications. */
#define SPGEMM_EXACT ((int64_t)1 << 28)
#define SPGEMM_SAMPLE ((int64_t)1 << 27)

/* {0}: the defaults above, and seed 0. */
struct spgemm_budget {
    int64_t exact;
    int64_t sample; /* of spgemm_sample_draw (analysis/spgemm_sample.h) */
    uint64_t seed;  /* of the sample */
};

/* Of the pattern of C; explicit zeros of A are entries, and no entry of C cancels. Ratios are NaN where their
 * denominator is 0. */
struct spgemm {
    int64_t rows, cols;      /* of C */
    int64_t multiplications; /* sum over the entries (i, k) of the left matrix of the length of row k of the
                                right one; at most INT64_MAX. Gustavson's "flops" are twice that. */
    int64_t most_multiplications; /* of a row of C */
    int64_t nnz; /* nnz(C); unless `exact` an estimate, which is held within multiplications and rows cols */
    bool exact;  /* every row of C was counted */
    double standard_error; /* of nnz, in entries; 0 if exact */
    int64_t rows_counted;  /* rows of C whose entries were counted */
    int64_t longest;       /* entries in the longest row of C that was counted */
    int64_t longest_bound; /* no row of C is longer; equal to `longest` if that is known to be the longest */
    double compression;    /* multiplications / nnz(C) */
    double density;        /* nnz(C) / (rows cols) */
    double growth;         /* nnz(C) / nnz(A) */
    /* Bytes of a thread that accumulates any row of C, with 4 bytes for an index and 8 for a value: */
    size_t hash_bytes;   /* of a hash table, sized before C is known: the slots are the smallest power of two
                            that is not below min(cols, most_multiplications) (Nagasaka, Matsuoka, Azad and
                            Buluc, Parallel Computing 90, 2019) */
    size_t fitted_bytes; /* of one whose slots are the smallest power of two that is at least twice
                            longest_bound, so that at most half of them are taken */
    size_t dense_bytes;  /* of arrays of all columns (Gustavson, ACM TOMS 4, 1978) */
};

/* Compute all numbers of a matrix whose columns are in memory (csr_here); values are not read. Exact if the
 * multiplications are within budget->exact: O(multiplications), parallel. Otherwise the rows of
 * spgemm_sample_draw (analysis/spgemm_sample.h) are counted. A^T is made where it is needed, but only with
 * the columns that are. `budget` may be NULL. The results depend neither on the number of threads nor on
 * their speed. STATUS_UNAVAILABLE for A A of a matrix that is not square, STATUS_MEMORY, STATUS_CANCELLED; on
 * failure *out is {0}. */
enum status spgemm_of(const struct csr *a, enum spgemm_kind kind, const struct spgemm_budget *budget,
                      struct progress *progress, struct spgemm *out, struct error *error);

/* Return the most bytes that spgemm_of allocates and frees again. */
size_t spgemm_bytes(const struct csr *a, enum spgemm_kind kind);

#endif
