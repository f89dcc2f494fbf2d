/* Rows that come one after the other, each whole (struct source): what is found of one is kept until the next
 * begins, so that of all of them only the lengths take memory. Only streamed.c uses this. */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_ROWS_H
#define SPARSIGHT_ANALYSIS_STREAMED_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/compensated.h"
#include "analysis/values.h"
#include "matrix/relay.h"

struct streamed_rows {
    uint32_t *lengths; /* of all rows, zeros at the beginning; the caller's */
    bool valued;       /* sizes are summed up */
    bool square;
    bool open; /* there is a row that may not be complete, which these are of: */
    int32_t row;
    int32_t first;   /* its smallest column */
    struct sum off;  /* of sizes beside the diagonal */
    double diagonal; /* the size on it */
    int64_t before;  /* at how many entries after the beginning of a row the diagonal was last */
    /* Of all rows that are complete: */
    int64_t profile;
    int64_t positive_diagonal;
    struct values found; /* norm_inf, dominant_rows and strict_rows, of rows that are not empty */
};

/* Take `count` entries from number `from` on, with these sizes if valued, which are changed. */
void streamed_rows_take(struct streamed_rows *rows, const struct entries *entries, int64_t from,
                        int64_t count, double *sizes);

/* No entry comes any more. */
void streamed_rows_end(struct streamed_rows *rows);

#endif
