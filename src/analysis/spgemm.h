/* Sparse products of a matrix with itself or its transpose: C = A A, A^T A or A A^T. C is not formed. Its
 * entries are counted or estimated; multiplications and the memory of accumulators follow from lengths of
 * rows. */
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

/* Return the first product that exists for a matrix; all following products exist, too. */
static inline int spgemm_first(const struct csr *a)
{
    return a->rows == a->cols ? SPGEMM_AA : SPGEMM_ATA;
}

/* The entries of C are counted if that takes at most SPGEMM_EXACT multiplications. Otherwise they are
 * estimated from a sample of rows, whose budget is SPGEMM_SAMPLE or, if more, 4 nnz(A): a single row of C can
 * take nnz(A) multiplications. */
#define SPGEMM_EXACT ((int64_t)1 << 28)
#define SPGEMM_SAMPLE ((int64_t)1 << 27)

/* {0}: the defaults above, and seed 0. */
struct spgemm_budget {
    int64_t exact;
    int64_t sample; /* of spgemm_sample_draw (analysis/spgemm_sample.h) */
    uint64_t seed;  /* of the sample */
};

/* All numbers follow from the patterns: explicit zeros of A are entries, and no entry of C cancels. Ratios
 * are NaN if their denominator is 0. With additions, there are about two flops per multiplication. */
struct spgemm {
    int64_t rows, cols;      /* of C */
    int64_t multiplications; /* sum over the entries (i, k) of the left matrix of the length of row k of the
                                right one; at most INT64_MAX */
    int64_t most_multiplications; /* of a row of C */
    int64_t nnz;           /* nnz(C); an estimate unless `exact`, at most min(multiplications, rows cols) */
    bool exact;            /* nnz was counted, and is not an estimate from a sample */
    double standard_error; /* of nnz, in entries; 0 if exact */
    int64_t rows_counted;  /* rows of C whose entries were counted */
    int64_t longest; /* entries of the longest row of C whose length is known: it was counted, or follows from
                        its multiplications */
    int64_t longest_bound; /* no row of C is longer. It is equal to `longest` if that row is known to be the
                              longest */
    double compression;    /* multiplications / nnz(C) */
    double density;        /* nnz(C) / (rows cols) */
    double growth;         /* nnz(C) / nnz(A) */
    /* Bytes that a thread needs to accumulate any row of C, with 4 bytes for an index and 8 for a value: */
    size_t hash_bytes;   /* of a hash table whose size is chosen before C is known. The slots are the smallest
                            power of two that is not below min(cols, most_multiplications) (Nagasaka, Matsuoka,
                            Azad and Buluc, Parallel Computing 90, 2019) */
    size_t fitted_bytes; /* of a hash table of which any row takes at most half: the slots are the smallest
                            power of two that is at least twice longest_bound */
    size_t dense_bytes;  /* of arrays with an element per column (Gustavson, ACM TOMS 4, 1978) */
};

/* Compute all numbers for a matrix whose columns are in memory (csr_here); values are not read. If the
 * multiplications are within budget->exact, all rows of C are counted: O(nnz + multiplications), parallel.
 * Otherwise the rows that spgemm_sample_draw chooses are counted (analysis/spgemm_sample.h). A^T A and A A^T
 * take a transposed pattern; for a sample it has only the columns of A that are needed. `budget` may be NULL.
 * The results depend neither on the number of threads nor on their speed. STATUS_UNAVAILABLE for A A of a
 * matrix that is not square, STATUS_MEMORY, STATUS_CANCELLED; on failure *out is {0}. */
enum status spgemm_of(const struct csr *a, enum spgemm_kind kind, const struct spgemm_budget *budget,
                      struct progress *progress, struct spgemm *out, struct error *error);

/* The rows of C: their multiplications, and their entries, -1 where these were not counted. */
struct spgemm_rows {
    int64_t rows, step; /* the entries of rows 0, step, 2 step, ... were counted */
    int64_t *work;      /* multiplications of each row; owned, as is `length` */
    int32_t *length;    /* entries of each row of C; -1: not counted */
};

/* Find them. Count the entries of every row if that takes at most `budget` multiplications; otherwise those
 * of every step-th row, in about `budget` multiplications. O(nnz + budget), and O(nnz + rows) bytes. Fails as
 * spgemm_of does; the caller frees with spgemm_rows_free, which takes {0}. */
enum status spgemm_rows_find(const struct csr *a, enum spgemm_kind kind, int64_t budget,
                             struct progress *progress, struct spgemm_rows *out, struct error *error);
void spgemm_rows_free(struct spgemm_rows *rows);

/* Return the largest number of bytes that spgemm_of allocates temporarily, with the default budget. */
size_t spgemm_bytes(const struct csr *a, enum spgemm_kind kind);

#endif
