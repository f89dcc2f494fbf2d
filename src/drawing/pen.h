/* A pen writes lines into a rectangle, one under the other, and stops at its end. */
#ifndef SPARSIGHT_DRAWING_PEN_H
#define SPARSIGHT_DRAWING_PEN_H

#include "drawing/surface.h"

struct pen {
    struct surface *surface;
    struct rect rect;
    int line; /* the next one, from the top of rect */
};

/* Lines left. */
int pen_left(const struct pen *pen);

/* A heading; a blank line before it unless it is the first or lines are scarce. */
void pen_heading(struct pen *pen, const char *text);

/* One line of text. */
void pen_text(struct pen *pen, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Columns left beside a name. */
int pen_room(const struct pen *pen, const char *name);

/* A name and a count, in full if there is room, else short; behind it `after`, unless that is NULL. */
void pen_count(struct pen *pen, const char *name, enum colour colour, int64_t count, const char *after);

/* A name on the left, dim, and a value at the right edge. */
void pen_pair(struct pen *pen, const char *name, enum colour colour, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

#endif
