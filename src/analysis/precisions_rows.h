/* The errors of the rows of a product, for precisions.c alone. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_ROWS_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_ROWS_H

#include <stdint.h>

#include "analysis/precisions.h"

/* Every type has an outcome for each precision of sums: number s NUMBER_TYPES + t. */
#define OUTCOMES (SUMS * NUMBER_TYPES)

/* The sums of a row, for the real and the imaginary part of y. {0} is an empty row. */
struct row_sums {
    double exact[2], lost[2]; /* the exact one is their sum */
    double size;              /* sum |a x| */
    double f64[2][NUMBER_TYPES];
    float f32[2][NUMBER_TYPES];
};

/* Sums of squares of any size: the numbers above 2^RANGE_HIGH and those below 2^RANGE_LOW are scaled (Blue,
 * ACM Trans. Math. Softw. 4, 1978). {0} is none. */
struct squares {
    double large[OUTCOMES + 1], normal[OUTCOMES + 1], small[OUTCOMES + 1]; /* the last ones are of r */
};

/* Relative errors are counted in bins. Bin 0 counts zeros, bin 1 those up to 2^-RELATIVE_RANGE, and each of
 * the following the numbers that are rounded up to the same number of 8 bits. The last one counts those above
 * 2^RELATIVE_RANGE. */
#define RELATIVE_RANGE 64
#define RELATIVE_BINS (2 * RELATIVE_RANGE * 128 + 3)

/* What rows are found to be; {0}: none. */
struct row_errors {
    int64_t rows, nonzeros;
    double max_error[OUTCOMES];
    uint32_t relative[OUTCOMES][RELATIVE_BINS];
};

/* Take a row, whose y has one or two parts. */
void row_errors_take(const struct row_sums *row, int parts, struct row_errors *errors,
                     struct squares *squares);

void row_errors_join(struct row_errors *to, const struct row_errors *from);
void squares_join(struct squares *to, const struct squares *from);

/* Return the errors of a type with a precision of sums. */
struct product_error row_errors_finish(const struct row_errors *errors, const struct squares *squares,
                                       enum summation sums, int type);

#endif
