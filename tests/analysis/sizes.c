/* analysis/sizes: the largest |a| and the sum of |a| of dots against plain loops. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/sizes.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/support.h"

#define HIGH 9
#define WIDE 7

static void plain(const struct csr *a, const struct size_dots *dots, bool sum, double *sizes)
{
    memset(sizes, 0, HIGH * WIDE * sizeof *sizes);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t y = i < dots->row0 ? -1 : (i - dots->row0) / dots->dot_rows;
            int64_t x = a->col[k] < dots->col0 ? -1 : (a->col[k] - dots->col0) / dots->dot_cols;
            double size =
                sqrt(a->val[k] * a->val[k] + (a->imaginary ? a->imaginary[k] * a->imaginary[k] : 0));
            if (y < 0 || x < 0 || y >= HIGH || x >= WIDE) continue;
            double *at = &sizes[y * WIDE + x];
            *at = sum ? *at + size : fmax(*at, size);
        }
}

static void sizes_agree_with_plain_loops(void **state)
{
    static const int64_t cuts[][4] = {
        {0, 0, 1, 1},     {3, 5, 1, 1},     {0, 0, 8, 16},
        {10, 20, 3, 5},   {50, 50, 64, 64}, {0, 63, 100, 1},
        {199, 299, 1, 1}, {500, 0, 1, 1},   {0, 0, INT64_MAX / 2, INT64_MAX / 2}};
    for (int complex = 0; complex < 2; complex++) {
        struct csr a = support_matrix(200, 300, 0.1, true, complex, 3);
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++)
            for (int sum = 0; sum < 2; sum++)
                for (int threads = 1; threads <= 3; threads += 2) {
                    struct size_dots dots = {cuts[k][0], cuts[k][1], cuts[k][2], cuts[k][3], HIGH, WIDE};
                    double sizes[HIGH * WIDE], expected[HIGH * WIDE];
                    threads_set(threads);
                    plain(&a, &dots, sum, expected);
                    assert_int_equal(sizes_of_dots(&a, &dots, sum, NULL, sizes, NULL), STATUS_OK);
                    for (int d = 0; d < HIGH * WIDE; d++)
                        assert_true(fabs(sizes[d] - expected[d]) <= 1e-14 * expected[d]);
                }
        csr_free(&a);
    }
    threads_set(0);
}

static void signs_are_counted(void **state)
{
    struct csr a = support_matrix(200, 300, 0.1, true, false, 5);
    struct size_dots dots = {10, 20, 13, 31, HIGH, WIDE};
    int64_t signs[2][HIGH * WIDE], expected[2][HIGH * WIDE] = {{0}};
    for (int64_t i = 10; i < 10 + 13 * HIGH; i++)
        for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++) {
            if (a.col[k] < 20 || a.col[k] >= 20 + 31 * WIDE) continue;
            int64_t dot = (i - 10) / 13 * WIDE + (a.col[k] - 20) / 31;
            if (a.val[k] != 0) expected[a.val[k] < 0][dot]++;
        }
    for (int threads = 1; threads <= 3; threads += 2) {
        threads_set(threads);
        assert_int_equal(signs_of_dots(&a, &dots, NULL, signs[0], signs[1], NULL), STATUS_OK);
        assert_memory_equal(signs, expected, sizeof signs);
    }
    threads_set(0);
    csr_free(&a);
}

static void nans_are_left_out(void **state)
{
    double dense[] = {NAN, -3, INFINITY, 2};
    struct csr a = support_dense(2, 2, dense);
    double size;
    struct size_dots dots = {0, 0, 1, 2, 1, 1};
    assert_int_equal(sizes_of_dots(&a, &dots, true, NULL, &size, NULL), STATUS_OK);
    assert_true(size == 3);
    dots.row0 = 1;
    assert_int_equal(sizes_of_dots(&a, &dots, false, NULL, &size, NULL), STATUS_OK);
    assert_true(isinf(size));
    struct progress progress = {0};
    progress_cancel(&progress);
    assert_int_equal(sizes_of_dots(&a, &dots, false, &progress, &size, NULL), STATUS_CANCELLED);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_agree_with_plain_loops),
        cmocka_unit_test(signs_are_counted),
        cmocka_unit_test(nans_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
