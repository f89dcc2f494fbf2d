#include "support/view.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "matrix/columns.h"

void *stage_open(struct stage *stage, const struct view *view, struct csr a, enum field field, int high,
                 int wide)
{
    struct error error = {0};
    memset(stage, 0, sizeof *stage);
    struct session *session = &stage->session;
    struct matrix matrix = {0};
    session->shown = session_add_case(session, "natural", &matrix, &error);
    assert_non_null(session->shown);
    session->shown->matrix.csr = a;
    session->shown->matrix.field = field;
    assert_int_equal(lengths_of_rows(&a, NULL, &session->shown->row_lengths, &error), STATUS_OK);
    assert_int_equal(lengths_of_columns(&a, NULL, &session->shown->col_lengths, &error), STATUS_OK);
    assert_int_equal(structure_of(&a, NULL, &session->shown->structure, &error), STATUS_OK);
    assert_int_equal(pyramid_build(&a, NULL, &session->shown->pyramid, &error), STATUS_OK);
    assert_int_equal(column_offsets(&a, 0, NULL, &session->shown->col_ptr, &error), STATUS_OK);
    assert_int_equal(spans_make(a.row_ptr, a.rows, &session->shown->row_spans, &error), STATUS_OK);
    assert_int_equal(spans_make(session->shown->col_ptr, a.cols, &session->shown->col_spans, &error),
                     STATUS_OK);
    atomic_store(&session->shown->ready, 63u | SESSION_ENTRIES);
    assert_int_equal(
        session_need(session, NULL, SESSION_VALUES | SESSION_COMPONENTS | SESSION_COSTLY, NULL, &error),
        STATUS_OK);
    stage->explorer = (struct explorer){.session = session, .colours = true, .shades = true};
    stage->view = view;
    stage->state = view->open(&stage->explorer, &error);
    assert_non_null(stage->state);
    explorer_move(&stage->explorer, 0, 0);
    stage_resize(stage, high, wide);
    return stage->state;
}

void stage_close(struct stage *stage)
{
    stage->view->close(stage->state);
    session_free(&stage->session);
    surface_free(&stage->surface);
    text_free(&stage->picture);
}

void stage_resize(struct stage *stage, int high, int wide)
{
    assert_int_equal(surface_resize(&stage->surface, high, wide, NULL), STATUS_OK);
    stage_draw(stage);
}

/* True if two letters of secondary text, a warning or a fault, with a blank between them, are all bold. */
static bool bold_sentence(const struct cell *cell)
{
    for (int k = 0; k < 3; k++) {
        const enum colour colour = cell[k].foreground;
        const bool aside = colour == COLOUR_DIM || colour == COLOUR_WARN || colour == COLOUR_BAD;
        if (!aside || !(cell[k].attributes & ATTRIBUTE_BOLD) || (cell[k].character == ' ') != (k == 1))
            return false;
    }
    return true;
}

/* Dots and blocks, of which pictures consist. */
static bool is_picture(uint32_t character)
{
    return (character >= 0x2580 && character < 0x25a0) || (character >= 0x2800 && character < 0x2900);
}

/* Bold is for headings, marked names and important values, never for asides; pictures are not bold. Without
 * Unicode, drawings use ASCII only, but names may have letters such as ł. */
static void check_look(struct stage *stage)
{
    const struct surface *surface = &stage->surface;
    const int wide = surface->wide, cells = surface->high * wide;
    for (int k = 0; k < cells; k++) {
        const struct cell *cell = &surface->cells[k];
        const uint32_t character = cell->character;
        if (stage->explorer.ascii &&
            (character < ' ' || (character > '~' && (character < 0xc0 || character >= 0x180))))
            fail_msg("row %d, column %d is not ASCII:\n%s", k / wide, k % wide, stage_dump(stage));
        if (cell->attributes & ATTRIBUTE_BOLD && is_picture(character))
            fail_msg("row %d, column %d: a picture is bold:\n%s", k / wide, k % wide, stage_dump(stage));
        if (cell->attributes & ATTRIBUTE_BOLD && k % wide + 2 < wide && bold_sentence(cell))
            fail_msg("row %d, column %d: a sentence of colour %d is bold:\n%s", k / wide, k % wide,
                     cell->foreground, stage_dump(stage));
    }
}

void stage_draw(struct stage *stage)
{
    surface_clear(&stage->surface);
    stage->view->draw(&stage->explorer, stage->state, &stage->surface,
                      (struct rect){0, 0, stage->surface.high, stage->surface.wide});
    check_look(stage);
}

void stage_keys(struct stage *stage, const int *keys, int count)
{
    for (int k = 0; k < count; k++) {
        if (keys[k] == 'x' && stage->view->retry) /* keys of all screens ask the view first */
            stage->view->retry(&stage->explorer, stage->state);
        else if (!view_take_key(&stage->explorer, stage->view, stage->state, keys[k]) &&
                 keys[k] == UIKEY_BACKSPACE && stage->view->back)
            stage->view->back(&stage->explorer, stage->state);
        stage_draw(stage);
    }
}

void stage_answer(struct stage *stage, const char *text)
{
    assert_true(stage->explorer.question.asked);
    stage->explorer.question.asked = false;
    view_take_answer(&stage->explorer, stage->view, stage->state, text);
    stage_draw(stage);
}

void stage_move(struct stage *stage, int64_t row, int64_t col)
{
    explorer_move(&stage->explorer, row, col);
    stage_draw(stage);
}

void stage_work(struct stage *stage)
{
    struct errand *errand = stage->explorer.errand;
    assert_non_null(errand);
    for (int k = 0; errand->state == ERRAND_WANTED && k < 2; k++) {
        struct error error = {0};
        enum status status = errand->run(errand->argument, NULL, &error);
        errand->state = status == STATUS_OK ? ERRAND_DONE : ERRAND_FAILED;
        stage_draw(stage);
    }
}

void stage_type(struct stage *stage, const char *characters)
{
    for (; *characters; characters++)
        stage_keys(stage, (int[]){*characters}, 1);
}

void stage_mouse(struct stage *stage, int kind, int y, int x)
{
    struct mouse mouse = {.y = y, .x = x};
    mouse.kind = kind;
    view_take_mouse(&stage->explorer, stage->view, stage->state, &mouse);
    stage_draw(stage);
}

const struct cell *stage_find(const struct stage *stage, const char *text)
{
    const struct surface *surface = &stage->surface;
    int length = (int)strlen(text);
    for (int y = 0; y < surface->high; y++)
        for (int x = 0; x + length <= surface->wide; x++) {
            const struct cell *cell = &surface->cells[y * surface->wide + x];
            int same = 0;
            while (same < length && cell[same].character == (unsigned char)text[same])
                same++;
            if (same == length) return cell;
        }
    fail_msg("no '%s' on the screen", text);
    return NULL;
}

const char *stage_dump(struct stage *stage)
{
    text_free(&stage->picture);
    stage->picture = (struct text){0};
    surface_dump(&stage->surface, &stage->picture);
    return stage->picture.data ? stage->picture.data : "";
}

void stage_key(struct stage *stage, int k)
{
    stage_keys(stage, &k, 1);
}
