#include "drawing/bars.h"

#include <math.h>

uint32_t bar_cell(double filled, bool upright, bool ascii)
{
    static const char rising[] = ".:-=+*%#"; /* by ink, in eighths */
    if (!(filled > 0)) return ' ';
    int eighths = filled >= 1 ? 8 : (int)(filled * 8 + 0.5);
    if (eighths < 1) eighths = 1;
    if (ascii && upright) return (unsigned char)rising[eighths - 1];
    if (ascii) return filled >= 0.75 ? '#' : filled >= 0.375 ? '+' : '|';
    /* U+2581 .. U+2588 are filled from below, by 1 to 8 eighths; U+258F .. U+2588 from the left. */
    return upright ? 0x2580u + (unsigned)eighths : 0x2590u - (unsigned)eighths;
}

/* The character for a cell of a heavy line, likewise. */
static uint32_t line_cell(double filled, bool ascii)
{
    bool whole = filled >= 0.75;
    if (!(filled > 0)) return ' ';
    if (ascii) return whole ? '=' : '-';
    return whole ? 0x2501 : 0x2578;
}

/* The character of cell k if `left` cells of the bar remain; ' ' if the remainder of a begun bar is too thin
 * to be visible. */
static uint32_t character(const struct bar *bar, double left, bool first)
{
    double least = bar->kind == BAR_LINE ? 0.25 : 1. / 16;
    if (!(left > 0) || (!first && left < least)) return ' ';
    if (bar->kind == BAR_LINE) return line_cell(left, bar->ascii);
    if (bar->ascii && bar->track) return left < 0.5 ? ' ' : bar->plain ? (unsigned char)bar->plain : '#';
    uint32_t cell = bar_cell(left, bar->kind == BAR_UPRIGHT, bar->ascii);
    return cell == '#' && bar->plain ? (unsigned char)bar->plain : cell;
}

void bar_draw(struct surface *surface, const struct bar *bar)
{
    struct rect cells = bar->rect;
    bool upright = bar->kind == BAR_UPRIGHT;
    if (bar->label) {
        surface_text(surface, cells.top, cells.left, bar->label_wide, bar->label_colour,
                     bar->label_attributes, "%s", bar->label);
        cells.left += bar->label_wide;
        cells.wide -= bar->label_wide;
    }
    int count = upright ? cells.high : cells.wide, start = (int)lround(bar->start * count);
    double filled = bar->length * count;
    if (start >= count) start = count - 1;
    for (int k = start; k < count; k++) {
        uint32_t cell = character(bar, filled - (k - start), k == start);
        enum colour colour = cell == ' ' ? COLOUR_DIM : bar->colour;
        if (cell == ' ' && !bar->track) break;
        if (cell == ' ') cell = bar->ascii ? '.' : 0x2591;
        for (int x = 0; x < (upright ? cells.wide : 1); x++)
            surface_put(surface, upright ? cells.top + cells.high - 1 - k : cells.top,
                        upright ? cells.left + x : cells.left + k, cell, colour, COLOUR_TEXT, 0);
    }
}
