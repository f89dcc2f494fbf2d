/* This draws what is around every screen: the tab bar above it, the status line and the bottom line below. */
#ifndef SPARSIGHT_UI_CHROME_H
#define SPARSIGHT_UI_CHROME_H

#include "base/job.h"
#include "drawing/surface.h"
#include "ui/prompt.h"
#include "ui/view.h"

/* The rows and columns of the smallest terminal that screens are drawn on. */
#define CHROME_HIGH 20
#define CHROME_WIDE 72

/* Return the rectangle of the surface that is left to the view. */
struct rect chrome_area(const struct surface *surface);

/* Draw the tab bar, with the name and the size of the matrix. */
void chrome_tabs(const struct explorer *explorer, struct surface *surface);

/* Return the place in the table of views of the view whose tab is at column x of the tab bar, or -1. */
int chrome_tab_at(int x);

/* Draw the status line: the shared cursor and the entry there, and the progress of `background`, unless that
 * is NULL. */
void chrome_status(const struct explorer *explorer, struct surface *surface, const struct job *background);

/* Make the footer. It shows as many keys of the screen, `own` (which may be NULL), as there is room for
 * beside the first of those of all screens, `everywhere`, and of these as many as there is room for then. */
void chrome_footer(struct footer *footer, const struct surface *surface, const struct action *own,
                   const struct action *everywhere);

/* Draw the bottom line: the prompt if it is not NULL, else the progress of the search if it is not NULL, else
 * the message if there is one, which takes further lines above if it is long, else the footer. A footer that
 * is not drawn loses its items, so that no click can hit one. */
void chrome_bottom(const struct explorer *explorer, struct surface *surface, const struct prompt *prompt,
                   const struct job *search, struct footer *footer);

/* Draw, on a terminal that is too small, nothing but the size that is needed. */
void chrome_too_small(struct surface *surface);

#endif
