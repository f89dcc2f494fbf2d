/* Checking products with complex matrices: the language's own complex numbers, added up in several orders,
 * pass, and faults of kernels are noticed. */
#include <complex.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#undef complex /* structs have members of this name */

#ifndef CMPLX /* the C library's header defines it for GCC alone */
#    define CMPLX(x, y) __builtin_complex((double)(x), (double)(y))
#    define CMPLXF(x, y) __builtin_complex((float)(x), (float)(y))
#endif

#include "base/memory.h"
#include "kernels/timing/check.h"
#include "support/cmocka.h"
#include "support/support.h"
#include "support/verdict.h"

/* A matrix with parts in (-1, 1), but not near 0. */
static double draw(uint64_t *state)
{
    double value = 0.25 + 0.75e-6 * support_random(state, 1000000);
    return support_random(state, 2) ? value : -value;
}

static struct csr complex_matrix(int64_t rows, int64_t cols, double density)
{
    struct csr a = support_matrix(rows, cols, density, true, true, 5);
    uint64_t state = 11;
    for (int64_t k = 0; k < csr_nnz(&a); k++) {
        a.val[k] = draw(&state);
        a.imaginary[k] = draw(&state);
    }
    return a;
}

static double _Complex *complex_vector(int64_t n, uint64_t seed)
{
    double _Complex *vector = memory_array((size_t)n, sizeof *vector, NULL);
    for (int64_t e = 0; e < n; e++) {
        double real = draw(&seed);
        vector[e] = CMPLX(real, draw(&seed));
    }
    return vector;
}

/* The fault of a kernel at entry `entry`. */
enum mistake { NO_MISTAKE, DROP, DOUBLE, CONJUGATE, SWAP, CONJUGATE_X, REAL_ONLY, MISTAKES };

enum order { FORWARD, BACKWARD, PARTS, ORDERS };

static double _Complex mistaken(double _Complex value, enum mistake mistake)
{
    return mistake == DROP        ? 0
           : mistake == DOUBLE    ? 2 * value
           : mistake == CONJUGATE ? conj(value)
           : mistake == SWAP      ? CMPLX(cimag(value), creal(value))
           : mistake == REAL_ONLY ? creal(value)
                                  : value;
}

/* A row's sum in double precision: term by term from either end, or first all products with real parts of
 * values, and then those with imaginary parts. */
static double _Complex row_double(const double _Complex *value, const double _Complex *x, int64_t n,
                                  enum order order)
{
    double _Complex sum = 0, rest = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t e = order == BACKWARD ? n - 1 - k : k;
        sum += order == PARTS ? creal(value[e]) * x[e] : value[e] * x[e];
        rest += order == PARTS ? cimag(value[e]) * x[e] : 0;
    }
    return sum + CMPLX(-cimag(rest), creal(rest));
}

static double _Complex row_single(const double _Complex *value, const double _Complex *x, int64_t n,
                                  enum order order)
{
    float _Complex sum = 0, rest = 0;
    for (int64_t k = 0; k < n; k++) {
        int64_t e = order == BACKWARD ? n - 1 - k : k;
        float _Complex v = (float _Complex)value[e], u = (float _Complex)x[e];
        sum += order == PARTS ? crealf(v) * u : v * u;
        rest += order == PARTS ? cimagf(v) * u : 0;
    }
    return (double _Complex)(sum + CMPLXF(-cimagf(rest), crealf(rest)));
}

/* y = A x or, unless `start` is NULL, y = start + A x. */
static void multiply(const struct csr *a, const double _Complex *x, const double _Complex *start, bool single,
                     enum order order, enum mistake mistake, int64_t entry, double _Complex *y)
{
    double _Complex *value = memory_array((size_t)a->cols + 1, sizeof *value, NULL);
    double _Complex *element = memory_array((size_t)a->cols + 1, sizeof *element, NULL);
    for (int64_t i = 0; i < a->rows; i++) {
        int64_t n = 0;
        if (start) {
            value[n] = start[i];
            element[n++] = 1;
        }
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++, n++) {
            enum mistake here = k == entry ? mistake : NO_MISTAKE;
            value[n] = mistaken(CMPLX(a->val[k], a->imaginary[k]), here);
            element[n] = here == CONJUGATE_X ? conj(x[a->col[k]]) : x[a->col[k]];
        }
        y[i] = (single ? row_single : row_double)(value, element, n, order);
    }
    free(value);
    free(element);
}

/* The vector as kernels of the precision have it. */
static void *in_precision(const double _Complex *vector, int64_t n, bool single)
{
    void *out = memory_array((size_t)n, sizeof *vector, NULL);
    for (int64_t p = 0; p < 2 * n; p++) {
        double part = p % 2 ? cimag(vector[p / 2]) : creal(vector[p / 2]);
        if (single)
            ((float *)out)[p] = (float)part;
        else
            ((double *)out)[p] = part;
    }
    return out;
}

static enum status verdict(const struct csr *a, const double _Complex *x, const double _Complex *start,
                           bool single, const double _Complex *y, double *max_error, struct error *error)
{
    return support_verdict(a, single ? PRECISION_F32 : PRECISION_F64, in_precision(x, a->cols, single),
                           in_precision(y, a->rows, single),
                           start ? in_precision(start, a->rows, single) : NULL, max_error, error);
}

static void right_products_pass(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density, scale;
    } cases[] = {{40, 30, 0.3, 1},      {35, 3000, 0.5, 1},     {4, 20000, 1, 1},
                 {35, 300, 0.9, 1e-38}, {35, 300, 0.9, 1e-308}, {35, 300, 0.9, 1e34}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = complex_matrix(cases[c].rows, cases[c].cols, cases[c].density);
        double _Complex *x = complex_vector(a.cols, 3), *start = complex_vector(a.rows, 4), y[64];
        for (int64_t k = 0; k < csr_nnz(&a); k++) {
            a.val[k] *= cases[c].scale;
            a.imaginary[k] *= cases[c].scale;
        }
        for (int kind = 0; kind < 4; kind++)
            for (enum order order = FORWARD; order < ORDERS; order++) {
                struct error error = {0};
                double largest;
                multiply(&a, x, kind & 2 ? start : NULL, kind & 1, order, NO_MISTAKE, 0, y);
                if (verdict(&a, x, kind & 2 ? start : NULL, kind & 1, y, &largest, &error) != STATUS_OK)
                    fail_msg("case %d, order %d, kind %d: %s", (int)c, (int)order, kind, error.message);
            }
        csr_free(&a);
        free(x);
        free(start);
    }
}

static void mistakes_are_noticed(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
    } cases[] = {{20, 15, 0.3}, {3, 150, 0.9}, {1, 1, 1}, {40, 1, 0.6}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = complex_matrix(cases[c].rows, cases[c].cols, cases[c].density);
        double _Complex *x = complex_vector(a.cols, 3), y[64];
        for (int kind = 0; kind < 2 * MISTAKES; kind++) {
            enum mistake mistake = (enum mistake)(kind / 2);
            for (int64_t e = 0; mistake != NO_MISTAKE && e < csr_nnz(&a); e++) {
                struct error error = {0};
                double largest;
                multiply(&a, x, NULL, kind % 2, FORWARD, mistake, e, y);
                if (verdict(&a, x, NULL, kind % 2, y, &largest, &error) != STATUS_INPUT)
                    fail_msg("mistake %d with entry %d passes", (int)mistake, (int)e);
            }
        }
        csr_free(&a);
        free(x);
    }
}

/* (1 + 2i)(3 - i) = 5 + 5i and 4i (2 + i) = -4 + 8i: the message has the wrong part. */
static void wrong_rows_are_told_with_both_parts(void **state)
{
    static const double _Complex x[] = {CMPLX(3, -1), CMPLX(2, 1)};
    static const struct {
        double _Complex y[2];
        double max_error;
        const char *message;
    } cases[] = {
        {{CMPLX(5, 5), CMPLX(-4, 8)}, 0, NULL},
        {{CMPLX(5, 5), CMPLX(-1, 4)}, 0.559016994374947, "row 2 is -1+4i; it should be -4+8i, "},
        {{CMPLX(5, -5), CMPLX(-4, 8)}, 1.414213562373095, "row 1 is 5-5i; it should be 5+5i, "},
        {{CMPLX(5, NAN), CMPLX(-4, 8)},
         INFINITY,
         "row 1 is 5+nani, as if it had not been written; it should be 5+5i"},
        {{CMPLX(NAN, 5), CMPLX(-4, 8)}, INFINITY, "row 1 is nan+5i, as if it had not been written"},
        {{CMPLX(5, 5), CMPLX(INFINITY, 8)}, INFINITY, "row 2 is inf+8i; it should be -4+8i"},
    };
    struct csr a = support_matrix(2, 2, 1, false, true, 1);
    assert_int_equal(csr_nnz(&a), 4);
    memcpy(a.val, (double[]){1, 0, 0, 0}, 4 * sizeof *a.val);
    memcpy(a.imaginary, (double[]){2, 0, 0, 4}, 4 * sizeof *a.val);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct error error = {0};
        double largest;
        enum status status = verdict(&a, x, NULL, false, cases[c].y, &largest, &error);
        assert_int_equal(status, cases[c].message ? STATUS_INPUT : STATUS_OK);
        if (cases[c].message && strncmp(error.message, cases[c].message, strlen(cases[c].message)) != 0)
            fail_msg("%s", error.message);
        assert_true(largest == cases[c].max_error || fabs(largest - cases[c].max_error) < 1e-14);
    }
    csr_free(&a);
}

/* n entries of modulus 5 times elements of modulus 13: root(2) (2 n + 2) u 65 n, as is documented. */
static void bounds_are_those_of_rounding(void **state)
{
    enum { COLS = 100 };
    for (int single = 0; single < 2; single++) {
        struct csr a = support_matrix(1, COLS, 1, false, true, 1);
        double _Complex elements[COLS];
        struct reference reference;
        assert_int_equal(csr_nnz(&a), COLS);
        for (int j = 0; j < COLS; j++) {
            a.val[j] = 3;
            a.imaginary[j] = -4;
            elements[j] = CMPLX(-5, 12);
        }
        void *x = in_precision(elements, COLS, single);
        enum precision precision = single ? PRECISION_F32 : PRECISION_F64;
        assert_int_equal(reference_make(&a, precision, (struct product){0}, x, NULL, NULL, &reference, NULL),
                         STATUS_OK);
        double unit = single ? 0x1p-24 : 0x1p-53;
        assert_float_equal(reference.magnitude[0], 65 * COLS, 1e-9);
        assert_float_equal(reference.bound[0] / (sqrt(2) * (2 * COLS + 2) * unit * 65 * COLS), 1, 1e-12);
        assert_true(reference.y[0] == 33 * COLS && reference.y[1] == 56 * COLS);
        reference_free(&reference);
        free(x);
        csr_free(&a);
    }
}

/* 1e16 + 1 - 1e16 in either part: the reference has the 1 that a plain sum loses. */
static void references_are_compensated(void **state)
{
    static const double _Complex ones[] = {1, 1, 1};
    struct csr a = support_matrix(1, 3, 1, false, true, 1);
    struct reference reference;
    void *x = in_precision(ones, 3, false);
    memcpy(a.val, (double[]){1e16, 1, -1e16}, 3 * sizeof *a.val);
    memcpy(a.imaginary, (double[]){-1e16, 3, 1e16}, 3 * sizeof *a.val);
    assert_int_equal(reference_make(&a, PRECISION_F64, (struct product){0}, x, NULL, NULL, &reference, NULL),
                     STATUS_OK);
    assert_true(reference.y[0] == 1 && reference.y[1] == 3);
    reference_free(&reference);
    free(x);
    csr_free(&a);
}

/* A factor that is not finite in one of its parts spoils the row, in whichever part it shows. */
static void infinite_numbers_show_in_some_part(void **state)
{
    static const double _Complex x[] = {CMPLX(0.5, -1)};
    static const double parts[][2] = {{INFINITY, 1}, {1, NAN}, {-INFINITY, INFINITY}};
    static const double _Complex spoilt[] = {CMPLX(INFINITY, 1), CMPLX(1, -INFINITY), CMPLX(NAN, NAN)};
    struct csr a = support_matrix(1, 1, 1, false, true, 1);
    double largest;
    for (size_t k = 0; k < 3; k++) {
        const double _Complex finite = 1;
        a.val[0] = parts[k][0];
        a.imaginary[0] = parts[k][1];
        for (size_t s = 0; s < 3; s++)
            assert_int_equal(verdict(&a, x, NULL, s % 2, &spoilt[s], &largest, NULL), STATUS_OK);
        assert_int_equal(verdict(&a, x, NULL, false, &finite, &largest, NULL), STATUS_INPUT);
    }
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_products_pass),
        cmocka_unit_test(mistakes_are_noticed),
        cmocka_unit_test(wrong_rows_are_told_with_both_parts),
        cmocka_unit_test(bounds_are_those_of_rounding),
        cmocka_unit_test(references_are_compensated),
        cmocka_unit_test(infinite_numbers_show_in_some_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
