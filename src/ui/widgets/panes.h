/* Panes: parts of a screen that have a key and a title each. A screen shows all of them in a grid, or the one
 * with the focus below a line of all titles, perhaps with a second one beside it. Only for screens. */
#ifndef SPARSIGHT_UI_WIDGETS_PANES_H
#define SPARSIGHT_UI_WIDGETS_PANES_H

#include <stdbool.h>

#include "drawing/cells.h"
#include "drawing/surface.h"

#define PANES_MAX 8

struct explorer;

/* A pane of a screen. The table of them ends with one without a title. */
struct screen_pane {
    int key;
    const char *title;
    void (*draw)(struct explorer *explorer, void *screen, struct surface *surface, struct rect rect);
    bool alone; /* it has something to show where the screen says what is shown instead */
    int place;  /* in the grid, whose upper half comes first; */
    int share;  /* and the width that it has there beside the others of its half */
};

/* The state of a screen's panes. It is the first member of the state of a screen that uses the actions. */
struct panes {
    const struct screen_pane *table;
    int focus;           /* the pane that keys go to */
    bool one;            /* it alone is shown, however wide the terminal is */
    const char *instead; /* what is shown instead of panes that are not `alone`; NULL: these are shown, too */
    struct rect at[PANES_MAX];   /* where each was drawn last; {0} if it is not shown */
    struct rect tabs[PANES_MAX]; /* and its title in the line of titles, likewise */
};

/* Draw a rule along a rectangle that is one line high, or one column wide. */
void pane_draw_rule(struct surface *surface, struct rect rect, bool ascii);

/* Make a canvas of a part of the screen. */
struct canvas pane_canvas(const struct explorer *explorer, struct cells *cells, struct surface *surface,
                          struct rect rect);

/* Begin to draw: no pane is shown. */
void panes_start(struct panes *panes);

/* Draw all panes, each with its title in a rule above it: half of them above the others. */
void panes_draw_grid(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect);

/* Draw the titles of all panes in a rule on top, and below it the pane `left`, and beside that the pane
 * `right` in `wide` columns unless it is -1. */
void panes_draw_tabs(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect, int left, int right, int wide);

/* Give the focus to the pane at this place, by its title or by the pane itself. Returns the latter, or -1. */
int panes_click(struct panes *panes, int y, int x);

/* What keys do: give the focus to a pane; to the next one, or to the one before; change `one`. */
void panes_show(struct explorer *explorer, void *panes, int pane);
void panes_step(struct explorer *explorer, void *panes, int step);
void panes_change_one(struct explorer *explorer, void *panes, int unused);

/* This draws a line of a diagram's legend: which kernel a mark of the diagram is. */

/* What a mark of the diagram is, and what is said of it at the right. */
struct legend {
    unsigned mark;
    enum colour colour;
    const char *name, *said;
    int gap;     /* at least so many blanks stand between name and words */
    bool chosen; /* the cursor is on it */
};

/* Draw it into rect, which is one line. */
void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect);

#endif
