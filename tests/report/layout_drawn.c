/* report/figures: the picture of a format's layout, for all formats: its lines, its cells and
 * their texts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/list.h"
#include "report/figures/figure.h"
#include "support/recorded.h"

static const char *const names[] = {"gen:laplace2d,n=5", "gen:random,m=70,n=30,mean=2",
                                    "gen:random,m=12,n=90,mean=20", "gen:arrow,n=30"};
#define NAMES (sizeof names / sizeof *names)

/* The numbers in a picture's heading. */
struct caption {
    long long first, last, wide;
    char what[32];
};

static bool read_caption(const struct recorded *recorded, struct caption *caption)
{
    for (int k = 0; k < recorded->count; k++)
        if (sscanf(recorded->items[k].words, "cells %lld to %lld of %lld, all from 0: %31s", &caption->first,
                   &caption->last, &caption->wide, caption->what) == 4)
            return true;
    return false;
}

/* Count the cells of the picture that are highlighted as the marked entry. The picture is above the first
 * array. */
static int marked_cells(const struct recorded *recorded, const char *array, const char *words)
{
    const struct drawn *end = recorded_text(recorded, array);
    int marked = 0;
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *item = &recorded->items[k];
        if (item->kind != DRAWN_TEXT || item->colour != COLOUR_CURSOR || (end && item->y >= end->y)) continue;
        const char *at = strchr(item->words, '@');
        assert_string_equal(at ? at + 1 : item->words, words);
        marked++;
    }
    return marked;
}

/* Count the drawn cells of the marked line: texts at its height, except for its label. */
static int cells_beside(const struct recorded *recorded, const struct drawn *cell)
{
    int beside = 0;
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *item = &recorded->items[k];
        beside += item->kind == DRAWN_TEXT && item->y == cell->y && item->anchor == ANCHOR_END;
    }
    return beside - 1;
}

static const struct drawn *marked_cell(const struct recorded *recorded)
{
    for (int k = 0; k < recorded->count; k++)
        if (recorded->items[k].kind == DRAWN_TEXT && recorded->items[k].colour == COLOUR_CURSOR)
            return &recorded->items[k];
    return NULL;
}

/* Count the cells of a line that have a text. Cells that belong to neither a row nor a column have none. */
static int cells_of_line(const struct storage *storage, int64_t line, const struct caption *caption)
{
    int cells = 0;
    for (int64_t c = caption->first; c <= caption->last; c++) {
        const int64_t e = storage->format->cell(storage, line, c);
        if (e < 0) break;
        const struct place place = storage->format->place(storage, 0, e);
        cells += place.row >= 0 || place.col >= 0;
    }
    return cells;
}

static void check(const struct figure_subject *subject, const struct recorded *recorded, int wide)
{
    const struct storage *storage = subject->storage;
    const struct csr *a = &subject->of->matrix.csr;
    const struct shape shape =
        storage->format->shape ? storage->format->shape(storage) : (struct shape){.wide = 0};
    const struct spot spot = storage_spot(storage, a, (struct place){subject->row, subject->col},
                                          csr_find(a, subject->row, subject->col));
    struct caption caption;
    char index[32];
    int64_t line, at;
    assert_int_equal(read_caption(recorded, &caption), shape.wide > 0 && shape.lines > 0);
    if (shape.wide == 0 || shape.lines == 0) return;
    const bool by_columns = shape.line == LINE_COLUMN;
    const char *what = by_columns ? "row" : "column", *both = by_columns ? "value@row" : "value@column";
    assert_string_equal(caption.what, wide > 1000 ? both : strchr(caption.what, '@') ? both : what);
    assert_int_equal(caption.wide, shape.wide);
    assert_true(caption.first >= 0 && caption.first <= caption.last && caption.last < shape.wide);
    storage->format->find(storage, &spot, &line, &at);
    if (at < 0) { /* in another part than that of the picture */
        assert_int_equal(marked_cells(recorded, storage->array[0].name, "none"), 0);
        return;
    }
    assert_true(at >= caption.first && at <= caption.last);
    snprintf(index, sizeof index, "%lld", (long long)(by_columns ? spot.place.row : spot.place.col));
    assert_int_equal(marked_cells(recorded, storage->array[0].name, index), 1);
    assert_int_equal(cells_beside(recorded, marked_cell(recorded)), cells_of_line(storage, line, &caption));
}

static void try_format(struct figure_subject *subject, const char *name, int wide)
{
    struct format_list list = {0};
    struct error error = {0};
    if (format_list_add(&list, name, &error) != STATUS_OK) fail_msg("%s", error.message);
    struct conversion *conversion = conversions_want(&subject->of->conversions, &list.choices[0], &error);
    conversion->keep = true;
    if (conversion_build(conversion, 0, NULL, &error) != STATUS_OK) fail_msg("%s", error.message);
    subject->storage = conversion->storage;
    const struct csr *a = &subject->of->matrix.csr;
    for (int64_t k = 0; k < csr_nnz(a); k += 1 + csr_nnz(a) / 9) {
        struct recorded *recorded = recorded_new(wide, 700);
        subject->row = csr_row_of(a, k);
        subject->col = a->col[k];
        assert_int_equal(figure_find("layout")->draw(subject, &recorded->canvas, NULL), STATUS_OK);
        check(subject, recorded, wide);
        free(recorded);
    }
    format_list_free(&list);
}

static void lines_and_cells_are_those_around_the_entry(void **state)
{
    static const char *const choices[] = {
        "coo", "csr",       "csc", "ell", "ell:layout=rows", "hyb", "jds", "cmrs", "sell:c=4,sigma=8",
        "dia", "bsr:size=2"};
    for (size_t n = 0; n < NAMES; n++) {
        struct session session = {0};
        const struct load_options options = {0};
        assert_int_equal(session_load(&session, names[n], &options, NULL, NULL), STATUS_OK);
        struct figure_subject subject = {.session = &session, .of = session.shown};
        for (size_t c = 0; c < sizeof choices / sizeof *choices; c++)
            for (int wide = 300; wide <= 1200; wide += 450)
                try_format(&subject, choices[c], wide);
        session_free(&session);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_and_cells_are_those_around_the_entry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
