/* The panel beside the picture. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/number.h"
#include "drawing/pen.h"
#include "ui/pattern/pattern.h"

#define LISTED_MAX 32
#define LISTED_LINES 5     /* lines for listed entries; each motion of the cursor sends them again */
#define OVERVIEW_BELOW 20  /* the overview leaves this number of lines for the numbers */
#define WHOLE_BELOW 24     /* the numbers of the whole matrix leave this number of lines for the others */
#define WHOLE_HIGH 12      /* the lines of the numbers of the whole matrix */
#define OVERVIEW_MIN 7     /* the minimum height of the overview */
#define SEARCHED_MAX 20000 /* rows to search for the listed entries, in less than a millisecond */

/* Indices are never shortened. If there is too little room, they use a second line. */
void pattern_write_span(struct pen *pen, const char *name, int64_t from, int64_t to, int64_t of)
{
    char first[32], last[32], all[32];
    int room = pen_room(pen, name);
    format_count(first, sizeof first, from + 1);
    format_count(last, sizeof last, to);
    if (to - from == of && of != 1) {
        format_fitting(all, sizeof all, of, room - 4);
        pen_pair(pen, name, COLOUR_TEXT, "all %s", all);
    } else if (to - from == 1) {
        pen_pair(pen, name, COLOUR_TEXT, "%s", first);
    } else if ((int)(strlen(first) + strlen(last)) < room) {
        pen_pair(pen, name, COLOUR_TEXT, "%s-%s", first, last);
    } else {
        pen_pair(pen, name, COLOUR_TEXT, "%s", first);
        pen_pair(pen, "", COLOUR_TEXT, "to %s", last);
    }
}

/* Write the ratio of the scales of both axes. */
static void write_shape(struct pen *pen, const char *axis, double times)
{
    char out[64], number[32];
    snprintf(out, sizeof out, "%s x %s", axis, format_short(number, sizeof number, times));
    bool fits = pen_room(pen, "not to scale") >= (int)strlen(out);
    pen_pair(pen, fits ? "not to scale" : "scale", COLOUR_WARN, "%s", out);
}

/* Write the smallest dot of a picture whose entries are not in memory. It cannot be zoomed further. */
static void write_finest(const struct pattern *pattern, struct pen *pen)
{
    char rows[32], cols[32];
    if (case_has_entries(pattern->of)) return;
    bool last = pattern->level == pattern_last_level(pattern);
    pen_pair(pen, "finest dot", last ? COLOUR_WARN : COLOUR_TEXT, "%s x %s",
             format_count(rows, sizeof rows, pattern->zoom.unit[ROWS]),
             format_count(cols, sizeof cols, pattern->zoom.unit[COLS]));
}

static void write_shown(const struct pattern *pattern, struct pen *pen)
{
    const struct viewport *port = &pattern->port;
    int64_t end[2];
    for (int a = 0; a < 2; a++) {
        end[a] = port->start[a] + viewport_used(port, (enum axis)a) * port->dot[a];
        if (end[a] > port->size[a]) end[a] = port->size[a];
    }
    pen_heading(pen, "Shown");
    pattern_write_span(pen, pattern->ordered ? "positions" : "rows", port->start[ROWS], end[ROWS],
                       port->size[ROWS]);
    pattern_write_span(pen, "columns", port->start[COLS], end[COLS], port->size[COLS]);
    pen_count(pen, "entries", COLOUR_TEXT, pattern->total - pattern->filled_in, NULL);
    if (pattern->picture == PICTURE_NUMBERS) return;
    double rows = (double)port->dot[ROWS] * pattern->per[ROWS] / (2 * pattern->large[ROWS]);
    double cols = (double)port->dot[COLS] * pattern->per[COLS] / pattern->large[COLS];
    write_finest(pattern, pen);
    double shape = rows / cols, told = pattern->fill ? 1.05 : 1.6;
    if (shape > told) write_shape(pen, "columns", shape);
    if (shape < 1 / told) write_shape(pen, "rows", 1 / shape);
}

/* Write a density in percent. If it is far below a thousandth, use few columns. */
static const char *density_text(char *out, size_t size, double density)
{
    if (density >= 1e-5) return format_percent(out, size, density);
    number_text(out, size - 1, 100 * density, 6);
    return strcat(out, "%");
}

/* Draw the levels from `first` to `last`. */
static void draw_ramp(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen,
                      int first, int last)
{
    int wide = pen->rect.wide, y = pen->rect.top + pen->line++;
    for (int x = 0; x < wide; x++) {
        int level = first + x * (last + 1 - first) / wide;
        uint32_t character = pattern->picture == PICTURE_CHARACTERS || explorer->ascii
                                 ? shade_character(level, explorer->ascii)
                                 : 0x2588;
        surface_put(pen->surface, y, pen->rect.left + x, character, pattern_colour(pattern, level, false),
                    COLOUR_TEXT, 0);
    }
}

/* The quantity that the legend counts in Braille. */
#define BRAILLE_WORDS "entries in 4 x 2 dots"

static void write_ends(struct pen *pen, enum colour colour, const char *left, const char *middle,
                       const char *right)
{
    if (pen_left(pen) <= 0) return;
    int y = pen->rect.top + pen->line++, wide = pen->rect.wide;
    surface_text(pen->surface, y, pen->rect.left, wide, colour, 0, "%s", left);
    int left_wide = (int)strlen(left), room = wide - left_wide - (int)strlen(right) - 2;
    int at = (wide - (int)strlen(middle)) / 2;
    if (at < left_wide + 1 || at + (int)strlen(middle) > left_wide + 1 + room)
        at = left_wide + 1 + (room - (int)strlen(middle)) / 2;
    surface_text_whole(pen->surface, y, pen->rect.left + at, room, COLOUR_DIM, 0, "%s", middle);
    surface_text_right(pen->surface, y, pen->rect.left, wide, colour, 0, "%s", right);
}

/* Write the shown part of the scale of sizes, from the smallest to the largest. The scale itself continues to
 * powers of two, which need not be sizes of the matrix. */
static void write_sizes(const struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    char low[32], high[32];
    if (pen_left(pen) < 2) return;
    const double *range = pattern->size_range;
    int first = shade_level(&pattern->shade, range[0]), last = shade_level(&pattern->shade, range[1]);
    draw_ramp(explorer, pattern, pen, first < 0 ? 0 : first, last < 0 ? 0 : last);
    write_ends(pen, COLOUR_TEXT, format_brief(low, sizeof low, range[0]),
               pattern_colourings[pattern->colouring], format_brief(high, sizeof high, range[1]));
}

static void write_legend(struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    char low[32], high[32], out[32];
    double area = pattern_area(pattern);
    bool braille = pattern->picture == PICTURE_BRAILLE;
    pen_heading(pen, "Legend");
    if (pattern->picture == PICTURE_NUMBERS) {
        if (pattern->sized && explorer->colours && pattern->max) write_sizes(explorer, pattern, pen);
        if (pattern->filled) pen_text(pen, COLOUR_MARK, explorer->ascii ? "x filled in" : "\u00d7 filled in");
        if (pattern->parts && explorer->colours) pattern_write_part_legend(explorer, pattern, pen);
        pen_text(pen, COLOUR_DIM, explorer->ascii ? ". no entry" : "\u00b7 no entry");
        pen_text(pen, COLOUR_WARN, "0 an entry that is zero");
        if (case_is_complex(pattern->of)) pen_text(pen, COLOUR_DIM, "below: imaginary part");
        return;
    }
    if (!pattern->max) {
        pen_text(pen, COLOUR_DIM, "no entries here");
        return;
    }
    if (pattern->parts && (explorer->colours || !braille)) {
        pattern_write_part_legend(explorer, pattern, pen);
        return;
    }
    if (pattern->sized && (explorer->colours || !braille)) {
        write_sizes(explorer, pattern, pen);
        return;
    }
    if (area == 1) {
        pen_text(pen, COLOUR_DIM, "a dot is an entry");
        return;
    }
    if (braille && (!explorer->colours || pattern->shade.high * area <= 1)) {
        if (pattern->max == 1)
            pen_text(pen, COLOUR_DIM, "a dot is one entry");
        else
            pen_text(pen, COLOUR_DIM, "a dot is 1 to %s entries",
                     format_fitting(out, sizeof out, pattern->max, pen->rect.wide - 21));
        return;
    }
    int first = shade_level(&pattern->shade, 1 / area);    /* a drawn dot has at least one entry */
    double min = fmax(ceil(pattern->shade.low * area), 1); /* entries are whole numbers */
    if (pen_left(pen) < 2) return;
    draw_ramp(explorer, pattern, pen, first, SHADE_LEVELS - 1);
    format_short(low, sizeof low, min);
    format_short(high, sizeof high, pattern->shade.high * area);
    const bool roomy = (int)(strlen(low) + strlen(BRAILLE_WORDS) + strlen(high)) + 2 <= pen->rect.wide;
    write_ends(pen, COLOUR_TEXT, low,
               pattern->filled ? (braille ? "with fill, 4 x 2 dots" : "with fill, a dot")
               : !braille      ? "entries a dot"
               : roomy         ? BRAILLE_WORDS
                               : "entries a mark",
               high);
    write_ends(pen, COLOUR_DIM, density_text(low, sizeof low, min / area), "density, log",
               density_text(high, sizeof high, pattern->shade.high));
}

static void write_margins(const struct pattern *pattern, struct pen *pen)
{
    if (pattern->margin_wide) pen_text(pen, COLOUR_DIM, "margin: mean, mark: longest");
}

/* The minimum width of a value. */
#define VALUE_MIN 9

/* Its maximum width in the list; the line of the cursor shows all digits. */
#define VALUE_MAX 10

/* Write "(row, column)". If it would be wider than `wide` columns, the numbers have no commas. */
static const char *place_text(char *out, size_t size, int64_t row, int64_t col, int wide)
{
    char first[32], second[32];
    format_count(first, sizeof first, row + 1);
    format_count(second, sizeof second, col + 1);
    if (snprintf(out, size, "(%s, %s)", first, second) > wide)
        snprintf(out, size, "(%lld, %lld)", (long long)row + 1, (long long)col + 1);
    return out;
}

/* Return the number of lines of each entry of this dot. The value has its own line if it does not fit beside
 * the dot's last position. The imaginary part always has its own line. */
static int entry_lines(const struct matrix *matrix, struct range dot, int wide)
{
    char out[80];
    if (matrix->field == FIELD_PATTERN) return 1;
    int place = (int)strlen(place_text(out, sizeof out, dot.r1 - 1, dot.c1 - 1, wide - 1 - VALUE_MIN));
    return 1 + (place + 1 + VALUE_MIN > wide) + (matrix->csr.imaginary != NULL);
}

/* Write the position of an entry and its value in `lines` lines. The values begin in one column, to the right
 * of the dot's last position, which is the longest. So little changes when the cursor moves. */
static void write_entry(const struct explorer *explorer, const struct pattern *pattern,
                        const struct entry_place *place, struct range dot, int lines, struct pen *pen)
{
    const struct matrix *matrix = &pattern->of->matrix;
    const double *imaginary = matrix->csr.imaginary;
    char name[80], last[80], value[40];
    bool apart = lines > 1 + (imaginary != NULL) || matrix->field == FIELD_PATTERN;
    int room = pen->rect.wide - (apart ? 0 : 1 + VALUE_MIN);
    enum colour colour = place->entry == explorer->cursor.entry ? COLOUR_ACCENT : COLOUR_TEXT;
    place_text(name, sizeof name, place->row, place->col, room);
    int before = apart ? 0 : (int)strlen(place_text(last, sizeof last, dot.r1 - 1, dot.c1 - 1, room));
    if (!apart && before < (int)strlen(name)) before = (int)strlen(name); /* in another order of the rows */
    if (apart) pen_text(pen, colour, "%s", name);
    if (matrix->field == FIELD_PATTERN) return;
    for (int part = 0; part < 1 + (imaginary != NULL); part++) {
        double number = (part ? imaginary : matrix->csr.val)[place->entry];
        int wide = pen->rect.wide - before - 1 - 2 * part;
        if (wide > VALUE_MAX + 1) wide = VALUE_MAX + 1;
        if ((int)strlen(format_exact(value, sizeof value, number)) + (value[0] != '-') > wide)
            number_text(value, sizeof value, number, wide - 1);
        pen_text(pen, colour, "%-*s %s%s%s", before, apart || part ? "" : name, value[0] == '-' ? "" : " ",
                 value, part ? " i" : "");
    }
}

/* Write the entries of the cursor's dot that fit. */
static void write_entries(const struct explorer *explorer, const struct pattern *pattern, struct range dot,
                          int64_t count, struct pen *pen)
{
    struct entry_place places[LISTED_MAX];
    char more[32];
    int lines = entry_lines(&pattern->of->matrix, dot, pen->rect.wide);
    int room = (pen_left(pen) < LISTED_LINES ? pen_left(pen) : LISTED_LINES) / lines;
    if (pen_left(pen) < 1 || count < 1) return;
    if (!case_has_entries(pattern->of)) {
        pen_text(pen, COLOUR_DIM, "entries not in memory");
        return;
    }
    if (count > LISTED_MAX || (room < 2 && count > room)) {
        char prose[PROSE_SIZE];
        pen_text(pen, COLOUR_DIM, "%s", keys_prose(view_pattern.actions, "{go in} goes in", prose));
        return;
    }
    int found = entries_first(pattern_pyramid(pattern), pattern_csr(pattern), dot, SEARCHED_MAX, places,
                              count <= room ? room : room - 1, NULL);
    for (int k = 0; k < found; k++) {
        places[k].entry = pattern_entry(pattern, places[k].row, places[k].entry);
        places[k].row = pattern_row(pattern, places[k].row);
        write_entry(explorer, pattern, &places[k], dot, lines, pen);
    }
    if (found < count)
        pen_text(pen, COLOUR_DIM, "and %s more", format_count(more, sizeof more, count - found));
}

/* Write the number of the dot's marked entries. */
static void write_parted(const struct pattern *pattern, struct range dot, int64_t count, struct pen *pen)
{
    const struct derived *derived = &pattern->overlays.derived;
    char share[32];
    int64_t rest = pyramid_count(&derived->pyramid, &derived->csr, dot.r0, dot.r1, dot.c0, dot.c1);
    pen_count(pen,
              pattern->overlays.held.kind == DERIVE_REST       ? "beyond K"
              : pattern->overlays.held.kind == DERIVE_NEGATIVE ? "negative"
                                                               : "no mirror image",
              COLOUR_MARK, rest, format_percent(share, sizeof share, share_of((double)rest, (double)count)));
}

/* Write the lengths of rows or columns that the margin shows beside the cursor's dot. */
static void write_lengths(const struct pattern *pattern, enum axis axis, int64_t index, struct pen *pen)
{
    static const char *const one[] = {"row length", "column length"};
    static const char *const both[] = {"row mean, max", "col mean, max"};
    static const char *const longest[] = {"longest row", "longest col"};
    const struct margin *margin = &pattern->margins[axis];
    enum colour colour = axis == ROWS ? COLOUR_ROWS : COLOUR_COLS;
    char mean[32], max[32];
    if (index < 0 || index >= margin->count) return;
    const struct stretch *lengths = &margin->dots[index];
    int room = pen_room(pen, both[axis]);
    format_short(mean, sizeof mean, lengths->mean);
    format_fitting(max, sizeof max, lengths->max, room - (int)strlen(mean) - 2);
    if (pattern->port.dot[axis] == 1)
        pen_count(pen, one[axis], colour, lengths->max, NULL);
    else if ((int)(strlen(mean) + strlen(max)) + 2 <= room)
        pen_pair(pen, both[axis], colour, "%s, %s", mean, max);
    else
        pen_count(pen, longest[axis], colour, lengths->max, NULL);
}

/* Write the size of the cursor's dot, or its part. */
static void write_size(const struct pattern *pattern, const int64_t place[2], struct pen *pen)
{
    int64_t y = viewport_index(&pattern->port, ROWS, place[ROWS]),
            x = viewport_index(&pattern->port, COLS, place[COLS]);
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    if (y < 0 || x < 0 || y >= high || x >= wide) return;
    if (pattern->parts || pattern->filled)
        pattern_write_part(pattern, (size_t)y * (size_t)wide + (size_t)x, pen);
    if (!pattern->sized) return;
    char out[32];
    pen_pair(pen, pattern_colourings[pattern->colouring], COLOUR_ACCENT, "%s",
             format_real(out, sizeof out, pattern->sizing.sizes[(size_t)y * (size_t)wide + (size_t)x]));
}

static void write_cursor(struct explorer *explorer, const struct pattern *pattern, struct pen *pen)
{
    const struct csr *a = &pattern->of->matrix.csr;
    char share[32];
    pen_heading(pen, "Cursor");
    if (a->rows == 0 || a->cols == 0) {
        pen_text(pen, COLOUR_DIM, "the matrix is empty");
        return;
    }
    int64_t place[2];
    pattern_cursor(explorer, pattern, place);
    struct range dot = pattern_dot(pattern, viewport_index(&pattern->port, ROWS, place[ROWS]),
                                   viewport_index(&pattern->port, COLS, place[COLS]));
    if (pattern->ordered) {
        pattern_write_span(pen, "row", explorer->cursor.row, explorer->cursor.row + 1, a->rows);
        pattern_write_span(pen, dot.r1 - dot.r0 > 1 ? "positions" : "position", dot.r0, dot.r1, a->rows);
    } else {
        pattern_write_span(pen, dot.r1 - dot.r0 > 1 ? "rows" : "row", dot.r0, dot.r1, a->rows);
    }
    pattern_write_span(pen, dot.c1 - dot.c0 > 1 ? "columns" : "column", dot.c0, dot.c1, a->cols);
    int64_t count =
        pyramid_count(pattern_pyramid(pattern), pattern_csr(pattern), dot.r0, dot.r1, dot.c0, dot.c1);
    double area = (double)(dot.r1 - dot.r0) * (double)(dot.c1 - dot.c0);
    if (!count && area > 1)
        pen_pair(pen, "entries", COLOUR_TEXT, "0");
    else if (area == 1)
        pen_pair(pen, count ? "an entry" : "no entry", COLOUR_TEXT, "%s", "");
    else
        pen_count(pen, "entries", COLOUR_ACCENT, count,
                  density_text(share, sizeof share, (double)count / area));
    if (pattern->parted && area > 1) write_parted(pattern, dot, count, pen);
    write_size(pattern, place, pen);
    for (enum axis axis = ROWS; pattern->margin_wide && pen_left(pen) > 4 && axis <= COLS; axis++)
        write_lengths(pattern, axis, viewport_index(&pattern->port, axis, place[axis]), pen);
    if (!viewport_shows(&pattern->port, place)) pen_text(pen, COLOUR_WARN, "out of sight");
    write_entries(explorer, pattern, dot, count, pen);
}

static void write_overlays(const struct pattern *pattern, struct pen *pen)
{
    if (!pattern->diagonal && !pattern->bands) return;
    pen_heading(pen, "Overlays");
    if (pattern->ordered) {
        pen_text(pen, COLOUR_DIM, "lines: in natural order only");
        return;
    }
    if (pattern->diagonal) pen_text(pen, COLOUR_MARK, "main diagonal");
    if (!pattern->bands) return;
    if (!case_has(pattern->of, SESSION_STRUCTURE)) {
        pen_text(pen, COLOUR_DIM, "bandwidth: computing...");
        return;
    }
    const struct structure *structure = &pattern->of->structure;
    pen_count(pen, "lower bandwidth", COLOUR_MARK, structure->lower_bandwidth, NULL);
    pen_count(pen, "upper bandwidth", COLOUR_MARK, structure->upper_bandwidth, NULL);
}

static void write_distribution(const struct lengths *lengths, const char *name, enum colour colour,
                               struct pen *pen)
{
    char least[32], most[32];
    pen_pair(pen, name, colour, "%s to %s", format_count(least, sizeof least, lengths->min),
             format_count(most, sizeof most, lengths->max));
    format_short(least, sizeof least, lengths->mean);
    format_short(most, sizeof most, lengths->median);
    pen_pair(pen, "  mean, median", COLOUR_TEXT, "%s, %s", least, most);
    pen_count(pen, "  empty", lengths->empty ? COLOUR_WARN : COLOUR_TEXT, lengths->empty, NULL);
}

/* Write the known numbers of the whole matrix below the others. */
static void draw_whole(const struct pattern *pattern, struct surface *surface, struct rect panel)
{
    const struct matrix_case *shown = pattern->of;
    const struct structure *structure = &shown->structure;
    char share[32];
    struct rect rect = {panel.top + panel.high - WHOLE_HIGH, panel.left, WHOLE_HIGH, panel.wide};
    struct pen pen = {surface, rect, 0};
    pen_heading(&pen, "Whole matrix");
    if (case_has(pattern->of, SESSION_ROW_LENGTHS))
        write_distribution(&shown->row_lengths, "row lengths", COLOUR_ROWS, &pen);
    if (case_has(pattern->of, SESSION_COL_LENGTHS))
        write_distribution(&shown->col_lengths, "column lengths", COLOUR_COLS, &pen);
    if (!case_has(pattern->of, SESSION_STRUCTURE)) return;
    pen_count(&pen, "lower bandwidth", COLOUR_TEXT, structure->lower_bandwidth, NULL);
    pen_count(&pen, "upper bandwidth", COLOUR_TEXT, structure->upper_bandwidth, NULL);
    pen_count(&pen, "diagonals", COLOUR_TEXT, structure->diagonals, NULL);
    pen_count(&pen, "main diagonal", COLOUR_TEXT, structure->diagonal_nonzeros, NULL);
    if (shown->matrix.csr.rows == shown->matrix.csr.cols)
        pen_pair(&pen, "pattern symmetry", COLOUR_TEXT, "%s%s", structure->symmetry_error > 0 ? "~" : "",
                 format_percent(share, sizeof share, structure->pattern_symmetry));
}

int pattern_overview_high(struct rect panel)
{
    const int high = (int)min(max(panel.high - WHOLE_BELOW, OVERVIEW_MIN), panel.wide / 2 + 2);
    return panel.high - OVERVIEW_BELOW < OVERVIEW_MIN || high < OVERVIEW_MIN ? 0 : high;
}

/* Draw the whole matrix with a frame around the window, below the numbers. It is omitted if the window shows
 * everything, or if the panel is too low. */
static void draw_overview(const struct explorer *explorer, struct pattern *pattern, struct surface *surface,
                          struct rect panel, bool beside)
{
    const struct csr *a = pattern_csr(pattern);
    const struct pyramid *pyramid = pattern_pyramid(pattern);
    const struct range shown = pattern_shown(pattern);
    const int high = pattern_overview_high(panel);
    bool all = shown.r1 - shown.r0 >= a->rows && shown.c1 - shown.c0 >= a->cols;
    pattern->overview = (struct rect){0};
    if (!beside || all || !high) return;
    pattern->overview = (struct rect){panel.top + panel.high - high, panel.left, high, panel.wide};
    surface_text(surface, pattern->overview.top - 1, panel.left, panel.wide, COLOUR_TITLE, ATTRIBUTE_BOLD,
                 "Overview");
    thumbnail_draw_of(&pattern->thumbnail, explorer, a, pyramid, surface, pattern->overview);
    thumbnail_mark(explorer, a, pyramid, surface, pattern->overview, shown);
}

void pattern_draw_panel(struct explorer *explorer, struct pattern *pattern, struct surface *surface,
                        struct rect panel, bool beside)
{
    draw_overview(explorer, pattern, surface, panel, beside);
    if (beside) {
        if (pattern->overview.high) {
            panel.high -= pattern->overview.high + 2;
        } else if (panel.high - WHOLE_BELOW >= WHOLE_HIGH) {
            draw_whole(pattern, surface, panel);
            panel.high -= WHOLE_HIGH + 1;
        }
        struct pen pen = {surface, panel, 0};
        write_shown(pattern, &pen);
        write_legend(explorer, pattern, &pen);
        pattern_write_colouring(explorer, pattern, &pen);
        write_margins(pattern, &pen);
        pattern_write_overlay(explorer, pattern, &pen);
        write_overlays(pattern, &pen);
        write_cursor(explorer, pattern, &pen);
        pattern_write_orders(explorer, pattern, &pen);
        return;
    }
    int parts = pattern->paired ? 4 : 3, part = (panel.wide - 2 * (parts - 1)) / parts;
    struct pen shown = {surface, {panel.top, panel.left, panel.high, part}, 0};
    struct pen legend = {surface, {panel.top, panel.left + part + 2, panel.high, part}, 0};
    struct pen cursor = {surface, {panel.top, panel.left + 2 * part + 4, panel.high, part}, 0};
    struct pen others = {surface, {panel.top, panel.left + 3 * part + 6, panel.high, part}, 0};
    if (pattern->paired) pattern_write_orders(explorer, pattern, &others);
    write_shown(pattern, &shown);
    pattern_write_overlay(explorer, pattern, &legend);
    write_legend(explorer, pattern, &legend);
    pattern_write_colouring(explorer, pattern, &legend);
    write_margins(pattern, &legend);
    write_overlays(pattern, &legend);
    write_cursor(explorer, pattern, &cursor);
}
