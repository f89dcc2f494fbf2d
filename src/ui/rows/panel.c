/* The panel of the Rows screen: the numbers, the cut, and the list of the longest lines. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/bars.h"
#include "drawing/pen.h"
#include "ui/definitions.h"
#include "ui/rows/rows.h"

#define MANY_LINES 42 /* a panel of this height has a line for each number */
#define FEW_LISTED 8  /* a list with fewer lines, heading included, has two columns */
#define LINES_GAP 3   /* the gap between these columns */
#define FACTOR_END 18 /* the padding factor ends in this column */
#define LOW 21      /* a panel of this height has no blank lines: the list of the longest lines needs them */
#define MIN_WIDE 23 /* the width of the line "fewest: K = " without the digits of K */

/* Write a heading. A low panel has no blank line before it. */
static void write_heading(struct pen *pen, const char *text)
{
    if (pen->rect.high > LOW)
        pen_heading(pen, text);
    else if (pen_left(pen) > 0)
        surface_text(pen->surface, pen->rect.top + pen->line++, pen->rect.left, pen->rect.wide, COLOUR_TITLE,
                     ATTRIBUTE_BOLD, "%s", text);
}

/* Write a number of the lengths in at most `room` columns. */
static const char *number_written(char *out, size_t size, struct value value, int room)
{
    if (value.type == VALUE_NULL) return "-";
    if (value.type == VALUE_INTEGER) return format_fitting(out, size, value.integer, room);
    format_brief(out, size, value.real);
    return (int)strlen(out) <= room ? out : format_short(out, size, value.real);
}

static void write_number(struct pen *pen, const char *name, struct value value)
{
    char out[32];
    pen_pair(pen, name, COLOUR_TEXT, "%s", number_written(out, sizeof out, value, pen_room(pen, name)));
}

/* Return a short name for a column: the end of its key, or an abbreviation. */
static const char *short_name(const struct column *column)
{
    static const struct {
        const char *key, *name;
    } others[] = {{"average_deviation", "av dev"},
                  {"percent_average_deviation", "% mean"},
                  {"cv", "CV"},
                  {"gini", "Gini"}};
    const char *key = strchr(column->key, '.') + 1;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        if (strcmp(others[k].key, key) == 0) return others[k].name;
    return key;
}

/* List the table's columns about the lengths of the shown rows or columns. Returns the number of table
 * columns. */
static int list_columns(const struct rows *rows, const struct column *list[COLUMNS_MAX])
{
    const char *group = rows->columns ? "col_lengths." : "row_lengths.";
    int count = 0;
    for (const struct column *column = columns; column->key && count < COLUMNS_MAX; column++)
        if (strncmp(column->key, group, strlen(group)) == 0) list[count++] = column;
    return count;
}

/* Write the numbers of the lengths, and the number of empty rows or columns. In a low panel, two numbers
 * share a line. */
static void write_statistics(const struct explorer *explorer, const struct rows *rows, struct pen *pen)
{
    const struct lengths *l = rows_lengths(explorer, rows);
    const struct column *list[COLUMNS_MAX];
    int count = list_columns(rows, list);
    bool tall = pen->rect.high >= MANY_LINES;
    struct rect whole = pen->rect;
    int half = (whole.wide - 2) / 2;
    char out[32], heading[64];
    snprintf(heading, sizeof heading, "%s %s", format_count(out, sizeof out, l->lines),
             rows_name(rows, l->lines));
    write_heading(pen, heading);
    for (int k = 0; k <= count; k++) {
        struct value value = k < count  ? column_value(list[k], explorer->session->shown)
                             : l->lines ? integer_value(l->empty)
                                        : (struct value){.type = VALUE_NULL};
        const char *name = k == count ? (tall ? "Empty" : "empty")
                           : tall     ? list[k]->title
                                      : short_name(list[k]);
        bool second = !tall && k % 2;
        struct pen at = {pen->surface,
                         {whole.top, second ? whole.left + whole.wide - half : whole.left, whole.high,
                          tall ? whole.wide : half},
                         pen->line};
        write_number(&at, name, value);
        if (tall || second || k == count) pen->line = at.line;
    }
}

/* Draw the slots of HYB as a bar: the entries in ELL, the padding, the entries in COO. */
static void draw_slots(const struct explorer *explorer, const struct rows *rows, const struct cut *cut,
                       double slots, struct pen *pen)
{
    if (!(slots > 0) || pen_left(pen) < 1) return;
    struct bar bar = {.kind = BAR_BLOCK,
                      .rect = {pen->rect.top + pen->line++, pen->rect.left, 1, pen->rect.wide},
                      .length = (double)cut->kept / slots,
                      .colour = rows->columns ? COLOUR_COLS : COLOUR_ROWS,
                      .ascii = explorer->ascii,
                      .track = true};
    bar_draw(pen->surface, &bar);
    bar.length = (double)cut->rest / slots;
    bar.start = 1 - bar.length;
    bar.colour = COLOUR_MARK;
    bar.plain = '+';
    bar.track = false;
    bar_draw(pen->surface, &bar);
}

/* Write the padding factor of a format and its bytes, in green if no format takes fewer. */
static void write_format(const struct padding *padding, struct pen *pen, const char *name, double factor,
                         double bytes)
{
    char out[32], size[32];
    if (pen_left(pen) < 1) return;
    surface_text_right(pen->surface, pen->rect.top + pen->line, pen->rect.left, FACTOR_END, COLOUR_TEXT, 0,
                       "%s", format_brief(out, sizeof out, factor));
    pen_pair(pen, name, bytes <= padding->min_bytes ? COLOUR_GOOD : COLOUR_TEXT, "%s",
             format_bytes(size, sizeof size, bytes));
}

/* Write the sizes of HYB with this K, ELL and CSR; for columns, those of the transpose. */
static void write_formats(const struct explorer *explorer, const struct rows *rows,
                          const struct padding *padding, struct pen *pen)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    char out[32], name[48];
    if (pen_left(pen) < 1) return;
    surface_text_right(pen->surface, pen->rect.top + pen->line, pen->rect.left, FACTOR_END, COLOUR_DIM, 0,
                       "padding factor");
    pen_pair(pen, rows->columns ? "A^T" : "", COLOUR_DIM, "bytes, f64");
    write_format(padding, pen, "HYB", padding->hyb_factor, padding->hyb_bytes);
    write_format(padding, pen, "ELL", padding->ell_factor, padding->ell_bytes);
    write_format(padding, pen, "CSR", lengths->nnz ? 1 : NAN, padding->csr_bytes);
    int64_t best = rows_rule(explorer, rows, HYB_BYTES);
    snprintf(name, sizeof name, "fewest: K = %s",
             format_fitting(out, sizeof out, best, pen->rect.wide - MIN_WIDE));
    pen_pair(pen, name, COLOUR_DIM, "%s",
             format_bytes(out, sizeof out, padding_of(lengths, best, rows_value(explorer)).hyb_bytes));
}

static void write_cut(const struct explorer *explorer, struct rows *rows, struct pen *pen)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    struct padding padding = padding_of(lengths, rows_side(rows)->cut, rows_value(explorer));
    const struct cut *cut = &padding.cut;
    char out[32], share[32], heading[64];
    snprintf(heading, sizeof heading, "Cut at K = %s", format_count(out, sizeof out, cut->k));
    write_heading(pen, heading);
    draw_slots(explorer, rows, cut, padding.hyb_slots, pen);
    pen_count(pen, "longer than K", cut->longer ? COLOUR_MARK : COLOUR_TEXT, cut->longer,
              format_percent(share, sizeof share, padding.longer_share));
    if (pen->rect.high >= MANY_LINES)
        pen_count(pen, "kept in ELL", COLOUR_TEXT, cut->kept,
                  format_percent(share, sizeof share, padding.kept_share));
    pen_count(pen, "left to COO", cut->rest ? COLOUR_MARK : COLOUR_TEXT, cut->rest,
              format_percent(share, sizeof share, padding.rest_share));
    pen_count(pen, "padding", COLOUR_TEXT, (int64_t)padding.hyb_padding,
              format_percent(share, sizeof share, padding.padding_share));
    write_formats(explorer, rows, &padding, pen);
}

/* Write one of the longest lines into a rectangle of one line. */
static void write_line(const struct explorer *explorer, const struct rows *rows, const struct side *side,
                       int k, struct surface *surface, struct rect rect)
{
    char line[32], length[32];
    const int64_t index = side->longest[k];
    const bool chosen = k == side->selected, here = index == rows_cursor(explorer, rows);
    const enum colour colour = here ? COLOUR_CURSOR : COLOUR_TEXT;
    surface_text(surface, rect.top, rect.left, rect.wide, colour, 0, "%c %s", chosen ? '>' : ' ',
                 format_count(line, sizeof line, index + 1));
    surface_text_right(surface, rect.top, rect.left, rect.wide, colour, 0, "%s",
                       format_count(length, sizeof length, spans_length_of(&side->spans, index)));
    if (chosen) surface_cursor(surface, rect);
}

/* Return the number of columns of the list of the longest lines. It is two if the list is low and all indices
 * and lengths fit, else one. */
static int longest_columns(const struct pen *pen, const struct side *side, const struct lengths *lengths)
{
    char line[32], length[32];
    const int wide = (int)strlen(format_count(line, sizeof line, lengths->lines)) +
                     (int)strlen(format_count(length, sizeof length, lengths->max)) + 3;
    return pen_left(pen) < FEW_LISTED && 2 * wide + LINES_GAP <= pen->rect.wide && side->count > 1 ? 2 : 1;
}

static void write_longest(struct explorer *explorer, struct rows *rows, struct pen *pen)
{
    struct side *side = rows_side(rows);
    const int abreast = longest_columns(pen, side, rows_lengths(explorer, rows));
    char heading[64];
    rows->list = (struct rect){0};
    if (pen_left(pen) < 2) return;
    snprintf(heading, sizeof heading, "Longest %s", rows_name(rows, 2));
    write_heading(pen, heading);
    rows->list = (struct rect){pen->rect.top + pen->line, pen->rect.left, pen_left(pen), pen->rect.wide};
    rows->list_columns = abreast;
    if (rows->list.high < 1) return;
    side->first = abreast * scroll_to(side->first / abreast, side->selected / abreast,
                                      (side->count + abreast - 1) / abreast, rows->list.high);
    const int wide = (pen->rect.wide - (abreast - 1) * LINES_GAP) / abreast;
    for (int k = side->first; k < side->count && pen_left(pen) > 0; k++) {
        const int across = (k - side->first) % abreast;
        write_line(
            explorer, rows, side, k, pen->surface,
            (struct rect){pen->rect.top + pen->line, pen->rect.left + across * (wide + LINES_GAP), 1, wide});
        if (across == abreast - 1) pen->line++;
    }
}

void rows_draw_panel(struct explorer *explorer, struct rows *rows, struct surface *surface, struct rect panel)
{
    struct pen pen = {surface, panel, 0};
    write_statistics(explorer, rows, &pen);
    write_cut(explorer, rows, &pen);
    write_longest(explorer, rows, &pen);
}

bool rows_define(struct explorer *explorer, void *state, int k, struct definition *definition)
{
    static const struct definition table[] = {
        {.title = "length", .text = "number of entries of a row, or of a column"},
        {.title = "K",
         .text = "the cut: HYB stores the first K entries of each row in ELL, and the others in COO"},
        {.title = "longer than K", .text = "rows with more than K entries, and their share of all rows"},
        {.title = "kept in ELL", .text = "entries among the first K of their rows, and their share of all"},
        {.title = "left to COO",
         .text = "the entries of these rows beyond the first K, and their share of all entries"},
        {.title = "padding", .text = "slots of HYB without an entry, and their share of all its slots"},
        {.title = "padding factor", .text = "slots of the format / entries of the matrix; 1 is no padding"},
        {.title = "bytes, f64", .text = "size of all arrays of the format, with values of 8 bytes"},
        {.title = "fewest: K", .text = "the K for which HYB takes the fewest bytes, and these bytes"},
        {.title = "mean, max, N a bar",
         .text = "a bar stands for N rows: the filled part is their mean length, the light part the longest"},
        {.title = "Share up to a length",
         .text = "rows of at most this length / all rows, and the entries in them / all entries"},
        {.title = "empty", .text = "rows, or columns, without entries"},
        {.title = "av dev, % mean",
         .text = "average deviation, and the percent average deviation, which relates it to the mean"},
        {.title = "CV", .text = "coefficient of variation"},
    };
    static const char *const rows[] = {"row_lengths.", NULL}, *const cols[] = {"col_lengths.", NULL};
    const struct rows *shown = state;
    return definition_of_tables(table, (int)(sizeof table / sizeof *table), columns,
                                shown->columns ? cols : rows, k, definition);
}
