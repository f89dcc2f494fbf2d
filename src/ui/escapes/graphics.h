/* Find from a terminal's answers whether it shows pixels, and by which protocol. This does not know
 * curses. */
#ifndef SPARSIGHT_UI_ESCAPES_GRAPHICS_H
#define SPARSIGHT_UI_ESCAPES_GRAPHICS_H

#include <stdbool.h>

#include "base/error.h"

/* The user's choice. */
enum graphics_wish {
    GRAPHICS_ASKED, /* the first that the terminal's answers admit: kitty's protocol, sixels, none */
    GRAPHICS_KITTY, /* this protocol, without asking */
    GRAPHICS_SIXEL,
    GRAPHICS_NONE,
};

/* The answers of the terminal. A number is 0 if the terminal did not send it. */
struct graphics {
    bool kitty, sixel; /* the terminal supports kitty's protocol; it supports sixels */
    int cell[2];       /* pixels from the top of a cell to its bottom, and from left to right */
    int registers;     /* colours of a sixel picture */
    int largest[2];    /* pixels of the largest sixel picture, down and to the right */
};

/* A question that every terminal answers, and which is therefore asked last: primary device attributes
 * (ECMA-48, section 8.3.24). Attribute 4 of the answer means sixels. */
#define GRAPHICS_FENCE "\033[c"

/* The other questions: the size of a cell (CSI 16 t), the registers and the largest picture of sixels
 * (XTSMGRAPHICS), all three of "XTerm Control Sequences"; and whether an image of one pixel would be shown,
 * of kitty's "Terminal graphics protocol". A terminal does not answer a question that it does not know. */
#define GRAPHICS_QUESTION "\033[16t\033[?1;1;0S\033[?2;1;0S"
#define GRAPHICS_CELL_QUESTION "\033[16t"
#define GRAPHICS_KITTY_QUESTION "\033_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\033\\"

/* The kind of answer that the bytes after ESC are. */
enum answer {
    ANSWER_NONE,    /* no answer begins so: they are keys */
    ANSWER_PARTIAL, /* an answer may begin so */
    ANSWER_BACKGROUND,
    ANSWER_CELL,
    ANSWER_SIXEL, /* registers, or the largest picture */
    ANSWER_KITTY,
    ANSWER_FENCE,
};

/* Longer byte strings are no answers. */
#define ANSWER_MAX 128

/* Return the kind of the bytes that follow ESC. */
enum answer answer_kind(const char *bytes);

/* Read an answer of one of the last four kinds; implausible numbers are ignored. */
void graphics_take(struct graphics *graphics, enum answer kind, const char *bytes);

/* Read the user's choice: auto, kitty, sixel or none; STATUS_USAGE for anything else. */
enum status graphics_read(const char *text, enum graphics_wish *wish, struct error *error);

#endif
