/* The table: its layout and its drawing. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/bars.h"
#include "drawing/flow.h"
#include "ui/kernels/kernels.h"

#define TABLE_GAP 1 /* blanks before a column; headings keep one more for the mark of sorting */

/* The position of a drawn column. */
struct column_place {
    int column, x, wide;
};

struct table_layout {
    struct column_place places[KERNELS_COLUMNS];
    int count; /* the number of columns in sight */
    int more;  /* the number of columns scrolled out at the right */
    int name_x, name_wide;
    int bar_x, bar_wide; /* bar_wide is 0 if there is no room for bars */
    int head_high;
};

/* The content of a line: its result, or its preliminary times during timing. */
struct sight {
    const struct result *result;
    const struct results *results; /* the results that contain `result` */
    bool so_far;
    struct result item; /* the result if it belongs to no run; `alone` contains only it, with its estimate */
    struct results alone;
    struct estimate estimate;
};

#define MARKS 4 /* the width of the marks before the name: selected, rank, cached, blank */
#define NAME_MIN 16
#define TEXT_MAX 24 /* the max width of a column of words */
#define HEAD_MAX 13 /* a wider heading is wrapped between words */
#define BAR_MIN 10
#define BAR_MAX 48

/* Find the content of a line. *sight must not move, because its members point to each other. */
static void table_look(const struct explorer *explorer, const struct kernels_screen *screen,
                       const struct line *line, struct sight *sight)
{
    const struct results *known = kernels_results(line);
    const struct estimate *estimate = line->result ? results_estimate_of(known, line->result) : NULL;
    sight->results = known;
    sight->so_far = kernels_outlook(explorer, screen, line, &sight->item);
    if (!sight->so_far) {
        sight->result = kernels_result(explorer, screen, line, &sight->item);
        return;
    }
    sight->alone = (struct results){.items = &sight->item, .count = 1, .options = screen->options};
    if (line->result) memcpy(sight->item.predicted, line->result->predicted, sizeof sight->item.predicted);
    if (estimate) {
        sight->estimate = *estimate;
        sight->alone.estimates = (struct estimates){.items = &sight->estimate, .count = 1};
    }
    sight->result = &sight->item;
    sight->results = &sight->alone;
}

/* Write a column's short heading. Without one, write its title, and the unit if the cells lack it. */
static void table_heading(int column, char *out, size_t size)
{
    const struct column *c = &kernel_columns[column];
    bool in_cells = column_unit_in_cells(c);
    if (c->heading)
        snprintf(out, size, "%s", c->heading);
    else
        snprintf(out, size, "%s%s%s", c->title, in_cells ? "" : ", ", in_cells ? "" : column_unit(c));
}

/* Wrap a heading into lines of at most `wide` columns, but do not divide words. Write them right-aligned, the
 * last one at `bottom`. If `surface` is NULL they are only counted. Returns the number of lines. */
static int table_wrap(struct surface *surface, int bottom, int x, int wide, enum colour colour,
                      unsigned attributes, const char *text)
{
    char lines[8][64] = {{0}};
    int count = 1;
    for (const char *at = text; *at && count <= 8;) {
        int length = (int)strcspn(at, " ");
        char *line = lines[count - 1];
        int used = (int)strlen(line);
        if (used && used + 1 + length > wide) {
            if (count == 8) break;
            line = lines[count++];
            used = 0;
        }
        snprintf(line + used, sizeof lines[0] - (size_t)used, "%s%.*s", used ? " " : "", length, at);
        at += length + strspn(at + length, " ");
    }
    for (int k = 0; surface && k < count; k++)
        surface_text_right(surface, bottom - count + 1 + k, x, wide, colour, attributes, "%s", lines[k]);
    return count;
}

/* Return the width of a heading: all its words if it is short, else HEAD_MAX or the longest word. */
static int heading_wide(int column)
{
    char text[160];
    int longest = 0;
    table_heading(column, text, sizeof text);
    int all = surface_columns(text);
    for (const char *at = text; *at;) {
        int length = (int)strcspn(at, " ");
        if (length > longest) longest = length;
        at += length + strspn(at + length, " ");
    }
    int wide = all <= HEAD_MAX ? all : longest > HEAD_MAX ? longest : HEAD_MAX;
    return wide + 1; /* with a column for the mark of sorting */
}

/* Write a value as a cell of its column. Times use one unit per column, which all values seen so far
 * determine. */
static void table_cell(const struct kernels_screen *screen, int column, struct value value, char *out,
                       size_t size)
{
    if (kernel_columns[column].role == COLUMN_TIME && value.type == VALUE_REAL)
        format_seconds_among(out, size, value.real * 1e-6, screen->low[column] * 1e-6,
                             screen->high[column] * 1e-6);
    else
        value_brief(&kernel_columns[column], value, 14, out, size);
}

/* True if the cells of the column are words. These are left-aligned. */
static bool table_is_words(int column)
{
    enum value_type type = kernel_columns[column].type;
    return type == VALUE_TEXT || type == VALUE_PARAMETERS;
}

/* Measure the visible lines. While the user scrolls, columns can become wider but not narrower. Otherwise the
 * table would move back and forth. */
static void table_measure(const struct explorer *explorer, struct kernels_screen *screen, int rows)
{
    char text[sizeof((struct error *)0)->message];
    for (int c = 0; c < kernels_columns(); c++)
        if (screen->visible[c] && screen->wide[c] < heading_wide(c)) screen->wide[c] = heading_wide(c);
    for (int k = screen->top; k < screen->top + rows && k < screen->line_count; k++) {
        struct sight sight;
        table_look(explorer, screen, &screen->lines[k], &sight);
        int wide = surface_columns(sight.result->name);
        if (wide > screen->name_wide) screen->name_wide = wide;
        for (int c = 0; c < kernels_columns(); c++) {
            if (!screen->visible[c]) continue;
            const struct value value = kernel_value(&kernel_columns[c], sight.results, sight.result);
            if (value.type == VALUE_REAL && value.real > 0) {
                screen->low[c] = screen->low[c] > 0 ? fmin(screen->low[c], value.real) : value.real;
                screen->high[c] = fmax(screen->high[c], value.real);
            }
            table_cell(screen, c, value, text, sizeof text);
            wide = surface_columns(text) + !table_is_words(c);
            if (table_is_words(c) && wide > TEXT_MAX) wide = TEXT_MAX;
            if (wide > screen->wide[c]) screen->wide[c] = wide;
        }
    }
}

/* True if the column is shown by default but has no values yet. */
static bool column_waits(const struct kernels_screen *screen, int column)
{
    return column != NAME_COLUMN && kernel_columns[column].leading && !screen->filled[column] &&
           screen->lead <= 0;
}

/* Return the column that replaces this one until it has values: the forecast replaces times. */
static int column_instead(const struct kernels_screen *screen, int column)
{
    return column_waits(screen, column) ? kernels_column("predicted_us") : column;
}

/* List the visible columns, except that of names and those without values yet. A default column comes last if
 * no kernel that can run here has a value in it. Returns the number of columns. */
static int list_visible(const struct kernels_screen *screen, int *shown)
{
    bool any = false;
    int count = 0;
    for (int c = 0; c < kernels_columns(); c++)
        any = any || screen->filled_here[c];
    for (int last = 0; last < 2; last++)
        for (int c = 0; c < kernels_columns(); c++)
            if (screen->visible[c] && !column_waits(screen, c) &&
                (any && kernel_columns[c].leading && !screen->filled_here[c]) == last)
                shown[count++] = c;
    return count;
}

/* Place as many visible columns as fit, from screen->first on. Bars take the remaining width. */
static void place_columns(const struct kernels_screen *screen, struct rect rect, struct table_layout *layout)
{
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown);
    int x = rect.left + layout->name_x + layout->name_wide, end = rect.left + rect.wide;
    layout->count = 0;
    for (int k = screen->first; k < count; k++) {
        int wide = screen->wide[shown[k]];
        if (x + TABLE_GAP + wide > end) break;
        layout->places[layout->count++] = (struct column_place){shown[k], x + TABLE_GAP, wide};
        x += TABLE_GAP + wide;
    }
    layout->more = count - screen->first - layout->count;
    layout->bar_x = x + TABLE_GAP + 1;
    layout->bar_wide = end - 1 - layout->bar_x;
    if (layout->bar_wide > BAR_MAX) layout->bar_wide = BAR_MAX;
    if (layout->bar_wide < BAR_MIN || layout->more > 0) layout->bar_wide = 0;
}

static bool in_sight(const struct table_layout *layout, int column)
{
    for (int k = 0; k < layout->count; k++)
        if (layout->places[k].column == column) return true;
    return column == NAME_COLUMN;
}

/* Divide the width. Names get the width that all columns leave, or three eighths of the table if that is
 * more. They get no more than the widest name needs. Then columns scroll until the one under the column
 * cursor is visible. */
static void table_lay_out(struct kernels_screen *screen, struct rect rect, struct table_layout *layout)
{
    const int column = column_instead(screen, screen->column);
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown), all = 0, index = 0;
    for (int k = 0; k < count; k++) {
        all += TABLE_GAP + screen->wide[shown[k]];
        if (shown[k] == column) index = k;
    }
    layout->name_x = MARKS;
    int share = rect.wide * 3 / 8, rest = rect.wide - MARKS - all;
    layout->name_wide = share > rest ? share : rest;
    if (layout->name_wide > screen->name_wide) layout->name_wide = screen->name_wide;
    if (layout->name_wide < NAME_MIN) layout->name_wide = NAME_MIN;
    if (screen->first >= count) screen->first = count > 0 ? count - 1 : 0;
    if (column == NAME_COLUMN || index < screen->first) screen->first = column == NAME_COLUMN ? 0 : index;
    place_columns(screen, rect, layout);
    while (!in_sight(layout, column) && screen->first < index) {
        screen->first++;
        place_columns(screen, rect, layout);
    }
    layout->head_high = 1;
    for (int k = 0; k < layout->count; k++) {
        char text[160];
        table_heading(layout->places[k].column, text, sizeof text);
        int high = table_wrap(NULL, 0, 0, layout->places[k].wide - 1, COLOUR_TEXT, 0, text);
        if (high > layout->head_high) layout->head_high = high;
    }
}

/* Scroll the lines so that the cursor is visible. */
static void table_scroll(struct kernels_screen *screen, int rows)
{
    screen->rows = (int)max(rows, 1);
    screen->top = scroll_to(screen->top, screen->cursor, screen->line_count, rows);
}

void kernels_standard_columns(struct kernels_screen *screen)
{
    for (int c = 0; c < kernels_columns(); c++)
        screen->visible[c] = kernel_columns[c].leading;
    if (screen->column != NAME_COLUMN && !screen->visible[screen->column]) screen->column = screen->sort;
    if (screen->column != NAME_COLUMN && !screen->visible[screen->column]) screen->column = NAME_COLUMN;
}

void kernels_move_column(struct kernels_screen *screen, int step)
{
    int shown[KERNELS_COLUMNS], count = list_visible(screen, shown), at = -1;
    for (int k = 0; k < count; k++)
        if (shown[k] == column_instead(screen, screen->column)) at = k;
    at += step;
    if (at >= count) at = count - 1;
    screen->column = at < 0 ? NAME_COLUMN : shown[at];
}

/* Drawing */

#define FOOT_HIGH 4
#define SO_FAR ':' /* the mark of a time that is not final, because more samples follow */

static void draw_heading(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, int bottom, struct column_place place, const char *text)
{
    bool here = place.column == column_instead(screen, screen->column),
         sorted = place.column == column_instead(screen, screen->sort);
    unsigned attributes = here ? ATTRIBUTE_UNDERLINE | ATTRIBUTE_BOLD : 0;
    enum colour colour = here ? COLOUR_ACCENT : COLOUR_TITLE;
    if (place.column == NAME_COLUMN)
        surface_text(surface, bottom, place.x, place.wide, colour, attributes, "%s", text);
    else
        table_wrap(surface, bottom, place.x, place.wide - 1, colour, attributes, text);
    int x = place.column == NAME_COLUMN ? place.x + surface_columns(text) : place.x + place.wide - 1;
    if (sorted)
        surface_put(surface, bottom, x,
                    explorer->ascii ? (screen->descending ? 'v' : '^')
                                    : (screen->descending ? 0x25bc : 0x25b2),
                    COLOUR_ACCENT, COLOUR_TEXT, 0);
    screen->headings[screen->heading_count++] = (struct heading){place.column, place.x, place.wide};
}

/* True if a kernel has a time, or one so far. */
static bool has_times(const struct kernels_screen *screen)
{
    return screen->fastest || screen->lead > 0;
}

/* Return the shortest forecast among the kernels of the result's kind of machine. */
static double *lead_of(struct kernels_screen *screen, const struct result *result)
{
    return &screen->foreseen_lead[result->choice.kernel->backend->devices != NULL];
}

static void draw_headings(const struct explorer *explorer, struct kernels_screen *screen,
                          struct surface *surface, struct rect rect, const struct table_layout *layout)
{
    int bottom = rect.top + layout->head_high - 1;
    char text[160];
    screen->heading_count = 0;
    draw_heading(explorer, screen, surface, bottom,
                 (struct column_place){NAME_COLUMN, rect.left + layout->name_x, layout->name_wide}, "kernel");
    for (int k = 0; k < layout->count; k++) {
        table_heading(layout->places[k].column, text, sizeof text);
        draw_heading(explorer, screen, surface, bottom, layout->places[k], text);
    }
    if (layout->bar_wide == 0) return;
    if (has_times(screen))
        surface_text_whole(surface, bottom, layout->bar_x, layout->bar_wide, COLOUR_DIM, 0,
                           "speed, 0 to that of the fastest");
    else if (screen->foreseen_lead[0] > 0 || screen->foreseen_lead[1] > 0)
        surface_text_whole(surface, bottom, layout->bar_x, layout->bar_wide, COLOUR_DIM, 0,
                           "forecast speed, 0 to the fastest of its machine");
}

/* Return the mark of a result. The fastest of all lines has '>'. Results tied with it have '=', and so does
 * the fastest if it is tied. Others have ' '. */
static char rank(const struct kernels_screen *screen, const struct result *result)
{
    bool tied = false;
    if (!screen->fastest || !result_timed(result)) return ' ';
    if (result != screen->fastest)
        return samples_tie(&screen->fastest->samples, &result->samples) ? '=' : ' ';
    for (int k = 0; k < screen->line_count && !tied; k++) {
        const struct result *other = screen->lines[k].result;
        tied =
            other && other != result && result_timed(other) && samples_tie(&other->samples, &result->samples);
    }
    return tied ? '=' : '>';
}

/* Draw the bar of a line: its speed, or before anything was timed that of its forecast. */
static void draw_bar(const struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                     int y, const struct table_layout *layout, const struct results *results,
                     const struct result *result, char mark)
{
    const struct prediction *forecast = has_times(screen) ? NULL : results_prediction_of(results, result);
    double length = screen->fastest ? result_speedup(result, screen->fastest) : 0;
    if (forecast && forecast->seconds > 0) length = *lead_of(screen, result) / forecast->seconds;
    if (mark == SO_FAR) {
        double best = screen->lead;
        if (screen->fastest && screen->fastest->samples.time < best) best = screen->fastest->samples.time;
        length = best / result->samples.time;
    }
    if (!(length > 0)) return;
    const struct bar bar = {.kind = BAR_LINE,
                            .rect = {y, layout->bar_x, 1, layout->bar_wide},
                            .length = length,
                            .colour = forecast                     ? COLOUR_WARN
                                      : mark == SO_FAR             ? COLOUR_DIM
                                      : mark == '>' || mark == '=' ? COLOUR_GOOD
                                                                   : COLOUR_ROWS,
                            .ascii = explorer->ascii};
    bar_draw(surface, &bar);
}

static void draw_cells(const struct explorer *explorer, const struct kernels_screen *screen,
                       struct surface *surface, int y, const struct table_layout *layout,
                       const struct results *results, const struct result *result, char mark)
{
    const struct subject subject = {.results = results, .result = result};
    char text[sizeof result->error.message];
    for (int k = 0; k < layout->count; k++) {
        const struct column_place *place = &layout->places[k];
        const struct column *column = &kernel_columns[place->column];
        struct value value = kernel_value(column, results, result);
        bool timed = result_timed(result) && mark != SO_FAR, best = mark == '>' || mark == '=';
        enum colour colour = value.type == VALUE_NULL || !timed ? COLOUR_DIM
                             : best                             ? COLOUR_GOOD
                                                                : COLOUR_TEXT;
        table_cell(screen, place->column, value, text, sizeof text);
        /* a kernel that was not run has no dashes: blanks leave the numbers of the others in sight */
        if (value.type == VALUE_NULL && (!result_timed(result) || !part_applies(column->part, &subject)))
            text[0] = 0;
        /* the kernel read from the cache, so a share of the memory's bandwidth would be meaningless */
        if (timed && result->cached && place->column == kernels_column("read_share"))
            snprintf(text, sizeof text, "cache");
        if (table_is_words(place->column))
            surface_text_short(surface, y, place->x, place->wide, explorer->ascii, colour, 0, text);
        else
            surface_text_right(surface, y, place->x, place->wide - 1, colour,
                               place->column == screen->sort && timed ? ATTRIBUTE_BOLD : 0, "%s", text);
    }
}

/* The other kernel from which the result is forecast; "" if there is no forecast or no other kernel. */
static const char *borrowed_from(const struct results *results, const struct result *result)
{
    const struct prediction *prediction = &result->predicted[results->options.cold];
    return prediction->there ? prediction->like : "";
}

static void draw_line(const struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                      int y, struct rect rect, const struct table_layout *layout, int index)
{
    const struct line *line = &screen->lines[index];
    struct sight sight;
    table_look(explorer, screen, line, &sight);
    const struct results *results = sight.results;
    const struct result *result = sight.result;
    bool estimated = result->status != STATUS_OK && results_estimate_of(results, result);
    bool failed =
        result->status != STATUS_OK && !estimated && !kernels_awaits_gpu(explorer, screen, line, result);
    bool selected = line->choice >= 0 && screen->selected[line->choice];
    char mark = sight.so_far ? SO_FAR : failed ? '!' : estimated ? '~' : rank(screen, result);
    int x = rect.left;
    if (selected)
        surface_put(surface, y, x, explorer->ascii ? '+' : 0x2022, COLOUR_ACCENT, COLOUR_TEXT,
                    ATTRIBUTE_BOLD);
    if (mark != ' ')
        surface_put(surface, y, x + 1, (unsigned char)mark,
                    failed                      ? COLOUR_BAD
                    : estimated || sight.so_far ? COLOUR_DIM
                                                : COLOUR_GOOD,
                    COLOUR_TEXT, ATTRIBUTE_BOLD);
    if (result_timed(result) && result->cached)
        surface_put(surface, y, x + 2, '*', COLOUR_WARN, COLOUR_TEXT, 0);
    if (!failed && !result_timed(result) && borrowed_from(results, result)[0])
        surface_put(surface, y, x + 2, '"', COLOUR_WARN, COLOUR_TEXT, 0);
    surface_text_short(surface, y, x + layout->name_x, layout->name_wide, explorer->ascii,
                       failed                       ? COLOUR_BAD
                       : mark == '>' || mark == '=' ? COLOUR_GOOD
                                                    : COLOUR_TEXT,
                       mark == '>' || mark == '=' || selected ? ATTRIBUTE_BOLD : 0, result->name);
    if (failed) {
        int from = x + layout->name_x + layout->name_wide + TABLE_GAP;
        surface_text_short(surface, y, from, rect.left + rect.wide - from - 1, explorer->ascii, COLOUR_BAD, 0,
                           result->error.message);
    } else {
        draw_cells(explorer, screen, surface, y, layout, results, result, mark);
        if (layout->bar_wide > 0) draw_bar(explorer, screen, surface, y, layout, results, result, mark);
    }
    /* Only the name is highlighted. If the numbers were too, each move of the cursor would send two long rows
     * over a slow connection. */
    int named = surface_columns(result->name);
    if (named > layout->name_wide) named = layout->name_wide;
    if (index == screen->cursor)
        surface_cursor(surface, (struct rect){y, rect.left, 1, layout->name_x + named + 1});
}

/* Write a kernel's summary with its source in one line. If that is too long, the source ends before its
 * title, or is left out: the panel has all of it. */
static void describe(const struct kernel *kernel, bool ascii, int wide, char *out, size_t size)
{
    const char *title = strstr(kernel->source, ", \"");
    snprintf(out, size, "%s; %s", kernel->summary, kernel->source);
    if (kernel->source[0] && surface_columns(out) <= wide) return;
    snprintf(out, size, "%s; %.*s, %s", kernel->summary, title ? (int)(title - kernel->source) : 0,
             kernel->source, ascii ? "..." : "\u2026");
    if (title && surface_columns(out) <= wide) return;
    snprintf(out, size, "%s", kernel->summary);
}

/* Describe the kernel under the cursor, or give the reason why it has no times. */
static void draw_about(const struct explorer *explorer, const struct kernels_screen *screen,
                       struct surface *surface, int y, struct rect rect)
{
    struct result unrun;
    if (screen->cursor >= screen->line_count) return;
    const struct result *result = kernels_result(explorer, screen, &screen->lines[screen->cursor], &unrun);
    bool failed = result->status != STATUS_OK;
    const char *like = borrowed_from(kernels_results(&screen->lines[screen->cursor]), result);
    char words[sizeof result->error.message];
    int x = rect.left + 1, end = rect.left + rect.wide - 1;
    x += surface_text_short(surface, y, x, end - x, explorer->ascii, COLOUR_TITLE, 0, result->name) + 2;
    if (like[0] && !result_timed(result))
        x += surface_text_whole(surface, y, x, end - x, COLOUR_WARN, 0, "forecast from %s  ", like);
    if (failed)
        snprintf(words, sizeof words, "%s", result->error.message);
    else
        describe(result->choice.kernel, explorer->ascii, end - x, words, sizeof words);
    if (x < end) surface_text_short(surface, y, x, end - x, explorer->ascii, COLOUR_DIM, 0, words);
}

/* Explain the kernel and the column under the cursors, and the marks. */
static void draw_foot(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, struct rect rect, const struct table_layout *layout)
{
    draw_about(explorer, screen, surface, rect.top, rect);
    rect.top++;
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, 2, rect.wide - 2}};
    const int under = column_instead(screen, screen->column);
    const struct column *column = &kernel_columns[under == NAME_COLUMN ? 0 : under];
    char words[320];
    flow_item(&flow, COLOUR_ACCENT, "%s", column->title);
    snprintf(words, sizeof words, "%s%s%s%s", column_unit(column)[0] ? "(" : "", column_unit(column),
             column_unit(column)[0] ? ") " : "", column->help);
    flow_sentence(&flow, COLOUR_DIM, words);
    int y = rect.top + 2, end = rect.left + rect.wide, x = rect.left + 1;
    if (layout->more > 0 || screen->first > 0) {
        char more[48];
        if (layout->more > 0)
            snprintf(more, sizeof more, "%d more column%s: >", layout->more, layout->more > 1 ? "s" : "");
        else
            snprintf(more, sizeof more, "< %d more column%s", screen->first, screen->first > 1 ? "s" : "");
        end -= surface_columns(more) + 1;
        surface_text(surface, y, end, surface_columns(more), COLOUR_ACCENT, 0, "%s", more);
    }
    static const struct {
        const char *mark, *help;
        enum colour colour;
    } legend[] = {{":", "so far", COLOUR_DIM},
                  {">", "fastest", COLOUR_GOOD},
                  {"=", "tie with it", COLOUR_GOOD},
                  {"~", "estimated", COLOUR_DIM},
                  {"*", "in cache", COLOUR_WARN},
                  {"!", "no numbers", COLOUR_BAD},
                  {"\"", "borrowed forecast", COLOUR_WARN}};
    for (size_t k = screen->lead > 0 ? 0 : 1; k < sizeof legend / sizeof *legend; k++) {
        int need = 3 + surface_columns(legend[k].help);
        if (x + need + 1 > end) break;
        surface_text(surface, y, x, 1, legend[k].colour, ATTRIBUTE_BOLD, "%s", legend[k].mark);
        surface_text(surface, y, x + 2, need, COLOUR_DIM, 0, "%s", legend[k].help);
        x += need + 1;
    }
}

static void find_lead(const struct explorer *explorer, struct kernels_screen *screen)
{
    screen->lead = screen->foreseen_lead[0] = screen->foreseen_lead[1] = 0;
    for (int k = 0; k < screen->line_count; k++) {
        struct sight sight;
        table_look(explorer, screen, &screen->lines[k], &sight);
        if (sight.result->status != STATUS_OK && !results_estimate_of(sight.results, sight.result)) continue;
        const struct prediction *forecast = results_prediction_of(sight.results, sight.result);
        double *lead = lead_of(screen, sight.result);
        if (forecast && forecast->seconds > 0 && (*lead <= 0 || forecast->seconds < *lead))
            *lead = forecast->seconds;
    }
    for (int k = 0; k < screen->line_count; k++) {
        struct result early;
        if (!kernels_outlook(explorer, screen, &screen->lines[k], &early)) continue;
        if (screen->lead <= 0 || early.samples.time < screen->lead) screen->lead = early.samples.time;
    }
}

void kernels_draw_table(const struct explorer *explorer, struct kernels_screen *screen,
                        struct surface *surface, struct rect rect)
{
    find_lead(explorer, screen);
    struct table_layout layout = {0};
    int rows = rect.high - FOOT_HIGH - 1;
    table_scroll(screen, rows);
    table_measure(explorer, screen, rows);
    table_lay_out(screen, rect, &layout);
    rows = rect.high - FOOT_HIGH - layout.head_high;
    table_scroll(screen, rows);
    draw_headings(explorer, screen, surface, rect, &layout);
    screen->body = (struct rect){rect.top + layout.head_high, rect.left, rows, rect.wide};
    for (int k = 0; k < rows && screen->top + k < screen->line_count; k++)
        draw_line(explorer, screen, surface, screen->body.top + k, rect, &layout, screen->top + k);
    draw_foot(explorer, screen, surface,
              (struct rect){rect.top + rect.high - FOOT_HIGH, rect.left, FOOT_HIGH, rect.wide}, &layout);
}
