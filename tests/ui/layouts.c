/* ui/layouts: the arrays side by side, their highlighting, and moving in them. */
#include <stdio.h>
#include <string.h>

#include "support/layouts.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/layouts/layouts.h"

/* Figure 10.2 of PMPP, and the same entries in coordinates. */
TEST(arrays_stand_side_by_side)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    stage_shows(&stage, " CSR  csr", " COO  coo", " row_ptr      0    2    2    5    7",
                " col         0   2│  1   2   3│  0   3", " val         3   1│  2   4   1│  1   1",
                " row         0   0│  2   2   2│  3   3", "    0 │   3@0   1@2", "    1 │     ",
                "    2 │   2@1   4@2   1@3",
                "104 B  81.2% of dense  7 slots"); /* 7 x 12 + 5 x 4 bytes; of 16 x 8 */
    stage_shows(&stage, "12 integers");
    stage.explorer.ascii = true;
    stage_draw(&stage);
    stage_shows(&stage, " col         0   2:  1   2   3:  0   3");
    for (const char *c = stage_dump(&stage); *c; c++)
        assert_true((unsigned char)*c < 0x80);
    assert_int_equal(stage.surface.cut, 0);
}

/* Entry (0, 2): its slot in five arrays and a picture cell; its row's two pointers. */
TEST(the_cursor_is_lit_in_all_of_them)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    stage_move(&stage, 0, 2);
    assert_int_equal(layouts_lit(&stage, COLOUR_CURSOR), 5 * 3 + 5); /* cells of 3, and of 5 in the picture */
    assert_int_equal(layouts_lit(&stage, COLOUR_MARK), 2 * 4);
    stage_hides(&stage, "no entry");
    stage_move(&stage, 0, 1); /* an empty position */
    assert_int_equal(layouts_lit(&stage, COLOUR_CURSOR), 0);
    assert_int_equal(layouts_lit(&stage, COLOUR_MARK), 0);
    stage_shows(&stage, "no entry at the cursor");
    int dim = 0;
    for (int k = 0; k < 21 * 80; k++)
        dim += stage.surface.cells[k].foreground == COLOUR_MARK;
    assert_int_equal(dim, 2 * 4); /* the row's pointers */
}

TEST(moving_along_an_array_moves_the_cursor)
{
    static const int places[][2] = {{0, 0}, {0, 2}, {2, 1}, {2, 2}, {2, 3}, {3, 0}, {3, 3}};
    static const int rows[][2] = {{0, 0}, {1, 0}, {2, 1}, {3, 0}};
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    layouts_focus(&stage, "col");
    for (int k = 0; k < 7; k++, stage_key(&stage, UIKEY_RIGHT))
        layouts_at(&stage, places[k][0], places[k][1]);
    layouts_at(&stage, 3, 3); /* there it ends */
    stage_key(&stage, UIKEY_HOME);
    layouts_at(&stage, 0, 0);
    stage_key(&stage, UIKEY_LEFT);
    layouts_at(&stage, 0, 0);
    layouts_focus(&stage, "row_ptr");
    for (int k = 0; k < 4; k++, stage_key(&stage, UIKEY_RIGHT))
        layouts_at(&stage, rows[k][0], rows[k][1]); /* row 1 is empty, so that the column stays */
    layouts_at(&stage, 3, 0);                       /* the last pointer moves no cursor */
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    stage_shows(&stage, "row_ptr[4] = 7");
    stage_key(&stage, UIKEY_LEFT);
    assert_int_equal(layouts_of(&stage)->focus.element, 3);
    stage_key(&stage, UIKEY_END);
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    layouts_focus(&stage, "row"); /* of the next panel */
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
    assert_int_equal(layouts_of(&stage)->focus.element, 5); /* the entry at the cursor, (3, 0) */
    stage_move(&stage, 2, 2);                               /* by another key, such as g */
    assert_int_equal(layouts_of(&stage)->focus.element, 3);
}

TEST(the_picture_is_moved_in_as_in_a_plane)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    assert_int_equal(layouts_of(&stage)->focus.array, PICTURE);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 0, 2);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 0, 2);
    stage_key(&stage, UIKEY_DOWN); /* an empty row */
    layouts_at(&stage, 1, 2);
    stage_key(&stage, UIKEY_DOWN);
    layouts_at(&stage, 2, 1);
    stage_key(&stage, UIKEY_END);
    layouts_at(&stage, 2, 3);
    stage_key(&stage, UIKEY_DOWN);
    layouts_at(&stage, 3, 3);
    stage_key(&stage, UIKEY_DOWN); /* out of it */
    assert_int_equal(layouts_of(&stage)->focus.array, 0);
    stage_key(&stage, UIKEY_UP);
    assert_int_equal(layouts_of(&stage)->focus.array, PICTURE);
    stage_key(&stage, '}');
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
    stage_key(&stage, '{');
    assert_int_equal(layouts_of(&stage)->focus.panel, 0);
    stage_key(&stage, '[');
    assert_int_equal(layouts_of(&stage)->focus.panel, 1);
}

/* A click on each cell of the segments puts the focus there. */
TEST(a_click_is_where_it_is_seen)
{
    FREED(stage_close) struct stage stage;
    struct layouts *layouts =
        layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    int count = layouts->segment_count;
    assert_int_equal(count, 3 + 4 + 3);
    for (int k = 0; k < count; k++) {
        struct segment segment = layouts->segments[k];
        for (int c = 0; c < segment.count; c++) {
            stage_mouse(&stage, MOUSE_PRESS, segment.y, segment.x + c * segment.field + 1);
            assert_int_equal(layouts->focus.panel, segment.panel);
            assert_int_equal(layouts->focus.array, segment.array);
            if (segment.array != PICTURE) assert_int_equal(layouts->focus.element, segment.first + c);
        }
    }
    stage_mouse(&stage, MOUSE_PRESS, 20, 79);
}

/* Figure 10.9 of PMPP: the padded rectangle, and below it transposed. Slots 1, 5, 8, 9 and 11 are padding. */
TEST(padding_is_shaded_and_can_be_walked_over)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"csr", "ell", NULL});
    stage_shows(&stage, "0 │    3@0    1@2 ░░░0@2", "1 │ ░░░0@0 ░░░0@0 ░░░0@0", "2 │    2@1    4@2    1@3",
                "(indices from 0)");
    stage_hides(&stage, "›");
    stage_shows(&stage, "col         0 ░░0   1   0│  2 ░░0   2   3│░░2 ░░0   3 ░░3",
                "val         3 ░░0   2   1│  1 ░░0   4   1│░░0 ░░0   1 ░░0",
                "padding factor 1.714"); /* 12 / 7 */
    stage_key(&stage, '}');
    layouts_focus(&stage, "val");
    stage_key(&stage, UIKEY_END);
    layouts_at(&stage, 3, 3); /* the column it repeats */
    stage_shows(&stage, "val[11] = 0", "padding of row 3");
    stage_key(&stage, UIKEY_LEFT);
    layouts_at(&stage, 2, 3);
    stage_key(&stage, UIKEY_LEFT);
    layouts_at(&stage, 1, 0); /* padding of the empty row */
    assert_int_equal(layouts_of(&stage)->focus.element, 9);
    stage_shows(&stage, "padding of row 1");
    stage_key(&stage, UIKEY_UP); /* the same slot's column */
    assert_int_equal(layouts_of(&stage)->focus.element, 9);
    stage_key(&stage, UIKEY_LEFT);
    layouts_at(&stage, 0, 2);
    assert_int_equal(layouts_of(&stage)->focus.element, 8);
    stage_key(&stage, '{');
    stage_key(&stage, '}'); /* elsewhere and back: to the cursor's entry */
    assert_int_equal(layouts_of(&stage)->focus.element, 4);
    stage_key(&stage, '>');
    layouts_build(&stage);
    stage_shows(&stage, "ell:layout=rows", "val         3   1 ░░0│░░0 ░░0 ░░0│  2   4   1│  1   1 ░░0");
}

/* Slots outside the matrix have neither value nor column: DIA's corners, SELL's last rows. */
TEST(positions_beyond_are_shaded)
{
    struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"dia", "sell:c=3", NULL});
    stage_shows(&stage, "-3 │ ░░░░░░ ░░░░░░ ░░░░░░    1@0", " 1 │ ░░░0@1 ░░░0@2    1@3 ░░░░░░",
                "- │ ░░░░░░ ░░░░░░"); /* rows 4 and 5 */
    stage_hides(&stage, "@-1");
    stage_close(&stage);
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"ell:pad=sentinel", "csr", NULL});
    stage_shows(&stage, "1 │ ░░░0@-1 ░░░0@-1 ░░░0@-1"); /* within it: the meaning of the array */
    stage_close(&stage);
}

/* The widest value is shown whole, although it is rare: most slots of the array are 0. */
TEST(cells_are_as_wide_as_what_they_show)
{
    FREED(stage_close) struct stage stage;
    double dense[64 * 64] = {0};
    for (int i = 0; i < 64; i++)
        dense[65 * i] = 1;
    dense[2] = -0.125;
    layouts_open(&stage, support_dense(64, 64, dense), 24, 80, (const char *[]){"dia", "csr", NULL});
    stage_shows(&stage, "-0.125@2");
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
TEST(sections_are_ruled_off)
{
    struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"sell:c=2", NULL});
    assert_true(is_underlined(&stage));
    stage_close(&stage);
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"cmrs:height=1", NULL});
    assert_false(is_underlined(&stage));
    stage_close(&stage);
}

/* Rows by their lengths: 2, 0, 3, 1. */
TEST(sorted_rows_and_their_permutation)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 120, (const char *[]){"csr", "jds", NULL});
    stage_shows(&stage, "2 │   2@1   4@2   1@3", "perm");
    stage_move(&stage, 3, 0);
    const struct conversion *jds = layouts_of(&stage)->panels[1].shown;
    for (int q = 0; q < jds->storage->count; q++)
        if (strcmp(jds->storage->array[q].name, "perm") == 0) {
            struct scene scene = scene_make(&stage.explorer, layouts_of(&stage), 1, &stage.surface);
            assert_int_equal(scene_light(&scene, q, 2), LIGHT_TOUCH); /* row 3 is the third */
            assert_int_equal(scene_light(&scene, q, 1), LIGHT_NONE);
        }
}

/* With k = 1 row 2 leaves two entries to COO. */
TEST(both_parts_of_hyb)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"hyb:k=1", "csr", NULL});
    stage_shows(&stage, "4 slots", "░");
    assert_true(layouts_has_picture(layouts_of(&stage)->panels[0].shown->storage));
    layouts_focus(&stage, "coo_val"); /* (0,2), (2,2), (2,3), (3,3) */
    stage_key(&stage, UIKEY_HOME);
    layouts_at(&stage, 0, 2);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 2, 2);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 2, 3);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 3, 3);
    stage_key(&stage, UIKEY_RIGHT);
    layouts_at(&stage, 3, 3);
    view_layouts.answer(&stage.explorer, stage.state, "k=0"); /* nothing is left of ELL */
    layouts_build(&stage);
    assert_false(layouts_has_picture(layouts_of(&stage)->panels[0].shown->storage));
}

/* Two rows a strip: entries 0 and 1 in strip 0, the others in strip 1, where row 3 is row 1 of the strip. */
TEST(strips_show_what_is_packed)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "cmrs:height=2,packed=1", NULL});
    stage_shows(&stage, "StripPtr", "ColInd      0  32┃ 16  32  48│  1  49"); /* 16 column + row in strip */
    stage_move(&stage, 3, 3);
    stage_shows(&stage, "ColInd[6] = 49", "0011|0001");
}

/* Keys that move along an array. */
static bool is_along(int k)
{
    return k == UIKEY_LEFT || k == UIKEY_RIGHT || k == UIKEY_HOME || k == UIKEY_END || k == UIKEY_PAGE_UP ||
           k == UIKEY_PAGE_DOWN;
}

/* All formats and all kinds of matrices, with every key: nothing is cut, and the focused element of an array
 * of slots always belongs to the cursor's position. */
TEST(every_format_can_be_walked_through)
{
    static const int all_keys[] = {UIKEY_RIGHT, UIKEY_RIGHT, UIKEY_DOWN,      UIKEY_END, UIKEY_LEFT,
                                   UIKEY_UP,    UIKEY_HOME,  UIKEY_PAGE_DOWN, ']',       UIKEY_RIGHT,
                                   ']',         UIKEY_END,   UIKEY_PAGE_UP,   '['};
    const int count = sizeof all_keys / sizeof *all_keys;
    for (int f = 0; formats[f]; f++)
        for (int v = 0; formats[f]->variants[v]; v++)
            for (int m = 0; m < 3; m++) {
                struct csr a = m == 0   ? layouts_pmpp()
                               : m == 1 ? support_matrix(60, 40, 0.1, true, true, 3)
                                        : support_matrix(300, 500, 0.02, true, false, 5);
                char name[80];
                snprintf(name, sizeof name, "%s:%s", formats[f]->name, formats[f]->variants[v]);
                struct stage stage;
                struct layouts *layouts =
                    layouts_open(&stage, a, 21, 80, (const char *[]){"csr", name, NULL});
                stage_key(&stage, '}');
                for (int k = 0; k < 60; k++) {
                    stage_key(&stage, all_keys[k % count]);
                    assert_int_equal(stage.surface.cut, 0);
                    const struct conversion *shown = layouts->panels[layouts->focus.panel].shown;
                    if (!shown || layouts->focus.array < 0) continue;
                    const struct array *array = &shown->storage->array[layouts->focus.array];
                    int64_t e = layouts->focus.element;
                    if (!array->per_slot || e < 0 || !is_along(all_keys[k % count])) continue;
                    struct place place = shown->choice.format->place(shown->storage, array->part, e);
                    if (place.row >= 0 && place.row != stage.explorer.cursor.row)
                        fail_msg("%s: %s[%lld] is in row %lld, the cursor in %lld", name, array->name,
                                 (long long)e, (long long)place.row, (long long)stage.explorer.cursor.row);
                }
                stage_close(&stage);
            }
}

/* Highlights of slots: in the cursor's row, at the cursor's entry, and in other rows. */
TEST(slots_of_the_cursors_row_are_lit)
{
    static const enum light lights[] = {LIGHT_ROW,  LIGHT_ENTRY, LIGHT_NONE, LIGHT_NONE,
                                        LIGHT_NONE, LIGHT_NONE,  LIGHT_NONE};
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", NULL});
    explorer_move(&stage.explorer, 0, 2);
    struct scene scene = scene_make(&stage.explorer, layouts_of(&stage), 0, &stage.surface);
    for (int q = 0; q < scene.storage->count; q++)
        for (int64_t e = 0; e < 7 && scene.storage->array[q].per_slot; e++)
            assert_int_equal(scene_light(&scene, q, e), lights[e]);
}

/* In the picture, if a line is a row, its label is highlighted. In arrays where a line contains several rows,
 * the row's slots are. */
TEST(a_line_that_is_the_row_is_lit_by_its_label)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", NULL});
    stage_move(&stage, 2, 1);
    const struct cell *label = stage_find(&stage, "4@2");
    while (label->character != 0x2502)
        label--;
    assert_int_equal(label[-2].character, '2');
    assert_int_equal(label[-2].foreground, COLOUR_ROWS);
    assert_int_equal(stage_find(&stage, "4@2")->foreground, COLOUR_TEXT);
    assert_int_equal(stage_find(&stage, "4@2")[2].foreground, COLOUR_COLS);
    assert_true(layouts_lit(&stage, COLOUR_CURSOR) > 0);
    const struct cell *col = stage_find(&stage, " col  ");
    int lit = 0;
    for (int k = 0; k < 40; k++)
        lit += col[k].foreground == COLOUR_ROWS && col[k].character != ' ';
    assert_int_equal(lit, 2); /* columns 2 and 3; that of the cursor has its colour */
}

/* Each part has half of the width, and the sign of the second part is between them. */
TEST(complex_values_keep_both_signs)
{
    double values[] = {0.123456789, -0.987654321, -0.123456789, 0.987654321};
    const struct array array = {
        .data = values, .length = 2, .role = ROLE_VALUES, .element = ELEMENT_C64, .per_slot = true};
    char out[64];
    element_text(&array, 0, 12, out, sizeof out);
    assert_int_equal(strncmp(out, "0.12", 4), 0);
    assert_says(out, "-0.98");
    assert_true(strlen(out) <= 12 && out[strlen(out) - 1] == 'i');
    element_text(&array, 1, 12, out, sizeof out);
    assert_int_equal(strncmp(out, "-0.1", 4), 0);
    assert_says(out, "+0.98");
}

/* Rows of 2 to 9 entries on and below the diagonal: each ends there. */
TEST(a_line_ends_at_its_last_cell)
{
    double dense[9 * 9] = {0};
    for (int i = 0; i < 9; i++)
        for (int j = 0; j <= i; j++)
            dense[9 * i + j] = 1;
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, support_dense(9, 9, dense), 30, 80, (const char *[]){"csr", NULL});
    for (int i = 1; i < 9; i++) {
        stage_move(&stage, i, 0);
        stage_key(&stage, UIKEY_END);
        layouts_at(&stage, i, i);
        stage_key(&stage, UIKEY_HOME);
        layouts_at(&stage, i, 0);
    }
}

/* The array that had the focus has it again. */
TEST(panels_remember_their_array)
{
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 21, 80, (const char *[]){"csr", "coo", NULL});
    const struct focus *focus = &layouts_of(&stage)->focus;
    layouts_focus(&stage, "val");
    int array = focus->array;
    stage_key(&stage, '}');
    assert_int_equal(focus->panel, 1);
    stage_key(&stage, '{');
    assert_int_equal(focus->panel, 0);
    assert_int_equal(focus->array, array);
}

/* A matrix with one position has one slot, and ELL one integer for it. */
TEST(one_thing_is_not_several)
{
    static const double one[] = {2};
    FREED(stage_close) struct stage stage;
    layouts_open(&stage, support_dense(1, 1, one), 21, 80, (const char *[]){"csr", "ell", NULL});
    stage_shows(&stage, "1 slot", "1 integer");
    stage_hides(&stage, "1 slots", "1 integers");
}
