/* analysis/column_fill against elimination in an explicit A^T A, and against numeric factors. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/column_fill.h"
#include "base/memory.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

#define N 60 /* the most rows, and columns */

/* Eliminate in the pattern of A^T A + I. The upper triangle of c becomes that of L^T. */
static void eliminate(const struct csr *a, bool c[N][N])
{
    memset(c, 0, N * sizeof *c);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            for (int64_t q = a->row_ptr[i]; q < a->row_ptr[i + 1]; q++)
                c[a->col[k]][a->col[q]] = true;
    for (int64_t k = 0; k < a->cols; k++) {
        c[k][k] = true;
        for (int64_t i = k + 1; i < a->cols; i++)
            for (int64_t j = k + 1; j < a->cols; j++)
                if (c[k][i] && c[k][j]) c[i][j] = true;
    }
}

/* Rows of A wait in their first column. Each column k takes one of the waiting rows as its pivot. The others
 * move on to the first column after k in row k of L^T. */
static struct column_fill brute_force(const struct csr *a)
{
    static bool c[N][N];
    struct column_fill fill = {0};
    int64_t waiting[N] = {0};
    eliminate(a, c);
    for (int64_t i = 0; i < a->rows; i++)
        if (a->row_ptr[i] < a->row_ptr[i + 1]) waiting[a->col[a->row_ptr[i]]]++;
    for (int64_t k = 0; k < a->cols; k++) {
        int64_t entries = 0, next = -1;
        for (int64_t j = k; j < a->cols; j++) {
            entries += c[k][j];
            if (next < 0 && j > k && c[k][j]) next = j;
        }
        fill.entries += entries;
        fill.flops += (double)(entries * entries);
        fill.householder += waiting[k];
        fill.lacking += waiting[k] == 0;
        for (; waiting[k] > 1 && next >= 0; waiting[k]--)
            waiting[next]++;
    }
    return fill;
}

static void same_fill(const struct column_fill *f, const struct column_fill *g)
{
    assert_int_equal(f->entries, g->entries);
    assert_true(f->flops == g->flops);
    assert_int_equal(f->householder, g->householder);
    assert_int_equal(f->lacking, g->lacking);
}

TEST(random_matrices_agree_with_elimination_in_the_product)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed;
    } cases[] = {{1, 40, 0.3, 0},   {40, 1, 0.2, 0},  {60, 60, 0.03, 0}, {60, 60, 0.06, 1}, {60, 30, 0.05, 0},
                 {30, 60, 0.04, 0}, {50, 50, 0.2, 0}, {60, 20, 0.3, 1},  {60, 60, 0.01, 0}, {20, 20, 1, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (uint64_t seed = 1; seed < 30; seed++) {
            FREED(csr_free)
            struct csr a =
                support_matrix(cases[k].rows, cases[k].cols, cases[k].density, cases[k].skewed, false, seed);
            struct column_fill fill, expected = brute_force(&a);
            assert_int_equal(column_fill_predict(&a, NULL, &fill, NULL), STATUS_OK);
            same_fill(&fill, &expected);
        }
}

/* A matrix with a full diagonal and random values, so that no sum cancels. */
static void random_values(double x[N][N], int64_t n, struct csr *a, uint64_t *seed)
{
    static double dense[N * N];
    memset(x, 0, N * sizeof *x);
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            if (i == j || support_random(seed, 100) < 6) x[i][j] = 0.1 + support_random(seed, 1000000) * 1e-6;
            dense[i * n + j] = x[i][j];
        }
    *a = support_dense(n, n, dense);
}

static void swap_rows(double x[N][N], int64_t i, int64_t j)
{
    double row[N];
    memcpy(row, x[i], sizeof row);
    memcpy(x[i], x[j], sizeof row);
    memcpy(x[j], row, sizeof row);
}

/* LU with partial pivoting, in place. Counts the entries of L, with the diagonal, and of U: a position
 * without an entry stays 0. */
static void factor(double x[N][N], int64_t n, int64_t *lower, int64_t *upper)
{
    *lower = *upper = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(x[i][k]) > fabs(x[pivot][k])) pivot = i;
        swap_rows(x, k, pivot);
        for (int64_t i = k + 1; i < n; i++) {
            if (x[i][k] == 0) continue;
            x[i][k] /= x[k][k];
            for (int64_t j = k + 1; j < n; j++)
                x[i][j] -= x[i][k] * x[k][j];
        }
    }
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            *lower += i == j || (i > j && x[i][j] != 0);
            *upper += i <= j && x[i][j] != 0;
        }
}

TEST(factors_with_partial_pivoting_stay_below_the_bounds)
{
    static double x[N][N];
    uint64_t seed = 3;
    double near = 0;
    for (int round = 0; round < 60; round++) {
        struct csr a;
        struct column_fill fill;
        int64_t lower, upper;
        random_values(x, 20 + round / 2, &a, &seed);
        assert_int_equal(column_fill_predict(&a, NULL, &fill, NULL), STATUS_OK);
        factor(x, a.rows, &lower, &upper);
        assert_true(upper <= fill.entries && lower <= fill.householder);
        assert_int_equal(fill.lacking, 0);
        near = fmax(near, (double)(lower + upper) / (double)(fill.entries + fill.householder));
        csr_free(&a);
    }
    assert_true(near > 0.5);
}

/* Of a full matrix R is a full triangle, and the Householder vectors are a full trapezoid. A single full row
 * fills R, too. */
TEST(full_rows_fill_the_triangle)
{
    static double dense[30 * 20];
    for (int k = 0; k < 30 * 20; k++)
        dense[k] = 1;
    struct csr a = support_dense(30, 20, dense);
    struct column_fill fill;
    assert_int_equal(column_fill_predict(&a, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, 210);
    assert_int_equal(fill.householder, 30 * 20 - 190);
    csr_free(&a);
    for (int k = 20; k < 30 * 20; k++)
        dense[k] = k % 20 == k / 20 - 1;
    a = support_dense(30, 20, dense);
    assert_int_equal(column_fill_predict(&a, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, 210);
    assert_int_equal(fill.householder, 21 + 19); /* the full row moves on beside each row of the diagonal */
    assert_int_equal(fill.lacking, 0);
    csr_free(&a);
}

TEST(columns_without_a_pivot_are_counted)
{
    static const double values[] = {1, 0, 1, 0, /**/ 0, 0, 1, 0};
    FREED(csr_free) struct csr a = support_dense(2, 4, values);
    struct column_fill fill;
    assert_int_equal(column_fill_predict(&a, NULL, &fill, NULL), STATUS_OK);
    assert_int_equal(fill.entries, 5);
    assert_int_equal(fill.lacking, 2);
    assert_int_equal(fill.householder, 2);
    int64_t offsets[4] = {0};
    for (int64_t n = 0; n < 4; n++) {
        const struct csr empty = {.rows = 3 - n, .cols = n, .row_ptr = offsets};
        assert_int_equal(column_fill_predict(&empty, NULL, &fill, NULL), STATUS_OK);
        assert_true(fill.entries == n && fill.lacking == n && fill.householder == 0);
    }
}

TEST(every_failing_allocation_is_reported)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.1, false, false, 5);
    for (long k = 0, failed = 1; failed; k++) {
        struct error error = {0};
        struct column_fill fill;
        memory_fail_after(k);
        enum status status = column_fill_predict(&a, NULL, &fill, &error);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        assert_true(status == STATUS_OK || fill.entries == 0);
    }
    memory_fail_after(-1);
}

TEST(cancelling_stops_it)
{
    FREED(csr_free) struct csr a = support_matrix(60, 50, 0.1, false, false, 5);
    struct progress progress = {0};
    struct column_fill fill;
    progress_cancel(&progress);
    assert_int_equal(column_fill_predict(&a, &progress, &fill, NULL), STATUS_CANCELLED);
    assert_int_equal(fill.entries, 0);
}

TEST(memory_is_what_it_says)
{
    struct matrix matrix = generated("random,m=500000,mean=8");
    size_t bytes = column_fill_bytes(&matrix.csr);
    struct column_fill fill;
    assert_true(bytes > MEMORY_SLACK);
    /* The C library rounds each of the arrays up to whole pages. */
    memory_hold(memory_held() + bytes + 65536 - MEMORY_SLACK);
    enum status status = column_fill_predict(&matrix.csr, NULL, &fill, NULL);
    memory_hold(0);
    assert_int_equal(status, STATUS_OK);
    matrix_free(&matrix);
}
