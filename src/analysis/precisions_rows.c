#include "analysis/precisions_rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/range.h"
#include "base/wide.h"

/* 2^31 squares of numbers from 2^-500 to 2^480 can be added up. Other numbers are multiplied by 2^600 or
 * 2^-600. */
#define SMALL 0x1p-500
#define LARGE 0x1p480
#define LIFT 600
#define UP 0x1p600
#define DOWN 0x1p-600

/* |y - r|, or infinity if y is not finite. The sums are copied into one array first. */
static inline void errors_of(const struct row_sums *row, int parts, double *error)
{
    double y[2][OUTCOMES];
    for (int c = 0; c < parts; c++)
        for (int t = 0; t < NUMBER_TYPES; t++) {
            y[c][SUMS_F64 * NUMBER_TYPES + t] = row->f64[c][t];
            y[c][SUMS_F32 * NUMBER_TYPES + t] = (double)row->f32[c][t];
        }
    for (int o = 0; o < OUTCOMES; o++)
        error[o] = fabs((y[0][o] - row->exact[0]) - row->lost[0]);
    for (int o = 0; o < OUTCOMES && parts > 1; o++)
        error[o] = hypot(error[o], (y[1][o] - row->exact[1]) - row->lost[1]);
    for (int o = 0; o < OUTCOMES; o++)
        error[o] = number_pick(error[o] <= DBL_MAX, error[o], (double)INFINITY);
}

/* Loops over outcomes have no branches, so that the compiler vectorises them. */
WIDE static void add_squares(const double *errors, struct squares *squares)
{
    for (int o = 0; o <= OUTCOMES; o++) {
        double value = errors[o];
        double large = number_pick(value > LARGE, value * DOWN, 0);
        double small = number_pick(value < SMALL, value * UP, 0);
        double normal = number_pick((value <= LARGE) & (value >= SMALL), value, 0);
        squares->large[o] += large * large;
        squares->normal[o] += normal * normal;
        squares->small[o] += small * small;
    }
}

WIDE static void raise_maxima(const double *errors, double size, double *most)
{
    for (int o = 0; o < OUTCOMES; o++) {
        double ratio = errors[o] / size;
        most[o] = ratio > most[o] ? ratio : most[o];
    }
}

/* The bins of relative errors. As an integer, the bits of an error are shifted, so that the exponent and the
 * upper 7 bits of the fraction remain. The other bits round up. */
WIDE static void find_bins(const double *errors, double exact, int64_t *bins)
{
    const int64_t first = (int64_t)(1023 - RELATIVE_RANGE) << 7, last = RELATIVE_BINS - 1;
    for (int o = 0; o < OUTCOMES; o++) {
        double relative = errors[o] / exact;
        int64_t bits;
        memcpy(&bits, &relative, sizeof bits);
        int64_t bin = ((bits + ((int64_t)1 << 45) - 1) >> 45) - first + 1;
        bin = bin > last ? last : bin;
        bin = bin < 1 ? 1 : bin;
        bins[o] = bin & -(int64_t)(bits > 0);
    }
}

/* The upper end of bin b. */
static double bin_end(int b)
{
    uint64_t bits = ((uint64_t)(1023 - RELATIVE_RANGE) << 52) + ((uint64_t)max(b - 1, 0) << 45);
    double end;
    memcpy(&end, &bits, sizeof end);
    if (b == RELATIVE_BINS - 1) return INFINITY;
    return b ? end : 0;
}

void row_errors_take(const struct row_sums *row, int parts, struct row_errors *errors,
                     struct squares *squares)
{
    double found[OUTCOMES + 1], size = row->size > 0 ? row->size : 1;
    double real = row->exact[0] + row->lost[0], imaginary = row->exact[1] + row->lost[1];
    double exact = parts > 1 ? hypot(real, imaginary) : fabs(real);
    int64_t bins[OUTCOMES];
    if (!(exact <= DBL_MAX && size <= DBL_MAX)) return;
    errors_of(row, parts, found);
    found[OUTCOMES] = exact;
    raise_maxima(found, size, errors->max_error);
    add_squares(found, squares);
    errors->rows++;
    if (exact == 0) return;
    find_bins(found, exact, bins);
    for (int o = 0; o < OUTCOMES; o++)
        errors->relative[o][bins[o]]++;
    errors->nonzeros++;
}

void row_errors_join(struct row_errors *to, const struct row_errors *from)
{
    to->rows += from->rows;
    to->nonzeros += from->nonzeros;
    for (int o = 0; o < OUTCOMES; o++) {
        to->max_error[o] = fmax(to->max_error[o], from->max_error[o]);
        for (int b = 0; b < RELATIVE_BINS; b++)
            to->relative[o][b] += from->relative[o][b];
    }
}

void squares_join(struct squares *to, const struct squares *from)
{
    for (int o = 0; o <= OUTCOMES; o++) {
        to->large[o] += from->large[o];
        to->normal[o] += from->normal[o];
        to->small[o] += from->small[o];
    }
}

/* Return the sum of squares of outcome o, divided by 2^*exponent. The exponent is that of the largest
 * numbers. */
static double sum_of(const struct squares *squares, int o, int *exponent)
{
    double normal = squares->normal[o];
    *exponent = 0;
    if (squares->large[o] > 0) {
        *exponent = 2 * LIFT;
        return squares->large[o] + ldexp(normal, -2 * LIFT);
    }
    if (normal > 0) return normal + ldexp(squares->small[o], -2 * LIFT);
    *exponent = -2 * LIFT;
    return squares->small[o];
}

/* Return the norm of outcome o divided by that of r. */
static double norm_of(const struct squares *squares, int o)
{
    int above, below;
    double error = sum_of(squares, o, &above), exact = sum_of(squares, OUTCOMES, &below);
    if (error == 0) return 0;
    return ldexp(sqrt(error) / sqrt(exact), (above - below) / 2);
}

/* Return the upper end of the bin that holds the 99th percentile: it and the bins before it have at least 99%
 * of the rows. */
static double percentile(const uint32_t *bins, int64_t rows)
{
    int64_t wanted = divide_up(99 * rows, 100), seen = bins[0];
    int b = 0;
    if (rows == 0) return NAN;
    while (seen < wanted)
        seen += bins[++b];
    return bin_end(b);
}

struct product_error row_errors_finish(const struct row_errors *errors, const struct squares *squares,
                                       enum summation sums, int type)
{
    int o = (int)sums * NUMBER_TYPES + type;
    if (sums == SUMS_F32 && !number_types[type].sums_f32)
        return (struct product_error){.max_error = NAN, .relative = NAN, .norm = NAN};
    return (struct product_error){.max_error = errors->max_error[o],
                                  .relative = percentile(errors->relative[o], errors->nonzeros),
                                  .norm = norm_of(squares, o)};
}
