/* analysis/lengths: the numbers of row and column lengths against numpy and brute force. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/lengths.h"
#include "base/memory.h"
#include "base/threads.h"
#include "matrix/columns.h"
#include "support/cmocka.h"
#include "support/support.h"

static void near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-14 * fabs(expected))) fail_msg("%.17g is not %.17g", value, expected);
}

/* Offsets of rows with these lengths; row lengths need nothing else of a matrix. */
static struct csr rows_of_lengths(const int64_t *lengths, int64_t rows)
{
    struct csr a = {.rows = rows, .cols = INT32_MAX};
    a.row_ptr = memory_zeroed((size_t)rows + 1, sizeof *a.row_ptr, NULL);
    assert_non_null(a.row_ptr);
    for (int64_t i = 0; i < rows; i++)
        a.row_ptr[i + 1] = a.row_ptr[i] + lengths[i];
    return a;
}

/* x = numpy.array([3,0,7,7,1,12,5000,4096,4095,9000,2,2,0,1]); x.mean(), numpy.percentile(x, 95), x.std(),
 * numpy.abs(x - x.mean()).mean(), numpy.abs(x[:,None] - x[None,:]).sum() / (2 * 14**2 * x.mean()) */
static void row_lengths_agree_with_numpy(void **state)
{
    static const int64_t x[] = {3, 0, 7, 7, 1, 12, 5000, 4096, 4095, 9000, 2, 2, 0, 1};
    static const struct length_count histogram[] = {{0, 2},  {1, 2},    {2, 2},    {3, 1},    {7, 2},
                                                    {12, 1}, {4095, 1}, {4096, 1}, {5000, 1}, {9000, 1}};
    struct csr a = rows_of_lengths(x, 14);
    struct lengths l;
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    assert_int_equal(l.lines, 14);
    assert_int_equal(l.nnz, 22226);
    assert_int_equal(l.min, 0);
    assert_int_equal(l.max, 9000);
    assert_int_equal(l.empty, 2);
    near(l.mean, 1587.5714285714287);
    near(l.median, 5.0);
    near(l.p95, 6399.999999999998);
    near(l.p99, 8479.999999999996);
    near(l.stddev, 2728.960286427408);
    near(l.cv, 1.7189527584803252);
    near(l.average_deviation, 2262.9591836734694);
    near(l.percent_average_deviation, 142.54219639804091);
    near(l.gini, 0.763526629044491);
    assert_int_equal(l.bins, 10);
    assert_memory_equal(l.histogram, histogram, sizeof histogram);
    lengths_free(&l);
    csr_free(&a);
}

/* numpy.array([2000000000]*299 + [1999999999]): sqrt(299)/300 exactly, where a naive sum of squares in double
 * would leave nothing. The other figures by hand: deviations 1/300 and 299/300. */
static void almost_equal_lengths_keep_their_deviation(void **state)
{
    int64_t x[300];
    for (int i = 0; i < 300; i++)
        x[i] = 2000000000 - (i == 7);
    struct csr a = rows_of_lengths(x, 300);
    struct lengths l;
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    near(l.stddev, sqrt(299) / 300);
    near(l.average_deviation, 2.0 * 299 / 300 / 300);
    near(l.gini, 299.0 / 300 / l.nnz);
    lengths_free(&l);
    csr_free(&a);
}

static void lines_that_are_not_there_have_no_mean(void **state)
{
    int64_t offsets[4] = {0};
    struct csr none = {.rows = 0, .cols = 3, .row_ptr = offsets}, empty = {.rows = 3, .row_ptr = offsets};
    struct lengths l;
    assert_int_equal(lengths_of_rows(&none, NULL, &l, NULL), STATUS_OK);
    assert_true(l.lines == 0 && l.min == 0 && l.max == 0 && l.bins == 0);
    assert_true(isnan(l.mean) && isnan(l.median) && isnan(l.p95) && isnan(l.stddev) && isnan(l.gini) &&
                isnan(l.average_deviation));
    lengths_free(&l);
    assert_int_equal(lengths_of_columns(&empty, NULL, &l, NULL), STATUS_OK);
    assert_true(l.lines == 0 && isnan(l.mean) && isnan(l.cv));
    lengths_free(&l);
    assert_int_equal(lengths_of_rows(&empty, NULL, &l, NULL), STATUS_OK);
    assert_true(l.lines == 3 && l.empty == 3 && l.bins == 1 && l.mean == 0 && l.stddev == 0 && l.p99 == 0);
    assert_true(isnan(l.cv) && isnan(l.gini) && isnan(l.percent_average_deviation));
    lengths_free(&l);
    assert_int_equal(lengths_of_columns(&none, NULL, &l, NULL), STATUS_OK);
    assert_true(l.lines == 3 && l.empty == 3 && l.max == 0);
    lengths_free(&l);
}

/* The histogram of column lengths against counting in a plain loop. */
static void check_columns(const struct csr *a)
{
    struct lengths l;
    int64_t *expected = memory_zeroed((size_t)a->cols, sizeof *expected, NULL);
    int64_t *lines = memory_zeroed((size_t)a->rows + 1, sizeof *lines, NULL);
    for (int64_t k = 0; k < csr_nnz(a); k++)
        expected[a->col[k]]++;
    for (int64_t j = 0; j < a->cols; j++)
        lines[expected[j]]++;
    int64_t *offsets, sum = 0;
    assert_int_equal(column_offsets(a, 0, NULL, &offsets, NULL), STATUS_OK);
    for (int64_t j = 0; j <= a->cols; j++) {
        assert_int_equal(offsets[j], sum);
        if (j < a->cols) sum += expected[j];
    }
    assert_int_equal(lengths_of_columns(a, NULL, &l, NULL), STATUS_OK);
    assert_int_equal(l.lines, a->cols);
    assert_int_equal(l.nnz, csr_nnz(a));
    for (int64_t length = 0, b = 0; length <= a->rows; length++) {
        if (!lines[length]) continue;
        assert_true(b < l.bins && l.histogram[b].length == length && l.histogram[b].count == lines[length]);
        if (++b == l.bins) assert_int_equal(l.max, length);
    }
    lengths_free(&l);
    free(offsets);
    free(lines);
    free(expected);
}

static void column_lengths_equal_a_plain_count(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
    } cases[] = {{1, 5000, 0.3}, {5000, 1, 0.5}, {200, 300, 0.1}, {6000, 3, 0.9}, {1, 1, 1}, {40, 40, 0}};
    for (int threads = 1; threads <= 3; threads++) {
        threads_set(threads);
        for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
            struct csr a = support_matrix(cases[k].rows, cases[k].cols, cases[k].density, true, false, 7 + k);
            check_columns(&a);
            csr_free(&a);
        }
    }
    threads_set(0);
}

/* Large enough to be counted by several threads: apart when the columns are few, else together. */
static void columns_are_counted_apart_and_together(void **state)
{
    static const int32_t widths[] = {1000, 900000};
    for (int w = 0; w < 2; w++) {
        uint64_t seed = 3;
        int64_t n = 600000;
        struct csr a = {.rows = n, .cols = widths[w]};
        a.row_ptr = memory_array((size_t)n + 1, sizeof *a.row_ptr, NULL);
        a.col = memory_array((size_t)n, sizeof *a.col, NULL);
        for (int64_t i = 0; i < n; i++) {
            a.row_ptr[i] = i;
            a.col[i] = i % 3 ? (int32_t)support_random(&seed, (uint32_t)widths[w]) : 17;
        }
        a.row_ptr[n] = n;
        for (int threads = 1; threads <= 3; threads++) {
            threads_set(threads);
            check_columns(&a);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* The same bits for any number of threads, also where lengths are listed rather than counted. */
static void threads_do_not_change_a_bit(void **state)
{
    enum { ROWS = 200000 };
    uint64_t seed = 11;
    int64_t *x = memory_array(ROWS, sizeof *x, NULL);
    for (int64_t i = 0; i < ROWS; i++)
        x[i] = support_random(&seed, i % 50 ? 60 : 20000);
    struct csr a = rows_of_lengths(x, ROWS);
    struct lengths one, more;
    threads_set(1);
    assert_int_equal(lengths_of_rows(&a, NULL, &one, NULL), STATUS_OK);
    for (int threads = 2; threads <= 3; threads++) {
        threads_set(threads);
        assert_int_equal(lengths_of_rows(&a, NULL, &more, NULL), STATUS_OK);
        assert_int_equal(more.bins, one.bins);
        assert_memory_equal(more.histogram, one.histogram, (size_t)one.bins * sizeof *one.histogram);
        assert_true(more.p95 == one.p95 && more.stddev == one.stddev && more.gini == one.gini &&
                    more.average_deviation == one.average_deviation);
        lengths_free(&more);
    }
    threads_set(0);
    lengths_free(&one);
    csr_free(&a);
    free(x);
}

static void a_cut_splits_the_entries(void **state)
{
    static const int64_t x[] = {3, 0, 7, 7, 1, 12, 5000};
    struct csr a = rows_of_lengths(x, 7);
    struct lengths l;
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    for (int64_t k = 0; k <= 5001; k++) {
        struct cut cut = lengths_cut(&l, k);
        int64_t kept = 0, longer = 0;
        for (int i = 0; i < 7; i++) {
            kept += x[i] < k ? x[i] : k;
            longer += x[i] > k;
        }
        assert_true(cut.k == k && cut.kept == kept && cut.rest == 5030 - kept && cut.longer == longer);
    }
    lengths_free(&l);
    csr_free(&a);
}

static void every_failing_allocation_is_reported(void **state)
{
    struct csr a = support_matrix(300, 5000, 0.4, true, false, 5);
    for (int columns = 0; columns < 2; columns++)
        for (long k = 0, failed = 1; failed; k++) {
            struct lengths l;
            struct error error = {0};
            memory_fail_after(k);
            enum status status =
                columns ? lengths_of_columns(&a, NULL, &l, &error) : lengths_of_rows(&a, NULL, &l, &error);
            failed = memory_failures();
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
            if (failed) assert_null(l.histogram);
            lengths_free(&l);
        }
    for (long k = 0, failed = 1; failed; k++) {
        int64_t *offsets;
        struct error error = {0};
        memory_fail_after(k);
        enum status status = column_offsets(&a, 0, NULL, &offsets, &error);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        assert_true(failed ? !offsets : !!offsets);
        free(offsets);
    }
    memory_fail_after(-1);
    csr_free(&a);
}

static void cancelling_stops_and_progress_ends_full(void **state)
{
    struct csr a = support_matrix(300, 200, 0.4, true, false, 5);
    struct progress progress = {0}, stopped = {0};
    struct lengths l;
    assert_int_equal(lengths_of_columns(&a, &progress, &l, NULL), STATUS_OK);
    assert_int_equal(progress.done, progress.total);
    lengths_free(&l);
    int64_t *offsets;
    assert_int_equal(column_offsets(&a, 0, &progress, &offsets, NULL), STATUS_OK);
    assert_int_equal(progress.done, csr_nnz(&a));
    assert_int_equal(progress.total, csr_nnz(&a));
    free(offsets);
    assert_int_equal(lengths_of_rows(&a, &progress, &l, NULL), STATUS_OK);
    assert_int_equal(progress.done, 300);
    assert_int_equal(progress.total, 300);
    lengths_free(&l);
    progress_cancel(&stopped);
    assert_int_equal(lengths_of_columns(&a, &stopped, &l, NULL), STATUS_CANCELLED);
    assert_null(l.histogram);
    assert_int_equal(column_offsets(&a, 0, &stopped, &offsets, NULL), STATUS_CANCELLED);
    assert_null(offsets);
    assert_int_equal(lengths_of_rows(&a, &stopped, &l, NULL), STATUS_CANCELLED);
    csr_free(&a);
}

static void rows_of_one_are_not_empty(void **state)
{
    static const int64_t x[] = {1, 3, 1, 2};
    struct csr a = rows_of_lengths(x, 4);
    struct lengths l;
    assert_int_equal(lengths_of_rows(&a, NULL, &l, NULL), STATUS_OK);
    assert_int_equal(l.min, 1);
    assert_int_equal(l.empty, 0);
    lengths_free(&l);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_of_one_are_not_empty),
        cmocka_unit_test(row_lengths_agree_with_numpy),
        cmocka_unit_test(almost_equal_lengths_keep_their_deviation),
        cmocka_unit_test(lines_that_are_not_there_have_no_mean),
        cmocka_unit_test(column_lengths_equal_a_plain_count),
        cmocka_unit_test(columns_are_counted_apart_and_together),
        cmocka_unit_test(threads_do_not_change_a_bit),
        cmocka_unit_test(a_cut_splits_the_entries),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancelling_stops_and_progress_ends_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
