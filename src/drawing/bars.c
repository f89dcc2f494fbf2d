#include "drawing/bars.h"

uint32_t bar_cell(double filled, bool upright, bool ascii)
{
    if (!(filled > 0)) return ' ';
    if (ascii) {
        if (filled >= 0.75) return '#';
        if (filled >= 0.375) return upright ? '=' : '+';
        return upright ? '_' : '|';
    }
    int eighths = filled >= 1 ? 8 : (int)(filled * 8 + 0.5);
    if (eighths < 1) eighths = 1;
    /* U+2581 .. U+2588 are filled from below, by 1 to 8 eighths; U+258F .. U+2588 from the left. */
    return upright ? 0x2580u + (unsigned)eighths : 0x2590u - (unsigned)eighths;
}

void bar_across(struct surface *surface, int y, int x, int wide, double length, enum colour colour,
                bool ascii)
{
    double cells = length * wide;
    for (int k = 0; k < wide && cells - k > 0; k++)
        surface_put(surface, y, x + k, bar_cell(k && cells - k < 1. / 16 ? 0 : cells - k, false, ascii),
                    colour, COLOUR_TEXT, 0);
}

void bar_line(struct surface *surface, int y, int x, int wide, double length, enum colour colour, bool ascii)
{
    double cells = length * wide;
    for (int k = 0; k < wide && cells - k > 0; k++) {
        bool whole = cells - k >= 0.75;
        if (k && cells - k < 0.25) break;
        surface_put(surface, y, x + k, ascii ? (whole ? '=' : '-') : (whole ? 0x2501 : 0x2578), colour,
                    COLOUR_TEXT, 0);
    }
}

void bar_upright(struct surface *surface, int bottom, int x, int high, double length, enum colour colour,
                 bool ascii)
{
    double cells = length * high;
    for (int k = 0; k < high && cells - k > 0; k++)
        surface_put(surface, bottom - k, x, bar_cell(k && cells - k < 1. / 16 ? 0 : cells - k, true, ascii),
                    colour, COLOUR_TEXT, 0);
}
