/* A format's layout: the rectangle of its slots, and its arrays, around the marked entry. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/range.h"
#include "base/text.h"
#include "drawing/number.h"
#include "formats/array.h"
#include "report/figures/figure.h"

#define VALUE_WIDE 7 /* columns of a value */
#define TEXT_MAX 64

/* The state of drawing. */
struct layout {
    const struct storage *storage;
    struct canvas *canvas;
    struct spot spot; /* the marked entry or position */
    struct spot near; /* the same; without an entry the next one in its row, or in the matrix */
    double high;      /* the height of a cell */
};

static struct layout layout_of(const struct figure_subject *subject, struct canvas *canvas)
{
    const struct csr *a = &subject->of->matrix.csr;
    struct layout layout = {.storage = subject->storage, .canvas = canvas};
    int64_t row = subject->row, col = subject->col;
    if (row < 0) { /* mark the first entry */
        row = csr_nnz(a) ? csr_row_of(a, 0) : 0;
        col = csr_nnz(a) ? a->col[0] : 0;
    }
    layout.spot = storage_spot(subject->storage, a, (struct place){row, col}, csr_find(a, row, col));
    layout.near = layout.spot;
    int64_t k = min(csr_lower_bound(a, row, col), csr_nnz(a) - 1);
    if (layout.spot.slot < 0 && k >= 0)
        layout.near = storage_spot(subject->storage, a, (struct place){csr_row_of(a, k), a->col[k]}, k);
    layout.high = canvas->turns ? floor(1.25 * canvas->line) : canvas->line;
    return layout;
}

/* Styles of elements and cells. */
enum light { LIGHT_NONE, LIGHT_ROW, LIGHT_TOUCH, LIGHT_ENTRY };

/* Draw a cell with its text at (x, y), its upper left corner. */
static void draw_cell(const struct layout *layout, double x, double y, double wide, enum light light,
                      bool padding, const char *words)
{
    static const enum colour lights[] = {[LIGHT_NONE] = COLOUR_TEXT,
                                         [LIGHT_ROW] = COLOUR_ROWS,
                                         [LIGHT_TOUCH] = COLOUR_MARK,
                                         [LIGHT_ENTRY] = COLOUR_CURSOR};
    struct canvas *canvas = layout->canvas;
    char marked[TEXT_MAX + 2];
    bool bold = light == LIGHT_ENTRY || light == LIGHT_TOUCH;
    enum colour colour = padding && light != LIGHT_ENTRY ? COLOUR_DIM : lights[light];
    double thick = light == LIGHT_ENTRY ? 2 : light == LIGHT_TOUCH ? 1.5 : 0.5;
    const struct canvas_point frame[] = {{x + 1, y + 1},
                                         {x + wide - 1, y + 1},
                                         {x + wide - 1, y + layout->high - 1},
                                         {x + 1, y + layout->high - 1},
                                         {x + 1, y + 1}};
    if (canvas->turns) {
        canvas_line(canvas, frame, 5, bold ? colour : COLOUR_DIM, thick, padding);
        canvas_text(canvas, x + wide - canvas->column / 2, y + layout->high / 2, ANCHOR_END, colour,
                    bold ? WRITING_BOLD : 0, "%s", words);
        return;
    }
    /* Characters have no frames: brackets mark the entry, and an asterisk padding, as in the report's text.
     */
    snprintf(marked, sizeof marked, light >= LIGHT_TOUCH ? "[%s]" : padding ? "%s*" : "%s ", words);
    canvas_text(canvas, x + wide, y + layout->high / 2, ANCHOR_END, colour, bold ? WRITING_BOLD : 0, "%s",
                marked);
}

static enum light light_of(const struct layout *layout, int q, int64_t e)
{
    const struct storage *storage = layout->storage;
    const struct array *array = &storage->array[q];
    if (!array->per_slot) {
        struct extent touch = storage->format->touch(storage, q, &layout->spot);
        return e >= touch.first && e < touch.end ? LIGHT_TOUCH : LIGHT_NONE;
    }
    if (array->part == layout->spot.part && e == layout->spot.slot) return LIGHT_ENTRY;
    return storage->format->place(storage, array->part, e).row == layout->spot.place.row ? LIGHT_ROW
                                                                                         : LIGHT_NONE;
}

/* Write an element in at most VALUE_WIDE columns if it is a value. */
static char *write_element(const struct array *array, int64_t e, char out[TEXT_MAX])
{
    double imaginary;
    array_text(array, e, out, TEXT_MAX);
    bool complex = array->element == ELEMENT_C32 || array->element == ELEMENT_C64;
    if (array->role == ROLE_VALUES && !complex && strlen(out) > VALUE_WIDE)
        number_text(out, TEXT_MAX, array_value(array, e, &imaginary), VALUE_WIDE);
    out[TEXT_MAX - 4] = 0;
    return out;
}

/* Return the first of `room` shown elements among `count`, so that `at` is in their middle. */
static int64_t window(int64_t at, int64_t room, int64_t count)
{
    return clip(at - room / 2, max(0, count - room));
}

/* Draw the rule before an element, if a row, strip or the like begins there. */
static void draw_rule(const struct layout *layout, enum rule rule, double x, double y)
{
    if (rule == RULE_NONE || !layout->canvas->turns) return;
    canvas_stroke(layout->canvas, x, y, x, y + layout->high, rule == RULE_MAJOR ? COLOUR_ACCENT : COLOUR_DIM,
                  rule == RULE_MAJOR ? 3 : 1.5);
}

/* Draw an array: its name and contents, and below a window of its elements. Returns the y coordinate below
 * it. */
static double draw_array(const struct layout *layout, int q, double y)
{
    const struct storage *storage = layout->storage;
    const struct array *array = &storage->array[q];
    struct canvas *canvas = layout->canvas;
    char out[TEXT_MAX], length[32];
    double x = canvas->column;
    int wide = 2;
    canvas_text(canvas, x, y + canvas->line / 2, ANCHOR_START, COLOUR_TITLE, WRITING_BOLD, "%s", array->name);
    canvas_text(canvas, x + (1.15 * (double)strlen(array->name) + 2) * canvas->column, y + canvas->line / 2,
                ANCHOR_START, COLOUR_DIM, 0, "%s x %s: %s",
                format_count(length, sizeof length, array->length), element_name(array->element),
                array->help);
    y += canvas->line;
    int64_t at = array->per_slot ? array->part == layout->near.part ? max(0, layout->near.slot) : 0
                                 : max(0, storage->format->touch(storage, q, &layout->spot).first);
    /* The elements around the marked one determine the width of a cell, which determines their number. */
    int64_t near = window(at, 40, array->length);
    for (int64_t e = near; e < min(near + 40, array->length); e++)
        wide = (int)max(wide, (int)strlen(write_element(array, e, out)));
    double cell = floor((wide + (canvas->turns ? 1.5 : 2)) * canvas->column), label = 8 * canvas->column;
    int64_t room = max(1, (int64_t)((canvas->wide - label - 2 * canvas->column) / cell));
    int64_t first = window(at, room, array->length);
    canvas_text(canvas, label - canvas->column, y + layout->high / 2, ANCHOR_END, COLOUR_DIM, 0,
                "%lld:", (long long)first);
    for (int64_t e = first; e < min(first + room, array->length); e++) {
        double left = label + (double)(e - first) * cell;
        draw_cell(layout, left, y, cell, light_of(layout, q, e),
                  array->per_slot && storage_padding(storage, array->part, e), write_element(array, e, out));
        if (e > 0) draw_rule(layout, storage->format->rule(storage, q, e), left, y);
    }
    return y + layout->high + canvas->line * (canvas->turns ? 0.4 : 0);
}

/* Write cell e: its value, and the index that its line does not show. */
static void write_cell(const struct layout *layout, enum line_kind kind, int64_t e, bool both,
                       char out[TEXT_MAX])
{
    const struct storage *storage = layout->storage;
    struct place place = storage->format->place(storage, 0, e);
    long long index = kind == LINE_COLUMN ? place.row : place.col;
    char value[TEXT_MAX];
    out[0] = 0;
    if (place.row < 0 && place.col < 0) return;
    if (both)
        snprintf(out, TEXT_MAX, "%.40s@%lld", write_element(storage_values(storage, 0), e, value), index);
    else
        snprintf(out, TEXT_MAX, "%lld", index);
}

/* Draw the picture down to `bottom`. Returns the y coordinate below it. */
static double draw_rectangle(const struct layout *layout, double y, double bottom)
{
    const struct storage *storage = layout->storage;
    const struct format *format = storage->format;
    struct canvas *canvas = layout->canvas;
    struct shape shape = format->shape(storage);
    char out[TEXT_MAX];
    int64_t line, at;
    int digits = snprintf(out, sizeof out, "%lld", (long long)max(storage->rows, storage->cols));
    double x = (fmax(digits, (double)strlen(line_name(&shape))) + 2) * canvas->column;
    double room = canvas->wide - x - canvas->column, extra = canvas->turns ? 1.5 : 2;
    double wide = floor((VALUE_WIDE + 1 + digits + extra + (canvas->turns ? 0.6 : 0)) * canvas->column);
    bool both = wide * (double)min(shape.wide, 4) <= room;
    if (!both) wide = floor((digits + extra) * canvas->column);
    int64_t cells = min(shape.wide, max(1, (int64_t)(room / wide)));
    int64_t lines = min(shape.lines, max(1, (int64_t)((bottom - y - canvas->line) / layout->high)));
    format->find(storage, &layout->spot, &line, &at);
    int64_t first_line = window(max(0, line), lines, shape.lines);
    int64_t first = window(max(0, at), cells, shape.wide);
    canvas_text(canvas, x - canvas->column, y + canvas->line / 2, ANCHOR_END, COLOUR_TITLE, 0, "%s",
                line_name(&shape));
    canvas_text(canvas, x, y + canvas->line / 2, ANCHOR_START, COLOUR_DIM, 0,
                "cells %lld to %lld of %lld, all from 0: %s", (long long)first,
                (long long)(first + cells - 1), (long long)shape.wide,
                both                        ? shape.line == LINE_COLUMN ? "value@row" : "value@column"
                : shape.line == LINE_COLUMN ? "row"
                                            : "column");
    y += canvas->line;
    for (int64_t k = first_line; k < first_line + lines; k++, y += layout->high) {
        int64_t label = format->label(storage, k);
        canvas_text(canvas, x - canvas->column, y + layout->high / 2, ANCHOR_END,
                    k == line ? COLOUR_ROWS : COLOUR_DIM, 0, label < 0 ? "-" : "%lld", (long long)label);
        for (int64_t c = first; c < first + cells; c++) {
            int64_t e = format->cell(storage, k, c);
            if (e < 0) break;
            bool entry = layout->spot.part == 0 && e == layout->spot.slot;
            bool row = format->place(storage, 0, e).row == layout->spot.place.row;
            write_cell(layout, shape.line, e, both, out);
            draw_cell(layout, x + (double)(c - first) * wide, y, wide,
                      entry ? LIGHT_ENTRY
                      : row ? LIGHT_ROW
                            : LIGHT_NONE,
                      storage_padding(storage, 0, e), out);
        }
    }
    return y;
}

static bool has_rectangle(const struct storage *storage)
{
    if (!storage->format->shape) return false;
    struct shape shape = storage->format->shape(storage);
    return shape.lines > 0 && shape.wide > 0;
}

static enum status draw_layout(const struct figure_subject *subject, struct canvas *canvas,
                               struct error *error)
{
    const struct storage *storage = subject->storage;
    struct layout layout = layout_of(subject, canvas);
    struct format_size size = storage_size(storage);
    char shows[256], parameters[128] = "", slots[32], padding[32], bytes[32];
    parameters_write(storage->format->parameters, &storage->values, ":", parameters, sizeof parameters);
    snprintf(shows, sizeof shows, "%s%s: %s slots, %s of them padding, %s; marked: row %lld, column %lld",
             storage->format->name, parameters, format_count(slots, sizeof slots, size.slots),
             format_count(padding, sizeof padding, size.padding),
             format_bytes(bytes, sizeof bytes, (double)size.bytes), (long long)layout.spot.place.row + 1,
             (long long)layout.spot.place.col + 1);
    double y = figure_heading(subject, canvas, shows) + 0.5 * canvas->line;
    double each = canvas->line + layout.high + canvas->line * (canvas->turns ? 0.4 : 0);
    if (!canvas->turns) y = canvas->line * ceil(y / canvas->line);
    if (has_rectangle(storage))
        y = draw_rectangle(&layout, y,
                           fmax(y + 5 * layout.high, canvas->high - storage->count * each - each / 2)) +
            canvas->line * (canvas->turns ? 0.6 : 1);
    for (int q = 0; q < storage->count && y + each <= canvas->high + 1; q++)
        y = draw_array(&layout, q, y);
    return STATUS_OK;
}

static enum status check_layout(const struct figure_subject *subject, struct error *error)
{
    const struct csr *a = &subject->of->matrix.csr;
    const char *path = subject->of->matrix.path;
    if (a->rows == 0 || a->cols == 0)
        return error_at(error, STATUS_UNAVAILABLE, path, 0, 0,
                        "a matrix without rows or columns has no layout");
    if (subject->row < a->rows && subject->col < a->cols) return STATUS_OK;
    return error_at(error, STATUS_USAGE, path, 0, 0,
                    "position (%lld, %lld) is outside the matrix of %lld rows and %lld columns: give "
                    "--at=ROW,COLUMN within it",
                    (long long)subject->row + 1, (long long)subject->col + 1, (long long)a->rows,
                    (long long)a->cols);
}

const struct figure figure_layout = {
    .name = "layout",
    .summary = "the arrays of a storage format (--storage) around an entry (--at)",
    .needs = SESSION_MATRIX,
    .layout = true,
    .check = check_layout,
    .draw = draw_layout,
};
