/* The frame of every screen: the tab bar above, the status line and the bottom line below. */
#ifndef SPARSIGHT_UI_CHROME_H
#define SPARSIGHT_UI_CHROME_H

#include "base/job.h"
#include "drawing/surface.h"
#include "ui/prompt.h"
#include "ui/view.h"

/* The rows and columns of the smallest terminal that screens are drawn on. */
#define CHROME_HIGH 20
#define CHROME_WIDE 72

/* From this height on a line below the tab bar has the question that the screen answers, except in lessons.
 */
#define CHROME_QUESTION_HIGH 24

/* Return the rectangle of the surface for the view; for the browser `explorer` is NULL. */
struct rect chrome_area(const struct explorer *explorer, const struct surface *surface);

/* Make a row of the surface blank, with the background of bars. */
void chrome_bar(struct surface *surface, int y);

/* Draw the tab bar and the line below it: the screen's question, and the name, the order and the size of the
 * matrix. Without that line the tab bar has the name. */
void chrome_head(const struct explorer *explorer, struct surface *surface);

/* True if there is room in that line for the number of entries, the field and the symmetry of the matrix,
 * too. */
bool chrome_tells(const struct explorer *explorer, const struct surface *surface);

/* Return the index, in the table of views, of the view whose tab is at column x of the tab bar, or -1. */
int chrome_tab_at(int x);

/* Draw the status line: the shared cursor and the entry there, and the progress of `background`, unless that
 * is NULL. */
void chrome_status(const struct explorer *explorer, struct surface *surface, const struct job *background);

/* Make the footer. It shows the first key of all screens, `everywhere`. Beside it are as many useful keys of
 * the screen, `own`, as fit, urgent ones first, and then other keys of all screens. */
void chrome_footer(struct footer *footer, const struct surface *surface, const struct footer_table *own,
                   const struct footer_table *everywhere);

/* Draw the bottom line. It shows the first of these that exists: the prompt, the progress of the search, the
 * message, the footer. The first two may be NULL. A long message uses more lines above. A footer that is not
 * drawn loses its items, so no click hits them. */
void chrome_bottom(const struct explorer *explorer, struct surface *surface, const struct prompt *prompt,
                   const struct job *search, struct footer *footer);

/* Draw, on a terminal that is too small, only the required size. */
void chrome_too_small(struct surface *surface);

#endif
