/* A random sample of the rows of a product. The number of its entries is estimated from it, with a standard
 * error. */
#ifndef SPARSIGHT_ANALYSIS_SPGEMM_SAMPLE_H
#define SPARSIGHT_ANALYSIS_SPGEMM_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/spgemm_rows.h"
#include "base/error.h"
#include "base/job.h"

/* The number of classes of rows. The multiplications of two rows of a class differ by less than an eighth. */
#define SPGEMM_CLASSES 512

/* Consecutive rows in the order by class and number. The same share is drawn from all their strata. */
struct spgemm_group {
    int64_t first;  /* position of the first row in that order */
    int64_t count;  /* number of rows */
    int64_t strata; /* number of strata, of which each gives two rows; 0: all rows are drawn */
    int64_t most;   /* the most multiplications of a row */
};

/* The sample. {0}: none. Free with spgemm_sample_free. */
struct spgemm_sample {
    int32_t *rows; /* the drawn rows, group by group; owned */
    int64_t count;
    struct spgemm_group group[SPGEMM_CLASSES]; /* of rows with the most multiplications first */
    int groups;
    /* The rows outside all groups have at most one entry in `left`, or no multiplications. They have as many
     * entries in C as multiplications; these are their sum and their maximum: */
    int64_t known, longest;
};

/* Draw rows whose multiplications, with an allowance for reading each row, are about `budget`. The expected
 * cost exceeds it by the cost of a few rows at most.
 *
 * Rows with similar numbers of multiplications have similar lengths, and neighbouring ones more so. Rows are
 * therefore ordered by class and number, and cut into strata. Each stratum gives two random rows, or all of
 * its rows. The share of rows in the sample is
 *
 *     proportional to s / sqrt(w),  s = min(multiplications, cols),  w the cost of a row,
 *
 * and at most 1: rows with many multiplications are drawn with certainty if the budget allows. This is the
 * optimal allocation if the standard deviation within strata is proportional to s (Neyman, J. Royal
 * Statistical Society 97, 1934; with costs and two units per stratum: Cochran, Sampling Techniques, 3rd
 * edition, chapters 5 and 5A).
 *
 * The sample depends on the product, the budget and the seed alone. O(rows) time of one thread, and 4 bytes
 * per row, which are freed again. STATUS_MEMORY, STATUS_CANCELLED; on failure *sample is {0}. */
enum status spgemm_sample_draw(const struct row_product *product, int64_t budget, uint64_t seed,
                               struct progress *progress, struct spgemm_sample *sample, struct error *error);

/* Estimate the number of entries of C from the lengths of the drawn rows. With the lengths y_1 and y_2 from a
 * stratum of N rows, the strata contribute
 *
 *     estimate = sum of N (y_1 + y_2) / 2,    error^2 = sum of N (N - 2) (y_1 - y_2)^2 / 4.
 *
 * The entries of all other rows are known and added. Both are unbiased (Cochran, chapter 5). */
void spgemm_sample_estimate(const struct spgemm_sample *sample, const int32_t *lengths, double *estimate,
                            double *error);

/* Return the most bytes that spgemm_sample_draw allocates, with the sample. */
size_t spgemm_sample_bytes(int64_t rows, int64_t budget);

void spgemm_sample_free(struct spgemm_sample *sample);

#endif
