/* The picture of the whole matrix, coloured by the owners of the rows. */
#include <stdio.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/flow.h"
#include "drawing/shade.h"
#include "ui/parts/screen.h"

#define LARGE_MAX 32
#define OBLONG_MAX 8 /* sides with a larger ratio have different scales */
#define FOOT_HIGH 2

struct parts_fit parts_fit(int64_t rows, int64_t cols, int high, int wide)
{
    struct parts_fit fit = {.large_high = 1, .large_wide = 1};
    if (rows < 1 || cols < 1 || high < 1 || wide < 1) return fit;
    int64_t down = divide_up(rows, high), across = divide_up(cols, wide), both = max(down, across);
    bool oblong = rows / OBLONG_MAX > cols || cols / OBLONG_MAX > rows;
    fit.rows = oblong ? down : both;
    fit.cols = oblong ? across : both;
    fit.high = (int)divide_up(rows, fit.rows);
    fit.wide = (int)divide_up(cols, fit.cols);
    if (both > 1) return fit;
    int64_t large = min(high / rows, wide / cols);
    fit.large_high = fit.large_wide = (int)min(max(large, 1), LARGE_MAX);
    return fit;
}

struct canvas parts_canvas(const struct explorer *explorer, struct cells *cells, struct surface *surface,
                           struct rect rect)
{
    return cells_begin(cells, surface, rect, parts_has_blocks(explorer) ? CELLS_HALVES : CELLS_ASCII, false);
}

void parts_draw_dot(struct canvas *canvas, const struct parts_fit *fit, int64_t y, int64_t x,
                    enum colour colour)
{
    const double wide = (double)fit->large_wide * canvas->tall;
    canvas_rectangle(canvas, (double)x * wide, (double)y * fit->large_high, wide, fit->large_high, colour);
}

void parts_draw_cursor(const struct explorer *explorer, struct canvas *canvas, const struct parts_fit *fit,
                       int64_t y, int64_t x, struct surface *surface, struct rect rect)
{
    const int wide = 2 * fit->large_wide;
    if (y >= fit->high || x >= fit->wide) return;
    if (parts_has_blocks(explorer))
        parts_draw_dot(canvas, fit, y, x, COLOUR_CURSOR);
    else
        surface_highlight(surface,
                          (struct rect){rect.top + (int)y * fit->large_high, rect.left + (int)x * wide,
                                        fit->large_high, wide},
                          COLOUR_CURSOR, explorer->colours ? 0 : ATTRIBUTE_REVERSE);
}

/* Fill a dot of several characters with the letters of its mark. Small letters say that entries are remote,
 * so they need no pale colour, which is hard to read. */
static void draw_letters(const struct parts_picture *picture, struct surface *surface, int y, int x,
                         int32_t mark)
{
    const struct parts_fit *fit = &picture->fit;
    const int wide = 2 * fit->large_wide;
    const int32_t local = owner_is_remote(mark) ? owner_mark(owner_part(mark), false) : mark;
    char letters[3];
    owner_letters(mark, letters);
    for (int k = 0; k < fit->large_high * wide; k++)
        surface_put(surface, picture->rect.top + y * fit->large_high + k / wide,
                    picture->rect.left + x * wide + k % wide, (unsigned char)letters[k % 2],
                    owner_colour(local), COLOUR_TEXT, 0);
}

static void draw_picture(const struct explorer *explorer, const struct parts_picture *picture,
                         struct surface *surface)
{
    const struct parts_fit *fit = &picture->fit;
    struct cells cells;
    struct canvas canvas = parts_canvas(explorer, &cells, surface, picture->rect);
    for (int y = 0; y < fit->high; y++)
        for (int x = 0; x < fit->wide; x++) {
            int32_t mark = picture->seen[(size_t)y * (size_t)fit->wide + (size_t)x];
            if (mark == OWNER_NONE) continue;
            if (parts_has_blocks(explorer))
                parts_draw_dot(&canvas, fit, y, x, owner_colour(mark));
            else
                draw_letters(picture, surface, y, x, mark);
        }
    parts_draw_cursor(explorer, &canvas, fit, explorer->cursor.row / fit->rows,
                      explorer->cursor.col / fit->cols, surface, picture->rect);
}

/* Explain the letters of the first and the last part, small letters and points. */
static void draw_letter_legend(int64_t parts, struct surface *surface, struct rect rect)
{
    struct flow flow = {.surface = surface, .rect = rect};
    char letters[3];
    for (int64_t k = 0; k<parts; k += parts> 1 ? parts - 1 : 1) {
        flow_item(&flow, COLOUR_DIM, "%s part %lld", owner_letters(owner_mark((int32_t)k, false), letters),
                  (long long)k + 1);
    }
    flow_item(&flow, COLOUR_DIM, "%s half or more remote", owner_letters(owner_mark(0, true), letters));
    flow_item(&flow, COLOUR_DIM, "%s several parts", owner_letters(OWNER_SEVERAL, letters));
}

/* Explain the colours. */
static void draw_legend(const struct explorer *explorer, const struct parts_screen *screen,
                        struct surface *surface, int y, struct rect rect)
{
    const struct distributed *row = &screen->table.items[screen->selected];
    bool blocks = parts_has_blocks(explorer), marked = false;
    int x = rect.left + 1, end = rect.left + rect.wide - 1;
    static const char *const words[] = {" local", " half or more remote"};
    if (!blocks) {
        draw_letter_legend(row->parts, surface, (struct rect){y, x, 1, end - x});
        return;
    }
    for (int remote = 0; remote < 2; remote++) {
        for (int k = 0; k < OWNER_COLOURS && k < row->parts && x < end; k++, x++)
            surface_put(surface, y, x, 0x2588, owner_colour(owner_mark(k, remote)), COLOUR_TEXT, 0);
        x += surface_text_whole(surface, y, x, end - x, COLOUR_DIM, 0, "%s", words[remote]) + 1;
    }
    for (size_t k = 0; k < (size_t)screen->picture.fit.high * (size_t)screen->picture.fit.wide && !marked;
         k++)
        marked = screen->picture.seen[k] == OWNER_SEVERAL;
    if (!marked || x + 9 > end) return;
    surface_put(surface, y, x, 0x2588, owner_colour(OWNER_SEVERAL), COLOUR_TEXT, 0);
    surface_text_whole(surface, y, x + 1, end - x - 1, COLOUR_DIM, 0, " several parts");
}

/* Describe the owner of the position under the cursor. */
static void draw_place(const struct explorer *explorer, const struct owners *owners, struct surface *surface,
                       int y, struct rect rect)
{
    char row[32], col[32];
    const struct csr *a = &explorer->session->shown->matrix.csr;
    const struct partition *partition = &owners->divided.partition;
    const int64_t entry = explorer->cursor.entry;
    const int32_t *owner = partition->owner;
    int32_t own = entry >= 0 ? partition_entry_owner(partition, explorer->cursor.row, entry)
                             : owner[explorer->cursor.row],
            other = partition_column_owner(partition, a->cols, explorer->cursor.col);
    struct flow flow = {.surface = surface, .rect = {y, rect.left + 1, 1, rect.wide - 2}};
    format_count(row, sizeof row, explorer->cursor.row + 1);
    format_count(col, sizeof col, explorer->cursor.col + 1);
    if (!partition->entry)
        flow_item(&flow, COLOUR_TEXT, "row %s: part %d", row, own + 1);
    else if (entry >= 0)
        flow_item(&flow, COLOUR_TEXT, "entry: part %d", own + 1);
    if (partition->entry)
        flow_item(&flow, COLOUR_TEXT, "y(%s): part %d", row, owner[explorer->cursor.row] + 1);
    flow_item(&flow, COLOUR_TEXT, "x(%s): part %d", col, other + 1);
    if (entry >= 0)
        flow_item(&flow, own == other ? COLOUR_TEXT : COLOUR_MARK,
                  own == other ? "a local entry" : "a remote entry");
    else
        flow_item(&flow, COLOUR_DIM, "no entry");
}

/* Write the rows or columns of a dot: "row 7", "rows 1-64". */
static void write_lines(char *out, size_t size, const char *name, int64_t first, int64_t step, int64_t lines)
{
    char from[32], to[32];
    const int64_t last = min(first + step, lines);
    format_count(from, sizeof from, first + 1);
    format_count(to, sizeof to, last);
    if (last - first <= 1)
        snprintf(out, size, "%s %s", name, from);
    else
        snprintf(out, size, "%ss %s-%s", name, from, to);
}

/* Describe the position under the cursor from a report: the mark of its dot, and the owner of its row if the
 * report contains the owners. */
static void draw_told_place(const struct explorer *explorer, const struct parts_screen *screen,
                            const struct sketch *sketch, struct surface *surface, int y, struct rect rect)
{
    char rows[80], cols[80], row[32];
    const struct csr *a = &explorer->session->shown->matrix.csr;
    const struct parts_fit *fit = &screen->picture.fit;
    const int64_t down = explorer->cursor.row / fit->rows, right = explorer->cursor.col / fit->cols;
    const int32_t owner = sketch_owner(sketch, explorer->cursor.row),
                  mark = screen->picture.seen[down * fit->wide + right];
    struct flow flow = {.surface = surface, .rect = {y, rect.left + 1, 1, rect.wide - 2}};
    write_lines(rows, sizeof rows, "row", down * fit->rows, fit->rows, a->rows);
    write_lines(cols, sizeof cols, "column", right * fit->cols, fit->cols, a->cols);
    if (mark == OWNER_NONE)
        flow_item(&flow, COLOUR_DIM, "no entry");
    else if (mark == OWNER_SEVERAL)
        flow_item(&flow, COLOUR_TEXT, "several parts");
    else
        flow_item(&flow, owner_is_remote(mark) ? COLOUR_MARK : COLOUR_TEXT, "part %d, %s",
                  owner_part(mark) + 1, owner_is_remote(mark) ? "half or more remote" : "mostly local");
    if (owner >= 0)
        flow_item(&flow, COLOUR_TEXT, "row %s: part %d",
                  format_count(row, sizeof row, explorer->cursor.row + 1), owner + 1);
    flow_item(&flow, COLOUR_DIM, "%s, %s", rows, cols);
}

/* Choose the finest picture of a sketch that fits, and enlarge its dots if possible. False if none fits. */
static bool fit_sketch(const struct sketch *sketch, int high, int wide, struct parts_picture *picture)
{
    for (int k = 0; k < sketch->pictures; k++) {
        const struct size_dots *dots = &sketch->picture[k].dots;
        if (dots->high > high || dots->wide > wide) continue;
        const int large = (int)min(LARGE_MAX, min(high / dots->high, wide / dots->wide));
        picture->fit =
            (struct parts_fit){dots->high, dots->wide, dots->dot_rows, dots->dot_cols, large, large};
        picture->seen = sketch->picture[k].marks;
        return true;
    }
    return false;
}

void parts_draw_owners(struct explorer *explorer, void *state, struct surface *surface, struct rect rect)
{
    struct parts_screen *screen = state;
    const struct csr *a = &explorer->session->shown->matrix.csr;
    struct parts_picture *picture = &screen->picture;
    struct owners *owners = NULL;
    int high = rect.high - FOOT_HIGH - 2, wide = rect.wide - 2; /* inside a frame */
    if (high < 1 || wide < 4) return;
    bool blocks = parts_has_blocks(explorer);
    const struct sketch *sketch = parts_sketch(screen);
    const int down = blocks ? 2 * high : high, right = blocks ? wide : wide / 2;
    picture->seen = NULL;
    if (!sketch) {
        picture->fit = parts_fit(a->rows, a->cols, down, right);
        parts_refresh(explorer, screen);
        if (parts_owners(screen, &owners) && parts_marked(screen, owners)) picture->seen = picture->marks;
    }
    if (sketch && sketch->pictures && !fit_sketch(sketch, down, right, picture)) {
        surface_text_short(surface, rect.top + 1, rect.left + 1, rect.wide - 2, explorer->ascii, COLOUR_DIM,
                           0, "The coarsest picture that the report carries needs a larger window.");
        return;
    }
    if (!picture->seen) {
        parts_say_missing(explorer, screen, surface, rect);
        return;
    }
    int units_high = picture->fit.high * picture->fit.large_high,
        units_wide = picture->fit.wide * picture->fit.large_wide;
    picture->rect = (struct rect){rect.top + 1, rect.left + 1, blocks ? (units_high + 1) / 2 : units_high,
                                  blocks ? units_wide : 2 * units_wide};
    surface_frame(surface, (struct rect){rect.top, rect.left, picture->rect.high + 2, picture->rect.wide + 2},
                  explorer->ascii, "");
    draw_picture(explorer, picture, surface);
    draw_legend(explorer, screen, surface, rect.top + rect.high - 2, rect);
    if (sketch)
        draw_told_place(explorer, screen, sketch, surface, rect.top + rect.high - 1, rect);
    else
        draw_place(explorer, owners, surface, rect.top + rect.high - 1, rect);
}

void parts_move_owners(struct explorer *explorer, struct parts_screen *screen, int down, int right)
{
    const struct parts_fit *fit = &screen->picture.fit;
    if (fit->high < 1) return;
    explorer_move(explorer, explorer->cursor.row + down * fit->rows,
                  explorer->cursor.col + right * fit->cols);
}

void parts_click_owners(struct explorer *explorer, struct parts_screen *screen, int y, int x)
{
    const struct parts_picture *picture = &screen->picture;
    if (!picture->seen || !rect_holds(picture->rect, y, x)) return;
    bool blocks = parts_has_blocks(explorer);
    int down = (y - picture->rect.top) * (blocks ? 2 : 1) / picture->fit.large_high,
        right = (x - picture->rect.left) / (blocks ? 1 : 2) / picture->fit.large_wide;
    explorer_move(explorer, down * picture->fit.rows, right * picture->fit.cols);
}
