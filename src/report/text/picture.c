#include "report/text/picture.h"

#include <string.h>

#include "base/range.h"
#include "drawing/cells.h"
#include "report/figures/figure.h"
#include "report/text/text.h"

/* Lines of the picture: a square matrix is about as wide as half of the report. A small matrix has fewer
 * lines: two for each row, and AROUND for the axis, the frame and the words. */
#define PICTURE_HIGH 24
#define AROUND 5

/* Append the lines of the surface, indented like the numbers of a section. */
static void append_lines(const struct surface *surface, struct text *text)
{
    struct text lines = {0};
    cells_write(surface, PALETTE_NONE, true, &lines);
    for (const char *line = lines.data; line && *line;) {
        const int length = (int)strcspn(line, "\n");
        text_append(text, "%s%.*s\n", length ? "  " : "", length, line);
        line += length + (line[length] == '\n');
    }
    text->failed = text->failed || lines.failed;
    text_free(&lines);
}

enum status text_picture(const struct session *session, const struct matrix_case *of, bool ascii,
                         struct text *text)
{
    const struct figure *figure = figure_find("pattern");
    const struct figure_subject subject = {
        .session = session, .of = (struct matrix_case *)of, .row = -1, .col = -1, .bare = true};
    const struct csr *a = &of->matrix.csr;
    const int64_t high = AROUND + 2 * max(a->rows, a->cols / 2);
    const struct rect all = {0, 0, (int)min(PICTURE_HIGH, high), REPORT_WIDE - 2};
    struct surface surface = {0};
    struct cells cells;
    if (a->rows == 0 || a->cols == 0 || !case_has(of, TEXT_PICTURE_NEEDS)) return STATUS_OK;
    struct canvas canvas = cells_begin(&cells, &surface, all, ascii ? CELLS_ASCII : CELLS_BRAILLE, true);
    enum status status = surface_resize(&surface, all.high, all.wide, NULL);
    if (status == STATUS_OK) status = figure->draw(&subject, &canvas, NULL);
    if (status == STATUS_OK) {
        text_append(text, "\nPattern\n");
        append_lines(&surface, text);
    }
    surface_free(&surface);
    return status;
}
