/* Dense blocks: the bytes and the density of blocks of every size as a table, and the sizes of groups of rows
 * with the same or similar columns. */
#include <math.h>
#include <stdio.h>

#include "analysis/dense_blocks.h"
#include "base/text.h"
#include "drawing/chart.h"
#include "report/figures/figure.h"

#define SIZES DENSE_BLOCK_MAX
#define LABEL_WIDE 5
#define GAP 3        /* columns between the table and the chart */
#define CELL_LEAST 5 /* columns of a cell */
#define CELL_MOST 8
#define GROUPS_LEAST 24 /* columns of the chart */
#define TALL_CELL 1.75  /* lines of a cell with a bar below its number */

static const struct {
    const char *name;
    enum colour colour;
} groups[] = {{"same columns", (enum colour)(COLOUR_PART + 1)},
              {"similar columns", (enum colour)(COLOUR_PART + 2)}};
#define GROUPS (int)(sizeof groups / sizeof *groups)

static enum status check_blocks(const struct figure_subject *subject, struct error *error)
{
    const char *why = !case_has_entries(subject->of) ? "its entries are not in memory"
                      : case_nnz(subject->of) == 0   ? "the matrix has no entries"
                                                     : NULL;
    if (!why) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0, "nothing to draw: %s", why);
}

/* The rectangle of the table, without its headings, and the size of a cell. */
struct table {
    double left, top, wide, high;
};

static bool is_fixed(const struct figure_subject *subject, int r, int c)
{
    return subject->of->dense_blocks.rows == r && subject->of->dense_blocks.cols == c;
}

/* Draw the cell of r x c: the bytes relative to single entries, and a bar as long as the share of positions
 * with an entry. Sizes that take fewer bytes than single entries are green. */
static void draw_cell(const struct figure_subject *subject, const struct dense_block_sizes *sizes, int r,
                      int c, const struct table *table, struct canvas *canvas)
{
    const double x = table->left + (c - 1) * table->wide, y = table->top + (r - 1) * table->high;
    const double bytes = dense_block_bytes(sizes, r, c),
                 full = (double)sizes->entries / ((double)sizes->count[r][c] * r * c);
    const bool saves = bytes < 1, fixed = is_fixed(subject, r, c),
               tall = table->high >= TALL_CELL * canvas->line;
    canvas_text(canvas, x + 0.5 * (table->wide - canvas->column), y + 0.5 * canvas->line, ANCHOR_MIDDLE,
                saves ? COLOUR_GOOD : COLOUR_TEXT, fixed ? WRITING_CHOSEN : 0,
                bytes < 9.995 ? "%.2f" : "%.1f", bytes);
    if (!tall) return;
    canvas_bar(canvas, x, y + 1.05 * canvas->line, full * (table->wide - canvas->column),
               fmin(canvas->line, fmax(0.5 * canvas->line, table->high - 2 * canvas->line)),
               saves ? COLOUR_GOOD : COLOUR_DIM, false);
}

static void draw_table(const struct figure_subject *subject, const struct dense_block_sizes *sizes,
                       const struct table *table, struct canvas *canvas)
{
    for (int k = 1; k <= SIZES; k++) {
        canvas_text(canvas, table->left + (k - 0.5) * table->wide - 0.5 * canvas->column,
                    table->top - 0.75 * canvas->line, ANCHOR_MIDDLE, COLOUR_DIM, 0, "%d", k);
        canvas_text(canvas, table->left - canvas->column,
                    table->top + (k - 1) * table->high + 0.5 * canvas->line, ANCHOR_END, COLOUR_DIM, 0,
                    k == 1 ? "%d row" : "%d", k);
        for (int c = 1; c <= SIZES; c++)
            draw_cell(subject, sizes, k, c, table, canvas);
    }
}

static void draw_groups(const struct figure_subject *subject, const struct dense_block_sizes *sizes,
                        struct canvas *canvas, double left, double top, double bottom)
{
    const int64_t *of[GROUPS] = {sizes->same, sizes->similar};
    double most = 0, rows = 0, y = top;
    for (int k = 1; k <= DENSE_GROUP_MAX; k++)
        rows += (double)sizes->same[k];
    for (int g = 0; g < GROUPS; g++)
        for (int k = 1; k <= DENSE_GROUP_MAX; k++)
            most = fmax(most, 100 * (double)of[g][k] / rows);
    if (canvas->wide - left < GROUPS_LEAST * canvas->column) return;
    canvas_text(canvas, left, y + 0.5 * canvas->line, ANCHOR_START, COLOUR_TEXT, 0,
                "%% of rows in groups of");
    y += canvas->line;
    for (int g = 0; g < GROUPS; g++, y += canvas->line) {
        chart_mark(canvas, left + canvas->column, y + 0.5 * canvas->line, groups[g].colour, g);
        canvas_text(canvas, left + 2.5 * canvas->column, y + 0.5 * canvas->line, ANCHOR_START,
                    groups[g].colour, 0, "%s", groups[g].name);
    }
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 0.5,
                                     .to = DENSE_GROUP_MAX + 0.5,
                                     .whole = true,
                                     .title = "rows of a group (16: or more)"},
                          .up = {.from = 0, .to = most * 1.05}};
    chart_place(&chart, y + 0.25 * canvas->line, bottom, LABEL_WIDE);
    chart.wide -= left;
    chart.left += left;
    chart_axes(&chart);
    const double each = chart.wide / DENSE_GROUP_MAX;
    for (int g = 0; g < GROUPS; g++)
        for (int k = 1; k <= DENSE_GROUP_MAX; k++) {
            const double x = floor(chart.left + (k - 1 + (0.1 + 0.4 * g)) * each),
                         high = chart_height(&chart, 100 * (double)of[g][k] / rows);
            if (of[g][k])
                canvas_bar(canvas, x, chart.top + chart.high - high, fmax(1, floor(0.4 * each)), high,
                           groups[g].colour, true);
        }
}

static enum status draw_blocks(const struct figure_subject *subject, struct canvas *canvas,
                               struct error *error)
{
    const struct dense_blocks *blocks = &subject->of->dense_blocks;
    struct dense_block_sizes sizes;
    char words[200];
    enum status status = dense_block_sizes_find(&subject->of->matrix.csr, subject->progress, &sizes, error);
    if (status != STATUS_OK) return status;
    if (blocks->rows * blocks->cols == 1)
        snprintf(words, sizeof words, "Dense blocks: no size takes fewer bytes than single entries");
    else
        snprintf(words, sizeof words,
                 "Dense blocks: %lld x %lld take the fewest bytes; %.3g%% of their positions are empty",
                 (long long)blocks->rows, (long long)blocks->cols, 100 * blocks->fill);
    double top = figure_heading(subject, canvas, words) + 0.25 * canvas->line;
    const double label = 6.5 * canvas->column;
    struct table table = {.left = label, .top = top + 2.25 * canvas->line};
    table.wide = fmin(CELL_MOST * canvas->column,
                      fmax(CELL_LEAST * canvas->column, (0.6 * canvas->wide - label) / SIZES));
    table.high = fmin(4 * canvas->line, (canvas->high - table.top - 0.25 * canvas->line) / SIZES);
    if (!canvas->turns) { /* whole characters */
        table.wide = canvas->column * floor(table.wide / canvas->column);
        table.high = canvas->line * fmax(1, floor(table.high / canvas->line));
    }
    canvas_text(canvas, canvas->column, top + 0.5 * canvas->line, ANCHOR_START, COLOUR_TEXT, 0, "%s",
                table.high >= TALL_CELL * canvas->line ? "Bytes / bytes of 1 x 1; bar: positions with entry"
                                                       : "Bytes / bytes of 1 x 1, by rows and columns");
    draw_table(subject, &sizes, &table, canvas);
    draw_groups(
        subject, &sizes, canvas, table.left + SIZES * table.wide + GAP * canvas->column, top,
        fmin(canvas->high - 0.25 * canvas->line, table.top + (SIZES * table.high) + 2 * canvas->line));
    return STATUS_OK;
}

const struct figure figure_blocks = {
    .name = "blocks",
    .summary = "bytes and density of dense blocks by their size, and groups of rows with equal columns",
    .needs = SESSION_MATRIX | SESSION_DENSE_BLOCKS,
    .long_draw = true,
    .check = check_blocks,
    .draw = draw_blocks,
};
