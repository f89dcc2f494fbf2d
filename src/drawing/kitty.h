/* The commands of kitty's graphics protocol, which other terminals have taken over ("Terminal graphics
 * protocol", of kitty's manual). An image is sent once under a number, as a PNG file, and then placed: any
 * part of it, as often as wanted. None of the commands is answered. */
#ifndef SPARSIGHT_DRAWING_KITTY_H
#define SPARSIGHT_DRAWING_KITTY_H

#include "base/text.h"
#include "drawing/pixmap.h"

/* So many bytes of a picture are in a command at most. */
#define KITTY_CHUNK 4096

/* Append the commands that send a picture as image number `id`, instead of an earlier one with that number
 * and its placements. Of an empty picture nothing is appended. */
void kitty_send(const struct pixmap *pixmap, const struct pixmap_colours *colours, int id, struct text *out);

/* Append the command that shows part of an image, pixel by pixel, with its upper left pixel in that of the
 * cursor's cell; under the characters that stand there, which stay. `placement` numbers the placements of
 * the image from 1. */
void kitty_place(int id, int placement, struct rect part, struct text *out);

/* Append the command that removes a placement of an image, or an image and all its placements. */
void kitty_remove(int id, int placement, struct text *out);
void kitty_delete(int id, struct text *out);

#endif
