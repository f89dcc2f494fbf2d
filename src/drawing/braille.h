/* Braille characters as 2 x 4 dots each (Unicode block U+2800). */
#ifndef SPARSIGHT_DRAWING_BRAILLE_H
#define SPARSIGHT_DRAWING_BRAILLE_H

#include <stdint.h>

#define BRAILLE_HIGH 4
#define BRAILLE_WIDE 2

/* The bit of dot (y, x) of a character, y in 0..3 from the top, x in 0..1 from the left. */
unsigned braille_bit(int y, int x);

/* The character with these bits set; U+2800, the blank one, for 0. */
uint32_t braille_character(unsigned bits);

#endif
