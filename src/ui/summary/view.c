#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "columns/columns.h"
#include "ui/summary/format_bars.h"
#include "ui/widgets/thumbnail.h"

/* The title and the value of a number take so many columns, and the unit follows them. */
#define VALUE_END 37

/* A list is LIST_MIN to LIST_MAX columns wide. The longest unit needs LIST_MAX. */
#define LIST_MIN 57
#define LIST_MAX 63

/* The width of the panel with the pictures. */
#define PANEL_MIN 21
#define PANEL_MAX 80

/* A long name is cut for the sizes behind it, but so many columns of it are kept. */
#define NAME_MIN 10

/* On top there are a line that says what the matrix is, and the verdict. What the file says follows. */
#define HEAD_HIGH 2

/* Below the lists there are a rule and two lines for the definition of the selected number. */
#define FOOT_HIGH 3

/* The items are the numbers and the formats. They stand in `lists` columns of lines, called lists, which are
 * filled one after the other:
 *
 *     top           top + high         ...
 *     top + 1       top + high + 1     ...
 *     ...
 *     top+high-1    top + 2 high - 1   ... */
struct summary {
    int selected; /* the selected item */
    int top;      /* the first line that is shown */
    int lists;    /* the number of lists */
    int high;     /* the number of lines in a list */
    int wide;     /* the width of a list, with the gap to the next one */
    bool whole;   /* no group is divided between lists */
    struct rect list, panel;
    int spark_top; /* the row of the surface in which the row lengths begin */
    struct thumbnail thumbnail;
};

static void *summary_open(struct explorer *explorer, struct error *error)
{
    struct summary *summary = memory_zeroed(1, sizeof *summary, error);
    (void)explorer;
    if (summary) summary->high = summary->lists = summary->wide = 1; /* lay_out sets them */
    return summary;
}

static void summary_close(void *state)
{
    struct summary *summary = state;
    thumbnail_free(&summary->thumbnail);
    free(summary);
}

static int number_count(void)
{
    int count = 0;
    while (columns[count].key)
        count++;
    return count;
}

static bool same_group(const struct column *a, const struct column *b)
{
    return a->part == b->part;
}

/* Return the number of numbers in the first group. The items are, in this order, these, the formats, and the
 * numbers of the other groups. */
static int first_numbers(void)
{
    int count = 1;
    while (columns[count].key && same_group(&columns[count], &columns[0]))
        count++;
    return count;
}

static int item_count(void)
{
    return number_count() + format_bars_count();
}

/* Return which format item k is, or -1 if it is a number. */
static int format_of(int k)
{
    int format = k - first_numbers();
    return format >= 0 && format < format_bars_count() ? format : -1;
}

/* Return the number that item k, which is no format, is. */
static const struct column *column_of(int k)
{
    return &columns[k < first_numbers() ? k : k - format_bars_count()];
}

static bool begins_group(int k)
{
    if (k == 0 || format_of(k) >= 0) return k == 0 || format_of(k) == 0;
    return format_of(k - 1) >= 0 || !same_group(column_of(k), column_of(k - 1));
}

/* Return how many lines the group that begins with item k takes with its heading. */
static int group_lines(int k)
{
    int lines = 2, count = item_count();
    while (++k < count && !begins_group(k))
        lines++;
    return lines;
}

/* Return the line of item k, counted through all lists. Each group has a heading, which stands at the top of
 * a list or after a blank line. */
static int line_of(const struct summary *summary, int k)
{
    int line = -1;
    for (int at = 0; at <= k; at++) {
        if (begins_group(at)) {
            int used = (line + 1) % summary->high;
            bool breaks = summary->whole && used > 0 && used + 1 + group_lines(at) > summary->high;
            if (breaks)
                line += summary->high - used;
            else if (used > 0)
                line++;
            line++;
        }
        line++;
    }
    return line;
}

static int line_count(const struct summary *summary)
{
    return line_of(summary, item_count() - 1) + 1;
}

/* Return the item whose line is nearest to this one. */
static int item_near(const struct summary *summary, int line)
{
    int count = item_count(), best = 0;
    for (int k = 1; k < count; k++)
        if (abs(line_of(summary, k) - line) < abs(line_of(summary, best) - line)) best = k;
    return best;
}

/* Find the cell of the surface at which a line begins. Returns false if the line is not shown. */
static bool place_of(const struct summary *summary, int line, int *y, int *x)
{
    int at = line - summary->top, high = summary->high;
    if (at < 0 || at >= high * summary->lists) return false;
    *y = summary->list.top + at % high;
    *x = summary->list.left + at / high * summary->wide;
    return true;
}

/* Scroll so that the selected item is shown, and its heading too if it is the first of its group. */
static void scroll(struct summary *summary)
{
    int line = line_of(summary, summary->selected), room = summary->high * summary->lists;
    int first = begins_group(summary->selected) ? line - 1 : line, lines = line_count(summary);
    if (summary->top > lines - room) summary->top = lines - room;
    if (summary->top > first) summary->top = first;
    if (summary->top < line - room + 1) summary->top = line - room + 1;
    if (summary->top < 0) summary->top = 0;
}

/* Choose the number of lists and their height: as few lists as hold all lines, and these as low as possible,
 * with no group divided between lists. If that does not fit, the lists take all the room, and scroll. */
static void divide(struct summary *summary, int wide)
{
    int high = summary->list.high, max = wide / LIST_MAX > 1 ? wide / LIST_MAX : 1;
    summary->whole = true;
    for (summary->lists = 1; summary->lists <= max; summary->lists++)
        for (summary->high = 8; summary->high <= high; summary->high++)
            if (line_count(summary) <= summary->lists * summary->high) return;
    summary->whole = false;
    summary->lists = max;
    summary->high = high;
}

/* At most so many lines show notes. */
#define NOTES_MAX 4

/* Return the number of lines for the notes. */
static int note_lines(const struct matrix *matrix)
{
    int lines = 0;
    for (const char *note = matrix->notes.data; note && *note && lines < NOTES_MAX; lines++) {
        note += strcspn(note, "\n");
        note += *note == '\n';
    }
    return lines;
}

/* Return the number of lines for what the file says of itself: 1 if it says something, else 0. */
static int about_lines(const struct matrix *matrix)
{
    const char *text, *name;
    for (int k = 0; (text = about_text(&matrix->about, k, &name)); k++)
        if (text[0]) return 1;
    return 0;
}

/* Return the height of all that stands above the lists. Without notes there is a blank line. */
static int head_high(const struct matrix *matrix)
{
    int lines = about_lines(matrix) + note_lines(matrix);
    return HEAD_HIGH + (lines > 0 ? lines : 1);
}

static void lay_out(struct summary *summary, const struct matrix *matrix, struct rect area)
{
    int head = head_high(matrix);
    summary->list = (struct rect){area.top + head, area.left + 1, area.high - head - FOOT_HIGH, 0};
    int room = area.wide - PANEL_MIN - 2;
    divide(summary, room);
    summary->wide = room / summary->lists > LIST_MAX ? LIST_MAX : room / summary->lists;
    if (summary->wide < LIST_MIN) summary->wide = LIST_MIN;
    summary->list.wide = summary->lists * summary->wide;
    int left = summary->list.left + summary->list.wide, wide = area.left + area.wide - 1 - left;
    if (wide > PANEL_MAX) wide = PANEL_MAX;
    summary->panel = (struct rect){area.top + head, left, summary->list.high, wide};
    scroll(summary);
}

/* Write the notes, each on a line of its own; on the last line for them, as many as it holds. */
static void draw_notes(const struct matrix *matrix, struct surface *surface, int y, int left, int wide)
{
    int last = y + note_lines(matrix) - 1, x = left;
    for (const char *note = matrix->notes.data; note && *note && x < left + wide;) {
        int length = (int)strcspn(note, "\n");
        int used = surface_text(surface, y, x, left + wide - x, COLOUR_WARN, 0, "%.*s", length, note) + 2;
        if (y < last)
            y++;
        else
            x += used;
        note += length + (note[length] == '\n');
    }
}

/* Write what the file says of itself. */
static void draw_about(const struct about *about, struct surface *surface, int y, int x, int wide)
{
    const char *text, *name;
    struct flow flow = {.surface = surface, .rect = {y, x, 1, wide}};
    for (int k = 0; (text = about_text(about, k, &name)); k++)
        if (text[0]) flow_item(&flow, k ? COLOUR_DIM : COLOUR_TEXT, "%s%s", k == 1 ? "by " : "", text);
}

/* Write in one line what the matrix is, and under it the verdict, what the file says of itself, and the notes
 * on it. */
static void draw_head(const struct explorer *explorer, struct surface *surface, struct rect area)
{
    const struct matrix *matrix = &explorer->session->shown->matrix;
    char rows[32], cols[32], nnz[32];
    char what[160];
    int room = area.wide - 2, length = snprintf(what, sizeof what, "%s x %s, %s entries, %s %s",
                                                format_count(rows, sizeof rows, matrix->csr.rows),
                                                format_count(cols, sizeof cols, matrix->csr.cols),
                                                format_count(nnz, sizeof nnz, csr_nnz(&matrix->csr)),
                                                field_name(matrix->field), symmetry_name(matrix->symmetry));
    int name = room - length - 2 > NAME_MIN ? room - length - 2 : NAME_MIN;
    int x = area.left + 1;
    x += surface_text(surface, area.top, x, name, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                      matrix->name ? matrix->name : "") +
         2;
    surface_text(surface, area.top, x, area.left + area.wide - 1 - x, COLOUR_TEXT, 0, "%s", what);
    struct flow verdict = {.surface = surface, .rect = {area.top + 1, area.left + 1, 1, area.wide - 2}};
    format_bars_verdict(explorer->session, &verdict);
    draw_about(&matrix->about, surface, area.top + 2, area.left + 1, area.wide - 2);
    draw_notes(matrix, surface, area.top + 2 + about_lines(matrix), area.left + 1, area.wide - 2);
}

/* Write as many words of a unit as there is room for. */
static void draw_unit(struct surface *surface, int y, int x, int wide, const char *unit)
{
    int length = (int)strlen(unit);
    if (length > wide)
        for (length = wide; length > 0 && unit[length] != ' ';)
            length--;
    surface_text(surface, y, x, wide, COLOUR_DIM, 0, "%.*s", length, unit);
}

static void draw_number(const struct explorer *explorer, const struct summary *summary, int k,
                        struct surface *surface, int y, int x)
{
    const struct column *column = column_of(k);
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
                           "%s", there ? text : "...");
    if (!lengthy) draw_unit(surface, y, x + VALUE_END + 1, wide - VALUE_END - 1, column->unit);
}

/* Write the heading of the group that begins with item k. */
static void draw_heading(const struct summary *summary, int k, const struct format_scale *scale,
                         struct surface *surface, int y, int x)
{
    if (format_of(k) >= 0)
        format_bars_heading(surface, y, x, summary->wide - 2, scale);
    else
        surface_text(surface, y, x, VALUE_END, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s", column_of(k)->part->title);
}

static void draw_list(const struct explorer *explorer, const struct summary *summary, struct surface *surface)
{
    struct format_scale scale = format_bars_scale(explorer->session);
    int count = item_count(), y, x, wide = summary->wide - 2;
    for (int k = 0; k < count; k++) {
        int line = line_of(summary, k);
        bool chosen = k == summary->selected;
        if (begins_group(k) && place_of(summary, line - 1, &y, &x))
            draw_heading(summary, k, &scale, surface, y, x);
        if (!place_of(summary, line, &y, &x)) continue;
        if (format_of(k) >= 0)
            format_bars_line(explorer, format_of(k), &scale, surface, y, x, wide, chosen);
        else
            draw_number(explorer, summary, k, surface, y, x);
        if (chosen) surface_highlight(surface, (struct rect){y, x, 1, wide}, COLOUR_BAR, 0);
    }
    int below = line_count(summary) - summary->top - summary->high * summary->lists;
    if (below > 0)
        surface_text_right(surface, summary->list.top + summary->list.high, summary->list.left,
                           summary->list.wide - 2, COLOUR_DIM, 0, " %d more below ", below);
}

/* Return how many bytes of `text` are whole words that fit in `wide` columns. */
static int words_fitting(const char *text, int wide)
{
    int length = (int)strlen(text);
    if (length <= wide) return length;
    for (length = wide; length > 0 && text[length] != ' ';)
        length--;
    return length;
}

/* Write the definition of the selected number, or what the selected format is. */
static void draw_foot(const struct explorer *explorer, const struct summary *summary, struct surface *surface,
                      struct rect area)
{
    int y = area.top + area.high - FOOT_HIGH, wide = area.wide - 2;
    char text[512];
    for (int x = 0; x < area.wide; x++)
        surface_put(surface, y, area.left + x, explorer->ascii ? '-' : 0x2500, COLOUR_DIM, COLOUR_TEXT, 0);
    if (format_of(summary->selected) >= 0) {
        format_bars_words(explorer->session, format_of(summary->selected), text, sizeof text);
    } else {
        const struct column *column = column_of(summary->selected);
        snprintf(text, sizeof text, "%s: %s", column->title, column->help);
    }
    const char *rest = text;
    for (int line = 1; line < FOOT_HIGH && *rest; line++) {
        int length = words_fitting(rest, wide);
        surface_text(surface, y + line, area.left + 1, wide, COLOUR_TEXT, 0, "%.*s", length, rest);
        rest += length + (rest[length] == ' ');
    }
}

static void draw_panel(const struct explorer *explorer, struct summary *summary, struct surface *surface)
{
    struct rect panel = summary->panel;
    int spark = panel.high / 4 < 4 ? 4 : panel.high / 4;
    int used = thumbnail_draw(&summary->thumbnail, explorer, surface,
                              (struct rect){panel.top, panel.left, panel.high - spark - 1, panel.wide});
    summary->spark_top = panel.top + used + (used > 0);
    sparkline_draw(explorer, surface, (struct rect){summary->spark_top, panel.left, spark, panel.wide});
}

static void summary_draw(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct summary *summary = state;
    lay_out(summary, &explorer->session->shown->matrix, area);
    draw_head(explorer, surface, area);
    draw_foot(explorer, summary, surface, area);
    draw_list(explorer, summary, surface);
    draw_panel(explorer, summary, surface);
}

static void select_item(struct summary *summary, int k)
{
    int count = item_count();
    summary->selected = k < 0 ? 0 : k < count ? k : count - 1;
}

/* Change to the screen that shows where the selected item comes from. */
static void go_in(struct explorer *explorer, void *state, int unused)
{
    const struct summary *summary = state;
    unsigned lengths = SESSION_ROW_LENGTHS | SESSION_COL_LENGTHS;
    (void)unused;
    if (format_of(summary->selected) >= 0) {
        explorer->chosen = format_bars_choice(format_of(summary->selected));
        explorer_show(explorer, &view_layouts);
    } else {
        explorer_show(explorer, column_of(summary->selected)->needs & lengths ? &view_rows : &view_pattern);
    }
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct summary *summary = state;
    (void)explorer;
    select_item(summary, summary->selected + step);
}

static void go_to_end(struct explorer *explorer, void *state, int last)
{
    (void)explorer;
    select_item(state, last ? item_count() : 0);
}

/* Select the item beside the selected one, `step` lists to the right. */
static void move_list(struct explorer *explorer, void *state, int step)
{
    struct summary *summary = state;
    (void)explorer;
    summary->selected = item_near(summary, line_of(summary, summary->selected) + step * summary->high);
}

static void summary_mouse(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct summary *summary = state;
    struct rect list = summary->list;
    if (mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN) {
        select_item(summary, summary->selected + (mouse->kind == MOUSE_WHEEL_UP ? -1 : 1));
    } else if (rect_holds(list, mouse->y, mouse->x)) {
        int at = (mouse->x - list.left) / summary->wide;
        summary->selected = item_near(summary, summary->top + at * summary->high + mouse->y - list.top);
    } else if (mouse->kind == MOUSE_PRESS && rect_holds(summary->panel, mouse->y, mouse->x)) {
        explorer_show(explorer, mouse->y < summary->spark_top ? &view_pattern : &view_rows);
    }
}

static const struct action actions[] = {
    {.keys = {UIKEY_UP, 'k'},
     .run = move,
     .argument = -1,
     .name = "select",
     .help = "select a number or a format; what it means is said at the bottom"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_ENTER},
     .run = go_in,
     .name = "open",
     .help = "the screen that shows where it comes from"},
    {.keys = {UIKEY_LEFT, UIKEY_PAGE_UP, 'h'},
     .run = move_list,
     .argument = -1,
     .name = "lists",
     .help = "the next list, or a screenful on"},
    {.keys = {UIKEY_RIGHT, UIKEY_PAGE_DOWN, 'l'}, .run = move_list, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = go_to_end, .argument = 0, .help = "the first and the last"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = 1},
    {.run = NULL},
};

const struct view view_summary = {
    .title = "Summary",
    .help = "What the matrix is, and every number known of it; \"...\" is still being computed, \"-\" is "
            "not defined for this matrix. On top is the verdict: the smallest format, and what ELL pads. "
            "Under Formats are the bytes that each would take, the smallest in "
            "green. At the right are the pattern, from dark (few entries) to bright (many), and the mean row "
            "length along the rows.",
    .actions = actions,
    .gesture = {"mouse", "click selects; a click on a picture opens its screen"},
    .needs = SESSION_MATRIX,
    .open = summary_open,
    .draw = summary_draw,
    .mouse = summary_mouse,
    .close = summary_close,
};
