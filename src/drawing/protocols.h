/* The protocols for sending pictures of pixels to terminals. */
#ifndef SPARSIGHT_DRAWING_PROTOCOLS_H
#define SPARSIGHT_DRAWING_PROTOCOLS_H

#include "base/text.h"
#include "drawing/pixmap.h"

/* The commands of kitty's graphics protocol, which other terminals have taken over ("Terminal graphics
 * protocol", of kitty's manual). An image is sent once under a number, as a PNG file. Then any part of it can
 * be placed repeatedly. No command requests an answer. */

/* Maximum bytes of a picture in one command. */
#define KITTY_CHUNK 4096

/* Append the commands that send a picture as image number `id`, instead of an earlier one with that number
 * and its placements. Of an empty picture nothing is appended. */
void kitty_send(const struct pixmap *pixmap, const struct pixmap_colours *colours, int id, struct text *out);

/* Append the command that shows part of an image, pixel by pixel, with its upper left pixel in that of the
 * cursor's cell; it lies below existing characters. `placement` numbers the placements of the image from
 * 1. */
void kitty_place(int id, int placement, struct rect part, struct text *out);

/* Append the command that removes a placement of an image, or an image and all its placements. */
void kitty_remove(int id, int placement, struct text *out);
void kitty_delete(int id, struct text *out);

/* Pictures as sixels, for terminals that follow the VT340: a character encodes six pixels above each other
 * ("VT330/VT340 Programmer Reference Manual", volume 2, chapter 14). */

/* Append part of a picture, whose upper left pixel the terminal puts at the upper left pixel of its cursor's
 * cell. Pixels that are left out do not change the terminal. Colours that look the same share a register, so
 * that the number of registers is the number of different colours in the part; they are numbered from 0. An
 * empty part appends nothing. O(pixels + wide * colours * high / 6). */
void sixel_write(const struct pixmap *pixmap, struct rect part, const struct pixmap_colours *colours,
                 struct text *out);

#endif
