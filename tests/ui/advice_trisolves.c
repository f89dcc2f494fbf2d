/* The section Triangular solves of the Advice screen: times by a key, and matrices that have none. */
#include <stdio.h>

#include "support/advice_screen.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"

/* Let only the work requested by a key run. */
static void stop_forecasts(struct stage *stage)
{
    stage_draw(stage);
    ((struct advice_screen *)stage->state)->errand.state = ERRAND_FAILED;
    stage->explorer.errand = NULL;
}

TEST(a_key_times_triangular_solves)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    stage_advised(&stage);
    stop_forecasts(&stage);
    stage_type(&stage, "at");
    assert_int_equal(screen->focus, SECTION_TRISOLVES);
    stage_shows(&stage, "Not timed. T runs solves");
    stage_type(&stage, "T");
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->trisolves.errand);
    assert_true(stage.explorer.errand->alone);
    stage_shows(&stage, "Timing triangular solves...");
    stage_work(&stage);
    assert_int_equal(screen->trisolves.errand.state, ERRAND_NONE);
    assert_int_equal(screen->trisolves.trisolves.count, 0);
    const struct trisolves *trisolves = &stage.explorer.session->shown->trisolves;
    assert_int_equal(trisolves->runs[0].operation, TRISOLVE_LOWER);
    assert_string_equal(trisolves->runs[0].name, "cpu/seq");
    assert_true(trisolves->runs[0].samples.count > 0);
    stage_shows(&stage,
                "lower triangle   threads      time   GFLOP/s  speed-up   prepare    levels     waits");
    stage_shows(&stage, "upper triangle ");
    stage_shows(&stage, "SymGS step ");
    assert_int_equal(stage.surface.cut, 0);
    /* The reasons stand behind the times, each once. */
    for (int k = 0; k < trisolves->count; k++) {
        char words[48];
        if (!trisolves_reason(trisolves, k)[0]) continue;
        snprintf(words, sizeof words, "%s: ", trisolves->runs[k].name);
        struct cell *cell = &stage.surface.cells[stage_find(&stage, words) - stage.surface.cells];
        assert_true(cell > stage_find(&stage, "SymGS step "));
        cell->character = ' ';
        stage_hides(&stage, words);
    }
}

TEST(matrices_without_triangular_solves_have_a_reason)
{
    static const double wide[] = {3, 0, 1, 2, 0, 1};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_advice, support_dense(2, 3, wide), FIELD_REAL, 40, 100);
    stop_forecasts(&stage);
    stage_type(&stage, "aT");
    stage_draw(&stage);
    stage_work(&stage);
    assert_int_equal(stage.explorer.session->shown->trisolves.count, 0);
    stage_shows(&stage, "triangular solves need a square matrix");
}

/* Both are wanted: one runs, then the other. */
TEST(solves_of_both_kinds_run_one_after_the_other)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    stage_advised(&stage);
    stop_forecasts(&stage);
    stage_type(&stage, "rT");
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->solves.errand);
    stage_work(&stage);
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->trisolves.errand);
    stage_work(&stage);
    assert_true(stage.explorer.session->shown->solving.count > 0);
    assert_true(stage.explorer.session->shown->trisolves.count > 0);
}

TEST(definitions_are_those_of_the_columns)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    struct definition definition;
    screen->focus = SECTION_TRISOLVES;
    assert_true(advice_define(&stage.explorer, screen, 0, &definition));
    assert_string_equal(definition.title, "Time");
    assert_true(definition.here);
    assert_true(advice_define(&stage.explorer, screen, 5, &definition));
    assert_string_equal(definition.title, "Waits");
    assert_false(definition.here);
    assert_false(advice_define(&stage.explorer, screen, 6, &definition));
}

TESTS_BETWEEN(unit_without_cache, NULL)
