/* The section Solves of the Advice screen: solves by a key, their verdict, and matrices that have none. */
#include "support/advice_screen.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"

/* The verdict for the kernels of the shown precision, each solve, and the reasons for refused ones. */
TEST(a_key_solves_and_shows_the_solves)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 60, 120);
    stage_advised(&stage);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED; /* nothing is forecast here */
    stage.explorer.errand = NULL;
    stage_type(&stage, "ar");
    assert_int_equal(screen->focus, SECTION_SOLVES);
    stage_draw(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->solves.errand);
    assert_true(stage.explorer.errand->alone);
    stage_shows(&stage, "Solving A x = b...");
    stage_work(&stage);
    assert_int_equal(screen->solves.errand.state, ERRAND_NONE);
    assert_int_equal(stage.explorer.session->shown->solving.count, 15);
    stage_shows(&stage, "residual ||r|| / ||b|| of each solve");
    stage_shows(&stage, "Fastest: ");
    stage_shows(&stage, "vectors  best kernel");
    stage_shows(&stage, "a BiCGSTAB");
    stage_shows(&stage, "cpu/ell-omp from ");
    stage_shows(&stage, "CG needs a symmetric matrix; BiCGSTAB and GMRES do not.");
    stage_shows(&stage, "Jacobi: row 2 has no diagonal entry");
    assert_int_equal(stage.surface.cut, 0);
    stage_type(&stage, "f"); /* kernels in single precision are not those of these solves */
    stage_hides(&stage, "cpu/ell-omp from ");
}

/* The section grows when its numbers are known, and is shown from its beginning then. */
TEST(solves_are_in_sight_when_they_are_done)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 36, 120);
    stage_advised(&stage);
    stage_draw(&stage);
    screen->errand.state = ERRAND_FAILED;
    stage.explorer.errand = NULL;
    stage_type(&stage, "r");
    stage_draw(&stage);
    stage_work(&stage);
    stage_draw(&stage);
    assert_int_equal(screen->page.top, screen->page.sections[SECTION_SOLVES].top);
    stage_shows(&stage, " 0.1 ");
    assert_true(stage_find(&stage, "Fastest: ") < stage_find(&stage, "residual ||r||"));
    stage_hides(&stage, "1e-0");
}

TEST(solves_that_are_impossible_have_a_reason)
{
    static const double wide[] = {3, 0, 1, 2, 0, 1};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_advice, support_dense(2, 3, wide), FIELD_REAL, 40, 100);
    stage_draw(&stage);
    ((struct advice_screen *)stage.state)->errand.state = ERRAND_FAILED;
    stage.explorer.errand = NULL;
    stage_type(&stage, "ar");
    stage_draw(&stage);
    stage_work(&stage);
    assert_int_equal(stage.explorer.session->shown->solving.count, 0);
    stage_shows(&stage, "solves: unavailable, since the matrix is not square");
}

TESTS_BETWEEN(unit_without_cache, NULL)
