/* From the matrix to dots on the screen and back: zooming, panning, fitting.
 *
 * A dot is a rectangle of dot[ROWS] x dot[COLS] positions of the matrix, and the first dot begins at a
 * multiple of that, so that the positions of a dot do not depend on panning:
 *
 *     place    0           start       start + dot
 *     dot      -start/dot  0           1           ...   dots - 1
 *
 * All functions compute on two axes: ROWS goes down, and COLS to the right. */
#ifndef SPARSIGHT_DRAWING_VIEWPORT_H
#define SPARSIGHT_DRAWING_VIEWPORT_H

#include <stdbool.h>
#include <stdint.h>

enum axis { ROWS, COLS };

struct viewport {
    int64_t size[2];  /* rows and columns of the matrix */
    int64_t dot[2];   /* rows and columns of a dot */
    int64_t start[2]; /* the first row and column that are shown, multiples of dot */
    int dots[2];      /* the number of dots that fit */
};

/* Return the number of the dot with this row or column, counted from the first shown dot; it is outside 0 ..
 * dots-1 if the dot is not shown. */
int64_t viewport_index(const struct viewport *port, enum axis axis, int64_t place);

/* Return the number of fitting dots that have a row or column of the matrix. */
int viewport_used(const struct viewport *port, enum axis axis);

/* True if the position (row, column) is shown. */
bool viewport_shows(const struct viewport *port, const int64_t place[2]);

/* Change the size of a dot and the room for dots. If the position `place` was shown, it keeps its relative
 * position on the screen; else it comes to the middle. Positions outside the matrix are shown only if the
 * whole matrix is shown. */
void viewport_change(struct viewport *port, const int64_t dot[2], const int dots[2], const int64_t place[2]);

/* Move the picture by this number of dots, within the matrix. */
void viewport_pan(struct viewport *port, enum axis axis, int64_t dots);

/* Move the picture by the least distance that shows the position. */
void viewport_show(struct viewport *port, const int64_t place[2]);

/* The zoom levels of a matrix in a window. At level 0 the whole matrix fits; at level 1 a dot is 2^k rows and
 * columns, and k decreases by one per level, down to dots of 1 x 1. Dots that are larger than a cell of the
 * pyramid are rounded to whole cells. Both axes have the same scale, so that shapes are true, unless one side
 * would vanish. */
struct zoom {
    int64_t unit[2];          /* rows and columns of the smallest dot; the positions below are units: */
    int64_t size[2], step[2]; /* rows and columns of the matrix, and of a cell of the pyramid */
    int chars[2];             /* rows and columns of characters in the window */
    int base[2];              /* the dots of a character that is shaded: {2, 1} or {1, 1} */
    bool same;                /* both axes have the same scale */
    int64_t fit[2];           /* rows and columns of a shaded dot at level 0, before rounding */
    int top[2];               /* log2 of these at level 1; -1 if a dot is already 1 x 1 at level 0 */
};

/* Fit a matrix into a window. */
struct zoom zoom_fit(const int64_t size[2], const int64_t step[2], const int chars[2], const int base[2]);

/* The same with a scale for each axis, so that the matrix fills the window. */
struct zoom zoom_fill(const int64_t size[2], const int64_t step[2], const int chars[2], const int base[2]);

/* Fit a matrix of which only the cells of the pyramid are known. At the last level a dot is a cell; if both
 * axes have one scale and cells are oblong, it is a square of several cells. `fill`: each axis has its own
 * scale. */
struct zoom zoom_cells(const int64_t size[2], const int64_t cell[2], const int chars[2], const int base[2],
                       bool fill);

/* The number of levels. At the last one a dot is 1 x 1, or a unit. */
int zoom_levels(const struct zoom *zoom);

/* dot[] becomes the rows and columns of a dot at this level if a character has per[ROWS] x per[COLS] dots, a
 * multiple of base. */
void zoom_dot(const struct zoom *zoom, int level, const int per[2], int64_t dot[2]);

/* The same for pictures of pixels, of which a character has per[ROWS] x per[COLS]. A dot is large[ROWS] x
 * large[COLS] pixels if it is one position, or one unit; else it is one pixel. Positions and pixels of a dot
 * are powers of two except at level 0. The window shows about as many positions as with shaded dots. dots[]
 * becomes the number of dots that fit. */
void zoom_pixels(const struct zoom *zoom, int level, const int per[2], int64_t dot[2], int large[2],
                 int dots[2]);

/* Return the level of `to` with dots of about the size of those of `level` in `from`. */
int zoom_like(const struct zoom *from, int level, const struct zoom *to);

/* Ticks of an axis: the rows or columns with a label. */

struct tick {
    int64_t label; /* the row or column, counted from 1 as Matrix Market files do */
    int dot;       /* the number of its dot, counted from the first shown dot */
};

/* The smallest of 1, 2, 5, 10, 20, 50, ... that is not below x; 1 for x <= 1. */
int64_t axis_nice(double x);

/* Choose ticks for an axis of `dots` dots, each of `dot` rows or columns, that begins at row or column
 * `start`, counted from 0, of `size`. They are label 1 and the multiples of the smallest nice step for which
 * ticks are at least `gap` dots apart. Returns their number, at most `max`. */
int axis_ticks(int64_t start, int64_t dot, int dots, int64_t size, int gap, struct tick *ticks, int max);

#endif
