#include "drawing/cells.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "drawing/braille.h"
#include "drawing/shade.h"

static struct cells *cells_of(struct canvas *canvas)
{
    return canvas->own;
}

static void put(struct cells *cells, long y, long x, enum colour colour)
{
    if (y < 0 || x < 0 || y >= cells->pixmap.high || x >= cells->pixmap.wide) return;
    pixmap_row(&cells->pixmap, (int)y)[x] = (uint8_t)colour;
}

/* What is smaller than a dot is one, so that it is seen. */
static void draw_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                           enum colour colour)
{
    struct cells *cells = cells_of(canvas);
    long left = lround(x), right = lround(x + wide), top = lround(y), bottom = lround(y + high);
    if (right <= left) right = left + 1;
    if (bottom <= top) bottom = top + 1;
    for (long r = top < 0 ? 0 : top; r < bottom && r < cells->pixmap.high; r++)
        for (long c = left < 0 ? 0 : left; c < right && c < cells->pixmap.wide; c++)
            put(cells, r, c, colour);
}

/* Draw a dot of a line, which is thicker where dots are pixels. */
static void draw_dot(struct cells *cells, double x, double y, enum colour colour, double thick)
{
    long size = cells->way == CELLS_PIXELS ? lround(thick) : 1;
    long left = (long)floor(x - (double)(size - 1) / 2), top = (long)floor(y - (double)(size - 1) / 2);
    for (long r = 0; r < (size < 1 ? 1 : size); r++)
        for (long c = 0; c < (size < 1 ? 1 : size); c++)
            put(cells, top + r, left + c, colour);
}

static void draw_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                      double thick, bool dashed)
{
    struct cells *cells = cells_of(canvas);
    double limit = 4. * (cells->pixmap.wide + cells->pixmap.high), done = 0;
    double dash = cells->way == CELLS_PIXELS ? 8 : cells->way == CELLS_BRAILLE ? 3 : 1;
    for (int k = 0; k + 1 < count; k++) {
        double wide = points[k + 1].x - points[k].x, high = points[k + 1].y - points[k].y;
        double steps = fmin(limit, ceil(fmax(fabs(wide), fabs(high))));
        for (double s = 0; s <= steps; s++) {
            double share = steps > 0 ? s / steps : 0;
            if (!dashed || fmod(done + s, 2 * dash) < dash)
                draw_dot(cells, points[k].x + share * wide, points[k].y + share * high, colour, thick);
        }
        done += steps;
    }
}

static void draw_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor,
                      enum colour colour, unsigned writing, const char *words)
{
    static const double shares[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    struct cells *cells = cells_of(canvas);
    int wide = surface_columns(words);
    int row = (int)floor(y / cells->per[0] - 0.25);
    int column = (int)lround(x / cells->per[1] - shares[anchor] * wide);
    if (row < 0 || row >= cells->surface.high) return;
    if (column + wide > cells->surface.wide) column = cells->surface.wide - wide;
    if (column < 0) column = 0;
    surface_text(&cells->surface, row, column, cells->surface.wide - column, colour,
                 writing & WRITING_BOLD ? ATTRIBUTE_BOLD : 0, "%s", words);
}

static void draw_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                       double high)
{
    struct cells *cells = cells_of(canvas);
    long left = lround(x), top = lround(y), right = left + lround(pixmap->wide * wide),
         bottom = top + lround(pixmap->high * high);
    for (long r = top; r < bottom && r < cells->pixmap.high; r++) {
        const uint8_t *row = pixmap_row(pixmap, (int)((double)(r - top) / high));
        for (long c = left; c < right && c < cells->pixmap.wide; c++) {
            enum colour colour = (enum colour)row[(int)((double)(c - left) / wide)];
            if (colour != COLOUR_TEXT) put(cells, r, c, colour);
        }
    }
}

static const struct canvas_kind cells_kind = {
    .rectangle = draw_rectangle, .line = draw_line, .text = draw_text, .image = draw_image};

enum status cells_begin(struct cells *cells, int high, int wide, enum cells_way way, const int *cell,
                        bool light, struct canvas *canvas, struct error *error)
{
    *cells = (struct cells){.way = way, .per = {1, 1}};
    if (way == CELLS_BRAILLE) {
        cells->per[0] = BRAILLE_HIGH;
        cells->per[1] = BRAILLE_WIDE;
    } else if (way == CELLS_PIXELS) {
        cells->per[0] = cell[0];
        cells->per[1] = cell[1];
    }
    enum status status = surface_resize(&cells->surface, high, wide, error);
    if (status == STATUS_OK)
        status = pixmap_resize(&cells->pixmap, high * cells->per[0], wide * cells->per[1], error);
    if (status != STATUS_OK) return status;
    memset(cells->pixmap.pixels, COLOUR_TEXT, (size_t)cells->pixmap.high * (size_t)cells->pixmap.wide);
    *canvas = (struct canvas){.kind = &cells_kind,
                              .wide = wide * cells->per[1],
                              .high = high * cells->per[0],
                              .column = cells->per[1],
                              .line = cells->per[0],
                              .tall = way == CELLS_ASCII ? 2 : 1,
                              .light = light,
                              .own = cells};
    return STATUS_OK;
}

/* Return the colour of most dots of a character, of several the one of the highest number, which is that of
 * the densest dots; *bits becomes those that are raised. */
static enum colour colour_of(const struct cells *cells, int y, int x, unsigned *bits)
{
    int votes[COLOUR_COUNT] = {0};
    enum colour most = COLOUR_TEXT;
    *bits = 0;
    for (int r = 0; r < BRAILLE_HIGH; r++)
        for (int c = 0; c < BRAILLE_WIDE; c++) {
            uint8_t pixel = pixmap_row(&cells->pixmap, y * BRAILLE_HIGH + r)[x * BRAILLE_WIDE + c];
            if (pixel == COLOUR_TEXT) continue;
            *bits |= braille_bit(r, c);
            votes[pixel]++;
        }
    for (int colour = COLOUR_TEXT + 1; colour < COLOUR_COUNT; colour++)
        if (votes[colour] && votes[colour] >= votes[most]) most = (enum colour)colour;
    return most;
}

/* Return the character of a dot: of densities that of their level, of axes a piece of a line, and of each
 * other colour one of its own, so that curves are told apart without colours. */
static uint32_t plain_character(const struct cells *cells, int y, int x)
{
    static const char marks[COLOUR_DENSITY] = {
        [COLOUR_TEXT] = ' ',   [COLOUR_TITLE] = '#', [COLOUR_ACCENT] = '*', [COLOUR_GOOD] = '+',
        [COLOUR_WARN] = '%',   [COLOUR_BAD] = '@',   [COLOUR_ROWS] = '#',   [COLOUR_COLS] = 'o',
        [COLOUR_CURSOR] = 'X', [COLOUR_MARK] = 'x',  [COLOUR_BAR] = '='};
    static const char letters[COLOUR_COUNT - COLOUR_PART + 1] =
        "ABCDEo.+ABCDEFabcdef"; /* as on the screens */
    const uint8_t *row = pixmap_row(&cells->pixmap, y);
    if (row[x] >= COLOUR_PART) return (unsigned char)letters[row[x] - COLOUR_PART];
    if (row[x] >= COLOUR_DENSITY) return shade_character((row[x] - COLOUR_DENSITY) % DENSITY_LEVELS, true);
    if (row[x] != COLOUR_DIM) return (unsigned char)marks[row[x]];
    bool beside =
        (x > 0 && row[x - 1] == COLOUR_DIM) || (x + 1 < cells->pixmap.wide && row[x + 1] == COLOUR_DIM);
    return beside ? '-' : '|';
}

void cells_end(struct cells *cells)
{
    for (int y = 0; cells->way != CELLS_PIXELS && y < cells->surface.high; y++)
        for (int x = 0; x < cells->surface.wide; x++) {
            struct cell *cell = &cells->surface.cells[(size_t)y * (size_t)cells->surface.wide + (size_t)x];
            unsigned bits = 0;
            if (cell->character != ' ') continue;
            if (cells->way == CELLS_ASCII) {
                cell->character = plain_character(cells, y, x);
                cell->foreground = pixmap_row(&cells->pixmap, y)[x];
                continue;
            }
            cell->foreground = (uint8_t)colour_of(cells, y, x, &bits);
            if (bits) cell->character = braille_character(bits);
        }
}

void cells_free(struct cells *cells)
{
    surface_free(&cells->surface);
    pixmap_free(&cells->pixmap);
}

/* Append the sequence after which characters have this look. */
static void append_look(struct text *out, enum palette palette, const struct look *look)
{
    text_append(out, "\033[0%s",
                look->attributes & LOOK_BOLD  ? ";1"
                : look->attributes & LOOK_DIM ? ";2"
                                              : "");
    if (look->foreground >= 0 && palette == PALETTE_8)
        text_append(out, ";3%d", look->foreground);
    else if (look->foreground >= 0 && palette == PALETTE_256)
        text_append(out, ";38;5;%d", look->foreground);
    else if (look->foreground >= 0)
        text_append(out, ";38;2;%d;%d;%d", look->foreground >> 16 & 255, look->foreground >> 8 & 255,
                    look->foreground & 255);
    text_append(out, "m");
}

/* Return how many cells of a row are not blank. */
static int used_of(const struct surface *surface, int y)
{
    int used = surface->wide;
    while (used > 0 && surface->cells[(size_t)y * (size_t)surface->wide + (size_t)used - 1].character == ' ')
        used--;
    return used;
}

int cells_write(const struct surface *surface, enum palette palette, bool light, struct text *out)
{
    int lines = surface->high;
    while (lines > 0 && used_of(surface, lines - 1) == 0)
        lines--;
    for (int y = 0; y < lines; y++) {
        int used = used_of(surface, y), before = -1;
        for (int x = 0; x < used; x++) {
            const struct cell *cell = &surface->cells[(size_t)y * (size_t)surface->wide + (size_t)x];
            int kind = cell->foreground << 8 | cell->attributes;
            if (palette != PALETTE_NONE && kind != before && cell->character != ' ') {
                struct look look = palette_look(palette, light, cell->foreground, COLOUR_TEXT,
                                                cell->attributes & ATTRIBUTE_BOLD ? (unsigned)LOOK_BOLD : 0);
                append_look(out, palette, &look);
                before = kind;
            }
            words_append_character(out, cell->character);
        }
        text_append(out, "%s\n", before >= 0 ? "\033[0m" : "");
    }
    return lines;
}
