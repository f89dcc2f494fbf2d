/* The Pattern screen: its drawing, its switches and its table of keys. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "report/figures/figure.h"
#include "ui/definitions.h"
#include "ui/pattern/moves.h"

#define BIG_STEP 8

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
        /* Another screen or a search has moved the cursor. If it is not visible, it becomes the centre. */
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
    if (explorer->aimed) {
        if (!pattern->laid_out) pattern_lay_out(explorer, pattern, area);
        pattern_aim(explorer, pattern);
        explorer->aimed = false;
    }
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

/* Adopt the user's choices from the picture of another case: picture, overlay, colours, and zoom at the
 * cursor. */
static void adopt_pattern(struct explorer *explorer, void *state, const void *before)
{
    struct pattern *pattern = state;
    const struct pattern *other = before;
    const struct overlays *overlays = &other->overlays;
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
    pattern_zoom_here(explorer, pattern, other->level);
    pattern->depth = 0; /* the visits store positions of another order */
}

static void change_picture(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    static const char *const said[] = {"dots chosen by the zoom", "dots shaded by their entries",
                                       "braille dots"};
    bool pixels = pattern->pixels[ROWS] > 0;
    if (explorer->ascii) {
        explorer_say(explorer, "braille dots and pixels need a terminal with Unicode");
        return;
    }
    pattern->wish = (enum wish)((pattern->wish + 1) % 3);
    explorer_say(explorer, "%s", pixels && pattern->wish == WISH_AUTOMATIC ? "pixels" : said[pattern->wish]);
    pattern_zoom_here(explorer, pattern, pattern->level);
}

static void toggle_diagonal(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    pattern->diagonal = !pattern->diagonal;
}

static void toggle_bands(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    pattern->bands = !pattern->bands;
}

/* Change the layout, and keep the cursor visible. */
static void lay_out_anew(struct explorer *explorer, struct pattern *pattern)
{
    if (pattern->laid_out) pattern_lay_out(explorer, pattern, pattern->area);
    pattern_follow(explorer, pattern);
}

static void toggle_margins(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
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
    pattern->fill = !pattern->fill;
    lay_out_anew(explorer, pattern);
    explorer_say(explorer, pattern->fill ? "filled: rows and columns have a scale each"
                                         : "one scale for rows and columns: shapes are true");
}

static void toggle_twin(struct explorer *explorer, void *state, int unused)
{
    struct pattern *pattern = state;
    pattern->alone = !pattern->alone;
    if (!explorer->beside)
        explorer_say(explorer, "the matrix has only one order");
    else if (pattern->alone)
        explorer_say(explorer, "one order");
    else
        explorer_say(explorer, pattern_twin_of(explorer, pattern, pattern->area)
                                   ? "two orders side by side"
                                   : "two orders side by side need a wider window");
}

static enum use use_of_fit(const struct explorer *explorer, const void *state, int unused)
{
    const struct pattern *pattern = state;
    return pattern->laid_out && pattern->level != pattern_fit_level(pattern) ? USE_SOME : USE_NONE;
}

static enum use use_of_going_in(const struct explorer *explorer, const void *state, int unused)
{
    const struct pattern *pattern = state;
    return pattern->laid_out && pattern->level != pattern_last_level(pattern) ? USE_SOME : USE_NONE;
}

/* Runs by length have no parameter. */
static enum use use_of_change(const struct explorer *explorer, const void *state, int unused)
{
    const struct pattern *pattern = state;
    const enum overlay shown = pattern->overlays.shown;
    return shown == OVERLAY_STRIPS || shown == OVERLAY_HYB || shown == OVERLAY_SELL ? USE_SOME : USE_NONE;
}

static enum use use_of_shades(const struct explorer *explorer, const void *state, int unused)
{
    const struct pattern *pattern = state;
    return !explorer->ascii && pattern->picture != PICTURE_NUMBERS ? USE_SOME : USE_NONE;
}

/* Steps find entries in the matrix, so it must have entries in memory. */
static enum use use_of_steps(const struct explorer *explorer, const void *state, int unused)
{
    const struct matrix_case *shown = explorer->session->shown;
    return case_has_entries(shown) && case_nnz(shown) > 0 ? USE_SOME : USE_NONE;
}

static const struct action actions[] = {
    {.keys = {'+', '='},
     .run = pattern_step_zoom,
     .argument = 1,
     .name = "zoom",
     .help = "zoom by 2 about the cursor, down to the numbers"},
    {.keys = {'-'}, .run = pattern_step_zoom, .argument = -1},
    {.keys = {'0'}, .run = pattern_show_all, .name = "fit", .help = "the whole matrix", .use = use_of_fit},
    {.keys = {UIKEY_ENTER},
     .run = pattern_go_in,
     .name = "go in",
     .help = "go into the dot under the cursor",
     .use = use_of_going_in},
    {.keys = {'o'},
     .run = pattern_choose_overlay,
     .argument = 1,
     .name = "overlay",
     .help = "next and previous overlay: strips, HYB cut, JDS and SELL order, dense blocks"},
    {.keys = {'O'}, .run = pattern_choose_overlay, .argument = -1},
    {.keys = {','},
     .run = pattern_change_overlay,
     .argument = -1,
     .name = "change",
     .help = "strip height, K or C: decrease, increase",
     .use = use_of_change},
    {.keys = {'.'}, .run = pattern_change_overlay, .argument = 1},
    {.keys = {'<'},
     .run = pattern_change_overlay_far,
     .argument = -1,
     .help = "strip height, K or sigma: decrease or increase by more"},
    {.keys = {'>'}, .run = pattern_change_overlay_far, .argument = 1},
    {.keys = {'p'}, .run = pattern_ask, .help = "type the overlay's parameter"},
    {.keys = {'m'},
     .run = change_picture,
     .name = "shade",
     .help = "pixels or dots by zoom, shaded by their entries, or braille",
     .use = use_of_shades},
    {.keys = {'c'},
     .run = pattern_choose_colouring,
     .argument = 1,
     .name = "colour",
     .help = "next and previous colouring: entries, largest |a|, sum of |a|, sign, missing (j, i), "
             "component, strong component, block, fill of Cholesky, level or colour of rows, or the owners "
             "from Parts"},
    {.keys = {'C'}, .run = pattern_choose_colouring, .argument = -1},
    {.keys = {'f'},
     .run = toggle_fill,
     .name = "fill",
     .help = "fill the window: rows and columns have a scale each"},
    {.keys = {'M'},
     .run = toggle_margins,
     .name = "show margins",
     .help = "margins: the lengths of whole rows and columns"},
    {.keys = {'B'}, .run = toggle_twin, .help = "one order, or two side by side if there is room"},
    {.keys = {'d'}, .run = toggle_diagonal, .name = "draw diagonal", .help = "draw the main diagonal"},
    {.keys = {'b'}, .run = toggle_bands, .name = "draw bands", .help = "draw the lower and upper bandwidth"},
    {.keys = {'['},
     .run = pattern_next_in_row,
     .argument = false,
     .name = "step",
     .help = "previous and next entry of the row",
     .use = use_of_steps},
    {.keys = {']'}, .run = pattern_next_in_row, .argument = true},
    {.keys = {'{'},
     .run = pattern_next_in_column,
     .argument = false,
     .help = "previous and next entry of the column"},
    {.keys = {'}'}, .run = pattern_next_in_column, .argument = true},
    {.keys = {UIKEY_LEFT, 'h'},
     .run = pattern_move_right,
     .argument = -1,
     .help = "move the cursor by one dot; at the edge the picture moves"},
    {.keys = {UIKEY_DOWN, 'j'}, .run = pattern_move_down, .argument = 1},
    {.keys = {UIKEY_UP, 'k'}, .run = pattern_move_down, .argument = -1},
    {.keys = {UIKEY_RIGHT, 'l'}, .run = pattern_move_right, .argument = 1},
    {.keys = {'H'}, .run = pattern_move_right, .argument = -BIG_STEP, .help = "move by 8 dots"},
    {.keys = {'J'}, .run = pattern_move_down, .argument = BIG_STEP},
    {.keys = {'K'}, .run = pattern_move_down, .argument = -BIG_STEP},
    {.keys = {'L'}, .run = pattern_move_right, .argument = BIG_STEP},
    {.keys = {UIKEY_PAGE_UP}, .run = pattern_turn_page, .argument = -1, .help = "move by a picture's height"},
    {.keys = {UIKEY_PAGE_DOWN}, .run = pattern_turn_page, .argument = 1},
    {.keys = {UIKEY_HOME},
     .run = pattern_go_to_end,
     .argument = false,
     .help = "first and last column; twice: first and last row"},
    {.keys = {UIKEY_END}, .run = pattern_go_to_end, .argument = true},
    {.run = NULL},
};

/* The cursor moves by dots, which exist after the first layout. */
static bool update_pattern(struct explorer *explorer, void *state)
{
    const struct pattern *pattern = state;
    return pattern->laid_out;
}

static void answer_pattern(struct explorer *explorer, void *state, const char *text)
{
    pattern_answer(explorer, state, text);
}

static const struct figure *figure_pattern(struct explorer *explorer, void *state,
                                           struct figure_subject *subject)
{
    const struct pattern *pattern = state;
    /* A format's order has no figure, and a matrix without entries in memory has none either. Then the
     * picture shows the screen's characters. */
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

/* The numbers of the panel. */
static bool define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    static const struct definition table[] = {
        {.title = "entries", .text = "entries of the dot under the cursor, and their share of its positions"},
        {.title = "dot",
         .text = "a rectangle of positions that is one mark; all dots of a picture have the same size"},
        {.title = "legend",
         .text =
             "entries of one mark from the faintest to the brightest colour, and the same as a share of the "
             "positions; the scale is logarithmic"},
        {.title = "row mean, max",
         .text = "mean and largest length of the whole rows in the line of dots under the cursor"},
        {.title = "col mean, max",
         .text = "the same of the columns; the length of a row or column is its number of entries"},
        {.title = "(i, j)", .text = "row, column and value of the first entries of the dot"},
        {.title = "row lengths",
         .text =
             "the shortest and the longest row; in the margin, bars are means and marks are maxima of the "
             "rows beside them, and the number is the longest"},
        {.title = "mean, median",
         .text = "of these lengths; half of the rows are at most as long as the median"},
        {.title = "empty", .text = "rows, or columns, without entries"},
        {.title = "main diagonal", .text = "entries with i = j, explicit zeros included"},
        {.title = "not to scale",
         .text = "how many times larger rows are drawn than columns, or columns than rows"},
    };
    static const char *const keys[] = {"structure.lower_bandwidth", "structure.upper_bandwidth",
                                       "structure.diagonals", "structure.pattern_symmetry", NULL};
    return definition_of_tables(table, (int)(sizeof table / sizeof *table), columns, keys, k, definition);
}

const struct view view_pattern = {
    .title = "Pattern",
    .question = "Where are the entries?",
    .help =
        "The positions of the entries. A dot is a rectangle of positions; its entries are counted exactly. "
        "Braille dots are raised where there are entries; colour is the share of positions with an entry, on "
        "a log scale. A terminal with graphics shows each dot as a pixel. Shaded blocks replace the dots "
        "where nearly all are raised, and the finest zoom shows numbers. Colours can also show sizes and "
        "signs of values, components and blocks, the fill of a Cholesky factor, levels and colours of rows, "
        "and the owners of rows (Parts). Margins have a bar for each line of dots. Its length is the mean "
        "length of the rows or "
        "columns that the line covers, and a mark shows the longest. These are lengths of whole rows and "
        "columns, even if the screen shows only a part. A matrix with several orders is shown in two of them "
        "side by side; one cursor marks the same position of the matrix in both.",
    .actions = actions,
    .gesture = {"wheel, drag", "zoom at the pointer, move the picture"},
    .needs = SESSION_MATRIX | SESSION_PYRAMID,
    .lacks = "The pattern is drawn from counted cells. Save them in the report: 'sparsight report "
             "--format=json --carry=64K'.",
    .open = open_pattern,
    .draw = draw_pattern,
    .figure = figure_pattern,
    .define = define,
    .update = update_pattern,
    .mouse = pattern_mouse,
    .answer = answer_pattern,
    .back = pattern_come_back,
    .adopt = adopt_pattern,
    .close = pattern_close,
};
