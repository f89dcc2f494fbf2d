/* This draws how many lines have which length, and the share of lines and entries up to a length. */
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "drawing/axis.h"
#include "drawing/bars.h"
#include "drawing/plot.h"
#include "ui/rows/rows.h"

#define LABEL_WIDE 6

double rows_height(const struct side *side, double value, double top)
{
    if (!(top > 0) || !(value > 0)) return 0;
    return side->logarithmic ? log1p(value) / log1p(top) : value / top;
}

/* Return the line, counted from the top of the chart, in which a bar of this value ends. */
static int line_of(const struct side *side, double value, double top, int high)
{
    int below = (int)ceil(rows_height(side, value, top) * high - 1e-9);
    return high - (below < 1 ? 1 : below);
}

void rows_draw_ticks(const struct explorer *explorer, const struct side *side, struct surface *surface,
                     struct rect inside, double top)
{
    char out[32];
    /* Ticks of a linear axis are three lines apart at least; those of a logarithmic one are powers of ten. */
    double step = (double)axis_nice(3 * top / (inside.high > 3 ? inside.high : 3));
    int free = inside.high - 2; /* the lowest line that may have a label: 0 has the one below */
    for (double value = side->logarithmic ? 1 : step; value < top;
         value = side->logarithmic ? 10 * value : value + step) {
        int y = line_of(side, value, top, inside.high);
        if (y > free || y < 2) continue; /* the top line says the maximum */
        free = y - 2;
        surface_put(surface, inside.top + y, inside.left - 1, explorer->ascii ? '+' : 0x2524, COLOUR_DIM,
                    COLOUR_TEXT, 0);
        surface_text_right(surface, inside.top + y, inside.left - 1 - LABEL_WIDE, LABEL_WIDE, COLOUR_DIM, 0,
                           "%s", format_short(out, sizeof out, value));
    }
}

const char *rows_name(const struct rows *rows, int64_t count)
{
    if (rows->columns) return count == 1 ? "column" : "columns";
    return count == 1 ? "row" : "rows";
}

/* Return the width of a bar. There are gaps between bars if they are at least 3 columns wide with them. */
static int bar_wide(const struct rows *rows, int bin)
{
    int wide = rows_bin_left(rows, bin + 1) - rows_bin_left(rows, bin);
    return rows->across >= 3 * rows->bin_count ? wide - 1 : wide;
}

/* Return the step of the lengths that are written under bins of equal width, a round number; 1 for bins of
 * growing width. */
static int64_t label_step(const struct rows *rows)
{
    char out[32];
    if (rows->geometric || rows->bin_count < 2 || rows->across < 1) return 1;
    format_short(out, sizeof out, (double)rows->bins[rows->bin_count - 1].from);
    double lengths = (double)(rows->bins[1].from - rows->bins[0].from) * rows->bin_count / rows->across;
    return axis_nice(((double)strlen(out) + 2) * lengths);
}

/* Write lengths under the axis, for as many bins as they can without touching each other. */
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
    char out[32];
    int64_t top = 0;
    for (int k = 0; k < rows->bin_count; k++)
        if (rows->bins[k].lines > top) top = rows->bins[k].lines;
    int x = inside->left - 1 - LABEL_WIDE, y = inside->top - 1, end = inside->left + inside->wide;
    x += surface_text(surface, y, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s by length",
                      rows->columns ? "Columns" : "Rows");
    x += surface_text(surface, y, x, end - x, COLOUR_DIM, 0, "  %s", side->logarithmic ? "log" : "linear");
    if (rows->geometric) x += surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, ", growing bins");
    surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, ", entries a %s", rows_name(rows, 1));
    plot_axes(surface, *inside, explorer->ascii, LABEL_WIDE, format_short(out, sizeof out, (double)top), "0");
    rows_draw_ticks(explorer, side, surface, *inside, (double)top);
    for (int k = 0; k < rows->bin_count; k++) {
        enum colour colour = rows->bins[k].from > side->cut ? COLOUR_MARK
                             : rows->columns                ? COLOUR_COLS
                                                            : COLOUR_ROWS;
        double height = rows_height(side, (double)rows->bins[k].lines, (double)top);
        const struct bar bar = {
            .kind = BAR_UPRIGHT,
            .rect = {inside->top, inside->left + rows_bin_left(rows, k), inside->high, bar_wide(rows, k)},
            .length = height,
            .colour = colour,
            .ascii = explorer->ascii};
        bar_draw(surface, &bar);
    }
    label_bins(rows, surface);
    if (rows->bin_count) mark_cut(explorer, rows, surface);
}

/* Compute the heights of a step curve, two for each column of the chart: over a bin, the share of lines, or
 * of entries, that are in this bin or in one of shorter lines. */
static void shares(const struct rows *rows, const struct lengths *lengths, bool entries, double *heights,
                   int dots)
{
    int bin = -1;
    double sum = 0, of = (double)(entries ? lengths->nnz : lengths->lines);
    for (int dot = 0; dot < dots; dot++) {
        for (; bin < rows->bin_count - 1 && dot / 2 >= rows_bin_left(rows, bin + 1); bin++)
            sum += (double)(entries ? rows->bins[bin + 1].entries : rows->bins[bin + 1].lines);
        heights[dot] = of > 0 ? sum / of : 0;
    }
}

void rows_draw_cumulative(struct explorer *explorer, struct rows *rows, struct surface *surface)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    struct rect inside = rows->cumulative;
    double heights[2 * ROWS_BINS];
    enum colour colour = rows->columns ? COLOUR_COLS : COLOUR_ROWS;
    int x = inside.left - 1 - LABEL_WIDE, y = inside.top - 1, end = inside.left + inside.wide;
    const char *line = explorer->ascii ? (rows->columns ? "c" : "r") : "\u2501", *name = rows_name(rows, 2);
    const char *title = "Share up to a length", *both = "  - rows  - entries";
    bool fits = (int)(strlen(title) + strlen(both) + strlen(name) - strlen("rows")) <= end - x;
    x += surface_text(surface, y, x, end - x, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", fits ? title : "Share") + 2;
    x += surface_text(surface, y, x, end - x, colour, 0, "%s %s", line, name) + 2;
    surface_text_whole(surface, y, x, end - x, COLOUR_GOOD, 0,
                       explorer->ascii ? "e entries" : "\u254d entries");
    plot_axes(surface, inside, explorer->ascii, LABEL_WIDE, "100%", "0");
    if (!rows->bin_count) return;
    if (inside.wide > ROWS_BINS) inside.wide = ROWS_BINS;
    shares(rows, lengths, true, heights, 2 * inside.wide);
    plot_dashed(surface, inside, heights, COLOUR_GOOD, explorer->ascii, 'e');
    shares(rows, lengths, false, heights, 2 * inside.wide);
    plot_curve(surface, inside, heights, colour, explorer->ascii, rows->columns ? 'c' : 'r');
}
