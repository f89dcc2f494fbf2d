/* The charts of the distribution of lengths, and of the share of lines and entries up to a length. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "drawing/viewport.h"
#include "ui/rows/rows.h"

#define LABEL_WIDE 6

static void write_short(double value, char *out, size_t size)
{
    format_short(out, size, value);
}

static void write_share(double share, char *out, size_t size)
{
    format_percent(out, size, share);
}

struct chart rows_chart(const struct side *side, struct canvas *canvas, struct rect area, struct rect inside,
                        double top)
{
    struct chart chart = {.canvas = canvas,
                          .left = (inside.left - area.left) * canvas->column,
                          .top = (inside.top - area.top) * canvas->line,
                          .wide = inside.wide * canvas->column,
                          .high = inside.high * canvas->line,
                          .across = {.from = 0, .to = inside.wide * canvas->column, .bare = true},
                          .up = {.to = top > 0 ? top : 1,
                                 .counts = side && side->logarithmic,
                                 .ends = true,
                                 .whole = side != NULL,
                                 .label = side ? write_short : write_share}};
    chart_axes(&chart);
    return chart;
}

const char *rows_name(const struct rows *rows, int64_t count)
{
    if (rows->columns) return count == 1 ? "column" : "columns";
    return count == 1 ? "row" : "rows";
}

/* Return the width of a bar. Bars of at least 3 columns have a gap of one. */
static int bar_wide(const struct rows *rows, int bin)
{
    int wide = rows_bin_left(rows, bin + 1) - rows_bin_left(rows, bin);
    return rows->across >= 3 * rows->bin_count ? wide - 1 : wide;
}

/* Return the step between the labels of bins of equal width, a round number. For bins of growing width it is
 * 1. */
static int64_t label_step(const struct rows *rows)
{
    char out[32];
    if (rows->geometric || rows->bin_count < 2 || rows->across < 1) return 1;
    format_short(out, sizeof out, (double)rows->bins[rows->bin_count - 1].from);
    double lengths = (double)(rows->bins[1].from - rows->bins[0].from) * rows->bin_count / rows->across;
    return axis_nice(((double)strlen(out) + 2) * lengths);
}

/* Write lengths below the axis, as many as fit without touching each other. */
static void label_bins(const struct rows *rows, struct surface *surface)
{
    const struct rect *inside = &rows->histogram;
    char out[32];
    int free = 0, y = inside->top + inside->high + 1;
    int64_t step = label_step(rows);
    for (int k = 0; k < rows->bin_count; k++) {
        if (rows->bins[k].from % step) continue;
        format_short(out, sizeof out, (double)rows->bins[k].from);
        int x = rows_bin_left(rows, k), length = (int)strlen(out);
        if (x < free || x + length > inside->wide) continue;
        surface_text(surface, y, inside->left + x, length, COLOUR_DIM, 0, "%s", out);
        free = x + length + 2;
    }
}

static void mark_cut(const struct explorer *explorer, const struct rows *rows, struct surface *surface)
{
    const struct side *side = &rows->sides[rows->columns];
    const struct rect *inside = &rows->histogram;
    int at = bins_find(rows->bins, rows->bin_count, side->cut);
    int x = inside->left + rows_bin_left(rows, at) + bar_wide(rows, at) - 1;
    surface_put(surface, inside->top + inside->high, x, explorer->ascii ? '^' : 0x25b2, COLOUR_MARK,
                COLOUR_TEXT, ATTRIBUTE_BOLD);
    for (int y = 0; y < inside->high; y++) {
        const struct cell *cell = &surface->cells[(inside->top + y) * surface->wide + x];
        if (cell->character == ' ')
            surface_put(surface, inside->top + y, x, explorer->ascii ? ':' : 0x2506, COLOUR_MARK, COLOUR_TEXT,
                        0);
    }
}

void rows_draw_histogram(struct explorer *explorer, struct rows *rows, struct surface *surface)
{
    const struct side *side = rows_side(rows);
    const struct rect *inside = &rows->histogram;
    int64_t top = 0;
    for (int k = 0; k < rows->bin_count; k++)
        if (rows->bins[k].lines > top) top = rows->bins[k].lines;
    int x = inside->left - 1 - LABEL_WIDE, y = inside->top - 1, end = inside->left + inside->wide;
    x += surface_text(surface, y, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s by length",
                      rows->columns ? "Columns" : "Rows");
    x += surface_text(surface, y, x, end - x, COLOUR_DIM, 0, "  %s", side->logarithmic ? "log" : "linear");
    if (rows->geometric) x += surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, ", growing bins");
    surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, ", entries a %s", rows_name(rows, 1));
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rows->area);
    const struct chart chart = rows_chart(side, &canvas, rows->area, *inside, (double)top);
    for (int k = 0; k < rows->bin_count; k++) {
        enum colour colour = rows->bins[k].from > side->cut ? COLOUR_MARK
                             : rows->columns                ? COLOUR_COLS
                                                            : COLOUR_ROWS;
        double high = chart_height(&chart, (double)rows->bins[k].lines);
        canvas_bar(&canvas, chart.left + rows_bin_left(rows, k) * canvas.column,
                   chart.top + chart.high - high, bar_wide(rows, k) * canvas.column, high, colour, true);
    }
    label_bins(rows, surface);
    if (rows->bin_count) mark_cut(explorer, rows, surface);
}

/* Draw a step curve: over each bin, the share of lines, or of entries, in this bin and those of shorter
 * lines. */
static void draw_shares(const struct rows *rows, const struct lengths *lengths, bool entries,
                        const struct chart *chart, enum colour colour, char mark)
{
    struct canvas_point points[2 * ROWS_BINS];
    double sum = 0, of = (double)(entries ? lengths->nnz : lengths->lines);
    for (int k = 0; k < rows->bin_count; k++) {
        sum += (double)(entries ? rows->bins[k].entries : rows->bins[k].lines);
        const double y = chart_y(chart, of > 0 ? sum / of : 0), column = chart->canvas->column;
        points[2 * k] = (struct canvas_point){chart->left + rows_bin_left(rows, k) * column + 0.5, y};
        points[2 * k + 1] = (struct canvas_point){chart->left + rows_bin_left(rows, k + 1) * column - 0.5, y};
    }
    chart->canvas->mark = mark;
    canvas_line(chart->canvas, points, 2 * rows->bin_count, colour, 1, entries);
}

void rows_draw_cumulative(struct explorer *explorer, struct rows *rows, struct surface *surface)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    const struct rect inside = rows->cumulative;
    enum colour colour = rows->columns ? COLOUR_COLS : COLOUR_ROWS;
    int x = inside.left - 1 - LABEL_WIDE, y = inside.top - 1, end = inside.left + inside.wide;
    const char *line = explorer->ascii ? (rows->columns ? "c" : "r") : "\u2501", *name = rows_name(rows, 2);
    const char *title = "Share up to a length", *both = "  - rows  - entries";
    bool fits = (int)(strlen(title) + strlen(both) + strlen(name) - strlen("rows")) <= end - x;
    x += surface_text(surface, y, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", fits ? title : "Share") + 2;
    x += surface_text(surface, y, x, end - x, colour, 0, "%s %s", line, name) + 2;
    surface_text_whole(surface, y, x, end - x, COLOUR_GOOD, 0,
                       explorer->ascii ? "e entries" : "\u254d entries");
    struct cells cells;
    struct canvas canvas = pane_canvas(explorer, &cells, surface, rows->area);
    struct chart chart = rows_chart(NULL, &canvas, rows->area, inside, 1);
    draw_shares(rows, lengths, true, &chart, COLOUR_GOOD, 'e');
    draw_shares(rows, lengths, false, &chart, colour, rows->columns ? 'c' : 'r');
}
