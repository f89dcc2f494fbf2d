/* The help overlay, made from the tables: the active view's help and keys, the common keys, the searches. */
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
};

void help_open(struct help *help);

/* Take a key: moves scroll, anything that closes closes. */
void help_key(struct help *help, int key);

void help_draw(struct help *help, struct surface *surface, struct rect area, bool ascii,
               const struct view *view, const struct view_key *common);

#endif
