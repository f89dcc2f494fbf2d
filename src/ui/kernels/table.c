/* Drawing the table. */
#include <stdio.h>

#include "drawing/bars.h"
#include "drawing/flow.h"
#include "ui/kernels/table.h"

#define FOOT_HIGH 4
#define SO_FAR ':' /* the mark of a time that is not final, since more samples of it are being taken */

static void draw_heading(const struct explorer *explorer, struct kernels_screen *screen,
                         struct surface *surface, int bottom, struct column_place place, const char *text)
{
    bool here = place.column == screen->column, sorted = place.column == screen->sort;
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
    if (layout->bar_wide > 0 && (screen->fastest || screen->lead > 0))
        surface_text_whole(surface, bottom, layout->bar_x, layout->bar_wide, COLOUR_DIM, 0,
                           "speed, 0 to that of the fastest");
}

/* Return the mark of a result: '>' for the fastest of all lines, '=' for one in a tie with it and for the
 * fastest itself if there is a tie, else ' '. */
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

static void draw_bar(const struct explorer *explorer, const struct kernels_screen *screen,
                     struct surface *surface, int y, const struct table_layout *layout,
                     const struct result *result, char mark)
{
    double length = screen->fastest ? result_speedup(result, screen->fastest) : 0;
    if (mark == SO_FAR) {
        double best = screen->lead;
        if (screen->fastest && screen->fastest->samples.time < best) best = screen->fastest->samples.time;
        length = best / result->samples.time;
    }
    if (!(length > 0)) return;
    const struct bar bar = {.kind = BAR_LINE,
                            .rect = {y, layout->bar_x, 1, layout->bar_wide},
                            .length = length,
                            .colour = mark == SO_FAR               ? COLOUR_DIM
                                      : mark == '>' || mark == '=' ? COLOUR_GOOD
                                                                   : COLOUR_ROWS,
                            .ascii = explorer->ascii};
    bar_draw(surface, &bar);
}

static void draw_cells(const struct explorer *explorer, const struct kernels_screen *screen,
                       struct surface *surface, int y, const struct table_layout *layout,
                       const struct results *results, const struct result *result, char mark)
{
    char text[sizeof result->error.message];
    for (int k = 0; k < layout->count; k++) {
        const struct column_place *place = &layout->places[k];
        const struct column *column = &kernel_columns[place->column];
        struct value value = kernel_value(column, results, result);
        bool timed = result_timed(result) && mark != SO_FAR, best = mark == '>' || mark == '=';
        enum colour colour = value.type == VALUE_NULL || !timed ? COLOUR_DIM
                             : best                             ? COLOUR_GOOD
                                                                : COLOUR_TEXT;
        table_cell(place->column, value, text, sizeof text);
        if (table_is_words(place->column))
            surface_text_short(surface, y, place->x, place->wide, explorer->ascii, colour, 0, text);
        else
            surface_text_right(surface, y, place->x, place->wide - 1, colour,
                               place->column == screen->sort && timed ? ATTRIBUTE_BOLD : 0, "%s", text);
    }
}

static void draw_line(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, struct rect rect, const struct table_layout *layout,
                      int index)
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
        if (layout->bar_wide > 0) draw_bar(explorer, screen, surface, y, layout, result, mark);
    }
    /* The numbers keep their look: over a slow line two rows of them would be most of what a key sends. */
    int named = surface_columns(result->name);
    if (named > layout->name_wide) named = layout->name_wide;
    if (index == screen->cursor)
        surface_cursor(surface, (struct rect){y, rect.left, 1, layout->name_x + named + 1});
}

/* Say what the kernel under the cursor is, or why it has no times. */
static void draw_about(const struct explorer *explorer, const struct kernels_screen *screen,
                       struct surface *surface, int y, struct rect rect)
{
    struct result unrun;
    if (screen->cursor >= screen->line_count) return;
    const struct result *result = kernels_result(explorer, screen, &screen->lines[screen->cursor], &unrun);
    const struct kernel *kernel = result->choice.kernel;
    bool failed = result->status != STATUS_OK;
    char words[sizeof result->error.message];
    int x = rect.left + 1, end = rect.left + rect.wide - 1;
    x += surface_text_short(surface, y, x, end - x, explorer->ascii, COLOUR_TITLE, 0, result->name) + 2;
    if (failed)
        snprintf(words, sizeof words, "%s", result->error.message);
    else
        snprintf(words, sizeof words, "%s%s%s", kernel->summary, kernel->source[0] ? "; " : "",
                 kernel->source);
    if (x < end) surface_text_short(surface, y, x, end - x, explorer->ascii, COLOUR_DIM, 0, words);
}

/* Explain the kernel and the column under the cursors, and the marks. */
static void draw_foot(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, struct rect rect, const struct table_layout *layout)
{
    draw_about(explorer, screen, surface, rect.top, rect);
    rect.top++;
    struct flow flow = {.surface = surface, .rect = {rect.top, rect.left + 1, 2, rect.wide - 2}};
    const struct column *column =
        screen->column == NAME_COLUMN ? &kernel_columns[0] : &kernel_columns[screen->column];
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
    } legend[] = {{":", "so far", COLOUR_DIM},       {">", "fastest", COLOUR_GOOD},
                  {"=", "tie with it", COLOUR_GOOD}, {"~", "estimated", COLOUR_DIM},
                  {"*", "in cache", COLOUR_WARN},    {"!", "no numbers", COLOUR_BAD}};
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
    screen->lead = 0;
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
