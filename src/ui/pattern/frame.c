/* Drawing the frame of the Pattern screen: ticks, labels, and the marks of the cursor. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/viewport.h"
#include "ui/pattern/pattern.h"

#define TICKS_MAX 128

struct line {
    uint32_t across, down, top_left, top_right, bottom_left, bottom_right, tick_left, tick_top;
    uint32_t cursor_left, cursor_top;
};

static const struct line drawn = {0x2500, 0x2502, 0x250c, 0x2510, 0x2514,
                                  0x2518, 0x2524, 0x2534, 0x25b6, 0x25bc};
static const struct line typed = {'-', '|', '+', '+', '+', '+', '+', '+', '>', 'v'};

int pattern_character(const struct pattern *pattern, enum axis axis, int64_t index)
{
    if (pattern->picture == PICTURE_NUMBERS)
        return (int)index * (axis == ROWS ? pattern->lines : pattern->field) +
               (axis == COLS ? pattern->field - 1 : 0);
    int middle = pattern->picture == PICTURE_PIXELS ? pattern->large[axis] / 2 : 0;
    return (int)((index * pattern->large[axis] + middle) / pattern->per[axis]);
}

static void draw_box(const struct pattern *pattern, struct surface *surface, const struct line *line,
                     int high, int wide)
{
    int top = pattern->inside.top - 1, left = pattern->inside.left - 1;
    int bottom = top + high + 1, right = left + wide + 1;
    for (int x = left + 1; x < right; x++) {
        surface_put(surface, top, x, line->across, COLOUR_DIM, COLOUR_TEXT, 0);
        surface_put(surface, bottom, x, line->across, COLOUR_DIM, COLOUR_TEXT, 0);
    }
    for (int y = top + 1; y < bottom; y++) {
        surface_put(surface, y, left, line->down, COLOUR_DIM, COLOUR_TEXT, 0);
        surface_put(surface, y, right, line->down, COLOUR_DIM, COLOUR_TEXT, 0);
    }
    surface_put(surface, top, left, line->top_left, COLOUR_DIM, COLOUR_TEXT, 0);
    surface_put(surface, top, right, line->top_right, COLOUR_DIM, COLOUR_TEXT, 0);
    surface_put(surface, bottom, left, line->bottom_left, COLOUR_DIM, COLOUR_TEXT, 0);
    surface_put(surface, bottom, right, line->bottom_right, COLOUR_DIM, COLOUR_TEXT, 0);
}

/* Return the minimum number of dots between two ticks: three lines, or the width of a label. */
static int tick_gap(const struct pattern *pattern, enum axis axis)
{
    char out[32];
    bool numbers = pattern->picture == PICTURE_NUMBERS;
    int large = pattern->large[axis];
    if (axis == ROWS) return numbers ? 1 : (3 * pattern->per[ROWS] + large - 1) / large;
    int label = (int)strlen(format_count(out, sizeof out, pattern->port.size[COLS])) + 2;
    return numbers ? 1 : (label * pattern->per[COLS] + large - 1) / large;
}

static void draw_row_ticks(const struct pattern *pattern, struct surface *surface, const struct line *line,
                           struct tick *ticks)
{
    char out[32];
    const struct viewport *port = &pattern->port;
    int count = axis_ticks(port->start[ROWS], port->dot[ROWS], viewport_used(port, ROWS), port->size[ROWS],
                           tick_gap(pattern, ROWS), ticks, TICKS_MAX);
    for (int k = 0; k < count; k++) {
        int y = pattern->inside.top + pattern_character(pattern, ROWS, ticks[k].dot);
        surface_put(surface, y, pattern->inside.left - 1, line->tick_left, COLOUR_DIM, COLOUR_TEXT, 0);
        surface_text_right(surface, y, pattern->area.left, pattern->label_wide, COLOUR_DIM, 0, "%s",
                           format_count(out, sizeof out, ticks[k].label));
    }
}

/* A label is centred on its tick, or ends with the field of a number. It stays within the picture. */
static void draw_col_ticks(const struct pattern *pattern, struct surface *surface, const struct line *line,
                           struct tick *ticks, int wide)
{
    char out[32];
    const struct viewport *port = &pattern->port;
    int count = axis_ticks(port->start[COLS], port->dot[COLS], viewport_used(port, COLS), port->size[COLS],
                           tick_gap(pattern, COLS), ticks, TICKS_MAX);
    int free = 0; /* the first column without a label */
    for (int k = 0; k < count; k++) {
        int at = pattern_character(pattern, COLS, ticks[k].dot);
        int length = (int)strlen(format_count(out, sizeof out, ticks[k].label));
        int x = pattern->picture == PICTURE_NUMBERS ? at - length + 1 : at - length / 2;
        if (x + length > wide && wide >= length) x = wide - length;
        if (x < 0) x = 0;
        if (x < free) continue;
        free = x + length + 1;
        surface_put(surface, pattern->inside.top - 1, pattern->inside.left + at, line->tick_top, COLOUR_DIM,
                    COLOUR_TEXT, 0);
        surface_text(surface, pattern->inside.top - 2, pattern->inside.left + x, length, COLOUR_DIM, 0, "%s",
                     out);
    }
}

static void draw_cursor_marks(const struct explorer *explorer, const struct pattern *pattern,
                              struct surface *surface, const struct line *line)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    int64_t y = viewport_index(&pattern->port, ROWS, place[ROWS]);
    int64_t x = viewport_index(&pattern->port, COLS, place[COLS]);
    unsigned attributes = ATTRIBUTE_BOLD;
    if (y >= 0 && y < viewport_used(&pattern->port, ROWS))
        surface_put(surface, pattern->inside.top + pattern_character(pattern, ROWS, y),
                    pattern->inside.left - 1, line->cursor_left, COLOUR_CURSOR, COLOUR_TEXT, attributes);
    if (x >= 0 && x < viewport_used(&pattern->port, COLS))
        surface_put(surface, pattern->inside.top - 1,
                    pattern->inside.left + pattern_character(pattern, COLS, x), line->cursor_top,
                    COLOUR_CURSOR, COLOUR_TEXT, attributes);
}

/* Return the first dot in line y of `inside`. */
static int64_t dot_of(const struct pattern *pattern, int y)
{
    if (pattern->picture == PICTURE_NUMBERS) return y / pattern->lines;
    return (int64_t)y * pattern->per[ROWS] / pattern->large[ROWS];
}

/* Draw the position of the window in the matrix as a scroll bar on one side of the frame. If all rows or
 * columns are shown, there is none. */
static void draw_scroll(const struct explorer *explorer, const struct pattern *pattern,
                        struct surface *surface, enum axis axis, int high, int wide)
{
    const struct viewport *port = &pattern->port;
    const int64_t size = port->size[axis], start = port->start[axis];
    const int64_t end = min(start + viewport_used(port, axis) * port->dot[axis], size);
    const int along = axis == ROWS ? high : wide;
    if (end - start >= size) return;
    const int first = (int)min((int64_t)((double)start * along / (double)size), along - 1);
    const int last = (int)max((int64_t)ceil((double)end * along / (double)size), first + 1);
    for (int k = first; k < last; k++)
        surface_put(surface, pattern->inside.top + (axis == ROWS ? k : high),
                    pattern->inside.left + (axis == ROWS ? wide : k),
                    explorer->ascii ? (axis == ROWS ? '#' : '=') : (axis == ROWS ? 0x2503 : 0x2501),
                    COLOUR_ACCENT, COLOUR_TEXT, 0);
}

/* Mark the block of the cursor on the right side of the frame. */
static void draw_block(const struct explorer *explorer, const struct pattern *pattern,
                       struct surface *surface, int high, int wide)
{
    struct block block;
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    if (!pattern_block(pattern, place[ROWS], &block)) return;
    for (int y = 0; y < high; y++) {
        int64_t last = dot_of(pattern, y + 1) - 1, first = dot_of(pattern, y);
        if (last < first) last = first;
        bool within =
            pattern_dot(pattern, first, 0).r0 < block.end && pattern_dot(pattern, last, 0).r1 > block.first;
        if (within)
            surface_put(surface, pattern->inside.top + y, pattern->inside.left + wide,
                        explorer->ascii ? '#' : 0x2503, COLOUR_MARK, COLOUR_TEXT, ATTRIBUTE_BOLD);
    }
}

static void draw_title(const struct explorer *explorer, const struct pattern *pattern,
                       struct surface *surface)
{
    static const char *const names[] = {"shaded", "shaded", "braille", "numbers", "pixels"};
    char rows[32], cols[32];
    int wide = pattern->beside ? pattern->panel.left - pattern->area.left - 1 : pattern->area.wide;
    int y = pattern->area.top, x = pattern->area.left;
    char order[24];
    bool shown = pattern->of == explorer->session->shown;
    enum colour colour = shown ? COLOUR_TITLE : COLOUR_TEXT;
    unsigned attributes = shown ? ATTRIBUTE_BOLD : 0;
    snprintf(order, sizeof order, "%s", pattern->of->order);
    const char *what = pattern->bare && !pattern->ordered       ? order
                       : !pattern->ordered                      ? "Pattern"
                       : pattern->overlays.shown == OVERLAY_JDS ? "JDS order"
                                                                : "SELL order";
    if (pattern->picture == PICTURE_NUMBERS) {
        surface_text(surface, y, x, wide, colour, attributes, "%s: numbers", what);
        return;
    }
    int digits = (wide - surface_columns(what) - 12) / 2; /* ": 1 dot = " and " x " take the rest */
    format_fitting(rows, sizeof rows, pattern->port.dot[ROWS], digits);
    format_fitting(cols, sizeof cols, pattern->port.dot[COLS], digits);
    int used = surface_text(surface, y, x, wide, colour, attributes, "%s: 1 dot = %s x %s", what, rows, cols);
    surface_text_whole(surface, y, x + used, wide - used, COLOUR_DIM, 0, "  %s%s", names[pattern->picture],
                       pattern->wish == WISH_AUTOMATIC || pattern->bare ? "" : " (m)");
}

void pattern_draw_frame(struct explorer *explorer, struct pattern *pattern, struct surface *surface)
{
    const struct rect rect = pattern_rect(pattern);
    int high = rect.high, wide = rect.wide;
    const struct line *line = explorer->ascii ? &typed : &drawn;
    struct tick ticks[TICKS_MAX];
    draw_title(explorer, pattern, surface);
    draw_box(pattern, surface, line, high, wide);
    draw_row_ticks(pattern, surface, line, ticks);
    draw_col_ticks(pattern, surface, line, ticks, wide);
    /* An overview shows the position better, and without scroll bars a zoom sends fewer bytes. */
    const bool overview = pattern->beside && !pattern->bare && pattern_overview_high(pattern->panel);
    for (enum axis axis = ROWS; !overview && axis <= COLS; axis++)
        draw_scroll(explorer, pattern, surface, axis, high, wide);
    draw_block(explorer, pattern, surface, high, wide);
    draw_cursor_marks(explorer, pattern, surface, line);
}
