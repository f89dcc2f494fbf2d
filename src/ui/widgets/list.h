/* A list is a dialog over the middle of a screen: the user chooses among its rows. Its kind defines the rows
 * and the effect of a choice; marks, scrolling, finding a row by typing, keys and the mouse are the same in
 * all lists. */
#ifndef SPARSIGHT_UI_WIDGETS_LIST_H
#define SPARSIGHT_UI_WIDGETS_LIST_H

#include "drawing/flow.h"
#include "ui/view.h"

#define LIST_CELLS 9  /* maximum number of columns of a list */
#define LIST_TEXT 128 /* bytes of a cell */

struct list_row {
    bool marked;
    bool written;            /* its texts are written, if the kind writes them only when needed */
    bool alerts[LIST_CELLS]; /* cells in the colour of warnings */
    char cells[LIST_CELLS][LIST_TEXT];
    char reason[sizeof(((struct error *)0)->message)]; /* why the row is not available, or "" if it is */
};

/* A column of a list. The first one names the row and gets the width that the others leave. */
struct list_column {
    const char *title; /* NULL at the end */
    int wide;          /* of the first one the least width */
    bool numbers;      /* its cells are right-aligned */
    const char *help;  /* the definition for the help; NULL if there is none */
    int spare;         /* above 0: the column is left out if there is no room; columns with larger numbers go
                          first */
};

struct list;

struct list_kind {
    const char *title;
    int wide;      /* the width of the dialog if it fits */
    int head_high; /* the number of lines that `head` draws above the rows, */
    int foot_high; /* and that `about` may write below them */
    bool marks;    /* rows have a box with their mark, and the list stays open after a choice */
    bool stays;    /* the list stays open after a choice, which changes the row */
    bool bare;     /* rows that are not available have no cells in the last columns, which say "not
                      available" */
    struct list_column columns[LIST_CELLS + 1];
    const struct action *actions; /* further keys; their actions get the view's state; may be NULL */

    /* Add all rows with list_add. */
    void (*fill)(struct explorer *explorer, void *state, struct list *list);

    /* Write the texts of a row, before it is first drawn or searched. NULL: `fill` writes them. */
    void (*write)(struct explorer *explorer, void *state, struct list *list, int row);

    /* Apply the choice of this row. */
    void (*choose)(struct explorer *explorer, void *state, int row);

    /* Draw above the rows. NULL if `head_high` is 0. */
    void (*head)(struct explorer *explorer, void *state, const struct list *list, struct surface *surface,
                 struct rect rect);

    /* Describe the selected row, and if it is not available, why. */
    void (*about)(struct explorer *explorer, void *state, const struct list *list, struct flow *flow);
};

/* A list, which is a member of the state of its view. Start with {0}. */
struct list {
    const struct list_kind *kind; /* NULL if the list is not open */
    void *state;                  /* the view's state */
    struct list_row *rows;        /* owned */
    int count, capacity;
    int selected;         /* the selected row */
    int top;              /* the first row that is shown */
    struct rect area;     /* where the rows were drawn */
    struct footer footer; /* the list's keys, in the lower edge of its frame */
    bool seeking;         /* the user types a search: */
    char sought[32];      /* this has been typed, */
    int begun;            /* and this row was selected before */
};

/* Return the set of these columns that fit in this width: bit c stands for column c. */
unsigned list_columns_fit(const struct list_column *columns, int wide);

/* Open a list, with this row selected. The functions of its kind get `state`. */
void list_open(struct explorer *explorer, struct list *list, const struct list_kind *kind, void *state,
               int selected);

void list_close(struct list *list);

bool list_is_open(const struct list *list);

/* Close a list and free its rows. */
void list_free(struct list *list);

/* Add an empty row for `fill` to write. Returns NULL if there is no memory. */
struct list_row *list_add(struct list *list);

/* Replace all rows by this number of empty ones, which take memory when they are written. The list has none
 * if there is no memory. */
void list_renew(struct list *list, int count);

/* Write a cell of a row. Does nothing if `row` is NULL. */
void list_write(struct list_row *row, int cell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Draw the list over the middle of `area`, whose background it covers. */
void list_draw(struct explorer *explorer, struct list *list, struct surface *surface, struct rect area);

#define LIST_TABLES 3

/* Return the tables of the list's keys, some of which may be NULL. A key is looked for in this order. */
void list_tables(const struct list *list, const struct action *tables[LIST_TABLES]);

/* Take a key. Returns false if it is not one of the list's. */
bool list_key(struct explorer *explorer, struct list *list, int key);

/* Take a mouse event. */
void list_mouse(struct explorer *explorer, struct list *list, const struct mouse *mouse);

#endif
