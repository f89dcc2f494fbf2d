/* Kernels side by side: their speeds as bars with intervals, and under the roofs of their machines. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/chart.h"
#include "report/figures/even.h"
#include "report/figures/figure.h"
#include "report/figures/speeds.h"

#define NAME_COLUMNS 7 /* names whose right ends are nearer may overlap: "memory" is the longest */
#define MARGIN 1.5     /* the factor between the outermost points and the edges of the roofline */
#define NAME_MOST 44   /* characters of a name; a longer name is cut and ends with two dots */

static const enum colour colours[] = {COLOUR_ROWS, COLOUR_COLS, COLOUR_MARK};
#define COLOURS (int)(sizeof colours / sizeof *colours)

enum colour speed_colour(const struct speed *speed)
{
    return speed->roof < 0 ? COLOUR_GOOD : colours[speed->roof % COLOURS];
}

/* Write a kernel's name into out, cut to `room` units, and return its width. */
static double write_name(const struct canvas *canvas, const struct speed *speed, double room,
                         char out[NAME_MOST + 1])
{
    snprintf(out, NAME_MOST + 1, "%.*s", NAME_MOST, speed->name);
    double wide = canvas_text_wide(canvas, out);
    bool whole = strlen(speed->name) <= NAME_MOST && wide <= room;
    for (size_t length = strlen(out); !whole && length > 2; length--) {
        snprintf(out + length - 2, 3, "..");
        wide = canvas_text_wide(canvas, out);
        if (wide <= room) break;
    }
    return wide;
}

/* *speeds is the caller's to free; NULL on failure. */
static enum status find(const struct figure_subject *subject, struct speeds **speeds, struct error *error)
{
    *speeds = memory_array(1, sizeof **speeds, error);
    if (!*speeds) return STATUS_MEMORY;
    enum status status = speeds_find(subject, *speeds, error);
    if (status == STATUS_OK) return STATUS_OK;
    free(*speeds);
    *speeds = NULL;
    return status;
}

/* Draw the bar of a kernel, with its interval as a line over the bar's end. A line that would reach the
 * number is cut there, without an end mark. */
static void draw_bar(const struct chart *chart, const struct speed *speed, double y, double each)
{
    char name[NAME_MOST + 1];
    struct canvas *canvas = chart->canvas;
    double end = chart_x(chart, speed->speed * 1e-9), low = chart_x(chart, speed->low * 1e-9);
    double bar = fmax(1, each * 0.7), middle = y + each / 2;
    char number[32];
    snprintf(number, sizeof number, "%.3g", speed->speed * 1e-9);
    double room = fmin(chart->left + chart->wide,
                       canvas->wide - canvas_text_wide(canvas, number) - 1.5 * canvas->column);
    double high = fmin(chart_x(chart, speed->high * 1e-9), room);
    canvas_bar(canvas, chart->left, middle - bar / 2, end - chart->left, bar, speed_colour(speed), false);
    if (canvas->turns && high - low >= 1) {
        canvas_stroke(canvas, low, middle, high, middle, COLOUR_TEXT, 1.5);
        canvas_stroke(canvas, low, middle - bar / 3, low, middle + bar / 3, COLOUR_TEXT, 1.5);
        if (high < room)
            canvas_stroke(canvas, high, middle - bar / 3, high, middle + bar / 3, COLOUR_TEXT, 1.5);
    }
    write_name(canvas, speed, chart->left - canvas->column, name);
    canvas_text(canvas, chart->left - canvas->column, middle, ANCHOR_END, COLOUR_TEXT, 0, "%s", name);
    canvas_text(canvas, fmax(high, end) + canvas->column, middle, ANCHOR_START, COLOUR_DIM, 0, "%s", number);
}

/* The name of a machine. A profile of a processor that was not measured is marked. */
static const char *machine_name(const struct figure_subject *subject, const struct speeds *speeds, int roof,
                                char *out, size_t size)
{
    const char *name = roof >= 0 ? speeds->roofs[roof].name : "";
    const bool known = subject->processor && subject->processor[0];
    if (name[0] && (strcmp(name, "this processor") != 0 || !known)) return name;
    const bool assumed = speeds->forecast && subject->session && subject->session->processor.assumed;
    snprintf(out, size, "%.80s%s", known ? subject->processor : "processor",
             assumed ? ", with the profile of another one" : "");
    return out;
}

/* Write the machines in the colours of their bars. Returns the y coordinate below them. */
static double draw_machines(const struct figure_subject *subject, const struct speeds *speeds,
                            struct canvas *canvas, double top)
{
    char out[128];
    double x = canvas->column;
    int bare = 0; /* kernels of a machine whose bandwidth is unknown */
    for (int k = 0; k < speeds->count; k++)
        bare += speeds->items[k].roof < 0;
    for (int r = bare ? -1 : 0; r < speeds->roof_count; r++) {
        const struct speed some = {.roof = r};
        const char *name = machine_name(subject, speeds, r, out, sizeof out);
        double wide = canvas_text_wide(canvas, name) + 3 * canvas->column;
        if (x > canvas->column && x + wide > canvas->wide) {
            x = canvas->column;
            top += canvas->line;
        }
        canvas_text(canvas, x, top + 0.5 * canvas->line, ANCHOR_START, speed_colour(&some), WRITING_BOLD,
                    "%s", name);
        x += wide;
    }
    return top + canvas->line;
}

static enum status draw_kernels(const struct figure_subject *subject, struct canvas *canvas,
                                struct error *error)
{
    struct speeds *speeds;
    enum status status = find(subject, &speeds, error);
    if (status != STATUS_OK) return status;
    char shows[200];
    const char *what = !speeds->forecast ? "medians; the lines are their 95% intervals"
                       : speeds->derived
                           ? "forecast, not timed (constants derived); the lines are 80% intervals"
                           : "forecast, not timed; the lines are 80% intervals";
    double most = 0, top = draw_machines(subject, speeds, canvas, figure_heading(subject, canvas, what)) +
                           0.5 * canvas->line;
    double least = fmax(1, 1.25 * canvas->line), room = canvas->high - top - 2.75 * canvas->line;
    if (!canvas->turns) least = canvas->line;
    int shown = speeds->count < (int)(room / least) ? speeds->count : (int)fmax(1, floor(room / least));
    for (int k = 0; k < shown; k++)
        most = fmax(most,
                    fmax(speeds->items[k].speed, fmin(speeds->items[k].high, 1.2 * speeds->items[k].speed)));
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 0, .to = 1.12 * most * 1e-9, .title = "GFLOP/s, 2 nnz / time"},
                          .up = {.from = 0, .to = 1, .bare = true}};
    double each = fmin(2 * canvas->line, floor(room / shown));
    if (!canvas->turns) each = canvas->line;
    double names = 0;
    char name[NAME_MOST + 1];
    for (int k = 0; k < shown; k++)
        names = fmax(names, write_name(canvas, &speeds->items[k], canvas->wide / 2, name));
    chart_place(&chart, top, top + each * shown + 2.5 * canvas->line, (int)ceil(names / canvas->column));
    chart.high = each * shown;
    chart_axes(&chart);
    for (int k = 0; k < shown; k++)
        draw_bar(&chart, &speeds->items[k], chart.top + k * each, each);
    if (shown < speeds->count + speeds->left_out) {
        snprintf(shows, sizeof shows, "and %d slower ones", speeds->count + speeds->left_out - shown);
        canvas_text(canvas, canvas->column, canvas->high - 0.5 * canvas->line, ANCHOR_START, COLOUR_DIM, 0,
                    "%s", shows);
    }
    free(speeds);
    return STATUS_OK;
}

#define LETTERS 52

/* The legend of the letters: beside the chart if there is room, else in columns below it. */
struct names {
    int shown;   /* points with a letter and a line in the list */
    int columns; /* of the list */
    double wide; /* of a column */
    double high; /* of the list below the chart; 0 beside it */
};

/* Write the legend of letter k, and return its width. */
static double write_line(const struct speeds *speeds, const struct canvas *canvas, int k, char *out,
                         size_t size)
{
    char name[NAME_MOST + 1];
    write_name(canvas, &speeds->items[k], INFINITY, name);
    snprintf(out, size, "%c %s %.3g%s", figure_letter(k), name, speeds->items[k].speed * 1e-9,
             speeds->items[k].cached ? " (cache)" : "");
    return canvas_text_wide(canvas, out);
}

/* Return the width of the widest of the first `shown` lines, with the distance to the next column. */
static double widest_line(const struct speeds *speeds, const struct canvas *canvas, int shown)
{
    char line[96];
    double wide = 0;
    for (int k = 0; k < shown; k++)
        wide = fmax(wide, write_line(speeds, canvas, k, line, sizeof line) + 2 * canvas->column);
    return wide;
}

/* Place the list on a canvas whose chart begins at `top`. Below the chart it takes less than a third of the
 * height, in as many columns as fit. */
static struct names place_names(const struct speeds *speeds, const struct canvas *canvas, double top)
{
    int most = (int)fmin(speeds->count, LETTERS), lines = (int)((canvas->high - top) / canvas->line);
    struct names names = {.columns = 1, .shown = (int)fmin(most, lines - 1)};
    names.wide = widest_line(speeds, canvas, names.shown);
    if (canvas->wide - names.wide > 36 * canvas->column) return names;
    lines = (int)fmax(1, lines * 0.3);
    for (names.columns = LETTERS; names.columns > 1; names.columns--) {
        names.shown = (int)fmin(most, names.columns * lines);
        names.wide = widest_line(speeds, canvas, names.shown);
        if (names.columns * names.wide <= canvas->wide) break;
    }
    if (names.columns == 1) names.shown = (int)fmin(most, lines);
    names.high = ceil((double)names.shown / names.columns) * canvas->line;
    return names;
}

static void draw_names(const struct speeds *speeds, struct canvas *canvas, const struct names *names,
                       double top)
{
    char line[96];
    double left = names->high > 0 ? canvas->column : canvas->wide - names->wide + canvas->column;
    if (names->high > 0) top = canvas->high - names->high - 0.25 * canvas->line;
    int lines = (names->shown + names->columns - 1) / names->columns;
    for (int k = 0; k < names->shown; k++) {
        write_line(speeds, canvas, k, line, sizeof line);
        canvas_text(canvas, left + (k / lines) * names->wide, top + (k % lines + 0.5) * canvas->line,
                    ANCHOR_START, speed_colour(&speeds->items[k]), 0, "%s", line);
    }
}

static struct canvas_point place_of(const struct chart *chart, const struct speed *speed)
{
    return (struct canvas_point){chart_x(chart, speed->intensity), chart_y(chart, speed->speed * 1e-9)};
}

/* Return the number of points and letters that a letter at this position would overlap. `count` letters are
 * placed. */
static int hits(const struct chart *chart, const struct speeds *speeds, const struct canvas_point *letters,
                int count, struct canvas_point at)
{
    int found = 0;
    for (int k = 0; k < speeds->count; k++) {
        struct canvas_point point = place_of(chart, &speeds->items[k]);
        found += fabs(point.x - at.x) < 0.9 * chart->canvas->column &&
                 fabs(point.y - at.y) < 0.6 * chart->canvas->line;
        if (k < count)
            found += fabs(letters[k].x - at.x) < 1.1 * chart->canvas->column &&
                     fabs(letters[k].y - at.y) < 0.55 * chart->canvas->line;
    }
    return found;
}

void roofline_letters(const struct speeds *speeds, const struct chart *chart, int shown, int cursor)
{
    static const struct canvas_point around[] = {{1.5, 0},    {-1.5, 0},  {0, -0.9},    {0, 0.9},
                                                 {1.5, -0.9}, {1.5, 0.9}, {-1.5, -0.9}, {-1.5, 0.9},
                                                 {0, -1.8},   {0, 1.8},   {3, 0},       {-3, 0}};
    struct canvas_point letters[SPEEDS_MAX];
    struct canvas *canvas = chart->canvas;
    for (int n = 0; n < shown + (cursor >= 0); n++) {
        /* Later characters cover earlier ones. The letter under the cursor is drawn last. */
        const int k = canvas->turns ? n : n < shown ? shown - 1 - n : cursor;
        const struct canvas_point point = place_of(chart, &speeds->items[k]);
        int least = 0;
        letters[k] = point;
        for (size_t side = 0; canvas->turns && side < sizeof around / sizeof *around; side++) {
            struct canvas_point at = {point.x + around[side].x * canvas->column,
                                      point.y + around[side].y * canvas->line};
            int found = hits(chart, speeds, letters, k, at);
            if (side > 0 && found >= least) continue;
            least = found;
            letters[k] = at;
        }
        if (!isfinite(letters[k].x)) continue;
        canvas_text(canvas, letters[k].x, letters[k].y, ANCHOR_MIDDLE, speed_colour(&speeds->items[k]),
                    k == cursor ? WRITING_CHOSEN : WRITING_BOLD, "%c", figure_letter(k));
    }
}

/* The bandwidth of a machine's fastest ceiling. */
static double highest(const struct speeds *speeds, int roof)
{
    return speeds->roofs[roof].cache_count > 0 ? speeds->roofs[roof].caches[0].bandwidth
                                               : speeds->roofs[roof].bandwidth;
}

/* Return the end of the ceiling of a memory: where it leaves the chart. */
static struct canvas_point end_of(const struct chart *chart, double bandwidth)
{
    const double end = fmin(chart->across.to, chart->up.to / bandwidth);
    return (struct canvas_point){chart_x(chart, end), chart_y(chart, end * bandwidth)};
}

/* Draw the ceiling of a memory. */
static void draw_ceiling(const struct chart *chart, double bandwidth, enum colour colour, bool dashed)
{
    const double end = fmin(chart->across.to, chart->up.to / bandwidth);
    chart_line(chart, chart->across.from, chart->across.from * bandwidth, end, end * bandwidth, colour,
               dashed);
}

/* Write the name of a ceiling at its end, or below the name at `above` if it would cover that. Returns its
 * position. */
static struct canvas_point name_ceiling(const struct chart *chart, const char *name, double bandwidth,
                                        enum colour colour, struct canvas_point above)
{
    struct canvas *canvas = chart->canvas;
    struct canvas_point at = end_of(chart, bandwidth);
    at.y += (canvas->turns ? 1 : 0.5) * canvas->line;
    if (fabs(at.x - above.x) < NAME_COLUMNS * canvas->column && at.y < above.y + canvas->line)
        at.y = above.y + canvas->line;
    canvas_text(canvas, at.x, at.y, ANCHOR_END, colour, 0, "%s", name);
    return at;
}

/* Draw the ceilings of all machines, the fastest memory of each first, or write their names. */
static void draw_ceilings(const struct speeds *speeds, const struct chart *chart, bool named)
{
    for (int r = 0; r < speeds->roof_count; r++) {
        const double memory = speeds->roofs[r].bandwidth * 1e-9;
        const int count = speeds->roofs[r].cache_count;
        struct canvas_point above = {-INFINITY, -INFINITY};
        for (int k = 0; k < count; k++) {
            const double bandwidth = speeds->roofs[r].caches[k].bandwidth * 1e-9;
            const enum colour colour = speeds->roof_count > 1 ? colours[r % COLOURS] : COLOUR_DIM;
            if (named)
                above = name_ceiling(chart, speeds->roofs[r].caches[k].name, bandwidth, colour, above);
            else
                draw_ceiling(chart, bandwidth, colour, true);
        }
        if (!named)
            draw_ceiling(chart, memory, colours[r % COLOURS], false);
        else if (count > 0)
            name_ceiling(chart, "memory", memory, colours[r % COLOURS], above);
    }
}

void roofline_draw(const struct speeds *speeds, struct chart *chart, double top, double bottom, int label)
{
    chart->across.logarithmic = chart->up.logarithmic = true;
    chart->across.from = chart->up.from = INFINITY;
    for (int k = 0; k < speeds->count; k++) {
        const struct speed *speed = &speeds->items[k];
        if (!(speed->intensity > 0)) continue;
        double bound = speed->roof < 0 ? 0 : speed->intensity * highest(speeds, speed->roof) * 1e-9;
        chart->across.from = fmin(chart->across.from, speed->intensity / MARGIN);
        chart->across.to = fmax(chart->across.to, speed->intensity * MARGIN);
        chart->up.from = fmin(chart->up.from, speed->speed * 1e-9 / MARGIN);
        chart->up.to = fmax(chart->up.to, fmax(speed->speed * 1e-9, bound) * MARGIN);
    }
    chart_place(chart, top, bottom, label);
    if (!(chart->across.to > 0)) return;
    chart_axes(chart);
    chart->canvas->mark = '.';
    draw_ceilings(speeds, chart, false);
    draw_ceilings(speeds, chart, true); /* over all lines, which may end in another ceiling's name */
    chart->canvas->mark = 0;
}

static enum status draw_roofline(const struct figure_subject *subject, struct canvas *canvas,
                                 struct error *error)
{
    struct speeds *speeds;
    enum status status = find(subject, &speeds, error);
    if (status != STATUS_OK) return status;
    struct chart chart = {.canvas = canvas,
                          .across = {.title = "FLOP per byte that must be moved"},
                          .up = {.title = "GFLOP/s"}};
    double top = figure_heading(
                     subject, canvas,
                     speeds->forecast && speeds->derived
                         ? "forecast speeds (constants derived), and the limits of reading memory and caches"
                     : speeds->forecast ? "forecast speeds, and the limits of reading memory and caches"
                                        : "measured speeds, and the limit of reading memory") +
                 0.5 * canvas->line;
    const struct names names = place_names(speeds, canvas, top);
    double wide = canvas->wide;
    if (names.high <= 0) canvas->wide = wide - names.wide;
    roofline_draw(speeds, &chart, top, canvas->high - names.high - 0.5 * canvas->line, 7);
    canvas->wide = wide;
    if (chart.across.to > 0) {
        for (int r = 0; r < speeds->roof_count; r++) {
            char read[32], machine[128];
            canvas_text(canvas, chart.left + canvas->column, chart.top + (r + 0.5) * canvas->line,
                        ANCHOR_START, colours[r % COLOURS], 0, "%s: %s",
                        machine_name(subject, speeds, r, machine, sizeof machine),
                        format_bandwidth(read, sizeof read, speeds->roofs[r].bandwidth));
        }
        for (int k = speeds->count - 1; canvas->turns && k >= 0; k--)
            if (speeds->items[k].intensity > 0)
                chart_point(&chart, speeds->items[k].intensity, speeds->items[k].speed * 1e-9,
                            speed_colour(&speeds->items[k]));
        roofline_letters(speeds, &chart, names.shown, -1);
        draw_names(speeds, canvas, &names, top);
    }
    free(speeds);
    return STATUS_OK;
}

const struct figure figure_kernels = {
    .name = "kernels",
    .summary = "speeds of kernels with intervals: timed (--kernels, --results), else forecast",
    .needs = SESSION_MATRIX,
    .runs = FIGURE_RUNS_OR_FORECASTS,
    .check = speeds_check,
    .draw = draw_kernels,
};

const struct figure figure_roofline = {
    .name = "roofline",
    .summary = "roofline: speeds by operations per byte, and the limits of memory and caches",
    .needs = SESSION_MATRIX,
    .runs = FIGURE_RUNS_OR_FORECASTS,
    .check = speeds_check,
    .draw = draw_roofline,
};
