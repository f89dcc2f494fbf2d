/* A canvas that records each call, for tests of positions. */
#ifndef SPARSIGHT_TESTS_SUPPORT_RECORDED_H
#define SPARSIGHT_TESTS_SUPPORT_RECORDED_H

#include "drawing/canvas.h"

enum drawn_kind { DRAWN_RECTANGLE, DRAWN_LINE, DRAWN_TEXT, DRAWN_IMAGE, DRAWN_BAR, DRAWN_AXES };

/* One call. A line has its smallest rectangle, a text the position as it was given, and no size. */
struct drawn {
    enum drawn_kind kind;
    double x, y, wide, high;
    double thick;
    int points; /* of a line */
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

/* The first text of these words; NULL if there is none. */
const struct drawn *recorded_text(const struct recorded *recorded, const char *words);

/* The number of texts of these words. */
int recorded_texts(const struct recorded *recorded, const char *words);

/* The middle of an item. */
double drawn_x(const struct drawn *drawn);
double drawn_y(const struct drawn *drawn);

#endif
