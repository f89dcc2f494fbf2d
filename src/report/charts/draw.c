#include "report/charts/series.h"

#include <math.h>
#include <stdio.h>

#include "base/words.h"
#include "drawing/chart.h"

#define LEGEND_MAX 12 /* series that the legend names; all others look the same */
#define NAME_LONG 28  /* characters of the name of a row; a longer one is cut */
#define NAMES_MAX 60  /* maximum number of matrices for names along the axis */
#define NAME_WIDE 34  /* columns of the name of a bar; longer names are cut */
#define RATIO_LONG 40 /* larger ratios need a logarithmic axis */

static const enum colour colours[] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_GOOD, COLOUR_MARK};
#define COLOURS (int)(sizeof colours / sizeof *colours)

static enum colour colour_of(int series)
{
    return series < LEGEND_MAX ? colours[series % COLOURS] : COLOUR_DIM;
}

/* No two coloured series have both the same colour and the same mark. */
static int shape_of(int series)
{
    return (series + series / COLOURS) % 4;
}

static bool is_joined(const struct sheet_chart *chart, const struct series *series)
{
    return chart->shape == CHART_LINES || chart->heights[series->height].line;
}

/* Write the chart's title. Returns the y coordinate below it. */
static double draw_title(const struct sheet_chart *chart, const struct series_list *list,
                         struct canvas *canvas)
{
    canvas_text(canvas, canvas->column, 0.75 * canvas->line, ANCHOR_START, COLOUR_TITLE, WRITING_BOLD, "%s",
                chart->title);
    if (chart->shape == CHART_BARS) return 1.5 * canvas->line;
    const char *what = chart->sheet ? "row" : "time";
    canvas_text(canvas, canvas->column, 1.75 * canvas->line, ANCHOR_START, COLOUR_DIM, 0, "%d %s%s of the %s",
                list->rows, what, list->rows == 1 ? "" : "s", chart->sheet ? "table" : "kernels");
    return 2.5 * canvas->line;
}

/* Write the legend, two series on each line. Returns the y coordinate below it. */
static double draw_legend(const struct sheet_chart *chart, const struct series_list *list,
                          struct canvas *canvas, double top)
{
    int shown = list->count < LEGEND_MAX ? list->count : LEGEND_MAX;
    if (list->count == 1 && !list->items[0].name[0]) return top;
    double beside = canvas->wide / 2;
    int fits = (int)(beside / canvas->column) - 5;
    for (int k = 0; k < shown; k++) {
        double x = canvas->column + (k % 2) * beside, y = top + (k / 2 + 0.5) * canvas->line;
        if (is_joined(chart, &list->items[k]))
            canvas_stroke(canvas, x, y, x + 1.5 * canvas->column, y, colour_of(k), 1.5);
        if (!chart->heights[list->items[k].height].line)
            chart_mark(canvas, x + 0.75 * canvas->column, y, colour_of(k), shape_of(k));
        canvas_text(canvas, x + 2.5 * canvas->column, y, ANCHOR_START, colour_of(k), 0, "%.*s", fits,
                    list->items[k].name);
    }
    top += (shown + 1) / 2 * canvas->line;
    if (shown == list->count) return top + 0.5 * canvas->line;
    canvas_text(canvas, canvas->column, top + 0.5 * canvas->line, ANCHOR_START, COLOUR_DIM, 0,
                "and %d more in this colour", list->count - shown);
    return top + 1.5 * canvas->line;
}

static void fit_axis(struct chart_axis *axis, double least, double most)
{
    if (axis->logarithmic) {
        axis->from = least / 1.3;
        axis->to = most * 1.3;
    } else {
        axis->from = least >= 0 ? 0 : 1.05 * least;
        axis->to = most > 0 ? 1.05 * most : 1;
    }
}

/* Make the axes contain all points and lines of the chart. */
static void fit(const struct sheet_chart *chart, const struct series_list *list, struct chart *on)
{
    double least[2] = {INFINITY, INFINITY}, most[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < list->count; k++)
        for (int j = 0; j < list->items[k].count; j++) {
            const struct series_point *point = &list->items[k].items[j];
            least[0] = fmin(least[0], point->x);
            most[0] = fmax(most[0], point->x);
            least[1] = fmin(least[1], point->y);
            most[1] = fmax(most[1], point->y);
        }
    if (chart->even) {
        least[1] = fmin(least[1], 1);
        most[1] = fmax(most[1], 1);
    }
    if (chart->diagonal) {
        least[0] = least[1] = fmin(least[0], least[1]);
        most[0] = most[1] = fmax(most[0], most[1]);
    }
    fit_axis(&on->across, least[0], most[0]);
    fit_axis(&on->up, least[1], most[1]);
    if (chart->across_whole) {
        double room = fmax(0.5, 0.05 * (most[0] - least[0]));
        on->across.from = least[0] - room;
        on->across.to = most[0] + room;
    }
    if (!chart->across) {
        if (chart->sheet) on->across.from = 0.5;
        if (chart->sheet) on->across.to = list->rows + 0.5;
    }
}

/* Write the name of a row, cut to NAME_LONG characters. */
static char *write_name(const char *name, char out[4 * NAME_LONG + 1])
{
    size_t length = 0;
    for (int k = 0; k < NAME_LONG && name[length]; k++)
        length = (size_t)(words_next(name + length) - name);
    snprintf(out, 4 * NAME_LONG + 1, "%.*s", (int)length, name);
    return out;
}

/* The height of the names of the rows, which are written upwards below the axis; 0 if there are none, or too
 * many. */
static double names_high(const struct series_list *list, const struct canvas *canvas)
{
    char out[4 * NAME_LONG + 1];
    double high = 0;
    if (list->rows > NAMES_MAX || !canvas->turns || !list->names) return 0;
    for (int k = 0; k < list->rows; k++)
        if (list->names[k])
            high = fmax(high, canvas_text_wide(canvas, write_name(list->names[k], out)) + canvas->column);
    return high;
}

/* Write them between the axis and its title, so that no point lies on one. */
static void draw_names(const struct series_list *list, const struct chart *on, double high)
{
    char out[4 * NAME_LONG + 1];
    for (int k = 0; high > 0 && k < list->rows; k++)
        if (list->names[k])
            canvas_text(on->canvas, chart_x(on, k + 1.0), on->top + on->high + 0.5 * on->canvas->column,
                        ANCHOR_END, COLOUR_DIM, WRITING_UPWARDS, "%s", write_name(list->names[k], out));
}

static void draw_series(const struct sheet_chart *chart, const struct series_list *list, int k,
                        const struct chart *on)
{
    const struct series *series = &list->items[k];
    bool joined = is_joined(chart, series);
    for (int j = 0; j < series->count; j++) {
        const struct series_point *point = &series->items[j];
        if (joined && j > 0)
            chart_line(on, series->items[j - 1].x, series->items[j - 1].y, point->x, point->y, colour_of(k),
                       false);
        if (!chart->heights[series->height].line)
            chart_mark(on->canvas, chart_x(on, point->x), chart_y(on, point->y), colour_of(k), shape_of(k));
    }
}

static void draw_points(const struct sheet_chart *chart, const struct series_list *list,
                        struct canvas *canvas)
{
    struct chart on = {.canvas = canvas,
                       .across = {.logarithmic = chart->across_logarithmic,
                                  .whole = chart->across_whole,
                                  .title = chart->across_title},
                       .up = {.logarithmic = chart->up_logarithmic, .title = chart->up_title}};
    double top = draw_legend(chart, list, canvas, draw_title(chart, list, canvas));
    fit(chart, list, &on);
    on.across.bare = !chart->across && chart->sheet;
    const double names = !chart->across && chart->sheet ? names_high(list, canvas) : 0;
    if (names > 0) on.across.title = NULL;
    const double below = names > 0 ? names + 1.25 * canvas->line : 0;
    chart_place(&on, top, canvas->high - 0.25 * canvas->line - below, 7);
    chart_axes(&on);
    draw_names(list, &on, names);
    if (names > 0)
        canvas_text(canvas, on.left + on.wide / 2, canvas->high - 0.75 * canvas->line, ANCHOR_MIDDLE,
                    COLOUR_TEXT, 0, "%s", chart->across_title);
    if (chart->even) chart_line(&on, on.across.from, 1, on.across.to, 1, COLOUR_DIM, true);
    if (chart->diagonal)
        chart_line(&on, on.across.from, on.across.from, on.across.to, on.across.to, COLOUR_DIM, true);
    for (int k = list->count - 1; k >= 0; k--) /* the first ones are drawn over the others */
        draw_series(chart, list, k, &on);
}

/* Write the number of a bar. */
static void write_bar(double value, char *out, size_t size)
{
    if (fabs(value) >= 1000 && fabs(value) < 1e9)
        format_count(out, size, (int64_t)round(value));
    else
        snprintf(out, size, "%.3g", value);
}

/* Return the axis of bars up to `most`. Ratios with large values get a logarithmic axis, on which small ones
 * remain distinguishable. */
static struct chart_axis axis_of_bars(const struct sheet_chart *chart, double most)
{
    if (chart->even && most > RATIO_LONG)
        return (struct chart_axis){
            .from = 0.7, .to = 2 * most, .logarithmic = true, .title = chart->up_title};
    return (struct chart_axis){.from = 0, .to = most > 0 ? 1.12 * most : 1, .title = chart->up_title};
}

/* The bars of a row, one for each series, are stacked vertically. */
static void draw_bars(const struct sheet_chart *chart, const struct series_list *list, struct canvas *canvas)
{
    int heights = 0;
    char number[32];
    double most = chart->even ? 1 : 0, top = draw_title(chart, list, canvas);
    while (heights < CHART_HEIGHTS && chart->heights[heights].key)
        heights++;
    for (int k = 0; k < heights && heights > 1; k++)
        canvas_text(canvas, (1 + 20 * k) * canvas->column, top + 0.5 * canvas->line, ANCHOR_START, colours[k],
                    0, "%s", chart->heights[k].name);
    if (heights > 1) top += 1.25 * canvas->line;
    double room = canvas->high - top - 2.75 * canvas->line, least = fmax(1, (heights + 0.25) * canvas->line);
    int shown = list->rows < (int)(room / least) ? list->rows : (int)fmax(1, floor(room / least));
    for (int k = 0; k < list->count; k++)
        for (int j = 0; j < list->items[k].count; j++)
            if (list->items[k].items[j].row < shown) most = fmax(most, list->items[k].items[j].y);
    struct chart on = {
        .canvas = canvas, .across = axis_of_bars(chart, most), .up = {.from = 0, .to = 1, .bare = true}};
    double each = fmin(2.0 * heights * canvas->line, floor(room / shown));
    if (!canvas->turns) each = heights * canvas->line;
    chart_place(&on, top, top + each * shown + 2.5 * canvas->line, NAME_WIDE);
    on.high = each * shown;
    chart_axes(&on);
    for (int k = 0; k < list->count; k++)
        for (int j = 0; j < list->items[k].count; j++) {
            const struct series_point *point = &list->items[k].items[j];
            int height = list->items[k].height;
            if (point->row >= shown) continue;
            double bar = each / heights, y = on.top + point->row * each + height * bar,
                   end = fmax(on.left, chart_x(&on, point->y));
            write_bar(point->y, number, sizeof number);
            canvas_bar(canvas, on.left, y + 0.15 * bar, end - on.left, fmax(1, 0.7 * bar), colours[height],
                       false);
            canvas_text(canvas, end + canvas->column, y + bar / 2, ANCHOR_START, COLOUR_DIM, 0, "%s", number);
            if (height == 0)
                canvas_text(canvas, on.left - canvas->column, on.top + (point->row + 0.5) * each, ANCHOR_END,
                            COLOUR_TEXT, 0, "%.*s", NAME_WIDE, list->items[k].name);
        }
    if (chart->even) chart_line(&on, 1, 0, 1, 1, COLOUR_TEXT, true);
    if (shown < list->rows)
        canvas_text(canvas, canvas->column, canvas->high - 0.5 * canvas->line, ANCHOR_START, COLOUR_DIM, 0,
                    "and %d more", list->rows - shown);
}

void chart_draw(const struct sheet_chart *chart, const struct series_list *list, struct canvas *canvas)
{
    if (chart->shape == CHART_BARS)
        draw_bars(chart, list, canvas);
    else
        draw_points(chart, list, canvas);
}
