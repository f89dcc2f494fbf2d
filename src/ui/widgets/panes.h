/* Panes: parts of a screen, each with a key and a title. A screen shows all of them in a grid, or the one
 * with the focus below a line of all titles. It may show a second one beside that. Only for screens. */
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
    int place; /* the position in the grid; the upper half comes first */
    int share; /* its share of the width of its half */
};

/* The state of a screen's panes. It is the first member of the state of a screen that uses the actions. */
struct panes {
    const struct screen_pane *table;
    int focus;                   /* the pane that keys go to */
    bool one;                    /* only the pane with the focus is shown, whatever the width of the
                                    terminal */
    const char *instead;         /* a text to show instead of the panes; NULL: the panes are shown */
    struct rect at[PANES_MAX];   /* the last rectangle of each; {0} if it is not shown */
    struct rect tabs[PANES_MAX]; /* and of its title in the line of titles */
};

/* Draw a rule along a rectangle of one line, or of one column. */
void pane_draw_rule(struct surface *surface, struct rect rect, bool ascii);

/* Make a canvas of a part of the screen. */
struct canvas pane_canvas(const struct explorer *explorer, struct cells *cells, struct surface *surface,
                          struct rect rect);

/* Begin to draw: no pane is shown. */
void panes_start(struct panes *panes);

/* Draw all panes, each with its title in a rule above it: half of them above the others. */
void panes_draw_grid(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect);

/* Draw the titles of all panes in a rule on top. Below it draw the pane `left` and, unless it is -1, beside
 * it the pane `right` in `wide` columns. */
void panes_draw_tabs(struct explorer *explorer, struct panes *panes, struct surface *surface,
                     struct rect rect, int left, int right, int wide);

/* Give the focus to the pane at this position: a click hits its title or the pane. Returns the pane if the
 * pane itself was hit, or -1. */
int panes_click(struct panes *panes, int y, int x);

/* Actions of keys: give the focus to a pane; to the next or previous one; change `one`. */
void panes_show(struct explorer *explorer, void *panes, int pane);
void panes_step(struct explorer *explorer, void *panes, int step);
void panes_change_one(struct explorer *explorer, void *panes, int unused);

/* A line of a diagram's legend: it names the kernel of a mark in the diagram. */

/* A mark of the diagram, and its text at the right. */
struct legend {
    unsigned mark;
    enum colour colour;
    const char *name, *said;
    int gap;     /* minimum number of blanks between name and words */
    bool chosen; /* the cursor is on it */
};

/* Draw it into rect, which is one line. */
void legend_draw(const struct legend *legend, bool ascii, struct surface *surface, struct rect rect);

#endif
