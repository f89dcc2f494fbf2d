#include "drawing/cells.h"

#include <math.h>
#include <string.h>

#include "base/words.h"
#include "drawing/bars.h"
#include "drawing/shade.h"
#include "drawing/surface.h"

static struct cells *cells_of(struct canvas *canvas)
{
    return canvas->own;
}

/* Return the cell of the surface that is character (y, x) of the rectangle; NULL outside. */
static struct cell *cell_at(const struct cells *cells, long y, long x)
{
    const struct surface *surface = cells->surface;
    if (y < 0 || x < 0 || y >= cells->rect.high || x >= cells->rect.wide) return NULL;
    y += cells->rect.top;
    x += cells->rect.left;
    if (y < 0 || x < 0 || y >= surface->high || x >= surface->wide) return NULL;
    return &surface->cells[(size_t)y * (size_t)surface->wide + (size_t)x];
}

static void set_cell(struct cell *cell, uint32_t character, enum colour colour)
{
    if (cell) *cell = (struct cell){.character = character, .foreground = (uint8_t)colour};
}

/* Return the character of a dot: for densities that of their level, for each other colour a different one, so
 * that curves are distinguishable without colours. */
static uint32_t plain_character(enum colour colour)
{
    static const char marks[COLOUR_DENSITY] = {
        [COLOUR_TEXT] = '.', [COLOUR_DIM] = '-',    [COLOUR_TITLE] = '#', [COLOUR_ACCENT] = '*',
        [COLOUR_GOOD] = '+', [COLOUR_WARN] = '%',   [COLOUR_BAD] = '@',   [COLOUR_ROWS] = '#',
        [COLOUR_COLS] = 'o', [COLOUR_CURSOR] = 'X', [COLOUR_MARK] = 'x',  [COLOUR_BAR] = '='};
    static const char letters[COLOUR_COUNT - COLOUR_PART + 1] =
        "ABCDEo.+ABCDEFabcdef"; /* as on the screens */
    if (colour >= COLOUR_PART) return (unsigned char)letters[colour - COLOUR_PART];
    if (colour >= COLOUR_DENSITY) return shade_character((colour - COLOUR_DENSITY) % DENSITY_LEVELS, true);
    return (unsigned char)marks[colour];
}

/* Set dots of a character that is blank or already has dots. */
static void add_bits(struct cell *cell, unsigned bits, enum colour colour)
{
    bool dots = cell && cell->character >> 8 == BRAILLE_BLANK >> 8;
    if (!bits || !cell || (cell->character != ' ' && !dots)) return;
    set_cell(cell, braille_character(bits | (dots ? cell->character & 255 : 0)), colour);
}

/* Colour the upper or the lower half of a character. */
static void put_half(struct cell *cell, bool lower, enum colour colour)
{
    const bool upper_first = cell->character == 0x2580, whole = cell->character == 0x2588;
    enum colour half[2] = {whole || upper_first ? (enum colour)cell->foreground : COLOUR_TEXT,
                           upper_first                          ? (enum colour)cell->background
                           : whole || cell->character == 0x2584 ? (enum colour)cell->foreground
                                                                : COLOUR_TEXT};
    half[lower] = colour;
    if (half[0] == half[1])
        set_cell(cell, half[0] == COLOUR_TEXT ? ' ' : 0x2588, half[0]);
    else
        set_cell(cell, half[0] == COLOUR_TEXT ? 0x2584 : 0x2580, half[half[0] == COLOUR_TEXT]);
    if (half[0] != half[1] && half[0] != COLOUR_TEXT) cell->background = (uint8_t)half[1];
}

/* Draw a dot. If dots are ASCII characters, it is the character `mark`. */
static void put(struct cells *cells, long y, long x, enum colour colour, uint32_t mark)
{
    if (y < 0 || x < 0) return;
    struct cell *cell = cell_at(cells, y / cells->per[0], x / cells->per[1]);
    if (cells->way == CELLS_ASCII)
        set_cell(cell, mark, colour);
    else if (cells->way == CELLS_HALVES && cell)
        put_half(cell, y % 2, colour);
    else if (cells->way == CELLS_BRAILLE)
        add_bits(cell, braille_bit((int)(y % BRAILLE_HIGH), (int)(x % BRAILLE_WIDE)), colour);
    else if (y < cells->pixmap.high && x < cells->pixmap.wide)
        pixmap_row(&cells->pixmap, (int)y)[x] = (uint8_t)colour;
}

/* Anything smaller than a dot becomes one dot, so that it is visible. */
static void draw_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                           enum colour colour)
{
    struct cells *cells = cells_of(canvas);
    long left = lround(x), right = lround(x + wide), top = lround(y), bottom = lround(y + high);
    if (right <= left) right = left + 1;
    if (bottom <= top) bottom = top + 1;
    for (long r = top < 0 ? 0 : top; r < bottom && r < cells->rect.high * cells->per[0]; r++)
        for (long c = left < 0 ? 0 : left; c < right && c < cells->rect.wide * cells->per[1]; c++)
            put(cells, r, c, colour, canvas->mark ? canvas->mark : plain_character(colour));
}

/* Draw a bar in eighths of characters. If it ends on another bar, both are visible; without background
 * colours, the one with the larger share of the character. */
static void draw_bar(struct canvas *canvas, double x, double y, double wide, double high, enum colour colour,
                     bool upright)
{
    struct cells *cells = cells_of(canvas);
    bool ascii = cells->way == CELLS_ASCII;
    long left = lround(x / cells->per[1]), right = lround((x + wide) / cells->per[1]);
    long row = upright ? lround((y + high) / cells->per[0]) - 1 : (long)floor((y + high / 2) / cells->per[0]);
    double all = upright ? high / cells->per[0] : wide / cells->per[1];
    for (int k = 0; all - k > (k ? 1. / 16 : 0); k++)
        for (long c = left; c <= left || (upright && c < right); c++) {
            struct cell *cell = upright ? cell_at(cells, row - k, c) : cell_at(cells, row, c + k);
            bool over = cell && cell->character == 0x2588 && all - k < 1 && !ascii;
            uint8_t behind = over && cells->shades ? cell->foreground : COLOUR_TEXT;
            double filled = over && !cells->shades ? (all - k >= 0.5 || k == 0) : all - k;
            uint32_t character = bar_cell(filled, upright, ascii);
            if (ascii && colour == COLOUR_DIM) character = all - k > 0.5 ? ':' : '.';
            if (!cell || !(filled > 0)) continue;
            set_cell(cell, character, colour);
            cell->background = behind;
        }
}

/* The axes are in the column before the rectangle, and in the line below it. */
static void draw_axes(struct canvas *canvas, double x, double y, double wide, double high,
                      const struct canvas_ticks *across, const struct canvas_ticks *up)
{
    struct cells *cells = cells_of(canvas);
    bool ascii = cells->way == CELLS_ASCII;
    long left = lround(x / cells->per[1]), right = lround((x + wide) / cells->per[1]),
         top = lround(y / cells->per[0]), bottom = lround((y + high) / cells->per[0]);
    for (long r = top; r < bottom; r++)
        set_cell(cell_at(cells, r, left - 1), ascii ? '|' : 0x2502, COLOUR_DIM);
    for (long c = left; c < right; c++)
        set_cell(cell_at(cells, bottom, c), ascii ? '-' : 0x2500, COLOUR_DIM);
    set_cell(cell_at(cells, bottom, left - 1), ascii ? '+' : 0x2514, COLOUR_DIM);
    for (int k = 0; k < up->count; k++)
        set_cell(cell_at(cells, (long)floor(up->at[k] / cells->per[0]), left - 1), ascii ? '+' : 0x2524,
                 COLOUR_DIM);
    for (int k = 0; k < across->count; k++)
        set_cell(cell_at(cells, bottom, (long)floor(across->at[k] / cells->per[1])), ascii ? '+' : 0x252c,
                 COLOUR_DIM);
}

/* Draw a dot of a line, which is thicker if dots are pixels. */
static void draw_dot(struct cells *cells, double x, double y, enum colour colour, double thick, uint32_t mark)
{
    long size = cells->way == CELLS_PIXELS ? lround(thick) : 1;
    long left = (long)floor(x - (double)(size - 1) / 2), top = (long)floor(y - (double)(size - 1) / 2);
    for (long r = 0; r < (size < 1 ? 1 : size); r++)
        for (long c = 0; c < (size < 1 ? 1 : size); c++)
            put(cells, top + r, left + c, colour, mark);
}

static void draw_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                      double thick, bool dashed)
{
    struct cells *cells = cells_of(canvas);
    double limit = 4 * (canvas->wide + canvas->high), done = 0;
    double dash = cells->way == CELLS_PIXELS ? 8 : cells->way == CELLS_BRAILLE ? 3 : 1;
    for (int k = 0; k + 1 < count; k++) {
        double wide = points[k + 1].x - points[k].x, high = points[k + 1].y - points[k].y;
        double length = fmax(fabs(wide), fabs(high)), steps = fmin(limit, ceil(length));
        uint32_t mark = canvas->mark                                      ? canvas->mark
                        : colour == COLOUR_DIM && fabs(high) > fabs(wide) ? '|'
                                                                          : plain_character(colour);
        for (double s = 0; s <= steps; s++) {
            double share = steps > 0 ? s / steps : 0;
            if (!dashed || fmod(done + share * length, 2 * dash) < dash)
                draw_dot(cells, points[k].x + share * wide, points[k].y + share * high, colour, thick, mark);
        }
        done += length;
    }
}

static void draw_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor,
                      enum colour colour, unsigned writing, const char *words)
{
    static const double shares[] = {[ANCHOR_START] = 0, [ANCHOR_MIDDLE] = 0.5, [ANCHOR_END] = 1};
    struct cells *cells = cells_of(canvas);
    int wide = surface_columns(words), row = (int)floor(y / cells->per[0]);
    int column = (int)lround(x / cells->per[1] - shares[anchor] * wide);
    unsigned attributes = writing & WRITING_CHOSEN ? ATTRIBUTE_BOLD | ATTRIBUTE_REVERSE
                          : writing & WRITING_BOLD ? ATTRIBUTE_BOLD
                                                   : 0;
    if (row < 0 || row >= cells->rect.high) return;
    if (column + wide > cells->rect.wide) column = cells->rect.wide - wide;
    if (column < 0) column = 0;
    surface_text_short(cells->surface, cells->rect.top + row, cells->rect.left + column,
                       cells->rect.wide - column, cells->way == CELLS_ASCII, colour, attributes, words);
}

/* Return the colour of the pixel of an image that is at a dot; COLOUR_TEXT outside. */
static enum colour pixel_at(const struct pixmap *pixmap, long down, long right, double wide, double high)
{
    long y = (long)floor((double)down / high), x = (long)floor((double)right / wide);
    if (down < 0 || right < 0 || y >= pixmap->high || x >= pixmap->wide) return COLOUR_TEXT;
    return (enum colour)pixmap_row(pixmap, (int)y)[x];
}

/* A character has the colour of most of its dots; of several such colours the highest, which is the
 * densest. */
static void draw_image(struct canvas *canvas, double x, double y, const struct pixmap *pixmap, double wide,
                       double high)
{
    struct cells *cells = cells_of(canvas);
    long left = lround(x), top = lround(y);
    for (long cy = 0; cy < cells->rect.high; cy++)
        for (long cx = 0; cx < cells->rect.wide; cx++) {
            int votes[COLOUR_COUNT] = {0};
            enum colour most = COLOUR_TEXT;
            unsigned bits = 0;
            for (int r = 0; r < cells->per[0]; r++)
                for (int c = 0; c < cells->per[1]; c++) {
                    long dy = cy * cells->per[0] + r, dx = cx * cells->per[1] + c;
                    enum colour colour = pixel_at(pixmap, dy - top, dx - left, wide, high);
                    if (colour == COLOUR_TEXT) continue;
                    if (++votes[colour] >= votes[most] + (colour < most)) most = colour;
                    if (cells->way == CELLS_BRAILLE) bits |= braille_bit(r, c);
                    if (cells->way != CELLS_BRAILLE) put(cells, dy, dx, colour, plain_character(colour));
                }
            add_bits(cell_at(cells, cy, cx), bits, most);
        }
}

static const struct canvas_kind characters_kind = {.rectangle = draw_rectangle,
                                                   .line = draw_line,
                                                   .text = draw_text,
                                                   .image = draw_image,
                                                   .bar = draw_bar,
                                                   .axes = draw_axes},
                                pixels_kind = {.rectangle = draw_rectangle,
                                               .line = draw_line,
                                               .text = draw_text,
                                               .image = draw_image};

static struct canvas canvas_of(struct cells *cells, bool light)
{
    return (struct canvas){.kind = cells->way == CELLS_PIXELS ? &pixels_kind : &characters_kind,
                           .wide = cells->rect.wide * cells->per[1],
                           .high = cells->rect.high * cells->per[0],
                           .column = cells->per[1],
                           .line = cells->per[0],
                           .tall = cells->way == CELLS_ASCII ? 2 : 1,
                           .light = light,
                           .own = cells};
}

struct canvas cells_begin(struct cells *cells, struct surface *surface, struct rect rect, enum cells_way way,
                          bool light)
{
    *cells = (struct cells){.surface = surface, .rect = rect, .way = way, .per = {1, 1}};
    if (way == CELLS_BRAILLE) {
        cells->per[0] = BRAILLE_HIGH;
        cells->per[1] = BRAILLE_WIDE;
    }
    if (way == CELLS_HALVES) cells->per[0] = 2;
    return canvas_of(cells, light);
}

enum status cells_pixels(struct cells *cells, struct surface *surface, struct rect rect, const int cell[2],
                         bool light, struct canvas *canvas, struct error *error)
{
    *cells = (struct cells){.surface = surface, .rect = rect, .way = CELLS_PIXELS, .per = {cell[0], cell[1]}};
    *canvas = canvas_of(cells, light);
    enum status status = pixmap_resize(&cells->pixmap, rect.high * cell[0], rect.wide * cell[1], error);
    if (status == STATUS_OK)
        memset(cells->pixmap.pixels, COLOUR_TEXT, (size_t)cells->pixmap.high * (size_t)cells->pixmap.wide);
    return status;
}

/* Append the escape sequence for this look. */
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

/* Return the number of cells of a row that are not blank. */
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
