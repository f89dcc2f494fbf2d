/* The frames of panes, parts of a screen that have a key and a title each: rules, titles in them, and a line
 * of all titles where only some panes have room. Only for screens. */
#ifndef SPARSIGHT_UI_WIDGETS_PANES_H
#define SPARSIGHT_UI_WIDGETS_PANES_H

#include <stdbool.h>

#include "drawing/surface.h"

#define PANES_MAX 8

struct pane_title {
    int key;
    const char *title;
    bool focus; /* keys go to this pane */
};

/* Where the titles of a line are, for the mouse; {0} if there is no such line. */
struct pane_tabs {
    struct rect at[PANES_MAX];
    int count;
};

/* Draw a rule along a rectangle that is one line high, or one column wide. */
void pane_draw_rule(struct surface *surface, struct rect rect, bool ascii);

/* Draw the title of a pane in a rule on top of a rectangle. Returns what is below, where the pane is drawn.
 */
struct rect pane_draw_frame(struct surface *surface, struct rect rect, const struct pane_title *title,
                            bool ascii);

/* Draw the titles of all panes, `count` of them, in a rule on top of a rectangle. Returns what is below. */
struct rect pane_draw_tabs(struct surface *surface, struct rect rect, const struct pane_title *titles,
                           int count, bool ascii, struct pane_tabs *tabs);

/* Return the number of the title at this place, or -1. */
int pane_tab_at(const struct pane_tabs *tabs, int y, int x);

#endif
