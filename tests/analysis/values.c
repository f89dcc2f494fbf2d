/* analysis/values: range, signs, decades, norms and diagonal dominance against numpy and brute force. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/values.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/support.h"

static int64_t decade(const struct values *v, int exponent)
{
    return v->decades[exponent - VALUES_FIRST_DECADE];
}

static void near(double value, double expected)
{
    if (isnan(expected) ? isnan(value) : fabs(value - expected) <= 1e-14 * fabs(expected)) return;
    fail_msg("%.17g is not %.17g", value, expected);
}

/* numpy.linalg.norm(A, 1), (A, inf), (A, 'fro'); abs(A[A != 0]).mean(); and by hand: row 0 has 4 > 1 + 2, row
 * 1 has 0.5 < 3, row 2 has 6 >= 1 + 5, row 3 is empty. */
static void a_small_matrix_agrees_with_numpy(void **state)
{
    static const double dense[] = {4, -1, 2, 0, /**/ 0, -0.5, 3, 0, /**/ -1, 5, 6, 0, /**/ 0, 0, 0, 0};
    struct csr a = support_dense(4, 4, dense);
    struct values v;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_int_equal(v.positive, 5);
    assert_int_equal(v.negative, 3);
    assert_true(v.nan == 0 && v.infinite == 0);
    assert_true(v.min == -1 && v.max == 6 && v.min_abs == 0.5 && v.max_abs == 6);
    near(v.mean_abs, 2.8125);
    near(v.norm_1, 11);
    near(v.norm_inf, 12);
    near(v.norm_frobenius, 9.604686356149273);
    assert_int_equal(v.dominant_rows, 3);
    assert_int_equal(v.strict_rows, 1);
    assert_int_equal(v.positive_diagonal, 2);
    assert_int_equal(decade(&v, -1), 1);
    assert_int_equal(decade(&v, 0), 7);
    csr_free(&a);
}

/* A decade begins exactly at the power of ten as it is read, not where a logarithm is rounded to. */
static void decades_begin_at_powers_of_ten(void **state)
{
    static const struct {
        double value;
        int decade;
    } cases[] = {{1, 0},
                 {0x1.fffffffffffffp-1, -1},
                 {10, 1},
                 {0x1.3ffffffffffffp3, 0}, /* the double below 10 */
                 {1e-5, -5},
                 {1e3, 3},
                 {999.99999999999989, 2},
                 {1e22, 22},
                 {1e23, 23},
                 {9.9999999999999974e22, 22},
                 {DBL_MAX, 308},
                 {DBL_MIN, -308},
                 {1e-308, -308},
                 {9.9e-309, -309},
                 {4.94e-324, -324},
                 {1e-323, -323},
                 {-1e-7, -7}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_dense(1, 1, &cases[k].value);
        struct values v;
        assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
        if (decade(&v, cases[k].decade) != 1)
            fail_msg("%g is not in decade %d", cases[k].value, cases[k].decade);
        csr_free(&a);
    }
}

/* Squares of these overflow, underflow, or lose all but the largest. sqrt(3^2 + 4^2) = 5. */
static void norms_neither_overflow_nor_underflow(void **state)
{
    static const struct {
        double values[4], frobenius, mean;
    } cases[] = {{{3e300, 4e300, 0, 0}, 5e300, 3.5e300},
                 {{3e-300, 4e-300, 0, 0}, 5e-300, 3.5e-300},
                 {{3e300, 4e300, 1, 1e-300}, 5e300, 1.75e300},
                 {{3, 4, 1e-200, -1e-200}, 5, 1.75},
                 {{3e-160, 4e-160, 1e-170, 0}, 5e-160, (7e-160 + 1e-170) / 3},
                 {{1.5e308, -1.5e308, 0, 0}, INFINITY, 1.5e308},
                 {{0x3p-1074, 0x4p-1074, 0, 0}, 0x5p-1074, 0x4p-1074}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_dense(2, 2, cases[k].values);
        struct values v;
        assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
        if (isinf(cases[k].frobenius))
            assert_true(isinf(v.norm_frobenius) && isinf(v.norm_inf));
        else
            near(v.norm_frobenius, cases[k].frobenius);
        near(v.mean_abs, cases[k].mean);
        csr_free(&a);
    }
}

static void infinite_values_are_counted_and_left_out(void **state)
{
    int64_t row_ptr[] = {0, 4, 5};
    int32_t col[] = {0, 1, 2, 3, 1};
    double val[] = {NAN, -INFINITY, 0, 2, -3};
    struct csr a = {.rows = 2, .cols = 4, .row_ptr = row_ptr, .col = col, .val = val};
    struct values v;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_true(v.nan == 1 && v.infinite == 1 && v.positive == 1 && v.negative == 2);
    assert_true(v.min == -3 && v.max == 2 && v.min_abs == 2 && v.max_abs == 3);
    near(v.mean_abs, 5.0 / 3);
    assert_true(isnan(v.norm_1) && isnan(v.norm_inf) && isnan(v.norm_frobenius));
    for (int k = 0; k < 5; k++)
        val[k] = NAN;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_true(v.nan == 5 && isnan(v.min) && isnan(v.max) && isnan(v.min_abs) && isnan(v.max_abs));
    assert_true(isnan(v.mean_abs));
    for (int k = 0; k < 5; k++)
        val[k] = 0;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_true(v.max_abs == 0 && isnan(v.min_abs) && v.mean_abs == 0 && v.norm_frobenius == 0);
}

/* Moduli are 5, 13 and 1; diagonal entries are positive only if they are real. */
static void complex_values_have_moduli(void **state)
{
    int64_t row_ptr[] = {0, 2, 3};
    int32_t col[] = {0, 1, 1};
    double val[] = {3, 5, 1}, imaginary[] = {4, -12, 0};
    struct csr a = {.rows = 2, .cols = 2, .row_ptr = row_ptr, .col = col, .val = val, .imaginary = imaginary};
    struct values v;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_true(isnan(v.min) && isnan(v.max) && v.positive == 0 && v.negative == 0);
    assert_true(v.min_abs == 1 && v.max_abs == 13 && v.norm_1 == 14 && v.norm_inf == 18);
    near(v.norm_frobenius, sqrt(195));
    assert_int_equal(v.positive_diagonal, 1);
    assert_int_equal(v.dominant_rows, 1);
    imaginary[0] = INFINITY, val[1] = NAN;
    assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
    assert_true(v.infinite == 1 && v.nan == 1 && v.max_abs == 1);
}

static void matrices_without_entries_have_norm_0(void **state)
{
    int64_t offsets[5] = {0};
    static const int64_t shapes[][2] = {{0, 0}, {0, 4}, {4, 0}, {4, 4}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct csr a = {.rows = shapes[k][0], .cols = shapes[k][1], .row_ptr = offsets};
        struct values v;
        assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
        assert_true(v.norm_1 == 0 && v.norm_inf == 0 && v.norm_frobenius == 0);
        assert_true(isnan(v.min) && isnan(v.max_abs) && isnan(v.mean_abs));
        assert_int_equal(v.dominant_rows, a.rows == a.cols ? a.rows : 0);
        assert_int_equal(v.strict_rows, 0);
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* All definitions written out, in sums of long doubles. */
static struct values brute_force(const struct csr *a)
{
    struct values v = {.min = NAN, .max = NAN};
    int64_t nnz = csr_nnz(a);
    long double *cols = memory_zeroed((size_t)a->cols, sizeof *cols, NULL), squares = 0, all = 0;
    double *sizes = memory_zeroed((size_t)nnz, sizeof *sizes, NULL);
    for (int64_t i = 0; i < a->rows; i++) {
        long double row = 0, diagonal = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            double im = a->imaginary ? a->imaginary[k] : 0, size = sizes[k] = hypot(a->val[k], im);
            row += size;
            cols[a->col[k]] += size;
            squares += (long double)size * size;
            all += size;
            if (a->col[k] == i) {
                diagonal = size;
                v.positive_diagonal += a->val[k] > 0 && im == 0;
            }
            if (size > 0) v.decades[(int)floor(log10(size)) - VALUES_FIRST_DECADE]++;
            if (a->imaginary) continue;
            v.positive += a->val[k] > 0;
            v.negative += a->val[k] < 0;
            if (!(a->val[k] >= v.min)) v.min = a->val[k];
            if (!(a->val[k] <= v.max)) v.max = a->val[k];
        }
        if (row > v.norm_inf) v.norm_inf = (double)row;
        v.dominant_rows += a->rows == a->cols && diagonal >= row - diagonal;
        v.strict_rows += a->rows == a->cols && diagonal > row - diagonal;
    }
    for (int64_t j = 0; j < a->cols; j++)
        if (cols[j] > v.norm_1) v.norm_1 = (double)cols[j];
    v.norm_frobenius = (double)sqrtl(squares);
    v.mean_abs = (double)(all / (long double)nnz);
    qsort(sizes, (size_t)nnz, sizeof *sizes, by_size);
    int64_t zeros = 0;
    while (zeros < nnz && sizes[zeros] == 0)
        zeros++;
    v.min_abs = zeros < nnz ? sizes[zeros] : NAN;
    v.max_abs = nnz ? sizes[nnz - 1] : NAN;
    free(cols);
    free(sizes);
    return v;
}

static void same_values(const struct values *v, const struct values *w)
{
    const double reals[][2] = {{v->min, w->min},           {v->max, w->max},
                               {v->min_abs, w->min_abs},   {v->max_abs, w->max_abs},
                               {v->norm_1, w->norm_1},     {v->mean_abs, w->mean_abs},
                               {v->norm_inf, w->norm_inf}, {v->norm_frobenius, w->norm_frobenius}};
    for (size_t k = 0; k < sizeof reals / sizeof *reals; k++)
        if (!(isnan(reals[k][1]) ? isnan(reals[k][0])
                                 : fabs(reals[k][0] - reals[k][1]) <= 1e-12 * fabs(reals[k][1])))
            fail_msg("number %d: %.17g is not %.17g", (int)k, reals[k][0], reals[k][1]);
    assert_int_equal(v->positive, w->positive);
    assert_int_equal(v->negative, w->negative);
    assert_int_equal(v->dominant_rows, w->dominant_rows);
    assert_int_equal(v->strict_rows, w->strict_rows);
    assert_int_equal(v->positive_diagonal, w->positive_diagonal);
    assert_memory_equal(v->decades, w->decades, sizeof v->decades);
}

/* Rows longer than the blocks that threads take are among them, wide matrices of few entries, and enough
 * entries a column for several stretches of rows. Every thread count gives the same bits. */
static void random_matrices_agree_with_brute_force(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed, complex, rough;
    } cases[] = {{1, 900, 0.2, 0, 0, 0},   {900, 1, 0.2, 0, 0, 1},    {60, 60, 0.05, 1, 0, 0},
                 {61, 61, 0.3, 0, 1, 1},   {700, 700, 0.9, 1, 0, 1},  {3, 400000, 0.9, 0, 0, 1},
                 {5, 300000, 1, 1, 1, 1},  {1, 400000, 0.9, 0, 0, 1}, {40, 90000, 0.00001, 0, 0, 1},
                 {200, 200, 0.03, 0, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_matrix(cases[k].rows, cases[k].cols, cases[k].density, cases[k].skewed,
                                      cases[k].complex, k + 1);
        uint64_t seed = k;
        for (int64_t e = 0; cases[k].rough && e < csr_nnz(&a); e++)
            a.val[e] *= (1 + support_random(&seed, 1000003)) * 1e-9;
        struct values expected = brute_force(&a), first, v;
        for (int threads = 1; threads <= 4; threads++) {
            threads_set(threads);
            memset(&v, 0, sizeof v);
            assert_int_equal(values_measure(&a, NULL, &v, NULL), STATUS_OK);
            same_values(&v, &expected);
            if (threads == 1) first = v;
            assert_memory_equal(&v, &first, sizeof v);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* 40 decades in at most 16 bins: of 5 each, and they begin at multiples of 5. */
static void bins_have_all_values(void **state)
{
    struct values v = {0};
    struct value_bin bins[633];
    int width;
    assert_int_equal(values_bins(&v, bins, 16, &width), 0);
    for (int e = -22; e < 18; e++)
        v.decades[e - VALUES_FIRST_DECADE] = 1 + (e == 0);
    assert_int_equal(values_bins(&v, bins, 40, &width), 40);
    assert_true(width == 1 && bins[0].first == -22 && bins[39].first == 17 && bins[22].count == 2);
    assert_int_equal(values_bins(&v, bins, 16, &width), 9);
    assert_true(width == 5 && bins[0].first == -25 && bins[8].first == 15);
    assert_true(bins[0].count == 2 && bins[4].count == 5 && bins[5].count == 6 && bins[8].count == 3);
    /* One bin fewer than there are decades: of 2 each. */
    assert_int_equal(values_bins(&v, bins, 39, &width), 20);
    assert_true(width == 2 && bins[0].first == -22 && bins[19].first == 16);
    v.decades[0] = v.decades[VALUES_DECADES - 1] = 1;
    int count = values_bins(&v, bins, 2, &width);
    assert_true(count == 2 && width == 500 && bins[0].first == -500);
    assert_int_equal(values_bins(&v, bins, 633, &width), 633);
}

static void every_failing_allocation_is_reported(void **state)
{
    struct csr a = support_matrix(50, 50, 0.2, false, false, 5);
    struct csr wide = support_matrix(5, 50000, 0.0001, false, false, 5);
    for (int m = 0; m < 2; m++)
        for (long k = 0, failed = 1; failed; k++) {
            struct values v;
            struct error error = {0};
            memory_fail_after(k);
            enum status status = values_measure(m ? &wide : &a, NULL, &v, &error);
            failed = memory_failures();
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
        }
    memory_fail_after(-1);
    csr_free(&a);
    csr_free(&wide);
}

static void cancelling_stops_it(void **state)
{
    struct csr a = support_matrix(700, 700, 0.5, false, false, 5);
    struct progress progress = {0};
    struct values v;
    progress_cancel(&progress);
    assert_int_equal(values_measure(&a, &progress, &v, NULL), STATUS_CANCELLED);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_matrix_agrees_with_numpy),
        cmocka_unit_test(decades_begin_at_powers_of_ten),
        cmocka_unit_test(norms_neither_overflow_nor_underflow),
        cmocka_unit_test(infinite_values_are_counted_and_left_out),
        cmocka_unit_test(complex_values_have_moduli),
        cmocka_unit_test(matrices_without_entries_have_norm_0),
        cmocka_unit_test(random_matrices_agree_with_brute_force),
        cmocka_unit_test(bins_have_all_values),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancelling_stops_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
