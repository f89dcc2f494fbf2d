/* analysis/precisions: rounding and errors of products against their definitions in integers and long
 * doubles, and against numbers found by hand. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/precisions.h"
#include "analysis/precisions_batch.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "matrix/generators/hash.h"
#include "support/cmocka.h"
#include "support/support.h"

__extension__ typedef __int128 wide;

enum { F64, F32, BF16, FP16, F32X2, BF16X2, BF16X3 };

static void measure(const struct csr *a, struct precisions *p)
{
    memset(p, 0xff, sizeof *p);
    assert_int_equal(precisions_measure(a, NULL, p, NULL), STATUS_OK);
}

static void expect(const struct rounded *r, int64_t exact, int64_t infinite, int64_t zero, int64_t subnormal,
                   double largest)
{
    if (r->exact != exact || r->infinite != infinite || r->zero != zero || r->subnormal != subnormal ||
        r->largest != largest)
        fail_msg("%" PRId64 " exact, %" PRId64 " infinite, %" PRId64 " zero, %" PRId64 " subnormal, %a",
                 r->exact, r->infinite, r->zero, r->subnormal, r->largest);
}

static void near(double value, double expected, double tolerance)
{
    if (isnan(expected) ? isnan(value) : value == expected) return;
    if (fabs(value - expected) <= tolerance * fabs(expected)) return;
    fail_msg("%.17g is not %.17g", value, expected);
}

/* By hand. fp16: 1, 65504, 2^-24 and 2^-14 are exact, 65520 and -70000 overflow, 2^-25 and the last value
 * become 0, and 2^-24 and 1.5 x 2^-24 are subnormal. f32: the last value is subnormal. f32x2 holds 1 + 2^-40
 * exactly. */
static void counts_by_hand(void **state)
{
    const double dense[] = {1,         65504,   65520,       -70000,  0x1p-25,
                            0x1.8p-24, 0x1p-24, 1 + 0x1p-40, 0x1p-14, 0x1p-130 + 0x1p-160};
    struct csr a = support_dense(2, 5, dense);
    struct precisions p;
    measure(&a, &p);
    assert_int_equal(p.values, 10);
    assert_int_equal(p.rows, 2);
    assert_int_equal(p.nonzeros, 2);
    expect(&p.type[F64].values, 10, 0, 0, 0, 0);
    expect(&p.type[FP16].values, 4, 2, 2, 2, 1);
    expect(&p.type[F32].values, 8, 0, 0, 1, (0x1p-160 / (0x1p-130 + 0x1p-160)));
    expect(&p.type[F32X2].values, 9, 0, 0, 1, (0x1p-160 / (0x1p-130 + 0x1p-160)));
    /* In bf16 65504 = 0xffe0, which has 11 bits, becomes 65536, and 70000 becomes 69632 + 512 = 70144. */
    expect(&p.type[BF16].values, 5, 0, 0, 1, 144.0 / 70000);
    assert_false(p.type[F64].scaling);
    assert_true(p.type[FP16].scaling && p.type[F32].scaling);
    csr_free(&a);
}

/* Row 0 is divided by 2^21 and row 1 by 2^-29. Then the largest values of the columns are 1/2 and 2^-11, and
 * all values become 2^14 or -2^14. */
static void scaling_by_hand(void **state)
{
    const double dense[] = {0x1p20, 0x1p10, -0x1p-30, 0x1p-40};
    struct csr a = support_dense(2, 2, dense);
    struct precisions p;
    measure(&a, &p);
    expect(&p.type[FP16].values, 1, 1, 2, 0, 1);
    expect(&p.type[FP16].scaled, 4, 0, 0, 0, 0);
    assert_true(p.type[FP16].scaling);
    for (int t = 0; t < NUMBER_TYPES; t++) {
        if (t != FP16) assert_memory_equal(&p.type[t].scaled, &p.type[t].values, sizeof p.type[t].values);
        assert_true(p.type[t].scaling == (t == FP16));
    }
    csr_free(&a);
    /* A value that is 2^-40 times the largest of its row and of its column underflows in spite of scaling. */
    const double hopeless[] = {0x1p20, 0, 0x1p-20, 0x1p20};
    a = support_dense(2, 2, hopeless);
    measure(&a, &p);
    expect(&p.type[FP16].values, 1, 2, 0, 1, 0);
    expect(&p.type[FP16].scaled, 2, 0, 1, 0, 1);
    csr_free(&a);
}

/* Return a, rounded by the C library to `bits` bits, or to a multiple of 2^least if that is coarser. */
static long double round_reference(const struct number_type *type, long double a)
{
    int exponent;
    if (a == 0 || !isfinite(a)) return a;
    frexpl(a, &exponent);
    int unit = exponent - type->bits > type->least ? exponent - type->bits : type->least;
    long double rounded = ldexpl(nearbyintl(ldexpl(a, -unit)), unit);
    return fabsl(rounded) >= ldexpl(1, type->most) ? copysignl(INFINITY, a) : rounded;
}

/* Split a value into parts. Return the stored value. */
static long double split_reference(const struct number_type *type, long double a, long double *parts)
{
    long double rest = a, sum = 0;
    for (int p = 0; p < type->parts; p++) {
        parts[p] = round_reference(type, rest);
        rest = isinf(parts[p]) ? 0 : rest - parts[p];
        sum += parts[p];
    }
    return sum;
}

static void count_reference(const struct number_type *type, long double a, struct rounded *r)
{
    long double parts[NUMBER_PARTS_MAX], stored = split_reference(type, a, parts);
    bool subnormal = false;
    if (!isfinite(a)) return;
    for (int p = 0; p < type->parts; p++)
        subnormal |= parts[p] != 0 && fabsl(parts[p]) < ldexpl(1, type->least + type->bits - 1);
    r->exact += stored == a;
    r->infinite += isinf(stored) != 0;
    r->zero += stored == 0 && a != 0;
    r->subnormal += subnormal;
    if (a != 0 && !isinf(stored)) r->largest = fmax(r->largest, (double)(fabsl(stored - a) / fabsl(a)));
}

static int exponent_reference(double a)
{
    int exponent;
    frexp(a, &exponent);
    return exponent;
}

static double larger_part(const struct csr *a, int64_t k)
{
    double size = isfinite(a->val[k]) ? fabs(a->val[k]) : 0;
    double other = a->imaginary && isfinite(a->imaginary[k]) ? fabs(a->imaginary[k]) : 0;
    return fmax(size, other);
}

/* Count scaled values. They are long doubles, whose exponents suffice for all scaled doubles. */
static void scaled_reference(const struct csr *a, const struct number_type *type, struct rounded *r)
{
    int *row = calloc((size_t)a->rows + 1, sizeof *row), *col = malloc(((size_t)a->cols + 1) * sizeof *col);
    for (int64_t j = 0; j < a->cols; j++)
        col[j] = -1000000;
    for (int64_t i = 0; i < a->rows; i++) {
        double largest = 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            largest = fmax(largest, larger_part(a, k));
        row[i] = largest > 0 ? exponent_reference(largest) : 0;
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            if (larger_part(a, k) > 0)
                col[a->col[k]] = (int)max(col[a->col[k]], exponent_reference(larger_part(a, k)) - row[i]);
    }
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int by = larger_part(a, k) > 0 ? type->scaled - row[i] - col[a->col[k]] : 0;
            count_reference(type, ldexpl(a->val[k], by), r);
            if (a->imaginary) count_reference(type, ldexpl(a->imaginary[k], by), r);
        }
    free(row);
    free(col);
}

static void same_counts(const struct rounded *r, const struct rounded *expected, const char *name)
{
    if (r->exact != expected->exact || r->infinite != expected->infinite || r->zero != expected->zero ||
        r->subnormal != expected->subnormal)
        fail_msg("%s: %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64 ", not %" PRId64 " %" PRId64 " %" PRId64
                 " %" PRId64,
                 name, r->exact, r->infinite, r->zero, r->subnormal, expected->exact, expected->infinite,
                 expected->zero, expected->subnormal);
    near(r->largest, expected->largest, 1e-14);
}

static double random_value(uint64_t *seed, int low, int high)
{
    double fraction = 1 + ldexp(support_random(seed, 1U << 26), -26);
    if (support_random(seed, 4)) fraction += ldexp(support_random(seed, 1U << 26), -52);
    double value = ldexp(fraction, low + (int)support_random(seed, (uint32_t)(high - low)));
    uint32_t kind = support_random(seed, 60);
    if (kind == 0) return NAN;
    if (kind == 1) return INFINITY;
    if (kind == 2) return 0;
    return kind % 2 ? value : -value;
}

/* Values of all sizes, with NaN and infinity. */
static void counts_agree_with_their_definitions(void **state)
{
    static const struct {
        int low, high;
        bool complex;
    } cases[] = {{-30, 20, 0},   {-165, 135, 0},   {-1074, -990, 0},
                 {900, 1024, 0}, {-1074, 1024, 0}, {-160, 130, 1}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = support_matrix(90, 70, 0.3, true, cases[c].complex, c + 1);
        struct precisions p;
        uint64_t seed = c;
        int64_t finite = 0;
        for (int64_t k = 0; k < csr_nnz(&a); k++) {
            a.val[k] = random_value(&seed, cases[c].low, cases[c].high);
            finite += isfinite(a.val[k]) != 0;
            if (!a.imaginary) continue;
            a.imaginary[k] = random_value(&seed, cases[c].low, cases[c].high);
            finite += isfinite(a.imaginary[k]) != 0;
        }
        measure(&a, &p);
        assert_int_equal(p.values, finite);
        for (int t = 0; t < NUMBER_TYPES; t++) {
            const struct number_type *type = &number_types[t];
            struct rounded expected = {0}, scaled = {0};
            if (t == F64) {
                expect(&p.type[t].values, finite, 0, 0, p.type[t].values.subnormal, 0);
                assert_false(p.type[t].scaling);
                continue;
            }
            for (int64_t k = 0; k < csr_nnz(&a); k++) {
                count_reference(type, a.val[k], &expected);
                if (a.imaginary) count_reference(type, a.imaginary[k], &expected);
            }
            same_counts(&p.type[t].values, &expected, type->name);
            bool scaling = expected.infinite + expected.zero + expected.subnormal > 0;
            assert_true(p.type[t].scaling == scaling);
            if (scaling) scaled_reference(&a, type, &scaled);
            same_counts(&p.type[t].scaled, scaling ? &scaled : &expected, type->name);
        }
        csr_free(&a);
    }
}

/* The sum of the parts is exact in f64, for values of all sizes. After an infinite part there are zeros. */
static void sums_of_parts_are_exact(void **state)
{
    uint64_t seed = 8;
    double val[PRECISION_BATCH];
    struct rounded_batch batch;
    for (int round = 0; round < 100; round++) {
        for (int k = 0; k < PRECISION_BATCH; k++)
            do
                val[k] = random_value(&seed, round % 2 ? -160 : -10, round % 2 ? 140 : 10);
            while (!isfinite(val[k]));
        for (int t = 0; t < NUMBER_TYPES; t++) {
            const struct number_type *type = &number_types[t];
            const struct rounding rounding = number_rounding(type);
            struct rounded rounded = {0};
            precisions_round(type, &rounding, val, PRECISION_BATCH, &batch, &rounded);
            for (int k = 0; k < PRECISION_BATCH; k++) {
                long double parts[NUMBER_PARTS_MAX], stored = split_reference(type, val[k], parts);
                for (int p = 0; p < type->parts; p++)
                    assert_true((long double)batch.part[p][k] == parts[p]);
                assert_true((long double)batch.stored[k] == stored);
            }
        }
    }
}

/* Return element j of x times 2^24, which is an integer. */
static int64_t x_reference(int64_t j)
{
    double value = hash_value(hash_at(hash_key(1, HASH_VALUE, 0), j));
    return (int64_t)(ldexpf((float)(value / 2 + copysign(0.5, value)), 24));
}

/* Values are integers times 2^UNIT, and elements of x are integers times 2^-24. Exact sums, and the
 * differences from them, are then integers of 128 bits. */
#define UNIT (-38)

struct row_reference {
    wide exact[2];
    double size, y[2][SUMS][NUMBER_TYPES];
};

/* Add a x to component c of the row, with the sign of the term. */
static void add_reference(double a, int64_t x, int sign, int c, struct row_reference *row)
{
    float f32 = ldexpf((float)x, -24);
    row->exact[c] += (wide)ldexp(sign * a, -UNIT) * x;
    for (int t = 0; t < NUMBER_TYPES; t++) {
        long double parts[NUMBER_PARTS_MAX], stored = split_reference(&number_types[t], sign * a, parts);
        volatile double product = (double)stored * (double)f32;
        row->y[c][SUMS_F64][t] += product;
        for (int p = 0; p < number_types[t].parts; p++) {
            volatile float small = (float)parts[p] * f32, sum = (float)row->y[c][SUMS_F32][t] + small;
            row->y[c][SUMS_F32][t] = sum;
        }
    }
}

static void row_reference(const struct csr *a, int64_t i, struct row_reference *row)
{
    memset(row, 0, sizeof *row);
    for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
        int64_t j = a->col[k];
        if (!a->imaginary) {
            add_reference(a->val[k], x_reference(j), 1, 0, row);
            row->size += fabs(a->val[k] * ldexp((double)x_reference(j), -24));
            continue;
        }
        int64_t re = x_reference(2 * j), im = x_reference(2 * j + 1);
        add_reference(a->val[k], re, 1, 0, row);
        add_reference(a->imaginary[k], im, -1, 0, row);
        add_reference(a->val[k], im, 1, 1, row);
        add_reference(a->imaginary[k], re, 1, 1, row);
        row->size +=
            hypot(a->val[k], a->imaginary[k]) * hypot(ldexp((double)re, -24), ldexp((double)im, -24));
    }
}

/* Return y - r in units of 2^(UNIT-24). y is finite. */
static double error_reference(double y, wide exact)
{
    double units = ldexp(y, 24 - UNIT);
    assert_true(units == rint(units) && fabs(units) < 0x1p126);
    return (double)((wide)units - exact);
}

static double round_up_to_8_bits(double value)
{
    int exponent;
    double fraction = frexp(value, &exponent);
    return ldexp(ceil(ldexp(fraction, 8)), exponent - 8);
}

struct product_reference {
    int64_t rows, nonzeros;
    struct product_error error[SUMS][NUMBER_TYPES];
};

static void product_reference(const struct csr *a, struct product_reference *r)
{
    double *relative[SUMS][NUMBER_TYPES];
    long double squares[SUMS][NUMBER_TYPES] = {{0}}, exact_squares = 0;
    memset(r, 0, sizeof *r);
    for (int o = 0; o < SUMS * NUMBER_TYPES; o++)
        relative[o / NUMBER_TYPES][o % NUMBER_TYPES] = malloc(((size_t)a->rows + 1) * sizeof(double));
    for (int64_t i = 0; i < a->rows; i++) {
        struct row_reference row;
        if (a->row_ptr[i] == a->row_ptr[i + 1]) continue;
        row_reference(a, i, &row);
        double exact = hypot((double)row.exact[0], (double)row.exact[1]);
        exact_squares += (long double)exact * exact;
        for (int s = 0; s < SUMS; s++)
            for (int t = 0; t < NUMBER_TYPES; t++) {
                double error = hypot(error_reference(row.y[0][s][t], row.exact[0]),
                                     error_reference(row.y[1][s][t], row.exact[1]));
                struct product_error *e = &r->error[s][t];
                if (row.size > 0) e->max_error = fmax(e->max_error, ldexp(error, UNIT - 24) / row.size);
                squares[s][t] += (long double)error * error;
                if (exact > 0) relative[s][t][r->nonzeros] = error / exact;
            }
        r->rows++;
        r->nonzeros += exact > 0;
    }
    for (int s = 0; s < SUMS; s++)
        for (int t = 0; t < NUMBER_TYPES; t++) {
            struct product_error *e = &r->error[s][t];
            e->norm = exact_squares > 0 ? (double)sqrtl(squares[s][t] / exact_squares) : 0;
            qsort(relative[s][t], (size_t)r->nonzeros, sizeof(double), compare_doubles);
            int64_t rank = (99 * r->nonzeros + 99) / 100;
            e->relative = rank ? round_up_to_8_bits(relative[s][t][rank - 1]) : NAN;
            free(relative[s][t]);
        }
}

static void same_products(const struct precisions *p, const struct product_reference *r)
{
    assert_int_equal(p->rows, r->rows);
    assert_int_equal(p->nonzeros, r->nonzeros);
    for (int s = 0; s < SUMS; s++)
        for (int t = 0; t < NUMBER_TYPES; t++) {
            const struct product_error *e = &p->type[t].product[s], *w = &r->error[s][t];
            if (s == SUMS_F32 && t == F64) {
                assert_true(isnan(e->max_error) && isnan(e->relative) && isnan(e->norm));
                continue;
            }
            near(e->max_error, w->max_error, 1e-11);
            near(e->norm, w->norm, 1e-11);
            near(e->relative, w->relative, 0);
        }
}

/* Integers below 2^53, times 2^UNIT. They have many lengths, so that the low parts of some are 0. */
static double random_integer(uint64_t *seed)
{
    int64_t value = (int64_t)support_random(seed, 1U << 27) << 26 | support_random(seed, 1U << 26);
    value >>= support_random(seed, 20) + (support_random(seed, 9) == 0 ? 20 : 0);
    return ldexp((double)(support_random(seed, 2) ? value : -value), UNIT);
}

/* Rows of one entry, rows longer than a batch and than a block, empty rows, one column, and complex matrices.
 * Every number of threads gives the same bits. */
static void products_agree_with_exact_sums(void **state)
{
    static const struct {
        int64_t rows, cols;
        double density;
        bool skewed, complex;
    } cases[] = {{60, 60, 0.05, 0, 0}, {900, 1, 0.6, 0, 0},   {120, 130, 0.9, 1, 0},
                 {61, 61, 0.3, 1, 1},  {4, 30000, 0.9, 0, 0}, {450, 450, 0.9, 1, 0},
                 {3, 20000, 1, 0, 1},  {200, 300, 0.5, 0, 1}, {1000, 1000, 0.001, 0, 0}};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct csr a = support_matrix(cases[c].rows, cases[c].cols, cases[c].density, cases[c].skewed,
                                      cases[c].complex, c + 1);
        struct product_reference expected;
        struct precisions p, first = {0};
        uint64_t seed = c;
        for (int64_t k = 0; k < csr_nnz(&a); k++) {
            if (a.val[k] != 0) a.val[k] = random_integer(&seed);
            if (a.imaginary && a.imaginary[k] != 0) a.imaginary[k] = random_integer(&seed);
        }
        product_reference(&a, &expected);
        for (int threads = 1; threads <= 4; threads++) {
            threads_set(threads);
            measure(&a, &p);
            same_products(&p, &expected);
            if (threads == 1) first = p;
            assert_memory_equal(&p, &first, sizeof p);
        }
        csr_free(&a);
    }
    threads_set(0);
}

/* The errors of f64 stay the same if all values are multiplied by a power of two, although the squares of
 * such numbers overflow or underflow. */
static void norms_neither_overflow_nor_underflow(void **state)
{
    static const int powers[] = {0, 700, -700, 470, -480, 980};
    struct precisions first = {0}, p;
    for (size_t c = 0; c < sizeof powers / sizeof *powers; c++) {
        struct csr a = support_matrix(80, 80, 0.4, false, false, 3);
        uint64_t seed = 1;
        for (int64_t k = 0; k < csr_nnz(&a); k++)
            a.val[k] = ldexp(random_integer(&seed), powers[c]);
        measure(&a, &p);
        const struct product_error *e = &p.type[F64].product[SUMS_F64];
        assert_true(e->max_error > 1e-18 && e->max_error < 1e-14);
        if (c == 0) first = p;
        near(e->norm, first.type[F64].product[SUMS_F64].norm, 1e-15);
        assert_true(e->max_error == first.type[F64].product[SUMS_F64].max_error);
        assert_true(e->relative == first.type[F64].product[SUMS_F64].relative);
        csr_free(&a);
    }
}

/* Overflow makes errors infinite. Rows with entries that are not finite are left out, and so are rows whose
 * exact sum is not finite. */
static void overflow_and_values_that_are_no_numbers(void **state)
{
    int64_t row_ptr[] = {0, 2, 3, 5, 7, 8};
    int32_t col[] = {0, 1, 0, 0, 1, 0, 1, 1};
    double val[] = {1, 2, 1e39, NAN, 1, -INFINITY, 3, 5};
    struct csr a = {.rows = 5, .cols = 2, .row_ptr = row_ptr, .col = col, .val = val};
    struct precisions p;
    measure(&a, &p);
    assert_int_equal(p.values, 6);
    assert_int_equal(p.rows, 3);
    assert_int_equal(p.nonzeros, 3);
    for (int t = F32; t < NUMBER_TYPES; t++)
        for (int s = 0; s < SUMS; s++) {
            const struct product_error *e = &p.type[t].product[s];
            assert_true(isinf(e->max_error) && isinf(e->relative) && isinf(e->norm));
            assert_int_equal(p.type[t].values.infinite, 1);
            assert_int_equal(p.type[t].scaled.infinite, 0);
        }
    assert_true(p.type[F64].product[0].norm < 1e-15);
    val[2] = 1;
    val[0] = DBL_MAX, val[1] = DBL_MAX;
    measure(&a, &p);
    assert_int_equal(p.rows, 2);
    /* Each value is in the range of f32. Sums in f64 of two of them do not overflow. */
    double both[] = {3e38, 3e38, -3e38, -3e38};
    struct csr b = support_dense(2, 2, both);
    measure(&b, &p);
    assert_int_equal(p.type[F32].values.infinite, 0);
    assert_true(p.type[F32].product[SUMS_F64].max_error < 1e-7);
    csr_free(&b);
}

/* Zeros are stored exactly, and a row of them has no relative error. */
static void zeros_and_matrices_without_entries(void **state)
{
    int64_t offsets[5] = {0}, ends[] = {0, 2, 2, 3};
    int32_t col[] = {0, 1, 1};
    double val[] = {0, -0.0, 0.5};
    static const int64_t shapes[][2] = {{0, 0}, {0, 4}, {4, 0}, {4, 4}};
    struct precisions p;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        struct csr a = {.rows = shapes[k][0], .cols = shapes[k][1], .row_ptr = offsets};
        measure(&a, &p);
        assert_true(p.values == 0 && p.rows == 0 && p.nonzeros == 0);
        expect(&p.type[FP16].values, 0, 0, 0, 0, 0);
        assert_true(p.type[FP16].product[0].max_error == 0 && p.type[FP16].product[0].norm == 0);
        assert_true(isnan(p.type[FP16].product[0].relative));
    }
    struct csr a = {.rows = 3, .cols = 2, .row_ptr = ends, .col = col, .val = val};
    measure(&a, &p);
    assert_true(p.values == 3 && p.rows == 2 && p.nonzeros == 1);
    for (int t = 0; t < NUMBER_TYPES; t++) {
        expect(&p.type[t].values, 3, 0, 0, 0, 0);
        assert_true(p.type[t].product[0].max_error == 0 && p.type[t].product[0].relative == 0);
        assert_true(p.type[t].product[0].norm == 0 && !p.type[t].scaling);
    }
}

static void every_failing_allocation_is_reported(void **state)
{
    static const struct precisions nothing;
    struct csr a = support_matrix(50, 50, 0.2, false, false, 5);
    a.val[0] = 1e30;
    for (long k = 0, failed = 1; failed; k++) {
        struct precisions p;
        struct error error = {0};
        memory_fail_after(k);
        enum status status = precisions_measure(&a, NULL, &p, &error);
        failed = memory_failures();
        assert_int_equal(status, failed ? STATUS_MEMORY : STATUS_OK);
        assert_int_equal(error.status, status);
        if (failed) assert_memory_equal(&p, &nothing, sizeof p);
        assert_true(failed || k == 4);
    }
    memory_fail_after(-1);
    csr_free(&a);
}

/* 4 bytes per column for x, or 8 if it is complex, and some bytes for each block of rows. */
static void bytes_grow_with_columns(void **state)
{
    struct csr a = support_matrix(10, 1000, 0.2, false, false, 5),
               b = support_matrix(10, 1000, 0.2, false, true, 5);
    struct csr c = support_matrix(10, 3000, 0.2, false, false, 5);
    assert_int_equal(precisions_bytes(&b) - precisions_bytes(&a), 4000);
    assert_int_equal(precisions_bytes(&c) - precisions_bytes(&a), 8000);
    assert_true(precisions_bytes(&a) > 4000 && precisions_bytes(&a) < 6000);
    csr_free(&a);
    csr_free(&b);
    csr_free(&c);
}

static void cancelling_stops_it(void **state)
{
    static const struct precisions nothing;
    struct csr a = support_matrix(700, 700, 0.5, false, false, 5);
    struct progress progress = {0};
    struct precisions p;
    a.val[0] = 1e30;
    assert_int_equal(precisions_measure(&a, &progress, &p, NULL), STATUS_OK);
    assert_true(progress.done == progress.total);
    progress_cancel(&progress);
    assert_int_equal(precisions_measure(&a, &progress, &p, NULL), STATUS_CANCELLED);
    assert_memory_equal(&p, &nothing, sizeof p);
    assert_int_equal(precisions_scale(&a, &progress, &(struct precisions){.type[FP16].scaling = true}, NULL),
                     STATUS_CANCELLED);
    csr_free(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_by_hand),
        cmocka_unit_test(scaling_by_hand),
        cmocka_unit_test(counts_agree_with_their_definitions),
        cmocka_unit_test(sums_of_parts_are_exact),
        cmocka_unit_test(products_agree_with_exact_sums),
        cmocka_unit_test(norms_neither_overflow_nor_underflow),
        cmocka_unit_test(overflow_and_values_that_are_no_numbers),
        cmocka_unit_test(zeros_and_matrices_without_entries),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(bytes_grow_with_columns),
        cmocka_unit_test(cancelling_stops_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
