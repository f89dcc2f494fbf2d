/* Checking products: right ones pass in any order of summation, and faulty kernels are found. */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "kernels/timing/check.h"
#include "support/cmocka.h"
#include "support/support.h"
#include "support/verdict.h"

/* Vectors of a precision */

static void *vector_of(const double *values, int64_t n, enum precision precision)
{
    void *vector = memory_array((size_t)n, precision == PRECISION_F32 ? 4 : 8, NULL);
    for (int64_t i = 0; i < n; i++)
        if (precision == PRECISION_F32)
            ((float *)vector)[i] = (float)values[i];
        else
            ((double *)vector)[i] = values[i];
    return vector;
}

/* In (-1, 1), but not near 0. */
static double draw(uint64_t *state)
{
    double value = 0.25 + 0.75e-6 * support_random(state, 1000000);
    return support_random(state, 2) ? value : -value;
}

static double *random_vector(int64_t n, uint64_t seed)
{
    double *values = memory_array((size_t)n, sizeof *values, NULL);
    for (int64_t i = 0; i < n; i++)
        values[i] = draw(&seed);
    return values;
}

/* A kernel, one operation after another */

/* Ways to compute a product, all of them right. */
struct manner {
    const char *name;
    enum { FORWARD, BACKWARD, PAIRS, LARGEST_FIRST, SMALLEST_FIRST } order;
    bool fused;
    bool flush; /* subnormal operands and results become 0 */
};

static const struct manner manners[] = {
    {"forward", FORWARD, false, false},
    {"forward, fused", FORWARD, true, false},
    {"backward", BACKWARD, false, false},
    {"in pairs", PAIRS, false, false},
    {"largest first", LARGEST_FIRST, false, false},
    {"smallest first, fused", SMALLEST_FIRST, true, false},
    {"forward, flushed", FORWARD, false, true},
    {"in pairs, flushed", PAIRS, false, true},
    {"backward, fused, flushed", BACKWARD, true, true},
};

struct term {
    double a, x;
};

struct arithmetic {
    bool single, flush;
};

static double flushed(struct arithmetic arithmetic, double value)
{
    double tiny = arithmetic.single ? FLT_MIN : DBL_MIN;
    return arithmetic.flush && fabs(value) < tiny ? 0 : value;
}

/* a x + sum, rounded once or twice. */
static double add_term(struct arithmetic arithmetic, bool fused, struct term term, double sum)
{
    double a = flushed(arithmetic, term.a), x = flushed(arithmetic, term.x);
    if (arithmetic.single && fused) return flushed(arithmetic, fmaf((float)a, (float)x, (float)sum));
    if (fused) return flushed(arithmetic, fma(a, x, sum));
    double product = flushed(arithmetic, arithmetic.single ? (double)((float)a * (float)x) : a * x);
    return flushed(arithmetic, arithmetic.single ? (double)((float)product + (float)sum) : product + sum);
}

static double add_pairs(struct arithmetic arithmetic, bool fused, const struct term *terms, int64_t n)
{
    if (n == 0) return 0;
    if (n == 1) return add_term(arithmetic, fused, terms[0], 0);
    double left = add_pairs(arithmetic, fused, terms, n / 2);
    double right = add_pairs(arithmetic, fused, terms + n / 2, n - n / 2);
    return add_term(arithmetic, false, (struct term){left, 1}, right);
}

static int by_magnitude(const void *a, const void *b)
{
    double left = fabs(((const struct term *)a)->a * ((const struct term *)a)->x);
    double right = fabs(((const struct term *)b)->a * ((const struct term *)b)->x);
    return (left > right) - (left < right);
}

static double add_up(const struct manner *manner, bool single, struct term *terms, int64_t n)
{
    struct arithmetic arithmetic = {single, manner->flush};
    bool reversed = manner->order == BACKWARD || manner->order == LARGEST_FIRST;
    double sum = 0;
    if (manner->order == PAIRS) return add_pairs(arithmetic, manner->fused, terms, n);
    if (manner->order == LARGEST_FIRST || manner->order == SMALLEST_FIRST)
        qsort(terms, (size_t)n, sizeof *terms, by_magnitude);
    for (int64_t k = 0; k < n; k++)
        sum = add_term(arithmetic, manner->fused, terms[reversed ? n - 1 - k : k], sum);
    return sum;
}

static double rounded(double value, bool single)
{
    return single ? (double)(float)value : value;
}

/* The fault of a kernel at entry `entry`; SKIP leaves the row of that number unchanged. */
enum mistake { NO_MISTAKE, DROP, DOUBLE, SHIFT, SKIP };

/* y = A x, or y += A x where `start` is given. y has doubles that are representable in the precision. */
static void multiply(const struct csr *a, const double *x, const double *start, bool single,
                     const struct manner *manner, enum mistake mistake, int64_t entry, double *y)
{
    struct term *terms = memory_array((size_t)csr_nnz(a) + 2, sizeof *terms, NULL);
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t n = 0;
        y[i] = start ? start[i] : NAN;
        if (mistake == SKIP && i == entry) continue;
        if (start) terms[n++] = (struct term){rounded(start[i], single), 1};
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            bool here = mistake != NO_MISTAKE && k == entry;
            int64_t j = here && mistake == SHIFT ? (a->col[k] + 1) % a->cols : a->col[k];
            struct term term = {rounded(a->val[k], single), rounded(x[j], single)};
            if (!here || mistake != DROP) terms[n++] = term;
            if (here && mistake == DOUBLE) terms[n++] = term;
        }
        y[i] = add_up(manner, single, terms, n);
    }
    free(terms);
}

/* The verdict on such a product. */
static enum status verdict(const struct csr *a, const double *x, const double *start,
                           enum precision precision, const double *y, double *max_error, struct error *error)
{
    return support_verdict(a, precision, vector_of(x, a->cols, precision), vector_of(y, a->rows, precision),
                           start ? vector_of(start, a->rows, precision) : NULL, max_error, error);
}

/* A random matrix with values in (-1, 1) x 2^(-spread..spread), times scale; all of one sign if `positive`.
 */
static struct csr matrix_with(int64_t rows, int64_t cols, double density, int spread, double scale,
                              bool positive)
{
    struct csr a = support_matrix(rows, cols, density, true, false, 5);
    uint64_t state = 11;
    for (int64_t k = 0; k < csr_nnz(&a); k++) {
        double value = draw(&state);
        int exponent = spread ? (int)support_random(&state, (uint32_t)(2 * spread + 1)) - spread : 0;
        a.val[k] = ldexp(positive ? fabs(value) : value, exponent) * scale;
    }
    return a;
}

/* A message has enough digits to show the difference, and states the error. */
static void wrong_rows_can_be_told_from_right_ones(void **state)
{
    static const double value[] = {1, 0, 0, 3};
    static const double x[] = {1, 1};
    static const struct {
        double y[2];
        double max_error;
        const char *message;
    } cases[] = {
        {{1, 3 + 0x1p-45}, 0x1p-45 / 3, "row 2 is 3.00000000000003; it should be 3, "},
        {{1.5, 3}, 0.5, "row 1 is 1.5; it should be 1, "},
        {{1, NAN}, INFINITY, "row 2 is NaN, as if it had not been written; it should be 3"},
        {{-INFINITY, 3}, INFINITY, "row 1 is -inf; it should be 1, "},
    };
    struct csr a = support_dense(2, 2, value);
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct error error = {0};
        double largest;
        assert_int_equal(verdict(&a, x, NULL, PRECISION_F64, cases[k].y, &largest, &error), STATUS_INPUT);
        if (strncmp(error.message, cases[k].message, strlen(cases[k].message)) != 0)
            fail_msg("%s", error.message);
        assert_true(largest == cases[k].max_error);
    }
    csr_free(&a);
}

static void right_products_pass(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
        int spread;
        double scale, x_scale;
        bool positive;
    } cases[] = {
        {40, 30, 0.3, 0, 1, 1, false},       {40, 30, 0.3, 20, 1, 1, false},
        {35, 3000, 0.5, 0, 1, 1, false},     {35, 3000, 0.5, 0, 1, 1, true},
        {35, 3000, 0.9, 30, 1, 1, true},     {4, 40000, 1, 0, 1, 1, true},
        {40, 30, 0.3, 3, 1e-308, 1, false},  {40, 30, 0.3, 3, 1e-38, 1, false},
        {35, 300, 0.9, 3, 1e-44, 1, true},   {35, 300, 0.9, 3, 1e-320, 1, true},
        {35, 300, 0.9, 3, 1e37, 1, true},    {40, 30, 0.3, 3, 1e-40, 1e30, false},
        {40, 30, 0.3, 3, 1e20, 1e-40, true}, {40, 30, 0.3, 3, 1e-310, 1e200, false},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = matrix_with(cases[c].rows, cases[c].cols, cases[c].density, cases[c].spread,
                                   cases[c].scale, cases[c].positive);
        double *x = random_vector(a.cols, 3), *start = random_vector(a.rows, 4);
        double *y = memory_array((size_t)a.rows, sizeof *y, NULL);
        for (int64_t j = 0; j < a.cols; j++)
            x[j] = (cases[c].positive ? fabs(x[j]) : x[j]) * cases[c].x_scale;
        for (size_t m = 0; m < sizeof manners / sizeof *manners; m++)
            for (int kind = 0; kind < 4; kind++) {
                enum precision precision = kind & 1 ? PRECISION_F32 : PRECISION_F64;
                const double *from = kind & 2 ? start : NULL;
                struct error error = {0};
                double largest;
                multiply(&a, x, from, kind & 1, &manners[m], NO_MISTAKE, 0, y);
                if (verdict(&a, x, from, precision, y, &largest, &error) != STATUS_OK)
                    fail_msg("case %d, %s, %s: %s", (int)c, manners[m].name, precision_name(precision),
                             error.message);
            }
        csr_free(&a);
        free(x);
        free(start);
        free(y);
    }
}

static void expect_mistakes(const struct csr *a, bool single, const double *from, const double *x)
{
    double *y = memory_array((size_t)a->rows, sizeof *y, NULL);
    for (enum mistake mistake = DROP; mistake <= SKIP; mistake++) {
        int64_t count = mistake == SKIP ? a->rows : csr_nnz(a);
        if (mistake == SHIFT && a->cols == 1) continue; /* no other column */
        for (int64_t e = 0; e < count; e++) {
            struct error error = {0};
            double largest;
            char words[32];
            int64_t row = mistake == SKIP ? e : csr_row_of(a, e);
            if (mistake == SKIP && from && a->row_ptr[e] == a->row_ptr[e + 1]) continue; /* an empty row */
            multiply(a, x, from, single, &manners[0], mistake, e, y);
            if (verdict(a, x, from, single ? PRECISION_F32 : PRECISION_F64, y, &largest, &error) !=
                STATUS_INPUT)
                fail_msg("mistake %d with %d passes", (int)mistake, (int)e);
            snprintf(words, sizeof words, "row %d is ", (int)row + 1);
            if (strncmp(error.message, words, strlen(words)) != 0)
                fail_msg("%s, not %s", error.message, words);
        }
    }
    free(y);
}

static void mistakes_are_noticed(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
    } cases[] = {{20, 15, 0.3}, {6, 150, 0.9}, {1, 1, 1}, {40, 1, 0.6}, {35, 33, 0.1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = matrix_with(cases[c].rows, cases[c].cols, cases[c].density, 0, 1, false);
        double *x = random_vector(a.cols, 3), *start = random_vector(a.rows, 4);
        for (int64_t j = 0; j < a.cols; j++) /* neighbours that differ */
            x[j] = j % 2 ? fabs(x[j]) : -fabs(x[j]);
        for (int kind = 0; kind < 4; kind++)
            expect_mistakes(&a, kind & 1, kind & 2 ? start : NULL, x);
        csr_free(&a);
        free(x);
        free(start);
    }
}

/* In double precision one entry among very many is noticed too. */
static void long_rows_are_held_to_every_entry(void **state)
{
    struct csr a = matrix_with(4, 200000, 1, 0, 1, true);
    double *x = random_vector(a.cols, 3), y[4], largest;
    for (int64_t e = 0; e < csr_nnz(&a); e += 99991)
        for (enum mistake mistake = DROP; mistake <= SHIFT; mistake++) {
            multiply(&a, x, NULL, false, &manners[0], mistake, e, y);
            assert_int_equal(verdict(&a, x, NULL, PRECISION_F64, y, &largest, NULL), STATUS_INPUT);
        }
    csr_free(&a);
    free(x);
}

/* (n + 2) u sum abs(a x), as is documented: n ones add up to n, and y0 is a term as well. Subnormal numbers
 * may count as 0. */
static void bounds_are_those_of_rounding(void **state)
{
    static const struct {
        enum precision precision;
        double unit, tiny;
    } cases[] = {{PRECISION_F64, 0x1p-53, 0x1p-1022}, {PRECISION_F32, 0x1p-24, 0x1p-126}};
    enum { COLS = 100 };
    static double values[2 * COLS], ones[COLS];
    const double start[] = {5, 0};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        enum precision precision = cases[k].precision;
        struct reference plain, started;
        for (int j = 0; j < COLS; j++)
            values[j] = ones[j] = 1;
        values[COLS] = cases[k].tiny / 2;
        ones[0] = 0x1p20;
        struct csr a = support_dense(2, COLS, values);
        void *x = vector_of(ones, COLS, precision), *y = vector_of(start, 2, precision);
        assert_int_equal(reference_make(&a, precision, (struct product){0}, x, NULL, NULL, &plain, NULL),
                         STATUS_OK);
        assert_int_equal(reference_make(&a, precision, (struct product){0}, x, y, NULL, &started, NULL),
                         STATUS_OK);
        double sum = COLS - 1 + 0x1p20;
        assert_float_equal(plain.bound[0] / ((COLS + 2) * cases[k].unit * sum), 1, 1e-12);
        assert_float_equal(started.bound[0] / ((COLS + 3) * cases[k].unit * (sum + 5)), 1, 1e-12);
        double product = cases[k].tiny / 2 * 0x1p20;
        assert_true(plain.bound[1] >= product && plain.bound[1] < 1.001 * product);
        reference_free(&plain);
        reference_free(&started);
        free(x);
        free(y);
        csr_free(&a);
    }
}

/* 1e16 + 1 - 1e16: the reference has the 1 that a plain sum loses. */
static void references_are_compensated(void **state)
{
    static const double values[] = {1e16, 1, -1e16, 3, 0, 0.5, 0, 0, 0}, x[] = {1, 1, 1};
    struct csr a = support_dense(3, 3, values);
    struct reference reference;
    double start[] = {0, -3, 7};
    assert_int_equal(reference_make(&a, PRECISION_F64, (struct product){0}, x, NULL, NULL, &reference, NULL),
                     STATUS_OK);
    assert_true(reference.y[0] == 1 && reference.y[1] == 3.5 && reference.y[2] == 0);
    assert_true(reference.magnitude[0] == 2e16 && reference.magnitude[1] == 3.5 &&
                reference.magnitude[2] == 0);
    assert_true(reference.bound[0] >= 1 && reference.bound[0] < 20 && reference.bound[2] == 0);
    reference_free(&reference);
    assert_int_equal(reference_make(&a, PRECISION_F64, (struct product){0}, x, start, NULL, &reference, NULL),
                     STATUS_OK);
    assert_true(reference.y[1] == 0.5 && reference.magnitude[1] == 6.5 && reference.y[2] == 7);
    reference_free(&reference);
    reference_free(&reference);
    csr_free(&a);
}

static void the_error_is_relative_to_the_terms(void **state)
{
    static const double values[] = {2, -1, 0, 0}, x[] = {1, 1}, y[] = {1 + 0x1p-52, 0};
    struct csr a = support_dense(2, 2, values);
    double largest;
    assert_int_equal(verdict(&a, x, NULL, PRECISION_F64, y, &largest, NULL), STATUS_OK);
    assert_true(largest == 0x1p-52 / 3);
    csr_free(&a);
}

/* Numbers that are not finite, or overflow in one order and not in another. */
static void infinities_are_no_excuse(void **state)
{
    static const double values[] = {INFINITY, 1, 1, NAN, 1, 1, DBL_MAX, DBL_MAX, -DBL_MAX, 1, 2, 3};
    static const double x[] = {1, 1, 1};
    static const struct {
        double y[4];
        enum status status;
    } cases[] = {
        {{INFINITY, NAN, INFINITY, 6}, STATUS_OK}, {{NAN, NAN, DBL_MAX, 6}, STATUS_OK},
        {{NAN, NAN, NAN, 6}, STATUS_OK},           {{2, NAN, INFINITY, 6}, STATUS_INPUT},
        {{NAN, 2, INFINITY, 6}, STATUS_INPUT},     {{NAN, NAN, INFINITY, INFINITY}, STATUS_INPUT},
        {{NAN, NAN, INFINITY, NAN}, STATUS_INPUT}, {{NAN, NAN, INFINITY, 7}, STATUS_INPUT},
    };
    struct csr a = support_dense(4, 3, values);
    double largest;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int single = 0; single < 2; single++)
            assert_int_equal(
                verdict(&a, x, NULL, single ? PRECISION_F32 : PRECISION_F64, cases[c].y, &largest, NULL),
                cases[c].status);
    csr_free(&a);
}

static void matrices_without_rows_or_entries_are_right(void **state)
{
    struct csr none = support_matrix(0, 5, 0, false, false, 1),
               empty = support_matrix(5, 0, 0, false, false, 1);
    const double zeros[5] = {0}, wrong[5] = {0, 0, 1e-300, 0, 0};
    double largest;
    assert_int_equal(verdict(&none, zeros, NULL, PRECISION_F64, zeros, &largest, NULL), STATUS_OK);
    assert_true(largest == 0);
    assert_int_equal(verdict(&empty, zeros, NULL, PRECISION_F64, zeros, &largest, NULL), STATUS_OK);
    assert_int_equal(verdict(&empty, zeros, NULL, PRECISION_F64, wrong, &largest, NULL), STATUS_INPUT);
    csr_free(&none);
    csr_free(&empty);
}

/* The first wrong row is named, by any number of threads; and the reference is the same. */
static void threads_make_no_difference(void **state)
{
    struct csr a = matrix_with(40000, 50, 0.1, 0, 1, false);
    double *x = random_vector(a.cols, 3), *y = memory_array((size_t)a.rows, sizeof *y, NULL), largest[2];
    struct reference reference[2];
    struct error error[2] = {{0}, {0}};
    struct progress progress = {0};
    multiply(&a, x, NULL, false, &manners[0], NO_MISTAKE, 0, y);
    y[39000] = 2;
    y[777] = -3;
    y[23456] = 4;
    for (int k = 0; k < 2; k++) {
        threads_set(k ? 4 : 1);
        assert_int_equal(
            reference_make(&a, PRECISION_F64, (struct product){0}, x, NULL, &progress, &reference[k], NULL),
            STATUS_OK);
        assert_int_equal(reference_check(&reference[k], y, &largest[k], &error[k]), STATUS_INPUT);
    }
    threads_set(0);
    assert_string_equal(atomic_load(&progress.phase), "computing what is right");
    assert_true(atomic_load(&progress.total) > 1 &&
                atomic_load(&progress.done) == atomic_load(&progress.total));
    assert_string_equal(error[0].message, error[1].message);
    assert_non_null(strstr(error[0].message, "row 778 is -3;"));
    assert_true(largest[0] == largest[1]);
    assert_memory_equal(reference[0].y, reference[1].y, (size_t)a.rows * sizeof(double));
    assert_memory_equal(reference[0].bound, reference[1].bound, (size_t)a.rows * sizeof(double));
    reference_free(&reference[0]);
    reference_free(&reference[1]);
    csr_free(&a);
    free(x);
    free(y);
}

static void failures_leave_nothing(void **state)
{
    struct csr a = matrix_with(10, 10, 0.5, 0, 1, false);
    double *x = random_vector(a.cols, 3);
    struct progress progress = {0};
    struct reference reference;
    for (long fail = 0; fail < 3; fail++) {
        memory_fail_after(fail);
        assert_int_equal(
            reference_make(&a, PRECISION_F64, (struct product){0}, x, NULL, NULL, &reference, NULL),
            STATUS_MEMORY);
        memory_fail_after(-1);
        assert_null(reference.y);
    }
    progress_cancel(&progress);
    assert_int_equal(
        reference_make(&a, PRECISION_F64, (struct product){0}, x, NULL, &progress, &reference, NULL),
        STATUS_CANCELLED);
    assert_null(reference.y);
    csr_free(&a);
    free(x);
}

/* A 2 x 3 matrix, transposed or not, with two vectors in either layout: each element of Y is compared with
 * its own sum, and the message names its row and vector. */
static void elements_of_several_vectors_are_named(void **state)
{
    static const double values[] = {1, 2, 0, 0, 3, 4};
    struct csr a = support_dense(2, 3, values);
    for (int kind = 0; kind < 4; kind++) {
        const struct product product = {.transposed = kind & 1, .by_rows = kind & 2, .columns = 2};
        int64_t x_size = product_x_size(product, 2, 3), y_size = product_y_size(product, 2, 3);
        double x[6] = {0}, y[6] = {0}, largest;
        struct reference reference;
        for (int c = 0; c < 2; c++) {
            for (int64_t j = 0; j < x_size; j++)
                x[product_place(product, x_size, j, c)] = (double)(10 * c + j + 1);
            for (int64_t i = 0; i < 2; i++)
                for (int64_t j = 0; j < 3; j++)
                    y[product_place(product, y_size, product.transposed ? j : i, c)] +=
                        values[3 * i + j] * x[product_place(product, x_size, product.transposed ? i : j, c)];
        }
        assert_int_equal(reference_make(&a, PRECISION_F64, product, x, NULL, NULL, &reference, NULL),
                         STATUS_OK);
        assert_int_equal(reference_check(&reference, y, &largest, NULL), STATUS_OK);
        for (int64_t i = 0; i < y_size; i++)
            for (int c = 0; c < 2; c++) {
                struct error error = {0};
                char wanted[64];
                double *one = &y[product_place(product, y_size, i, c)], kept = *one;
                *one += 1;
                assert_int_equal(reference_check(&reference, y, &largest, &error), STATUS_INPUT);
                snprintf(wanted, sizeof wanted, "row %d%s, vector %d, is %g", (int)i + 1,
                         product.transposed ? " of A^T" : "", c + 1, *one);
                if (strncmp(error.message, wanted, strlen(wanted)) != 0)
                    fail_msg("'%s', not '%s...'", error.message, wanted);
                *one = kept;
            }
        reference_free(&reference);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(elements_of_several_vectors_are_named),
        cmocka_unit_test(wrong_rows_can_be_told_from_right_ones),
        cmocka_unit_test(right_products_pass),
        cmocka_unit_test(mistakes_are_noticed),
        cmocka_unit_test(long_rows_are_held_to_every_entry),
        cmocka_unit_test(bounds_are_those_of_rounding),
        cmocka_unit_test(references_are_compensated),
        cmocka_unit_test(the_error_is_relative_to_the_terms),
        cmocka_unit_test(infinities_are_no_excuse),
        cmocka_unit_test(matrices_without_rows_or_entries_are_right),
        cmocka_unit_test(threads_make_no_difference),
        cmocka_unit_test(failures_leave_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
