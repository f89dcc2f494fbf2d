/* A canvas that records each call, for tests of positions. */
#ifndef SPARSIGHT_TESTS_SUPPORT_RECORDED_H
#define SPARSIGHT_TESTS_SUPPORT_RECORDED_H

#include "drawing/canvas.h"

enum drawn_kind { DRAWN_RECTANGLE, DRAWN_LINE, DRAWN_TEXT, DRAWN_IMAGE, DRAWN_BAR, DRAWN_AXES };

/* One call. A line has its bounding rectangle; a text has the given position and no size. */
struct drawn {
    enum drawn_kind kind;
    double x, y, wide, high;
    double thick;
    int points; /* the number of points of a line */
    bool dashed, upright;
    enum colour colour;
    enum canvas_anchor anchor;
    unsigned writing;
    char words[160];
};

#define RECORDED_MAX 8000

struct recorded {
    struct canvas canvas;
    int count;
    struct drawn items[RECORDED_MAX];
};

/* An empty canvas of this size for pictures in files. More calls than RECORDED_MAX end the test. Free with
 * free(). */
struct recorded *recorded_new(double wide, double high);

/* Return the first text with these words; NULL if there is none. */
const struct drawn *recorded_text(const struct recorded *recorded, const char *words);

/* Return the number of texts with these words. */
int recorded_texts(const struct recorded *recorded, const char *words);

/* Return a coordinate of the middle of an item. */
double drawn_x(const struct drawn *drawn);
double drawn_y(const struct drawn *drawn);

#endif
