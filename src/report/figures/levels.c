/* The parallelism of triangular solves and smoothers: the rows of each level of both triangles, and of each
 * colour of the graph. A solve takes a step for each level, a smoother one for each colour. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/figures/figure.h"
#include "report/figures/widths.h"

#define LABEL_WIDE 9
#define SEED 1        /* of the random order, as for the report's numbers (analysis/solves.c) */
#define BAR_LEAST 2   /* units of a bar, */
#define GROUP_LEAST 6 /* and of the bars of a colour */
#define TITLED_LINES 8

static const struct {
    const char *name;
    enum colour colour;
} methods[COLOUR_METHODS] = {[COLOURS_NATURAL] = {"natural order", (enum colour)(COLOUR_PART + 1)},
                             [COLOURS_LARGEST] = {"by degree", (enum colour)(COLOUR_PART + 2)},
                             [COLOURS_RANDOM] = {"random order", (enum colour)(COLOUR_PART + 3)}};

static enum status check_levels(const struct figure_subject *subject, struct error *error)
{
    const struct matrix *matrix = &subject->of->matrix;
    const char *why = !case_has_entries(subject->of)         ? "its entries are not in memory"
                      : matrix->csr.rows != matrix->csr.cols ? "the matrix is not square"
                      : matrix->csr.rows == 0                ? "the matrix has no rows"
                                                             : NULL;
    if (!why) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, matrix->path, 0, 0, "nothing to draw: %s", why);
}

/* Return a chart of `lines` numbers, with heights on the scale log(1 + rows). Only a chart of some lines of
 * text has titles. */
static struct chart chart_of(struct canvas *canvas, int64_t lines, int64_t most, double high,
                             const char *title)
{
    const bool titled = high >= TITLED_LINES * canvas->line;
    return (struct chart){
        .canvas = canvas,
        .across = {.from = 0.5, .to = (double)lines + 0.5, .whole = true, .title = titled ? title : NULL},
        .up = {.from = 0, .to = fmax(1, (double)most) * 1.1, .counts = true, .title = titled ? "rows" : NULL},
    };
}

/* Draw the levels of a triangle. */
static enum status draw_triangle(const struct figure_subject *subject, enum triangle triangle,
                                 struct canvas *canvas, double top, double bottom, int32_t *of_row,
                                 struct error *error)
{
    const struct csr *a = &subject->of->matrix.csr;
    struct level_sets sets;
    struct spans widths = {0};
    char count[32], widest[32], median[32], title[96];
    enum status status = levels_find(a, triangle, subject->progress, of_row, &sets, error);
    if (status == STATUS_OK) status = widths_of(of_row, a->rows, sets.count, &widths, error);
    if (status != STATUS_OK) return status;
    canvas_text(canvas, canvas->column, top + 0.5 * canvas->line, ANCHOR_START, COLOUR_TEXT, 0,
                "%s triangle: %s level%s, the largest %s rows, half the rows in %s or more",
                triangle == TRIANGLE_LOWER ? "Lower" : "Upper", format_count(count, sizeof count, sets.count),
                sets.count == 1 ? "" : "s", format_count(widest, sizeof widest, sets.widest),
                format_count(median, sizeof median, sets.median));
    struct chart chart = chart_of(canvas, sets.count, sets.widest, bottom - top, title);
    chart_place(&chart, top + 1.25 * canvas->line, bottom, LABEL_WIDE);
    const struct widths_bars bars = {.spans = &widths,
                                     .each = widths_each(&chart, sets.count, BAR_LEAST),
                                     .share = 1,
                                     .colour = triangle == TRIANGLE_LOWER ? COLOUR_ROWS : COLOUR_COLS,
                                     .whole = true};
    snprintf(title, sizeof title,
             bars.each > 1 ? "level (a bar: mean and, in grey, maximum of %lld)" : "level",
             (long long)bars.each);
    chart_axes(&chart);
    widths_draw(&chart, &bars);
    spans_free(&widths);
    return STATUS_OK;
}

/* The colours by each method. */
struct colourings {
    struct colour_classes classes[COLOUR_METHODS];
    struct spans widths[COLOUR_METHODS];
    int64_t most, largest; /* the most colours, and the rows of the largest of all */
};

static enum status find_colours(const struct figure_subject *subject, int32_t *of_row,
                                struct colourings *found, struct error *error)
{
    const struct csr *a = &subject->of->matrix.csr;
    struct graph graph = {0};
    enum status status = graph_make(a, false, subject->progress, &graph, error);
    for (int k = 0; k < COLOUR_METHODS && status == STATUS_OK; k++) {
        struct colour_classes *classes = &found->classes[k];
        status = colours_find(&graph, (enum colour_method)k, SEED, subject->progress, of_row, classes, error);
        if (status == STATUS_OK)
            status = widths_of(of_row, a->rows, classes->count, &found->widths[k], error);
        found->most = classes->count > found->most ? classes->count : found->most;
        found->largest = classes->largest > found->largest ? classes->largest : found->largest;
    }
    graph_free(&graph);
    return status;
}

static void draw_colourings(const struct colourings *found, struct canvas *canvas, double top, double bottom)
{
    char count[32], words[80], title[96];
    double x = canvas->column, y = top + 0.5 * canvas->line;
    canvas_text(canvas, x, y, ANCHOR_START, COLOUR_TEXT, 0, "Colours");
    x += 9.5 * canvas->column;
    for (int k = 0; k < COLOUR_METHODS; k++) {
        snprintf(words, sizeof words, "%s: %s", methods[k].name,
                 format_count(count, sizeof count, found->classes[k].count));
        chart_mark(canvas, x, y, methods[k].colour, k);
        canvas_text(canvas, x + 1.5 * canvas->column, y, ANCHOR_START, methods[k].colour, 0, "%s", words);
        x += canvas_text_wide(canvas, words) + 4 * canvas->column;
    }
    struct chart chart = chart_of(canvas, found->most, found->largest, bottom - top, title);
    chart_place(&chart, top + 1.25 * canvas->line, bottom, LABEL_WIDE);
    const int64_t each = widths_each(&chart, found->most, GROUP_LEAST);
    snprintf(title, sizeof title, each > 1 ? "colour (a bar: mean of %lld)" : "colour", (long long)each);
    chart_axes(&chart);
    for (int k = 0; k < COLOUR_METHODS; k++)
        widths_draw(&chart, &(struct widths_bars){.spans = &found->widths[k],
                                                  .each = each,
                                                  .first = 0.05 + 0.3 * k,
                                                  .share = 0.3,
                                                  .colour = methods[k].colour});
}

static enum status draw_levels(const struct figure_subject *subject, struct canvas *canvas,
                               struct error *error)
{
    struct colourings found = {0};
    const double top =
        figure_heading(subject, canvas, "Rows of each step: levels of triangular solves, and colours");
    const double high = (canvas->high - 0.25 * canvas->line - top) / 3;
    int32_t *of_row = memory_array((size_t)subject->of->matrix.csr.rows, sizeof *of_row, error);
    if (!of_row) return STATUS_MEMORY;
    enum status status = STATUS_OK;
    for (int k = 0; k < TRIANGLES && status == STATUS_OK; k++)
        status = draw_triangle(subject, (enum triangle)k, canvas, top + k * high,
                               top + (k + 1) * high - 0.25 * canvas->line, of_row, error);
    if (status == STATUS_OK) status = find_colours(subject, of_row, &found, error);
    if (status == STATUS_OK)
        draw_colourings(&found, canvas, top + 2 * high, canvas->high - 0.25 * canvas->line);
    for (int k = 0; k < COLOUR_METHODS; k++)
        spans_free(&found.widths[k]);
    free(of_row);
    return status;
}

const struct figure figure_levels = {
    .name = "levels",
    .summary = "rows of each level of triangular solves, and of each colour of the graph",
    .needs = SESSION_MATRIX | SESSION_SOLVES,
    .long_draw = true,
    .check = check_levels,
    .draw = draw_levels,
};
