/* What stands above the lists: what the matrix is, the advice, the verdict on formats, what the file says of
 * itself, and notes. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/summary/bars.h"
#include "ui/summary/summary.h"

/* A long name is cut for the sizes behind it, but so many columns of it are kept. */
#define NAME_MIN 10

/* On top there are a line that says what the matrix is, the advice, and the verdict. What the file says
 * follows. */
#define HEAD_HIGH 3

/* On a screen with fewer lines every one is for the lists. */
#define AIRY_HIGH 22

/* At most so many lines show notes. */
#define NOTES_MAX 4

/* A screen of so many lines shows the beginning of the file's own notes, in so many lines. */
#define NOTED_HIGH 40
#define ABOUT_NOTE_LINES 2

/* Return the number of lines for the notes. */
static int note_lines(const struct matrix *matrix)
{
    int lines = 0;
    for (const char *note = matrix->notes.data; note && *note && lines < NOTES_MAX; lines++) {
        note += strcspn(note, "\n");
        note += *note == '\n';
    }
    return lines;
}

/* Return the number of lines of a screen that is `high` for what the file says of itself: one if it says
 * something, and on high screens some for its notes. */
static int about_lines(const struct matrix *matrix, int high)
{
    const char *text, *name;
    int lines = 0;
    for (int k = 0; lines == 0 && (text = about_text(&matrix->about, k, &name)); k++)
        lines = text[0] != 0;
    return lines + (matrix->about.notes[0] && high >= NOTED_HIGH ? ABOUT_NOTE_LINES : 0);
}

int summary_head_high(const struct matrix *matrix, int high)
{
    int lines = about_lines(matrix, high) + note_lines(matrix);
    return HEAD_HIGH + (lines > 0 ? lines : high >= AIRY_HIGH);
}

/* Write the notes, each on a line of its own; on the last line for them, as many as it holds. */
static void draw_notes(const struct matrix *matrix, struct surface *surface, int y, int left, int wide)
{
    int last = y + note_lines(matrix) - 1, x = left;
    for (const char *note = matrix->notes.data; note && *note && x < left + wide;) {
        int length = (int)strcspn(note, "\n");
        int used = surface_text(surface, y, x, left + wide - x, COLOUR_WARN, 0, "%.*s", length, note) + 2;
        if (y < last)
            y++;
        else
            x += used;
        note += length + (note[length] == '\n');
    }
}

/* Write what the file says of itself. */
static void draw_about(const struct about *about, struct surface *surface, int y, int x, int wide)
{
    const char *text, *name;
    struct flow flow = {.surface = surface, .rect = {y, x, 1, wide}};
    for (int k = 0; (text = about_text(about, k, &name)); k++)
        if (text[0])
            flow_item(&flow, k ? COLOUR_DIM : COLOUR_TEXT, "%s%s",
                      strcmp(name, "author") == 0   ? "by "
                      : strcmp(name, "editor") == 0 ? "edited by "
                      : strcmp(name, "id") == 0     ? "number "
                                                    : "",
                      text);
}

/* Write as many words of the file's notes as two lines have room for. */
static void draw_file_notes(const struct about *about, struct surface *surface, int y, int x, int wide)
{
    struct flow flow = {.surface = surface, .rect = {y, x, ABOUT_NOTE_LINES, wide}};
    bool fits = flow_words(&flow, COLOUR_DIM, "Notes:");
    for (const char *line = about->notes; *line && fits;) {
        char words[ABOUT_TEXT];
        int length = (int)strcspn(line, "\n");
        snprintf(words, sizeof words, "%.*s", length, line);
        fits = flow_words(&flow, COLOUR_DIM, words);
        line += length + (line[length] == '\n');
    }
}

/* Write what the file is, if there is room for it. */
static void draw_format(const struct matrix *matrix, struct surface *surface, int y, int x, int wide)
{
    char words[160];
    bool named = matrix->variable && matrix->variable[0];
    int length = snprintf(words, sizeof words, ", %s%s%s", matrix->format ? matrix->format : "",
                          named ? ", " : "", named ? matrix->variable : "");
    if (matrix->format && length <= wide && length < (int)sizeof words)
        surface_text(surface, y, x, wide, COLOUR_DIM, 0, "%s", words);
}

/* Write what the order costs whoever multiplies in it: x and y have to be permuted. */
static void write_order(const struct explorer *explorer, struct flow *flow)
{
    const struct matrix_case *shown = explorer->session->shown;
    char permuted[32];
    if (shown->reordering.choice.order)
        flow_item(flow, COLOUR_TEXT, "x and y permuted in %s a product.",
                  format_seconds(permuted, sizeof permuted, shown->reordering.permute_seconds));
}

void summary_draw_head(const struct explorer *explorer, const struct advice_line *advice,
                       struct surface *surface, struct rect area)
{
    const struct matrix *matrix = &explorer->session->shown->matrix;
    char rows[32], cols[32], nnz[32];
    char what[160];
    int room = area.wide - 2,
        length = snprintf(what, sizeof what, "%s x %s, %s entries, %s %s%s",
                          format_count(rows, sizeof rows, matrix->csr.rows),
                          format_count(cols, sizeof cols, matrix->csr.cols),
                          format_count(nnz, sizeof nnz, case_nnz(explorer->session->shown)),
                          field_name(matrix->field), symmetry_name(matrix->symmetry),
                          matrix->transposed ? ", transposed" : "");
    int name = room - length - 2 > NAME_MIN ? room - length - 2 : NAME_MIN;
    int x = area.left + 1;
    x += surface_text(surface, area.top, x, name, COLOUR_TITLE, ATTRIBUTE_BOLD, "%s",
                      matrix->name ? matrix->name : "") +
         2;
    int end = area.left + area.wide - 1;
    x += surface_text(surface, area.top, x, end - x, COLOUR_TEXT, 0, "%s", what);
    draw_format(matrix, surface, area.top, x, end - x);
    struct flow verdict = {.surface = surface, .rect = {area.top + 2, area.left + 1, 1, area.wide - 2}};
    advice_line_draw(advice, explorer->session, explorer->ascii, surface, area.top + 1, area.left + 1,
                     area.wide - 2);
    format_bars_verdict(explorer->session, &verdict);
    write_order(explorer, &verdict);
    draw_about(&matrix->about, surface, area.top + HEAD_HIGH, area.left + 1, area.wide - 2);
    int lines = about_lines(matrix, area.high);
    if (lines >= ABOUT_NOTE_LINES)
        draw_file_notes(&matrix->about, surface, area.top + HEAD_HIGH + lines - ABOUT_NOTE_LINES,
                        area.left + 1, area.wide - 2);
    draw_notes(matrix, surface, area.top + HEAD_HIGH + lines, area.left + 1, area.wide - 2);
}
