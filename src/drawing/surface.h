/* A surface: the picture of a screen as cells, each with a character and colours. Views draw on surfaces and
 * know no terminal; only ui/terminal puts a surface on a terminal. */
#ifndef SPARSIGHT_DRAWING_SURFACE_H
#define SPARSIGHT_DRAWING_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* Colours by meaning. Their look depends on the terminal (drawing/palette.h). */
enum colour {
    COLOUR_TEXT,   /* the terminal's default */
    COLOUR_DIM,    /* secondary text, axes, rules */
    COLOUR_TITLE,  /* headings */
    COLOUR_ACCENT, /* numbers that matter, the active tab */
    COLOUR_GOOD,
    COLOUR_WARN,
    COLOUR_BAD,
    COLOUR_ROWS,                         /* bars and marks of rows */
    COLOUR_COLS,                         /* bars and marks of columns */
    COLOUR_CURSOR,                       /* the shared cursor */
    COLOUR_MARK,                         /* overlays, the cut */
    COLOUR_BAR,                          /* the background of the tab bar and the status line */
    COLOUR_DENSITY,                      /* the first of DENSITY_LEVELS colours, from low densities to high */
    COLOUR_MARKED = COLOUR_DENSITY + 16, /* the first of as many colours for marked entries */
    COLOUR_PART = COLOUR_MARKED + 16,    /* the first of PART_COLOURS, for parts of a matrix */
    COLOUR_OWNER = COLOUR_PART + 8,      /* the first of OWNER_COLOURS, for data that processes own */
    COLOUR_REMOTE = COLOUR_OWNER + 6, /* the first of as many paler colours, for data that processes need from
                                         others */
    COLOUR_COUNT = COLOUR_REMOTE + 6
};
#define DENSITY_LEVELS 16

/* The colours of parts: PARTS_APART for the largest parts by size, one for all smaller parts, one for entries
 * between parts, and one for dots with several parts. */
#define PARTS_APART 5
enum { PART_SMALLER = PARTS_APART, PART_BETWEEN, PART_SEVERAL, PART_COLOURS };

/* Number of colours that processes share in turn. */
#define OWNER_COLOURS 6

enum attribute {
    ATTRIBUTE_BOLD = 1,
    ATTRIBUTE_REVERSE = 2,
    ATTRIBUTE_UNDERLINE = 4,
    ATTRIBUTE_PIXELS = 16, /* the surface's picture is visible in this cell, if the character is blank */
};

struct cell {
    uint32_t character; /* a Unicode code point, one column wide */
    uint8_t foreground; /* enum colour */
    uint8_t background; /* enum colour, where COLOUR_TEXT is the terminal's default background */
    uint8_t attributes; /* an OR of enum attribute */
};

struct rect {
    int top, left, high, wide;
};

struct pixmap;

struct surface {
    int high, wide;
    struct cell *cells;          /* high x wide, row by row; owned */
    int cut;                     /* texts that did not fit since the surface was cleared, for tests */
    const struct pixmap *pixmap; /* a picture of pixels, which lasts until the surface is cleared; or NULL */
    int pixmap_y, pixmap_x;      /* the cell of its upper left pixel */
};

/* Give the surface this size and make it blank. On failure it keeps its size. STATUS_MEMORY. */
enum status surface_resize(struct surface *surface, int high, int wide, struct error *error);
void surface_free(struct surface *surface);

/* Drawing outside the surface has no effect, and is not an error. Every code point takes one column; control
 * characters and bytes that are not UTF-8 become '?'. */
void surface_clear(struct surface *surface);
void surface_put(struct surface *surface, int y, int x, uint32_t character, enum colour foreground,
                 enum colour background, unsigned attributes);

/* Write UTF-8 text at (y, x), made as by printf, in at most `wide` columns, and keep the background. Returns
 * the number of columns written, including those outside the surface. */
int surface_text(struct surface *surface, int y, int x, int wide, enum colour colour, unsigned attributes,
                 const char *format, ...) __attribute__((format(printf, 7, 8)));

/* The width of a text in columns. */
int surface_columns(const char *text);

/* Write as surface_text does if the whole text fits into `wide` columns, else write nothing. Returns the
 * number of columns written.
 */
int surface_text_whole(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Write as surface_text does, but so that the text ends at column x + wide - 1. The end of a longer text is
 * left out. */
int surface_text_right(struct surface *surface, int y, int x, int wide, enum colour colour,
                       unsigned attributes, const char *format, ...) __attribute__((format(printf, 7, 8)));

/* Write a text in at most `wide` columns; a longer text ends in an ellipsis. Returns the number of columns
 * written. */
int surface_text_short(struct surface *surface, int y, int x, int wide, bool ascii, enum colour colour,
                       unsigned attributes, const char *text);

/* The same for a path or another text whose end matters: a longer text begins with the ellipsis. */
int surface_text_tail(struct surface *surface, int y, int x, int wide, bool ascii, enum colour colour,
                      unsigned attributes, const char *text);

/* Draw the edges of a rectangle of 2 x 2 cells or more, of the characters + - | if `ascii`. */
void surface_edges(struct surface *surface, struct rect rect, bool ascii, enum colour colour,
                   unsigned attributes);

/* Draw a frame with a title in its top edge. */
void surface_frame(struct surface *surface, struct rect rect, bool ascii, const char *title);

/* Set the background of cells and add attributes to them, for cursors and selections. */
void surface_highlight(struct surface *surface, struct rect rect, enum colour background,
                       unsigned attributes);

/* Turn the cells of a rectangle into a cursor: one colour, reversed. */
void surface_cursor(struct surface *surface, struct rect rect);

/* Show a picture of pixels on a terminal that has graphics: its upper left pixel is in the rectangle's upper
 * left cell. The cells of the rectangle are made blank, and the picture is visible in those that stay blank.
 * The caller keeps it. */
void surface_picture(struct surface *surface, struct rect rect, const struct pixmap *pixmap);

/* Make the cells of a rectangle blank. */
void surface_blank(struct surface *surface, struct rect rect);

/* True if (y, x) lies in the rectangle. */
bool rect_holds(struct rect rect, int y, int x);

/* Append the surface as lines of UTF-8 text without blanks at their ends, for tests. */
struct text;
void surface_dump(const struct surface *surface, struct text *text);

/* The maximum drawn size of a terminal: 550 lines of 2048 characters fill a screen of 8K with the smallest
 * letters. On a larger terminal only this part is drawn, since each character takes some 100 bytes. */
enum { TERMINAL_HIGH_MAX = 550, TERMINAL_WIDE_MAX = 2048 };

/* Braille characters, which have 4 x 2 dots each (Unicode block U+2800). */

#define BRAILLE_BLANK 0x2800
#define BRAILLE_HIGH 4
#define BRAILLE_WIDE 2

/* The bit of dot (y, x) of a character, y = 0 .. 3 from the top, x = 0 .. 1 from the left. */
unsigned braille_bit(int y, int x);

/* Return the character with the dots of these bits; for 0 it is U+2800, which is blank. */
uint32_t braille_character(unsigned bits);

#endif
