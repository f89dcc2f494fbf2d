#include "drawing/screen.h"

#include <math.h>

#include "base/words.h"
#include "drawing/surface.h"

#define RUN_MAX 500 /* bytes of a text that is written at once */

void screen_size(const struct surface *surface, int *wide, int *high)
{
    *wide = (int)ceil(surface->wide * CANVAS_EVEN) + 2 * CANVAS_LINE;
    *high = surface->high * CANVAS_LINE + 2 * CANVAS_LINE;
}

/* The colours of a cell; reversed ones are exchanged. */
static enum colour background_of(const struct cell *cell)
{
    if (!(cell->attributes & ATTRIBUTE_REVERSE)) return (enum colour)cell->background;
    return cell->foreground == COLOUR_TEXT ? COLOUR_DIM : (enum colour)cell->foreground;
}

static bool alike(const struct cell *a, const struct cell *b)
{
    return a->foreground == b->foreground && a->background == b->background && a->attributes == b->attributes;
}

/* Draw the dots of a Braille character, which many fonts lack. */
static void draw_braille(struct canvas *canvas, double x, double y, unsigned bits, enum colour colour)
{
    double wide = CANVAS_EVEN / BRAILLE_WIDE, high = (double)CANVAS_LINE / BRAILLE_HIGH;
    for (int r = 0; r < BRAILLE_HIGH; r++)
        for (int c = 0; c < BRAILLE_WIDE; c++)
            if (bits & braille_bit(r, c))
                canvas_rectangle(canvas, x + (c + 0.2) * wide, y + (r + 0.2) * high, 0.6 * wide, 0.6 * high,
                                 colour);
}

/* True for the characters of bars, where both colours carry information. */
static bool is_block(uint32_t character)
{
    return character >= 0x2580 && character <= 0x259f;
}

/* The colour of a text in cells first .. end-1, which have one look. On a coloured background, a text that
 * would not be legible in its own colour is black or white. */
static int ink_of(const struct canvas *canvas, const struct cell *cells, int first, int end,
                  enum colour background)
{
    static const int black = 0x101010, white = 0xffffff;
    const int ground =
        background == COLOUR_TEXT ? canvas_background(canvas->light) : canvas_rgb(canvas->light, background);
    const int own = canvas_rgb(canvas->light, (enum colour)cells[first].foreground);
    if (background == COLOUR_TEXT || canvas_contrast(own, ground) >= CANVAS_CONTRAST) return own;
    for (int k = first; k < end; k++)
        if (is_block(cells[k].character)) return own;
    return canvas_contrast(black, ground) > canvas_contrast(white, ground) ? black : white;
}

/* Draw columns first .. end-1 of row y, which have the same look. */
static void draw_run(const struct surface *surface, struct canvas *canvas, int y, int first, int end)
{
    const struct cell *row = &surface->cells[(size_t)y * (size_t)surface->wide], *cell = &row[first];
    double x = CANVAS_LINE + first * CANVAS_EVEN, top = CANVAS_LINE + y * CANVAS_LINE;
    enum colour background = background_of(cell);
    char words[RUN_MAX + 4];
    size_t used = 0;
    if (background != COLOUR_TEXT)
        canvas_rectangle(canvas, x, top, (end - first) * CANVAS_EVEN, CANVAS_LINE, background);
    for (int k = first; k < end && used < RUN_MAX; k++) {
        bool braille = row[k].character >> 8 == BRAILLE_BLANK >> 8;
        if (braille)
            draw_braille(canvas, CANVAS_LINE + k * CANVAS_EVEN, top, row[k].character & 255,
                         (enum colour)cell->foreground);
        used += (size_t)words_encode(braille ? ' ' : row[k].character, words + used);
    }
    while (used > 0 && words[used - 1] == ' ')
        used--;
    words[used] = 0;
    canvas->ink = ink_of(canvas, row, first, end, background);
    canvas_text(canvas, x, top + CANVAS_LINE / 2., ANCHOR_START, (enum colour)cell->foreground,
                WRITING_EVEN | (cell->attributes & ATTRIBUTE_BOLD ? WRITING_BOLD : 0), "%s", words);
    canvas->ink = 0;
}

void screen_draw(const struct surface *surface, const int *cell, struct canvas *canvas)
{
    if (surface->pixmap && cell && cell[0] > 0 && cell[1] > 0)
        canvas_image(canvas, CANVAS_LINE + surface->pixmap_x * CANVAS_EVEN,
                     CANVAS_LINE + surface->pixmap_y * CANVAS_LINE, surface->pixmap, CANVAS_EVEN / cell[1],
                     (double)CANVAS_LINE / cell[0]);
    for (int y = 0; y < surface->high; y++) {
        const struct cell *row = &surface->cells[(size_t)y * (size_t)surface->wide];
        for (int x = 0, end; x < surface->wide; x = end) {
            for (end = x + 1; end < surface->wide && alike(&row[x], &row[end]); end++)
                ;
            int first = x;
            while (first < end && row[first].character == ' ' && background_of(&row[first]) == COLOUR_TEXT)
                first++;
            /* Longer texts are written in several pieces. */
            for (int k = first, next; k < end; k = next) {
                next = k + RUN_MAX / 3 < end ? k + RUN_MAX / 3 : end;
                draw_run(surface, canvas, y, k, next);
            }
        }
    }
}
