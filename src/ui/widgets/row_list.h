/* The entries of a row, or of a column, as a list over a screen. */
#ifndef SPARSIGHT_UI_WIDGETS_ROW_LIST_H
#define SPARSIGHT_UI_WIDGETS_ROW_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/widgets/list.h"

/* At most this number of entries is listed: the first ones in the current order. */
#define ROW_LIST_MAX 4096

/* Rows of a column are looked for one by one, in matrices with at most this number of rows. */
#define ROW_LIST_SOUGHT ((int64_t)1 << 20)

/* The list and the entries of its line. It is a member of a view's state: start with {0}, free with
 * row_list_free. */
struct row_list {
    struct list list;
    int64_t line;
    bool column;      /* the line is a column */
    bool by_size;     /* the entries are sorted by |a|, the largest first, else by position */
    int64_t *entries; /* numbers of entries of the matrix in this order; owned */
    int64_t *places;  /* of each of them the position in the line: column or row; owned */
    int64_t count;    /* number of entries of the line */
    double sum;       /* sum of |a| over the line */
};

/* Open the list of the entries of a row or a column. The bottom line says why it cannot be opened. */
void row_list_open(struct explorer *explorer, struct row_list *rows, int64_t line, bool column);

void row_list_free(struct row_list *rows);

#endif
