/* The Kernels screen with runs whose times are made by hand: the rows and their order, options, columns, the
 * panel. */
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "support/kernels_screen.h"
#include "support/preparing.h"
#include "support/unit.h"

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

static void names_ascend(struct stage *stage)
{
    const struct kernels_screen *screen = screen_of(stage);
    char before[128] = "";
    for (int k = 0; k < screen->line_count; k++) {
        struct result unrun;
        const char *name = kernels_result(&stage->explorer, screen, &screen->lines[k], &unrun)->name;
        assert_true(strcmp(before, name) <= 0);
        snprintf(before, sizeof before, "%s", name);
    }
}

/* If a report was opened with the matrix, the screen shows it first. */
TEST(the_newest_saved_run_is_shown_first)
{
    static const struct outcome one[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome two[] = {{"cpu/ell-seq", 1, 2e-3, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_run(&stage, one, PRECISION_F64, "older")->saved = true;
    stage_run(&stage, two, PRECISION_F32, "newer")->saved = true;
    stage.view->close(stage.state);
    stage.explorer.errand = NULL;
    stage.state = stage.view->open(&stage.explorer, NULL);
    assert_non_null(stage.state);
    stage_draw(&stage);
    stage_shows(&stage, "Run 2 of 2: #2 newer (saved)", "2.00 ms", "f f32", "[ ] previous and next run");
    assert_int_equal(screen_of(&stage)->line_count, 1);
    assert_null(stage.explorer.errand); /* only shown rows are forecast */
    stage_type(&stage, "]");
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
}

/* The first press of s has the best first, the second the worst. */
TEST(columns_are_sorted_by_what_is_best)
{
    static const struct {
        const char *key;
        bool descending;
    } expected[] = {{"time_us", false},    {"gflops", true},
                    {"read_share", true},  {"padding_ratio", false},
                    {"bytes", false},      {"estimate.coalescing_efficiency", true},
                    {"convert_us", false}, {"estimate.lane_utilisation", true},
                    {"beta_plus", false},  {"estimate.loads.sectors", false},
                    {"max_error", true}};
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
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
}

static const struct outcome some[] = {{"cpu/csr-omp", 2, 3e-6, 1e-7},    {"cpu/ell-omp", 2, 2e-6, 1e-7},
                                      {"cpu/csr-seq", 1, 2.15e-6, 1e-7}, {"cpu/dia-seq", 1, 0, 0},
                                      {"cpu/coo-seq", 1, 3e-6, 1e-7},    {NULL, 0, 0, 0}};

TEST(the_fastest_come_first_and_what_was_not_run_last)
{
    FREED(stage_close) struct stage stage;
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
    stage_shows(&stage, " =  cpu/csr-seq", "    cpu/csr-omp", " !  cpu/dia-seq ", " row 3 is 7, not 8",
                "2.00 us  5.0%      500"); /* 1e6 / 2e-6 */
    stage_type(&stage, "s");               /* reversed; rows without numbers stay last */
    stands(&stage,
           (const char *[]){"cpu/coo-seq", "cpu/csr-omp", "cpu/csr-seq", "cpu/ell-omp", "cpu/coo-omp", NULL});
    stage_type(&stage, "hhhhhhs"); /* by name */
    stands(&stage, (const char *[]){"aocl/csr", "armpl/csr", NULL});
    names_ascend(&stage);
    stage_type(&stage, "lls"); /* by time, through its heading */
    stands(&stage, (const char *[]){"cpu/ell-omp", "cpu/csr-seq", NULL});
}

TEST(a_fastest_without_a_tie_is_marked_so)
{
    static const struct outcome clear[] = {
        {"cpu/csr-omp", 2, 3e-6, 1e-7}, {"cpu/ell-omp", 2, 2e-6, 1e-7}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    stage_type(&stage, "T");
    view_take_answer(&stage.explorer, stage.view, stage.state, "2");
    struct run *run = stage_run(&stage, clear, PRECISION_F64, "first");
    run->results.items[0].cached = true;
    stage_draw(&stage);
    stage_shows(&stage, " >  cpu/ell-omp", "  * cpu/csr-omp");
    for (const char *line = stage_dump(&stage); line; line = strchr(line + 1, '\n'))
        if (strncmp(line, "\n    cpu/", 9) == 0 && strncmp(line, "\n    cpu/csr-omp", 16) != 0)
            assert_null(memmem(line, strcspn(line + 1, "\n"), " - ", 3)); /* others have blanks */
    stage_hides(&stage, "3333%"); /* no share of the memory's bandwidth */
    stage_shows(&stage, "5000%");
}

/* The source of a kernel ends before its title, or is left out, but is not cut. */
TEST(a_source_is_whole_or_ends_before_its_title)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 60, 160);
    stage_go_to(&stage, "cpu/csr-compact");
    stage_shows(&stage, "whose x is read in sequence; after CSR-DU: Kourtis, Goumas and Koziris, \u2026");
    stage_key(&stage, UIKEY_ENTER);
    stage_shows(&stage, "PPoPP 2011");
    stage_close(&stage);
    stage_kernels(&stage, 60, 110);
    stage_go_to(&stage, "cpu/csr-compact");
    stage_shows(&stage, "whose x is read in sequence");
    stage_hides(&stage, "read in sequence;");
}

/* Kernels that cannot run or were wrong have the colour of faults. Kernels that fit in the cache have that of
 * warnings, if they have a time. */
TEST(marks_have_the_colours_of_verdicts)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 2e-6, 1e-7},
                                              {"cpu/ell-seq", 1, 3e-6, 1e-7},
                                              {"cpu/coo-seq", 1, 4e-6, 1e-7},
                                              {"cpu/dia-seq", 1, 0, 0},
                                              {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
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
}

/* The results in the table have the options that it names. */
TEST(options_choose_the_results)
{
    static const struct outcome slow[] = {{"cpu/csr-seq", 1, 5e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome fast[] = {{"cpu/csr-seq", 1, 1e-3, 0}, {NULL, 0, 0, 0}};
    static const struct outcome single[] = {{"cpu/csr-seq", 1, 7e-4, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
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
    stage_type(&stage, "o");
    stage_shows(&stage, "y += A x");
    assert_int_equal(screen_of(&stage)->timed, 0);
    stage_type(&stage, "owf");
    stage_shows(&stage, "700 us", "f f32");
    stage_type(&stage, "fm");
    assert_int_equal(screen_of(&stage)->timed, 0);
}

/* Rows below one that is removed stay selected, and the cursor stays on its kernel when rows are sorted anew.
 */
TEST(selections_and_the_cursor_stay_with_their_kernels)
{
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_kernels(&stage, 60, 110);
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
}

TEST(columns_are_chosen)
{
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    stage_hides(&stage, "Samples");
    stage_type(&stage, "c");
    stage_shows(&stage, "[\u2022] Time ");
    for (int k = 0;
         k < kernels_columns() && strcmp(kernel_columns[screen->dialog.selected + 1].key, "samples"); k++)
        stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "timed samples behind the numbers"); /* its help */
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
}

/* Any set of columns at any width: columns that do not fit are counted, and that of the cursor is visible. */
TEST(columns_that_do_not_fit_are_counted)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 22, 80);
    stage_run(&stage, some, PRECISION_F64, "first");
    stage_draw(&stage);
    for (int c = 1; c < kernels_columns(); c++)
        screen->visible[c] = screen->filled[c] = screen->filled_here[c] = true;
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
}

TEST(the_panel_says_all)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 34, 130);
    stage_run(&stage, some, PRECISION_F64, "first");
    stage_draw(&stage);
    stage_go_to(&stage, "cpu/csr-seq");
    stage_shows(&stage, " cpu/csr-seq  row by row, one thread; PMPP, figure 10.4");
    stage_hides(&stage, "Median at least");
    stage_key(&stage, UIKEY_ENTER);
    stage_shows(&stage, "PMPP, figure 10.4", "Median at least", "2.05 us",
                "memory read 10 GB/s, copy 8 GB/s by 2 threads,");
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
}

TEST(the_mouse_chooses_and_sorts)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 22, 80);
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
}

/* As many rows as there may be: 4096 kernels. */
TEST(thousands_of_rows_are_moved_through)
{
    FREED(stage_close) struct stage stage;
    char parameters[32];
    int hyb = 0;
    while (strcmp(kernels[hyb]->name, "hyb-omp") != 0)
        hyb++;
    struct kernels_screen *screen = stage_kernels(&stage, 22, 80);
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
}

TEST(without_memory_there_are_no_rows_but_a_message)
{
    FREED(stage_close) struct stage stage;
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
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
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
}
