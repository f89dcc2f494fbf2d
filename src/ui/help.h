/* The help overlay, made from the tables: the active view's help, its keys and those of all screens, the
 * searches. */
#ifndef SPARSIGHT_UI_HELP_H
#define SPARSIGHT_UI_HELP_H

#include <stdbool.h>

#include "drawing/surface.h"
#include "ui/view.h"

struct help {
    bool open;
    int top;   /* first line shown */
    int lines; /* in all, and how many fit: known after drawing */
    int room;
    struct footer footer; /* its keys, in the frame's lower edge */
};

/* Keys that the help lists under a title. Sections that follow each other with the same title are one. An
 * array of them ends with one without a title. */
struct help_section {
    const char *title;
    const struct action *actions; /* NULL: none */
};

/* The help's own keys; `state` is the help. */
extern const struct action help_actions[];

void help_open(struct help *help);

void help_draw(struct help *help, struct surface *surface, struct rect area, bool ascii,
               const struct view *view, const struct help_section *sections);

#endif
