/* A list: a dialog over the middle of a screen whose rows are chosen among. What its rows are, and what comes
 * of choosing one, its kind says; rows, marks, scrolling, finding by typing, keys and the mouse are the same
 * for all of them. */
#ifndef SPARSIGHT_UI_WIDGETS_LIST_H
#define SPARSIGHT_UI_WIDGETS_LIST_H

#include "drawing/flow.h"
#include "ui/view.h"

#define LIST_CELLS 4  /* columns of a list, at most */
#define LIST_TEXT 128 /* bytes of a cell */

struct list_row {
    bool marked;
    bool alerts[LIST_CELLS];                           /* cells that deserve attention */
    char cells[LIST_CELLS][LIST_TEXT];                 /* "": nothing */
    char reason[sizeof(((struct error *)0)->message)]; /* why it is not available; "": it is */
};

/* A column of a list. The first one, which names the row, is given what the others leave. */
struct list_column {
    const char *title; /* NULL at the end */
    int wide;
    bool numbers; /* right-aligned */
};

struct list;

struct list_kind {
    const char *title;
    int wide;      /* columns of the dialog where there is room for them */
    int foot_high; /* lines for words about the selected row */
    bool marks;    /* rows have a box for their mark, and choosing leaves the list open; else it closes it */
    struct list_column columns[LIST_CELLS + 1];
    const struct action *actions; /* keys beside those of every list, for the view's state; may be NULL */
    /* Add all rows with list_add. */
    void (*fill)(struct explorer *explorer, void *state, struct list *list);
    void (*choose)(struct explorer *explorer, void *state, int row);
    /* Say what the selected row is, and if it is not available why. */
    void (*about)(struct explorer *explorer, void *state, const struct list *list, struct flow *flow);
};

/* A list of a view, within its state. Start with {0}. */
struct list {
    const struct list_kind *kind; /* NULL: it is not open */
    void *state;                  /* the view's */
    struct list_row *rows;        /* owned */
    int count, capacity;
    int selected, top;
    struct rect area;     /* of the rows, as drawn */
    struct footer footer; /* its keys, in the frame's lower edge */
    bool seeking;         /* what is typed is looked for, */
    char sought[32];      /* this so far, */
    int begun;            /* from this row on */
};

/* Open a list with this row selected. `state` is what its kind's functions are given. */
void list_open(struct explorer *explorer, struct list *list, const struct list_kind *kind, void *state,
               int selected);
void list_close(struct list *list);
bool list_is_open(const struct list *list);
void list_free(struct list *list);

/* A new row at the end, all of it empty, to be filled in; NULL without memory. For `fill`. */
struct list_row *list_add(struct list *list);

/* Fill in a cell of a row. `row` may be NULL. */
void list_write(struct list_row *row, int cell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Draw the list over the middle of `area`, whose background it covers. */
void list_draw(struct explorer *explorer, struct list *list, struct surface *surface, struct rect area);

/* The tables of its keys, in the order in which they take a key; some may be NULL. */
#define LIST_TABLES 3
void list_tables(const struct list *list, const struct action *tables[LIST_TABLES]);

/* Take a key; false if it is none of the list's. */
bool list_key(struct explorer *explorer, struct list *list, int key);

void list_mouse(struct explorer *explorer, struct list *list, const struct mouse *mouse);

#endif
