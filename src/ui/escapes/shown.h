/* The picture of pixels that the terminal shows, and its updates. Curses does not know it: curses writes
 * characters into cells, which remove a sixel picture from these cells, and lie over a kitty image. */
#ifndef SPARSIGHT_UI_ESCAPES_SHOWN_H
#define SPARSIGHT_UI_ESCAPES_SHOWN_H

#include <stdbool.h>

#include "base/text.h"
#include "drawing/pixmap.h"
#include "ui/escapes/graphics.h"

/* The protocol in which pictures are sent. */
enum graphics_way { WAY_NONE, WAY_KITTY, WAY_SIXEL };

/* The images of kitty's protocol use these two numbers in turn. A new one is placed before the old one is
 * removed. */
#define SHOWN_IMAGE 7301

/* Removes both from the terminal. It can be written at any time: its first two bytes end a picture that was
 * not sent to its end. */
#define SHOWN_REMOVE "\033\\\033_Ga=d,d=I,i=7301,q=2\033\\\033_Ga=d,d=I,i=7302,q=2\033\\"

/* Start with {0}: nothing is shown. */
struct shown {
    enum graphics_way way; /* the protocol in which the picture was sent */
    struct pixmap pixmap;  /* a copy of it; owned */
    struct pixmap_colours colours;
    int cell[2];                 /* pixels of a cell, */
    struct rect cells;           /* and the cells it takes */
    unsigned char *there, *want; /* for each cell: the terminal shows the picture, should show it; owned */
    size_t capacity;             /* of these two */
    int image;                   /* the kitty image that is shown, 0 or 1 */
    int placements;              /* number of its placements */
    int patches;                 /* sixel pictures that were sent over the first one */
};

/* Append the bytes that make a terminal show the surface's picture in all cells with ATTRIBUTE_PIXELS, and
 * only there. The terminal has just received the surface's characters. A shown picture is not sent again; of
 * a sixel picture, only cells that characters have overwritten are. Curses has written the cells that have
 * lost the attribute, which has removed sixels there. If memory is lacking, no picture is shown. */
void shown_update(struct shown *shown, const struct surface *surface, enum graphics_way way,
                  const struct graphics *graphics, const struct pixmap_colours *colours, struct text *out);

/* True if a sixel picture should be sent as a whole again when there is nothing else to do: xterm keeps at
 * most 16 pictures, so patches would make it forget the first one when it redraws its window. */
bool shown_is_patched(const struct shown *shown);

/* Append the bytes that send it as a whole again. */
void shown_renew(struct shown *shown, const struct graphics *graphics, struct text *out);

/* Append the bytes that remove the picture from the terminal. The next shown_update sends it again. */
void shown_remove(struct shown *shown, struct text *out);

void shown_free(struct shown *shown);

#endif
