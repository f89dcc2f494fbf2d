/* This draws the values themselves, if a position is large enough for one. */
#include "drawing/number.h"
#include "ui/pattern/pattern.h"

/* The position of a value on the screen. */
struct box {
    struct surface *surface;
    int y, x, wide; /* without the gap before it */
};

/* Draw entry k of the matrix. `level` is the level of its size on the scale; -1 if colours do not show
 * sizes. */
static void draw_value(const struct explorer *explorer, const struct pattern *pattern, struct box box,
                       int64_t k, int level, bool marked)
{
    const struct matrix *matrix = &pattern->of->matrix;
    const struct csr *a = &matrix->csr;
    char out[40];
    bool zero = a->val[k] == 0 && (!a->imaginary || a->imaginary[k] == 0);
    enum colour plain = level < 0 ? COLOUR_TEXT : pattern_colour(pattern, level, false);
    enum colour colour = marked ? COLOUR_MARK : zero ? COLOUR_WARN : plain;
    unsigned attributes = marked && !explorer->colours ? ATTRIBUTE_REVERSE : 0;
    if (matrix->field == FIELD_PATTERN) {
        surface_put(box.surface, box.y, box.x + box.wide - 1, explorer->ascii ? '*' : 0x25cf,
                    marked ? COLOUR_MARK : COLOUR_ACCENT, COLOUR_TEXT, attributes);
        return;
    }
    surface_text_right(box.surface, box.y, box.x, box.wide, colour, attributes, "%s",
                       number_text(out, sizeof out, a->val[k], box.wide));
    if (!a->imaginary) return;
    number_text(out, sizeof out - 1, a->imaginary[k], box.wide - 1);
    surface_text_right(box.surface, box.y + 1, box.x, box.wide,
                       marked ? COLOUR_MARK
                       : zero ? COLOUR_WARN
                              : COLOUR_DIM,
                       attributes, "%si", out);
}

static bool on_overlay(const struct pattern *pattern, int64_t row, int64_t col)
{
    if (pattern->ordered) return false;
    if (pattern->diagonal && row == col) return true;
    if (!pattern->bands || !case_has(pattern->of, SESSION_STRUCTURE)) return false;
    const struct structure *structure = &pattern->of->structure;
    return row - col == structure->lower_bandwidth || col - row == structure->upper_bandwidth;
}

/* True if the factor has an entry at this position of the picture, where the matrix has none. */
static bool is_filled(const struct pattern *pattern, int y, int x)
{
    size_t dot = (size_t)y * (size_t)viewport_used(&pattern->port, COLS) + (size_t)x;
    return pattern->filled && pattern->marked[dot] > 0;
}

static void draw_row(const struct explorer *explorer, const struct pattern *pattern, struct surface *surface,
                     int index)
{
    const struct csr *a = pattern_csr(pattern);
    const struct viewport *port = &pattern->port;
    int64_t max = pattern->overlays.shown == OVERLAY_HYB ? explorer_cut(explorer) : INT64_MAX;
    int64_t row = port->start[ROWS] + index, k = csr_lower_bound(a, row, port->start[COLS]);
    int y = pattern->inside.top + index * pattern->lines;
    for (int x = 0; x < viewport_used(port, COLS); x++) {
        int64_t col = port->start[COLS] + x;
        struct box box = {surface, y, pattern->inside.left + x * pattern->field + 1, pattern->field - 1};
        if (k < a->row_ptr[row + 1] && a->col[k] == col) {
            int64_t entry = pattern_entry(pattern, row, k);
            size_t dot = (size_t)index * (size_t)viewport_used(port, COLS) + (size_t)x;
            bool told = pattern->sized || pattern->parts;
            int level = told && explorer->colours ? pattern_level(pattern, dot) : -1;
            draw_value(explorer, pattern, box, entry, level,
                       pattern_marks(pattern, pattern_row(pattern, row), entry, max));
            k++;
        } else if (is_filled(pattern, index, x)) {
            surface_put(surface, y, box.x + box.wide - 1, explorer->ascii ? 'x' : 0xd7, COLOUR_MARK,
                        COLOUR_TEXT, 0);
        } else {
            surface_put(surface, y, box.x + box.wide - 1, explorer->ascii ? '.' : 0xb7,
                        on_overlay(pattern, row, col) ? COLOUR_MARK : COLOUR_DIM, COLOUR_TEXT, 0);
        }
    }
}

void pattern_draw_numbers(struct explorer *explorer, struct pattern *pattern, struct surface *surface)
{
    const struct viewport *port = &pattern->port;
    int high = viewport_used(port, ROWS), wide = viewport_used(port, COLS);
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    for (int y = 0; y < high; y++)
        draw_row(explorer, pattern, surface, y);
    for (int y = 1; y < high; y++)
        if (pattern_rule(pattern, y) != RULE_NONE)
            pattern_underline(surface, pattern->inside.top + y * pattern->lines - 1, pattern->inside.left,
                              wide * pattern->field);
    int64_t y = viewport_index(port, ROWS, place[ROWS]), x = viewport_index(port, COLS, place[COLS]);
    if (y >= 0 && x >= 0 && y < high && x < wide) {
        struct rect rect = {pattern->inside.top + (int)y * pattern->lines,
                            pattern->inside.left + (int)x * pattern->field + 1, pattern->lines,
                            pattern->field - 1};
        surface_highlight(surface, rect, COLOUR_CURSOR, explorer->colours ? 0 : ATTRIBUTE_REVERSE);
    }
    pattern_draw_frame(explorer, pattern, surface);
}
