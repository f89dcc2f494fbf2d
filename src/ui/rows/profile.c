/* The chart of the lengths of rows or columns along the index. */
#include <string.h>

#include "base/text.h"
#include "drawing/viewport.h"
#include "ui/rows/rows.h"

#define LABEL_WIDE 6
#define TICKS_MAX 64

void rows_zoom_profile(struct rows *rows, int level, int64_t line)
{
    static const int single[] = {1, 1};
    int last = zoom_levels(&rows->zoom) - 1;
    int64_t dot[2];
    rows->level = level < 0 ? 0 : level > last ? last : level;
    zoom_dot(&rows->zoom, rows->level, single, dot);
    dot[ROWS] = 1;
    viewport_change(&rows->port, dot, (int[2]){1, rows->profile.wide}, (int64_t[2]){0, line});
}

bool rows_can_zoom(const struct rows *rows)
{
    static const int single[] = {1, 1};
    int64_t whole[2], finest[2];
    if (!rows->profiled) return false;
    zoom_dot(&rows->zoom, 0, single, whole);
    zoom_dot(&rows->zoom, zoom_levels(&rows->zoom) - 1, single, finest);
    return whole[COLS] > finest[COLS];
}

/* Make the zoom and the viewport of the profile. The lines go along axis COLS; axis ROWS has size 1. */
static void fit_profile(struct rows *rows, int64_t line)
{
    const struct spans *spans = &rows_side(rows)->spans;
    static const int single[] = {1, 1};
    struct zoom before = rows->zoom;
    bool fresh = !rows->profiled || rows->port.size[COLS] != spans->lines;
    if (spans->step > 1)
        rows->zoom = zoom_cells((int64_t[2]){1, spans->lines}, (int64_t[2]){1, spans->step},
                                (int[2]){1, rows->profile.wide}, single, true);
    else
        rows->zoom = zoom_fit((int64_t[2]){1, spans->lines}, (int64_t[2]){1, SPANS_BLOCK},
                              (int[2]){1, rows->profile.wide}, single);
    rows->port.size[ROWS] = 1;
    rows->port.size[COLS] = spans->lines;
    rows_zoom_profile(rows, fresh ? 0 : zoom_like(&before, rows->level, &rows->zoom), line);
    rows->profiled = true;
}

static void label_lines(const struct explorer *explorer, const struct rows *rows, struct surface *surface)
{
    const struct rect *inside = &rows->profile;
    const struct viewport *port = &rows->port;
    struct tick ticks[TICKS_MAX];
    char out[32];
    int gap = (int)strlen(format_count(out, sizeof out, port->size[COLS])) + 2;
    int count = axis_ticks(port->start[COLS], port->dot[COLS], viewport_used(port, COLS), port->size[COLS],
                           gap, ticks, TICKS_MAX);
    for (int k = 0; k < count; k++) {
        int length = (int)strlen(format_count(out, sizeof out, ticks[k].label));
        int x = ticks[k].dot - length / 2;
        if (x + length > inside->wide) x = inside->wide - length;
        if (x < 0) x = 0;
        surface_put(surface, inside->top + inside->high, inside->left + ticks[k].dot,
                    explorer->ascii ? '+' : 0x252c, COLOUR_DIM, COLOUR_TEXT, 0);
        surface_text(surface, inside->top + inside->high + 1, inside->left + x, length, COLOUR_DIM, 0, "%s",
                     out);
    }
}

/* Draw a column of the picture, which shows a stretch of lines. A dim bar shows the maximum length, and a bar
 * over it the mean length. */
static void draw_stretch(const struct chart *chart, int x, struct stretch stretch, enum colour colour)
{
    struct canvas *canvas = chart->canvas;
    const double heights[] = {chart_height(chart, (double)stretch.max), chart_height(chart, stretch.mean)};
    for (int k = 0; k < 2; k++)
        canvas_bar(canvas, chart->left + x * canvas->column, chart->top + chart->high - heights[k],
                   canvas->column, heights[k], k ? colour : COLOUR_DIM, true);
}

static void draw_title(const struct explorer *explorer, const struct rows *rows, struct surface *surface)
{
    const struct rect *inside = &rows->profile;
    char out[32];
    int x = inside->left - 1 - LABEL_WIDE, y = inside->top - 1, end = inside->left + inside->wide;
    x += surface_text(surface, y, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "Length by %s",
                      rows_name(rows, 1));
    x += surface_text(surface, y, x, end - x, COLOUR_DIM, 0, "  %s",
                      rows->sides[rows->columns].logarithmic ? "log" : "linear") +
         2;
    x += surface_text_whole(surface, y, x, end - x, rows->columns ? COLOUR_COLS : COLOUR_ROWS, 0,
                            explorer->ascii ? "# mean" : "\u2588 mean") +
         1;
    x += surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, explorer->ascii ? ": max" : "\u2588 max");
    if (rows->port.dot[COLS] > 1)
        surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, ", %s a bar",
                           format_count(out, sizeof out, rows->port.dot[COLS]));
}

void rows_draw_profile(struct explorer *explorer, struct rows *rows, struct surface *surface)
{
    const struct rect *inside = &rows->profile;
    const struct spans *spans = &rows_side(rows)->spans;
    int64_t line = rows_cursor(explorer, rows);
    if (!rows->profiled || rows->port.dots[COLS] != inside->wide || rows->port.size[COLS] != spans->lines)
        fit_profile(rows, line);
    if (line != rows->seen) viewport_show(&rows->port, (int64_t[2]){0, line});
    rows->seen = line;
    double top = (double)rows_lengths(explorer, rows)->max;
    draw_title(explorer, rows, surface);
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rows->area);
    const struct chart chart = rows_chart(rows_side(rows), &canvas, rows->area, *inside, top);
    for (int x = 0; x < viewport_used(&rows->port, COLS); x++) {
        int64_t from = rows->port.start[COLS] + x * rows->port.dot[COLS];
        struct stretch stretch = spans_stretch(spans, from, from + rows->port.dot[COLS]);
        draw_stretch(&chart, x, stretch, rows->columns ? COLOUR_COLS : COLOUR_ROWS);
    }
    label_lines(explorer, rows, surface);
    int64_t at = viewport_index(&rows->port, COLS, line);
    if (at >= 0 && at < viewport_used(&rows->port, COLS))
        surface_put(surface, inside->top + inside->high, inside->left + (int)at,
                    explorer->ascii ? '^' : 0x25b2, COLOUR_CURSOR, COLOUR_TEXT, ATTRIBUTE_BOLD);
}
