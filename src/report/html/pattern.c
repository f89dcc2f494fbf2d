/* The pattern of a matrix in an HTML report: its cells, packed for page.js, and a small still picture. */
#include <math.h>
#include <stdlib.h>

#include "analysis/level.h"
#include "base/base64.h"
#include "base/memory.h"
#include "base/range.h"
#include "drawing/pixmap.h"
#include "drawing/png.h"
#include "drawing/shade.h"
#include "report/html/html.h"
#include "report/packed/cells.h"

/* Number of cells that a browser can draw between two frames. */
#define CELLS_MAX ((int64_t)1 << 22)

/* For matrices with more rows or entries, the cells of the pyramid are the finest, since they take less
 * memory. */
#define ENTRIES_MAX ((int64_t)1 << 24)

/* The longer side of the still picture, in pixels. */
#define STILL_SIDE 96

/* Maximum bytes of the elements around the cells: numbers, the name, and the still picture. */
#define ELEMENTS_MAX 60000
#define TITLE_MAX 200

/* Make the finest cells that fit in memory. STATUS_LIMIT if none do. */
static enum status make_cells(const struct session *session, const struct matrix_case *matrix_case,
                              struct level *level)
{
    const struct csr *a = &matrix_case->matrix.csr;
    size_t bytes = level_bytes(a->rows, csr_nnz(a));
    size_t held = csr_bytes(a->rows, csr_nnz(a), csr_complex(a));
    if (case_has_entries(matrix_case) && csr_here(a) && a->rows <= ENTRIES_MAX && csr_nnz(a) <= ENTRIES_MAX &&
        memory_check_beside(bytes, held, session->limit, "the pattern", NULL) == STATUS_OK)
        return level_of_matrix(a, level, NULL);
    if (!case_has(matrix_case, SESSION_PYRAMID)) return STATUS_LIMIT;
    return level_of_pyramid(&matrix_case->pyramid, INT64_MAX, level, NULL);
}

/* The density of a cell; cells at the rim may have fewer positions. */
static double density_of(const struct csr *a, const struct level *level, int64_t r, int64_t k)
{
    int64_t row = r * level->row_step, col = level->col[k] * level->col_step;
    int64_t rows = min(level->row_step, a->rows - row), cols = min(level->col_step, a->cols - col);
    return (double)level->count[k] / ((double)rows * (double)cols);
}

static struct shade shade_of(const struct csr *a, const struct level *level)
{
    double least = INFINITY, most = 0;
    for (int64_t r = 0; r < level->rows; r++)
        for (int64_t k = level->start[r]; k < level->start[r + 1]; k++) {
            least = fmin(least, density_of(a, level, r, k));
            most = fmax(most, density_of(a, level, r, k));
        }
    return most > 0 ? shade_scale(least, most) : (struct shade){0};
}

/* The colours of page.js on light pages; the style inverts them for dark ones. */
static void choose_colours(struct pixmap_colours *colours)
{
    static const int ends[3][3] = {{165, 200, 232}, {58, 118, 186}, {6, 32, 84}};
    for (int level = 0; level < SHADE_LEVELS; level++) {
        double place = 2.0 * level / (SHADE_LEVELS - 1);
        int k = place < 1 ? 0 : 1, rgb = 0;
        for (int c = 0; c < 3; c++)
            rgb = rgb << 8 | (int)lround(ends[k][c] + (ends[k + 1][c] - ends[k][c]) * (place - k));
        colours->rgb[COLOUR_DENSITY + level] = rgb;
    }
}

/* Draw each cell as size x size pixels. */
static void draw(const struct csr *a, const struct level *level, int size, struct pixmap *pixmap)
{
    struct shade shade = shade_of(a, level);
    for (int y = 0; y < pixmap->high; y++)
        for (int x = 0; x < pixmap->wide; x++)
            pixmap_row(pixmap, y)[x] = COLOUR_TEXT;
    for (int y = 0; y < pixmap->high; y++) {
        int64_t r = y / size;
        for (int64_t k = level->start[r]; k < level->start[r + 1]; k++)
            for (int x = 0; x < size; x++)
                pixmap_row(pixmap, y)[level->col[k] * size + x] =
                    (uint8_t)(COLOUR_DENSITY + shade_level(&shade, density_of(a, level, r, k)));
    }
}

/* Make the cells coarser until they are a small picture, and append it. */
static enum status append_still(const struct csr *a, struct level *level, const char *name,
                                struct text *still)
{
    struct pixmap pixmap = {0};
    struct pixmap_colours colours = {{0}};
    struct text png = {0};
    while (max(level->rows, level->cols) > STILL_SIDE)
        if (level_coarsen(level, NULL) != STATUS_OK) return STATUS_MEMORY;
    int size = (int)max(1, STILL_SIDE / max(level->rows, level->cols));
    if (pixmap_resize(&pixmap, (int)level->rows * size, (int)level->cols * size, NULL) != STATUS_OK)
        return STATUS_MEMORY;
    choose_colours(&colours);
    draw(a, level, size, &pixmap);
    png_write(&pixmap, &colours, &png);
    text_append(still, "<img class=\"still\" width=\"%d\" height=\"%d\" alt=\"Pattern of ", pixmap.wide,
                pixmap.high);
    html_words_most(still, name, TITLE_MAX);
    text_append(still, "\" src=\"data:image/png;base64,");
    if (!png.failed) base64_append(still, png.data, png.length);
    text_append(still, "\">");
    bool failed = png.failed || still->failed;
    text_free(&png);
    pixmap_free(&pixmap);
    return failed ? STATUS_MEMORY : STATUS_OK;
}

/* The element in which page.js draws the picture. */
static void begin_figure(const struct csr *a, const struct level *level, bool ones, const char *name,
                         struct text *text)
{
    text_append(text,
                "<figure class=\"pattern\" data-rows=\"%lld\" data-cols=\"%lld\" data-row-step=\"%lld\" "
                "data-col-step=\"%lld\" data-cells=\"%lld\"%s data-name=\"",
                (long long)a->rows, (long long)a->cols, (long long)level->row_step,
                (long long)level->col_step, (long long)level_number(level), ones ? " data-ones=\"\"" : "");
    html_words_most(text, name, TITLE_MAX);
    text_append(text, "\">\n");
}

static void end_figure(const struct level *finest, const struct text *still, struct text *text)
{
    char rows[32], cols[32];
    text_append(text, "%s\n<figcaption>Pattern: ", still->data);
    if (finest->row_step == 1 && finest->col_step == 1)
        text_append(text, "the highest zoom shows every position.");
    else
        text_append(text, "at the highest zoom a cell is %s &times; %s positions, with its exact count.",
                    format_count(rows, sizeof rows, finest->row_step),
                    format_count(cols, sizeof cols, finest->col_step));
    text_append(text, " In the picture arrows move, + and - zoom, 0 shows all; after a click the wheel "
                      "zooms.<noscript> Zooming needs JavaScript.</noscript></figcaption>\n"
                      "</figure>\n");
}

static enum status append_figure(const struct matrix_case *matrix_case, struct level *level, size_t most,
                                 struct text *text, struct text *still)
{
    const struct matrix *matrix = &matrix_case->matrix;
    struct text packed = {0};
    bool ones = false;
    enum status status = cells_pack(level, (most - ELEMENTS_MAX) / 4 * 3, CELLS_MAX, &ones, &packed);
    if (status == STATUS_OK) {
        const struct level finest = *level; /* its steps */
        begin_figure(&matrix->csr, level, ones, matrix->name, text);
        text_append(text, "<script type=\"text/plain\" class=\"cells\">");
        base64_append(text, packed.data, packed.length);
        text_append(text, "</script>\n");
        status = append_still(&matrix->csr, level, matrix->name, still);
        if (status == STATUS_OK) end_figure(&finest, still, text);
    }
    text_free(&packed);
    return status;
}

enum status html_pattern(const struct session *session, const struct matrix_case *matrix_case, size_t most,
                         struct text *text, struct text *still)
{
    struct level level = {0};
    if (case_nnz(matrix_case) == 0) {
        text_append(text, "<p>There is no pattern to show: the matrix has no entries.</p>\n");
        return STATUS_OK;
    }
    enum status status = make_cells(session, matrix_case, &level);
    if (status == STATUS_LIMIT) {
        text_append(text, "<p class=\"bad\">%s</p>\n",
                    case_has_entries(matrix_case) ? "Not enough memory for the pattern."
                                                  : "The saved report does not carry the pattern.");
        return STATUS_OK;
    }
    if (status == STATUS_OK) status = append_figure(matrix_case, &level, most, text, still);
    level_free(&level);
    return status == STATUS_OK && text->failed ? STATUS_MEMORY : status;
}
