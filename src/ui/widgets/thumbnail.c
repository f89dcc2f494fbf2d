#include "ui/widgets/thumbnail.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/bars.h"
#include "drawing/shade.h"
#include "drawing/surface.h"
#include "drawing/viewport.h"

/* If one side of the matrix is longer than this multiple of the other, rows and columns have different
 * scales. */
#define OBLONG_MAX 8

/* The scale of the picture. In a small matrix each position is zoom x 2 zoom cells, about a square. Otherwise
 * `zoom` is 0, a dot is dot_rows x dot_cols positions, and a cell is BRAILLE_HIGH x BRAILLE_WIDE dots. */
struct scale {
    int64_t dot_rows, dot_cols;
    int zoom;
    int high, wide; /* the number of cells of the matrix */
};

static struct scale scale_of(const struct csr *a, const struct pyramid *pyramid, int high, int wide)
{
    struct scale scale = {1, 1, 0, 0, 0};
    bool places = a->row_ptr || (pyramid->row_step == 1 && pyramid->col_step == 1);
    if (places && a->rows <= high && 2 * a->cols <= wide) {
        int64_t tall = high / a->rows, broad = wide / (2 * a->cols);
        scale.zoom = (int)(tall < broad ? tall : broad);
        scale.high = (int)a->rows * scale.zoom;
        scale.wide = (int)a->cols * scale.zoom * 2;
        return scale;
    }
    int64_t down = divide_up(a->rows, BRAILLE_HIGH * (int64_t)high);
    int64_t across = divide_up(a->cols, BRAILLE_WIDE * (int64_t)wide), both = down > across ? down : across;
    bool oblong = a->rows / OBLONG_MAX > a->cols || a->cols / OBLONG_MAX > a->rows;
    /* A dot consists of whole cells of the pyramid, so that counting its entries takes four look-ups. */
    scale.dot_rows = divide_up(oblong ? down : both, pyramid->row_step) * pyramid->row_step;
    scale.dot_cols = divide_up(oblong ? across : both, pyramid->col_step) * pyramid->col_step;
    scale.high = (int)divide_up(a->rows, scale.dot_rows * BRAILLE_HIGH);
    scale.wide = (int)divide_up(a->cols, scale.dot_cols * BRAILLE_WIDE);
    return scale;
}

static bool count_dots(struct thumbnail *thumbnail, const struct csr *a, const struct pyramid *pyramid,
                       struct scale scale)
{
    int high = scale.high * BRAILLE_HIGH, wide = scale.wide * BRAILLE_WIDE;
    if (thumbnail->drawn && thumbnail->high == high && thumbnail->wide == wide) return true;
    int64_t *counts = memory_resize(thumbnail->counts, (size_t)high * (size_t)wide, sizeof *counts, NULL);
    if (!counts) return false;
    pyramid_dots(pyramid, NULL, a, 0, 0, scale.dot_rows, scale.dot_cols, high, wide, counts);
    *thumbnail = (struct thumbnail){counts, high, wide, true, thumbnail->plain};
    return true;
}

/* Return the number of entries in cell (y, x). *bits are the dots that have any. */
static int64_t cell_count(const struct thumbnail *thumbnail, int y, int x, unsigned *bits)
{
    int64_t sum = 0;
    *bits = 0;
    for (int i = 0; i < BRAILLE_HIGH; i++)
        for (int j = 0; j < BRAILLE_WIDE; j++) {
            int64_t count =
                thumbnail->counts[(y * BRAILLE_HIGH + i) * thumbnail->wide + x * BRAILLE_WIDE + j];
            if (count > 0) *bits |= braille_bit(i, j);
            sum += count;
        }
    return sum;
}

static struct shade shade_of_cells(const struct thumbnail *thumbnail, struct scale scale)
{
    int64_t min = 0, max = 0;
    unsigned bits;
    for (int y = 0; y < scale.high; y++)
        for (int x = 0; x < scale.wide; x++) {
            int64_t count = cell_count(thumbnail, y, x, &bits);
            if (count > max) max = count;
            if (count > 0 && (min == 0 || count < min)) min = count;
        }
    return shade_scale((double)min, (double)max);
}

static enum colour colour_of(const struct explorer *explorer, int level)
{
    return explorer->colours ? (enum colour)((int)COLOUR_DENSITY + level) : COLOUR_TEXT;
}

static void draw_dots(const struct thumbnail *thumbnail, const struct explorer *explorer,
                      struct surface *surface, struct scale scale, int top, int left)
{
    struct shade shade = shade_of_cells(thumbnail, scale);
    for (int y = 0; y < scale.high; y++)
        for (int x = 0; x < scale.wide; x++) {
            unsigned bits;
            int level = shade_level(&shade, (double)cell_count(thumbnail, y, x, &bits));
            if (level < 0) continue;
            surface_put(surface, top + y, left + x,
                        explorer->ascii ? shade_character(level, true) : braille_character(bits),
                        thumbnail->plain ? (level < DENSITY_LEVELS / 2 ? COLOUR_DIM : COLOUR_TEXT)
                                         : colour_of(explorer, level),
                        COLOUR_TEXT, 0);
        }
}

static void draw_place(const struct explorer *explorer, struct surface *surface, struct scale scale, int top,
                       int left)
{
    uint32_t character = explorer->ascii ? '#' : 0x2588;
    enum colour colour = colour_of(explorer, DENSITY_LEVELS * 2 / 3);
    for (int y = 0; y < scale.zoom; y++)
        for (int x = 0; x < 2 * scale.zoom; x++)
            surface_put(surface, top + y, left + x, character, colour, COLOUR_TEXT, 0);
}

/* Draw each position with an entry. If the entries are not in memory, positions are cells of the pyramid. */
static void draw_places(const struct explorer *explorer, const struct csr *a, const struct pyramid *pyramid,
                        struct surface *surface, struct scale scale, int top, int left)
{
    for (int64_t i = 0; i < a->rows; i++) {
        int y = top + (int)i * scale.zoom;
        for (int64_t k = a->row_ptr ? a->row_ptr[i] : 0; a->row_ptr && k < a->row_ptr[i + 1]; k++)
            draw_place(explorer, surface, scale, y, left + a->col[k] * 2 * scale.zoom);
        for (int64_t j = 0; !a->row_ptr && j < a->cols; j++)
            if (pyramid_cells(pyramid, i, i + 1, j, j + 1) > 0)
                draw_place(explorer, surface, scale, y, left + (int)j * 2 * scale.zoom);
    }
}

/* Return the rectangle of a matrix's picture in rect, without its frame. Its height is 0 if the picture does
 * not fit. */
static struct rect place_picture(const struct csr *a, const struct pyramid *pyramid, struct rect rect,
                                 struct scale *scale)
{
    int high = rect.high - 2, wide = rect.wide - 2;
    if (high < 2 || wide < 4 || a->rows == 0 || a->cols == 0) return (struct rect){0};
    *scale = scale_of(a, pyramid, high, wide);
    return (struct rect){rect.top + 1, rect.left + (wide - scale->wide) / 2 + 1, scale->high, scale->wide};
}

int thumbnail_draw_of(struct thumbnail *thumbnail, const struct explorer *explorer, const struct csr *a,
                      const struct pyramid *pyramid, struct surface *surface, struct rect rect)
{
    struct scale scale;
    struct rect inside = place_picture(a, pyramid, rect, &scale);
    if (!inside.high) return 0;
    surface_frame(surface, (struct rect){inside.top - 1, inside.left - 1, inside.high + 2, inside.wide + 2},
                  explorer->ascii, NULL);
    if (scale.zoom > 0)
        draw_places(explorer, a, pyramid, surface, scale, inside.top, inside.left);
    else if (count_dots(thumbnail, a, pyramid, scale))
        draw_dots(thumbnail, explorer, surface, scale, inside.top, inside.left);
    return inside.high + 2;
}

int thumbnail_draw(struct thumbnail *thumbnail, const struct explorer *explorer, struct surface *surface,
                   struct rect rect)
{
    const struct session *session = explorer->session;
    const struct csr *a = &session->shown->matrix.csr;
    if (rect.high < 4 || rect.wide < 6 || a->rows == 0 || a->cols == 0) return 0;
    if (session_has(session, SESSION_PYRAMID))
        return thumbnail_draw_of(thumbnail, explorer, a, &session->shown->pyramid, surface, rect);
    surface_frame(surface, rect, explorer->ascii, "Pattern");
    surface_text(surface, rect.top + rect.high / 2, rect.left + rect.wide / 2 - 2, 3, COLOUR_DIM, 0, "%s",
                 case_has_entries(session->shown) ? "..." : " - ");
    return rect.high;
}

/* Return the number of rows or columns of the matrix per cell, a fraction if positions are enlarged. */
static double places_of(const struct scale *scale, enum axis axis)
{
    if (scale->zoom > 0) return 1.0 / (axis == ROWS ? scale->zoom : 2 * scale->zoom);
    return axis == ROWS ? (double)scale->dot_rows * BRAILLE_HIGH : (double)scale->dot_cols * BRAILLE_WIDE;
}

/* Mark cells by a frame on their border. If they are too few, mark them by their background. */
static void mark(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    if (rect.high < 2 || rect.wide < 2) {
        surface_highlight(surface, rect, explorer->colours ? COLOUR_CURSOR : COLOUR_TEXT,
                          explorer->colours ? 0 : ATTRIBUTE_REVERSE);
        return;
    }
    surface_edges(surface, rect, explorer->ascii, COLOUR_CURSOR, ATTRIBUTE_BOLD);
}

void thumbnail_mark(const struct explorer *explorer, const struct csr *a, const struct pyramid *pyramid,
                    struct surface *surface, struct rect rect, struct range places)
{
    struct scale scale;
    struct rect inside = place_picture(a, pyramid, rect, &scale);
    if (!inside.high || places.r0 >= places.r1 || places.c0 >= places.c1) return;
    int top = inside.top + (int)((double)places.r0 / places_of(&scale, ROWS));
    int left = inside.left + (int)((double)places.c0 / places_of(&scale, COLS));
    int bottom = inside.top + (int)((double)(places.r1 - 1) / places_of(&scale, ROWS));
    int right = inside.left + (int)((double)(places.c1 - 1) / places_of(&scale, COLS));
    mark(explorer, surface, (struct rect){top, left, bottom - top + 1, right - left + 1});
}

bool thumbnail_at(const struct csr *a, const struct pyramid *pyramid, struct rect rect, int y, int x,
                  int64_t place[2])
{
    struct scale scale;
    struct rect inside = place_picture(a, pyramid, rect, &scale);
    if (!inside.high || !rect_holds(inside, y, x)) return false;
    place[ROWS] = (int64_t)(((double)(y - inside.top) + 0.5) * places_of(&scale, ROWS));
    place[COLS] = (int64_t)(((double)(x - inside.left) + 0.5) * places_of(&scale, COLS));
    return true;
}

void thumbnail_free(struct thumbnail *thumbnail)
{
    free(thumbnail->counts);
    *thumbnail = (struct thumbnail){0};
}

/* Return the mean length of the rows of bar x, floor(m x / bars) .. floor(m (x + 1) / bars) - 1 of m rows. If
 * only stretches of rows are known, m is the number of stretches. */
static double mean_length(const struct matrix_case *of, int x, int bars)
{
    const struct csr *a = &of->matrix.csr;
    const struct spans *spans = &of->row_spans;
    int64_t lines = spans_steps(spans);
    if (case_has_entries(of)) return lengths_mean_between(a, a->rows * x / bars, a->rows * (x + 1) / bars);
    return spans_stretch(spans, lines * x / bars * spans->step, lines * (x + 1) / bars * spans->step).mean;
}

void sparkline_draw(const struct explorer *explorer, struct surface *surface, struct rect rect)
{
    const struct matrix_case *of = explorer->session->shown;
    int64_t rows = case_has_entries(of) ? of->matrix.csr.rows : spans_steps(&of->row_spans);
    if (rows == 0 || rect.high < 2) return;
    int bars = rows < rect.wide ? (int)rows : rect.wide, thick = rect.wide / bars;
    double max = 0;
    char text[32];
    const char *title = rect.wide < 20 ? "Lengths" : rect.wide < 24 ? "Mean length" : "Mean row length";
    for (int x = 0; x < bars; x++)
        if (mean_length(of, x, bars) > max) max = mean_length(of, x, bars);
    int caption =
        surface_text(surface, rect.top, rect.left, rect.wide, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", title);
    format_short(text, sizeof text, max);
    surface_text_right(surface, rect.top, rect.left + caption + 1, rect.wide - caption - 1, COLOUR_DIM, 0,
                       "%s%s", caption + 4 + surface_columns(text) <= rect.wide ? "to " : "", text);
    for (int k = 0; k < bars && max > 0; k++) {
        const struct bar bar = {.kind = BAR_UPRIGHT,
                                .rect = {rect.top + 1, rect.left + k * thick, rect.high - 1, thick},
                                .length = mean_length(of, k, bars) / max,
                                .colour = COLOUR_ROWS,
                                .ascii = explorer->ascii};
        bar_draw(surface, &bar);
    }
}
