#include "drawing/plot.h"

#include <math.h>

#include "drawing/braille.h"

/* The row of dots, counted from the top, of a height. */
static int dot_row(double height, int rows)
{
    height = height < 0 ? 0 : height > 1 ? 1 : height;
    return (int)lround((1 - height) * (rows - 1));
}

/* Add dots to the character at (y, x), which is a braille one if a curve has passed there already. */
static void add_bits(struct surface *surface, int y, int x, unsigned bits, enum colour colour)
{
    if (y < 0 || x < 0 || y >= surface->high || x >= surface->wide) return;
    uint32_t there = surface->cells[y * surface->wide + x].character;
    if (there > 0x2800 && there < 0x2900) bits |= there - 0x2800;
    surface_put(surface, y, x, braille_character(bits), colour, COLOUR_TEXT, 0);
}

/* Draw a column of dots from row `from` to row `to`. */
static void add_column(struct surface *surface, struct rect rect, int dot, int from, int to,
                       enum colour colour)
{
    if (from > to) {
        int swap = from;
        from = to;
        to = swap;
    }
    for (int cy = from / BRAILLE_HIGH; cy <= to / BRAILLE_HIGH; cy++) {
        unsigned bits = 0;
        for (int y = 0; y < BRAILLE_HIGH; y++)
            if (cy * BRAILLE_HIGH + y >= from && cy * BRAILLE_HIGH + y <= to)
                bits |= braille_bit(y, dot % BRAILLE_WIDE);
        add_bits(surface, rect.top + cy, rect.left + dot / BRAILLE_WIDE, bits, colour);
    }
}

static void draw_curve(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                       bool ascii, char mark, bool dashed)
{
    if (rect.high < 1) return;
    if (ascii) {
        for (int x = 0; x < rect.wide; x++)
            surface_put(surface, rect.top + dot_row(heights[2 * x], rect.high), rect.left + x,
                        (unsigned char)mark, colour, COLOUR_TEXT, 0);
        return;
    }
    int before = -1;
    for (int k = 0; k < rect.wide * BRAILLE_WIDE; k++) {
        int row = dot_row(heights[k], rect.high * BRAILLE_HIGH);
        /* The dots between this height and the one before join the two. */
        int from = before < 0 || before == row ? row : before < row ? before + 1 : before - 1;
        if (!dashed || k / BRAILLE_WIDE % 2 == 0) add_column(surface, rect, k, from, row, colour);
        before = row;
    }
}

void plot_curve(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                bool ascii, char mark)
{
    draw_curve(surface, rect, heights, colour, ascii, mark, false);
}

void plot_dashed(struct surface *surface, struct rect rect, const double *heights, enum colour colour,
                 bool ascii, char mark)
{
    draw_curve(surface, rect, heights, colour, ascii, mark, true);
}

void plot_axes(struct surface *surface, struct rect rect, bool ascii, int label_wide, const char *top,
               const char *bottom)
{
    for (int y = 0; y < rect.high; y++)
        surface_put(surface, rect.top + y, rect.left - 1, ascii ? '|' : 0x2502, COLOUR_DIM, COLOUR_TEXT, 0);
    surface_put(surface, rect.top + rect.high, rect.left - 1, ascii ? '+' : 0x2514, COLOUR_DIM, COLOUR_TEXT,
                0);
    for (int x = 0; x < rect.wide; x++)
        surface_put(surface, rect.top + rect.high, rect.left + x, ascii ? '-' : 0x2500, COLOUR_DIM,
                    COLOUR_TEXT, 0);
    int left = rect.left - 1 - label_wide;
    surface_text_right(surface, rect.top, left, label_wide, COLOUR_DIM, 0, "%s", top);
    surface_text_right(surface, rect.top + rect.high - 1, left, label_wide, COLOUR_DIM, 0, "%s", bottom);
}
