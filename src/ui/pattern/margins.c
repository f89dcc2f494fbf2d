/* Drawing the lengths of rows beside the picture, and those of columns below it.
 *
 * Each line of dots has a bar from the picture's frame outwards, up to the mean length of its rows or
 * columns. A mark shows the length of the longest. Lengths are those of whole rows and columns, even if the
 * picture shows only a part of them. They are read from offsets, so the time does not depend on the number of
 * entries. */
#include <string.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/text.h"
#include "drawing/surface.h"
#include "ui/pattern/pattern.h"

/* Returns false without memory. */
static bool measure(const struct pattern *pattern, const struct spans *spans, enum axis axis,
                    struct margin *margin)
{
    const struct viewport *port = &pattern->port;
    int count = viewport_used(port, axis);
    margin->count = 0;
    margin->max = 0;
    if (!spans || spans->lines != port->size[axis]) return true;
    if (count > margin->capacity) {
        struct stretch *dots = memory_resize(margin->dots, (size_t)count, sizeof *dots, NULL);
        if (!dots) return false;
        margin->dots = dots;
        margin->capacity = count;
    }
    for (int k = 0; k < count; k++) {
        int64_t from = port->start[axis] + k * port->dot[axis];
        margin->dots[k] = spans_stretch(spans, from, from + port->dot[axis]);
        if (margin->dots[k].max > margin->max) margin->max = margin->dots[k].max;
    }
    margin->count = count;
    return true;
}

void pattern_measure(struct explorer *explorer, struct pattern *pattern)
{
    struct margin *margins = pattern->margins;
    const struct spans *spans[2];
    bool missing = false;
    for (int a = 0; a < 2; a++) {
        spans[a] = pattern_spans(pattern, (enum axis)a);
        missing = missing || (spans[a] && !margins[a].count);
    }
    if (pattern_same_port(&pattern->measured, &pattern->port) && !missing) return;
    pattern->measured = pattern->port;
    for (int a = 0; a < 2; a++)
        if (!measure(pattern, spans[a], (enum axis)a, &margins[a])) {
            memset(&pattern->measured, 0, sizeof pattern->measured);
            explorer_say(explorer, "not enough memory for the margins");
        }
}

/* A margin during drawing: its direction along the picture, and its direction outwards from the frame. */
struct strip {
    const struct margin *margin;
    struct rect rect;
    enum axis axis;
    bool ascii;
    int along, outwards; /* the characters in each direction */
    int fine[2];         /* the dots of a character in each direction; 1 x 1 in ASCII */
};

/* Return the end of a bar in dots from the frame, in proportion to the longest length. It is 0 only for
 * length 0. */
static int end_of(const struct strip *strip, double length)
{
    int all = strip->outwards * strip->fine[1];
    int end = (int)(length * all / (double)strip->margin->max + 0.5);
    return length > 0 && end < 1 ? 1 : end;
}

/* Return the line of dots of the picture beside dot `at` of the margin. */
static int line_beside(const struct pattern *pattern, const struct strip *strip, int at)
{
    int axis = strip->axis;
    if (pattern->picture == PICTURE_NUMBERS)
        return at / strip->fine[0] / (axis == ROWS ? pattern->lines : pattern->field);
    return at * pattern->per[axis] / (strip->fine[0] * pattern->large[axis]);
}

/* Return the lengths for dot `at` of the margin, which are those of all lines of dots beside it. If dots are
 * pixels, there are several lines, and their means have equal weights. */
static struct stretch lengths_beside(const struct pattern *pattern, const struct strip *strip, int at)
{
    int first = line_beside(pattern, strip, at), end = line_beside(pattern, strip, at + 1);
    struct stretch lengths = strip->margin->dots[first];
    if (end > strip->margin->count) end = strip->margin->count;
    for (int line = first + 1; line < end; line++) {
        lengths.mean += strip->margin->dots[line].mean;
        lengths.max = max(lengths.max, strip->margin->dots[line].max);
    }
    if (end > first + 1) lengths.mean /= end - first;
    return lengths;
}

/* Draw the character at index `along` beside the picture and `out` from its frame. A character that contains
 * only marks of maxima has no colour. */
static void draw_cell(const struct pattern *pattern, struct surface *surface, const struct strip *strip,
                      int along, int out)
{
    bool rows = strip->axis == ROWS, filled = false;
    unsigned bits = 0;
    for (int i = 0; i < strip->fine[0]; i++) {
        int at = along * strip->fine[0] + i;
        if (line_beside(pattern, strip, at) >= strip->margin->count) continue;
        struct stretch lengths = lengths_beside(pattern, strip, at);
        int mean = end_of(strip, lengths.mean), longest = end_of(strip, (double)lengths.max);
        for (int j = 0; j < strip->fine[1]; j++) {
            int away = out * strip->fine[1] + j;
            if (away >= mean && away != longest - 1) continue;
            filled = filled || away < mean;
            bits |= rows ? braille_bit(i, j) : braille_bit(j, i);
        }
    }
    if (!bits) return;
    uint32_t character = strip->ascii ? (filled ? '#' : rows ? '|' : '-') : braille_character(bits);
    enum colour colour = !filled ? COLOUR_TEXT : rows ? COLOUR_ROWS : COLOUR_COLS;
    surface_put(surface, strip->rect.top + (rows ? along : out), strip->rect.left + (rows ? out : along),
                character, colour, COLOUR_TEXT, 0);
}

static struct strip strip_of(const struct explorer *explorer, const struct pattern *pattern, enum axis axis)
{
    bool rows = axis == ROWS;
    struct strip strip = {
        &pattern->margins[axis], pattern_margin_rect(pattern, axis), axis, explorer->ascii, 0, 0, {1, 1}};
    strip.along = rows ? strip.rect.high : strip.rect.wide;
    strip.outwards = rows ? strip.rect.wide : strip.rect.high;
    if (!explorer->ascii) {
        strip.fine[0] = rows ? BRAILLE_HIGH : BRAILLE_WIDE;
        strip.fine[1] = rows ? BRAILLE_WIDE : BRAILLE_HIGH;
    }
    return strip;
}

static void draw_bars(const struct pattern *pattern, struct surface *surface, const struct strip *strip)
{
    if (!strip->margin->max) return;
    for (int along = 0; along < strip->along; along++)
        for (int out = 0; out < strip->outwards; out++)
            draw_cell(pattern, surface, strip, along, out);
}

/* Write the first of these texts that fits. */
static void write_fitting(struct surface *surface, int y, int x, int wide, const char *const *texts)
{
    for (; *texts; texts++)
        if (surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "%s", *texts) > 0) return;
}

/* Write the end of the scale and the quantity above the margin of the rows. */
static void label_rows(const struct pattern *pattern, struct surface *surface, const struct strip *strip)
{
    static const char *const known[] = {"row lengths, in all columns", "row lengths", "rows", NULL};
    static const char *const unknown[] = {"row lengths not counted yet", "not counted", NULL};
    const struct rect *rect = &strip->rect;
    char out[32];
    int y = pattern->inside.top - 1, x = rect->left + 1, wide = rect->wide - 1;
    if (!strip->margin->count) {
        write_fitting(surface, y, x, wide, unknown);
        return;
    }
    int used = surface_columns(format_fitting(out, sizeof out, strip->margin->max, wide));
    surface_text_right(surface, y, x, wide, COLOUR_ROWS, 0, "%s", out);
    write_fitting(surface, y, x, wide - used - 1, known);
}

/* Write the same to the right of the margin of the columns, where the scale ends. */
static void label_columns(const struct pattern *pattern, struct surface *surface, const struct strip *strip)
{
    static const char *const known[] = {"column lengths, in all rows", "column lengths", "columns", NULL};
    static const char *const unknown[] = {"column lengths not counted yet", "not counted", NULL};
    const struct rect *rect = &strip->rect;
    const struct rect rows = pattern_margin_rect(pattern, ROWS);
    char out[32];
    int y = rect->top + rect->high - 1, x = rows.left + 1, wide = rows.wide - 1;
    if (!strip->margin->count) {
        write_fitting(surface, y, x, wide, unknown);
        return;
    }
    surface_text(surface, y, x, wide, COLOUR_COLS, 0, "%s",
                 format_fitting(out, sizeof out, strip->margin->max, wide));
    write_fitting(surface, y - 1, x, wide, known);
}

void pattern_draw_margins(const struct explorer *explorer, const struct pattern *pattern,
                          struct surface *surface)
{
    if (!pattern->margin_wide || pattern_rect(pattern).high < 1) return;
    const struct strip rows = strip_of(explorer, pattern, ROWS), cols = strip_of(explorer, pattern, COLS);
    draw_bars(pattern, surface, &rows);
    draw_bars(pattern, surface, &cols);
    label_rows(pattern, surface, &rows);
    label_columns(pattern, surface, &cols);
}

bool pattern_margin_at(const struct pattern *pattern, int y, int x, enum axis *axis, int64_t *place)
{
    for (int a = 0; a < 2; a++) {
        const struct rect rect = pattern_margin_rect(pattern, (enum axis)a), inside = pattern->inside;
        int64_t dot[2];
        if (!rect_holds(rect, y, x)) continue;
        *axis = (enum axis)a;
        if (!pattern_at(pattern, a == ROWS ? y : inside.top, a == ROWS ? inside.left : x, dot)) return false;
        const struct range range = pattern_dot(pattern, dot[ROWS], dot[COLS]);
        *place = a == ROWS ? range.r0 : range.c0;
        return true;
    }
    return false;
}
