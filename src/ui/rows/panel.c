/* Rows: the numbers, the cut, and the list of the longest. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/pen.h"
#include "ui/rows/rows.h"

#define MANY_LINES 42  /* enough for a line for each number */
#define RATIO_END 16   /* columns up to the end of slots/nnz */
#define FEWEST_WIDE 23 /* columns of "fewest: K =" and of bytes */

/* One number of the statistics; NaN is shown as "-". */
struct number {
    const char *name, *abbreviated;
    double value;
    bool whole;
};

static const char *number_written(char *out, size_t size, const struct number *number, int room)
{
    if (isnan(number->value)) return "-";
    if (number->whole) return format_fitting(out, size, (int64_t)number->value, room);
    double size_of = fabs(number->value);
    snprintf(out, size, size_of >= 1e3 && size_of < 1e8 ? "%.0f" : "%.4g", number->value);
    return (int)strlen(out) <= room ? out : format_short(out, size, number->value);
}

static void write_number(struct pen *pen, const char *name, const struct number *number)
{
    char out[32];
    pen_pair(pen, name, COLOUR_TEXT, "%s", number_written(out, sizeof out, number, pen_room(pen, name)));
}

static void write_statistics(const struct explorer *explorer, const struct rows *rows, struct pen *pen)
{
    const struct lengths *l = rows_lengths(explorer, rows);
    const double none = l->lines ? 0 : NAN;
    const struct number numbers[] = {
        {"shortest", "min", (double)l->min + none, true},
        {"longest", "max", (double)l->max + none, true},
        {"mean", "mean", l->mean, false},
        {"median", "median", l->median, false},
        {"95th percentile", "p95", l->p95, false},
        {"99th percentile", "p99", l->p99, false},
        {"standard deviation", "stddev", l->stddev, false},
        {"CV (stddev/mean)", "CV", l->cv, false},
        {"average deviation", "av dev", l->average_deviation, false},
        {"percent av. deviation", "% mean", l->percent_average_deviation, false},
        {"Gini", "Gini", l->gini, false},
        {"empty", "empty", (double)l->empty, true},
    };
    enum { COUNT = sizeof numbers / sizeof *numbers };
    char out[32], heading[64];
    snprintf(heading, sizeof heading, "%s %s", format_count(out, sizeof out, l->lines),
             rows_name(rows, l->lines));
    pen_heading(pen, heading);
    if (pen->rect.high >= MANY_LINES) {
        for (int k = 0; k < COUNT; k++)
            write_number(pen, numbers[k].name, &numbers[k]);
        return;
    }
    struct rect whole = pen->rect;
    int half = (whole.wide - 2) / 2;
    for (int k = 0; k + 1 < COUNT; k += 2) {
        struct pen first = {pen->surface, {whole.top, whole.left, whole.high, half}, pen->line};
        struct pen second = {
            pen->surface, {whole.top, whole.left + whole.wide - half, whole.high, half}, pen->line};
        write_number(&first, numbers[k].abbreviated, &numbers[k]);
        write_number(&second, numbers[k + 1].abbreviated, &numbers[k + 1]);
        pen->line = first.line;
    }
}

static const char *percent(char *out, size_t size, double part, double whole)
{
    if (!(whole > 0)) return "-";
    snprintf(out, size, "%.3g%%", 100 * part / whole);
    return out;
}

static const char *ratio(char *out, size_t size, double slots, double nnz)
{
    if (!(nnz > 0)) return "-";
    snprintf(out, size, slots / nnz < 1000 ? "%.3f" : "%.4g", slots / nnz);
    return out;
}

/* The slots of the ELL part by what they hold, as a bar. */
static void draw_slots(const struct explorer *explorer, const struct rows *rows, const struct cut *cut,
                       double slots, struct pen *pen)
{
    if (!(slots > 0) || pen_left(pen) < 1) return;
    int wide = pen->rect.wide, y = pen->rect.top + pen->line++;
    int held = (int)lround((double)cut->kept / slots * wide),
        rest = (int)lround((double)cut->rest / slots * wide);
    for (int x = 0; x < wide; x++) {
        bool padding = x >= held && x < wide - rest;
        enum colour colour = x < held  ? (rows->columns ? COLOUR_COLS : COLOUR_ROWS)
                             : padding ? COLOUR_DIM
                                       : COLOUR_MARK;
        uint32_t character = explorer->ascii ? (x < held  ? '#'
                                                : padding ? '.'
                                                          : '+')
                             : padding       ? 0x2591
                                             : 0x2588;
        surface_put(pen->surface, y, pen->rect.left + x, character, colour, COLOUR_TEXT, 0);
    }
}

/* A format of the table: its slots for each entry and its bytes, in green if they are the fewest. */
static void write_format(const struct padding *padding, struct pen *pen, const char *name, double slots,
                         double bytes)
{
    char out[32], size[32];
    double min = fmin(padding->csr_bytes, fmin(padding->ell_bytes, padding->hyb_bytes));
    if (pen_left(pen) < 1) return;
    double nnz = (double)(padding->cut.kept + padding->cut.rest);
    surface_text_right(pen->surface, pen->rect.top + pen->line, pen->rect.left, RATIO_END, COLOUR_TEXT, 0,
                       "%s", ratio(out, sizeof out, slots, nnz));
    pen_pair(pen, name, bytes <= min ? COLOUR_GOOD : COLOUR_TEXT, "%s",
             format_bytes(size, sizeof size, bytes));
}

/* What K, ELL and CSR cost; for the columns, of the transpose. */
static void write_formats(const struct explorer *explorer, const struct rows *rows,
                          const struct padding *padding, struct pen *pen)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    char out[32], name[48];
    if (pen_left(pen) < 1) return;
    surface_text_right(pen->surface, pen->rect.top + pen->line, pen->rect.left, RATIO_END, COLOUR_DIM, 0,
                       "slots/nnz");
    pen_pair(pen, rows->columns ? "of A^T" : "", COLOUR_DIM, "bytes, f64");
    write_format(padding, pen, "HYB", padding->hyb_slots, padding->hyb_bytes);
    write_format(padding, pen, "ELL", padding->ell_slots, padding->ell_bytes);
    write_format(padding, pen, "CSR", (double)lengths->nnz, padding->csr_bytes);
    int64_t best = rows_rule(explorer, rows, HYB_BYTES);
    snprintf(name, sizeof name, "fewest: K = %s",
             format_fitting(out, sizeof out, best, pen->rect.wide - FEWEST_WIDE));
    pen_pair(pen, name, COLOUR_DIM, "%s",
             format_bytes(out, sizeof out, padding_of(lengths, best, rows_value(explorer)).hyb_bytes));
}

static void write_cut(const struct explorer *explorer, struct rows *rows, struct pen *pen)
{
    const struct lengths *lengths = rows_lengths(explorer, rows);
    struct padding padding = padding_of(lengths, rows_side(rows)->cut, rows_value(explorer));
    const struct cut *cut = &padding.cut;
    char out[32], share[32], heading[64];
    double nnz = (double)lengths->nnz, slots = padding.hyb_slots;
    snprintf(heading, sizeof heading, "Cut at K = %s", format_count(out, sizeof out, cut->k));
    pen_heading(pen, heading);
    draw_slots(explorer, rows, cut, slots, pen);
    pen_count(pen, "longer than K", cut->longer ? COLOUR_MARK : COLOUR_TEXT, cut->longer,
              percent(share, sizeof share, (double)cut->longer, (double)lengths->lines));
    if (pen->rect.high >= MANY_LINES)
        pen_count(pen, "kept in ELL", COLOUR_TEXT, cut->kept,
                  percent(share, sizeof share, (double)cut->kept, nnz));
    pen_count(pen, "left to COO", cut->rest ? COLOUR_MARK : COLOUR_TEXT, cut->rest,
              percent(share, sizeof share, (double)cut->rest, nnz));
    pen_count(pen, "padding", COLOUR_TEXT, (int64_t)(slots - nnz),
              percent(share, sizeof share, slots - nnz, slots));
    write_formats(explorer, rows, &padding, pen);
}

static void write_longest(struct explorer *explorer, struct rows *rows, struct pen *pen)
{
    struct side *side = rows_side(rows);
    char line[32], length[32], heading[64];
    rows->list = (struct rect){0};
    if (pen_left(pen) < 2) return;
    snprintf(heading, sizeof heading, "Longest %s", rows_name(rows, 2));
    pen_heading(pen, heading);
    rows->list = (struct rect){pen->rect.top + pen->line, pen->rect.left, pen_left(pen), pen->rect.wide};
    if (rows->list.high < 1) return;
    if (side->selected < side->first) side->first = side->selected;
    if (side->selected >= side->first + rows->list.high) side->first = side->selected - rows->list.high + 1;
    for (int k = side->first; k < side->count && pen_left(pen) > 0; k++) {
        int64_t index = side->longest[k];
        bool chosen = k == side->selected, here = index == rows_cursor(explorer, rows);
        enum colour colour = here ? COLOUR_CURSOR : COLOUR_TEXT;
        int y = pen->rect.top + pen->line++, x = pen->rect.left, wide = pen->rect.wide;
        surface_text(pen->surface, y, x, wide, colour, 0, "%c %s", chosen ? '>' : ' ',
                     format_count(line, sizeof line, index + 1));
        surface_text_right(pen->surface, y, x, wide, colour, 0, "%s",
                           format_count(length, sizeof length, spans_length(&side->spans, index)));
        if (chosen)
            surface_highlight(pen->surface, (struct rect){y, pen->rect.left, 1, pen->rect.wide}, COLOUR_TEXT,
                              ATTRIBUTE_REVERSE);
    }
}

void rows_draw_panel(struct explorer *explorer, struct rows *rows, struct surface *surface, struct rect panel)
{
    struct pen pen = {surface, panel, 0};
    write_statistics(explorer, rows, &pen);
    write_cut(explorer, rows, &pen);
    write_longest(explorer, rows, &pen);
}
