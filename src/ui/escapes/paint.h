/* Paint: few bytes that make a terminal replace one picture with another.
 *
 * Sent from left to right, a coloured picture costs mostly changes of colour. So the cells that differ are
 * sent ink by ink: a motion to the next cell of the same ink takes some 4 bytes, another colour 11. A blank
 * looks the same in every ink, so it takes the current one. No order of the inks is the shortest for all
 * pictures, so a picture is written in several orders, and the shortest is sent. This does not know curses,
 * and paints only terminals that understand ECMA-48. */
#ifndef SPARSIGHT_UI_ESCAPES_PAINT_H
#define SPARSIGHT_UI_ESCAPES_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "drawing/palette.h"

/* The character of a cell that shows a part of a picture of pixels: it is never rewritten merely to pass over
 * it. */
#define PAINT_PICTURE 0xa0

struct paint_cell {
    uint32_t character; /* one column wide */
    struct look look;
};

/* Maximum number of inks of a picture; one with more is not painted. */
#define PAINT_INKS 1024

/* Commands for the terminal. A string is empty if the terminal has no such command. */
struct paint_words {
    char normal[32];        /* switches all attributes off; with `plain` it restores the default colours,
                               too */
    bool plain;             /* `normal` is ECMA-48's ESC [ m */
    char no_colours[32];    /* the default colours */
    char attributes[4][16]; /* switches on each bit of enum look_attribute */
    char no_underline[16];  /* switches off LOOK_UNDERLINE alone */
    bool to_column;         /* CHA: ESC [ n G */
    bool to_right;          /* CUF: ESC [ n C */
    bool to_left;           /* CUB: ESC [ n D */
    bool down;              /* a line feed moves down a line and keeps the column */
    bool lines_down;        /* CUD: ESC [ n B */
    bool lines_up;          /* CUU: ESC [ n A */
    bool tabs;              /* a tab moves right to the next multiple of 8 columns, and erases nothing */
    bool erase;             /* ECH: ESC [ n X */
    bool erase_line;        /* EL: ESC [ K */
    /* Write the command that sets a colour, as palette_look numbers it. */
    void (*colour)(char *out, size_t size, int number, bool background);
};

struct paint_ink {
    struct look look;
    int64_t first, last; /* the cells to be painted in it, linked by `next`; -1 if there are none */
};

/* A painter. Start with {0}. */
struct paint {
    int high, wide;
    bool known; /* `shown` equals the content of the terminal */
    struct paint_cell *shown;
    struct paint_cell *wanted; /* high x wide cells, to be filled in before paint_update */
    struct paint_part *parts;  /* high x wide */
    struct paint_ink *inks;
    int ink_count;
    int *found; /* 2 * PAINT_INKS numbers of inks by their hash, or -1 */
    struct text out;
    struct text trial; /* the bytes of another order of the inks */
};

/* Set the painter's size. The terminal's content becomes unknown. On failure `wanted` is NULL and nothing may
 * be painted. STATUS_MEMORY. */
enum status paint_resize(struct paint *paint, int high, int wide, struct error *error);
void paint_free(struct paint *paint);

/* Write into paint->out the bytes that make the terminal show `wanted` instead of `shown`; none if they look
 * the same. They begin and end with normal text and the cursor at (y, x). Returns false if `shown` is not
 * known, there are too many inks, or there is no memory; then `shown` becomes unknown. O(high x wide). */
bool paint_update(struct paint *paint, const struct paint_words *words, int y, int x);

/* Record that others have made the terminal show `wanted`. */
void paint_shown(struct paint *paint);

#endif
