#include "drawing/braille.h"

/* Bits 0 to 5 go down the left column and then the right one; the two dots at the bottom were added later and
 * have bits 6 and 7 (The Unicode Standard, section 21.1). */
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
