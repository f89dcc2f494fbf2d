/* Drawing how far a job is: bar, phase, count, time left. */
#ifndef SPARSIGHT_UI_WIDGETS_GAUGE_H
#define SPARSIGHT_UI_WIDGETS_GAUGE_H

#include "base/job.h"
#include "drawing/surface.h"

/* Remembers when the phase began, for the time left. Start with {0} for every job. */
struct gauge {
    const char *phase;
    int64_t total;
    double since; /* clock_seconds() */
};

/* A panel in the middle of `area`: `title`, bar, what is being done, count and time left, and how to cancel.
 */
void gauge_draw(struct gauge *gauge, struct surface *surface, struct rect area, bool ascii, const char *title,
                const struct job *job);

/* The bar alone; `wide` is more than 4. */
void gauge_bar(struct surface *surface, int y, int x, int wide, bool ascii, const struct job *job);

/* The same in a few words, such as "counting rows 45%", right-aligned in `wide` columns before column x. */
void gauge_brief(struct surface *surface, int y, int x, int wide, const struct job *job);

#endif
