/* Sparse products of the matrix with itself and its transpose: the multiplications of each row of C, and the
 * entries that they become. */
#include <math.h>
#include <stdio.h>

#include "analysis/spgemm.h"
#include "base/range.h"
#include "base/text.h"
#include "columns/columns.h"
#include "drawing/chart.h"
#include "report/figures/figure.h"

#define LABEL_WIDE 9
#define TITLED_LINES 8 /* lines of a chart with titles */

/* Units of a bar: drawings in pages must not be large. */
#define BAR_LEAST 3

/* Multiplications for which the entries of rows are counted. */
#define BUDGET ((int64_t)1 << 26)

#define WORK_COLOUR (enum colour)(COLOUR_PART + 2)
#define ENTRIES_COLOUR (enum colour)(COLOUR_PART + 1)

static enum status check_spgemm(const struct figure_subject *subject, struct error *error)
{
    const char *why = !case_has_entries(subject->of) ? "its entries are not in memory"
                      : case_nnz(subject->of) == 0   ? "the matrix has no entries"
                                                     : NULL;
    if (!why) return STATUS_OK;
    return error_at(error, STATUS_UNAVAILABLE, subject->of->matrix.path, 0, 0, "nothing to draw: %s", why);
}

/* The means of a stretch of rows; entries is NAN if no row with multiplications was counted. */
struct mean {
    double work, entries;
};

/* Entries per multiplication are those of the counted rows. */
static struct mean mean_of(const struct spgemm_rows *rows, int64_t from, int64_t end)
{
    double work = 0, entries = 0, counted = 0;
    for (int64_t i = from; i < end; i++) {
        work += (double)rows->work[i];
        if (rows->length[i] < 0) continue;
        entries += rows->length[i];
        counted += (double)rows->work[i];
    }
    work /= (double)(end - from);
    return (struct mean){work, counted > 0 ? work * entries / counted : NAN};
}

static void write_heading(const struct spgemm *c, const char *name, struct canvas *canvas, double y)
{
    char work[32], entries[32], compression[32];
    canvas_text(canvas, canvas->column, y, ANCHOR_START, COLOUR_TEXT, 0,
                "%s: %s multiplications, %s%s entries, compression %s", name,
                format_short(work, sizeof work, (double)c->multiplications), c->exact ? "" : "about ",
                format_short(entries, sizeof entries, (double)c->nnz),
                format_digits(compression, sizeof compression, c->compression, 3));
}

/* Draw the rows of a product: a bar of multiplications, and over it one of entries. */
static void draw_rows(const struct spgemm_rows *rows, struct canvas *canvas, double top, double bottom)
{
    const bool titled = bottom - top >= TITLED_LINES * canvas->line;
    char title[128], mean_of_rows[32], counted[64] = "";
    double most = 1;
    struct chart chart = {.canvas = canvas,
                          .across = {.from = 0.5,
                                     .to = (double)rows->rows + 0.5,
                                     .whole = true,
                                     .title = titled ? title : NULL},
                          .up = {.counts = true, .title = titled ? "number" : NULL}};
    chart_place(&chart, top, bottom, LABEL_WIDE);
    const double least = canvas->turns ? BAR_LEAST : canvas->column;
    const int64_t each = max(1, (int64_t)ceil((double)rows->rows * least / fmax(1, chart.wide)));
    for (int64_t i = 0; i < rows->rows; i += each)
        most = fmax(most, mean_of(rows, i, min(i + each, rows->rows)).work);
    chart.up.to = 1.1 * most;
    if (rows->step > 1)
        snprintf(counted, sizeof counted, "; entries from one row in %lld", (long long)rows->step);
    snprintf(title, sizeof title, each > 1 ? "row of C (a bar: mean of %s%s)" : "row of C",
             format_count(mean_of_rows, sizeof mean_of_rows, each), counted);
    chart_axes(&chart);
    const double base = chart.top + chart.high;
    for (int64_t i = 0; i < rows->rows; i += each) {
        const struct mean mean = mean_of(rows, i, min(i + each, rows->rows));
        const double x = floor(chart.left + (double)i / (double)rows->rows * chart.wide);
        const double next =
            floor(chart.left + (double)min(i + each, rows->rows) / (double)rows->rows * chart.wide);
        const double wide = fmax(1, next - x - (next - x >= 4)), high = chart_height(&chart, mean.work);
        if (mean.work > 0) canvas_bar(canvas, x, base - high, wide, high, WORK_COLOUR, true);
        if (mean.entries > 0) {
            const double low = chart_height(&chart, mean.entries);
            canvas_bar(canvas, x, base - low, wide, low, ENTRIES_COLOUR, true);
        }
    }
}

static enum status draw_spgemm(const struct figure_subject *subject, struct canvas *canvas,
                               struct error *error)
{
    const struct csr *a = &subject->of->matrix.csr;
    const int first = spgemm_first(a);
    double top =
        figure_heading(subject, canvas, "Sparse products: entries of each row of C, and its multiplications");
    enum status status = STATUS_OK;
    const struct {
        const char *name;
        enum colour colour;
    } keys[] = {{"entries", ENTRIES_COLOUR}, {"multiplications beyond them", WORK_COLOUR}};
    double x = 1.5 * canvas->column;
    for (int k = 0; k < 2; k++) {
        chart_mark(canvas, x, top + 0.5 * canvas->line, keys[k].colour, k);
        canvas_text(canvas, x + 1.5 * canvas->column, top + 0.5 * canvas->line, ANCHOR_START, keys[k].colour,
                    0, "%s", keys[k].name);
        x += canvas_text_wide(canvas, keys[k].name) + 4 * canvas->column;
    }
    top += canvas->line;
    const double high = (canvas->high - 0.25 * canvas->line - top) / (SPGEMM_KINDS - first);
    for (int k = first; k < SPGEMM_KINDS && status == STATUS_OK; k++, top += high) {
        struct spgemm_rows rows;
        status = spgemm_rows_find(a, (enum spgemm_kind)k, BUDGET, subject->progress, &rows, error);
        if (status != STATUS_OK) break;
        write_heading(&subject->of->spgemm[k], spgemm_name((enum spgemm_kind)k), canvas,
                      top + 0.5 * canvas->line);
        draw_rows(&rows, canvas, top + 1.25 * canvas->line, top + high - 0.25 * canvas->line);
        spgemm_rows_free(&rows);
    }
    return status;
}

const struct figure figure_spgemm = {
    .name = "spgemm",
    .summary = "multiplications and entries of each row of A A, A^T A and A A^T",
    .needs = SESSION_MATRIX | SESSION_SPGEMM,
    .long_draw = true,
    .check = check_spgemm,
    .draw = draw_spgemm,
};
