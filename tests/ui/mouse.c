/* Clicks reach the item under the mouse and no other. Also the backgrounds of the lines around each
 * screen. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "support/kernels_screen.h"
#include "support/support.h"
#include "ui/chrome.h"

static const struct outcome first[] = {
    {"cpu/csr-seq", 1, 1e-3, 1e-5}, {"cpu/ell-seq", 1, 2e-3, 1e-5}, {NULL, 0, 0, 0}};
static const struct outcome second[] = {
    {"cpu/csr-seq", 1, 4e-3, 1e-5}, {"cpu/ell-seq", 1, 2e-3, 1e-5}, {NULL, 0, 0, 0}};
static const struct outcome third[] = {
    {"cpu/csr-seq", 1, 3e-3, 1e-5}, {"cpu/ell-seq", 1, 5e-3, 1e-5}, {NULL, 0, 0, 0}};

static void open_beside(struct stage *stage)
{
    stage_kernels(stage, 24, 120);
    stage_run(stage, first, PRECISION_F64, "one");
    stage_run(stage, second, PRECISION_F64, "two");
    stage_run(stage, third, PRECISION_F64, "three");
    stage_type(stage, "b");
    assert_int_equal(screen_of(stage)->mode, MODE_BESIDE);
    assert_int_equal(screen_of(stage)->heading_count, 3);
}

/* A click on any character of a run's heading makes it the base of comparison. A click on the lines below, or
 * left of all headings, does not. */
static void a_click_on_a_run_makes_it_the_base(void **state)
{
    struct stage stage;
    open_beside(&stage);
    struct kernels_screen *screen = screen_of(&stage);
    for (int k = 2; k >= 0; k--)
        for (int end = 0; end < 2; end++) {
            const struct heading heading = screen->headings[k];
            screen->base = (k + 1) % 3;
            stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, heading.x + end * (heading.wide - 1));
            assert_int_equal(screen->base, k);
            assert_int_equal(screen->mode, MODE_BESIDE);
        }
    stage_shows(&stage, "of #1");
    const int sort = screen->sort, column = screen->column;
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, screen->headings[1].x);
    assert_true(screen->sort == sort && screen->column == column);
    stage_shows(&stage, "of #2");
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, screen->headings[0].x - 1);
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top, screen->headings[0].x);
    assert_int_equal(screen->base, 1);
    assert_int_equal(screen->comparison, 0);
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top + 1, screen->headings[0].x);
    assert_int_equal(screen->comparison, 1);
    assert_int_equal(screen->base, 1);
    stage_close(&stage);
}

/* The same click in the table sorts, and leaves the base of comparisons alone. */
static void a_click_on_a_column_sorts(void **state)
{
    struct stage stage;
    open_beside(&stage);
    struct kernels_screen *screen = screen_of(&stage);
    screen->base = 2;
    stage_type(&stage, "b");
    assert_int_equal(screen->mode, MODE_TABLE);
    for (int k = 0; k < screen->heading_count; k++) {
        const struct heading heading = screen->headings[k];
        stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, heading.x + heading.wide - 1);
        assert_int_equal(screen->sort, heading.column);
        assert_int_equal(screen->column, heading.column);
    }
    assert_int_equal(screen->base, 2);
    stage_close(&stage);
}

/* A line has the ground of the bars, except for its texts. */
static void expect_ground(const struct surface *surface, int y, int from, enum colour ground)
{
    for (int x = from; x < surface->wide; x++)
        if (surface->cells[y * surface->wide + x].background != ground)
            fail_msg("column %d of line %d is of another ground", x, y);
}

static void bars_reach_from_edge_to_edge(void **state)
{
    const double values[] = {1, 2, 0, 4};
    for (int empty = 0; empty < 2; empty++) {
        struct stage stage;
        stage_open(&stage, &view_summary,
                   empty ? support_matrix(0, 0, 0, false, false, 1) : support_dense(2, 2, values), FIELD_REAL,
                   CHROME_HIGH, 100);
        struct surface *surface = &stage.surface;
        const int status = surface->high - 2;
        surface_clear(surface);
        chrome_head(&stage.explorer, surface);
        chrome_status(&stage.explorer, surface, NULL);
        expect_ground(surface, status, 0, COLOUR_BAR);
        expect_ground(surface, 1, 0, COLOUR_TEXT);
        expect_ground(surface, status - 1, 0, COLOUR_TEXT);
        /* The tab of the shown screen has the ground of the screen. */
        int bar = 0, open = 0;
        for (int x = 0; x < surface->wide; x++) {
            bar += surface->cells[x].background == COLOUR_BAR;
            open += surface->cells[x].background == COLOUR_TEXT;
        }
        assert_int_equal(bar + open, surface->wide);
        assert_true(open >= (int)strlen(view_summary.title) && bar > open);
        stage_close(&stage);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_on_a_run_makes_it_the_base),
        cmocka_unit_test(a_click_on_a_column_sorts),
        cmocka_unit_test(bars_reach_from_edge_to_edge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
