/* The help, a panel over the screen. It is made from tables: the screen's help, its keys, the keys of all
 * screens, and the searches. */
#ifndef SPARSIGHT_UI_HELP_H
#define SPARSIGHT_UI_HELP_H

#include <stdbool.h>

#include "drawing/surface.h"
#include "ui/view.h"

struct help {
    bool open;
    int top;                   /* the first line that is shown */
    int lines;                 /* the number of its lines when it was drawn last, */
    int room;                  /* and the number of lines that fit in the panel */
    struct footer footer;      /* the help's own keys, in the lower edge of its frame */
    struct explorer *explorer; /* the argument of the view's `define` */
    void *state;               /* NULL: the help has no definitions of the view */
    const struct list *list;   /* the open list, whose columns are defined; or NULL */
};

/* A table of keys and its title. Sections that follow each other with the same title are shown as one. An
 * array of sections ends with one without a title. */
struct help_section {
    const char *title;
    const struct action *actions; /* NULL stands for no keys */
};

/* The help's own keys; their `state` is the struct help. */
extern const struct action help_actions[];

/* Open the help at its first line. */
void help_open(struct help *help);

/* Draw the help over `area`: the definition of what is under the cursor, the view's own help, the other
 * definitions, the sections, and the searches. The searches are left out
 * for a view that cannot be drawn, such as the browser's. */
void help_draw(struct help *help, struct surface *surface, struct rect area, bool ascii,
               const struct view *view, const struct help_section *sections);

#endif
