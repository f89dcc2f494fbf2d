/* ui/view_kernels and what it is made of: the rows and their order, options, columns, the panel. Times are
 * made by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/kernels_screen.h"
#include "support/preparing.h"
#include "support/support.h"

/* The names of the lines, from the first one on. */
static void stands(struct stage *stage, const char *const *names)
{
    const struct kernels_screen *screen = screen_of(stage);
    for (int k = 0; names[k]; k++) {
        struct result unrun;
        const struct result *result = kernels_result(&stage->explorer, screen, &screen->lines[k], &unrun);
        if (strcmp(result->name, names[k]) != 0)
            fail_msg("line %d is %s and not %s in\n%s", k, result->name, names[k], stage_dump(stage));
    }
}

static void every_kernel_has_a_row_before_it_was_run(void **state)
{
    (void)state;
    struct stage stage;
    char text[128];
    int runnable = 0, awaiting = 0;
    stage_kernels(&stage, 200, 119);
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
    for (int k = 0; kernels[k]; k++) {
        struct result unrun;
        const struct line *line = &screen_of(&stage)->lines[k];
        stage_shows(&stage, kernels_result(&stage.explorer, screen_of(&stage), line, &unrun)->name);
        bool runs = kernel_check(kernels[k], false, (struct product){0}, NULL) == STATUS_OK;
        runnable += runs;
        awaiting += !runs && kernel_suits(kernels[k], false, (struct product){0}, NULL) == STATUS_OK;
    }
    snprintf(text, sizeof text, "R runs all %d kernels, r the one under the cursor; all take about",
             runnable);
    stage_shows(&stage, text);
    snprintf(text, sizeof text, "No GPU here: 0 kernels are estimated for a GPU, %d wait for one", awaiting);
    if (awaiting) stage_shows(&stage, text);
    stage_shows(&stage, "~ estimated");
    for (int c = 1; kernel_columns[c].key; c++)
        if (kernel_columns[c].leading) stage_shows(&stage, kernel_columns[c].heading);
    assert_int_equal(stage.surface.cut, 0);
    stage_close(&stage);
}

/* Let the errands of the screen find out all that they can. */
static void foresee_all(struct stage *stage)
{
    const struct kernels_screen *screen = screen_of(stage);
    for (int k = 0; k < 100 && screen->foresight.state == ERRAND_WANTED; k++)
        stage_work(stage);
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
}

/* Without being asked, the table has the sizes of all storages, and what the kernels of GPUs ask of memory:
 * as much as after a run. */
static void what_is_known_before_a_run_comes_by_itself(void **state)
{
    (void)state;
    struct stage stage;
    int traced = 0, awaiting = 0;
    char text[128];
    stage_kernels(&stage, 200, 119);
    const struct kernels_screen *screen = screen_of(&stage);
    assert_ptr_equal(stage.explorer.errand, &screen->foresight);
    assert_false(screen->foresight.alone);
    foresee_all(&stage);
    for (int k = 0; k < screen->line_count; k++) {
        const struct line *line = &screen->lines[k];
        assert_non_null(line->result);
        assert_null(line->run);
        assert_false(result_timed(line->result));
        const struct kernel *kernel = line->result->choice.kernel;
        const struct estimate *estimate = results_estimate_of(line->results, line->result);
        bool suits = kernel_suits(kernel, false, (struct product){0}, NULL) == STATUS_OK;
        assert_int_equal(estimate != NULL, kernel->trace && suits);
        assert_true(line->result->sized);
        traced += estimate != NULL;
        if (estimate) assert_true(estimate->sampled == 1);
        awaiting += kernels_awaits_gpu(&stage.explorer, screen, line, line->result);
    }
    assert_true(traced > 10);
    snprintf(text, sizeof text, "No GPU here: %d kernels are estimated for ", traced);
    if (awaiting > 0) stage_shows(&stage, text);
    if (awaiting > 0) stage_shows(&stage, " ~  cuda/csr-scalar ");
    stage_hides(&stage, " !  c");
    if (awaiting > 0) assert_int_equal(stage_find(&stage, "~  cuda/csr-scalar")->foreground, COLOUR_DIM);
    stage_type(&stage, "f"); /* the other precision is not known yet */
    foresee_all(&stage);
    assert_non_null(screen->lines[0].result);
    assert_int_equal(screen->lines[0].result->choice.format.precision, PRECISION_F32);
    int before = screen->foreseen_count;
    stage_type(&stage, "ff"); /* and what is known is not found out again */
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
    assert_int_equal(screen->foreseen_count, before);
    stage_type(&stage, "y"); /* another product asks for something else of memory */
    assert_int_equal(screen->foreseen_count, 0);
    foresee_all(&stage);
    stage_close(&stage);
}

/* What was found out of a product that is no longer asked for is not shown. */
static void what_is_found_out_too_late_is_dropped(void **state)
{
    (void)state;
    struct stage stage;
    struct error error = {0};
    stage_kernels(&stage, 40, 110);
    struct kernels_screen *screen = screen_of(&stage);
    struct errand *errand = &screen->foresight;
    assert_int_equal(errand->run(errand->argument, NULL, &error), STATUS_OK);
    errand->state = ERRAND_RUNNING;
    stage_type(&stage, "y");
    assert_true(errand->unwanted);
    errand->state = ERRAND_DONE; /* it had ended meanwhile */
    stage_draw(&stage);
    assert_int_equal(screen->foreseen_count, 0);
    assert_int_equal(errand->state, ERRAND_WANTED);
    assert_true(screen->foreseeing.product.accumulate);
    stage_close(&stage);
}

/* Nothing is found out beside a run, nor again after the user has cancelled it. */
static void what_is_foreseen_gives_way(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    struct kernels_screen *screen = screen_of(&stage);
    screen->foresight.state = ERRAND_NONE;
    stage_type(&stage, "r");
    assert_ptr_equal(stage.explorer.errand, &screen->errand);
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
    screen->errand.state = ERRAND_FAILED;
    screen->foresight.state = ERRAND_FAILED;
    stage_draw(&stage);
    assert_int_equal(screen->foresight.state, ERRAND_FAILED);
    assert_int_equal(screen->foreseen_count, 0);
    stage_close(&stage);
}

/* Of a matrix with many slots only some warps are replayed. */
static void large_storages_are_sampled(void **state)
{
    (void)state;
    struct error error = {0};
    struct results results = {0};
    struct kernel_list list = {0};
    struct stage stage;
    stage_open(&stage, &view_kernels, support_matrix(40000, 250, 1.0, false, false, 1), FIELD_REAL, 40, 110);
    assert_int_equal(kernel_list_add(&list, "cuda/csr-scalar", &error), STATUS_OK);
    assert_int_equal(results_want(&results, &list.choices[0], &error), STATUS_OK);
    assert_int_equal(session_foresee(&stage.session, &results, (struct product){0}, 0, NULL, &error),
                     STATUS_OK);
    const struct estimate *estimate = results_estimate_of(&results, &results.items[0]);
    assert_non_null(estimate);
    assert_true(estimate->sampled > 0.3 && estimate->sampled < 0.5); /* 4e6 of 1e7 slots */
    results_free(&results);
    kernel_list_free(&list);
    stage_close(&stage);
}

/* A report that is opened with the matrix is what the user wants to see. */
static void the_newest_saved_run_is_shown_first(void **state)
{
    (void)state;
    static const struct outcome one[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome two[] = {{"cpu/ell-seq", 1, 2e-3, 0}, {NULL, 0, 0, 0}};
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_run(&stage, one, PRECISION_F64, "older")->saved = true;
    stage_run(&stage, two, PRECISION_F32, "newer")->saved = true;
    stage.view->close(stage.state);
    stage.explorer.errand = NULL;
    stage.state = stage.view->open(&stage.explorer, NULL);
    assert_non_null(stage.state);
    stage_draw(&stage);
    stage_shows(&stage, "Run 2 of 2: #2 newer (saved)");
    stage_shows(&stage, "2.00 ms");
    stage_shows(&stage, "f f32");
    stage_shows(&stage, "[ ] other runs");
    assert_int_equal(screen_of(&stage)->line_count, 1);
    assert_null(stage.explorer.errand); /* nothing is found out that is not shown */
    stage_type(&stage, "]");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
    stage_close(&stage);
}

/* The first press of s has the best first, the second the worst. */
static void columns_are_sorted_by_what_is_best(void **state)
{
    (void)state;
    static const struct {
        const char *key;
        bool descending;
    } expected[] = {{"time_us", false},    {"gflops", true},
                    {"read_share", true},  {"padding_ratio", false},
                    {"bytes", false},      {"estimate.coalescing_efficiency", true},
                    {"convert_us", false}, {"estimate.lane_utilisation", true},
                    {"beta_plus", false},  {"estimate.loads.sectors", false},
                    {"max_error", true}};
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    struct kernels_screen *screen = screen_of(&stage);
    for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
        int column = 0;
        while (strcmp(kernel_columns[column].key, expected[k].key) != 0)
            column++;
        screen->visible[column] = true;
        screen->sort = NAME_COLUMN;
        screen->column = column;
        stage_type(&stage, "s");
        assert_int_equal(screen->descending, expected[k].descending);
        stage_type(&stage, "s");
        assert_int_equal(screen->descending, !expected[k].descending);
    }
    stage_close(&stage);
}

/* A moved cursor changes its own two names and what is told of the kernel, no more. */
static void a_moved_cursor_changes_little(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 48, 160);
    foresee_all(&stage);
    for (int k = 0; k < 20; k++) {
        size_t cells = (size_t)stage.surface.high * (size_t)stage.surface.wide, changed = 0;
        struct cell *before = malloc(cells * sizeof *before);
        assert_non_null(before);
        memcpy(before, stage.surface.cells, cells * sizeof *before);
        stage_key(&stage, UIKEY_DOWN);
        for (size_t c = 0; c < cells; c++)
            changed += memcmp(&before[c], &stage.surface.cells[c], sizeof *before) != 0;
        free(before);
        assert_true(changed > 20 && changed < 240);
    }
    stage_close(&stage);
}

static void what_cannot_run_says_why(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, &view_kernels, support_matrix(5, 5, 0.5, false, true, 1), FIELD_COMPLEX, 40, 110);
    stage_shows(&stage, " !  cpu/csr-seq ");
    stage_shows(&stage, " the matrix is complex: there are real kernels only");
    stage_shows(&stage, "No kernel can run");
    stage_type(&stage, "R");
    assert_false(kernels_running(screen_of(&stage)));
    assert_non_null(strstr(stage.explorer.message, "none of these"));
    stage_close(&stage);
}

static const struct outcome some[] = {{"cpu/csr-omp", 2, 3e-6, 1e-7},    {"cpu/ell-omp", 2, 2e-6, 1e-7},
                                      {"cpu/csr-seq", 1, 2.15e-6, 1e-7}, {"cpu/dia-seq", 1, 0, 0},
                                      {"cpu/coo-seq", 1, 3e-6, 1e-7},    {NULL, 0, 0, 0}};

static void the_fastest_come_first_and_what_was_not_run_last(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_type(&stage, "T");
    view_take_answer(&stage.explorer, stage.view, stage.state, "2");
    stage_run(&stage, some, PRECISION_F64, "first");
    stage_draw(&stage);
    /* equal times stand as in the table of kernels */
    stands(&stage, (const char *[]){"cpu/ell-omp", "cpu/csr-seq", "cpu/coo-seq", "cpu/csr-omp", "cpu/coo-omp",
                                    "cpu/csr-balanced", NULL});
    struct result unrun;
    const struct kernels_screen *screen = screen_of(&stage);
    assert_false(result_timed(kernels_result(&stage.explorer, screen, &screen->lines[6], &unrun)));
    stage_shows(&stage, " =  cpu/ell-omp"); /* 2 +- 0.1 and 2.15 +- 0.1 */
    stage_shows(&stage, " =  cpu/csr-seq");
    stage_shows(&stage, "    cpu/csr-omp");
    stage_shows(&stage, " !  cpu/dia-seq ");
    stage_shows(&stage, " row 3 is 7, not 8");
    stage_shows(&stage, "2.00 us  5.0%      500"); /* 1e6 / 2e-6 */
    stage_type(&stage, "s");                       /* the other way round: still the numbers first */
    stands(&stage,
           (const char *[]){"cpu/coo-seq", "cpu/csr-omp", "cpu/csr-seq", "cpu/ell-omp", "cpu/coo-omp", NULL});
    stage_type(&stage, "hhhhhhs"); /* by name */
    stands(&stage, (const char *[]){"cpu/bsr-omp", "cpu/bsr-seq", "cpu/cmrs-omp", NULL});
    stage_type(&stage, "lls"); /* by time, through its heading */
    stands(&stage, (const char *[]){"cpu/ell-omp", "cpu/csr-seq", NULL});
    stage_close(&stage);
}

static void a_fastest_without_a_tie_is_marked_so(void **state)
{
    (void)state;
    static const struct outcome clear[] = {
        {"cpu/csr-omp", 2, 3e-6, 1e-7}, {"cpu/ell-omp", 2, 2e-6, 1e-7}, {NULL, 0, 0, 0}};
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_type(&stage, "T");
    view_take_answer(&stage.explorer, stage.view, stage.state, "2");
    struct run *run = stage_run(&stage, clear, PRECISION_F64, "first");
    run->results.items[0].cached = true;
    stage_draw(&stage);
    stage_shows(&stage, " >  cpu/ell-omp");
    stage_shows(&stage, "  * cpu/csr-omp");
    stage_close(&stage);
}

/* What cannot run or came out wrong is marked in the colour of faults; what fits in the cache in that of
 * warnings, if it has a time at all. */
static void marks_have_the_colours_of_verdicts(void **state)
{
    (void)state;
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 2e-6, 1e-7},
                                              {"cpu/ell-seq", 1, 3e-6, 1e-7},
                                              {"cpu/coo-seq", 1, 4e-6, 1e-7},
                                              {"cpu/dia-seq", 1, 0, 0},
                                              {NULL, 0, 0, 0}};
    struct stage stage;
    stage_kernels(&stage, 60, 110);
    struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "first");
    run->results.items[1].cached = run->results.items[3].cached = true;
    stage_draw(&stage);
    stage_go_to(&stage, "cpu/coo-seq"); /* the cursor has colours of its own */
    assert_int_equal(stage_find(&stage, ">  cpu/csr-seq")->foreground, COLOUR_GOOD);
    assert_int_equal(stage_find(&stage, "* cpu/ell-seq")->foreground, COLOUR_WARN);
    const struct cell *wrong = stage_find(&stage, "!  cpu/dia-seq"); /* and no star */
    assert_int_equal(wrong->foreground, COLOUR_BAD);
    assert_int_equal(wrong[3].foreground, COLOUR_BAD);
    stage_close(&stage);
}

/* What the table shows was made under the options that it names. */
static void options_choose_the_results(void **state)
{
    (void)state;
    static const struct outcome slow[] = {{"cpu/csr-seq", 1, 5e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome fast[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome single[] = {{"cpu/csr-seq", 1, 7e-4, 0}, {NULL, 0, 0, 0}};
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_run(&stage, fast, PRECISION_F64, "warm");
    stage_run(&stage, slow, PRECISION_F64, "cold")->results.options.cold = true;
    stage_run(&stage, single, PRECISION_F32, "single");
    stage_run(&stage, single, PRECISION_F64, "of another machine")->saved = true;
    stage_draw(&stage);
    stage_shows(&stage, "1.00 ms");
    stage_type(&stage, "w");
    stage_shows(&stage, "5.00 ms");
    stage_hides(&stage, "1.00 ms");
    stage_type(&stage, "y");
    stage_shows(&stage, "y += A x");
    assert_int_equal(screen_of(&stage)->timed, 0);
    stage_type(&stage, "ywf");
    stage_shows(&stage, "700 us");
    stage_shows(&stage, "f f32");
    stage_type(&stage, "fm");
    assert_int_equal(screen_of(&stage)->timed, 0);
    stage_close(&stage);
}

static void parameters_add_rows(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 60, 110);
    const struct kernels_screen *screen = screen_of(&stage);
    int all = kernel_count();
    stage_go_to(&stage, "cpu/cmrs-omp");
    stage_type(&stage, "p");
    assert_non_null(strstr(stage.explorer.question.label, "cmrs-omp (height"));
    stage_answer(&stage, "height=3,sorted=1");
    assert_int_equal(screen->line_count, all + 1);
    stage_shows(&stage, "cpu/cmrs-omp:height=3,sorted=1");
    stage_shows(&stage, "cpu/cmrs-omp  "); /* the default is still there */
    assert_int_equal(screen->lines[screen->cursor].choice, all);
    stage_type(&stage, "p");
    assert_string_equal(stage.explorer.question.text, "height=3,sorted=1");
    stage_answer(&stage, "height=03,sorted=1"); /* the same */
    assert_int_equal(screen->line_count, all + 1);
    stage_type(&stage, "p");
    stage_answer(&stage, "height=17");
    assert_non_null(strstr(stage.explorer.message, "1..16"));
    stage_type(&stage, "p");
    stage_answer(&stage, "height=*");
    assert_int_equal(screen->line_count, all + 17);
    assert_int_equal(kernels_selected(screen), 16);
    stage_key(&stage, UIKEY_DELETE);
    assert_int_equal(screen->line_count, all + 16);
    assert_int_equal(kernels_selected(screen), 15);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_key(&stage, UIKEY_DELETE);
    assert_int_equal(screen->line_count, all + 16);
    assert_non_null(strstr(stage.explorer.message, "added"));
    stage_type(&stage, "p");
    assert_false(stage.explorer.question.asked);
    assert_non_null(strstr(stage.explorer.message, "no parameters"));
    stage_close(&stage);
}

/* Rows below one that is removed stay selected, and the cursor stays on its kernel when rows are sorted anew.
 */
static void selections_and_the_cursor_stay_with_their_kernels(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 60, 110);
    const struct kernels_screen *screen = screen_of(&stage);
    static const char *const heights[] = {"height=3", "height=5", "height=6"};
    for (int k = 0; k < 3; k++) {
        stage_go_to(&stage, "cpu/cmrs-omp");
        stage_type(&stage, "p");
        stage_answer(&stage, heights[k]);
    }
    int all = kernel_count();
    for (int k = 0; k < screen->list.count; k++)
        if (screen->selected[k]) {
            stage_type(&stage, "AA"); /* none */
            break;
        }
    stage_go_to(&stage, "cpu/cmrs-omp:height=5");
    stage_type(&stage, " ");
    stage_go_to(&stage, "cpu/cmrs-omp:height=3");
    stage_key(&stage, UIKEY_DELETE);
    assert_int_equal(kernels_selected(screen), 1);
    assert_true(screen->selected[all]);
    assert_int_equal(screen->list.count, all + 2);
    stage_go_to(&stage, "cpu/csr-seq");
    int choice = screen->lines[screen->cursor].choice, before = screen->cursor;
    assert_true(before > 0);
    static const struct outcome fast[] = {{"cpu/csr-seq", 1, 1e-6, 0}, {NULL, 0, 0, 0}};
    stage_run(&stage, fast, PRECISION_F64, "first");
    stage_draw(&stage); /* the only one with a time comes first */
    assert_int_equal(screen->cursor, 0);
    assert_int_equal(screen->lines[screen->cursor].choice, choice);
    stage_close(&stage);
}

static void threads_are_a_list(void **state)
{
    (void)state;
    static const char *const wrong[] = {"0", "x", "1,", "1;2", "-1", "1,99999999999999999999", "4097"};
    struct stage stage;
    stage_kernels(&stage, 80, 110);
    const struct kernels_screen *screen = screen_of(&stage);
    int sequential = 0;
    for (int k = 0; kernels[k]; k++)
        sequential += results_threads(kernels[k], 2) != 2;
    stage_type(&stage, "T");
    stage_answer(&stage, "4, 1,2 ,2,4");
    stage_shows(&stage, "threads 1,2,4");
    assert_int_equal(screen->line_count, sequential + 3 * (kernel_count() - sequential));
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        stage_type(&stage, "T");
        stage_answer(&stage, wrong[k]);
        assert_int_equal(screen->threads.count, 3);
        assert_non_null(strstr(stage.explorer.message, "number of threads from 1 to 1024"));
    }
    stage_type(&stage, "T");
    stage_answer(&stage, "3, 1-2");
    stage_shows(&stage, "threads 1-3");
    stage_type(&stage, "T");
    assert_string_equal(stage.explorer.question.text, "1-3");
    stage_answer(&stage, "");
    assert_int_equal(screen->line_count, kernel_count());
    stage_close(&stage);
}

static void columns_are_chosen(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 40, 110);
    const struct kernels_screen *screen = screen_of(&stage);
    stage_hides(&stage, "Samples");
    stage_type(&stage, "c");
    stage_shows(&stage, "[\u2022] Time ");
    for (int k = 0;
         k < kernels_columns() && strcmp(kernel_columns[screen->dialog.selected + 1].key, "samples"); k++)
        stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "timed samples that the numbers are made from"); /* its help */
    stage_type(&stage, " ");
    stage_key(&stage, UIKEY_ESCAPE);
    stage_shows(&stage, "Samples");
    stage_hides(&stage, "Space shows");
    stage_type(&stage, "c ");
    stage_key(&stage, UIKEY_ENTER);
    stage_hides(&stage, "Samples");
    stage_type(&stage, "c 0c"); /* as at first */
    for (int c = 1; c < kernels_columns(); c++)
        assert_int_equal(screen->visible[c], kernel_columns[c].leading);
    stage_close(&stage);
}

/* Any set of columns at any width: what does not fit is counted, and the column cursor's is in sight. */
static void columns_that_do_not_fit_are_counted(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 22, 80);
    struct kernels_screen *screen = screen_of(&stage);
    stage_run(&stage, some, PRECISION_F64, "first");
    for (int c = 1; c < kernels_columns(); c++)
        screen->visible[c] = true;
    for (int wide = 80; wide <= 118; wide += 2) {
        stage_resize(&stage, 22, wide);
        for (int k = 0; k < kernels_columns(); k++)
            stage_key(&stage, UIKEY_LEFT);
        stage_shows(&stage, "more columns: >");
        for (int k = 1; k < kernels_columns(); k++) {
            bool seen = false;
            stage_key(&stage, UIKEY_RIGHT);
            assert_int_equal(screen->column, k);
            for (int h = 0; h < screen->heading_count; h++)
                seen = seen || screen->headings[h].column == k;
            assert_true(seen);
            assert_int_equal(stage.surface.cut, 0);
        }
        stage_shows(&stage, "more columns");
    }
    stage_close(&stage);
}

static void the_panel_says_all(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 34, 130);
    stage_run(&stage, some, PRECISION_F64, "first");
    stage_draw(&stage);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_shows(&stage, " cpu/csr-seq  row by row, one thread; PMPP, figure 10.4");
    stage_hides(&stage, "Median at least");
    stage_key(&stage, UIKEY_ENTER);
    stage_shows(&stage, "PMPP, figure 10.4");
    stage_shows(&stage, "Median at least");
    stage_shows(&stage, "2.05 us");
    stage_shows(&stage, "memory read 10 GB/s, copy 8 GB/s by 2 threads,");
    stage_go_to(&stage, "cpu/dia-seq");
    stage_hides(&stage, "Median at least");
    stage_key(&stage, UIKEY_ENTER);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_hides(&stage, "Median at least");
    stage_resize(&stage, 22, 80);
    stage_go_to(&stage, "cpu/cmrs-omp");
    stage_shows(&stage, "height=8, "); /* after two of them it takes all of a narrow area */
    stage_shows(&stage, "1..16");
    stage_key(&stage, UIKEY_ENTER);
    stage_hides(&stage, "Median at least");
    stage_close(&stage);
}

static void the_mouse_chooses_and_sorts(void **state)
{
    (void)state;
    struct stage stage;
    stage_kernels(&stage, 22, 80);
    struct kernels_screen *screen = screen_of(&stage);
    stage_run(&stage, some, PRECISION_F64, "first");
    stage_draw(&stage);
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top + 3, 10);
    assert_int_equal(screen->cursor, 3);
    stage_mouse(&stage, MOUSE_WHEEL_DOWN, 10, 10);
    assert_int_equal(screen->cursor, 4);
    for (int k = 0; k < screen->heading_count; k++) {
        struct heading heading = screen->headings[k];
        stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, heading.x);
        assert_int_equal(screen->sort, heading.column);
        bool largest_first = heading.column != NAME_COLUMN && kernel_columns[heading.column].largest_first;
        assert_int_equal(screen->descending, largest_first);
    }
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, screen->headings[0].x);
    stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, screen->headings[0].x);
    assert_true(screen->descending);
    stage_close(&stage);
}

/* As many rows as there may be: 4096 kernels. */
static void thousands_of_rows_are_moved_through(void **state)
{
    (void)state;
    struct stage stage;
    char parameters[32];
    int hyb = 0;
    while (strcmp(kernels[hyb]->name, "hyb-omp") != 0)
        hyb++;
    stage_kernels(&stage, 22, 80);
    struct kernels_screen *screen = screen_of(&stage);
    for (int k = 1; screen->list.count < KERNEL_LIST_MAX; k++) {
        snprintf(parameters, sizeof parameters, "k=%d", k);
        struct kernel_choice *choices =
            memory_resize(screen->list.choices, (size_t)screen->list.count + 1, sizeof *choices, NULL);
        screen->list.choices = choices; /* kernel_list_add compares each with all */
        choices[screen->list.count++] = preparing_choice(kernels[hyb], parameters, PRECISION_F64, 0);
    }
    screen->stale = true;
    stage_draw(&stage);
    assert_int_equal(screen->line_count, KERNEL_LIST_MAX);
    stage_key(&stage, UIKEY_END);
    assert_int_equal(screen->cursor, KERNEL_LIST_MAX - 1);
    assert_int_equal(stage.surface.cut, 0);
    stage_key(&stage, UIKEY_PAGE_UP);
    assert_int_equal(screen->cursor, KERNEL_LIST_MAX - 1 - screen->rows);
    stage_key(&stage, UIKEY_HOME);
    assert_int_equal(screen->cursor, 0);
    stage_close(&stage);
}

/* Of the kernel under the cursor first, the other if there is room. */
static void the_memory_that_kernels_are_held_against_is_told(void **state)
{
    static const struct outcome both[] = {
        {"cpu/csr-seq", 1, 2e-4, 1e-6}, {"cuda/csr-scalar", 0, 1e-5, 1e-7}, {0}};
    static const struct outcome later[] = {{"cpu/csr-omp", 2, 1e-4, 1e-6}, {0}};
    static const char gpu[] = "NVIDIA H200: read 4545 GB/s, copy 4270 GB/s, L2 60.0 MiB",
                      host[] = "memory read 10 GB/s, copy 8 GB/s by 2 threads, cache 1000 B";
    (void)state;
    for (int wide = 80; wide <= 160; wide += 80) {
        struct stage stage;
        stage_kernels(&stage, 60, wide);
        struct machines *machines = &stage_run(&stage, both, PRECISION_F64, "first")->results.machines;
        machines->devices = 1;
        machines->device[0] = (struct machine){.type = backend_cuda.devices,
                                               .name = "NVIDIA H200",
                                               .read = 4.5454e12,
                                               .copy = 4.27e12,
                                               .read_low = 4.5e12,
                                               .cache = 62914560};
        stage_run(&stage, later, PRECISION_F64, "second");
        stage_draw(&stage);
        stage_go_to(&stage, "cuda/csr-scalar");
        stage_shows(&stage, gpu);
        (wide == 80 ? stage_hides : stage_shows)(&stage, host);
        stage_go_to(&stage, "cpu/csr-seq");
        stage_shows(&stage, host);
        (wide == 80 ? stage_hides : stage_shows)(&stage, gpu);
        machines->device[0].read_low = 1.2e12;
        stage_go_to(&stage, "cuda/csr-scalar");
        if (wide == 160) stage_shows(&stage, "; read fell to 1200 GB/s: something else ran");
        assert_int_equal(stage.surface.cut, 0);
        stage_close(&stage);
    }
}

/* Of two runs the figures of the newer one, whichever kernel is under the cursor. */
static void the_memory_is_that_of_the_newest_run(void **state)
{
    (void)state;
    static const struct outcome older[] = {{"cpu/csr-seq", 1, 2e-4, 1e-6}, {0}};
    static const struct outcome newer[] = {{"cpu/csr-omp", 2, 1e-4, 1e-6}, {0}};
    for (int turned = 0; turned < 2; turned++) {
        struct stage stage;
        stage_kernels(&stage, 60, 80);
        stage_run(&stage, turned ? newer : older, PRECISION_F64, "first");
        stage_run(&stage, turned ? older : newer, PRECISION_F64, "second")->results.machines.host.read = 3e10;
        stage_draw(&stage);
        stage_go_to(&stage, "cpu/csr-seq");
        stage_shows(&stage, "memory read 30 GB/s");
        stage_close(&stage);
    }
}

static void runs_are_made_on_the_device_that_was_asked_for(void **state)
{
    struct stage stage;
    (void)state;
    stage_kernels(&stage, 30, 80);
    assert_int_equal(screen_of(&stage)->options.device, 0);
    stage.explorer.device = 3;
    struct kernels_screen *screen = stage.view->open(&stage.explorer, NULL);
    assert_int_equal(screen->options.device, 3);
    stage.view->close(screen);
    stage_close(&stage);
}

static void without_memory_there_are_no_rows_but_a_message(void **state)
{
    (void)state;
    struct stage stage;
    struct error error = {0};
    for (long after = 0;; after++) {
        memory_fail_after(after);
        struct explorer explorer = {0};
        void *opened = view_kernels.open(&explorer, &error);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(opened == NULL, failed);
        if (opened) view_kernels.close(opened);
        if (!failed) break;
    }
    stage_kernels(&stage, 40, 110);
    struct kernels_screen *screen = screen_of(&stage);
    stage_run(&stage, some, PRECISION_F64, "first");
    for (long after = 0;; after++) {
        screen->stale = true;
        stage.explorer.message[0] = 0;
        memory_fail_after(after);
        stage_draw(&stage);
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        assert_int_equal(stage.explorer.message[0] != 0, failed);
        if (!failed) break;
    }
    assert_int_equal(screen->line_count, kernel_count());
    for (long after = 0;; after++) {
        stage.explorer.message[0] = 0;
        memory_fail_after(after);
        stage_type(&stage, "R");
        bool failed = memory_failures() > 0;
        memory_fail_after(-1);
        if (!failed) break;
        assert_false(kernels_running(screen));
        assert_int_not_equal(stage.explorer.message[0], 0);
    }
    assert_true(kernels_running(screen));
    stage_close(&stage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kernel_has_a_row_before_it_was_run),
        cmocka_unit_test(what_is_known_before_a_run_comes_by_itself),
        cmocka_unit_test(what_is_found_out_too_late_is_dropped),
        cmocka_unit_test(what_is_foreseen_gives_way),
        cmocka_unit_test(large_storages_are_sampled),
        cmocka_unit_test(the_newest_saved_run_is_shown_first),
        cmocka_unit_test(columns_are_sorted_by_what_is_best),
        cmocka_unit_test(a_moved_cursor_changes_little),
        cmocka_unit_test(what_cannot_run_says_why),
        cmocka_unit_test(the_fastest_come_first_and_what_was_not_run_last),
        cmocka_unit_test(a_fastest_without_a_tie_is_marked_so),
        cmocka_unit_test(marks_have_the_colours_of_verdicts),
        cmocka_unit_test(options_choose_the_results),
        cmocka_unit_test(parameters_add_rows),
        cmocka_unit_test(selections_and_the_cursor_stay_with_their_kernels),
        cmocka_unit_test(threads_are_a_list),
        cmocka_unit_test(columns_are_chosen),
        cmocka_unit_test(columns_that_do_not_fit_are_counted),
        cmocka_unit_test(the_panel_says_all),
        cmocka_unit_test(the_mouse_chooses_and_sorts),
        cmocka_unit_test(thousands_of_rows_are_moved_through),
        cmocka_unit_test(the_memory_that_kernels_are_held_against_is_told),
        cmocka_unit_test(the_memory_is_that_of_the_newest_run),
        cmocka_unit_test(runs_are_made_on_the_device_that_was_asked_for),
        cmocka_unit_test(without_memory_there_are_no_rows_but_a_message),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
