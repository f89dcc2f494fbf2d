#include "drawing/braille.h"

/* The first six dots are numbered down the columns, the lowest two came later (Unicode, chapter 21.1). */
unsigned braille_bit(int y, int x)
{
    static const unsigned char bits[BRAILLE_HIGH][BRAILLE_WIDE] = {
        {0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
    return bits[y][x];
}

uint32_t braille_character(unsigned bits)
{
    return 0x2800 + (bits & 0xff);
}
