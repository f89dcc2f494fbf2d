/* ui/orders, ui/order_save, ui/pattern/twin: the list of orders, and the matrix in two of them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/orders/orders.h"
#include "ui/pattern/pattern.h"
#include "ui/save.h"

#define LINES 60

/* A square matrix without symmetry in which no two entries are equal. */
static struct csr numbered(void)
{
    static double values[LINES * LINES];
    for (int i = 0; i < LINES; i++)
        for (int j = 0; j < LINES; j++)
            values[i * LINES + j] = (i * 7 + j * 11) % 13 == 0 || i == j ? 100 * i + j + 1 : 0;
    return support_dense(LINES, LINES, values);
}

static struct matrix_case *add_order(struct stage *stage, const char *name)
{
    struct order_choice choice;
    struct session *session = &stage->session;
    assert_int_equal(order_choice_read(name, &choice, NULL), STATUS_OK);
    assert_int_equal(session_reorder(session, &choice, NULL, NULL), STATUS_OK);
    order_choice_free(&choice);
    struct matrix_case *added = &session->cases[session->case_count - 1];
    assert_int_equal(session_need(session, added, ALL_PARTS & ~(unsigned)SESSION_SIZES, NULL, NULL),
                     STATUS_OK);
    return added;
}

static struct pattern *open_pair(struct stage *stage, const char *order, int high, int wide)
{
    stage_open(stage, &view_pattern, numbered(), FIELD_REAL, high, wide);
    stage->explorer.beside = add_order(stage, order);
    stage_draw(stage);
    return stage->state;
}

/* The entries of a matrix in the dot of its picture that has the cursor, one by one. */
static int64_t entries_at(const struct explorer *explorer, const struct pattern *pattern)
{
    const struct csr *a = &pattern->of->matrix.csr;
    int64_t place[2], count = 0;
    pattern_cursor(explorer, pattern, place);
    struct range dot = pattern_dot(pattern, viewport_index(&pattern->port, ROWS, place[ROWS]),
                                   viewport_index(&pattern->port, COLS, place[COLS]));
    for (int64_t i = dot.r0; i < dot.r1; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
            count += a->col[k] >= dot.c0 && a->col[k] < dot.c1;
    return count;
}

/* Wherever the cursor goes, both pictures have the same entry there, and the twin's count is exact. */
TEST(one_cursor_is_in_both_pictures)
{
    static const char *const orders_tried[] = {"rcm", "random:seed=3", "length", "random:apply=columns"};
    for (size_t o = 0; o < sizeof orders_tried / sizeof *orders_tried; o++) {
        FREED(stage_close) struct stage stage;
        struct pattern *pattern = open_pair(&stage, orders_tried[o], 30, 120);
        assert_true(pattern->paired && pattern->twin);
        assert_ptr_equal(pattern->twin->of, stage.explorer.beside);
        for (int step = 0; step < 60; step++) {
            const struct csr *a = &stage.session.cases[0].matrix.csr, *b = &stage.explorer.beside->matrix.csr;
            int64_t place[2];
            stage_type(&stage, step % 5 == 0 ? "+" : step % 7 == 0 ? "-" : step % 3 ? "lj" : "Jl");
            if (step == 30) stage_type(&stage, "0");
            pattern_cursor(&stage.explorer, pattern->twin, place);
            int64_t here = csr_find(a, stage.explorer.cursor.row, stage.explorer.cursor.col),
                    there = csr_find(b, place[ROWS], place[COLS]);
            assert_true((here < 0) == (there < 0));
            if (here >= 0) assert_true(a->val[here] == b->val[there]);
            assert_int_equal(pattern->level, pattern->twin->level);
            assert_int_equal(pattern->picture, pattern->twin->picture);
            assert_memory_equal(pattern->port.dot, pattern->twin->port.dot, sizeof pattern->port.dot);
            assert_true(viewport_shows(&pattern->twin->port, place));
            const char *found = strstr(stage_dump(&stage), "entries of its dot");
            assert_non_null(found);
            assert_int_equal(strtoll(found + strlen("entries of its dot"), NULL, 10),
                             entries_at(&stage.explorer, pattern->twin));
        }
    }
}

/* Where both orders are drawn, the panel below them has the cursor's position in the other order. */
TEST(the_panel_tells_of_the_other_order)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern = open_pair(&stage, "rcm", 30, 120);
    int pairs = 0;
    for (int high = 18; high <= 60; high += 6)
        for (int wide = 72; wide <= 200; wide += 16) {
            stage_resize(&stage, high, wide);
            if (!pattern->paired) continue;
            stage_shows(&stage, "In rcm order");
            pairs++;
        }
    assert_true(pairs > 10);
}

/* A click in the twin moves the cursor to the position of the matrix that is drawn there. */
TEST(the_twin_is_clicked)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern = open_pair(&stage, "random:seed=5", 30, 120);
    const struct pattern *twin = pattern->twin;
    for (int k = 0; k < 10; k++) {
        int y = twin->inside.top + k, x = twin->inside.left + 2 * k;
        int64_t dot[2], place[2];
        if (!pattern_at(twin, y, x, dot)) continue;
        struct range range = pattern_dot(twin, dot[ROWS], dot[COLS]);
        stage_mouse(&stage, MOUSE_PRESS, y, x);
        pattern_cursor(&stage.explorer, twin, place);
        assert_int_equal(place[ROWS], range.r0);
        assert_int_equal(place[COLS], range.c0);
    }
}

/* Both pictures share a scale. There is no second picture if there is no room, or if the user wants only
 * one. */
TEST(pictures_share_a_scale_and_need_room)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = open_pair(&stage, "rcm", 30, 120);
    assert_true(pattern->shade.low == pattern->twin->shade.low);
    assert_true(pattern->shade.high == pattern->twin->shade.high);
    assert_true(pattern->shade.high >= pattern->own.high && pattern->shade.high >= pattern->twin->own.high);
    stage_shows(&stage, "rcm: 1 dot", "natural: 1 dot");
    stage_type(&stage, "B");
    stage_hides(&stage, "rcm: 1 dot");
    stage_type(&stage, "B");
    stage_shows(&stage, "rcm: 1 dot");
    stage_resize(&stage, 30, 99);
    stage_hides(&stage, "rcm: 1 dot");
}

static void press(struct stage *stage, struct orders_list *list, int key)
{
    assert_true(list_key(&stage->explorer, &list->list, key));
}

TEST(the_list_has_what_is_held_and_what_can_be)
{
    FREED(stage_close) struct stage stage;
    FREED(orders_free) struct orders_list list = {0};
    char text[64];
    int count = 0;
    open_pair(&stage, "rcm", 30, 120);
    while (orders[count])
        count++;
    orders_open(&stage.explorer, &list);
    press(&stage, &list, UIKEY_DOWN);
    assert_int_equal(list.list.count, 2 + count - 1);
    assert_string_equal(list.list.rows[0].cells[0], "natural (shown)");
    assert_string_equal(list.list.rows[1].cells[0], "rcm");
    assert_string_equal(list.list.rows[1].cells[1], "symmetric");
    assert_string_equal(list.list.rows[2].cells[0], "length");
    for (int k = 0; k < count - 1; k++) {
        const struct order *order = orders_order(&stage.session, 2 + k);
        assert_non_null(order);
        assert_string_equal(list.list.rows[2 + k].cells[0], order->name);
        assert_true(order->absent == (strstr(list.list.rows[2 + k].reason, "this build has no") != NULL));
        if (strcmp(order->name, "rcm") == 0)
            assert_string_equal(list.list.rows[2 + k].cells[ORDER_CELL_PERMUTE], "held");
    }
    assert_null(orders_order(&stage.session, 2 + count - 1));
    /* The parameters are in a column as far as they fit, and complete below. */
    struct rect area = {0, 0, 30, 80};
    const struct order *shown = NULL;
    for (int k = 2; !shown || strcmp(shown->name, "cluster") != 0; k++) {
        press(&stage, &list, UIKEY_DOWN);
        shown = orders_order(&stage.session, k);
        assert_non_null(shown);
    }
    list_draw(&stage.explorer, &list.list, &stage.surface, area);
    const char *above = strstr(stage_dump(&stage), " block=4,seed=1");
    assert_non_null(above);
    assert_says(above + 1, " block=4,seed=1");
    for (int k = list.list.selected; k > 1; k--)
        press(&stage, &list, UIKEY_UP);
    assert_string_equal(orders_text(&list, &stage.session, 2, text, sizeof text), "length");
    press(&stage, &list, 'a'); /* symmetric */
    press(&stage, &list, 'a');
    assert_string_equal(orders_text(&list, &stage.session, 2, text, sizeof text), "length:apply=rows");
    press(&stage, &list, UIKEY_ENTER);
    assert_int_equal(list.wish, ORDER_SHOW);
    assert_int_equal(list.row, 1);
    assert_ptr_equal(orders_case(&stage.session, list.row), &stage.session.cases[1]);
    assert_ptr_equal(orders_held(&stage.session, "rcm"), &stage.session.cases[1]);
    assert_null(orders_held(&stage.session, "length"));
}

/* The table of effects leaves out columns where there is no room, the time last of all; without forecasts it
 * has dashes, and says so. */
TEST(the_effects_fit)
{
    static const struct {
        int wide;
        bool bandwidth, kind, kernel;
    } sizes[] = {{72, false, false, false},
                 {80, false, false, true},
                 {100, false, true, true},
                 {132, true, true, true}};
    FREED(stage_close) struct stage stage;
    FREED(orders_free) struct orders_list list = {0};
    open_pair(&stage, "rcm", 30, 140);
    orders_open(&stage.explorer, &list);
    press(&stage, &list, UIKEY_DOWN);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        surface_clear(&stage.surface);
        list_draw(&stage.explorer, &list.list, &stage.surface, (struct rect){0, 0, 30, sizes[s].wide});
        stage_shows(&stage, "x natural permuting pays off at", "rcm: not measured and not forecast yet.");
        const char *dump = stage_dump(&stage);
        assert_true((strstr(dump, "bandwidth") != NULL) == sizes[s].bandwidth);
        assert_true((strstr(dump, "symmetric") != NULL) == sizes[s].kind);
        assert_true((strstr(dump, "parameters, kernel") != NULL) == sizes[s].kernel);
        assert_int_equal(stage.surface.cut, 0);
    }
}

/* With as many orders as a session holds, no further one is offered. */
TEST(a_full_session_offers_no_more)
{
    FREED(stage_close) struct stage stage;
    FREED(orders_free) struct orders_list list = {0};
    open_pair(&stage, "length", 30, 120);
    for (int k = 2; k < SESSION_CASES; k++) {
        char name[32];
        snprintf(name, sizeof name, "random:seed=%d", k);
        add_order(&stage, name);
    }
    orders_open(&stage.explorer, &list);
    press(&stage, &list, UIKEY_END);
    assert_says(list.list.rows[list.list.selected].reason, "which is the maximum");
    press(&stage, &list, UIKEY_ENTER);
    assert_int_equal(list.wish, ORDER_NOTHING);
    assert_says(stage.explorer.message, "which is the maximum");
}

TEST(files_of_an_order_have_names)
{
    char out[ORDER_SAVE_PATH];
    assert_string_equal(order_save_permutation("a.mtx", out), "a.permutation.mtx");
    assert_string_equal(order_save_permutation("/x.mtx/b.mtx.gz", out), "/x.mtx/b.permutation.mtx.gz");
    assert_string_equal(order_save_permutation("plain", out), "plain.permutation.mtx");
    assert_string_equal(order_save_permutation("d/a.npz", out), "d/a.permutation.mtx");
    assert_string_equal(order_save_permutation("a.bsp.h5", out), "a.permutation.mtx");
    assert_string_equal(order_save_permutation("a.rb.zst", out), "a.permutation.mtx.zst");
    assert_string_equal(order_save_permutation("d/.mtx", out), "d/.mtx.permutation.mtx");
}
