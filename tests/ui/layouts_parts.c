/* Layouts: formats of two parts. The text below a picture is about the focused cell, which belongs to the
 * first part, even while the cursor is on an entry of the second part. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>

#include "support/layouts.h"
#include "ui/layouts/layouts.h"

static void words_are_about_the_cell_in_focus(void **state)
{
    struct stage stage;
    layouts_open(&stage, layouts_pmpp(), 24, 120, (const char *[]){"hyb:k=2", "csr", NULL});
    const struct layouts *layouts = layouts_of(&stage);
    explorer_move(&stage.explorer, 2, 3); /* the third entry of row 2 */
    stage_draw(&stage);
    assert_int_equal(layouts->focus.array, PICTURE);
    assert_int_equal(layouts->focus.element, 2);
    stage_shows(&stage, "ell_col[2] = 1");
    stage_hides(&stage, "coo_col[");
    stage_key(&stage, UIKEY_UP); /* padding of the empty row 1 */
    assert_int_equal(layouts->focus.element, 1);
    stage_shows(&stage, "ell_col[1] = 0");
    stage_shows(&stage, "padding of row 1");
    stage_shows(&stage, "no entry at the cursor");
    explorer_move(&stage.explorer, 2, 3);
    stage_draw(&stage);
    layouts_focus(&stage, "coo_val"); /* and in an array they are about its element */
    stage_shows(&stage, "coo_val[0] = 1");
    stage_hides(&stage, "no entry at the cursor");
    stage_close(&stage);
}

/* A panel without arrays gives the reason: they wait, are being made, were cancelled, or do not fit. */
static void panels_say_what_they_wait_for(void **state)
{
    struct stage stage;
    struct job job = {.work = NULL};
    layouts_open(&stage, layouts_pmpp(), 30, 120, (const char *[]){"hyb:k=2", "csr", NULL});
    struct conversion *conversion = layouts_of(&stage)->panels[1].conversion;
    const enum conversion_state built = conversion_state(conversion);
    stage_hides(&stage, "queued", "Not available:", "Not converted.", "x cancels");
    atomic_store(&conversion->state, CONVERSION_PLANNED);
    layouts_of(&stage)->panels[1].shown = NULL;
    stage_draw(&stage);
    stage_shows(&stage, "queued");
    progress_phase(&job.progress, "sorting rows", 200);
    progress_add(&job.progress, 50);
    stage.explorer.job = &job;
    stage.explorer.converting = conversion;
    stage_draw(&stage);
    stage_shows(&stage, "sorting rows", "x cancels");
    stage_hides(&stage, "queued");
    stage.explorer.converting = layouts_of(&stage)->panels[0].conversion;
    stage_draw(&stage);
    stage_shows(&stage, "queued");
    stage_hides(&stage, "sorting rows");
    stage.explorer.job = NULL;
    stage.explorer.converting = NULL;
    conversion->declined = true;
    stage_draw(&stage);
    stage_shows(&stage, "Not converted.", "x resumes converting.");
    conversion->declined = false;
    atomic_store(&conversion->state, CONVERSION_REFUSED);
    error_set(&conversion->refusal, STATUS_LIMIT, "too large here");
    stage_draw(&stage);
    stage_shows(&stage, "Not available:", "too large here");
    error_clear(&conversion->refusal);
    atomic_store(&conversion->state, built);
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words_are_about_the_cell_in_focus),
        cmocka_unit_test(panels_say_what_they_wait_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
