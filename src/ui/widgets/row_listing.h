/* The entries of a row or a column in an order, for the list of them: found in one pass, which a job makes
 * for long lines. */
#ifndef SPARSIGHT_UI_WIDGETS_ROW_LISTING_H
#define SPARSIGHT_UI_WIDGETS_ROW_LISTING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/job.h"
#include "matrix/matrix.h"
#include "ui/view.h"

/* Maximum number of listed entries: the first ones in the order, or those about a position. */
#define ROW_LISTING_MAX 4096

/* The line is divided into this number of parts, or into its positions if they are fewer. */
#define ROW_LISTING_PARTS 4096

/* An entry: its number in the matrix, its position in the line (column or row), and |a|, or 1 in a matrix
 * without values. */
struct listed_entry {
    int64_t entry, place;
    double size;
};

/* Set the members up to `aim`, and call row_listing_make. Free with row_listing_free. */
struct row_listing {
    const struct matrix *matrix;
    struct matrix_line line;
    bool by_size; /* the entries are ordered by |a|, the largest first, else by position */
    int64_t aim;  /* the position of an entry that is listed if the order is by position; -1: none */

    struct listed_entry *entries; /* the listed ones, in the order; owned */
    int listed;                   /* their number */
    int64_t first;                /* by position: the number of entries before the listed ones */
    int64_t count;                /* the number of entries of the line */
    double sum;                   /* the sum of |a| over the line */
    double *parts;                /* the sum of |a| over each part of the line; owned */
    int part_count;
};

/* Return the number of steps that row_listing_make needs: the entries of a row, the rows of a column. */
int64_t row_listing_steps(const struct matrix *matrix, struct matrix_line line);

/* Return the part of the line that contains a position. */
int row_listing_part(const struct row_listing *listing, int64_t place);

/* Find the entries. */
enum status row_listing_make(struct row_listing *listing, struct progress *progress, struct error *error);

void row_listing_free(struct row_listing *listing);

#endif
