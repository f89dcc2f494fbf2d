/* Pictures as sixels, which the terminals of the VT340's line show: a character stands for six pixels above
 * each other ("VT330/VT340 Programmer Reference Manual", volume 2, chapter 14). */
#ifndef SPARSIGHT_DRAWING_SIXEL_H
#define SPARSIGHT_DRAWING_SIXEL_H

#include "base/text.h"
#include "drawing/pixmap.h"

/* Append part of a picture, whose upper left pixel the terminal puts into that of its cursor's cell. Pixels
 * that are left out keep what the terminal shows there. Colours that look the same share a register, so that
 * no more registers are used than there are different colours in the part; they are numbered from 0. Of an
 * empty part nothing is appended. O(pixels + wide * colours * high / 6). */
void sixel_write(const struct pixmap *pixmap, struct rect part, const struct pixmap_colours *colours,
                 struct text *out);

#endif
