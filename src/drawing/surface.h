/* A surface: the picture of a screen as cells with a character and colours, before any terminal. Views draw
 * on surfaces and know no ncurses; term.c alone puts a surface on the terminal. */
#ifndef SPARSIGHT_DRAWING_SURFACE_H
#define SPARSIGHT_DRAWING_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Colours by meaning. What they look like is decided in term.c, by what the terminal can do. */
enum colour {
    COLOUR_TEXT,   /* the terminal's default */
    COLOUR_DIM,    /* secondary text, axes, rules */
    COLOUR_TITLE,  /* headings */
    COLOUR_ACCENT, /* numbers that matter, active tab */
    COLOUR_GOOD,
    COLOUR_WARN,
    COLOUR_BAD,
    COLOUR_ROWS,                         /* bars and marks that speak of rows */
    COLOUR_COLS,                         /* the same for columns */
    COLOUR_CURSOR,                       /* the shared cursor */
    COLOUR_MARK,                         /* overlays, the cut */
    COLOUR_BAR,                          /* background of the tab bar and the status line */
    COLOUR_DENSITY,                      /* first of the density ramp, from one entry to full */
    COLOUR_MARKED = COLOUR_DENSITY + 16, /* the same for entries set apart: shades of the mark */
    COLOUR_COUNT = COLOUR_MARKED + 16
};
#define DENSITY_LEVELS 16

enum attribute { ATTRIBUTE_BOLD = 1, ATTRIBUTE_REVERSE = 2, ATTRIBUTE_UNDERLINE = 4 };

struct cell {
    uint32_t character; /* a Unicode code point, one column wide */
    uint8_t foreground; /* enum colour */
    uint8_t background; /* enum colour; COLOUR_TEXT: the terminal's default background */
    uint8_t attributes; /* OR of enum attribute */
};

struct surface {
    int high, wide;
    struct cell *cells; /* high x wide, row-major; owned */
    int cut;            /* texts that did not fit since it was cleared: what tests look at */
};

struct rect {
    int top, left, high, wide;
};

/* Give the surface this size and blank it. On failure it keeps its old size. */
enum status surface_resize(struct surface *surface, int high, int wide, struct error *error);
void surface_free(struct surface *surface);

/* Drawing outside the surface is clipped, never an error. Every code point takes one column; control
 * characters and bytes that are not UTF-8 become '?'. */
void surface_clear(struct surface *surface);
void surface_put(struct surface *surface, int y, int x, uint32_t character, enum colour foreground,
                 enum colour background, unsigned attributes);

/* printf UTF-8 text at (y, x), at most `wide` columns, on the background that is there; returns the columns
 * it took, clipped ones included. */
int surface_text(struct surface *surface, int y, int x, int wide, enum colour colour, unsigned attributes,
                 const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Columns that a text takes. */
int surface_columns(const char *text);

/* surface_text if all of the text fits, else nothing. Returns the columns it took. */
int surface_text_whole(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* surface_text, ending at column x + wide - 1; what is too long keeps its beginning. */
int surface_text_right(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* A text in at most `wide` columns: one that is too long ends in an ellipsis. Returns the columns it took. */
int surface_text_short(struct surface *surface, int y, int x, int wide, bool ascii, enum colour colour,
                       unsigned attributes, const char *text);

/* A frame with a title in its top edge, ASCII (+-|) if `ascii`. */
void surface_frame(struct surface *surface, struct rect rect, bool ascii, const char *title);

/* Set the background and add attributes of cells in place, for cursors and selections. */
void surface_highlight(struct surface *surface, struct rect rect, enum colour background,
                       unsigned attributes);

/* Turn cells into a cursor over a whole line: one colour, reversed. */
void surface_cursor(struct surface *surface, struct rect rect);

/* Blank cells. */
void surface_blank(struct surface *surface, struct rect rect);

/* True if (y, x) lies in the rectangle. */
bool rect_holds(struct rect rect, int y, int x);

/* The surface as plain UTF-8 lines without trailing blanks, for tests. Free with text_free. */
struct text;
void surface_dump(const struct surface *surface, struct text *text);

#endif
