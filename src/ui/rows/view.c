/* The Rows screen's layout, keys and mouse. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/entries.h"
#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "report/figures/figure.h"
#include "ui/everywhere.h"
#include "ui/rows/rows.h"

#define LABEL_WIDE 6
#define PANEL_WIDE 30
#define KEPT_SHARE 0.9
#define SEARCHED_MAX 100000 /* rows to search for the first entry of a column */

/* Set the initial state of the rows or the columns. The cut is the mean length, rounded up. Heights are
 * logarithmic if the longest line is much longer than the median. On a linear scale most lines would be
 * invisible. */
static void start_side(const struct lengths *lengths, const struct spans *spans, struct side *side)
{
    side->spans = *spans;
    side->count = spans_longest(&side->spans, lengths, side->longest, ROWS_LONGEST);
    side->cut = padding_first_cut(lengths->lines, lengths->nnz);
    side->logarithmic = lengths->lines && (double)lengths->max > 20 * fmax(lengths->median, 1);
    side->rule = -1;
    side->ready = true;
}

static void *open_rows(struct explorer *explorer, struct error *error)
{
    struct rows *rows = memory_zeroed(1, sizeof *rows, error);
    if (!rows) return NULL;
    const struct matrix_case *shown = explorer->session->shown;
    start_side(&shown->row_lengths, &shown->row_spans, &rows->sides[0]);
    return rows;
}

/* Divide the area into three charts, one above the other. Each has a line for its title above it, and an axis
 * below it. The first and the last also have labels below the axis. The middle one has the bins of the first,
 * and needs no labels. */
static void lay_out(struct rows *rows, struct rect area)
{
    int wide = area.wide - PANEL_WIDE - LABEL_WIDE - 3, left = area.left + LABEL_WIDE + 1;
    int high = area.high - 8, third = high / 3;
    if (high < 3) third = high > 0 ? 1 : 0;
    int histogram = high - 2 * third > 0 ? high - 2 * third : 0;
    if (wide < 1) wide = 1;
    rows->area = area;
    rows->histogram = (struct rect){area.top + 1, left, histogram, wide};
    rows->cumulative = (struct rect){area.top + histogram + 4, left, third, wide};
    rows->profile = (struct rect){area.top + histogram + third + 6, left, third, wide};
}

static void make_bins(const struct lengths *lengths, struct rows *rows)
{
    int max = rows->histogram.wide < ROWS_BINS ? rows->histogram.wide : ROWS_BINS;
    rows->bin_count = bins_make(lengths, rows->bins, max, &rows->geometric);
    rows->across = rows->histogram.wide;
}

int64_t rows_rule(const struct explorer *explorer, const struct rows *rows, enum hyb_rule rule)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    return hyb_choose(lengths->histogram, lengths->bins, rule, KEPT_SHARE, rows_value(explorer));
}

/* True once the columns can be shown: the background has counted them. */
static bool columns_counted(const struct explorer *explorer)
{
    return session_has(explorer->session, SESSION_COL_LENGTHS | SESSION_COL_PTR);
}

static void show_side(struct explorer *explorer, struct rows *rows, bool columns)
{
    const struct matrix_case *shown = explorer->session->shown;
    if (columns && !rows->sides[1].ready) start_side(&shown->col_lengths, &shown->col_spans, &rows->sides[1]);
    rows->columns = columns;
    rows->columns_wanted = false;
    rows->profiled = false;
}

static void draw_rows(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct rows *rows = state;
    if (area.high < 1 || area.wide < 1) return;
    if (rows->columns_wanted && columns_counted(explorer)) show_side(explorer, rows, true);
    if (explorer->cut_chosen)
        rows->sides[0].cut = clip(explorer->cut, explorer->session->shown->row_lengths.max);
    lay_out(rows, area);
    make_bins(rows_lengths(explorer, rows), rows);
    if (rows->histogram.high > 0) rows_draw_histogram(explorer, rows, surface);
    if (rows->cumulative.high > 0) rows_draw_cumulative(explorer, rows, surface);
    if (rows->profile.high > 0) rows_draw_profile(explorer, rows, surface);
    rows_draw_panel(explorer, rows, surface,
                    (struct rect){area.top, area.left + area.wide - PANEL_WIDE, area.high, PANEL_WIDE});
}

static void set_cut(struct explorer *explorer, struct rows *rows, int64_t cut)
{
    struct side *side = rows_side(rows);
    side->cut = clip(cut, rows_lengths(explorer, rows)->max);
    side->rule = -1;
    if (!rows->columns) explorer_set_cut(explorer, side->cut);
}

/* Let the next rule of HYB choose the cut. */
static void follow_rule(struct explorer *explorer, void *state, int unused)
{
    struct rows *rows = state;
    static const char *const said[] = {
        [HYB_BYTES] = "the fewest bytes of HYB",
        [HYB_THIRD] = "a third of the rows, and 4096, are as long (Bell and Garland)",
        [HYB_ENTRIES] = "90% of the entries are in ELL",
    };
    struct side *side = rows_side(rows);
    int rule = (side->rule + 1) % (HYB_ENTRIES + 1);
    char out[32];
    set_cut(explorer, rows, rows_rule(explorer, rows, (enum hyb_rule)rule));
    side->rule = rule;
    explorer_say(explorer, "K = %s: %s", format_count(out, sizeof out, side->cut), said[rule]);
}

static void select_line(struct rows *rows, int64_t selected)
{
    struct side *side = rows_side(rows);
    side->selected = (int)clip(selected, max(side->count - 1, 0));
}

/* Put the shared cursor on a line, and show its length if that is known. */
static void go_without_entries(struct explorer *explorer, struct rows *rows, int64_t line)
{
    char out[32], length[32];
    int64_t known = spans_length_of(&rows_side(rows)->spans, line);
    explorer_move(explorer, rows->columns ? explorer->cursor.row : line,
                  rows->columns ? line : explorer->cursor.col);
    if (known < 0)
        explorer_say(explorer, "%s %s begins this stretch of %s", rows_name(rows, 1),
                     format_count(out, sizeof out, line + 1), rows_name(rows, 2));
    else
        explorer_say(explorer, "%s %s: %s %s", rows_name(rows, 1), format_count(out, sizeof out, line + 1),
                     format_count(length, sizeof length, known), known == 1 ? "entry" : "entries");
}

/* Put the shared cursor on the first entry of a line, if the search is short enough. */
static void go_to_line(struct explorer *explorer, struct rows *rows, int64_t line)
{
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct entry_place place = {explorer->cursor.row, line, -1};
    char out[32], length[32];
    if (!case_has_entries(explorer->session->shown)) {
        go_without_entries(explorer, rows, line);
        return;
    }
    if (!rows->columns) {
        bool empty = a->row_ptr[line] == a->row_ptr[line + 1];
        place = (struct entry_place){line, empty ? explorer->cursor.col : a->col[a->row_ptr[line]], -1};
    } else if (session_has(explorer->session, SESSION_PYRAMID)) {
        entries_in_column(&explorer->session->shown->pyramid, a, -1, line, 1, SEARCHED_MAX, &place);
    }
    explorer_move(explorer, place.row, place.col);
    const int64_t entries = spans_length(&rows_side(rows)->spans, line);
    explorer_say(explorer, "%s %s: %s %s", rows_name(rows, 1), format_count(out, sizeof out, line + 1),
                 format_count(length, sizeof length, entries), entries == 1 ? "entry" : "entries");
}

static void enter(struct explorer *explorer, void *state, int unused)
{
    struct rows *rows = state;
    struct side *side = rows_side(rows);
    if (!side->count) return;
    go_to_line(explorer, rows, side->longest[side->selected]);
    if (case_has_entries(explorer->session->shown))
        explorer_list(explorer, (struct matrix_line){side->longest[side->selected], rows->columns});
    else
        explorer_show(explorer, &view_pattern);
}

/* Change between rows and columns. Columns that are not counted yet are shown as soon as they are, unless the
 * key is pressed again before. */
static void change_side(struct explorer *explorer, void *state, int unused)
{
    struct rows *rows = state;
    const struct matrix_case *shown = explorer->session->shown;
    char key[KEY_TEXT];
    if (rows->sides[1].ready || columns_counted(explorer)) {
        show_side(explorer, rows, !rows->columns);
    } else if (!case_has_entries(shown)) {
        explorer_say(explorer, "no column lengths: %s", shown->absence.remedy);
    } else {
        rows->columns_wanted = !rows->columns_wanted;
        if (rows->columns_wanted)
            explorer_say(explorer, "columns are shown once they are counted; after a cancel, %s resumes",
                         everywhere_key(DEMAND_CANCEL, key));
        else
            explorer_say(explorer, "the rows stay");
    }
}

static void zoom_to(struct explorer *explorer, struct rows *rows, int level)
{
    int64_t line = rows_cursor(explorer, rows);
    if (!rows->profiled) return;
    rows_zoom_profile(rows, level, line);
    viewport_show(&rows->port, (int64_t[2]){0, line});
}

static void zoom(struct explorer *explorer, void *state, int step)
{
    struct rows *rows = state;
    zoom_to(explorer, rows, rows->level + step);
}

static void zoom_out(struct explorer *explorer, void *state, int unused)
{
    zoom_to(explorer, state, 0);
}

static void move_cut(struct explorer *explorer, void *state, int step)
{
    struct rows *rows = state;
    set_cut(explorer, rows, rows_side(rows)->cut + step);
}

/* Move the cut by a tenth of the longest length. */
static void move_cut_far(struct explorer *explorer, void *state, int direction)
{
    struct rows *rows = state;
    int64_t max = rows_lengths(explorer, rows)->max, step = max / 10 > 1 ? max / 10 : 1;
    set_cut(explorer, rows, rows_side(rows)->cut + direction * step);
}

static void cut_at_end(struct explorer *explorer, void *state, int last)
{
    struct rows *rows = state;
    const struct lengths *lengths = rows_lengths(explorer, rows);
    set_cut(explorer, rows, last ? lengths->max : lengths->min);
}

static void move(struct explorer *explorer, void *state, int step)
{
    struct rows *rows = state;
    select_line(rows, rows_side(rows)->selected + moved_by(step, rows->list.high * rows->list_columns));
}

static void change_scale(struct explorer *explorer, void *state, int unused)
{
    struct side *side = rows_side(state);
    side->logarithmic = !side->logarithmic;
}

/* Adopt rows or columns, the cuts and the scale of heights from the same screen of another order. */
static void adopt_rows(struct explorer *explorer, void *state, const void *before)
{
    struct rows *rows = state;
    const struct rows *other = before;
    const bool columns = other->columns || other->columns_wanted;
    show_side(explorer, rows, columns && columns_counted(explorer));
    rows->columns_wanted = columns && !rows->columns && case_has_entries(explorer->session->shown);
    for (int k = 0; k < 2; k++) {
        if (!rows->sides[k].ready || !other->sides[k].ready) continue;
        rows->sides[k].cut = other->sides[k].cut;
        rows->sides[k].rule = other->sides[k].rule;
        rows->sides[k].logarithmic = other->sides[k].logarithmic;
    }
}

static enum use use_of_cut(const struct explorer *explorer, const void *state, int unused)
{
    return rows_lengths(explorer, state)->max > 0 ? USE_SOME : USE_NONE;
}

static enum use use_of_entries(const struct explorer *explorer, const void *state, int unused)
{
    return case_has_entries(explorer->session->shown) ? use_of_cut(explorer, state, 0) : USE_NONE;
}

static enum use use_of_zoom(const struct explorer *explorer, const void *state, int unused)
{
    const struct rows *rows = state;
    return rows->profile.high > 0 && rows_can_zoom(rows) ? USE_SOME : USE_NONE;
}

static const struct action actions[] = {
    {.keys = {UIKEY_LEFT, 'h', ','},
     .run = move_cut,
     .argument = -1,
     .name = "move K",
     .use = use_of_cut,
     .help = "move the cut K by 1"},
    {.keys = {UIKEY_RIGHT, 'l', '.'}, .run = move_cut, .argument = 1},
    {.keys = {'<', 'H'}, .run = move_cut_far, .argument = -1, .help = "move it by a tenth of the longest"},
    {.keys = {'>', 'L'}, .run = move_cut_far, .argument = 1},
    {.keys = {UIKEY_HOME}, .run = cut_at_end, .argument = 0, .help = "K at the shortest, the longest"},
    {.keys = {UIKEY_END}, .run = cut_at_end, .argument = 1},
    {.keys = {'r'},
     .run = follow_rule,
     .name = "fit K",
     .use = use_of_cut,
     .help = "K by HYB's rules in turn: fewest bytes, a third of the rows, 90% of the entries"},
    {.keys = {'c'}, .run = change_side, .name = "switch side", .help = "rows or columns"},
    {.keys = {'s'}, .run = change_scale, .name = "scale", .help = "linear or logarithmic heights"},
    {.keys = {UIKEY_ENTER},
     .run = enter,
     .name = "open",
     .use = use_of_entries,
     .help = "list the entries of the row; Enter there shows one on Pattern"},
    {.keys = {UIKEY_UP, 'k'},
     .run = move,
     .argument = -1,
     .name = "choose line",
     .help = "choose one of the longest"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move, .argument = 1},
    {.keys = {UIKEY_PAGE_UP}, .run = move, .argument = -MOVE_PAGE, .help = "the same by a page"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = move, .argument = MOVE_PAGE},
    {.keys = {'+', '='},
     .run = zoom,
     .argument = 1,
     .name = "zoom",
     .use = use_of_zoom,
     .help = "zoom the lengths along the index, about the cursor"},
    {.keys = {'-'}, .run = zoom, .argument = -1},
    {.keys = {'0'}, .run = zoom_out, .help = "show the lengths of all rows or columns"},
    {.run = NULL},
};

static bool within(const struct rect *rect, const struct mouse *mouse)
{
    return rect_holds(*rect, mouse->y, mouse->x);
}

/* Return the index in `longest` of the listed line at the mouse. */
static int listed_at(const struct rows *rows, const struct side *side, const struct mouse *mouse)
{
    const int across = (mouse->x - rows->list.left) * rows->list_columns / rows->list.wide;
    return side->first + (mouse->y - rows->list.top) * rows->list_columns + across;
}

static void press(struct explorer *explorer, struct rows *rows, const struct mouse *mouse)
{
    struct side *side = rows_side(rows);
    const int clicked = within(&rows->list, mouse) ? listed_at(rows, side, mouse) : side->count;
    if (clicked < side->count) {
        select_line(rows, clicked);
        go_to_line(explorer, rows, side->longest[side->selected]);
    } else if (within(&rows->histogram, mouse) || within(&rows->cumulative, mouse)) {
        int bin = 0;
        while (bin < rows->bin_count && rows_bin_left(rows, bin + 1) <= mouse->x - rows->histogram.left)
            bin++;
        if (bin < rows->bin_count) set_cut(explorer, rows, rows->bins[bin].to);
    } else if (within(&rows->profile, mouse) && rows->profiled &&
               mouse->x - rows->profile.left < viewport_used(&rows->port, COLS)) {
        int64_t from = rows->port.start[COLS] + (mouse->x - rows->profile.left) * rows->port.dot[COLS];
        go_to_line(explorer, rows, spans_stretch(&side->spans, from, from + rows->port.dot[COLS]).at);
    }
}

static void mouse_rows(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct rows *rows = state;
    int step = mouse->kind == MOUSE_WHEEL_UP ? -1 : 1;
    if (mouse->kind == MOUSE_PRESS || mouse->kind == MOUSE_DRAG) {
        press(explorer, rows, mouse);
    } else if (within(&rows->profile, mouse) && rows->profiled) {
        int64_t line = rows->port.start[COLS] + (mouse->x - rows->profile.left) * rows->port.dot[COLS];
        rows_zoom_profile(rows, rows->level - step,
                          line < rows->port.size[COLS] ? line : rows->port.size[COLS] - 1);
    } else {
        select_line(rows, rows_side(rows)->selected + step);
    }
}

static const struct figure *figure_rows(struct explorer *explorer, void *state,
                                        struct figure_subject *subject)
{
    const struct rows *rows = state;
    unsigned parts = SESSION_COL_LENGTHS | SESSION_COL_PTR;
    if (rows->columns && !case_has(subject->of, parts)) return NULL;
    return figure_find(rows->columns ? "columns" : "rows");
}

const struct view view_rows = {
    .title = "Rows",
    .question = "How long are rows and columns?",
    .help =
        "The lengths of the rows (or columns): a histogram, the share of rows and of entries up to each "
        "length, and the length along the index. The cut K shows the size of ELL and HYB: ELL pads rows to K "
        "slots, and COO stores the entries beyond K. For columns the formats are those of the transpose.",
    .actions = actions,
    .gesture = {"click, wheel", "set K, the cursor or the chosen row; zoom"},
    .needs = SESSION_MATRIX | SESSION_ROW_LENGTHS,
    .lacks = "The row lengths are unknown.",
    .open = open_rows,
    .draw = draw_rows,
    .figure = figure_rows,
    .define = rows_define,
    .mouse = mouse_rows,
    .adopt = adopt_rows,
    .close = free,
};
