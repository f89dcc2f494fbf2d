/* The lines above the lists: the matrix, the advice, the peculiarities of the matrix, the file's own
 * description, and notes. */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "ui/summary/bars.h"
#include "ui/summary/summary.h"

/* The minimum number of columns of a name that is cut to make room for the sizes. */
#define NAME_MIN 10

/* The lines above the portrait: a description of the matrix, and the advice. */
#define HEAD_HIGH (1 + ADVICE_LINE_HIGH)

/* The maximum number of lines for notes. */
#define NOTES_MAX 4

/* The height from which a screen shows the beginning of the file's own notes, and the lines for them. */
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

/* Return the number of lines for the file's own description in a screen of height `high`. High screens have
 * more for the file's notes. */
static int about_lines(const struct matrix *matrix, int high)
{
    const char *text, *name;
    int lines = 0;
    for (int k = 0; lines == 0 && (text = about_text(&matrix->about, k, &name)); k++)
        lines = text[0] != 0;
    return lines + (matrix->about.notes[0] && high >= NOTED_HIGH ? ABOUT_NOTE_LINES : 0);
}

/* Return the number of lines for the portrait in a screen of height `high`. High screens have room for all
 * sentences; low ones leave the lists enough room. The number is constant, so that lists do not move when a
 * sentence is added. */
static int portrait_lines(int high)
{
    return high >= 32 ? PORTRAIT_MAX : high >= 18 ? 3 : high >= 12 ? 2 : 0;
}

int summary_head_high(const struct matrix *matrix, int high)
{
    return HEAD_HIGH + portrait_lines(high) + about_lines(matrix, high) + note_lines(matrix);
}

/* Write each note on a line of its own. The last line holds as many of the remaining ones as fit. */
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

/* Write the file's own description. */
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

/* Write the words of the file's notes that fit in two lines. */
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

/* Write the file's format, if there is room for it. */
static void draw_format(const struct matrix *matrix, struct surface *surface, int y, int x, int wide)
{
    char words[160];
    bool named = matrix->variable && matrix->variable[0];
    int length = snprintf(words, sizeof words, ", %s%s%s", matrix->format ? matrix->format : "",
                          named ? ", " : "", named ? matrix->variable : "");
    if (matrix->format && length <= wide && length < (int)sizeof words)
        surface_text(surface, y, x, wide, COLOUR_DIM, 0, "%s", words);
}

/* Write the cost of the order per product: x and y must be permuted. */
static void write_order(const struct explorer *explorer, struct flow *flow)
{
    const struct matrix_case *shown = explorer->session->shown;
    char permuted[32], words[80];
    if (!shown->reordering.choice.order) return;
    snprintf(words, sizeof words, "x and y are permuted in %s per product.",
             format_seconds(permuted, sizeof permuted, shown->reordering.permute_seconds));
    flow_sentence(flow, COLOUR_TEXT, words);
}

/* Write the sentences, with `apart` each on a line of its own. False if not all fit. */
static bool write_portrait(const struct explorer *explorer, const struct portrait *portrait, bool apart,
                           struct flow *flow)
{
    bool fits = true;
    write_order(explorer, flow);
    if (format_bars_none(explorer->session) && case_has_entries(explorer->session->shown))
        flow_sentence(flow, COLOUR_BAD, "No format can hold this matrix within the limit.");
    for (int k = 0; k < portrait->count; k++) {
        if (apart && flow->column > 0) flow_break(flow);
        fits &= flow_sentence(flow, COLOUR_TEXT, portrait->sentence[k]);
    }
    return fits;
}

/* Draw the portrait: each sentence on its own line, else all without line breaks, else only the most peculiar
 * ones. */
static void draw_portrait(const struct explorer *explorer, struct portrait portrait, struct surface *surface,
                          struct rect rect)
{
    struct flow flow = {.rect = rect}, all = {.rect = rect};
    const bool apart = write_portrait(explorer, &portrait, true, &flow);
    while (!apart && portrait.count > 0 && !write_portrait(explorer, &portrait, false, &all)) {
        portrait_shorten(&portrait);
        all = (struct flow){.rect = rect};
    }
    flow = (struct flow){.surface = surface, .rect = rect};
    write_portrait(explorer, &portrait, apart, &flow);
}

void summary_draw_head(const struct explorer *explorer, const struct summary *summary,
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
    int y = area.top + 1, left = area.left + 1, wide = area.wide - 2, lines = portrait_lines(area.high);
    advice_line_draw(&summary->advice, explorer->session, explorer->ascii, surface, y, left, wide);
    y += ADVICE_LINE_HIGH;
    draw_portrait(explorer, summary->portrait, surface, (struct rect){y, left, lines, wide});
    y += lines;
    draw_about(&matrix->about, surface, y, left, wide);
    y += about_lines(matrix, area.high);
    if (about_lines(matrix, area.high) >= ABOUT_NOTE_LINES)
        draw_file_notes(&matrix->about, surface, y - ABOUT_NOTE_LINES, left, wide);
    draw_notes(matrix, surface, y, left, wide);
}
