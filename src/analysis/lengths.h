/* Row and column lengths: their distribution, and the numbers derived from it. */
#ifndef SPARSIGHT_ANALYSIS_LENGTHS_H
#define SPARSIGHT_ANALYSIS_LENGTHS_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/histogram.h"

/* The lengths x_0 .. x_(n-1) of n lines, which are rows or columns, with the mean mu. If there are no lines,
 * all numbers but the integers are NaN. */
struct lengths {
    int64_t lines; /* n */
    int64_t nnz;   /* sum of x_i */
    int64_t min, max;
    int64_t empty;                    /* lines of length 0 */
    double mean;                      /* mu = nnz / n */
    double median, p95, p99;          /* interpolated linearly between order statistics, as numpy does */
    double stddev;                    /* sigma = sqrt(sum (x_i - mu)^2 / n), that of a population */
    double cv;                        /* sigma / mu; NaN if mu is 0 */
    double average_deviation;         /* sum abs(x_i - mu) / n */
    double percent_average_deviation; /* 100 average_deviation / mu; NaN if mu is 0 */
    double gini; /* sum over all i, j of abs(x_i - x_j) / (2 n^2 mu): 0 if all are equal; NaN if mu is 0 */
    struct length_count *histogram; /* the lengths that occur, ascending; owned */
    int64_t bins;                   /* the number of different lengths */
};

/* Find the distribution of a's row lengths, in O(rows), or of its column lengths, in O(nnz + cols). Parallel.
 * Counting the columns temporarily takes as much memory as column_lengths (matrix/columns.h). The caller
 * frees *lengths with lengths_free. */
enum status lengths_of_rows(const struct csr *a, struct progress *progress, struct lengths *lengths,
                            struct error *error);
enum status lengths_of_columns(const struct csr *a, struct progress *progress, struct lengths *lengths,
                               struct error *error);

/* The same for lines whose lengths are known; their sum is `nnz`. */
enum status lengths_of_lines(const struct lines *lines, int64_t nnz, struct progress *progress,
                             struct lengths *lengths, struct error *error);

/* Mean length of the rows from .. to - 1; 0 if there are none. */
double lengths_mean_between(const struct csr *a, int64_t from, int64_t to);

/* The numbers of entries before and after a cut of each line after its k-th entry. O(bins). */
struct cut {
    int64_t k;
    int64_t kept;   /* entries before the cut: sum of min(x_i, k) */
    int64_t rest;   /* entries after the cut: nnz - kept */
    int64_t longer; /* lines that are longer than k */
};
struct cut lengths_cut(const struct lengths *lengths, int64_t k);

void lengths_free(struct lengths *lengths);

#endif
