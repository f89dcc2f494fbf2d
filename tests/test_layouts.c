/* ui/view_layouts and what it is made of: the arrays side by side, how they are lit, how one moves in them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support.h"
#include "ui/flow.h"
#include "ui/layouts.h"
#include "ui/view_layouts.h"
#include "view_support.h"

/* Figure 10.1 of PMPP: data/pmpp.mtx. */
static struct csr pmpp(void)
{
    static const double dense[] = {3, 0, 1, 0, 0, 0, 0, 0, 0, 2, 4, 1, 1, 0, 0, 1};
    return support_dense(4, 4, dense);
}

static struct layouts *layouts_of(struct stage *stage)
{
    return stage->state;
}

/* Build what is wanted, as the background does, and draw it. */
static void build(struct stage *stage)
{
    struct session *session = &stage->session;
    for (int round = 0; round < 3; round++) {
        const struct conversions_shown *shown = &stage->explorer.shown;
        for (int k = 0; k < shown->count; k++) {
            struct conversion *item = shown->items[k];
            if (item->declined) continue;
            assert_int_equal((item->keep ? conversion_build : conversion_plan)(item, &session->matrix.csr,
                                                                               session->limit, NULL, NULL),
                             STATUS_OK);
        }
        stage_draw(stage);
    }
}

/* Open the screen with these formats, the last name being NULL. */
static void open_with(struct stage *stage, struct csr a, int high, int wide, const char *const *names)
{
    stage_open(stage, &view_layouts, a, FIELD_REAL, high, wide);
    struct layouts *layouts = layouts_of(stage);
    layouts->count = 0;
    layouts->tentative = false;
    for (int k = 0; names[k]; k++) {
        char name[64];
        snprintf(name, sizeof name, "%s", names[k]);
        char *colon = strchr(name, ':');
        if (colon) *colon = 0;
        layouts_add(&stage->explorer, layouts, format_find(name), colon ? colon + 1 : "");
    }
    layouts_update(&stage->explorer, layouts);
    build(stage);
}

static void shows(struct stage *stage, const char *text)
{
    if (!strstr(stage_dump(stage), text)) fail_msg("no '%s' in\n%s", text, stage_dump(stage));
}

static void hides(struct stage *stage, const char *text)
{
    if (strstr(stage_dump(stage), text)) fail_msg("'%s' in\n%s", text, stage_dump(stage));
}

static void key(struct stage *stage, int k)
{
    stage_keys(stage, &k, 1);
}

static void at(struct stage *stage, int64_t row, int64_t col)
{
    if (stage->explorer.cursor.row == row && stage->explorer.cursor.col == col) return;
    fail_msg("the cursor is at %lld, %lld and not at %lld, %lld in\n%s",
             (long long)stage->explorer.cursor.row, (long long)stage->explorer.cursor.col, (long long)row,
             (long long)col, stage_dump(stage));
}

/* Characters with this background. */
static int lit(const struct stage *stage, enum colour background)
{
    int count = 0;
    for (int k = 0; k < stage->surface.high * stage->surface.wide; k++)
        count += stage->surface.cells[k].background == (uint8_t)background;
    return count;
}

/* Move the focus to the array with this name. */
static void focus_on(struct stage *stage, const char *name)
{
    struct layouts *layouts = layouts_of(stage);
    for (int k = 0; k < 40; k++) {
        const struct storage *storage = &layouts->panels[layouts->focus.panel].shown->storage;
        int q = layouts->focus.array;
        if (q >= 0 && strcmp(storage->array[q].name, name) == 0) return;
        key(stage, ']');
    }
    fail_msg("no array %s", name);
}

/* Figure 10.2 of PMPP, and the same entries in coordinates. */
static void arrays_stand_side_by_side(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    shows(&stage, " CSR  csr");
    shows(&stage, " COO  coo");
    shows(&stage, " row_ptr      0    2    2    5    7");
    shows(&stage, " col         0   2│  1   2   3│  0   3");
    shows(&stage, " val         3   1│  2   4   1│  1   1");
    shows(&stage, " row         0   0│  2   2   2│  3   3");
    shows(&stage, "    0 │   3@0   1@2");
    shows(&stage, "    1 │     ");
    shows(&stage, "    2 │   2@1   4@2   1@3");
    shows(&stage, "104 B  0.812 of dense  7 slots"); /* 7 x 12 + 5 x 4 bytes; of 16 x 8 */
    shows(&stage, "12 integers");
    stage.explorer.ascii = true;
    stage_draw(&stage);
    shows(&stage, " col         0   2:  1   2   3:  0   3");
    for (const char *c = stage_dump(&stage); *c; c++)
        assert_true((unsigned char)*c < 0x80);
    assert_int_equal(stage.surface.cut, 0);
    stage_close(&stage);
}

/* Entry (0, 2): its slot in five arrays and a picture cell; its row's two pointers. */
static void the_cursor_is_lit_in_all_of_them(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    explorer_move(&stage.explorer, 0, 2);
    stage_draw(&stage);
    assert_int_equal(lit(&stage, COLOUR_CURSOR), 5 * 3 + 5); /* cells of 3, and of 5 in the picture */
    assert_int_equal(lit(&stage, COLOUR_MARK), 2 * 4);
    hides(&stage, "no entry");
    explorer_move(&stage.explorer, 0, 1); /* an empty place */
    stage_draw(&stage);
    assert_int_equal(lit(&stage, COLOUR_CURSOR), 0);
    assert_int_equal(lit(&stage, COLOUR_MARK), 0);
    shows(&stage, "no entry at the cursor");
    int dim = 0;
    for (int k = 0; k < 21 * 80; k++)
        dim += stage.surface.cells[k].foreground == COLOUR_MARK;
    assert_int_equal(dim, 2 * 4); /* the row's pointers */
    stage_close(&stage);
}

static void moving_along_an_array_moves_the_cursor(void **state)
{
    (void)state;
    static const int places[][2] = {{0, 0}, {0, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 0}, {3, 3}};
    static const int rows[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 0}};
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    focus_on(&stage, "col");
    for (int k = 0; k < 7; k++, key(&stage, UIKEY_RIGHT))
        at(&stage, places[k][0], places[k][1]);
    at(&stage, 3, 3); /* there it ends */
    key(&stage, UIKEY_HOME);
    at(&stage, 0, 0);
    key(&stage, UIKEY_LEFT);
    at(&stage, 0, 0);
    focus_on(&stage, "row_ptr");
    for (int k = 0; k < 4; k++, key(&stage, UIKEY_RIGHT))
        at(&stage, rows[k][0], rows[k][1]); /* row 1 is empty: the column stays */
    at(&stage, 3, 0);                       /* the last pointer leads nowhere */
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    shows(&stage, "row_ptr[4] = 7");
    key(&stage, UIKEY_LEFT);
    assert_int_equal(layouts_of(&stage)->focus.element, 3);
    key(&stage, UIKEY_END);
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    focus_on(&stage, "row"); /* of the next panel */
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
    assert_int_equal(layouts_of(&stage)->focus.element, 5); /* where the cursor is: (3, 0) */
    explorer_move(&stage.explorer, 2, 2);                   /* by another key, such as g */
    stage_draw(&stage);
    assert_int_equal(layouts_of(&stage)->focus.element, 3);
    stage_close(&stage);
}

static void the_picture_is_moved_in_as_in_a_plane(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    assert_int_equal(layouts_of(&stage)->focus.array, PICTURE);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 0, 2);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 0, 2);
    key(&stage, UIKEY_DOWN); /* an empty row */
    at(&stage, 1, 2);
    key(&stage, UIKEY_DOWN);
    at(&stage, 2, 1);
    key(&stage, UIKEY_END);
    at(&stage, 2, 3);
    key(&stage, UIKEY_DOWN);
    at(&stage, 3, 3);
    key(&stage, UIKEY_DOWN); /* out of it */
    assert_int_equal(layouts_of(&stage)->focus.array, 0);
    key(&stage, UIKEY_UP);
    assert_int_equal(layouts_of(&stage)->focus.array, PICTURE);
    key(&stage, '}');
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
    key(&stage, UIKEY_BACKSPACE);
    assert_int_equal(layouts_of(&stage)->focus.panel, 0);
    key(&stage, '[');
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
    stage_close(&stage);
}

/* A click on each cell of the strips puts the focus there. */
static void a_click_is_where_it_is_seen(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    struct layouts *layouts = layouts_of(&stage);
    int count = layouts->strip_count;
    assert_int_equal(count, 3 + 4 + 3);
    for (int k = 0; k < count; k++) {
        struct strip strip = layouts->strips[k];
        for (int c = 0; c < strip.count; c++) {
            stage_mouse(&stage, MOUSE_PRESS, strip.y, strip.x + c * strip.field + 1);
            assert_int_equal(layouts->focus.panel, strip.panel);
            assert_int_equal(layouts->focus.array, strip.array);
            if (strip.array != PICTURE) assert_int_equal(layouts->focus.element, strip.first + c);
        }
    }
    stage_mouse(&stage, MOUSE_PRESS, 20, 79);
    stage_close(&stage);
}

/* Figure 10.9 of PMPP: the padded rectangle, and below it transposed. Slots 1, 5, 8, 9 and 11 are padding. */
static void padding_is_shaded_and_can_be_walked_over(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"csr", "ell", NULL});
    shows(&stage, "0 │    3@0    1@2 ░░░0@2");
    shows(&stage, "1 │ ░░░0@0 ░░░0@0 ░░░0@0");
    shows(&stage, "2 │    2@1    4@2    1@3");
    shows(&stage, "(indices from 0)");
    hides(&stage, "›");
    shows(&stage, "col         0 ░░0   1   0│  2 ░░0   2   3│░░2 ░░0   3 ░░3");
    shows(&stage, "val         3 ░░0   2   1│  1 ░░0   4   1│░░0 ░░0   1 ░░0");
    shows(&stage, "1.714 slots/nnz"); /* 12 / 7 */
    key(&stage, '}');
    focus_on(&stage, "val");
    key(&stage, UIKEY_END);
    at(&stage, 3, 3); /* the column it repeats */
    shows(&stage, "val[11] = 0");
    shows(&stage, "padding of row 3");
    key(&stage, UIKEY_LEFT);
    at(&stage, 2, 3);
    key(&stage, UIKEY_LEFT);
    at(&stage, 1, 0); /* padding of the empty row */
    assert_int_equal(layouts_of(&stage)->focus.element, 9);
    shows(&stage, "padding of row 1");
    key(&stage, UIKEY_UP); /* the same slot's column */
    assert_int_equal(layouts_of(&stage)->focus.element, 9);
    key(&stage, UIKEY_LEFT);
    at(&stage, 0, 2);
    assert_int_equal(layouts_of(&stage)->focus.element, 8);
    key(&stage, '{');
    key(&stage, '}'); /* elsewhere and back: to the cursor's entry */
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    key(&stage, '>');
    build(&stage);
    shows(&stage, "ell:layout=rows");
    shows(&stage, "val         3   1 ░░0│░░0 ░░0 ░░0│  2   4   1│  1   1 ░░0");
    stage_close(&stage);
}

/* Slots outside the matrix have neither value nor column: DIA's corners, SELL's last rows. */
static void what_lies_beyond_is_a_shade(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"dia", "sell:c=3", NULL});
    shows(&stage, "-3 │ ░░░░░░ ░░░░░░ ░░░░░░    1@0");
    shows(&stage, " 1 │ ░░░0@1 ░░░0@2    1@3 ░░░░░░");
    shows(&stage, "- │ ░░░░░░ ░░░░░░"); /* rows 4 and 5 */
    hides(&stage, "@-1");
    stage_close(&stage);
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"ell:pad=sentinel", "csr", NULL});
    shows(&stage, "1 │ ░░░0@-1 ░░░0@-1 ░░░0@-1"); /* within it: what the array says */
    stage_close(&stage);
}

/* Values that no other look at the array came by: most of its slots are 0. */
static void cells_are_as_wide_as_what_they_show(void **state)
{
    (void)state;
    struct stage stage;
    double dense[64 * 64] = {0};
    for (int i = 0; i < 64; i++)
        dense[65 * i] = 1;
    dense[2] = -0.125;
    open_with(&stage, support_dense(64, 64, dense), 24, 80, (const char *[]){"dia", "csr", NULL});
    shows(&stage, "-0.125@2");
    stage_close(&stage);
}

static bool is_underlined(const struct stage *stage)
{
    const struct surface *surface = &stage->surface;
    for (int k = 0; k < surface->high * surface->wide; k++)
        if (surface->cells[k].attributes & ATTRIBUTE_UNDERLINE && surface->cells[k].background == COLOUR_TEXT)
            return true;
    return false;
}

/* Chunks are ruled off from one another; strips are lines by themselves. */
static void sections_are_ruled_off(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"sell:c=2", NULL});
    assert_true(is_underlined(&stage));
    stage_close(&stage);
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"cmrs:height=1", NULL});
    assert_false(is_underlined(&stage));
    stage_close(&stage);
}

/* Rows by their lengths: 2, 0, 3, 1. */
static void sorted_rows_and_their_permutation(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 120, (const char *[]){"csr", "jds", NULL});
    shows(&stage, "2 │   2@1   4@2   1@3");
    shows(&stage, "perm");
    explorer_move(&stage.explorer, 3, 0);
    stage_draw(&stage);
    const struct conversion *jds = layouts_of(&stage)->panels[1].shown;
    for (int q = 0; q < jds->storage.count; q++)
        if (strcmp(jds->storage.array[q].name, "perm") == 0) {
            struct scene scene = scene_make(&stage.explorer, layouts_of(&stage), 1, &stage.surface);
            assert_int_equal(scene_light(&scene, q, 2), LIGHT_TOUCH); /* row 3 is the third */
            assert_int_equal(scene_light(&scene, q, 1), LIGHT_NONE);
        }
    stage_close(&stage);
}

/* With k = 1 row 2 leaves two entries to COO. */
static void both_parts_of_hyb(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"hyb:k=1", "csr", NULL});
    shows(&stage, "4 slots");
    shows(&stage, "░");
    assert_true(layouts_has_picture(&layouts_of(&stage)->panels[0].shown->storage));
    focus_on(&stage, "coo_val"); /* (0,2), (2,2), (2,3), (3,3) */
    key(&stage, UIKEY_HOME);
    at(&stage, 0, 2);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 2, 2);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 2, 3);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 3, 3);
    key(&stage, UIKEY_RIGHT);
    at(&stage, 3, 3);
    view_layouts.answer(&stage.explorer, stage.state, "k=0"); /* nothing is left of ELL */
    build(&stage);
    assert_false(layouts_has_picture(&layouts_of(&stage)->panels[0].shown->storage));
    stage_close(&stage);
}

/* One row of 30 in 30: ELL takes 900 slots for 59 entries, which is not what one wants to see first. */
static void the_first_two_formats_suit_the_matrix(void **state)
{
    (void)state;
    double dense[30 * 30] = {0};
    for (int i = 0; i < 30; i++)
        dense[i] = dense[i * 30] = 1;
    struct stage stage;
    stage_open(&stage, &view_layouts, support_dense(30, 30, dense), FIELD_REAL, 21, 80);
    build(&stage);
    shows(&stage, " HYB");
    hides(&stage, "ELLPACK");
    assert_true(layouts_has_picture(&layouts_of(&stage)->panels[0].shown->storage));
    stage_close(&stage);
    stage_open(&stage, &view_layouts, pmpp(), FIELD_REAL, 21, 80);
    build(&stage);
    shows(&stage, "ELLPACK");
    stage_close(&stage);
    stage_open(&stage, &view_layouts, pmpp(), FIELD_REAL, 21, 80);
    stage.session.limit = 120; /* ELL takes 144 */
    build(&stage);
    shows(&stage, " HYB");
    stage_close(&stage);
}

/* What is not shown is given up, beginning with what was asked for first. */
static void what_nobody_looks_at_is_freed(void **state)
{
    (void)state;
    struct csr a = pmpp();
    struct conversions all = {0};
    struct conversions_shown shown = {0};
    struct conversion *items[24];
    for (int k = 0; k < 24; k++) {
        char parameters[32];
        snprintf(parameters, sizeof parameters, "k=%d", k);
        items[k] = conversions_want(&all, k ? format_find("hyb") : format_find("csr"), k ? parameters : "",
                                    PRECISION_F64, NULL);
        items[k]->keep = true;
        assert_int_equal(conversion_build(items[k], &a, 0, NULL, NULL), STATUS_OK);
    }
    shown.items[shown.count++] = items[1];
    conversions_trim(&all, &shown, (size_t)1 << 20);
    assert_int_equal(atomic_load(&all.count), 2 + 16); /* CSR is listed, k=1 shown, and the last 16 */
    assert_int_equal(conversion_state(items[0]), CONVERSION_BUILT);
    size_t last = items[23]->size.allocated;
    conversions_trim(&all, &shown, last);
    assert_int_equal(atomic_load(&all.count), 3);
    assert_int_equal(conversion_state(items[0]), CONVERSION_PLANNED);
    assert_null(items[0]->storage.array[0].data);
    assert_int_equal(conversion_state(items[1]), CONVERSION_BUILT);
    assert_int_equal(conversion_state(items[23]), CONVERSION_BUILT);
    conversions_trim(&all, &(struct conversions_shown){0}, 0);
    assert_int_equal(atomic_load(&all.count), 1);
    assert_int_equal(conversion_build(items[0], &a, 0, NULL, NULL), STATUS_OK); /* again */
    assert_int_equal(conversion_state(items[0]), CONVERSION_BUILT);
    conversions_free(&all);
    csr_free(&a);
}

/* Two rows a strip: entries 0 and 1 in strip 0, the others in strip 1, where row 3 is row 1 of the strip. */
static void strips_show_what_is_packed(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "cmrs:height=2,packed=1", NULL});
    shows(&stage, "StripPtr");
    shows(&stage, "ColInd      0  32┃ 16  32  48│  1  49"); /* 16 column + row in strip */
    explorer_move(&stage.explorer, 3, 3);
    stage_draw(&stage);
    shows(&stage, "ColInd[6] = 49");
    shows(&stage, "0011|0001");
    stage_close(&stage);
}

static void parameters_are_stepped_and_typed(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "cmrs:height=2", NULL});
    struct layouts *layouts = layouts_of(&stage);
    key(&stage, '}');
    shows(&stage, "cmrs:height=2");
    key(&stage, '>');
    build(&stage);
    hides(&stage, "cmrs:height=2");
    shows(&stage, "cmrs:height=");
    const struct conversion *stepped = layouts->panels[1].conversion;
    key(&stage, '<');
    build(&stage);
    shows(&stage, "cmrs:height=2 ");
    key(&stage, '>');
    assert_ptr_equal(layouts->panels[1].conversion, stepped); /* still there */
    stage_draw(&stage);
    assert_ptr_equal(layouts->panels[1].shown, stepped);
    key(&stage, 'p');
    assert_true(stage.explorer.question.asked);
    assert_non_null(strstr(stage.explorer.question.text, "height="));
    stage.view->answer(&stage.explorer, stage.state, "height=1");
    build(&stage);
    shows(&stage, "cmrs:height=1 ");
    shows(&stage, "StripPtr       0    2    2    5    7"); /* strips of one row are rows */
    stage.view->answer(&stage.explorer, stage.state, "height=99");
    assert_non_null(strstr(stage.explorer.message, "height"));
    assert_non_null(strstr(stage.explorer.message, "99"));
    build(&stage);
    shows(&stage, "cmrs:height=1 ");
    for (int k = 0; k < 3; k++)
        key(&stage, '<');
    assert_non_null(strstr(stage.explorer.message, "height: 1..16"));
    key(&stage, '{');
    key(&stage, '>');
    assert_string_equal(stage.explorer.message, "csr has no parameters");
    stage_close(&stage);
}

static void single_precision_is_a_key_away(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    shows(&stage, "f64");
    key(&stage, 'f');
    build(&stage);
    hides(&stage, "f64");
    shows(&stage, "76 B"); /* 28 less than 104 */
    stage_close(&stage);
}

static void a_refused_format_says_why(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, &view_layouts, pmpp(), FIELD_REAL, 21, 120);
    stage.session.limit = 100; /* CSR takes 104 bytes */
    build(&stage);
    shows(&stage, "Refused: csr would take 104 B");
    stage_close(&stage);
}

static void a_cancelled_format_waits_to_be_asked_for(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, &view_layouts, pmpp(), FIELD_REAL, 21, 80);
    shows(&stage, "waiting to be converted");
    stage.explorer.shown.items[0]->declined = true;
    build(&stage);
    shows(&stage, "Not converted. x converts it after");
    key(&stage, 'x');
    build(&stage);
    shows(&stage, "row_ptr");
    assert_false(view_layouts.handle(&stage.explorer, stage.state, 'x')); /* that is for all screens */
    stage_close(&stage);
}

/* The list of all formats: Space shows and hides. */
static void formats_are_chosen_from_a_list(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, pmpp(), 21, 80, (const char *[]){"csr", NULL});
    struct layouts *layouts = layouts_of(&stage);
    key(&stage, ' ');
    assert_true(layouts->chooser.open);
    shows(&stage, "[•] csr");
    shows(&stage, "[ ] coo");
    shows(&stage, "[ ] cmrs:packed=1");
    key(&stage, ' '); /* the selected one is that of the panel: one stays */
    assert_int_equal(layouts->count, 1);
    key(&stage, UIKEY_HOME);
    key(&stage, ' ');
    assert_int_equal(layouts->count, 2);
    assert_ptr_equal(layouts->panels[1].conversion->format, formats[0]);
    key(&stage, ' ');
    assert_int_equal(layouts->count, 1);
    key(&stage, ' ');
    key(&stage, UIKEY_ESCAPE);
    assert_false(layouts->chooser.open);
    build(&stage);
    key(&stage, UIKEY_DELETE);
    assert_int_equal(layouts->count, 1);
    stage_close(&stage);
}

/* Keys that move along an array. */
static bool is_along(int k)
{
    return k == UIKEY_LEFT || k == UIKEY_RIGHT || k == UIKEY_HOME || k == UIKEY_END || k == UIKEY_PAGE_UP ||
           k == UIKEY_PAGE_DOWN;
}

/* All formats there are, on matrices of all kinds, with every key: nothing is cut, and the focused element of
 * an array of slots always stands for the cursor's place. */
static void every_format_can_be_walked_through(void **state)
{
    (void)state;
    static const int all_keys[] = {UIKEY_RIGHT, UIKEY_RIGHT, UIKEY_DOWN,      UIKEY_END, UIKEY_LEFT,
                                   UIKEY_UP,    UIKEY_HOME,  UIKEY_PAGE_DOWN, ']',       UIKEY_RIGHT,
                                   ']',         UIKEY_END,   UIKEY_PAGE_UP,   '['};
    const int count = sizeof all_keys / sizeof *all_keys;
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++)
            for (int m = 0; m < 3; m++) {
                struct csr a = m == 0   ? pmpp()
                               : m == 1 ? support_matrix(60, 40, 0.1, true, true, 3)
                                        : support_matrix(300, 500, 0.02, true, false, 5);
                char name[80];
                snprintf(name, sizeof name, "%s:%s", formats[f]->name, formats[f]->variants[v]);
                struct stage stage;
                open_with(&stage, a, 21, 80, (const char *[]){"csr", name, NULL});
                struct layouts *layouts = layouts_of(&stage);
                key(&stage, '}');
                for (int k = 0; k < 60; k++) {
                    key(&stage, all_keys[k % count]);
                    assert_int_equal(stage.surface.cut, 0);
                    const struct conversion *shown = layouts->panels[layouts->focus.panel].shown;
                    if (!shown || layouts->focus.array < 0) continue;
                    const struct array *array = &shown->storage.array[layouts->focus.array];
                    int64_t e = layouts->focus.element;
                    if (!array->per_slot || e < 0 || !is_along(all_keys[k % count])) continue;
                    struct place place = shown->format->place(&shown->storage, array->part, e);
                    if (place.row >= 0 && place.row != stage.explorer.cursor.row)
                        fail_msg("%s: %s[%lld] is in row %lld, the cursor in %lld", name, array->name,
                                 (long long)e, (long long)place.row, (long long)stage.explorer.cursor.row);
                }
                stage_close(&stage);
            }
}

/* However far the cursor jumps, each window shows it. */
static void windows_follow_the_cursor(void **state)
{
    (void)state;
    struct stage stage;
    open_with(&stage, support_matrix(2000, 3000, 0.01, true, false, 9), 21, 80,
              (const char *[]){"csr", "coo", NULL});
    const struct csr *a = &stage.session.matrix.csr;
    uint64_t seed = 4;
    for (int k = 0; k < 200; k++) {
        int64_t entry = support_random(&seed, (uint32_t)csr_nnz(a)), row = csr_row_of(a, entry);
        explorer_move(&stage.explorer, row, a->col[entry]);
        stage_draw(&stage);
        assert_int_equal(stage.surface.cut, 0);
        const struct panel *panels = layouts_of(&stage)->panels;
        for (int p = 0; p < 2; p++)
            for (int q = 0; q < panels[p].shown->storage.count; q++) {
                int64_t e = panels[p].shown->storage.array[q].per_slot ? entry : row;
                assert_in_range(e - panels[p].first[q], 0, panels[p].room[q] - 1);
            }
        assert_in_range(row - panels[0].line, 0, panels[0].lines - 1);
    }
    stage_close(&stage);
}

static void nothing_is_drawn_of_nothing(void **state)
{
    (void)state;
    static const int sizes[][2] = {{0, 0}, {0, 5}, {5, 0}, {3, 3}, {1, 1}};
    for (int s = 0; s < 5; s++)
        for (int f = 0; formats[f]; f++) {
            struct csr a = {.rows = sizes[s][0], .cols = sizes[s][1]};
            a.row_ptr = memory_zeroed((size_t)a.rows + 1, sizeof *a.row_ptr, NULL);
            a.col = memory_array(1, sizeof *a.col, NULL);
            a.val = memory_array(1, sizeof *a.val, NULL);
            struct stage stage;
            open_with(&stage, a, 21, 80, (const char *[]){formats[f]->name, "coo", NULL});
            static const int all_keys[] = {UIKEY_RIGHT, UIKEY_DOWN, UIKEY_END, ']', UIKEY_RIGHT,    ']',
                                           UIKEY_HOME,  '>',        'v',       'm', UIKEY_PAGE_DOWN};
            stage_keys(&stage, all_keys, sizeof all_keys / sizeof *all_keys);
            assert_int_equal(stage.surface.cut, 0);
            stage_close(&stage);
        }
}

static void want_of_memory_is_an_error(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, &view_layouts, pmpp(), FIELD_REAL, 21, 80);
    for (long k = 0;; k++) {
        struct error error = {0};
        struct session *session = &stage.session;
        conversions_free(&session->conversions);
        memory_fail_after(k);
        void *opened = view_layouts.open(&stage.explorer, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (opened) view_layouts.close(opened);
        if (!failed) break;
        assert_null(opened);
        assert_int_equal(error.status, STATUS_MEMORY);
    }
    layouts_of(&stage)->count = 0;
    stage_close(&stage);
}

static void flows_break_lines_and_cut_nothing(void **state)
{
    (void)state;
    struct surface surface = {0};
    struct text dump = {0};
    surface_resize(&surface, 4, 12, NULL);
    struct flow flow = {.surface = &surface, .rect = {0, 0, 4, 12}};
    assert_int_equal(flow_lines(&flow), 0);
    assert_true(flow_item(&flow, COLOUR_TEXT, "one"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "%s", "three"));
    assert_true(flow_item(&flow, COLOUR_TEXT, "four"));
    assert_false(flow_item(&flow, COLOUR_TEXT, "more than twelve"));
    assert_true(flow_words(&flow, COLOUR_TEXT, "a longlonglonglong b"));
    assert_int_equal(flow_lines(&flow), 4);
    assert_false(flow_words(&flow, COLOUR_TEXT, "no room"));
    surface_dump(&surface, &dump);
    assert_string_equal(dump.data, "one  three\nfour a\nlonglonglong\nlong b no\n");
    assert_int_equal(surface.cut, 0);
    text_free(&dump);
    surface_free(&surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_stand_side_by_side),
        cmocka_unit_test(the_cursor_is_lit_in_all_of_them),
        cmocka_unit_test(moving_along_an_array_moves_the_cursor),
        cmocka_unit_test(the_picture_is_moved_in_as_in_a_plane),
        cmocka_unit_test(a_click_is_where_it_is_seen),
        cmocka_unit_test(padding_is_shaded_and_can_be_walked_over),
        cmocka_unit_test(what_lies_beyond_is_a_shade),
        cmocka_unit_test(cells_are_as_wide_as_what_they_show),
        cmocka_unit_test(sections_are_ruled_off),
        cmocka_unit_test(sorted_rows_and_their_permutation),
        cmocka_unit_test(both_parts_of_hyb),
        cmocka_unit_test(the_first_two_formats_suit_the_matrix),
        cmocka_unit_test(what_nobody_looks_at_is_freed),
        cmocka_unit_test(strips_show_what_is_packed),
        cmocka_unit_test(parameters_are_stepped_and_typed),
        cmocka_unit_test(single_precision_is_a_key_away),
        cmocka_unit_test(a_refused_format_says_why),
        cmocka_unit_test(a_cancelled_format_waits_to_be_asked_for),
        cmocka_unit_test(formats_are_chosen_from_a_list),
        cmocka_unit_test(every_format_can_be_walked_through),
        cmocka_unit_test(windows_follow_the_cursor),
        cmocka_unit_test(nothing_is_drawn_of_nothing),
        cmocka_unit_test(want_of_memory_is_an_error),
        cmocka_unit_test(flows_break_lines_and_cut_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
