/* Paint: what is to be sent to a terminal so that one picture takes the place of another, in few bytes.
 *
 * Most of what a coloured picture costs from left to right is the changes of colour. So what differs is sent
 * one ink after the other: a motion to the next place of the same ink takes some 4 bytes, another colour 11.
 * A blank looks the same in every ink, so that it takes the ink that is being used. Nothing here knows
 * curses, and none but terminals that understand ECMA-48 are painted so. */
#ifndef SPARSIGHT_UI_ESCAPES_PAINT_H
#define SPARSIGHT_UI_ESCAPES_PAINT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "drawing/palette.h"

/* The character of a cell that shows a part of a picture of pixels: it is not written again on the way to
 * another cell. */
#define PAINT_PICTURE 0xa0

struct paint_cell {
    uint32_t character; /* one column wide */
    struct look look;
};

/* Maximum number of inks of a picture; one with more is not painted. */
#define PAINT_INKS 1024

/* Commands for the terminal. A string is empty if the terminal has no such command. */
struct paint_words {
    char normal[32];        /* all attributes off, and perhaps colours */
    char no_colours[32];    /* the default colours */
    char attributes[4][16]; /* that of each bit of enum look_attribute on */
    bool to_column;         /* CHA: ESC [ n G */
    bool to_right;          /* CUF: ESC [ n C */
    bool down;              /* a line feed goes down a line and stays in its column */
    bool erase;             /* ECH: ESC [ n X */
    bool erase_line;        /* EL: ESC [ K */
    /* Write the command that sets a colour, as palette_look numbers it. */
    void (*colour)(char *out, size_t size, int number, bool background);
};

struct paint_ink {
    struct look look;
    int64_t first, last; /* the cells to be painted in it, linked by `next`; -1 stands for none */
};

/* A painter. Start with {0}. */
struct paint {
    int high, wide;
    bool known; /* `shown` is what the terminal shows */
    struct paint_cell *shown;
    struct paint_cell *wanted; /* high x wide cells, to be filled in before paint_update */
    struct paint_part *parts;  /* high x wide */
    struct paint_ink *inks;
    int ink_count;
    int *found; /* 2 * PAINT_INKS numbers of inks by their hash, or -1 */
    struct text out;
};

/* Give the painter this size. The terminal's content becomes unknown. On failure `wanted` is NULL and nothing
 * may be painted. STATUS_MEMORY. */
enum status paint_resize(struct paint *paint, int high, int wide, struct error *error);
void paint_free(struct paint *paint);

/* Write into paint->out what makes the terminal show `wanted` instead of `shown`, beginning and ending with
 * normal text and the cursor at (y, x); nothing if they look the same. Returns false, and what is shown
 * becomes unknown, if `shown` is not known, there are too many inks, or there is no memory. O(high x wide).
 */
bool paint_update(struct paint *paint, const struct paint_words *words, int y, int x);

/* The terminal has been made to show `wanted` by others. */
void paint_shown(struct paint *paint);

#endif
