/* The diagrams of the Kernels screen: speed by threads, and speed by intensity. */
#include <string.h>

#include "support/kernels_screen.h"
#include "support/unit.h"

/* The screen shows the first text before the second. */
static void shows_before(struct stage *stage, const char *first, const char *second)
{
    const char *dump = stage_dump(stage), *a = strstr(dump, first), *b = strstr(dump, second);
    if (!a || !b || a >= b) fail_msg("'%s' is not before '%s' in\n%s", first, second, dump);
}

static const struct outcome sweep[] = {{"cpu/ell-omp", 1, 4e-4, 0}, {"cpu/csr-omp", 1, 8e-4, 0},
                                       {"cpu/csr-omp", 4, 2e-4, 0}, {"cpu/ell-omp", 4, 2.5e-4, 0},
                                       {"cpu/csr-omp", 2, 4e-4, 0}, {"cpu/ell-omp", 2, 3e-4, 0},
                                       {"cpu/csr-seq", 1, 1e-4, 0}, {NULL, 0, 0, 0}};

/* 1e6 operations: csr reaches 5 GFLOP/s, 4 times its speed with one thread; ell 4, 1.6 times. Reading 1e6
 * bytes at 10 GB/s takes 1e-4 s: 10 GFLOP/s. */
TEST(curves_are_speed_over_threads)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 80);
    stage_type(&stage, "v");
    stage_shows(&stage, "No kernel was run with several");
    stage_run(&stage, sweep, PRECISION_F64, "1..4 threads");
    stage_draw(&stage);
    stage_shows(&stage, "run #1: 1..4 threads");
    shows_before(&stage, "a cpu/csr-omp ", "b cpu/ell-omp ");
    stage_shows(&stage, "5 GFLOP/s, 4 x that of 1 thread", "4 GFLOP/s, 1.6 x that of 1 thread");
    stage_hides(&stage, "csr-seq");
    stage_shows(&stage, "10 GFLOP/s: a at the read bandwidth, above");
    stage.session.shown->runs.items[0]->results.machines.host.read = 6e9;
    stage_draw(&stage);
    stage_shows(&stage, "6 GFLOP/s: a at the read bandwidth");
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_DOWN);
    assert_int_equal(screen_of(&stage)->curve, 1);
    stage.explorer.ascii = true;
    stage_draw(&stage);
    int curves = 0, ideal = 0;
    for (const char *c = stage_dump(&stage); *c; c++) {
        assert_true((unsigned char)*c < 0x80);
        curves += *c == '.';
        ideal += *c == ':';
    }
    assert_true(curves > 40 && ideal > 20); /* lines join the letters; the ideal has another character */
    stage_shows(&stage, "::: ideal for b");
    assert_int_equal(stage.surface.cut, 0);
    stage_type(&stage, "v");
    stage_hides(&stage, "GFLOP/s over threads");
}

/* Twice as fast with four threads as with two, which is ideal: the dots of the ideal lead from one mark to
 * the other. A kernel with a single number of threads has no curve. */
TEST(the_ideal_starts_at_the_fewest_threads)
{
    static const struct outcome outcomes[] = {{"cpu/csr-omp", 2, 4e-4, 0},
                                              {"cpu/csr-omp", 4, 2e-4, 0},
                                              {"cpu/jds-omp", 2, 1e-4, 0},
                                              {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    int marks = 0, left[2] = {0}, row[2] = {0}, dots = 0;
    stage_kernels(&stage, 30, 80);
    stage_run(&stage, outcomes, PRECISION_F64, "2 and 4 threads");
    stage.explorer.ascii = true;
    stage_type(&stage, "v");
    stage_shows(&stage, "a cpu/csr-omp ");
    stage_hides(&stage, "jds-omp");
    const struct surface *surface = &stage.surface;
    for (int k = 0; k < surface->high * surface->wide && marks < 2; k++) {
        const struct cell *cell = &surface->cells[k];
        if (cell->character != 'a' || !(cell->attributes & ATTRIBUTE_REVERSE)) continue;
        row[marks] = k / surface->wide; /* from above: of four threads first */
        left[marks++] = k % surface->wide;
    }
    assert_int_equal(marks, 2);
    assert_true(left[1] < left[0] && row[1] > row[0] + 4);
    for (int y = row[0] + 1; y < row[1]; y++)
        for (int x = left[1]; x < left[0]; x++)
            dots += surface->cells[y * surface->wide + x].character == '.';
    assert_true(dots > 4);
}

/* The present use of each key that reports it, in the order of the table: U urgent, s some, - none. */
static void expect_uses(const struct stage *stage, const char *when, const char *expected)
{
    char uses[64];
    int count = 0;
    for (const struct action *action = stage->view->actions; action->run; action++) {
        if (!action->use) continue;
        enum use use = action->use(&stage->explorer, stage->state, action->argument);
        assert_in_range(count, 0, (int)sizeof uses - 2);
        uses[count++] = use == USE_URGENT ? 'U' : use == USE_SOME ? 's' : '-';
    }
    uses[count] = 0;
    if (strcmp(uses, expected) != 0) fail_msg("%s: %s, not %s", when, uses, expected);
}

/* A map of two parameters has no other pair; of three parameters it has. */
TEST(pairs_are_offered_where_there_are_several)
{
    static const struct outcome outcomes[] = {{"cpu/hyb-omp:k=1,layout=rows,pad=sentinel", 2, 4e-4, 0},
                                              {"cpu/hyb-omp:k=2,layout=transposed,pad=sentinel", 2, 2e-4, 0},
                                              {"cpu/hyb-omp:k=2,layout=transposed", 2, 1e-4, 0},
                                              {NULL, 0, 0, 0}};
    for (int parameters = 2; parameters <= 3; parameters++) {
        FREED(stage_close) struct stage stage;
        stage_kernels(&stage, 30, 100);
        struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "tuned");
        for (int k = 0; k < parameters; k++)
            run->results.items[k].tuned.space = parameters;
        stage_type(&stage, "u");
        const struct action *action = action_find(stage.view->actions, 'c');
        assert_int_equal(action->use(&stage.explorer, stage.state, action->argument),
                         parameters == 3 ? USE_SOME : USE_NONE);
    }
}

/* Keys are offered where they have an effect. Keys of the table's lines are offered in the table only,
 * columns also on the map, diagrams if they have data, and the key of a diagram also on it, since it leads
 * back. Keys: run, select, filter, sort, columns, edit, tune, map, sweep, curves, roofline, compare, save,
 * name. */
TEST(keys_are_offered_where_they_help)
{
    static const struct outcome outcomes[] = {{"cpu/csr-omp", 2, 4e-4, 0},
                                              {"cpu/csr-omp", 4, 2e-4, 0},
                                              {"cpu/ell-omp:layout=rows", 2, 2e-4, 0},
                                              {"cpu/ell-omp:layout=transposed", 2, 1e-4, 0},
                                              {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 30, 100);
    expect_uses(&stage, "before a run", "Ussssss-s-----");
    for (int k = 0; k < 2; k++) {
        struct run *run = stage_run(&stage, outcomes, PRECISION_F64, k ? "second" : "first");
        run->results.items[2].tuned.space = run->results.items[3].tuned.space = 2;
        stage_draw(&stage);
        expect_uses(&stage, "table", k ? "UsssssssssUUUs" : "UsssssssssU-Us");
    }
    stage_type(&stage, "v");
    assert_int_equal(screen->mode, MODE_CURVES);
    expect_uses(&stage, "curves", "U-----sssUUUUs");
    stage_type(&stage, "u");
    assert_int_equal(screen->mode, MODE_MAP);
    expect_uses(&stage, "map", "U-----sUssUUUs"); /* one parameter: there is no other pair */
    stage_type(&stage, "i");
    assert_int_equal(screen->mode, MODE_ROOFLINE);
    expect_uses(&stage, "roofline", "U-----ssssUUUs");
    stage_type(&stage, "b");
    assert_int_equal(screen->mode, MODE_BESIDE);
    expect_uses(&stage, "beside", "U-----ssssUUUs");
    stage_type(&stage, "bF");
    assert_int_equal(screen->mode, MODE_TABLE);
    stage_answer(&stage, "csr-omp");
    expect_uses(&stage, "filtered", "UsUsssssssUUUs");
    stage_type(&stage, "r");
    screen->errand.state = ERRAND_RUNNING;
    expect_uses(&stage, "while kernels run", "--Uss--s-sUUUs");
    screen->errand.state = ERRAND_NONE;
}

/* The row and column of the surface where this letter stands as a point of the roofline, left of x. */
static bool find_point(const struct stage *stage, unsigned letter, int below, int *y, int *x)
{
    for (*y = 3; *y < below; ++*y)
        for (*x = 9; *x < stage->surface.wide - 50; ++*x) {
            const struct cell *cell = &stage->surface.cells[*y * stage->surface.wide + *x];
            if (cell->character == letter && (cell->attributes & ATTRIBUTE_BOLD)) return true;
        }
    return false;
}

/* 1e6 operations and bytes each: 1 FLOP/byte, below a memory that reads 10 GB/s, so at most 10 GFLOP/s; the
 * third with twice the bytes, and half the intensity, at a quarter of its bound. A kernel without a time has
 * no point, whether it is estimated or wrong. */
TEST(the_roofline_has_what_was_timed)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 2e-4, 0},
                                              {"cpu/ell-seq", 1, 4e-4, 0},
                                              {"cpu/coo-seq", 1, 8e-4, 0},
                                              {"cpu/dia-seq", 1, 0, 0},
                                              {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    int ya, xa, yb, xb, yc, xc;
    stage_kernels(&stage, 40, 130);
    stage_type(&stage, "i");
    stage_shows(&stage, "No kernel of the table was timed");
    struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "first");
    run->results.items[2].bytes.plus = 2e6;
    stage_draw(&stage);
    stage_shows(&stage, "GFLOP/s over FLOP/byte", "a cpu/csr-seq", "c cpu/coo-seq");
    stage_hides(&stage, "dia-seq", "cuda/");
    stage_shows(&stage, "1 FLOP/byte, 5 GFLOP/s  50% of the memory's limit of 10 GFLOP/s",
                "memory read 10 GB/s");
    assert_true(find_point(&stage, 'a', 37, &ya, &xa));
    assert_true(find_point(&stage, 'b', 37, &yb, &xb));
    assert_true(find_point(&stage, 'c', 37, &yc, &xc));
    assert_int_equal(xa, xb); /* the same intensity */
    assert_true(xc < xa && ya < yb && yb < yc);
    assert_in_range(yc - yb, yb - ya - 1, yb - ya + 1); /* half the speed is as far down each time */
    int dots = 0;
    for (int y = 3; y < ya; y++) { /* the line of the memory is above its points, and rises to the right */
        uint32_t character = stage.surface.cells[y * stage.surface.wide + xa].character;
        dots += character > 0x2800 && character < 0x2900;
    }
    assert_true(dots > 0);
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_DOWN); /* stays on the third */
    assert_int_equal(screen_of(&stage)->point, 2);
    stage_shows(&stage, "0.5 FLOP/byte, 1.25 GFLOP/s  25% of the memory's limit of 5 GFLOP/s",
                "2 nnz / bytes that must be moved, x once (beta-plus)");
    stage_resize(&stage, 18, 72); /* the text is shortened, not cut */
    stage_shows(&stage, "2 nnz / bytes that must be moved\n");
    stage_resize(&stage, 18, 60);
    stage_hides(&stage, "x once");
    stage_resize(&stage, 40, 130);
    stage_key(&stage, UIKEY_ENTER); /* the panel is on it */
    stage_shows(&stage, "entry by entry");
    stage_key(&stage, UIKEY_ENTER);
    run->results.items[2].cached = true;
    stage_draw(&stage);
    stage_shows(&stage, "in the cache: the memory's limit of 5 GFLOP/s does not apply");
    struct processor *processor = &stage.session.processor; /* with the bandwidth of its caches */
    processor->there = true;
    processor->threads = 64;
    for (int k = 0; k < PROCESSOR_SIZES; k++)
        processor->read[0][k] = processor->read[1][k] = 40e9;
    stage_draw(&stage);
    stage_hides(&stage, "does not apply");
    stage_shows(&stage, "'s limit of 20 GFLOP/s");
    stage_hides(&stage, "~L");
    processor->assumed = true;
    stage_draw(&stage);
    stage_shows(&stage, "% of ~");
    run->saved = true; /* of any processor */
    stage_draw(&stage);
    stage_shows(&stage, "in the cache: the memory's limit of 5 GFLOP/s does not apply");
    run->saved = false;
    processor->there = false;
    run->results.machines.host.read = 0; /* nothing was measured */
    stage_draw(&stage);
    stage_hides(&stage, "of the memory");
    stage.explorer.ascii = true;
    for (int wide = 60; wide <= 200; wide += 20)
        for (int high = 12; high <= 60; high += 8) {
            stage_resize(&stage, high, wide);
            assert_int_equal(stage.surface.cut, 0);
            for (const char *c = stage_dump(&stage); *c; c++)
                assert_true((unsigned char)*c < 0x80);
        }
    stage_type(&stage, "i");
    stage_hides(&stage, "over FLOP/byte");
}
