/* The Kernels screen and its runs: made in the background, kept, browsed, and compared. Tests that run
 * kernels do not depend on durations. */
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"

/* The newest run is named, or the one that is shown; an empty name changes nothing. */
TEST(runs_are_named)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_type(&stage, "d");
    assert_false(stage.explorer.question.asked);
    assert_says(stage.explorer.message, "no run to name");
    const struct run *older = stage_run(&stage, outcomes, PRECISION_F64, "older");
    const struct run *newer = stage_run(&stage, outcomes, PRECISION_F64, "newer");
    stage_type(&stage, "d");
    assert_string_equal(stage.explorer.question.label, "Name of run #2");
    assert_string_equal(stage.explorer.question.text, "newer");
    view_kernels.answer(&stage.explorer, stage.state, " pinned threads");
    assert_string_equal(newer->label, "pinned threads");
    stage_type(&stage, "[[d");
    assert_string_equal(stage.explorer.question.label, "Name of run #1");
    view_kernels.answer(&stage.explorer, stage.state, "  ");
    assert_string_equal(older->label, "older");
    view_kernels.answer(&stage.explorer, stage.state, "first");
    stage_draw(&stage);
    stage_shows(&stage, "#1 first");
}

TEST(runs_are_stepped_through)
{
    static const struct outcome older[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome newer[] = {
        {"cpu/csr-seq", 1, 2e-3, 0}, {"cpu/cmrs-omp:height=4", 3, 3e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_type(&stage, "[");
    assert_says(stage.explorer.message, "nothing was run");
    stage_run(&stage, older, PRECISION_F64, "older");
    stage_run(&stage, newer, PRECISION_F32, "newer")->saved = true;
    stage_draw(&stage);
    stage_shows(&stage, "1.00 ms"); /* the newest that was made here */
    stage_type(&stage, "w");        /* no run was cold */
    stage_shows(&stage, "[ shows the last of 2 kept");
    stage_type(&stage, "w");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
    stage_type(&stage, "[");
    stage_shows(&stage, "Run 2 of 2: #2 newer (saved)", "cpu/cmrs-omp:height=4",
                "f f32"); /* the precision of its results */
    assert_int_equal(screen_of(&stage)->line_count, 2);
    stage_type(&stage, "j p"); /* the table lacks this kernel with 3 threads */
    assert_says(stage.explorer.message, "] goes there");
    stage_type(&stage, "[[[");
    stage_shows(&stage, "Run 1 of 2: #1 older");
    runs_drop(&stage.session.shown->runs, stage.session.shown->runs.items[0]);
    stage_draw(&stage);
    assert_null(screen_of(&stage)->shown);
    stage_type(&stage, "[]]");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
}

/* Two runs with the same settings, and a third one that replaces the first, so that there are still two. */
TEST(the_newest_results_are_shown)
{
    static const struct outcome older[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome newer[] = {{"cpu/csr-seq", 1, 2e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome newest[] = {{"cpu/csr-seq", 1, 3e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    struct runs *runs = &stage.session.shown->runs;
    stage_run(&stage, older, PRECISION_F64, "older");
    stage_run(&stage, newer, PRECISION_F64, "newer");
    stage_draw(&stage);
    stage_shows(&stage, "2.00 ms");
    stage_hides(&stage, "1.00 ms");
    runs_drop(runs, runs->items[0]); /* the hidden one */
    stage_run(&stage, newest, PRECISION_F64, "newest");
    stage_draw(&stage);
    stage_shows(&stage, "3.00 ms");
    stage_hides(&stage, "2.00 ms");
}

/* Of a run in both precisions, the results in the shown precision appear, as in the list of kernels. */
TEST(a_run_of_both_precisions_is_shown_in_parts)
{
    static const struct outcome both[] = {
        {"cpu/csr-seq", 1, 1e-3, 0}, {"cpu/ell-seq", 1, 2e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_run(&stage, both, PRECISION_F64, "both")->results.items[1].choice.format.precision = PRECISION_F32;
    stage_draw(&stage);
    stage_type(&stage, "[");
    assert_int_equal(screen_of(&stage)->line_count, 1);
    stage_shows(&stage, "cpu/csr-seq");
    stage_hides(&stage, "cpu/ell-seq");
    stage_type(&stage, "f");
    assert_int_equal(screen_of(&stage)->line_count, 1);
    stage_shows(&stage, "cpu/ell-seq");
}

/* So short that tests do not take long. */
static void make_short(struct stage *stage)
{
    struct kernels_screen *screen = screen_of(stage);
    stage->session.limit = (size_t)4 << 20; /* measuring the machine is short */
    screen->options.repeat = 3;
    screen->options.warmup = -1;
    screen->options.min_seconds = 1e-9;
}

TEST(a_run_is_kept_and_older_ones_stay)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    make_short(&stage);
    const struct kernels_screen *screen = screen_of(&stage);
    const struct runs *runs = &stage.session.shown->runs;
    stage_go_to(&stage, "cpu/csr-seq");
    stage_type(&stage, "r");
    assert_ptr_equal(stage.explorer.errand, &screen->errand);
    assert_true(screen->errand.alone);
    stage_work(&stage);
    assert_int_equal(runs->count, 1);
    assert_int_equal(runs->items[0]->results.count, 1);
    assert_true(result_timed(&runs->items[0]->results.items[0]));
    assert_int_equal(screen->timed, 1);
    stage_go_to(&stage, "cpu/csr-omp");
    stage_type(&stage, " w r"); /* two selected: csr-omp and the one below; and cold */
    assert_int_equal(screen->making.count, 2);
    assert_true(screen->making.options.cold && stage.explorer.cold);
    stage_type(&stage, "w r"); /* a run keeps the options of its start; another run waits */
    assert_says(stage.explorer.message, "x cancels it");
    assert_true(screen->making.options.cold);
    stage_shows(&stage, "about to run 2 kernels");
    stage_work(&stage);
    assert_int_equal(runs->count, 2);
    assert_says(runs->items[1]->label, "cold");
    assert_true(runs->items[1]->results.options.cold);
    assert_int_equal(runs->items[0]->results.count, 1);
}

/* A run of all kernels leaves out huge storages, one of a chosen kernel does not; a limit decides alone. */
TEST(only_runs_of_all_are_patterns)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    make_short(&stage);
    const struct kernels_screen *screen = screen_of(&stage);
    const size_t limit = stage.session.limit;
    for (int limited = 0; limited < 2; limited++) {
        stage.session.limit = limited ? limit : 0;
        stage_type(&stage, "R");
        assert_true(screen->making.results.count > 2);
        for (int k = 0; k < screen->making.results.count; k++)
            assert_int_equal(screen->making.results.items[k].choice.format.by_pattern, !limited);
        stage_type(&stage, "x");
        stage_work(&stage);
        stage_go_to(&stage, "cpu/dia-omp");
        stage_type(&stage, "r");
        assert_int_equal(screen->making.results.count, 1);
        assert_false(screen->making.results.items[0].choice.format.by_pattern);
        stage_type(&stage, "x");
        stage_work(&stage);
    }
}

/* While kernels are timed, the table has the medians of the samples so far, marked as such; but not if it
 * shows other settings than those of the run. */
TEST(times_fill_in_while_kernels_are_timed)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    int tie = 0;
    while (strcmp(kernel_columns[tie].key, "tie") != 0)
        tie++;
    screen->visible[tie] = true;
    stage_go_to(&stage, "cpu/csr-seq");
    stage_type(&stage, " ");
    stage_go_to(&stage, "cpu/ell-seq");
    stage_type(&stage, " r");
    assert_int_equal(screen->making.count, 2);
    assert_ptr_equal(screen->making.options.outlooks, screen->making.outlooks);
    screen->errand.state = ERRAND_RUNNING;
    stage_draw(&stage);
    stage_hides(&stage, "so far");
    atomic_store(&screen->making.outlooks[1].seconds, 2e-6); /* ell comes after csr */
    atomic_store(&screen->making.outlooks[1].count, 4);
    stage_draw(&stage);
    stage_shows(&stage, ": so far", "\u2022:  cpu/ell-seq ", " 2.00 us ",
                " 0.007 "); /* GFLOP/s: 2 x 7 entries in 2 us */
    stage_hides(&stage, ":  cpu/csr-seq");
    assert_int_equal(stage_find(&stage, "2.00 us")->foreground, COLOUR_DIM);
    stage_type(&stage, "w"); /* the run is not cold */
    stage_hides(&stage, "2.00 us");
    stage_type(&stage, "wf"); /* and in the other precision */
    stage_hides(&stage, "2.00 us");
    stage_type(&stage, "f");
    stage_shows(&stage, "2.00 us");
    screen->errand.state = ERRAND_FAILED;
    stage_draw(&stage);
    stage_hides(&stage, "2.00 us");
}

/* While a kernel runs again, its line keeps the forecast of its result so far. */
TEST(a_forecast_stays_while_its_kernel_runs)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 2e-4, 1e-6}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 40, 160);
    screen->visible[kernels_column("predicted.low_us")] = true;
    struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "first");
    for (int cold = 0; cold < 2; cold++)
        run->results.items[0].predicted[cold] =
            (struct prediction){.there = true, .seconds = 8e-6, .low = 7.77e-6, .high = 9e-6};
    screen->stale = true;
    stage_draw(&stage);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_shows(&stage, " 200 us", " 7.77 us");
    stage_type(&stage, " r");
    assert_int_equal(screen->making.count, 1);
    screen->errand.state = ERRAND_RUNNING;
    atomic_store(&screen->making.outlooks[0].seconds, 3e-6);
    atomic_store(&screen->making.outlooks[0].count, 4);
    stage_draw(&stage);
    stage_shows(&stage, ": so far", " 3.00 us", " 7.77 us");
    stage_hides(&stage, " 200 us");
    screen->errand.state = ERRAND_FAILED;
    stage_draw(&stage);
}

/* The share that the explorer was started with. */
TEST(kernels_of_gpus_are_sampled)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_kernels, support_matrix(40000, 9, 0.3, false, false, 1), FIELD_REAL, 60, 110);
    stage.explorer.sample = 0.25;
    make_short(&stage);
    stage_go_to(&stage, "cuda/csr-scalar");
    stage_type(&stage, "r");
    stage_work(&stage);
    assert_int_equal(stage.session.shown->runs.count, 1);
    const struct results *results = &stage.session.shown->runs.items[0]->results;
    const struct estimate *estimate = results_estimate_of(results, &results->items[0]);
    assert_non_null(estimate);
    assert_true(estimate->sampled > 0.2 && estimate->sampled < 0.3);
}

TEST(a_cancelled_run_leaves_nothing)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    make_short(&stage);
    struct kernels_screen *screen = screen_of(&stage);
    stage_type(&stage, "r");
    screen->errand.state = ERRAND_FAILED;
    stage_draw(&stage);
    assert_int_equal(stage.session.shown->runs.count, 0);
    assert_false(kernels_running(screen));
    stage_type(&stage, "jr");
    assert_int_equal(screen->errand.state, ERRAND_WANTED);
}

/* There is no memory to add the run to the others: a message says so, and its results are dropped. */
TEST(a_run_that_cannot_be_kept_is_let_go)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    stage_type(&stage, "r");
    assert_true(screen->making.results.count > 0);
    screen->errand.state = ERRAND_DONE;
    stage.explorer.message[0] = 0;
    memory_fail_after(0);
    kernels_take(&stage.explorer, screen);
    memory_fail_after(-1);
    assert_int_not_equal(stage.explorer.message[0], 0);
    assert_int_equal(stage.session.shown->runs.count, 0);
    assert_null(screen->making.results.items);
}

TEST(a_sweep_has_every_number_of_threads)
{
    FREED(stage_close) struct stage stage;
    int before = threads_count();
    const struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_type(&stage, "V");
    assert_false(kernels_running(screen));
    assert_says(stage.explorer.message, "no difference");
    stage_go_to(&stage, "cpu/csr-omp");
    threads_set(5);
    stage_type(&stage, "V");
    assert_int_equal(screen->making.count, 5);
    assert_says(screen->making.label, "1-5 thr");
    for (int k = 0; k < 5; k++)
        assert_int_equal(screen->making.results.items[k].choice.threads, k + 1);
    screen_of(&stage)->errand.state = ERRAND_NONE;
    threads_set(16); /* up to 16 every number, beyond that powers of two and the maximum */
    stage_type(&stage, "V");
    assert_int_equal(screen->making.count, 16);
    screen_of(&stage)->errand.state = ERRAND_NONE;
    threads_set(17);
    stage_type(&stage, "V");
    assert_int_equal(screen->making.count, 6);
    assert_int_equal(screen->making.results.items[5].choice.threads, 17);
    screen_of(&stage)->errand.state = ERRAND_NONE;
    threads_set(48);
    stage_type(&stage, "V");
    static const int expected[] = {1, 2, 4, 8, 16, 32, 48};
    assert_int_equal(screen->making.count, 7);
    for (int k = 0; k < 7; k++)
        assert_int_equal(screen->making.results.items[k].choice.threads, expected[k]);
    threads_set(before);
}

/* A sweep that was started in the table ends in its curves, unless the user has left the table. */
TEST(a_sweep_ends_in_its_curves)
{
    for (int beside = 0; beside < 2; beside++) {
        FREED(stage_close) struct stage stage;
        int before = threads_count();
        stage_kernels(&stage, 40, 110);
        make_short(&stage);
        threads_set(2);
        stage_go_to(&stage, "cpu/csr-omp");
        stage_type(&stage, beside ? "Vb" : "V");
        stage_work(&stage);
        threads_set(before);
        assert_int_equal(stage.session.shown->runs.count, 1);
        assert_int_equal(screen_of(&stage)->mode, beside ? MODE_BESIDE : MODE_CURVES);
    }
}

/* Another number of threads is the same kernel, but another entry. */
TEST(entries_have_their_threads)
{
    static const struct outcome first[] = {{"cpu/csr-omp", 1, 1e-3, 1e-5}, {NULL, 0, 0, 0}};
    static const struct outcome second[] = {
        {"cpu/csr-omp", 2, 5e-4, 1e-6}, {"cpu/csr-omp", 1, 2e-3, 1e-5}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    stage_run(&stage, first, PRECISION_F64, "one");
    stage_run(&stage, second, PRECISION_F64, "two");
    stage_type(&stage, "b");
    const struct kernels_screen *screen = screen_of(&stage);
    assert_int_equal(screen->comparison_count, 2);
    assert_int_equal(screen->comparisons[0].results[0]->resolved.threads, 1);
    assert_int_equal(screen->comparisons[0].results[1]->resolved.threads, 1);
    assert_null(screen->comparisons[1].results[0]);
    assert_int_equal(screen->comparisons[1].results[1]->resolved.threads, 2);
    stage_draw(&stage);
    assert_true(screen->heading_count >= 2); /* a click on the heading of a run makes it the base */
    for (int k = screen->heading_count - 1; k >= 0; k--) {
        const struct heading heading = screen->headings[k];
        stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, heading.x);
        assert_int_equal(screen->base, heading.column);
    }
}

/* A longer time than the base's is a warning, a shorter one is good, and a tie is neither. */
TEST(ratios_have_the_colours_of_verdicts)
{
    static const struct outcome first[] = {{"cpu/bsr-seq", 1, 1e-3, 1e-5}, /* under the cursor */
                                           {"cpu/csr-seq", 1, 1e-3, 1e-5},
                                           {"cpu/ell-seq", 1, 8e-3, 1e-5},
                                           {"cpu/coo-seq", 1, 1e-3, 1e-4},
                                           {NULL, 0, 0, 0}};
    static const struct outcome second[] = {{"cpu/csr-seq", 1, 7e-3, 1e-5},
                                            {"cpu/ell-seq", 1, 4e-3, 1e-5},
                                            {"cpu/coo-seq", 1, 1.05e-3, 1e-4},
                                            {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    stage_run(&stage, first, PRECISION_F64, "one");
    stage_run(&stage, second, PRECISION_F64, "two");
    stage_type(&stage, "b");
    assert_int_equal(stage_find(&stage, "   7 ")[3].foreground, COLOUR_WARN);
    assert_int_equal(stage_find(&stage, " 0.5 ")[1].foreground, COLOUR_GOOD);
    assert_int_equal(stage_find(&stage, "= 1.05")[2].foreground, COLOUR_DIM);
}

TEST(runs_stand_beside_each_other)
{
    static const struct outcome first[] = {
        {"cpu/csr-seq", 1, 1e-3, 1e-5}, {"cpu/ell-seq", 1, 2e-3, 1e-5}, {NULL, 0, 0, 0}};
    static const struct outcome second[] = {{"cpu/dia-seq", 1, 0, 0},
                                            {"cpu/csr-seq", 1, 4e-3, 1e-5},
                                            {"cpu/ell-seq", 1, 2.001e-3, 1e-5},
                                            {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    stage_type(&stage, "b");
    stage_shows(&stage, "Nothing was run yet");
    stage_run(&stage, first, PRECISION_F64, "one");
    stage_run(&stage, second, PRECISION_F64, "two")->saved = true;
    stage_draw(&stage);
    stage_shows(&stage, "#1 one", "#1 base", "#2 saved", "of #1",
                "1.00 ms                      4.00 ms       4",
                "2.00 ms                      2.00 ms = 1.001", "row 3 is 7, no",
                "#2 takes 2 times as long as #1.  geometric mean of 2 kernels, 1 tied");
    stage_type(&stage, ">");
    stage_shows(&stage, "#2 two", "#2 saved base", "1.00 ms    0.25", "of #2",
                "#1 takes 0.5 times as long as #2.  geometric mean of 2 kernels, 1 tied");
    stage_key(&stage, UIKEY_END);
    assert_int_equal(screen_of(&stage)->comparison, 2);
    stage_key(&stage, UIKEY_DELETE);
    assert_int_equal(stage.session.shown->runs.count, 1);
    assert_int_equal(screen_of(&stage)->comparison, 1); /* dia-seq was in run #2 alone */
    stage_hides(&stage, "#2");
    assert_int_equal(stage.surface.cut, 0);
}

/* A default that is named, and a number written in another way, make no other kernel. */
TEST(parameters_are_compared_by_value)
{
    static const struct outcome first[] = {{"cpu/cmrs-omp:height=4", 2, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome second[] = {{"cpu/cmrs-omp:sorted=0,height=04", 2, 2e-3, 0},
                                            {"cpu/cmrs-omp:height=4,sorted=1", 2, 3e-3, 0},
                                            {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    stage_run(&stage, first, PRECISION_F64, "one");
    stage_run(&stage, second, PRECISION_F64, "two");
    stage_type(&stage, "b");
    const struct kernels_screen *screen = screen_of(&stage);
    assert_int_equal(screen->comparison_count, 2);
    assert_non_null(screen->comparisons[0].results[0]);
    assert_non_null(screen->comparisons[0].results[1]);
    assert_null(screen->comparisons[1].results[0]);
    stage_shows(&stage, "2.00 ms       2");
}

/* For kernels unknown to this build, results with different numbers of threads are distinguished, too. */
TEST(numbers_of_threads_tell_unknown_kernels_apart)
{
    static const struct outcome outcomes[] = {
        {"cpu/csr-omp", 1, 1e-3, 0}, {"cpu/csr-omp", 2, 2e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    struct results *results = &stage_run(&stage, outcomes, PRECISION_F64, "one")->results;
    assert_int_equal(results->count, 2);
    const struct kernel unknown = *results->items[0].choice.kernel;
    for (int k = 0; k < 2; k++)
        results->items[k].choice.kernel = results->items[k].resolved.kernel = &unknown;
    stage_type(&stage, "b");
    const struct kernels_screen *screen = screen_of(&stage);
    assert_int_equal(screen->comparison_count, 2);
    for (int k = 0; k < 2; k++)
        assert_ptr_equal(screen->comparisons[k].results[0], &results->items[k]);
    stage_shows(&stage, "1.00 ms", "2.00 ms");
}

/* Ask for the kernel of a result, as another screen does, and draw. */
/* Two saved reports have each a kernel of their own that this build does not know: if their names are the
 * same, they are one. */
TEST(unknown_kernels_of_one_name_are_one)
{
    static const struct outcome outcomes[] = {
        {"cpu/csr-omp", 2, 1e-3, 0}, {"cpu/ell-omp", 2, 2e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct kernel unknown[2][2];
    stage_kernels(&stage, 22, 80);
    for (int r = 0; r < 2; r++) {
        struct results *results = &stage_run(&stage, outcomes, PRECISION_F64, r ? "two" : "one")->results;
        for (int k = 0; k < 2; k++) {
            unknown[r][k] = *results->items[k].choice.kernel;
            results->items[k].choice.kernel = results->items[k].resolved.kernel = &unknown[r][k];
        }
    }
    stage_type(&stage, "b");
    const struct kernels_screen *screen = screen_of(&stage);
    assert_int_equal(screen->comparison_count, 2);
    for (int k = 0; k < 2; k++) {
        assert_non_null(screen->comparisons[k].results[0]);
        assert_non_null(screen->comparisons[k].results[1]);
    }
}

static void ask_for(struct stage *stage, const struct run *run, int k)
{
    stage->explorer.asked = run->results.items[k].choice;
    stage->explorer.asked_in = &run->results;
    stage_draw(stage);
    assert_null(stage->explorer.asked.kernel);
}

/* The name on the line under the cursor. */
static const char *under_cursor(struct stage *stage)
{
    const struct kernels_screen *screen = screen_of(stage);
    assert_in_range(screen->cursor, 0, screen->line_count - 1);
    return screen->lines[screen->cursor].result->name;
}

/* The cursor goes to the kernel that another screen requests. It is in the table, which gets a row for it if
 * necessary, or in the saved run that has it, whatever was shown before. */
TEST(a_kernel_is_shown_for_another_screen)
{
    static const struct outcome own[] = {{"cpu/csr-seq", 1, 1e-3, 0},
                                         {"cpu/jds-seq", 1, 2e-3, 0},
                                         {"cpu/cmrs-seq:height=4", 1, 3e-3, 0},
                                         {NULL, 0, 0, 0}};
    static const struct outcome other[] = {
        {"cpu/csr-seq", 1, 4e-3, 0}, {"cpu/coo-seq", 1, 5e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    struct run *made = stage_run(&stage, own, PRECISION_F64, "own");
    struct run *saved = stage_run(&stage, other, PRECISION_F32, "other");
    saved->saved = true;
    stage_type(&stage, "i");
    ask_for(&stage, made, 1);
    assert_string_equal(under_cursor(&stage), "cpu/jds-seq");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
    ask_for(&stage, saved, 1);
    stage_shows(&stage, "Run 2 of 2: #2 other (saved)", "f f32");
    assert_string_equal(under_cursor(&stage), "cpu/coo-seq");
    ask_for(&stage, made, 2);
    assert_string_equal(under_cursor(&stage), "cpu/cmrs-seq:height=4");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count() + 1);
}
