/* analysis/structure: bandwidths, profile, diagonals and symmetry against numpy and brute force. */
#include <math.h>
#include <stdlib.h>

#include "analysis/structure.h"
#include "base/memory.h"
#include "base/threads.h"
#include "support/cmocka.h"
#include "support/support.h"

/* I, J = numpy.nonzero(A); (I-J).max(), (J-I).max(), sum of max(0, i - J[I == i].min()), (I == J).sum(),
 * len(set(J-I)), and 6 and 4 of the 7 off-diagonal positions found in set(zip(J, I)), with equal values. */
static void a_small_matrix_agrees_with_numpy(void **state)
{
    static const double values[] = {4, 1, 0, 0, 2, 0, /**/ 1, 0, 3, 0, 0, 0, /**/ 0, 5, 6, 0, 0, 0,
                                    0, 0, 0, 0, 0, 0, /**/ 2, 0, 0, 0, 7, 0, /**/ 0, 9, 0, 0, 0, 0};
    struct csr a = support_dense(6, 6, values);
    struct structure s;
    assert_int_equal(structure_of(&a, NULL, &s, NULL), STATUS_OK);
    assert_int_equal(s.lower_bandwidth, 4);
    assert_int_equal(s.upper_bandwidth, 4);
    assert_int_equal(s.profile, 10);
    assert_int_equal(s.diagonal_nonzeros, 3);
    assert_int_equal(s.diagonals, 5);
    assert_int_equal(s.empty_rows, 1);
    assert_int_equal(s.empty_cols, 2);
    assert_true(s.pattern_symmetry == 6.0 / 7);
    assert_true(s.numeric_symmetry == 4.0 / 7);
    csr_free(&a);
}

static void values_are_equal_in_both_parts_and_nan_never(void **state)
{
    int64_t row_ptr[] = {0, 1, 2};
    int32_t col[] = {1, 0};
    double val[] = {3, 3}, imaginary[] = {1, 1};
    struct csr a = {.rows = 2, .cols = 2, .row_ptr = row_ptr, .col = col, .val = val, .imaginary = imaginary};
    struct structure s;
    structure_of(&a, NULL, &s, NULL);
    assert_true(s.pattern_symmetry == 1 && s.numeric_symmetry == 1 && s.conjugate_symmetry == 0);
    imaginary[1] = -1;
    structure_of(&a, NULL, &s, NULL);
    assert_true(s.pattern_symmetry == 1 && s.numeric_symmetry == 0 && s.conjugate_symmetry == 1);
    a.imaginary = NULL;
    val[0] = val[1] = NAN;
    structure_of(&a, NULL, &s, NULL);
    assert_true(s.pattern_symmetry == 1 && s.numeric_symmetry == 0);
    val[0] = 0, val[1] = -0.0;
    structure_of(&a, NULL, &s, NULL);
    assert_true(s.numeric_symmetry == 1);
}

static void matrices_without_entries_have_no_symmetry(void **state)
{
    int64_t offsets[5] = {0};
    static const int64_t shapes[][2] = {{0, 0}, {0, 4}, {4, 0}, {4, 4}, {1, 1}};
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct csr a = {.rows = shapes[k][0], .cols = shapes[k][1], .row_ptr = offsets};
        struct structure s;
        assert_int_equal(structure_of(&a, NULL, &s, NULL), STATUS_OK);
        assert_int_equal(s.empty_rows, a.rows);
        assert_int_equal(s.empty_cols, a.cols);
        assert_true(s.lower_bandwidth == 0 && s.upper_bandwidth == 0 && s.profile == 0 && s.diagonals == 0);
        assert_true(isnan(s.pattern_symmetry) && isnan(s.numeric_symmetry));
    }
    double one = 5;
    struct csr a = support_dense(1, 1, &one);
    struct structure s;
    assert_int_equal(structure_of(&a, NULL, &s, NULL), STATUS_OK);
    assert_true(s.diagonals == 1 && s.diagonal_nonzeros == 1 && isnan(s.pattern_symmetry));
    csr_free(&a);
}

/* The dense picture of a: 0 no entry, else its index + 1. */
static int64_t *dense_places(const struct csr *a)
{
    int64_t *place = memory_zeroed((size_t)(a->rows * a->cols), sizeof *place, NULL);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            place[i * a->cols + a->col[k]] = k + 1;
    return place;
}

/* All definitions written out over the dense picture. */
static struct structure brute_force(const struct csr *a)
{
    struct structure s = {0};
    int64_t *place = dense_places(a), m = a->rows, n = a->cols, off = 0, both = 0, equal = 0;
    char *diagonal = memory_zeroed((size_t)(m + n), 1, NULL);
    for (int64_t i = 0; i < m; i++) {
        int64_t leftmost = -1;
        for (int64_t j = 0; j < n; j++) {
            int64_t here = place[i * n + j];
            if (!here) continue;
            if (leftmost < 0) leftmost = j;
            if (i - j > s.lower_bandwidth) s.lower_bandwidth = i - j;
            if (j - i > s.upper_bandwidth) s.upper_bandwidth = j - i;
            s.diagonals += !diagonal[j - i + m];
            diagonal[j - i + m] = 1;
            s.diagonal_nonzeros += i == j;
            if (i == j || m != n) continue;
            off++;
            int64_t there = place[j * n + i];
            both += there != 0;
            equal += there && a->val[here - 1] == a->val[there - 1] &&
                     (!a->imaginary || a->imaginary[here - 1] == a->imaginary[there - 1]);
        }
        s.empty_rows += leftmost < 0;
        if (leftmost >= 0 && i > leftmost) s.profile += i - leftmost;
    }
    for (int64_t j = 0; j < n; j++) {
        int64_t i = 0;
        while (i < m && !place[i * n + j])
            i++;
        s.empty_cols += i == m;
    }
    s.pattern_symmetry = off ? (double)both / (double)off : NAN;
    s.numeric_symmetry = off ? (double)equal / (double)off : NAN;
    free(place);
    free(diagonal);
    return s;
}

static void same_structure(const struct structure *s, const struct structure *t)
{
    assert_int_equal(s->lower_bandwidth, t->lower_bandwidth);
    assert_int_equal(s->upper_bandwidth, t->upper_bandwidth);
    assert_int_equal(s->profile, t->profile);
    assert_int_equal(s->diagonal_nonzeros, t->diagonal_nonzeros);
    assert_int_equal(s->diagonals, t->diagonals);
    assert_int_equal(s->empty_rows, t->empty_rows);
    assert_int_equal(s->empty_cols, t->empty_cols);
    assert_true(s->pattern_symmetry == t->pattern_symmetry ||
                (isnan(s->pattern_symmetry) && isnan(t->pattern_symmetry)));
    assert_true(s->numeric_symmetry == t->numeric_symmetry ||
                (isnan(s->numeric_symmetry) && isnan(t->numeric_symmetry)));
}

static void random_matrices_agree_with_brute_force(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed, complex;
    } cases[] = {{1, 900, 0.2, 0, 0},     {900, 1, 0.2, 0, 0},    {60, 60, 0.05, 1, 0},
                 {61, 61, 0.3, 0, 1},     {30, 90, 0.1, 1, 0},    {90, 30, 0.1, 0, 1},
                 {700, 700, 0.5, 1, 0},   {2, 2, 0.5, 0, 0},      {64, 64, 1, 0, 0},
                 {300, 300, 0.005, 0, 0}, {3, 200000, 0.9, 0, 0}, {1500, 1500, 0.04, 0, 1}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct csr a = support_matrix(cases[k].rows, cases[k].cols, cases[k].density, cases[k].skewed,
                                      cases[k].complex, k + 1);
        struct structure expected = brute_force(&a), s;
        for (int threads = 1; threads <= 3; threads++) {
            threads_set(threads);
            assert_int_equal(structure_of(&a, NULL, &s, NULL), STATUS_OK);
            same_structure(&s, &expected);
        }
        csr_free(&a);
    }
    threads_set(0);
}

static void every_failing_allocation_is_reported(void **state)
{
    struct csr a = support_matrix(50, 50, 0.2, false, false, 5);
    for (long k = 0, failed = 1; failed; k++) {
        struct structure s;
        struct error error = {0};
        memory_fail_after(k);
        enum status status = structure_of(&a, NULL, &s, &error);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
    }
    memory_fail_after(-1);
    csr_free(&a);
}

static void cancelling_stops_and_progress_ends_full(void **state)
{
    struct csr a = support_matrix(700, 700, 0.5, false, false, 5);
    struct progress progress = {0};
    struct structure s;
    assert_int_equal(structure_of(&a, &progress, &s, NULL), STATUS_OK);
    assert_int_equal(progress.done, progress.total);
    assert_int_equal(progress.total, 700 + csr_nnz(&a));
    progress_cancel(&progress);
    assert_int_equal(structure_of(&a, &progress, &s, NULL), STATUS_CANCELLED);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_small_matrix_agrees_with_numpy),
        cmocka_unit_test(values_are_equal_in_both_parts_and_nan_never),
        cmocka_unit_test(matrices_without_entries_have_no_symmetry),
        cmocka_unit_test(random_matrices_agree_with_brute_force),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(cancelling_stops_and_progress_ends_full),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
