/* The Kernels screen before kernels are run: the chosen kernels, their known numbers, kernels that cannot
 * run, and the comparisons. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/generate.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"

TEST(every_kernel_has_a_row_before_it_was_run)
{
    FREED(stage_close) struct stage stage;
    char text[128];
    int runnable = 0, awaiting = 0;
    stage_kernels(&stage, 200, 150);
    assert_int_equal(screen_of(&stage)->line_count, kernel_count());
    for (int k = 0; kernels[k]; k++) {
        struct result unrun;
        const struct line *line = &screen_of(&stage)->lines[k];
        stage_shows(&stage, kernels_result(&stage.explorer, screen_of(&stage), line, &unrun)->name);
        bool runs = kernel_check(kernels[k], false, (struct product){0}, NULL) == STATUS_OK;
        runnable += runs;
        awaiting += !runs && kernels[k]->backend->devices && /* a library of the processor awaits no GPU */
                    kernel_suits(kernels[k], false, (struct product){0}, NULL) == STATUS_OK;
    }
    snprintf(text, sizeof text, "R runs all %d kernels, r the one under the cursor; all take about",
             runnable);
    stage_shows(&stage, text);
    snprintf(text, sizeof text, "No GPU found. r estimates %d kernels for a GPU.", awaiting);
    if (awaiting) stage_shows(&stage, text);
    stage_shows(&stage, "~ estimated");
    const struct kernels_screen *screen = screen_of(&stage);
    for (int k = 0; k < screen->heading_count; k++) /* columns without a value are not shown */
        assert_true(screen->headings[k].column == NAME_COLUMN || screen->filled[screen->headings[k].column]);
    assert_int_equal(screen->heading_count, 2);
    assert_int_equal(stage.surface.cut, 0);
}

/* Run the screen's errands until none is wanted. */
static void foresee_all(struct stage *stage)
{
    const struct kernels_screen *screen = screen_of(stage);
    for (int k = 0; k < 100 && screen->foresight.state == ERRAND_WANTED; k++)
        stage_work(stage);
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
}

/* Without a request, the table has the sizes of all storages and the memory requests of GPU kernels, as after
 * a run. */
TEST(known_numbers_come_before_a_run)
{
    FREED(stage_close) struct stage stage;
    int traced = 0, awaiting = 0;
    char text[128];
    const struct kernels_screen *screen = stage_kernels(&stage, 200, 130);
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
        assert_int_equal(estimate != NULL, kernel->trace && suits && !kernel->format->whole);
        assert_int_equal(line->result->sized, !kernel->format->whole); /* the matrix is not symmetric */
        traced += estimate != NULL;
        if (estimate) assert_true(estimate->sampled == 1);
        if (estimate && kernel->pace.request > 0)
            assert_true(results_prediction_of(line->results, line->result)->seconds > 0);
        awaiting += kernels_awaits_gpu(&stage.explorer, screen, line, line->result);
    }
    assert_true(traced > 10);
    snprintf(text, sizeof text, "No GPU found. %d of %d kernels are estimated for ", traced, awaiting);
    if (awaiting > 0) stage_shows(&stage, text);
    if (awaiting > 0) stage_shows(&stage, " ~  cuda/csr-scalar ");
    /* a library may be missing, which is another reason */
    stage_hides(&stage, " !  cpu/c", " !  cpu/sell", " !  cuda/c");
    stage_shows(&stage, " !  cpu/sss-seq ");
    if (awaiting > 0) assert_int_equal(stage_find(&stage, "~  cuda/csr-scalar")->foreground, COLOUR_DIM);
    stage_type(&stage, "f"); /* the other precision is not known yet */
    foresee_all(&stage);
    assert_non_null(screen->lines[0].result);
    assert_int_equal(screen->lines[0].result->choice.format.precision, PRECISION_F32);
    int before = screen->foreseen_count;
    stage_type(&stage, "ff"); /* and known numbers are not computed again */
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
    assert_int_equal(screen->foreseen_count, before);
    stage_type(&stage, "o"); /* another product has other requests */
    assert_int_equal(screen->foreseen_count, 0);
    foresee_all(&stage);
}

/* Before any timing, lines are sorted by forecasts: kernels that can run here, then those of an absent GPU,
 * then those without a forecast. */
TEST(lines_are_sorted_by_forecasts)
{
    FREED(stage_close) struct stage stage;
    int part = 0, here = 0;
    double last = 0;
    struct kernels_screen *screen = stage_kernels(&stage, 200, 130);
    foresee_all(&stage);
    for (int k = 0; k < screen->foreseen_count; k++)
        for (int r = 0; r < screen->foreseen[k].count;
             r++) /* GPUs become faster, also for this small matrix */
            if (screen->foreseen[k].items[r].status == STATUS_OK)
                screen->foreseen[k].items[r].predicted[0].seconds *= 1e6;
    screen->stale = true;
    stage_draw(&stage);
    for (int k = 0; k < screen->line_count; k++) {
        const struct line *line = &screen->lines[k];
        const struct prediction *prediction = results_prediction_of(line->results, line->result);
        const bool runs = line->result->status == STATUS_OK;
        const bool gpu = results_estimate_of(line->results, line->result) != NULL;
        const int of = prediction && runs ? 0 : prediction && gpu ? 1 : 2;
        assert_true(of >= part);
        if (of > part) last = 0;
        part = of;
        here += of == 0;
        if (of == 2) continue;
        assert_true(prediction->seconds >= last);
        last = prediction->seconds;
    }
    assert_true(here > 10);
    stage_shows(&stage, "forecast\u25b2");
    stage_hides(&stage, "GFLOP/s");
    stage_shows(&stage, "Forecast time (us)");
}

/* The length of a line's bar, in cells of the colour of forecasts. */
static int bar_of(const struct stage *stage, const struct kernels_screen *screen, int line)
{
    const struct cell *cells =
        &stage->surface.cells[(screen->body.top + line - screen->top) * stage->surface.wide];
    int count = 0;
    for (int x = 80; x < stage->surface.wide; x++)
        count += cells[x].foreground == COLOUR_WARN && cells[x].character == 0x2501;
    return count;
}

/* Before any timing, bars compare forecasts with the shortest one on the same machine. */
TEST(forecasts_have_bars)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 2e-4, 0}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    double shortest[2] = {0};
    int full[2] = {0}, seen[2] = {0};
    const struct kernels_screen *screen = stage_kernels(&stage, 100, 200);
    foresee_all(&stage);
    stage_shows(&stage, "forecast speed, 0 to the fastest of its machine");
    for (int k = 0; k < screen->line_count && k < screen->body.high; k++) {
        const struct line *line = &screen->lines[k];
        const struct prediction *prediction = results_prediction_of(line->results, line->result);
        const bool gpu = line->result->choice.kernel->backend->devices != NULL;
        if (line->result->status != STATUS_OK && !results_estimate_of(line->results, line->result) &&
            !kernels_awaits_gpu(&stage.explorer, screen, line, line->result)) {
            assert_int_equal(bar_of(&stage, screen, k), 0);
            continue;
        }
        if (!prediction) continue;
        if (!seen[gpu]++) { /* sorted by forecasts: the first one is the shortest */
            shortest[gpu] = prediction->seconds;
            full[gpu] = bar_of(&stage, screen, k);
            assert_true(full[gpu] > 20);
        }
        assert_true(fabs(bar_of(&stage, screen, k) - full[gpu] * shortest[gpu] / prediction->seconds) <= 1);
    }
    assert_true(seen[0] > 10 && seen[1] > 10);
    stage_run(&stage, outcomes, PRECISION_F64, "first");
    stage_draw(&stage);
    stage_shows(&stage, "speed, 0 to that of the fastest");
    stage_hides(&stage, "forecast speed");
}

/* A filter leaves the kernels with all its words, in R too; a search moves to the next one. */
TEST(kernels_are_filtered_and_found)
{
    FREED(stage_close) struct stage stage;
    char text[64];
    const struct kernels_screen *screen = stage_kernels(&stage, 60, 130);
    foresee_all(&stage);
    const int all = screen->line_count;
    stage_type(&stage, "F");
    stage_answer(&stage, " JDS  gpu");
    int count = 0;
    for (int k = 0; kernels[k]; k++)
        count += kernels[k]->backend->devices && strcmp(kernels[k]->format->name, "jds") == 0;
    assert_true(count > 0);
    assert_int_equal(screen->line_count, count);
    assert_int_equal(screen->hidden, all - count);
    snprintf(text, sizeof text,
             kernels_runnable(&stage.explorer, screen, true) ? "runs the %d kernel"
                                                             : "estimates the %d kernel",
             count);
    stage_shows(&stage, text);
    for (int k = 0; k < count; k++)
        assert_string_equal(screen->lines[k].result->choice.kernel->format->name, "jds");
    stage_shows(&stage, "F JDS  gpu");
    for (int wide = 130; wide >= 72; wide--) { /* a cut leaves neither a key nor a semicolon behind */
        stage_resize(&stage, 16, wide);
        stage_shows(&stage, "F JDS  gpu");
        stage_hides(&stage, "cursor; \n", "cursor;\n");
    }
    stage_resize(&stage, 60, 130);
    stage_type(&stage, "F");
    stage_answer(&stage, "jds-seq");
    assert_int_equal(screen->line_count, 1);
    assert_int_equal(kernels_runnable(&stage.explorer, screen, true), 1);
    stage_shows(&stage, "runs the 1 kernel,");
    stage_type(&stage, "F");
    view_take_answer(&stage.explorer, stage.view, stage.state, "nothing");
    assert_int_equal(screen->line_count, 1);
    assert_says(stage.explorer.message, "no kernel has 'nothing'");
    stage_type(&stage, "F");
    view_take_answer(&stage.explorer, stage.view, stage.state, "");
    assert_int_equal(screen->line_count, all);
    assert_true(view_find(&stage.explorer, stage.view, stage.state, "csc-omp"));
    assert_string_equal(screen->lines[screen->cursor].result->choice.kernel->name, "csc-omp");
    const int before = screen->cursor;
    assert_true(view_find(&stage.explorer, stage.view, stage.state, "cpu omp"));
    assert_true(screen->cursor != before);
    assert_says(screen->lines[screen->cursor].result->choice.kernel->name, "omp");
    assert_false(view_find(&stage.explorer, stage.view, stage.state, "nothing"));
}

/* The forecast is of the state that caches would have in a run. */
TEST(a_forecast_is_of_the_state_of_caches)
{
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_kernels(&stage, 200, 130);
    foresee_all(&stage);
    for (int cold = 0; cold < 2; cold++) {
        int traced = 0;
        for (int k = 0; k < screen->line_count; k++) {
            const struct line *line = &screen->lines[k];
            const struct prediction *prediction = results_prediction_of(line->results, line->result);
            if (!prediction || line->result->choice.kernel->trace == NULL) continue;
            assert_ptr_equal(prediction, &line->result->predicted[cold]);
            traced++;
        }
        assert_true(traced > 10);
        stage_type(&stage, "w");
        foresee_all(&stage);
    }
}

/* Results for a product that is no longer requested are not shown. */
TEST(late_results_are_dropped)
{
    FREED(stage_close) struct stage stage;
    struct error error = {0};
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    struct errand *errand = &screen->foresight;
    assert_int_equal(errand->run(errand->argument, NULL, &error), STATUS_OK);
    errand->state = ERRAND_RUNNING;
    stage_type(&stage, "o");
    assert_true(errand->unwanted);
    errand->state = ERRAND_DONE; /* it ended meanwhile */
    stage_draw(&stage);
    assert_int_equal(screen->foreseen_count, 0);
    assert_int_equal(errand->state, ERRAND_WANTED);
    assert_true(screen->foreseeing.product.accumulate);
}

/* Forecasts pause during a run, and after the user has cancelled them. */
TEST(measurements_replace_forecasts)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 40, 110);
    screen->foresight.state = ERRAND_NONE;
    stage_type(&stage, "r");
    assert_ptr_equal(stage.explorer.errand, &screen->errand);
    assert_int_equal(screen->foresight.state, ERRAND_NONE);
    screen->errand.state = ERRAND_FAILED;
    screen->foresight.state = ERRAND_FAILED;
    stage_draw(&stage);
    assert_int_equal(screen->foresight.state, ERRAND_FAILED);
    assert_int_equal(screen->foreseen_count, 0);
}

/* Of a matrix with many slots only some warps are replayed. */
TEST(large_storages_are_sampled)
{
    struct error error = {0};
    FREED(results_free) struct results results = {0};
    FREED(kernel_list_free) struct kernel_list list = {0};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_kernels, support_matrix(40000, 250, 1.0, false, false, 1), FIELD_REAL, 40, 110);
    assert_int_equal(kernel_list_add(&list, "cuda/csr-scalar", &error), STATUS_OK);
    assert_int_equal(results_want(&results, &list.choices[0], &error), STATUS_OK);
    assert_int_equal(
        session_foresee(&stage.session, NULL, &results, (struct product){0}, 0, NULL, NULL, &error),
        STATUS_OK);
    const struct estimate *estimate = results_estimate_of(&results, &results.items[0]);
    assert_non_null(estimate);
    assert_true(estimate->sampled > 0.07 && estimate->sampled < 0.14); /* 1e6 of 1e7 slots */
}

/* Kernels of a matrix with more than EXCERPT_LEFT entries are forecast from its excerpt, as those of the
 * advice are: no storage of the whole matrix is made. A share of the warps that the user has chosen is one of
 * the whole matrix. */
TEST(kernels_of_large_matrices_are_forecast_from_an_excerpt)
{
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_open(
        &stage, &view_kernels, support_matrix(17900, 250, 1.0, false, false, 1), FIELD_REAL, 40, 110);
    const struct estimated *estimated = &stage.session.shown->estimated;
    assert_true(csr_nnz(&stage.session.shown->matrix.csr) > EXCERPT_LEFT);
    stage_work(&stage);
    assert_true(screen->foreseen_count > 0);
    assert_true(estimated->count > 0);
    for (int k = 0; k < estimated->count; k++)
        assert_true(estimated->items[k]->excerpt);
    stage.explorer.sample = 1e-4;
    kernels_forget(screen_of(&stage));
    stage_draw(&stage);
    stage_work(&stage);
    assert_true(screen->foreseen_count > 0);
    assert_false(estimated->items[estimated->count - 1]->excerpt);
}

/* Kernels that wait for a GPU are estimated without measuring the machine, so that no duration is shown. */
TEST(estimates_have_no_duration)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 150);
    for (int k = 0; kernels[k]; k++)
        if (kernels[k]->backend->devices &&
            kernel_check(kernels[k], false, (struct product){0}, NULL) == STATUS_OK)
            skip();
    stage_shows(&stage, "all take about");
    stage_type(&stage, "F");
    stage_answer(&stage, "jds gpu");
    stage_shows(&stage, "R estimates the 2 kernels");
    stage_hides(&stage, "all take about");
}

/* An arrowhead with 100,000 rows: ELL's 10^10 slots take 120 GB, and DIA's 200,000 diagonals more. Both are
 * refused, so that they do not count in the duration. At 0.4 GB/s converting them would take 300 s even on an
 * idle machine. */
TEST(refused_formats_take_no_time_of_a_run)
{
    FREED(stage_close) struct stage stage;
    double slower;
    const struct kernels_screen *screen =
        stage_open(&stage, &view_kernels, generated("arrow,n=100000").csr, FIELD_REAL, 100, 150);
    stage.session.limit = (size_t)1 << 30;
    foresee_all(&stage);
    stage_shows(&stage, "ell would take");
    assert_true(kernels_duration(&stage.explorer, screen, &slower) < 120);
}

/* A kernel whose format is refused shows that reason, even if its GPU or library is missing, since neither
 * would help. */
TEST(refused_formats_are_said_of_kernels_without_a_gpu)
{
    FREED(stage_close) struct stage stage;
    int refused = 0;
    const struct kernels_screen *screen =
        stage_open(&stage, &view_kernels, generated("arrow,n=100000").csr, FIELD_REAL, 100, 150);
    stage.session.limit = (size_t)1 << 30;
    foresee_all(&stage);
    for (int k = 0; k < screen->line_count; k++) {
        struct result unrun;
        const struct line *line = &screen->lines[k];
        const struct result *result = kernels_result(&stage.explorer, screen, line, &unrun);
        if (result->choice.kernel->format != &format_ell) continue;
        assert_says(result->error.message, " would take ");
        assert_false(kernels_awaits_gpu(&stage.explorer, screen, line, result));
        refused++;
    }
    assert_true(refused > 4); /* two of processors, and those of GPUs */
}

/* A moved cursor changes its own two names and the description of the kernel, no more. */
TEST(a_moved_cursor_changes_little)
{
    FREED(stage_close) struct stage stage;
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
}

TEST(unavailable_kernels_have_a_reason)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_kernels, support_matrix(5, 5, 0.5, false, true, 1), FIELD_COMPLEX, 40, 110);
    screen_of(&stage)->options.product.columns = PRODUCT_COLUMNS_MAX + 1;
    stage_draw(&stage);
    stage_shows(&stage, " !  cpu/csr-seq ", " csr-seq multiplies 64 vectors at a time, not 65",
                "No kernel can run");
    stage_type(&stage, "R");
    assert_false(kernels_running(screen_of(&stage)));
    assert_says(stage.explorer.message, "none of these");
}

/* Keys choose the product, and forecasts of another one are forgotten. */
TEST(the_product_is_chosen)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 40, 110);
    const struct product *product = &screen_of(&stage)->options.product;
    stage_shows(&stage, "y = A x");
    stage_type(&stage, "L");
    assert_false(product->by_rows);
    assert_says(stage.explorer.message, "N asks for several");
    stage_type(&stage, "O");
    stage_shows(&stage, "y = A^T x");
    stage_type(&stage, "o");
    stage_shows(&stage, "y += A^T x");
    stage_type(&stage, "N");
    stage_answer(&stage, "65");
    assert_int_equal(product->columns, 0);
    assert_says(stage.explorer.message, "from 1 to 64");
    stage_type(&stage, "N");
    stage_answer(&stage, "8");
    stage_shows(&stage, "Y += A^T X", "8 columns", "by columns");
    stage_type(&stage, "L");
    stage_shows(&stage, "by rows");
    assert_true(product->transposed && product->accumulate && product->by_rows && product->columns == 8);
    assert_true(product_same(stage.explorer.product, *product)); /* the product of Advice */
    assert_int_equal(screen_of(&stage)->foreseen_count, 0);
}

TEST(parameters_add_rows)
{
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_kernels(&stage, 60, 110);
    int all = kernel_count();
    stage_go_to(&stage, "cpu/cmrs-omp");
    stage_type(&stage, "p");
    assert_says(stage.explorer.question.label, "cmrs-omp (height");
    stage_answer(&stage, "height=3,sorted=1");
    assert_int_equal(screen->line_count, all + 1);
    stage_shows(&stage, "cpu/cmrs-omp:height=3,sorted=1", "cpu/cmrs-omp  "); /* the default is still there */
    assert_int_equal(screen->lines[screen->cursor].choice, all);
    stage_type(&stage, "p");
    assert_string_equal(stage.explorer.question.text, "height=3,sorted=1");
    stage_answer(&stage, "height=03,sorted=1"); /* the same */
    assert_int_equal(screen->line_count, all + 1);
    stage_type(&stage, "p");
    stage_answer(&stage, "height=17");
    assert_says(stage.explorer.message, "1..16");
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
    assert_says(stage.explorer.message, "added");
    stage_type(&stage, "p");
    assert_false(stage.explorer.question.asked);
    assert_says(stage.explorer.message, "no parameters");
}

TEST(threads_are_a_list)
{
    static const char *const wrong[] = {"0", "x", "1,", "1;2", "-1", "1,99999999999999999999", "4097"};
    FREED(stage_close) struct stage stage;
    const struct kernels_screen *screen = stage_kernels(&stage, 80, 110);
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
        assert_says(stage.explorer.message, "number of threads from 1 to 1024");
    }
    stage_type(&stage, "T");
    stage_answer(&stage, "3, 1-2");
    stage_shows(&stage, "threads 1-3");
    stage_type(&stage, "T");
    assert_string_equal(stage.explorer.question.text, "1-3");
    stage_answer(&stage, "");
    assert_int_equal(screen->line_count, kernel_count());
}

TEST(runs_are_made_on_the_device_that_was_asked_for)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 30, 80);
    assert_int_equal(screen_of(&stage)->options.device, 0);
    stage.explorer.device = 3;
    struct kernels_screen *screen = stage.view->open(&stage.explorer, NULL);
    assert_int_equal(screen->options.device, 3);
    stage.view->close(screen);
}

/* If there is no memory to begin with the forecasts, the screen says so. */
TEST(forecasts_without_memory_are_an_error)
{
    FREED(stage_close) struct stage stage;
    struct kernels_screen *screen = stage_kernels(&stage, 60, 130);
    int failed = 0;
    for (long k = 0; k < 10000; k++) {
        screen->foresight.state = ERRAND_NONE;
        stage.explorer.message[0] = 0;
        memory_fail_after(k);
        kernels_foresee(&stage.explorer, screen);
        const long failures = memory_failures();
        memory_fail_after(-1);
        if (failures == 0) break;
        if (screen->foresight.state != ERRAND_FAILED) continue;
        failed++;
        assert_says(stage.explorer.message, "memory");
    }
    assert_true(failed > 0);
    assert_int_equal(screen->foresight.state, ERRAND_WANTED);
}

/* Columns that only kernels of other machines have come last, and are blank for others. A borrowed forecast
 * is marked, and names its kernel. */
TEST(kernels_here_decide_on_columns_and_borrowed_forecasts_are_marked)
{
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 30, 120);
    while (screen_of(&stage)->foresight.state == ERRAND_WANTED)
        stage_work(&stage);
    struct kernels_screen *screen = screen_of(&stage);
    const struct heading *at = screen->headings, *end = at + screen->heading_count;
    int efficiency = 0, least = 0;
    for (const struct heading *heading = at; heading < end; heading++) {
        if (heading->column == kernels_column("predicted.low_us")) least = heading->x;
        if (heading->column == kernels_column("estimate.coalescing_efficiency")) efficiency = heading->x;
    }
    assert_true(least > 0 && efficiency > least);
    stage_go_to(&stage, "cpu/csr-omp");
    stage_hides(&stage, "forecast from");
    struct result *result = NULL;
    for (int f = 0; f < screen->foreseen_count; f++)
        for (int k = 0; k < screen->foreseen[f].count; k++)
            if (strcmp(screen->foreseen[f].items[k].full_name, "cpu/csr-omp") == 0)
                result = &screen->foreseen[f].items[k];
    assert_non_null(result);
    for (int cold = 0; cold < 2; cold++)
        snprintf(result->predicted[cold].like, sizeof result->predicted[cold].like, "cpu/csr-seq");
    stage_draw(&stage);
    stage_shows(&stage, "  \" cpu/csr-omp", "cpu/csr-omp  forecast from cpu/csr-seq");
}
