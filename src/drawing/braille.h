/* Braille characters, which have 4 x 2 dots each (Unicode block U+2800). */
#ifndef SPARSIGHT_DRAWING_BRAILLE_H
#define SPARSIGHT_DRAWING_BRAILLE_H

#include <stdint.h>

#define BRAILLE_BLANK 0x2800
#define BRAILLE_HIGH 4
#define BRAILLE_WIDE 2

/* The bit that stands for dot (y, x) of a character, y = 0 .. 3 from the top, x = 0 .. 1 from the left. */
unsigned braille_bit(int y, int x);

/* The character whose dots are those of these bits; for 0 that is U+2800, the blank one. */
uint32_t braille_character(unsigned bits);

#endif
