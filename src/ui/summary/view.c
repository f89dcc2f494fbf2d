/* The Summary screen: its drawing, keys and mouse. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "ui/chrome.h"
#include "ui/definitions.h"
#include "ui/summary/bars.h"
#include "ui/summary/summary.h"
#include "ui/widgets/panes.h"

/* The width of a number's title and value; the unit follows. */
#define VALUE_END 37

static void *summary_open(struct explorer *explorer, struct error *error)
{
    struct summary *summary = memory_zeroed(1, sizeof *summary, error);
    if (summary) summary->high = summary->lists = summary->wide = 1; /* summary_lay_out sets them */
    return summary;
}

static void summary_close(void *state)
{
    struct summary *summary = state;
    thumbnail_free(&summary->thumbnail);
    advice_line_free(&summary->advice);
    free(summary);
}

/* Return the length in bytes of the whole words of `text` that fit in `wide` columns. */
static int words_fitting(const char *text, int wide)
{
    int length = (int)strlen(text);
    if (length <= wide) return length;
    for (length = wide; length > 0 && text[length] != ' ';)
        length--;
    return length;
}

/* True if the column's value may depend on the order. */
static bool depends_on_order(const struct column *column)
{
    return column->needs != 0;
}

/* Write the number's value in the order shown beside, in columns x to `end`. */
static void draw_other(const struct explorer *explorer, const struct column *column, struct value shown,
                       struct surface *surface, int y, int x, int end)
{
    char text[1024], own[1024];
    struct value value = column_value(column, explorer->beside);
    bool there = case_has(explorer->beside, column->needs & ~(unsigned)SESSION_GPU);
    value_shown(column, value, text, sizeof text);
    value_shown(column, shown, own, sizeof own);
    bool same = strcmp(text, own) == 0;
    if (value.type == VALUE_INTEGER) format_fitting(text, sizeof text, value.integer, end - x);
    surface_text_right(surface, y, x, end - x, same || !there ? COLOUR_DIM : COLOUR_TEXT, 0, "%s",
                       there                                ? text
                       : case_has_entries(explorer->beside) ? "..."
                                                            : "-");
}

static void draw_number(const struct explorer *explorer, const struct summary *summary, int k,
                        struct surface *surface, int y, int x)
{
    const struct column *column = summary_column(k);
    const bool chosen = k == summary->selected;
    char text[1024];
    int wide = summary->wide - 2;
    int title = 1 + surface_text(surface, y, x, VALUE_END, COLOUR_TEXT, chosen ? ATTRIBUTE_BOLD : 0, "%s",
                                 column->title);
    struct value value = column_value(column, explorer->session->shown);
    bool there = session_has(explorer->session, column->needs);
    value_shown(column, value, text, sizeof text);
    if (value.type == VALUE_INTEGER) format_fitting(text, sizeof text, value.integer, VALUE_END - title);
    bool lengthy = value.type == VALUE_TEXT && (int)strlen(text) > VALUE_END - title;
    if (lengthy)
        surface_text_tail(surface, y, x + title, wide - title, explorer->ascii, COLOUR_ACCENT, 0, text);
    else
        surface_text_right(surface, y, x + title, VALUE_END - title, there ? COLOUR_ACCENT : COLOUR_DIM, 0,
                           "%s", there || !case_has_entries(explorer->session->shown) ? text : "...");
    if (explorer->beside && depends_on_order(column) && !lengthy)
        draw_other(explorer, column, value, surface, y, x + VALUE_END + 1, x + wide);
    else if (!lengthy)
        surface_text(surface, y, x + VALUE_END + 1, wide - VALUE_END - 1, COLOUR_DIM, 0, "%.*s",
                     words_fitting(column_unit(column), wide - VALUE_END - 1), column_unit(column));
}

static void draw_heading(const struct explorer *explorer, const struct summary *summary, int k,
                         struct surface *surface, int y, int x)
{
    int wide = summary->wide - 2;
    if (summary_format(k) >= 0) {
        format_bars_heading(explorer, surface, y, x, wide);
        return;
    }
    const struct column *column = summary_column(k);
    int used =
        surface_text(surface, y, x, VALUE_END, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", column->part->title);
    if (!explorer->beside || !depends_on_order(column)) return;
    format_bars_order(explorer->session->shown, surface, y, x + used + 2, VALUE_END - used - 2);
    format_bars_order(explorer->beside, surface, y, x + VALUE_END + 2, wide - VALUE_END - 2);
}

/* The cursor covers a title, or the name of a format. If it covered the numbers, each move would send two
 * long rows. */
static int cursor_wide(int k)
{
    return summary_format(k) >= 0 ? FORMAT_NAME_WIDE : surface_columns(summary_column(k)->title);
}

static void draw_list(const struct explorer *explorer, const struct summary *summary, struct surface *surface)
{
    struct format_scale scale = format_bars_scale(explorer->session);
    int count = summary_items(), y, x, wide = summary->wide - 2;
    for (int k = 0; k < count; k++) {
        int line = summary_line(summary, k);
        bool chosen = k == summary->selected;
        if (summary_begins_group(k) && summary_place(summary, line - 1, &y, &x))
            draw_heading(explorer, summary, k, surface, y, x);
        if (!summary_place(summary, line, &y, &x)) continue;
        if (summary_format(k) >= 0)
            format_bars_line(explorer, summary_format(k), &scale, surface, y, x, wide, chosen);
        else
            draw_number(explorer, summary, k, surface, y, x);
        if (chosen) surface_cursor(surface, (struct rect){y, x, 1, cursor_wide(k)});
    }
    int below = summary_lines(summary) - summary->top - summary->high * summary->lists;
    if (below > 0)
        surface_text_right(surface, summary->list.top + summary->list.high, summary->list.left,
                           summary->list.wide - 2, COLOUR_DIM, 0, " %d more below ", below);
}

/* Write the definition of the selected number, or the description of the selected format. */
static void draw_foot(const struct explorer *explorer, const struct summary *summary, struct surface *surface,
                      struct rect area)
{
    int y = area.top + area.high - SUMMARY_FOOT_HIGH, wide = area.wide - 2;
    char text[512];
    pane_draw_rule(surface, (struct rect){y, area.left, 1, area.wide}, explorer->ascii);
    if (summary_format(summary->selected) >= 0) {
        format_bars_words(explorer->session, summary_format(summary->selected), text, sizeof text);
    } else {
        const struct column *column = summary_column(summary->selected);
        bool unit = explorer->beside && column_unit(column)[0]; /* then no column shows the unit */
        snprintf(text, sizeof text, "%s%s%s%s: %s", column->title, unit ? " (" : "",
                 unit ? column_unit(column) : "", unit ? ")" : "", column->help);
    }
    const char *rest = text;
    for (int line = 1; line < SUMMARY_FOOT_HIGH && *rest; line++) {
        int length = words_fitting(rest, wide);
        surface_text(surface, y + line, area.left + 1, wide, COLOUR_TEXT, 0, "%.*s", length, rest);
        rest += length + (rest[length] == ' ');
    }
}

/* True if a number of the values is selected. */
static bool is_of_values(const struct summary *summary)
{
    return summary_format(summary->selected) < 0 && summary_column(summary->selected)->part == &part_values;
}

static void draw_panel(const struct explorer *explorer, struct summary *summary, struct surface *surface)
{
    struct rect panel = summary->panel;
    int spark = panel.high / 4 < 4 ? 4 : panel.high / 4;
    int used = thumbnail_draw(&summary->thumbnail, explorer, surface,
                              (struct rect){panel.top, panel.left, panel.high - spark - 1, panel.wide});
    summary->spark_top = panel.top + used + (used > 0);
    struct rect below = {summary->spark_top, panel.left, spark, panel.wide};
    struct rect last = below;
    last.top += spark + 1;
    bool both =
        last.top + spark <= panel.top + panel.high && explorer->session->shown->matrix.field != FIELD_PATTERN;
    if (both) value_bars_draw(explorer, surface, last);
    if (is_of_values(summary) && !both)
        value_bars_draw(explorer, surface, below);
    else
        sparkline_draw(explorer, surface, below);
}

static void summary_draw(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct summary *summary = state;
    if (area.top > 1 && chrome_tells(explorer, surface)) { /* the frame has the first line's text */
        area.top--;
        area.high++;
    }
    summary_lay_out(summary, &explorer->session->shown->matrix, area);
    advice_line_update(&summary->advice, explorer->session);
    portrait_make(explorer->session, explorer->session->shown, &summary->portrait);
    summary_draw_head(explorer, summary, surface, area);
    draw_foot(explorer, summary, surface, area);
    draw_list(explorer, summary, surface);
    draw_panel(explorer, summary, surface);
}

/* Adopt the selection from another case. */
static void summary_adopt(struct explorer *explorer, void *state, const void *before)
{
    const struct summary *other = before;
    struct summary *summary = state;
    summary->selected = other->selected;
    summary->top = other->top;
}

static void select_item(struct summary *summary, int k)
{
    summary->selected = clip_index(k, summary_items());
}

/* Open the screen with the details of the selected item. */
static void go_in(struct explorer *explorer, void *state, int unused)
{
    const struct summary *summary = state;
    unsigned lengths = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS;
    if (summary_format(summary->selected) >= 0) {
        explorer->chosen = format_bars_choice(summary_format(summary->selected));
        explorer_show(explorer, &view_layouts);
    } else {
        explorer_show(explorer,
                      summary_column(summary->selected)->needs & lengths ? &view_rows : &view_pattern);
    }
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct summary *summary = state;
    select_item(summary, summary->selected + step);
}

/* Select the item `step` lists to the right, on the same line. */
static void move_list(struct explorer *explorer, void *state, int step)
{
    struct summary *summary = state;
    summary->selected =
        summary_item_near(summary, summary_line(summary, summary->selected) + step * summary->high);
}

static void summary_mouse(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct summary *summary = state;
    struct rect list = summary->list;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        select_item(summary, summary->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (rect_holds(list, mouse->y, mouse->x)) {
        int at = (mouse->x - list.left) / summary->wide;
        summary->selected =
            summary_item_near(summary, summary->top + at * summary->high + mouse->y - list.top);
    } else if (mouse->kind == MOUSE_PRESS && rect_holds(summary->panel, mouse->y, mouse->x)) {
        explorer_show(explorer, mouse->y < summary->spark_top ? &view_pattern : &view_rows);
    }
}

/* Select the next number or format with this text in its title, else in its definition. */
static bool find_item(struct explorer *explorer, void *state, const char *text)
{
    struct summary *summary = state;
    const int count = summary_items();
    for (int in_help = 0; in_help < 2; in_help++)
        for (int k = 1; k <= count; k++) {
            const int at = (summary->selected + k) % count, format = summary_format(at);
            const struct format *of = format >= 0 ? format_bars_choice(format).format : NULL;
            const struct column *column = of ? NULL : summary_column(at);
            const char *title = of ? of->title : column->title, *help = of ? of->summary : column->help;
            if (!strcasestr(in_help ? help : title, text)) continue;
            select_item(summary, at);
            return true;
        }
    return false;
}

/* The selected number or format, then all others. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    const struct summary *summary = state;
    const int count = summary_items(), at = (summary->selected + k) % count, format = summary_format(at);
    if (k >= count) return false;
    if (format < 0) {
        *definition = definition_of(summary_column(at));
        definition->here = k == 0;
        return true;
    }
    const struct format *of = format_bars_choice(format).format;
    *definition = (struct definition){of->title, of->summary, of->source[0] ? of->source : NULL, k == 0};
    return true;
}

static const struct action actions[] = {
    {.keys = {UIKEY_UP, 'k'},
     .run = move,
     .argument = -1,
     .name = "select",
     .help = "select a number or a format; its meaning is at the bottom"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_ENTER}, .run = go_in, .name = "open", .help = "the screen with its details"},
    {.keys = {UIKEY_LEFT, UIKEY_PAGE_UP, 'h'},
     .run = move_list,
     .argument = -1,
     .name = "jump",
     .help = "the next list, or a page on"},
    {.keys = {UIKEY_RIGHT, UIKEY_PAGE_DOWN, 'l'}, .run = move_list, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = move, .argument = -MOVE_END, .help = "the first and the last"},
    {.keys = {UIKEY_END}, .run = move, .argument = MOVE_END},
    {.run = NULL},
};

const struct view view_summary = {
    .title = "Summary",
    .names = true,
    .question = "What suits it?",
    .help =
        "The matrix and all its numbers. \"...\" is still being computed, \"-\" is undefined for this "
        "matrix. On top are its peculiarities and the recommended kernels for the processor and for a GPU, "
        "by measured and forecast times. Advice and reports give the reasons. Formats lists the bytes of "
        "each format, the smallest in green and with a mark. Its bars and ratios are relative to CSR: a "
        "full bar is twice its bytes. A matrix with several orders has the numbers of two of them side by "
        "side. At the right are the pattern, brighter where it is denser, and the mean row length along "
        "the rows. If a number of the values is selected, a histogram of the values by powers of ten "
        "replaces it.",
    .actions = actions,
    .gesture = {"mouse", "click selects; a click on a picture opens its screen"},
    .needs = SESSION_MATRIX,
    .open = summary_open,
    .draw = summary_draw,
    .mouse = summary_mouse,
    .find = find_item,
    .define = define,
    .adopt = summary_adopt,
    .close = summary_close,
};
