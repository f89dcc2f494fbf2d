/* The entries of a row, or of a column, as a list over a screen. */
#ifndef SPARSIGHT_UI_WIDGETS_ROW_LIST_H
#define SPARSIGHT_UI_WIDGETS_ROW_LIST_H

#include "ui/widgets/list.h"
#include "ui/widgets/row_listing.h"

/* Lines of at most this number of steps (row_listing_steps) are listed at once, which takes less than a
 * frame; a job lists longer ones. */
#define ROW_LIST_AT_ONCE 32768

/* The list and the entries of its line, which belong to the shown case. Start with {0}, free with
 * row_list_free. */
struct row_list {
    struct list list;
    struct row_listing shown; /* the listing that the list shows */
    bool filled;              /* the list has the rows of `shown` */
    struct row_listing next;  /* the job owns it while it runs */
    struct job job;
    bool running; /* the list is opened or sorted once the job has finished */
};

/* List the entries of a line, or start the job that lists them. The bottom line says why there is no list. */
void row_list_open(struct explorer *explorer, struct row_list *rows, struct matrix_line line);

/* Take the result of the job if it has finished. Returns true if something changed. */
bool row_list_step(struct explorer *explorer, struct row_list *rows);

/* Close the list and stop the job, before another case is shown. */
void row_list_close(struct row_list *rows);

void row_list_free(struct row_list *rows);

#endif
