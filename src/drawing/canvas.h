/* A canvas, on which a picture for a file or a terminal is drawn. Rectangles, lines, texts and images are
 * drawn by units: pixels of PNG and SVG, points of PDF, dots of Braille in a terminal. x counts to the right
 * and y downwards from the upper left corner. Drawing code takes all sizes of texts from `column` and `line`,
 * so that the same drawing suits each kind of canvas. */
#ifndef SPARSIGHT_DRAWING_CANVAS_H
#define SPARSIGHT_DRAWING_CANVAS_H

#include <stdbool.h>

#include "drawing/pixmap.h"
#include "drawing/surface.h"

/* The sizes of texts in files: the average width of a character of a sans-serif font of CANVAS_FONT units,
 * and the height of a line. */
#define CANVAS_FONT 12
#define CANVAS_COLUMN 7.7
#define CANVAS_LINE 16

/* The width of a character of a monospaced font. */
#define CANVAS_EVEN (0.602 * CANVAS_FONT)

enum canvas_anchor {
    ANCHOR_START,  /* the text begins at x */
    ANCHOR_MIDDLE, /* its middle is at x */
    ANCHOR_END,    /* it ends at x */
};

/* The writing of a text: an OR of these. */
enum canvas_writing {
    WRITING_BOLD = 1,
    WRITING_UPWARDS = 2, /* turned by 90 degrees, so that it is read from below; only if `turns` */
    WRITING_EVEN = 4,    /* each character has the width CANVAS_EVEN */
    WRITING_CHOSEN = 8,  /* the cursor is on it: bold, and on screens reversed */
};

struct canvas_point {
    double x, y;
};

/* The positions of the ticks of an axis. */
#define CANVAS_TICKS 64
struct canvas_ticks {
    double at[CANVAS_TICKS];
    int count;
};

struct canvas;

/* A kind of canvas. No function fails; errors are reported when the picture is finished. */
struct canvas_kind {
    void (*rectangle)(struct canvas *canvas, double x, double y, double wide, double high,
                      enum colour colour);
    void (*line)(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                 double thick, bool dashed);
    void (*text)(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, enum colour colour,
                 unsigned writing, const char *words);
    void (*image)(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                  double high);
    /* May be NULL: then bars are rectangles, and axes are lines. */
    void (*bar)(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour,
                bool upright);
    void (*axes)(struct canvas *canvas, double x, double y, double wide, double high,
                 const struct canvas_ticks *across, const struct canvas_ticks *up);
};

struct canvas {
    const struct canvas_kind *kind;
    double wide, high;
    double column; /* approximate width of a character, */
    double line;   /* height of a line of text */
    int tall;      /* height / width of a unit: 1, or 2 if it is a character */
    bool turns;    /* texts can be written upwards */
    bool light;    /* the background is light */
    int ink;       /* the colour of all texts, as 0xRRGGBB; 0: each text has its own colour */
    uint32_t mark; /* the character of a dot if dots are characters; 0: each colour has its own */
    void *own;     /* data of the kind */
};

void canvas_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                      enum colour colour);

/* Draw a line through this number of points. Points that are not finite interrupt it. */
void canvas_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                 double thick, bool dashed);

/* Draw a straight line from one point to another. */
void canvas_stroke(struct canvas *canvas, double x0, double y0, double x1, double y1, enum colour colour,
                   double thick);

/* Write a text in UTF-8, made as by printf; y is the middle of its line. Control characters become '?'. */
void canvas_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor, enum colour colour,
                 unsigned writing, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Draw a picture with its upper left corner at (x, y). Each of its pixels has `wide` x `high` units, without
 * interpolation; with whole units nothing is resampled. Pixels of COLOUR_TEXT are left out. */
void canvas_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                  double high);

/* Draw a bar to the right of x, or if it is `upright`, above y + high. */
void canvas_bar(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour,
                bool upright);

/* Draw the axes of a rectangle just outside of it, at the left and below, with their ticks. */
void canvas_axes(struct canvas *canvas, double x, double y, double wide, double high,
                 const struct canvas_ticks *across, const struct canvas_ticks *up);

/* Return the approximate width of a text in units. */
double canvas_text_wide(const struct canvas *canvas, const char *words);

/* Return a colour as 0xRRGGBB for pictures on a light or a dark background, and that background. Colours of
 * meanings have a contrast of CANVAS_CONTRAST or more to it. */
int canvas_rgb(bool light, enum colour colour);
int canvas_background(bool light);

/* The colour of a text. */
int canvas_ink(const struct canvas *canvas, enum colour colour);

/* The contrast of two colours, from 1 to 21 (Web Content Accessibility Guidelines 2.1, relative luminance),
 * and the contrast that the guidelines require for texts, also on coloured backgrounds. */
#define CANVAS_CONTRAST 4.5
double canvas_contrast(int one, int other);

#endif
