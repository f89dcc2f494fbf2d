/* The largest sum of a column, against a plain loop over whole numbers, and the memory for it. */
#include <math.h>
#include <stdlib.h>

#include "analysis/column_sums.h"
#include "base/threads.h"
#include "support/support.h"
#include "support/unit.h"

static const struct {
    int64_t rows, cols;
    double density;
    bool skewed;
} shapes[] = {{1, 1, 1, false},       {30, 40, 0.2, true},    {200, 3, 0.5, false},  {3, 900, 0.05, false},
              {400, 30, 0.9, false},  {600, 60, 0.9, true},   {2000, 40, 0.5, true}, {40, 2000, 0.5, true},
              {20, 4000, 0.01, true}, {300, 300, 0.3, false}, {900, 2, 1, false}};

/* The largest column sum of |a| of real values by a plain loop: they are small whole numbers. */
static double largest_sum(const struct csr *a)
{
    double *sums = calloc((size_t)a->cols, sizeof *sums), most = 0;
    for (int64_t k = 0; k < csr_nnz(a); k++)
        sums[a->col[k]] += fabs(a->val[k]);
    for (int64_t j = 0; j < a->cols; j++)
        most = fmax(most, sums[j]);
    free(sums);
    return most;
}

TEST(sums_do_not_depend_on_threads)
{
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        FREED(csr_free)
        struct csr a =
            support_matrix(shapes[k].rows, shapes[k].cols, shapes[k].density, shapes[k].skewed, false, k + 1);
        double expected = largest_sum(&a);
        for (int threads = 1; threads <= 5; threads++) {
            double found = -1;
            threads_set(threads);
            assert_int_equal(column_sums_max(&a, 2, NULL, &found, NULL), STATUS_OK);
            if (found != expected) fail_msg("%zu with %d threads: %g, not %g", k, threads, found, expected);
        }
    }
    threads_set(0);
}

/* Any run of columns has the same sums as in the whole. */
TEST(columns_are_summed_up_apart)
{
    FREED(csr_free) struct csr a = support_matrix(500, 90, 0.6, true, false, 7);
    exact_integer sums[90];
    for (int64_t from = 0; from < 90; from += 13)
        for (int64_t to = from + 1; to <= 90; to += 17) {
            for (int j = 0; j < 90; j++)
                sums[j] = 0;
            column_sums_add(&a, 2, from, to, sums, NULL);
            for (int64_t j = from; j < to; j++) {
                double sum = 0;
                for (int64_t k = 0; k < csr_nnz(&a); k++)
                    sum += a.col[k] == j ? fabs(a.val[k]) : 0;
                assert_true(column_sum(2, sums[j - from]) == sum);
            }
            for (int64_t j = to - from; j < 90; j++)
                assert_true(sums[j] == 0);
        }
}

/* The header's bounds: 16 for each column and thread, but at most 2 for each entry if that is more than 16
 * for each column; one thread with few entries; 16 for each entry if fewer than a quarter of the columns can
 * have one. */
TEST(memory_is_as_said)
{
    static const int64_t columns_of[] = {1, 4, 7, 1000, 100000}, few[] = {0, 1, 25, 249, 250, 1000, 16384},
                         many[] = {16385, 24999, 25000, 200000, 10000000};
    for (int threads = 1; threads <= 5; threads++)
        for (size_t c = 0; c < sizeof columns_of / sizeof *columns_of; c++) {
            const int64_t cols = columns_of[c];
            threads_set(threads);
            for (size_t n = 0; n < sizeof few / sizeof *few; n++)
                assert_int_equal(column_sums_bytes(cols, few[n]),
                                 few[n] < cols / 4 ? 16 * few[n] : 16 * cols);
            for (size_t n = 0; n < sizeof many / sizeof *many; n++) {
                const size_t bytes = column_sums_bytes(cols, many[n]);
                const int64_t share = many[n] / (8 * cols), arrays = share < 1 ? 1 : share;
                assert_int_equal(bytes, many[n] < cols / 4
                                            ? 16 * many[n]
                                            : 16 * cols * (arrays < threads ? arrays : threads));
            }
        }
    threads_set(0);
}
