/* From the matrix to dots on the screen and back: zoom, pan, fit.
 *
 * A dot is a rectangle of dot[ROWS] x dot[COLS] places of the matrix, and the first dot starts at a multiple
 * of that, so that a dot is always the same places whichever way the picture was panned. Everything here is
 * arithmetic on the two axes; index 0 (ROWS) goes down, index 1 (COLS) to the right. */
#ifndef SPARSIGHT_DRAWING_VIEWPORT_H
#define SPARSIGHT_DRAWING_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

enum axis { ROWS, COLS };

struct viewport {
    int64_t size[2];  /* rows and columns of the matrix */
    int64_t dot[2];   /* places a dot stands for */
    int64_t start[2]; /* first place shown, a multiple of dot */
    int dots[2];      /* dots that there is room for */
};

/* Number of the dot that holds this place, counted from the first one shown; outside 0..dots-1 if it is not
 * shown. */
int64_t viewport_index(const struct viewport *port, enum axis axis, int64_t place);

/* Dots shown that hold a part of the matrix. */
int viewport_used(const struct viewport *port, enum axis axis);

/* True if the place (row, column) is shown. */
bool viewport_shows(const struct viewport *port, const int64_t place[2]);

/* Change the size of a dot and the room for dots. `place` stays where it is on the screen, in proportion, if
 * it was shown; else it comes to the middle. Nothing outside the matrix is shown unless all of it is. */
void viewport_change(struct viewport *port, const int64_t dot[2], const int dots[2], const int64_t place[2]);

/* Move the picture by this many dots, as far as the matrix goes. */
void viewport_pan(struct viewport *port, enum axis axis, int64_t dots);

/* The least pan after which the place is shown. */
void viewport_show(struct viewport *port, const int64_t place[2]);

/* The ladder of zoom levels of a matrix in a window. Level 0 fits the whole matrix; at the others a dot is
 * 2^k rows and columns, k one less at each level, down to 1 x 1. Rounded so that large dots are whole cells
 * of the pyramid. Both axes have one scale, so that shapes are true, unless one side would vanish. */
struct zoom {
    int64_t size[2], step[2]; /* the matrix, and the pyramid's cells */
    int chars[2];             /* characters of the window */
    int base[2];              /* dots of a character when shaded: {2, 1}, or {1, 1} */
    bool same;                /* one scale for both axes */
    int64_t fit[2];           /* rows and columns of a base dot at level 0, unrounded */
    int top[2];               /* log2 of the same at level 1; -1 if level 0 is 1 already */
};

/* Fit a matrix into a window. */
struct zoom zoom_fit(const int64_t size[2], const int64_t step[2], const int chars[2], const int base[2]);

/* Levels of pictures: the last one is 1 x 1. */
int zoom_levels(const struct zoom *zoom);

/* Rows and columns of a dot at this level when a character holds per[0] x per[1] dots (a multiple of base).
 */
void zoom_dot(const struct zoom *zoom, int level, const int per[2], int64_t dot[2]);

/* The level of `to` whose dots are about as large as those of `level` in `from`. */
int zoom_like(const struct zoom *from, int level, const struct zoom *to);

#endif
