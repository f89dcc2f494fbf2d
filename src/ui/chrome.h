/* What is around every screen: the tab bar above, the status line and the bottom line below. */
#ifndef SPARSIGHT_UI_CHROME_H
#define SPARSIGHT_UI_CHROME_H

#include "base/job.h"
#include "drawing/surface.h"
#include "ui/prompt.h"
#include "ui/view.h"

#define CHROME_HIGH 24 /* the smallest terminal */
#define CHROME_WIDE 80

/* The part of the surface that belongs to the view. */
struct rect chrome_area(const struct surface *surface);

/* The tabs, and the matrix's name. */
void chrome_tabs(const struct explorer *explorer, struct surface *surface);

/* The view whose tab is at column x of the tab bar, or -1. */
int chrome_tab_at(int x);

/* The shared cursor and the entry there; at the right how far the background job is, if there is one. */
void chrome_status(const struct explorer *explorer, struct surface *surface, const struct job *background);

/* Share the bottom line among the keys of what is shown (NULL: none) and those of all screens. All of the
 * latter have their place, but for a screen that was just changed to: then it shows as many of its own as
 * there is room for. */
void chrome_footer(const struct explorer *explorer, struct footer *footer, const struct surface *surface,
                   const struct action *own, const struct action *everywhere);

/* The bottom line: the prompt if it is open (not NULL), else the search that runs, the message, or the
 * footer, which has no items unless it is drawn. */
void chrome_bottom(const struct explorer *explorer, struct surface *surface, const struct prompt *prompt,
                   const struct job *search, struct footer *footer);

/* Instead of everything, on a terminal that is too small. */
void chrome_too_small(struct surface *surface);

#endif
