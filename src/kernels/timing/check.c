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

static inline double real_at(const void *array, enum precision precision, int64_t e)
{
    return precision == PRECISION_F32 ? ((const float *)array)[e] : ((const double *)array)[e];
}

static inline double rounded(double value, enum precision precision)
{
    return precision == PRECISION_F32 ? (double)(float)value : value;
}

/* A row whose terms are being added up. */
struct row_sum {
    double sum, lost; /* the rounded sum, and the sum of what rounding has lost on the way */
    double magnitude; /* sum of abs(term) */
    double flushed;   /* sum of abs(term) over the terms with a subnormal factor */
    double tiny;      /* the smallest normal number of the precision */
    bool finite;      /* all factors so far are finite */
};

/* Add the term value * element, by a step of Dot2. Both roundings that happen, and are written fl() here, are
 * undone exactly: TwoProd finds what the product has lost, and TwoSum (Knuth) what the sum has lost.
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

/* The bound of a row with n terms (check.h). All partial sums of any order lie within the magnitude, so that
 * none overflows if that is at most half of the largest number; beyond, the order decides. */
static double bound_of(const struct row_sum *row, int64_t n, enum precision precision)
{
    double u = precision == PRECISION_F32 ? FLT_EPSILON / 2 : DBL_EPSILON / 2;
    double max = precision == PRECISION_F32 ? FLT_MAX : DBL_MAX;
    if (n == 0) return 0;
    if (!(row->magnitude <= max / 2)) return INFINITY;
    return ((double)n + 2) * u * row->magnitude + row->flushed + 2 * (double)n * row->tiny;
}

/* In a row of more entries than this, the progress is asked in between whether to stop. */
#define ROW_BLOCK ((int64_t)1 << 20)

static void refer(const struct csr *a, const void *x, const void *start, int64_t i, struct progress *progress,
                  struct reference *reference)
{
    enum precision precision = reference->precision;
    struct row_sum row = {.tiny = precision == PRECISION_F32 ? FLT_MIN : DBL_MIN, .finite = true};
    int64_t end = a->row_ptr[i + 1], n = end - a->row_ptr[i] + (start ? 1 : 0);
    if (start) add_product(&row, real_at(start, precision, i), 1);
    for (int64_t k = a->row_ptr[i]; k < end && !progress_cancelled(progress);)
        for (int64_t stop = min(k + ROW_BLOCK, end); k < stop; k++)
            add_product(&row, rounded(a->val[k], precision), real_at(x, precision, a->col[k]));
    reference->y[i] = !row.finite ? NAN : isfinite(row.sum) ? row.sum + row.lost : row.sum;
    reference->magnitude[i] = row.magnitude;
    reference->bound[i] = bound_of(&row, n, precision);
}

enum status reference_make(const struct csr *a, enum precision precision, const void *x, const void *start,
                           struct progress *progress, struct reference *reference, struct error *error)
{
    *reference = (struct reference){.precision = precision, .rows = a->rows};
    reference->y = memory_array((size_t)a->rows, sizeof(double), error);
    reference->magnitude = memory_array((size_t)a->rows, sizeof(double), error);
    reference->bound = memory_array((size_t)a->rows, sizeof(double), error);
    if (!reference->y || !reference->magnitude || !reference->bound) {
        reference_free(reference);
        return STATUS_MEMORY;
    }
    int64_t blocks = row_blocks(a);
    progress_phase(progress, "computing what is right", blocks);
#pragma omp parallel for schedule(dynamic, 1) if (blocks > 1)
    for (int64_t b = 0; b < blocks; b++) {
        int64_t end = row_block_first(a, blocks, b + 1);
        for (int64_t i = row_block_first(a, blocks, b); i < end && !progress_cancelled(progress); i++)
            refer(a, x, start, i, progress, reference);
        progress_add(progress, 1);
    }
    enum status status = progress_status(progress, error);
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

/* Write two numbers with as few digits as tell them apart, but at least 9. 17 digits tell any two apart. */
static void write_apart(double a, double b, char *a_text, char *b_text, size_t size)
{
    for (int digits = 9; digits <= 17; digits++) {
        snprintf(a_text, size, "%.*g", digits, a);
        snprintf(b_text, size, "%.*g", digits, b);
        if (strcmp(a_text, b_text) != 0) return;
    }
}

static enum status wrong_row(const struct reference *reference, int64_t i, double computed,
                             struct error *error)
{
    char is[32], should[32];
    if (isnan(reference->y[i]))
        return error_set(error, STATUS_INPUT,
                         "row %" PRId64 " is %.9g; it has entries that are not finite, so it cannot be",
                         i + 1, computed);
    if (isnan(computed))
        return error_set(error, STATUS_INPUT,
                         "row %" PRId64 " is NaN, as if it had not been written; it should be %.9g", i + 1,
                         reference->y[i]);
    write_apart(computed, reference->y[i], is, should, sizeof is);
    return error_set(error, STATUS_INPUT,
                     "row %" PRId64 " is %s; it should be %s, and rounding explains no more than %.2g", i + 1,
                     is, should, reference->bound[i]);
}

static bool row_wrong(const struct reference *reference, int64_t i, double computed)
{
    if (isnan(reference->y[i])) return isfinite(computed);
    if (isinf(reference->bound[i])) return false;
    return !(fabs(computed - reference->y[i]) <= reference->bound[i]);
}

enum status reference_check(const struct reference *reference, const void *y, double *max_error,
                            struct error *error)
{
    int64_t wrong = reference->rows;
    double largest = 0;
#pragma omp parallel for reduction(min : wrong) reduction(max : largest) if (reference->rows > PARALLEL_MIN)
    for (int64_t i = 0; i < reference->rows; i++) {
        double computed = real_at(y, reference->precision, i);
        double relative = fabs(computed - reference->y[i]) / reference->magnitude[i];
        if (row_wrong(reference, i, computed) && i < wrong) wrong = i;
        if (!isfinite(reference->bound[i])) continue;
        if (isnan(computed)) relative = INFINITY;
        if (relative > largest) largest = relative;
    }
    *max_error = largest;
    if (wrong == reference->rows) return STATUS_OK;
    return wrong_row(reference, wrong, real_at(y, reference->precision, wrong), error);
}
