/* Parts of the analysis of a streamed matrix (streamed.h). */
#ifndef SPARSIGHT_ANALYSIS_STREAMED_PARTS_H
#define SPARSIGHT_ANALYSIS_STREAMED_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/row_sums.h"
#include "analysis/values.h"
#include "base/error.h"
#include "matrix/relay.h"

/* The smallest of `least` and these indices. */
static inline int32_t streamed_least(const int32_t *across, int64_t count, int32_t least)
{
    for (int64_t k = 0; k < count; k++)
        least = across[k] < least ? across[k] : least;
    return least;
}

/* Rows or columns of a streamed matrix: their lengths, and their sums of sizes. Only streamed.c uses this. */

/* Number of entries in a batch, whose intermediate results stay in the first-level cache. */
#define STREAMED_BATCH 1024

/* The data kept of each line. */
struct streamed_lines {
    uint32_t *lengths;
    int32_t *first;   /* the smallest index across the line, INT32_MAX if it is empty; NULL: not needed */
    struct sum *sums; /* sums of sizes; NULL: not needed */
};

/* Return where the run of line[first] ends, if lines ascend. */
static inline int64_t streamed_lines_run(const int32_t *line, int64_t first, int64_t count)
{
    int64_t end = first + 1;
    for (; end + 8 <= count && line[end + 7] == line[first]; end += 8)
        ;
    for (int64_t step = 4; step > 0; step /= 2)
        if (end + step <= count && line[end + step - 1] == line[first]) end += step;
    return end;
}

/* Take entries of lines line[0..count-1], at most STREAMED_BATCH, at index `across` of the line, with these
 * sizes, |a|; 0 for entries that do not belong to the sum. Sums are compensated. Runs of a line are summed up
 * in several lanes, other entries in their order. One thread at a time. `ascend`: lines, and the entries
 * within each, ascend. */
void streamed_lines_take(const struct streamed_lines *lines, const int32_t *line, const int32_t *across,
                         const double *sizes, int64_t count, bool ascend);

/* Rows that arrive complete and one after the other (struct source). The sums of a row are kept until the
 * next row begins, so that only the lengths take memory for each row. */

struct streamed_rows {
    uint32_t *lengths; /* lengths of all rows, 0 at the beginning; the caller owns them */
    bool valued;       /* sizes are summed up */
    bool square;
    bool open; /* a row may be incomplete; the following members belong to it */
    struct row_sum sum;
    int32_t first; /* its smallest column */
    struct row_scan scan;
    /* Numbers of all complete rows: */
    int64_t profile;
    struct values found; /* norm_inf, dominant_rows and strict_rows, of rows that are not empty */
};

/* Take `count` entries from number `from` on, with these sizes if valued, which are overwritten. */
void streamed_rows_take(struct streamed_rows *rows, const struct entries *entries, int64_t from,
                        int64_t count, double *sizes);

/* End after the last entry. */
void streamed_rows_end(struct streamed_rows *rows);

/* Columns of a streamed matrix: their lengths, and the largest sum of sizes, |a|. Only streamed.c uses this.
 *
 * Entries usually come by rows, so that each belongs to another column, and access to the columns in memory
 * dominates the time. All data of a column therefore lie together, in few bytes. Sums are integers, like
 * those of column_sums.h: an addition takes two instructions, and the order makes no difference. */

/* A sum of 128 bits, low + 2^64 high, and the number of entries; aligned like the latter, so that there are
 * no gaps. */
struct streamed_column {
    uint64_t low, high;
    uint32_t length;
} __attribute__((packed, aligned(4)));

struct streamed_columns {
    int64_t count;
    struct streamed_column *column; /* NULL without sums */
    uint32_t *lengths;              /* the lengths, counted only without sums */
    int top; /* the largest exponent of a double that the unit of the sums allows; 0: none yet */
};

/* Prepare for this number of columns, with sums if `summed`. Free with streamed_columns_free.
 * STATUS_MEMORY. */
enum status streamed_columns_start(int64_t count, bool summed, struct streamed_columns *columns,
                                   struct error *error);

/* Take `count` entries of columns col[k] with these values, whose signs are ignored; `val` is not read
 * without sums. Values that are not finite are added as 0. Fractions of a unit are cut off, which is at most
 * 2^-93 of the largest value so far. One thread at a time. */
void streamed_columns_take(struct streamed_columns *columns, const int32_t *col, const double *val,
                           int64_t count);

/* Return the largest sum, rounded to double; 0 without entries. */
double streamed_columns_most(const struct streamed_columns *columns);

/* Free the sums; *lengths becomes those of the columns, which the caller frees. */
void streamed_columns_end(struct streamed_columns *columns, uint32_t **lengths);

/* Takes {0}. */
void streamed_columns_free(struct streamed_columns *columns);

/* The set of the diagonals with an entry, of a streamed matrix. */

/* Add the diagonals of entries, j - i + rows - 1, to a set (base/set.h). One thread at a time. */
void streamed_diagonals_take(uint64_t *set, int64_t rows, const struct entries *entries);

#endif
