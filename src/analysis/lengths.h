/* Row and column lengths: their distribution and the numbers made from it (DESIGN section 1's definitions
 * are in the comments here). */
#ifndef SPARSIGHT_ANALYSIS_LENGTHS_H
#define SPARSIGHT_ANALYSIS_LENGTHS_H

#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/histogram.h"

/* All numbers but the integers are NaN where there is no row at all. */
struct lengths {
    int64_t lines; /* rows, or columns */
    int64_t nnz;
    int64_t min, max;
    int64_t empty; /* lines of length 0 */
    double mean;   /* mu = nnz / lines */
    double median; /* these three by linear interpolation between order statistics, as numpy's percentile */
    double p95, p99;
    double stddev;                    /* population: divided by lines */
    double cv;                        /* stddev / mean; NaN if the mean is 0 */
    double average_deviation;         /* (1/lines) sum abs(len - mu) */
    double percent_average_deviation; /* 100 average_deviation / mu */
    double gini; /* sum over pairs abs(len_i - len_j) / (2 lines^2 mu); 0: all alike; NaN if mu = 0 */
    struct length_count *histogram; /* ascending lengths, counts > 0; owned */
    int64_t bins;
};

/* The distribution of a's row lengths, or of its column lengths. Parallel; O(rows) and O(nnz + cols). Columns
 * take 4 bytes a column while they are counted, for each thread if that stays below a byte an entry. The
 * caller frees with lengths_free. */
enum status lengths_of_rows(const struct csr *a, struct progress *progress, struct lengths *lengths,
                            struct error *error);
enum status lengths_of_columns(const struct csr *a, struct progress *progress, struct lengths *lengths,
                               struct error *error);

/* The column pointer of CSC: entries of columns before j, for j = 0..cols. An array of cols + 1 that the
 * caller frees; NULL on failure. Parallel, O(nnz + cols); columns are counted as for lengths_of_columns. */
enum status column_offsets(const struct csr *a, struct progress *progress, int64_t **offsets,
                           struct error *error);

/* Slots that ELL needs beyond its entries if rows are cut at k, and what is left over: with rows cut at k,
 * ell_slots = lines * k, kept = sum min(len, k), rest = nnz - kept. O(bins). */
struct cut {
    int64_t k;
    int64_t kept;
    int64_t rest;
    int64_t longer; /* lines longer than k */
};
struct cut lengths_cut(const struct lengths *lengths, int64_t k);

void lengths_free(struct lengths *lengths);

#endif
