/* Columns of a matrix whose entries come by once: their lengths, and the largest sum of sizes, |a|. Only
 * streamed.c uses this.
 *
 * Entries come in the order of rows as a rule, so that each is of another column, and what costs time is to
 * find that column in memory. All that is kept of one is therefore together, in few bytes. Sums are integers,
 * as those of column_sums.h are: to add a number takes two instructions, and the order makes no difference.
 */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_COLUMNS_H
#define SPARSIGHT_ANALYSIS_STREAMED_COLUMNS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* A sum of 128 bits, low + 2^64 high, and the number of entries; aligned as the latter, so that nothing is
 * wasted. */
struct streamed_column {
    uint64_t low, high;
    uint32_t length;
} __attribute__((packed, aligned(4)));

struct streamed_columns {
    int64_t count;
    struct streamed_column *column; /* NULL if nobody asks for sums: then */
    uint32_t *lengths;              /* these are counted */
    int top; /* the largest exponent, as doubles have it, that the unit of the sums is made for; 0: none yet
              */
};

/* Make ready for so many columns, `summed` with sums. Free with streamed_columns_free. STATUS_MEMORY. */
enum status streamed_columns_start(int64_t count, bool summed, struct streamed_columns *columns,
                                   struct error *error);

/* Take `count` entries of columns col[k] with these values, whose signs make no difference; `val` is not
 * looked at without sums. Values that are not finite are added as 0. What is less than a unit, 2^-93 of the
 * largest value that has come so far or less, is cut off. One thread at a time. */
void streamed_columns_take(struct streamed_columns *columns, const int32_t *col, const double *val,
                           int64_t count);

/* Return the largest sum, rounded to double; 0 of nothing. */
double streamed_columns_most(const struct streamed_columns *columns);

/* Forget the sums; *lengths becomes those of the columns, which the caller frees. */
void streamed_columns_end(struct streamed_columns *columns, uint32_t **lengths);

/* Takes {0}. */
void streamed_columns_free(struct streamed_columns *columns);

#endif
