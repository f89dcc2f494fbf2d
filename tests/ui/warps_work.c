/* The Warps screen chooses kernels and replays them in the background. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "support/warps_screen.h"
#include "ui/warps/warps.h"

TEST(kernels_are_chosen_from_a_list)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector");
    int scalar = warps_choice(warps_of(&stage), &warps_of(&stage)->panes[0]);
    stage_key(&stage, UIKEY_ENTER);
    stage_shows(&stage, "Enter show");
    stage_key(&stage, UIKEY_END);
    stage_key(&stage, UIKEY_HOME);
    for (int k = 0; k < scalar + 1; k++)
        stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_ENTER);
    stage_hides(&stage, "Enter show");
    assert_int_equal(warps_choice(warps_of(&stage), &warps_of(&stage)->panes[0]), scalar + 1);
    stage_key(&stage, '[');
    warps_work(&stage);
    stage_shows(&stage, "csr-scalar");
    warps_answer(&stage.explorer, warps_of(&stage), "csr-vector:threads=*,colour=3");
    assert_says(stage.explorer.message, "colour");
    stage_key(&stage, 'f');
    warps_work(&stage);
    stage_shows(&stage, "f32", "load val[k]  32 lanes x 4 B");
}

/* The rival is ELL until all kernels are forecast, and then the one with the shortest forecast, unless the
 * user has chosen another one. The head tells both forecasts. */
TEST(the_rival_is_the_best_kernel)
{
    for (int chosen = 0; chosen < 2; chosen++) {
        struct stage stage;
        struct warps *warps = stage_open(
            &stage, &view_warps, support_matrix(3000, 3000, 0.004, true, false, 5), FIELD_REAL, 40, 120);
        const struct foresight *foresight = &stage.session.shown->foresight[PRECISION_F64];
        atomic_store(&stage.session.shown->foresight[PRECISION_F64].complete, false);
        stage_draw(&stage);
        if (warps->panes[1].replay)
            assert_string_equal(warps->panes[1].replay->choice.kernel->name, "ell-padded");
        if (chosen) {
            stage_key(&stage, 'b');
            warps_answer(&stage.explorer, warps, "csr-vector");
        }
        foresight_free(&stage.session.shown->foresight[PRECISION_F64]);
        assert_int_equal(session_foresight(&stage.session, stage.session.shown,
                                           &stage.session.shown->foresight[PRECISION_F64], NULL, NULL),
                         STATUS_OK);
        stage_draw(&stage);
        const struct kernel *rival = warps->panes[1].replay->choice.kernel;
        if (chosen) assert_string_equal(rival->name, "csr-vector");
        double least = INFINITY, of_rival = 0;
        for (int g = 0; g < foresight_count(foresight); g++)
            for (int k = 0; k < foresight->groups[g].count; k++) {
                const struct result *result = &foresight->groups[g].items[k];
                if (!result->choice.kernel->trace || !result->predicted[0].there) continue;
                if (strcmp(result->choice.kernel->name, "csr-scalar") == 0) continue;
                least = fmin(least, result->predicted[0].seconds);
                if (result->choice.kernel == rival) of_rival = result->predicted[0].seconds;
            }
        assert_true(chosen || (isfinite(least) && of_rival == least));
        warps_work(&stage);
        stage_shows(&stage, "forecast ", ", bound by ");
        stage_close(&stage);
    }
}

/* A kernel that is replaced while the background uses it is freed afterwards. */
TEST(a_kernel_may_change_while_it_is_counted)
{
    FREED(stage_close) struct stage stage;
    struct warps *warps = warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector");
    warps_answer(&stage.explorer, warps, "csr-vector:threads=8");
    stage_draw(&stage);
    warps_work(&stage);
    warps->panes[0].replay->ready = READY_PREPARED; /* to be counted again */
    stage_draw(&stage);
    assert_ptr_equal(warps->working, warps->panes[0].replay);
    warps->errand.state = ERRAND_RUNNING;
    warps_answer(&stage.explorer, warps, "csr-scalar");
    assert_non_null(warps->retired);
    assert_true(warps->errand.unwanted);
    stage_draw(&stage);
    assert_non_null(warps->retired);
    warps->errand.state = ERRAND_NONE; /* it was stopped */
    stage_draw(&stage);
    assert_null(warps->retired);
    warps_work(&stage);
    stage_shows(&stage, "worst");
}

TEST(unavailable_warps_have_a_reason)
{
    struct stage stage;
    stage_open(&stage, &view_warps, support_matrix(30, 30, 0.2, false, true, 1), FIELD_COMPLEX, 21, 80);
    warps_work(&stage);
    warps_answer(&stage.explorer, warps_of(&stage), "csr-balanced");
    warps_work(&stage);
    stage_shows(&stage, "c64", "32 lanes x 16 B");
    stage_keys(&stage, (int[]){'w', 't', ' ', UIKEY_RIGHT, UIKEY_DOWN, 'o', '}', 'b', 'f', ']', UIKEY_END},
               11);
    stage_close(&stage);
    stage_open(&stage, &view_warps, support_dense(0, 0, NULL), FIELD_REAL, 21, 80);
    warps_work(&stage);
    stage_shows(&stage, "Nothing to do: no warp is launched.");
    stage_keys(&stage, (int[]){'w', 't', ' ', UIKEY_RIGHT, UIKEY_DOWN, 'o', '}', 'b', 'f', ']', UIKEY_END},
               11);
    warps_work(&stage);
    stage_close(&stage);
}

/* A pane whose conversion was cancelled, or does not fit the limit, says so; the other one is shown. */
TEST(a_pane_says_what_it_lacks)
{
    FREED(stage_close) struct stage stage;
    struct warps *warps =
        warps_open_kernels(&stage, warps_band(), 40, 140, "csr-scalar", "csr-vector:threads=4");
    stage_hides(&stage, "Not available:", "Cancelled.");
    stage.session.limit = 100;
    warps->focus = 1;
    warps_answer(&stage.explorer, warps, "sell");
    stage_draw(&stage);
    struct conversion *conversion = warps->panes[1].replay->conversion;
    assert_non_null(conversion);
    assert_int_equal(conversion_state(conversion), CONVERSION_WANTED);
    conversion->declined = true;
    stage_draw(&stage);
    stage_shows(&stage, "csr-scalar", "Cancelled.");
    stage_hides(&stage, "Not available:");
    conversion->declined = false;
    struct job job = {.work = NULL};
    progress_phase(&job.progress, "sorting", 200);
    progress_add(&job.progress, 50);
    stage.explorer.job = &job;
    stage.explorer.converting = conversion;
    stage_draw(&stage);
    stage_shows(&stage, "converting the matrix", "x cancels");
    stage_hides(&stage, "Cancelled.");
    stage.explorer.job = NULL;
    stage.explorer.converting = NULL;
    warps_work(&stage);
    assert_int_equal(conversion_state(conversion), CONVERSION_REFUSED);
    conversion->refusal.message[19] = 0; /* so that it stands in one line */
    stage_draw(&stage);
    stage_shows(&stage, "csr-scalar", "Not available:", conversion->refusal.message);
    stage_hides(&stage, "Cancelled.");
}

/* A row with this number of entries above 63 rows of one. */
static struct csr long_row(int64_t length)
{
    struct csr a = {.rows = 64, .cols = length};
    a.row_ptr = memory_array(65, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)length + 63, sizeof *a.col, NULL);
    a.val = memory_array((size_t)length + 63, sizeof *a.val, NULL);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i <= 64; i++)
        a.row_ptr[i] = i ? length + i - 1 : 0;
    for (int64_t k = 0; k < length + 63; k++) {
        a.col[k] = k < length ? (int32_t)k : 0;
        a.val[k] = 1;
    }
    return a;
}

/* One round of the background. */
static void work_once(struct stage *stage)
{
    assert_int_equal(stage->explorer.errand->state, ERRAND_WANTED);
    assert_int_equal(stage->explorer.errand->run(stage->explorer.errand->argument, NULL, NULL), STATUS_OK);
    stage->explorer.errand->state = ERRAND_DONE;
    stage_draw(stage);
}

/* 40,000 entries in a row are 120,000 steps, more than the screen waits for. */
TEST(a_long_warp_is_replayed_in_the_background)
{
    FREED(stage_close) struct stage stage;
    struct warps *warps = warps_open_kernels(&stage, long_row(40000), 21, 80, "csr-scalar", "csr-vector");
    stage_shows(&stage, "step 3 of 120,003");
    stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "warp 2 of 8  rows 33..64");
    stage_key(&stage, UIKEY_UP);
    stage_shows(&stage, "replaying warp 1, a long one");
    stage_key(&stage, UIKEY_RIGHT);
    assert_false(warps->panes[0].recorded);
    warps->errand.state = ERRAND_FAILED; /* x */
    stage_draw(&stage);
    stage_shows(&stage, "Not replayed. x resumes.");
    assert_int_equal(warps->errand.state, ERRAND_NONE);
    stage_key(&stage, 'x');
    work_once(&stage);
    stage_shows(&stage, "step 3 of 120,003", "rows 1..32");
    /* Far from the kept addresses the steps are known at once, and the picture follows. */
    warps_set_step(warps, 90000);
    stage_draw(&stage);
    stage_shows(&stage, "step 90,001 of 120,003  load col[k]", "replaying the warp up to this step");
    work_once(&stage);
    stage_shows(&stage, "step 90,001 of 120,003  load col[k]");
    stage_hides(&stage, "replaying");
    stage_shows(&stage, "29984 "); /* entry (90,000 - 3) / 3 = 29,999 is in this line */
    assert_int_equal(warps->errand.state, ERRAND_NONE);
}

/* Work that is no longer wanted is stopped, and finished results of it are dropped. */
TEST(a_wish_may_change_while_it_is_fulfilled)
{
    FREED(stage_close) struct stage stage;
    struct warps *warps = warps_open_kernels(&stage, long_row(40000), 21, 80, "csr-scalar", "csr-vector");
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_UP);
    assert_int_equal(warps->panes[0].replay->chore, CHORE_RECORD);
    warps->errand.state = ERRAND_RUNNING;
    stage_draw(&stage);
    assert_false(warps->errand.unwanted);
    stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "warp 2 of 8  rows 33..64");
    assert_true(warps->errand.unwanted);
    assert_int_equal(warps->errand.run(warps->errand.argument, NULL, NULL), STATUS_OK);
    warps->errand.state = ERRAND_DONE;
    stage_draw(&stage);
    stage_shows(&stage, "warp 2 of 8  rows 33..64");
    assert_null(warps->panes[0].replay->recording.record.steps);
}

/* If only the stored arrays tell the rows of a warp, the search runs in the background, too, and the cursor
 * follows when it is done. */
TEST(a_long_warp_is_found_in_the_background)
{
    FREED(stage_close) struct stage stage;
    struct warps *warps =
        warps_open_kernels(&stage, long_row(1100000), 21, 80, "cmrs:height=2", "csr-vector");
    stage_move(&stage, 10, 0);
    stage_shows(&stage, "rows 11..12");
    stage_move(&stage, 1, 0);
    stage_shows(&stage, "searching for the warp of row 2");
    warps_work(&stage);
    stage_shows(&stage, "rows 1..2");
    stage_move(&stage, 10, 0);
    stage_key(&stage, UIKEY_HOME);
    assert_true(warps->panes[0].leads);
    assert_int_equal(stage.explorer.cursor.row, 10);
    warps_work(&stage);
    assert_int_equal(stage.explorer.cursor.row, 0);
    stage_shows(&stage, "rows 1..2");
}

TEST(the_explorers_sample_is_what_is_counted)
{
    FREED(stage_close) struct stage stage;
    struct csr a = support_matrix(4000, 40, 0.1, false, false, 3);
    stage_open(&stage, &view_warps, a, FIELD_REAL, 21, 80);
    stage.explorer.sample = 0.25;
    warps_work(&stage);
    assert_true(warps_of(&stage)->panes[0].replay->costs.looked == 32); /* blocks 0 and 4 of 8 */
    stage_shows(&stage, "% sampled"); /* the heaviest blocks beside a quarter of the others */
}

TEST(playing_goes_on_by_itself)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector");
    stage_key(&stage, ' ');
    assert_true(stage.explorer.moving && stage.explorer.tick_ms > 0);
    warps_of(&stage)->next = 0; /* the next step is due */
    stage_draw(&stage);
    stage_shows(&stage, "step 4 of 15");
    stage_key(&stage, ' ');
    warps_of(&stage)->next = 0;
    stage_draw(&stage);
    stage_shows(&stage, "step 4 of 15");
}
