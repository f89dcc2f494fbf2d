/* This draws the frame of every screen: the tab bar above, the status line and the bottom line below. */
#ifndef SPARSIGHT_UI_CHROME_H
#define SPARSIGHT_UI_CHROME_H

#include "base/job.h"
#include "drawing/surface.h"
#include "ui/prompt.h"
#include "ui/view.h"

/* The rows and columns of the smallest terminal that screens are drawn on. */
#define CHROME_HIGH 20
#define CHROME_WIDE 72

/* Return the rectangle of the surface for the view. */
struct rect chrome_area(const struct surface *surface);

/* Draw the tab bar, with the name and the size of the matrix. */
void chrome_tabs(const struct explorer *explorer, struct surface *surface);

/* Return the index, in the table of views, of the view whose tab is at column x of the tab bar, or -1. */
int chrome_tab_at(int x);

/* Draw the status line: the shared cursor and the entry there, and the progress of `background`, unless that
 * is NULL. */
void chrome_status(const struct explorer *explorer, struct surface *surface, const struct job *background);

/* Make the footer. It shows the first key of all screens, `everywhere`, as many keys of the screen, `own`
 * (may be NULL), as fit beside it, and then as many other keys of all screens as fit. */
void chrome_footer(struct footer *footer, const struct surface *surface, const struct action *own,
                   const struct action *everywhere);

/* Draw the bottom line: the prompt, or else the progress of the search, each unless it is NULL; else the
 * message, if any; else the footer. A long message uses more lines above. A footer that is not drawn loses
 * its items, so no click hits them. */
void chrome_bottom(const struct explorer *explorer, struct surface *surface, const struct prompt *prompt,
                   const struct job *search, struct footer *footer);

/* Draw, on a terminal that is too small, only the required size. */
void chrome_too_small(struct surface *surface);

#endif
