/* The errors of the rows of a product, for precisions.c alone. */
#ifndef SPARSIGHT_ANALYSIS_PRECISIONS_ROWS_H
#define SPARSIGHT_ANALYSIS_PRECISIONS_ROWS_H

#include <stdint.h>

#include "analysis/precisions.h"

/* An outcome is an error for type t and precision s of sums. Its number is s NUMBER_TYPES + t. */
#define OUTCOMES (SUMS * NUMBER_TYPES)

/* The sums of a row, for the real and the imaginary part of y. {0} is an empty row. */
struct row_sums {
    double exact[2], lost[2]; /* their sum is the exact element */
    double size;              /* sum |a x| */
    double f64[2][NUMBER_TYPES];
    float f32[2][NUMBER_TYPES];
};

/* Sums of squares of any size. Numbers above 2^480 and below 2^-500 are scaled before (Blue, ACM Trans. Math.
 * Softw. 4, 1978). {0} is none. */
struct squares {
    double large[OUTCOMES + 1], normal[OUTCOMES + 1], small[OUTCOMES + 1]; /* element OUTCOMES is that of r */
};

/* Relative errors are counted in bins. Bin 0 counts zeros, and bin 1 errors up to 2^-RELATIVE_RANGE. Each
 * following bin counts the errors that rounding up to 8 significant bits makes equal. The last bin counts
 * errors above 2^RELATIVE_RANGE. */
#define RELATIVE_RANGE 64
#define RELATIVE_BINS (2 * RELATIVE_RANGE * 128 + 3)

/* The errors of rows. {0}: no rows. */
struct row_errors {
    int64_t rows, nonzeros;
    double max_error[OUTCOMES];
    uint32_t relative[OUTCOMES][RELATIVE_BINS];
};

/* Add the errors of a row. `parts` is 1, or 2 if y is complex. */
void row_errors_take(const struct row_sums *row, int parts, struct row_errors *errors,
                     struct squares *squares);

void row_errors_join(struct row_errors *to, const struct row_errors *from);
void squares_join(struct squares *to, const struct squares *from);

/* Return the errors of a type with sums in a precision. */
struct product_error row_errors_finish(const struct row_errors *errors, const struct squares *squares,
                                       enum summation sums, int type);

#endif
