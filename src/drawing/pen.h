/* A pen writes lines into a rectangle, one under the other. Further lines are left out. */
#ifndef SPARSIGHT_DRAWING_PEN_H
#define SPARSIGHT_DRAWING_PEN_H

#include "drawing/surface.h"

struct pen {
    struct surface *surface;
    struct rect rect;
    int line; /* the next line, counted from the top of rect */
};

/* The number of lines left. */
int pen_left(const struct pen *pen);

/* Write a heading. A blank line comes before it, unless it is the first line or few lines are left. */
void pen_heading(struct pen *pen, const char *text);

/* Write a text, broken into lines at blanks where it is wider than the rectangle. */
void pen_text(struct pen *pen, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Number of columns left beside a name. */
int pen_room(const struct pen *pen, const char *name);

/* Write a name and a count, in full if there is room, else short; followed by `after`, unless that is NULL.
 */
void pen_count(struct pen *pen, const char *name, enum colour colour, int64_t count, const char *after);

/* Write a dim name on the left, and a value at the right edge. */
void pen_pair(struct pen *pen, const char *name, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
