/* The Pattern screen's keys and mouse. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "report/figures/figure.h"
#include "ui/pattern/pattern.h"

#define BIG_STEP 8
#define SEARCHED_MAX \
    2000000 /* rows that are searched for the next entry of a column, in a tenth of a second */

static void *open_pattern(struct explorer *explorer, struct error *error)
{
    struct pattern *pattern = memory_zeroed(1, sizeof *pattern, error);
    if (pattern) pattern_start(explorer, pattern, explorer->session->shown);
    return pattern;
}

void pattern_close(void *state)
{
    struct pattern *pattern = state;
    if (!pattern) return;
    pattern_twin_free(pattern);
    derived_free(&pattern->overlays.derived);
    derived_free(&pattern->overlays.made);
    spans_free(&pattern->overlays.spans);
    spans_free(&pattern->overlays.made_spans);
    free(pattern->margins[ROWS].dots);
    free(pattern->margins[COLS].dots);
    thumbnail_free(&pattern->thumbnail);
    free(pattern->counts);
    free(pattern->sizing.sizes);
    free(pattern->sizing.made);
    free(pattern->sizing.parts);
    free(pattern->sizing.made_parts);
    pattern_free_parts(&pattern->sizing);
    pattern_free_owners(&pattern->sizing);
    pixmap_free(&pattern->pixmap);
    free(pattern);
}

void pattern_bring_up(struct explorer *explorer, struct pattern *pattern, struct rect area)
{
    pattern_lay_out(explorer, pattern, area);
    if (pattern->seen.row != explorer->cursor.row || pattern->seen.col != explorer->cursor.col) {
        /* Something else than this screen's keys has moved the cursor: if it is not shown, it comes into the
         * middle. */
        const struct viewport port = pattern->port;
        int64_t place[2];
        pattern_cursor(explorer, pattern, place);
        viewport_change(&pattern->port, port.dot, port.dots, place);
    }
    pattern->seen = explorer->cursor;
    pattern_count(pattern);
    pattern_size(explorer, pattern);
}

void pattern_paint(struct explorer *explorer, struct pattern *pattern, struct surface *surface)
{
    const struct rect area = pattern->area;
    if (pattern->lacking)
        surface_text(surface, area.top, area.left, area.wide, COLOUR_BAD, 0,
                     "not enough memory for this picture");
    else if (pattern->picture == PICTURE_NUMBERS)
        pattern_draw_numbers(explorer, pattern, surface);
    else if (pattern->picture == PICTURE_PIXELS)
        pattern->lacking = !pattern_draw_pixels(explorer, pattern, surface);
    else
        pattern_draw_picture(explorer, pattern, surface);
    if (pattern->lacking) return;
    pattern_measure(explorer, pattern);
    pattern_draw_margins(explorer, pattern, surface);
}

static void draw_pattern(struct explorer *explorer, void *state, struct surface *surface, struct rect area)
{
    struct pattern *pattern = state;
    if (area.high < 1 || area.wide < 1) return;
    pattern_follow_owners(explorer, pattern);
    pattern_settle(explorer, pattern);
    pattern->paired = pattern->bare = pattern_twin_of(explorer, pattern, area) != NULL;
    if (pattern->paired) {
        pattern_draw_pair(explorer, pattern, surface, area);
        return;
    }
    pattern_bring_up(explorer, pattern, area);
    pattern->shade = pattern->own;
    pattern_paint(explorer, pattern, surface);
    pattern_draw_panel(explorer, pattern, surface, pattern->panel, pattern->beside);
}

/* Take over what the user has chosen for the picture of another case: the picture, the overlay and the zoom,
 * about the cursor. */
static void adopt_pattern(struct explorer *explorer, void *state, const void *before)
{
    struct pattern *pattern = state;
    const struct pattern *other = before;
    const struct overlays *overlays = &other->overlays;
    int64_t place[2];
    pattern->alone = other->alone;
    pattern->margin_wish = other->margin_wish;
    pattern->fill = other->fill;
    pattern->wish = other->wish;
    pattern->diagonal = other->diagonal;
    pattern->bands = other->bands;
    pattern->colouring = other->colouring;
    pattern->overlays.shown = overlays->shown;
    pattern->overlays.height = overlays->height;
    pattern->overlays.chunk = overlays->chunk;
    pattern->overlays.window = overlays->window;
    if (!other->laid_out) return;
    pattern->bare = other->bare;
    pattern_settle(explorer, pattern);
    pattern_lay_out(explorer, pattern, other->area);
    pattern_cursor(explorer, pattern, place);
    pattern_zoom(explorer, pattern, other->level, place);
    pattern->depth = 0; /* the visits were to places of another order */
}

/* Move the picture so that the cursor, which has moved, is shown. */
static void follow(struct explorer *explorer, struct pattern *pattern)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    viewport_show(&pattern->port, place);
    pattern->seen = explorer->cursor;
}

/* Put the cursor on (position, col), or on the nearest place of the matrix. */
static void go(struct explorer *explorer, struct pattern *pattern, int64_t position, int64_t col)
{
    int64_t rows = pattern->of->matrix.csr.rows;
    explorer_move(explorer, rows ? pattern_row(pattern, clip(position, rows - 1)) : 0, col);
    follow(explorer, pattern);
}

/* Move the cursor by so many dots. */
static void move(struct explorer *explorer, struct pattern *pattern, int64_t down, int64_t right)
{
    const struct viewport *port = &pattern->port;
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    go(explorer, pattern, place[ROWS] + down * port->dot[ROWS], place[COLS] + right * port->dot[COLS]);
}

/* Put the cursor on (row, col). */
static void move_to(struct explorer *explorer, struct pattern *pattern, int64_t row, int64_t col)
{
    explorer_move(explorer, row, col);
    follow(explorer, pattern);
}

/* Change the zoom level. The cursor stays where it is on the screen. */
static void zoom_here(struct explorer *explorer, struct pattern *pattern, int level)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    pattern_zoom(explorer, pattern, level, place);
}

/* Return the positions and columns of the dot that the cursor is in. */
static struct range cursor_dot(const struct explorer *explorer, const struct pattern *pattern)
{
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    return pattern_dot(pattern, viewport_index(&pattern->port, ROWS, place[ROWS]),
                       viewport_index(&pattern->port, COLS, place[COLS]));
}

/* If the cursor's place is empty but its dot is not, move the cursor to the dot's first entry, so that
 * zooming in leads to an entry. */
static void settle_on_entry(struct explorer *explorer, const struct pattern *pattern)
{
    if (explorer->cursor.entry >= 0 || !case_has_entries(pattern->of)) return;
    struct entry_place place;
    if (entries_first(pattern_pyramid(pattern), pattern_csr(pattern), cursor_dot(explorer, pattern),
                      SEARCHED_MAX, &place, 1, NULL))
        explorer_move(explorer, pattern_row(pattern, place.row), place.col);
}

/* Say that the picture ends here, if the entries are not in memory and a level is beyond the last. */
static void say_end(struct explorer *explorer, const struct pattern *pattern, int level)
{
    char rows[32], cols[32];
    if (level > pattern_last_level(pattern) && !case_has_entries(pattern->of))
        explorer_say(explorer, "the picture ends here, where a dot is %s x %s places: %s",
                     format_count(rows, sizeof rows, pattern->port.dot[ROWS]),
                     format_count(cols, sizeof cols, pattern->port.dot[COLS]), pattern->of->absence.remedy);
}

static void zoom_at_cursor(struct explorer *explorer, struct pattern *pattern, int level)
{
    say_end(explorer, pattern, level);
    if (level > pattern->level) settle_on_entry(explorer, pattern);
    zoom_here(explorer, pattern, level);
    follow(explorer, pattern);
}

/* Return the first level at which the window holds at most twice the rows, or twice the columns, of the dot
 * under the cursor; that of numbers if there is none. */
static int level_inside(struct explorer *explorer, const struct pattern *pattern)
{
    int level = pattern->level + 1, last = pattern_last_level(pattern);
    struct range dot = cursor_dot(explorer, pattern);
    for (; level < last; level++) {
        int64_t next[2];
        int dots[2];
        pattern_dots_at(pattern, level, next, dots);
        if (next[ROWS] * dots[ROWS] <= 2 * (dot.r1 - dot.r0) ||
            next[COLS] * dots[COLS] <= 2 * (dot.c1 - dot.c0))
            break;
    }
    return level > last ? last : level;
}

static void go_in(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)unused;
    if (pattern->level == pattern_last_level(pattern)) {
        say_end(explorer, pattern, pattern->level + 1);
        return;
    }
    if (pattern->depth == PATTERN_VISITS) { /* there is no more room: the oldest visit is forgotten */
        memmove(pattern->visits, pattern->visits + 1, (PATTERN_VISITS - 1) * sizeof *pattern->visits);
        pattern->depth--;
    }
    pattern->visits[pattern->depth++] = (struct pattern_visit){
        pattern->level, {pattern->port.start[ROWS], pattern->port.start[COLS]}, explorer->cursor};
    zoom_at_cursor(explorer, pattern, level_inside(explorer, pattern));
}

static void come_back(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)unused;
    if (!pattern->depth) {
        zoom_at_cursor(explorer, pattern, pattern_fit_level(pattern));
        return;
    }
    const struct pattern_visit *visit = &pattern->visits[--pattern->depth];
    explorer_move(explorer, visit->cursor.row, visit->cursor.col);
    zoom_here(explorer, pattern, visit->level);
    for (int a = 0; a < 2; a++)
        viewport_pan(&pattern->port, (enum axis)a,
                     (visit->start[a] - pattern->port.start[a]) / pattern->port.dot[a]);
    follow(explorer, pattern);
}

static void next_in_row(struct explorer *explorer, void *state, int forward)
{
    struct pattern *pattern = state;
    const struct csr *a = &pattern->of->matrix.csr;
    struct cursor cursor = explorer->cursor;
    if (!pattern_has_entries(explorer, pattern, "steps from entry to entry")) return;
    if (a->rows == 0 || a->cols == 0) return;
    int64_t k = forward ? csr_lower_bound(a, cursor.row, cursor.col + 1)
                        : csr_lower_bound(a, cursor.row, cursor.col) - 1;
    if (k >= a->row_ptr[cursor.row] && k < a->row_ptr[cursor.row + 1])
        move_to(explorer, pattern, cursor.row, a->col[k]);
    else
        explorer_say(explorer, forward ? "no further entry in this row" : "no earlier entry in this row");
}

static void next_in_column(struct explorer *explorer, void *state, int forward)
{
    struct pattern *pattern = state;
    struct entry_place place;
    int64_t here[2];
    if (!pattern_has_entries(explorer, pattern, "steps from entry to entry")) return;
    pattern_cursor(explorer, pattern, here);
    int found = entries_in_column(pattern_pyramid(pattern), pattern_csr(pattern), here[ROWS], here[COLS],
                                  forward, SEARCHED_MAX, &place);
    if (found > 0)
        go(explorer, pattern, place.row, place.col);
    else if (found < 0)
        explorer_say(explorer, "no entry in this column within %d rows looked at", SEARCHED_MAX);
    else
        explorer_say(explorer,
                     forward ? "no further entry in this column" : "no earlier entry in this column");
}

static void change_picture(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    static const char *const said[] = {"dots as suits the zoom", "dots shaded by their entries",
                                       "braille dots"};
    (void)unused;
    bool pixels = pattern->pixels[ROWS] > 0;
    if (explorer->ascii) {
        explorer_say(explorer, "braille dots and pixels need a terminal with Unicode");
        return;
    }
    pattern->wish = (enum wish)((pattern->wish + 1) % 3);
    explorer_say(explorer, "%s", pixels && pattern->wish == WISH_AUTOMATIC ? "pixels" : said[pattern->wish]);
    zoom_here(explorer, pattern, pattern->level);
}

/* Move the cursor to the first or last column; if it is there already, to the first or last row. */
static void go_to_end(struct explorer *explorer, void *state, int last)
{
    struct pattern *pattern = state;
    const struct csr *a = &pattern->of->matrix.csr;
    int64_t place[2], position = last ? a->rows - 1 : 0, col = last ? a->cols - 1 : 0;
    pattern_cursor(explorer, pattern, place);
    go(explorer, pattern, place[COLS] == col ? position : place[ROWS], col);
}

static void move_down(struct explorer *explorer, void *state, int dots)
{
    move(explorer, state, dots, 0);
}

static void move_right(struct explorer *explorer, void *state, int dots)
{
    move(explorer, state, 0, dots);
}

static void turn_page(struct explorer *explorer, void *state, int direction)
{
    struct pattern *pattern = state;
    move(explorer, pattern, (int64_t)direction * pattern->port.dots[ROWS], 0);
}

static void zoom(struct explorer *explorer, void *state, int step)
{
    struct pattern *pattern = state;
    zoom_at_cursor(explorer, pattern, pattern->level + step);
}

static void show_all(struct explorer *explorer, void *state, int unused)
{
    (void)unused;
    zoom_at_cursor(explorer, state, pattern_fit_level(state));
}

static void toggle_diagonal(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)explorer;
    (void)unused;
    pattern->diagonal = !pattern->diagonal;
}

static void toggle_bands(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)explorer;
    (void)unused;
    pattern->bands = !pattern->bands;
}

/* Change the layout, and keep the cursor's dot. */
static void lay_out_anew(struct explorer *explorer, struct pattern *pattern)
{
    if (pattern->laid_out) pattern_lay_out(explorer, pattern, pattern->area);
    follow(explorer, pattern);
}

static void toggle_margins(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)unused;
    pattern->margin_wish = pattern_has_margins(pattern, pattern->area) ? MARGINS_HIDDEN : MARGINS_SHOWN;
    lay_out_anew(explorer, pattern);
    if (pattern->margin_wish == MARGINS_HIDDEN)
        explorer_say(explorer, "no margins");
    else
        explorer_say(explorer, pattern->margin_wide ? "margins: lengths of whole rows and columns"
                                                    : "there is no room for margins");
}

static void toggle_fill(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)unused;
    pattern->fill = !pattern->fill;
    lay_out_anew(explorer, pattern);
    explorer_say(explorer, pattern->fill ? "filled: rows and columns have a scale each"
                                         : "one scale for rows and columns: shapes are true");
}

static void toggle_twin(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    (void)unused;
    pattern->alone = !pattern->alone;
    if (!explorer->beside)
        explorer_say(explorer, "the matrix is held in one order alone");
    else if (pattern->alone)
        explorer_say(explorer, "one order");
    else
        explorer_say(explorer, pattern_twin_of(explorer, pattern, pattern->area)
                                   ? "two orders beside each other"
                                   : "two orders beside each other take a wider window");
}

static const struct action actions[] = {
    {.keys = {'+', '='},
     .run = zoom,
     .argument = 1,
     .name = "zoom",
     .help = "zoom by 2 about the cursor, to the numbers themselves"},
    {.keys = {'-'}, .run = zoom, .argument = -1},
    {.keys = {'0'}, .run = show_all, .name = "fit", .help = "the whole matrix"},
    {.keys = {UIKEY_ENTER}, .run = go_in, .name = "go in", .help = "go into the dot under the cursor"},
    {.keys = {UIKEY_BACKSPACE}, .run = come_back, .help = "come back"},
    {.keys = {'o'},
     .run = pattern_choose_overlay,
     .argument = 1,
     .name = "overlay",
     .help = "next and previous overlay: strips, HYB cut, JDS and SELL order"},
    {.keys = {'O'}, .run = pattern_choose_overlay, .argument = -1},
    {.keys = {','},
     .run = pattern_change_overlay,
     .argument = -1,
     .name = "change",
     .help = "strip height, K or C: less, more"},
    {.keys = {'.'}, .run = pattern_change_overlay, .argument = 1},
    {.keys = {'<'},
     .run = pattern_change_overlay_far,
     .argument = -1,
     .help = "strip height, K or sigma: much less, much more"},
    {.keys = {'>'}, .run = pattern_change_overlay_far, .argument = 1},
    {.keys = {'p'}, .run = pattern_ask, .help = "type the overlay's parameter"},
    {.keys = {'m'},
     .run = change_picture,
     .name = "shade",
     .help = "pixels or dots as suits, shaded by their entries, or braille"},
    {.keys = {'c'},
     .run = pattern_choose_colouring,
     .argument = 1,
     .name = "colour",
     .help = "colour by entries, largest |a|, sum of |a|, sign, missing (j, i), component, "
             "strong component, block, fill of Cholesky, or the owners that Parts has found; and back"},
    {.keys = {'C'}, .run = pattern_choose_colouring, .argument = -1},
    {.keys = {'f'},
     .run = toggle_fill,
     .name = "fill",
     .help = "fill the window: rows and columns have a scale each"},
    {.keys = {'M'},
     .run = toggle_margins,
     .name = "show margins",
     .help = "margins: the lengths of whole rows and columns"},
    {.keys = {'B'}, .run = toggle_twin, .help = "one order, or two beside each other where there is room"},
    {.keys = {'d'}, .run = toggle_diagonal, .name = "draw diagonal", .help = "draw the main diagonal"},
    {.keys = {'b'}, .run = toggle_bands, .name = "draw bands", .help = "draw the lower and upper bandwidth"},
    {.keys = {'['},
     .run = next_in_row,
     .argument = false,
     .name = "step",
     .help = "previous and next entry of the row"},
    {.keys = {']'}, .run = next_in_row, .argument = true},
    {.keys = {'{'},
     .run = next_in_column,
     .argument = false,
     .help = "previous and next entry of the column"},
    {.keys = {'}'}, .run = next_in_column, .argument = true},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = move_right,
     .argument = -1,
     .help = "move the cursor by one dot; at the edge the picture moves"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = move_down, .argument = 1},
    {.keys = {UIKEY_UP, 'k'}, .run = move_down, .argument = -1},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = move_right, .argument = 1},
    {.keys = {'H'}, .run = move_right, .argument = -BIG_STEP, .help = "move by 8 dots"},
    {.keys = {'J'}, .run = move_down, .argument = BIG_STEP},
    {.keys = {'K'}, .run = move_down, .argument = -BIG_STEP},
    {.keys = {'L'}, .run = move_right, .argument = BIG_STEP},
    {.keys = {UIKEY_PAGE_UP}, .run = turn_page, .argument = -1, .help = "move by a picture's height"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = turn_page, .argument = 1},
    {.keys = {UIKEY_HOME},
     .run = go_to_end,
     .argument = false,
     .help = "first and last column; twice: first and last row"},
    {.keys = {UIKEY_END}, .run = go_to_end, .argument = true},
    {.run = NULL},
};

/* The cursor moves by dots, which there are once the picture was laid out. */
static bool update_pattern(struct explorer *explorer, void *state)
{
    const struct pattern *pattern = state;
    (void)explorer;
    return pattern->laid_out;
}

/* Move the picture with the mouse, by whole characters. What is left of the way counts for the next event. */
static void drag(struct pattern *pattern, int y, int x)
{
    bool numbers = pattern->picture == PICTURE_NUMBERS;
    int down = y - pattern->drag_y, right = x - pattern->drag_x;
    int high = numbers ? pattern->lines : 1, wide = numbers ? pattern->field : 1;
    viewport_pan(&pattern->port, ROWS, -(int64_t)(down / high) * pattern->per[ROWS] / pattern->large[ROWS]);
    viewport_pan(&pattern->port, COLS, -(int64_t)(right / wide) * pattern->per[COLS] / pattern->large[COLS]);
    pattern->drag_y += down / high * high;
    pattern->drag_x += right / wide * wide;
}

/* Go to the row or the column that was clicked in a margin, or to the place in the overview. Returns false if
 * the mouse is in none of them. */
static bool press_beside(struct explorer *explorer, struct pattern *pattern, const struct mouse *mouse)
{
    int64_t place[2], line;
    enum axis axis;
    if (pattern_margin_at(pattern, mouse->y, mouse->x, &axis, &line)) {
        pattern_cursor(explorer, pattern, place);
        place[axis] = line;
    } else if (!pattern->overview.high || !thumbnail_at(pattern_csr(pattern), pattern_pyramid(pattern),
                                                        pattern->overview, mouse->y, mouse->x, place)) {
        return false;
    } else { /* the place comes into the middle */
        viewport_pan(&pattern->port, ROWS,
                     viewport_index(&pattern->port, ROWS, place[ROWS]) - pattern->port.dots[ROWS] / 2);
        viewport_pan(&pattern->port, COLS,
                     viewport_index(&pattern->port, COLS, place[COLS]) - pattern->port.dots[COLS] / 2);
    }
    pattern->drag_y = mouse->y;
    pattern->drag_x = mouse->x;
    go(explorer, pattern, place[ROWS], place[COLS]);
    return true;
}

/* Go to the place that was clicked in the twin, or zoom at it. Returns false if the mouse is not there. */
static bool mouse_twin(struct explorer *explorer, struct pattern *pattern, const struct mouse *mouse)
{
    int64_t row, col, place[2];
    if (!pattern->paired || !pattern_twin_at(explorer, pattern, mouse->y, mouse->x, &row, &col)) return false;
    if (mouse->kind == MOUSE_PRESS) {
        pattern->drag_y = mouse->y;
        pattern->drag_x = mouse->x;
        move_to(explorer, pattern, row, col);
        return true;
    }
    int level = pattern->level + (mouse->kind == MOUSE_WHEEL_UP ? 1 : -1);
    pattern_cursor(explorer, pattern, place);
    pattern_zoom(explorer, pattern, level, place);
    return true;
}

static void mouse_pattern(struct explorer *explorer, void *state, const struct mouse *mouse)
{
    struct pattern *pattern = state;
    int64_t dot[2];
    if (mouse->kind == MOUSE_DRAG) {
        drag(pattern, mouse->y, mouse->x);
        return;
    }
    if (mouse->kind == MOUSE_PRESS && press_beside(explorer, pattern, mouse)) return;
    if (mouse_twin(explorer, pattern, mouse) || !pattern_at(pattern, mouse->y, mouse->x, dot)) return;
    struct range range = pattern_dot(pattern, dot[ROWS], dot[COLS]);
    if (mouse->kind == MOUSE_PRESS) {
        pattern->drag_y = mouse->y;
        pattern->drag_x = mouse->x;
        go(explorer, pattern, range.r0, range.c0);
    } else {
        int level = pattern->level + (mouse->kind == MOUSE_WHEEL_UP ? 1 : -1);
        say_end(explorer, pattern, level);
        pattern_zoom(explorer, pattern, level, (int64_t[2]){range.r0, range.c0});
    }
}

static void answer_pattern(struct explorer *explorer, void *state, const char *text)
{
    pattern_answer(explorer, state, text);
}

static const struct figure *figure_pattern(struct explorer *explorer, void *state,
                                           struct figure_subject *subject)
{
    const struct pattern *pattern = state;
    (void)explorer;
    /* A format's order is drawn as it stands, and so is what is known of cells alone. */
    if (!pattern->laid_out || pattern->ordered || !case_has_entries(pattern->of)) return NULL;
    for (int axis = 0; axis < 2; axis++) {
        int64_t end = pattern->port.start[axis] +
                      pattern->port.dot[axis] * viewport_used(&pattern->port, (enum axis)axis);
        subject->from[axis] = pattern->port.start[axis];
        subject->to[axis] = min(end, pattern->port.size[axis]);
    }
    if (pattern->colouring == COLOURED_OWNER && pattern->sizing.owners) {
        subject->by = FIGURE_OWNER;
        subject->partition = &pattern->sizing.owners->divided.partition;
        subject->partition_name = pattern->sizing.owners->name;
        return figure_find("pattern");
    }
    subject->by = pattern->colouring == COLOURED_SIGN ? FIGURE_SIGN
                  : pattern_wants_sizes(pattern)      ? FIGURE_VALUE
                                                      : FIGURE_COUNT;
    return figure_find("pattern");
}

const struct view view_pattern = {
    .title = "Pattern",
    .help =
        "Where the entries are. A dot is a rectangle of places of the matrix; its entries are counted "
        "exactly. Braille dots are raised where there are entries; colour is the share of places that hold "
        "one, on a log scale. A terminal with graphics shows each dot as a pixel. Where nearly all dots are "
        "raised there are shaded blocks instead, and at the "
        "end numbers. Colours can also tell sizes and signs of values, the parts that the matrix falls "
        "into, where a Cholesky factor fills it, and which process would own what (Parts). Margins have a "
        "bar for each line of dots, as long as "
        "the mean of the rows or columns "
        "that it covers, and a mark for the longest of them: lengths of whole rows and columns, also where "
        "only a part is in sight. A matrix that is held in several orders is shown in two of them beside "
        "each "
        "other: one cursor marks the same place of the matrix in both.",
    .actions = actions,
    .gesture = {"wheel, drag", "zoom at the pointer, move the picture"},
    .needs = SESSION_MATRIX | SESSION_PYRAMID,
    .lacks = "A pattern is drawn from counted cells, which a report carries if it is asked to: "
             "'sparsight report --format=json --carry=64K'.",
    .open = open_pattern,
    .draw = draw_pattern,
    .figure = figure_pattern,
    .update = update_pattern,
    .mouse = mouse_pattern,
    .answer = answer_pattern,
    .adopt = adopt_pattern,
    .close = pattern_close,
};
