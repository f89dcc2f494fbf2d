/* analysis/spgemm against plain loops, and its estimates against exact counts. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/spgemm.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "support/generate.h"
#include "support/support.h"
#include "support/unit.h"

/* scipy: A = csr_array(...), all values positive; (A @ A).nnz, (A.T @ A).nnz, (A @ A.T).nnz and their row
 * lengths by numpy.diff(C.indptr); multiplications as (A != 0).astype(int) @ lengths. */
TEST(a_small_matrix_agrees_with_scipy)
{
    static const double values[] = {1, 1, 0, 0, /**/ 0, 0, 1, 1, /**/ 0, 0, 0, 0, /**/ 1, 0, 1, 1};
    static const int64_t expected[SPGEMM_KINDS][4] = {{12, 11, 4, 5}, {17, 12, 4, 5}, {13, 7, 3, 6}};
    FREED(csr_free) struct csr a = support_dense(4, 4, values);
    for (int kind = 0; kind < SPGEMM_KINDS; kind++) {
        struct spgemm c;
        assert_int_equal(spgemm_of(&a, (enum spgemm_kind)kind, NULL, NULL, &c, NULL), STATUS_OK);
        assert_int_equal(c.multiplications, expected[kind][0]);
        assert_int_equal(c.nnz, expected[kind][1]);
        assert_int_equal(c.longest, expected[kind][2]);
        assert_int_equal(c.most_multiplications, expected[kind][3]);
        assert_true(c.exact && c.standard_error == 0 && c.rows_counted == 4 && c.rows == 4 && c.cols == 4);
        assert_true(c.compression == (double)c.multiplications / (double)c.nnz);
        assert_true(c.density == (double)c.nnz / 16);
        assert_true(c.growth == (double)c.nnz / 7);
    }
}

static bool has(const struct csr *a, int64_t i, int64_t j, bool transposed)
{
    return csr_find(a, transposed ? j : i, transposed ? i : j) >= 0;
}

/* The definitions, written out: c_ij is an entry if x_ik and y_kj are entries for some k. */
static struct spgemm brute_force(const struct csr *a, enum spgemm_kind kind)
{
    bool left = kind == SPGEMM_ATA, right = kind == SPGEMM_AAT;
    int64_t rows = left ? a->cols : a->rows, inner = left ? a->rows : a->cols,
            cols = right ? a->rows : a->cols;
    struct spgemm c = {.rows = rows, .cols = cols};
    for (int64_t i = 0; i < rows; i++) {
        int64_t length = 0, multiplications = 0;
        for (int64_t j = 0; j < cols; j++) {
            int64_t pairs = 0;
            for (int64_t k = 0; k < inner; k++)
                pairs += has(a, i, k, left) && has(a, k, j, right);
            length += pairs > 0;
            multiplications += pairs;
        }
        c.nnz += length;
        c.longest = max(c.longest, length);
        c.multiplications += multiplications;
        c.most_multiplications = max(c.most_multiplications, multiplications);
    }
    return c;
}

static void same_counts(const struct spgemm *c, const struct spgemm *d)
{
    assert_int_equal(c->rows, d->rows);
    assert_int_equal(c->cols, d->cols);
    assert_int_equal(c->nnz, d->nnz);
    assert_int_equal(c->longest, d->longest);
    assert_int_equal(c->multiplications, d->multiplications);
    assert_int_equal(c->most_multiplications, d->most_multiplications);
}

TEST(random_matrices_agree_with_plain_loops)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed;
    } cases[] = {{1, 90, 0.2, 0},  {90, 1, 0.2, 0},   {70, 70, 0.03, 1}, {70, 70, 0.3, 0},
                 {40, 80, 0.1, 1}, {80, 40, 0.05, 0}, {60, 60, 1, 0},    {60, 60, 0.005, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a =
            support_matrix(cases[k].rows, cases[k].cols, cases[k].density, cases[k].skewed, false, k + 1);
        for (int kind = a.rows == a.cols ? SPGEMM_AA : SPGEMM_ATA; kind < SPGEMM_KINDS; kind++) {
            struct spgemm expected = brute_force(&a, (enum spgemm_kind)kind), c;
            for (int threads = 1; threads <= 3; threads += 2) {
                threads_set(threads);
                assert_int_equal(spgemm_of(&a, (enum spgemm_kind)kind, NULL, NULL, &c, NULL), STATUS_OK);
                same_counts(&c, &expected);
                assert_int_equal(c.longest_bound, c.longest);
            }
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* Return the number of entries of row i of A A: the columns of its terms are sorted and merged. */
static int64_t union_of(const struct csr *a, int64_t i, int32_t *all)
{
    int64_t count = 0, distinct = 0;
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
        for (int64_t q = a->row_ptr[a->col[k]]; q < a->row_ptr[a->col[k] + 1]; q++)
            all[count++] = a->col[q];
    for (int64_t q = 0; q < count; q++) { /* insertion sort: only the last row is long */
        int32_t j = all[q];
        int64_t p = distinct;
        while (p > 0 && all[p - 1] > j)
            p--;
        if (p > 0 && all[p - 1] == j) continue;
        memmove(all + p + 1, all + p, (size_t)(distinct - p) * sizeof *all);
        all[p] = j;
        distinct++;
    }
    return distinct;
}

/* There are too many columns for markers of short rows. The last row has too many multiplications for a hash
 * table. */
TEST(rows_of_a_wide_product_agree_with_sorted_unions)
{
    const int64_t n = 300000, wide = 12000;
    uint64_t seed = 5;
    FREED(csr_free) struct csr a = {.rows = n, .cols = n};
    a.row_ptr = memory_zeroed((size_t)n + 1, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)(4 * n + wide), sizeof *a.col, NULL);
    int64_t nnz = 0, total = 0, longest = 0;
    for (int64_t i = 0; i + 1 < n; i++) {
        int64_t j = support_random(&seed, 70000);
        for (int k = 0; k < (int)(i % 5 == 0 ? 4 : 1); k++)
            a.col[nnz++] = (int32_t)(j += 1 + support_random(&seed, 50000));
        a.row_ptr[i + 1] = nnz;
    }
    for (int64_t k = 0; k < wide; k++)
        a.col[nnz++] = (int32_t)(25 * k);
    a.row_ptr[n] = nnz;
    int32_t *all = memory_array((size_t)nnz, sizeof *all, NULL);
    for (int64_t i = 0; i < n; i++) {
        int64_t length = union_of(&a, i, all);
        total += length;
        longest = max(longest, length);
    }
    free(all);
    struct spgemm c;
    assert_int_equal(spgemm_of(&a, SPGEMM_AA, NULL, NULL, &c, NULL), STATUS_OK);
    assert_int_equal(c.nnz, total);
    assert_int_equal(c.longest, longest);
    assert_true(longest > n / 32);
}

/* Every row, and with a small budget some rows, by plain loops. */
TEST(rows_agree_with_plain_loops)
{
    FREED(csr_free) struct csr a = support_matrix(40, 40, 0.1, false, false, 8);
    for (int kind = 0; kind < SPGEMM_KINDS; kind++)
        for (int64_t budget = 100; budget <= 1000000; budget *= 10000) {
            struct spgemm_rows rows;
            int64_t counted = 0, total = 0;
            assert_int_equal(spgemm_rows_find(&a, (enum spgemm_kind)kind, budget, NULL, &rows, NULL),
                             STATUS_OK);
            for (int64_t i = 0; i < 40; i++) {
                int64_t work = 0, length = 0;
                for (int64_t j = 0; j < 40; j++) {
                    int64_t terms = 0;
                    for (int64_t k = 0; k < 40; k++)
                        terms += has(&a, i, k, kind == SPGEMM_ATA) && has(&a, k, j, kind == SPGEMM_AAT);
                    work += terms;
                    length += terms > 0;
                }
                assert_int_equal(rows.work[i], work);
                if (rows.length[i] >= 0) assert_int_equal(rows.length[i], length);
                counted += rows.length[i] >= 0;
                total += work;
            }
            assert_int_equal(rows.step, budget < total ? divide_up(total, budget) : 1);
            assert_int_equal(counted, divide_up(40, rows.step));
            spgemm_rows_free(&rows);
        }
}

TEST(matrices_without_entries_have_empty_products)
{
    int64_t offsets[5] = {0};
    static const int64_t shapes[][2] = {{0, 0}, {0, 4}, {4, 0}, {4, 4}, {1, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++)
        for (int kind = 0; kind < SPGEMM_KINDS; kind++) {
            const struct csr a = {.rows = shapes[k][0], .cols = shapes[k][1], .row_ptr = offsets};
            struct spgemm c;
            if (kind == SPGEMM_AA && a.rows != a.cols) continue;
            assert_int_equal(spgemm_of(&a, (enum spgemm_kind)kind, NULL, NULL, &c, NULL), STATUS_OK);
            assert_true(c.nnz == 0 && c.multiplications == 0 && c.longest == 0 && c.exact);
            assert_true(isnan(c.compression) && isnan(c.growth));
            assert_true(c.rows && c.cols ? c.density == 0 : isnan(c.density));
        }
}

TEST(only_square_matrices_have_a_square)
{
    static const double values[] = {1, 1};
    FREED(csr_free) struct csr a = support_dense(1, 2, values);
    struct spgemm c;
    struct error error = {0};
    assert_int_equal(spgemm_of(&a, SPGEMM_AA, NULL, NULL, &c, &error), STATUS_UNAVAILABLE);
    assert_says(error.message, "square", "1 x 2", NULL);
    assert_int_equal(c.rows, 0);
}

/* Row 0 of A = [1 1 1 1 1; 0 1 1 1 1; ...] times A has 5 + 4 + 3 + 2 + 1 multiplications, but 5 columns. */
TEST(accumulators_have_room_for_any_row)
{
    FREED(csr_free) struct csr a = {.rows = 5, .cols = 5};
    a.row_ptr = memory_zeroed(6, sizeof *a.row_ptr, NULL);
    a.col = memory_array(15, sizeof *a.col, NULL);
    int64_t nnz = 0;
    for (int32_t i = 0; i < 5; i++, a.row_ptr[i] = nnz)
        for (int32_t j = i; j < 5; j++)
            a.col[nnz++] = j;
    struct spgemm c;
    assert_int_equal(spgemm_of(&a, SPGEMM_AA, NULL, NULL, &c, NULL), STATUS_OK);
    assert_int_equal(c.most_multiplications, 15);
    assert_int_equal(c.hash_bytes, 8 * 12);
    assert_int_equal(c.fitted_bytes, 16 * 12);
    assert_int_equal(c.dense_bytes, 5 * 12);
    a.row_ptr[1] = a.row_ptr[2] = a.row_ptr[3] = a.row_ptr[4] = a.row_ptr[5] =
        4; /* row 0 has columns 0 to 3 */
    assert_int_equal(spgemm_of(&a, SPGEMM_AA, NULL, NULL, &c, NULL), STATUS_OK);
    assert_int_equal(c.hash_bytes, 4 * 12);
    assert_int_equal(c.fitted_bytes, 8 * 12);
}

/* Of 100 seeds at least 90 have an error of at most two standard errors. The mean error is within three times
 * its own standard error. The mean squares of errors and of standard errors differ by a factor of at most
 * 1.6. Seeds are fixed, so that the test always has the same result. */
static void check_estimates(const char *specification, enum spgemm_kind kind, int64_t sample)
{
    struct matrix matrix = generated(specification);
    const struct csr *a = &matrix.csr;
    const int seeds = 100;
    struct spgemm exact, c;
    int covered = 0;
    double sum = 0, squares = 0, errors = 0;
    assert_int_equal(spgemm_of(a, kind, NULL, NULL, &exact, NULL), STATUS_OK);
    assert_true(exact.exact);
    for (int seed = 0; seed < seeds; seed++) {
        const struct spgemm_budget budget = {.exact = 1, .sample = sample, .seed = (uint64_t)seed};
        assert_int_equal(spgemm_of(a, kind, &budget, NULL, &c, NULL), STATUS_OK);
        double error = (double)(c.nnz - exact.nnz);
        assert_true(!c.exact && c.rows_counted < exact.rows_counted);
        assert_int_equal(c.multiplications, exact.multiplications);
        assert_true(c.longest <= exact.longest && exact.longest <= c.longest_bound);
        covered += fabs(error) <= 2 * c.standard_error + 0.5;
        sum += error;
        squares += error * error;
        errors += c.standard_error * c.standard_error;
    }
    if (covered < 90 || fabs(sum) > 3 * sqrt(squares) || squares > 1.6 * errors || squares < errors / 1.6)
        fail_msg("%s, kind %d: %d%% covered, bias %g, error %g, said %g of %lld", specification, (int)kind,
                 covered, sum / seeds, sqrt(squares / seeds), sqrt(errors / seeds), (long long)exact.nnz);
    matrix_free(&matrix);
}

TEST(estimates_are_within_two_standard_errors_in_most_cases)
{
    static const struct {
        const char *specification;
        int64_t sample;
    } cases[] = {{"random,m=20000,mean=8,spread=6", 500000},
                 {"powerlaw,scale=13,edge=6", 400000},
                 {"banded,n=20000,lower=12,fill=0.4", 500000},
                 {"mosaic,n=3000", 1000000}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        for (int kind = 0; kind < SPGEMM_KINDS; kind++)
            check_estimates(cases[k].specification, (enum spgemm_kind)kind, cases[k].sample);
}

/* All inner rows of the stencil are alike, so that only rows at the borders differ. */
TEST(a_sample_of_equal_rows_has_no_error)
{
    struct matrix matrix = generated("laplace2d,n=300");
    const struct spgemm_budget budget = {.exact = 1, .sample = 400000};
    struct spgemm c;
    assert_int_equal(spgemm_of(&matrix.csr, SPGEMM_AA, &budget, NULL, &c, NULL), STATUS_OK);
    assert_true(!c.exact && c.rows_counted < 90000 / 3);
    assert_int_equal(c.longest, 13);
    matrix_free(&matrix);
    matrix = generated("random,m=5000,n=1,mean=1");
    assert_int_equal(spgemm_of(&matrix.csr, SPGEMM_AAT, &budget, NULL, &c, NULL), STATUS_OK);
    assert_int_equal(c.nnz, 25000000); /* rows of one entry need not be counted */
    assert_true(c.standard_error == 0 && c.rows_counted == 0 && c.longest == 5000);
    matrix_free(&matrix);
}

TEST(a_sample_of_all_rows_is_exact)
{
    FREED(csr_free) struct csr a = support_matrix(200, 150, 0.05, true, false, 3);
    for (int kind = SPGEMM_ATA; kind < SPGEMM_KINDS; kind++) {
        const struct spgemm_budget budget = {.exact = 1, .sample = (int64_t)1 << 30};
        struct spgemm exact, c;
        assert_int_equal(spgemm_of(&a, (enum spgemm_kind)kind, NULL, NULL, &exact, NULL), STATUS_OK);
        assert_int_equal(spgemm_of(&a, (enum spgemm_kind)kind, &budget, NULL, &c, NULL), STATUS_OK);
        same_counts(&c, &exact);
        assert_true(c.standard_error == 0 && c.longest_bound == exact.longest);
    }
}

TEST(samples_do_not_depend_on_threads)
{
    struct matrix matrix = generated("powerlaw,scale=12,edge=8");
    const struct spgemm_budget budget = {.exact = 1, .sample = 300000, .seed = 9};
    for (int kind = 0; kind < SPGEMM_KINDS; kind++) {
        struct spgemm one, several;
        threads_set(1);
        assert_int_equal(spgemm_of(&matrix.csr, (enum spgemm_kind)kind, &budget, NULL, &one, NULL),
                         STATUS_OK);
        threads_set(5);
        assert_int_equal(spgemm_of(&matrix.csr, (enum spgemm_kind)kind, &budget, NULL, &several, NULL),
                         STATUS_OK);
        same_counts(&one, &several);
        assert_true(one.standard_error == several.standard_error && one.standard_error > 0);
        assert_int_equal(one.rows_counted, several.rows_counted);
    }
    threads_set(0);
    matrix_free(&matrix);
}

TEST(every_failing_allocation_is_reported)
{
    FREED(csr_free) struct csr a = support_matrix(80, 80, 0.1, false, false, 5);
    for (int m = 0; m < 2 * SPGEMM_KINDS; m++)
        for (long k = 0, failed = 1; failed; k++) {
            const struct spgemm_budget budget = {.exact = m % 2, .sample = 500};
            struct error error = {0};
            struct spgemm c;
            memory_fail_after(k);
            enum status status = spgemm_of(&a, (enum spgemm_kind)(m / 2), &budget, NULL, &c, &error);
            failed = memory_failures();
            assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
            assert_int_equal(error.status, status);
            assert_true(status == STATUS_OK || c.rows == 0);
        }
    memory_fail_after(-1);
}

TEST(cancelling_stops_each)
{
    FREED(csr_free) struct csr a = support_matrix(80, 80, 0.1, false, false, 5);
    for (int m = 0; m < 2 * SPGEMM_KINDS; m++) {
        const struct spgemm_budget budget = {.exact = m % 2, .sample = 500};
        struct progress progress = {0};
        struct spgemm c;
        assert_int_equal(spgemm_of(&a, (enum spgemm_kind)(m / 2), &budget, &progress, &c, NULL), STATUS_OK);
        assert_int_equal(progress.done, progress.total);
        progress_cancel(&progress);
        assert_int_equal(spgemm_of(&a, (enum spgemm_kind)(m / 2), &budget, &progress, &c, NULL),
                         STATUS_CANCELLED);
        assert_int_equal(c.rows, 0);
    }
}

/* The analysis runs within the memory that spgemm_bytes returns. */
TEST(memory_is_what_it_says)
{
    struct matrix matrix = generated("random,m=1000000,mean=4");
    for (int kind = 0; kind < SPGEMM_KINDS; kind++) {
        size_t bytes = spgemm_bytes(&matrix.csr, (enum spgemm_kind)kind);
        const struct spgemm_budget budgets[] = {{0}, {.exact = 1}};
        for (size_t b = 0; b < 2; b++) {
            struct spgemm c;
            assert_true(bytes > MEMORY_SLACK);
            memory_hold(memory_held() + bytes - MEMORY_SLACK);
            enum status status = spgemm_of(&matrix.csr, (enum spgemm_kind)kind, &budgets[b], NULL, &c, NULL);
            memory_hold(0);
            assert_int_equal(status, STATUS_OK);
        }
    }
    matrix_free(&matrix);
}
