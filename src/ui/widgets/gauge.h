/* Drawing the progress of a job: its phase, a bar, a count and the time left. */
#ifndef SPARSIGHT_UI_WIDGETS_GAUGE_H
#define SPARSIGHT_UI_WIDGETS_GAUGE_H

#include "base/job.h"
#include "drawing/surface.h"

/* The last drawn phase and its beginning, for the estimate of the time left. Start with {0} for every job. */
struct gauge {
    const char *phase;
    int64_t total;
    double since; /* clock_seconds() when the phase was first drawn */
};

/* Draw a panel in the middle of `area`: a title, the phase, a bar, the count and the time left, and the key
 * that cancels. */
void gauge_draw(struct gauge *gauge, struct surface *surface, struct rect area, bool ascii, const char *title,
                const struct job *job);

/* Draw the phase, the bar, the count and the time left in one line. */
void gauge_line(struct gauge *gauge, struct surface *surface, int y, int x, int wide, bool ascii,
                const struct job *job);

/* Draw the bar alone, in more than 4 columns. */
void gauge_bar(struct surface *surface, int y, int x, int wide, bool ascii, const struct job *job);

/* Write the finished share, such as "45%", and return it. */
#define GAUGE_SHARE 16
const char *gauge_share(char out[GAUGE_SHARE], int64_t done, int64_t total);

/* Write the progress in a few words, such as "counting rows 45%", right-aligned in `wide` columns from column
 * x on. */
void gauge_brief(struct surface *surface, int y, int x, int wide, const struct job *job);

#endif
