/* analysis/derive: the rest of a cut, and rows in another order, compared with plain loops. */
#include <stdlib.h>

#include "analysis/derive.h"
#include "base/memory.h"
#include "base/range.h"
#include "support/cmocka.h"
#include "support/support.h"

/* The matrix of PMPP figure 10.1: rows of 2, 3, 2 and 1 entries. */
static const double pmpp[] = {1, 7, 0, 0, 5, 0, 3, 9, 0, 2, 8, 0, 0, 0, 0, 6};

static int64_t length_of(const struct csr *a, int64_t i)
{
    return a->row_ptr[i + 1] - a->row_ptr[i];
}

/* Rows by length within windows. The caller frees it. */
static struct derived by_length(const struct csr *a, int64_t window)
{
    struct pyramid like;
    struct derived derived;
    assert_int_equal(pyramid_build(a, NULL, &like, NULL), STATUS_OK);
    assert_int_equal(derived_by_length(a, &like, window, 0, NULL, &derived, NULL), STATUS_OK);
    pyramid_free(&like);
    return derived;
}

static void the_rest_of_pmpp_beyond_2_is_one_entry(void **state)
{
    struct csr a = support_dense(4, 4, pmpp), rest;
    assert_int_equal(derive_rest(&a, 2, NULL, &rest, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&rest), 1);
    assert_int_equal(csr_find(&rest, 1, 3), 0); /* the 9 of the second row */
    assert_null(rest.val);
    csr_free(&rest);
    csr_free(&a);
}

/* Compare the entries that are kept with a plain loop, and the counts of their pyramid. */
static void check_some(const struct csr *a, enum derive_which which)
{
    struct pyramid like;
    struct derived derived;
    int64_t left = 0;
    assert_int_equal(pyramid_build(a, NULL, &like, NULL), STATUS_OK);
    assert_int_equal(derived_some(a, &like, which, 0, NULL, &derived, NULL), STATUS_OK);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            bool stays = which == DERIVE_BELOW_0 ? !a->imaginary && a->val[k] < 0 : true;
            if (which == DERIVE_WITHOUT_MIRROR && a->rows == a->cols)
                for (int64_t m = a->row_ptr[a->col[k]]; m < a->row_ptr[a->col[k] + 1]; m++)
                    stays = stays && a->col[m] != i;
            assert_int_equal(csr_find(&derived.csr, i, a->col[k]) >= 0, stays);
            left += stays;
        }
    assert_int_equal(csr_nnz(&derived.csr), left);
    assert_int_equal(pyramid_count(&derived.pyramid, &derived.csr, 0, a->rows, 0, a->cols), left);
    derived_free(&derived);
    pyramid_free(&like);
}

static void some_entries_agree_with_plain_loops(void **state)
{
    for (int complex = 0; complex < 2; complex++)
        for (int wide = 0; wide < 2; wide++) {
            struct csr a = support_matrix(1100, wide ? 900 : 1100, 0.03, true, complex, 6);
            check_some(&a, DERIVE_BELOW_0);
            check_some(&a, DERIVE_WITHOUT_MIRROR);
            csr_free(&a);
        }
}

/* Negative entries of two rows exceed the limit; allocations fail; and the work is cancelled. */
static void some_entries_can_be_refused(void **state)
{
    struct csr a = support_matrix(60, 60, 0.3, false, false, 6);
    struct pyramid like;
    struct derived derived;
    struct error error = {0};
    struct progress progress = {0};
    assert_int_equal(pyramid_build(&a, NULL, &like, NULL), STATUS_OK);
    assert_int_equal(derived_some(&a, &like, DERIVE_BELOW_0, 100, NULL, &derived, &error), STATUS_LIMIT);
    assert_null(derived.csr.row_ptr);
    for (long k = 0, failed = 1; failed; k++) {
        memory_fail_after(k);
        enum status status = derived_some(&a, &like, DERIVE_BELOW_0, 0, NULL, &derived, NULL);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        derived_free(&derived);
    }
    memory_fail_after(-1);
    progress_cancel(&progress);
    assert_int_equal(derived_some(&a, &like, DERIVE_BELOW_0, 0, &progress, &derived, NULL), STATUS_CANCELLED);
    pyramid_free(&like);
    csr_free(&a);
}

static void pmpp_by_length_is_1_0_2_3(void **state)
{
    static const int32_t sorted[] = {1, 0, 2, 3}, single[] = {0, 1, 2, 3};
    static const int64_t windows[] = {1, 2, 3, 4, 100};
    struct csr a = support_dense(4, 4, pmpp);
    for (int k = 0; k < 5; k++) {
        struct derived derived = by_length(&a, windows[k]);
        assert_memory_equal(derived.order, windows[k] == 1 ? single : sorted, sizeof sorted);
        derived_free(&derived);
    }
    struct derived derived = by_length(&a, 4);
    static const int64_t row_ptr[] = {0, 3, 5, 7, 8};
    static const int32_t col[] = {0, 2, 3, 0, 1, 1, 2, 3};
    assert_memory_equal(derived.csr.row_ptr, row_ptr, sizeof row_ptr);
    assert_memory_equal(derived.csr.col, col, sizeof col);
    derived_free(&derived);
    csr_free(&a);
}

/* The matrix of data/pmpp.mtx: rows of 2, 0, 3 and 2 entries. */
static void so_with_an_empty_row(void **state)
{
    static const double values[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    static const int32_t expected[] = {2, 0, 3, 1};
    struct csr a = support_dense(4, 4, values), rest;
    assert_int_equal(derive_rest(&a, 2, NULL, &rest, NULL), STATUS_OK);
    assert_int_equal(csr_nnz(&rest), 1);
    assert_int_equal(csr_find(&rest, 2, 3), 0);
    struct derived sorted = by_length(&a, 4);
    assert_memory_equal(sorted.order, expected, sizeof expected);
    derived_free(&sorted);
    csr_free(&rest);
    csr_free(&a);
}

static void assert_rest(const struct csr *a, int64_t k, const struct csr *rest)
{
    int64_t at = 0;
    assert_int_equal(rest->rows, a->rows);
    assert_int_equal(rest->cols, a->cols);
    for (int64_t i = 0; i < a->rows; i++) {
        assert_int_equal(rest->row_ptr[i], at);
        for (int64_t e = a->row_ptr[i] + k; e < a->row_ptr[i + 1]; e++)
            assert_int_equal(rest->col[at++], a->col[e]);
    }
    assert_int_equal(csr_nnz(rest), at);
}

/* Insertion sort, the plainest one that is stable. */
static void sort_plainly(const struct csr *a, int64_t window, int32_t *order)
{
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t p = i;
        for (; p % window > 0 && length_of(a, order[p - 1]) < length_of(a, i); p--)
            order[p] = order[p - 1];
        order[p] = (int32_t)i;
    }
}

static void assert_order(const struct csr *a, const int32_t *order, const struct csr *sorted)
{
    int64_t at = 0;
    for (int64_t p = 0; p < a->rows; p++) {
        assert_int_equal(sorted->row_ptr[p], at);
        for (int64_t e = a->row_ptr[order[p]]; e < a->row_ptr[order[p] + 1]; e++)
            assert_int_equal(sorted->col[at++], a->col[e]);
    }
    assert_int_equal(csr_nnz(sorted), at);
}

static const struct shape {
    int64_t rows, cols;
    double density;
} shapes[] = {{0, 0, 0}, {0, 5, 0}, {5, 0, 0}, {1, 1, 1}, {300, 700, 0.1}, {2500, 40, 0.2}};

#define SHAPES (sizeof shapes / sizeof *shapes)

static void any_rest_and_any_window_equal_a_plain_loop(void **state)
{
    static const int64_t cuts[] = {0, 1, 3, 17, 300, INT64_MAX}, windows[] = {1, 2, 7, 32, 256, 1000, 5000};
    for (size_t s = 0; s < SHAPES; s++) {
        struct csr a = support_matrix(shapes[s].rows, shapes[s].cols, shapes[s].density, true, false, s + 1);
        int32_t *expected = calloc((size_t)a.rows + 1, sizeof *expected);
        struct csr rest;
        for (size_t k = 0; k < sizeof cuts / sizeof *cuts; k++) {
            assert_int_equal(derive_rest(&a, cuts[k], NULL, &rest, NULL), STATUS_OK);
            assert_rest(&a, min(cuts[k], a.cols), &rest);
            csr_free(&rest);
        }
        for (size_t w = 0; w < sizeof windows / sizeof *windows; w++) {
            struct derived derived = by_length(&a, windows[w]);
            sort_plainly(&a, windows[w], expected);
            assert_memory_equal(derived.order, expected, (size_t)a.rows * sizeof *expected);
            assert_order(&a, derived.order, &derived.csr);
            derived_free(&derived);
        }
        free(expected);
        csr_free(&a);
    }
}

static int64_t count_plainly(const struct csr *a, int64_t r0, int64_t r1, int64_t c0, int64_t c1)
{
    int64_t count = 0;
    for (int64_t i = r0; i < r1; i++)
        for (int64_t e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++)
            count += a->col[e] >= c0 && a->col[e] < c1;
    return count;
}

/* The matrix has so many more entries than the rest that their own grids would differ. */
static void pyramids_have_the_cells_of_the_matrix(void **state)
{
    struct csr a = support_matrix(1000, 3000, 0.02, true, false, 5);
    struct pyramid like;
    struct derived derived;
    uint64_t seed = 3;
    assert_int_equal(pyramid_build(&a, NULL, &like, NULL), STATUS_OK);
    for (int kind = 0; kind < 2; kind++) {
        if (kind)
            assert_int_equal(derived_by_length(&a, &like, 128, 0, NULL, &derived, NULL), STATUS_OK);
        else
            assert_int_equal(derived_rest(&a, &like, 80, 0, NULL, &derived, NULL), STATUS_OK);
        assert_int_equal(derived.pyramid.row_step, like.row_step);
        assert_int_equal(derived.pyramid.col_step, like.col_step);
        for (int k = 0; k < 50; k++) {
            int64_t r0 = support_random(&seed, 1000), r1 = r0 + support_random(&seed, 500);
            int64_t c0 = support_random(&seed, 3000), c1 = c0 + support_random(&seed, 1500);
            assert_int_equal(pyramid_count(&derived.pyramid, &derived.csr, r0, r1, c0, c1),
                             count_plainly(&derived.csr, r0, min(r1, 1000), c0, c1));
        }
        for (int64_t p = 0; kind && p < a.rows; p++)
            assert_int_equal(derived.position[derived.order[p]], p);
        derived_free(&derived);
    }
    pyramid_free(&like);
    csr_free(&a);
}

static void want_of_memory_and_a_cancel_leave_nothing(void **state)
{
    struct csr a = support_matrix(200, 200, 0.05, true, false, 6);
    struct pyramid like;
    struct derived derived;
    struct error error = {0};
    assert_int_equal(pyramid_build(&a, NULL, &like, NULL), STATUS_OK);
    for (int kind = 0; kind < 2; kind++) {
        long after = 0;
        for (;; after++) {
            error = (struct error){0};
            memory_fail_after(after);
            enum status status = kind ? derived_by_length(&a, &like, 32, 0, NULL, &derived, &error)
                                      : derived_rest(&a, &like, 4, 0, NULL, &derived, &error);
            bool failed = memory_failures() > 0;
            memory_fail_after(-1);
            if (!failed) {
                assert_int_equal(status, STATUS_OK);
                break;
            }
            assert_int_equal(status, STATUS_MEMORY);
            assert_int_equal(error.status, STATUS_MEMORY);
            assert_null(derived.csr.row_ptr);
            assert_null(derived.order);
        }
        assert_true(after >= 5);
        derived_free(&derived);
        struct progress progress = {0};
        progress_cancel(&progress);
        enum status status = kind ? derived_by_length(&a, &like, 32, 0, &progress, &derived, NULL)
                                  : derived_rest(&a, &like, 4, 0, &progress, &derived, NULL);
        assert_int_equal(status, STATUS_CANCELLED);
        assert_null(derived.csr.row_ptr);
        status = kind ? derived_by_length(&a, &like, 32, 1000, NULL, &derived, &error)
                      : derived_rest(&a, &like, 4, 1000, NULL, &derived, &error);
        assert_int_equal(status, STATUS_LIMIT); /* 201 offsets of 8 bytes alone are more */
        assert_null(derived.csr.row_ptr);
    }
    derived_free(&derived);
    pyramid_free(&like);
    csr_free(&a);
}

/* Offsets of 8 bytes, columns of 4, sums of 4 for each corner of the grid's cells, and two orders of 4 bytes
 * a row. */
static void the_limit_counts_every_byte(void **state)
{
    struct csr a = support_matrix(300, 200, 0.1, true, false, 9);
    struct pyramid like;
    struct derived derived;
    assert_int_equal(pyramid_build(&a, NULL, &like, NULL), STATUS_OK);
    size_t bytes = 301 * 8 + (size_t)csr_nnz(&a) * 4 + 300 * 2 * 4 +
                   (size_t)(like.grid_rows + 1) * (size_t)(like.grid_cols + 1) * 4;
    assert_int_equal(derived_by_length(&a, &like, 300, bytes - 1, NULL, &derived, NULL), STATUS_LIMIT);
    assert_int_equal(derived_by_length(&a, &like, 300, bytes, NULL, &derived, NULL), STATUS_OK);
    derived_free(&derived);
    pyramid_free(&like);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rest_of_pmpp_beyond_2_is_one_entry),
        cmocka_unit_test(some_entries_agree_with_plain_loops),
        cmocka_unit_test(some_entries_can_be_refused),
        cmocka_unit_test(pmpp_by_length_is_1_0_2_3),
        cmocka_unit_test(so_with_an_empty_row),
        cmocka_unit_test(any_rest_and_any_window_equal_a_plain_loop),
        cmocka_unit_test(pyramids_have_the_cells_of_the_matrix),
        cmocka_unit_test(the_limit_counts_every_byte),
        cmocka_unit_test(want_of_memory_and_a_cancel_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
