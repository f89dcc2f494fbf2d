#include "kernels/timing/check.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/fill.h"
#include "matrix/transpose.h"

static inline double real_at(const void *array, enum precision precision, int64_t e)
{
    return precision == PRECISION_F32 ? ((const float *)array)[e] : ((const double *)array)[e];
}

static inline double rounded(double value, enum precision precision)
{
    return precision == PRECISION_F32 ? (double)(float)value : value;
}

/* The running sum of a row, or of the real or the imaginary part of a complex one. */
struct row_sum {
    double sum, lost; /* the rounded sum, and the sum of its rounding errors */
    double magnitude; /* sum of abs(term) */
    double flushed;   /* sum of abs(term) over the terms with a subnormal factor */
    double tiny;      /* the smallest normal number of the precision */
    bool finite;      /* all factors so far are finite */
};

/* Add the term value * element, by a step of Dot2. The errors of both roundings, written fl() here, are
 * computed exactly: TwoProd for the product, and TwoSum (Knuth) for the sum.
 *
 *     product = fl(value element)    product_lost = fl(value element - product)     by fma
 *     next    = fl(sum + product)    arrived      = fl(next - sum)
 *                                    sum_lost     = fl(fl(sum - fl(next - arrived)) + fl(product - arrived))
 *
 *     value element = product + product_lost      sum + product = next + sum_lost       without underflow
 *
 * The row's sum is then fl(sum + lost), where `lost` adds up product_lost and sum_lost of all terms. (The
 * product of two numbers of single precision is exact in double, and product_lost is 0.) */
static inline void add_product(struct row_sum *row, double value, double element)
{
    double product = value * element, product_lost = fma(value, element, -product);
    double next = row->sum + product, arrived = next - row->sum;
    row->lost += (row->sum - (next - arrived)) + (product - arrived) + product_lost;
    row->sum = next;
    row->magnitude += fabs(product);
    if (fabs(value) < row->tiny || fabs(element) < row->tiny) row->flushed += fabs(product);
    row->finite = row->finite && isfinite(value) && isfinite(element);
}

/* The bound of a real row with n terms (check.h). All partial sums of any order lie within the magnitude, so
 * that none overflows if that is at most half of the largest number; beyond, the order decides. */
static double bound_of(const struct row_sum *row, int64_t n, enum precision precision)
{
    double u = precision == PRECISION_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double max = precision == PRECISION_F32 ? FLT_MAX : DBL_MAX;
    if (n == 0) return 0;
    if (!(row->magnitude <= max / 2)) return INFINITY;
    return ((double)n + 2) * u * row->magnitude + row->flushed + 2 * (double)n * row->tiny;
}

static double row_value(const struct row_sum *row)
{
    return isfinite(row->sum) ? row->sum + row->lost : row->sum;
}

static struct row_sum row_begin(enum precision precision)
{
    return (struct row_sum){.tiny = precision == PRECISION_F32 ? FLT_MIN : DBL_MIN, .finite = true};
}

/* In a row of more entries than this, cancellation is also checked within the row. */
#define ROW_BLOCK ((int64_t)1 << 20)

/* The data for making a reference. Element j of the current vector of X lies at first + j step. */
struct making {
    const struct csr *a; /* the matrix whose rows are summed; already transposed if the product is */
    const void *x, *start;
    struct progress *progress;
    struct reference *reference;
    int64_t step;
};

/* The elements of all vectors of Y. */
static size_t elements_of(const struct reference *reference)
{
    return (size_t)reference->size * (size_t)product_columns(reference->product);
}

static void refer_real(const struct making *making, int64_t i, int64_t first, int64_t e)
{
    const struct csr *a = making->a;
    struct reference *reference = making->reference;
    enum precision precision = reference->precision;
    struct row_sum row = row_begin(precision);
    int64_t end = a->row_ptr[i + 1], n = end - a->row_ptr[i] + (making->start ? 1 : 0);
    if (making->start) add_product(&row, real_at(making->start, precision, e), 1);
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(making->progress);)
        for (int64_t stop = min(k + ROW_BLOCK, end); k < stop; k++)
            add_product(&row, rounded(a->val[k], precision),
                        real_at(making->x, precision, first + a->col[k] * making->step));
    reference->y[e] = row.finite ? row_value(&row) : NAN;
    reference->magnitude[e] = row.magnitude;
    reference->bound[e] = bound_of(&row, n, precision);
}

/* A complex number; its products and sums are never fused. */
struct pair {
    double real, imaginary;
};

static inline struct pair pair_at(const void *array, enum precision precision, int64_t e)
{
    return (struct pair){real_at(array, precision, 2 * e), real_at(array, precision, 2 * e + 1)};
}

/* Return the modulus. hypot takes ten times as long, and is needed only if squares overflow or underflow. */
static inline double modulus(struct pair z)
{
    double square = z.real * z.real + z.imaginary * z.imaginary;
    if (z.imaginary == 0) return fabs(z.real);
    return square > 1e-280 && square < 1e300 ? sqrt(square) : hypot(z.real, z.imaginary);
}

/* A complex row: its two parts, whose magnitudes are unused, and the magnitude of the whole. */
struct complex_row {
    struct row_sum real, imaginary;
    double magnitude; /* sum of abs(value) abs(element) */
};

static inline void add_complex(struct complex_row *row, struct pair value, struct pair element)
{
    add_product(&row->real, value.real, element.real);
    add_product(&row->real, -value.imaginary, element.imaginary);
    add_product(&row->imaginary, value.real, element.imaginary);
    add_product(&row->imaginary, value.imaginary, element.real);
    row->magnitude += modulus(value) * modulus(element);
}

static void refer_complex(const struct making *making, int64_t i, int64_t first, int64_t e)
{
    const struct csr *a = making->a;
    struct reference *reference = making->reference;
    enum precision precision = reference->precision;
    struct complex_row row = {row_begin(precision), row_begin(precision), 0};
    int64_t end = a->row_ptr[i + 1], n = end - a->row_ptr[i] + (making->start ? 1 : 0);
    if (making->start) add_complex(&row, pair_at(making->start, precision, e), (struct pair){1, 0});
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(making->progress);)
        for (int64_t stop = min(k + ROW_BLOCK, end); k < stop; k++) {
            struct pair value = {rounded(a->val[k], precision), rounded(a->imaginary[k], precision)};
            add_complex(&row, value, pair_at(making->x, precision, first + a->col[k] * making->step));
        }
    bool finite = row.real.finite && row.imaginary.finite;
    reference->y[2 * e] = finite ? row_value(&row.real) : NAN;
    reference->y[2 * e + 1] = finite ? row_value(&row.imaginary) : NAN;
    reference->magnitude[e] = row.magnitude;
    row.real.magnitude = row.magnitude;
    row.real.flushed += row.imaginary.flushed;
    reference->bound[e] = sqrt(2) * bound_of(&row.real, 2 * n, precision);
}

/* Make the elements of row i of all vectors. */
static void refer_row(const struct making *making, int64_t i)
{
    const struct reference *reference = making->reference;
    const struct product product = reference->product;
    for (int c = 0; c < product_columns(product) && !progress_cancelled(making->progress); c++)
        (reference->complex ? refer_complex : refer_real)(making, i,
                                                          product_place(product, making->a->cols, 0, c),
                                                          product_place(product, reference->size, i, c));
}

static enum status refer(const struct making *making, struct error *error)
{
    const struct csr *a = making->a;
    int64_t blocks = row_blocks(a);
    progress_phase(making->progress, "computing what is right", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t end = row_block_first(a, blocks, b + 1);
        for (int64_t i = row_block_first(a, blocks, b); i < end && !progress_cancelled(making->progress); i++)
            refer_row(making, i);
        progress_add(making->progress, 1);
    }
    return progress_status(making->progress, error);
}

enum status reference_make(const struct csr *a, enum precision precision, struct product product,
                           const void *x, const void *start, struct progress *progress,
                           struct reference *reference, struct error *error)
{
    struct csr transposed = {0};
    enum status status = STATUS_OK;
    *reference = (struct reference){.precision = precision,
                                    .complex = a->imaginary != NULL,
                                    .product = product,
                                    .size = product_y_size(product, a->rows, a->cols)};
    const struct making making = {.a = product.transposed ? &transposed : a,
                                  .x = x,
                                  .start = start,
                                  .progress = progress,
                                  .reference = reference,
                                  .step = product.by_rows ? product_columns(product) : 1};
    size_t elements = elements_of(reference);
    reference->y = memory_array(elements, (reference->complex ? 2 : 1) * sizeof(double), error);
    reference->magnitude = memory_array(elements, sizeof(double), error);
    reference->bound = memory_array(elements, sizeof(double), error);
    if (!reference->y || !reference->magnitude || !reference->bound) status = STATUS_MEMORY;
    if (status == STATUS_OK && product.transposed) status = csr_transpose(a, progress, &transposed, error);
    if (status == STATUS_OK) status = refer(&making, error);
    csr_free(&transposed);
    if (status != STATUS_OK) reference_free(reference);
    return status;
}

void reference_free(struct reference *reference)
{
    free(reference->y);
    free(reference->magnitude);
    free(reference->bound);
    *reference = (struct reference){0};
}

/* Write an element: a number, or a complex one as 1+2i. */
static void write_value(const struct reference *reference, struct pair value, int digits, char *text,
                        size_t size)
{
    if (reference->complex)
        snprintf(text, size, "%.*g%+.*gi", digits, value.real, digits, value.imaginary);
    else
        snprintf(text, size, "%.*g", digits, value.real);
}

/* Write two numbers with the fewest digits that distinguish them, but at least 9. 17 digits distinguish any
 * two doubles. */
static void write_apart(const struct reference *reference, struct pair a, struct pair b, char *a_text,
                        char *b_text, size_t size)
{
    for (int digits = 9; digits <= 17; digits++) {
        write_value(reference, a, digits, a_text, size);
        write_value(reference, b, digits, b_text, size);
        if (strcmp(a_text, b_text) != 0) return;
    }
}

/* Element e of Y; the imaginary part of a real one is 0. */
static inline struct pair computed_at(const struct reference *reference, const void *y, int64_t e)
{
    if (reference->complex) return pair_at(y, reference->precision, e);
    return (struct pair){real_at(y, reference->precision, e), 0};
}

/* The correct value of element e. */
static inline struct pair expected_at(const struct reference *reference, int64_t e)
{
    if (reference->complex) return pair_at(reference->y, PRECISION_F64, e);
    return (struct pair){reference->y[e], 0};
}

static inline bool pair_nan(struct pair z)
{
    return isnan(z.real) || isnan(z.imaginary);
}

static inline double distance(struct pair a, struct pair b)
{
    return modulus((struct pair){a.real - b.real, a.imaginary - b.imaginary});
}

/* Write the position of element e: "row 5", "row 5 of A^T, vector 3". */
static void write_element(const struct reference *reference, int64_t e, char *text, size_t size)
{
    const struct product product = reference->product;
    int columns = product_columns(product);
    int64_t i = product.by_rows ? e / columns : e % reference->size;
    int64_t c = product.by_rows ? e % columns : e / reference->size;
    int length = snprintf(text, size, "row %" PRId64 "%s", reference->first + i + 1,
                          product.transposed ? " of A^T" : "");
    if (columns > 1) snprintf(text + length, size - (size_t)length, ", vector %" PRId64 ",", c + 1);
}

static enum status wrong_element(const struct reference *reference, int64_t e, struct pair computed,
                                 struct error *error)
{
    char is[64], should[64], which[80];
    struct pair expected = expected_at(reference, e);
    write_element(reference, e, which, sizeof which);
    write_value(reference, computed, 9, is, sizeof is);
    write_value(reference, expected, 9, should, sizeof should);
    if (pair_nan(expected))
        return error_set(error, STATUS_INPUT, "%s is %s; it has entries that are not finite, so it cannot be",
                         which, is);
    if (pair_nan(computed))
        return error_set(error, STATUS_INPUT, "%s is %s, as if it had not been written; it should be %s",
                         which, reference->complex ? is : "NaN", should);
    write_apart(reference, computed, expected, is, should, sizeof is);
    return error_set(error, STATUS_INPUT,
                     "%s is %s; it should be %s, and rounding explains no more than %.2g", which, is, should,
                     reference->bound[e]);
}

static bool is_wrong(const struct reference *reference, int64_t e, struct pair computed)
{
    struct pair expected = expected_at(reference, e);
    if (pair_nan(expected)) return isfinite(computed.real) && isfinite(computed.imaginary);
    if (isinf(reference->bound[e])) return false;
    return !(distance(computed, expected) <= reference->bound[e]);
}

enum status reference_check(const struct reference *reference, const void *y, double *max_error,
                            struct error *error)
{
    int64_t elements = (int64_t)elements_of(reference), wrong = elements;
    double largest = 0;
#pragma omp parallel for reduction(min : wrong) reduction(max : largest) if (elements > PARALLEL_MIN)
    for (int64_t e = 0; e < elements; e++) {
        struct pair computed = computed_at(reference, y, e);
        double relative = distance(computed, expected_at(reference, e)) / reference->magnitude[e];
        if (is_wrong(reference, e, computed) && e < wrong) wrong = e;
        if (!isfinite(reference->bound[e])) continue;
        if (pair_nan(computed)) relative = INFINITY;
        if (relative > largest) largest = relative;
    }
    *max_error = largest;
    if (wrong == elements) return STATUS_OK;
    return wrong_element(reference, wrong, computed_at(reference, y, wrong), error);
}
