/* The Advice screen: the sections of its page on runs and forecasts made by hand. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "base/memory.h"
#include "support/advice_screen.h"
#include "support/kernels_screen.h"
#include "support/support.h"
#include "support/unit.h"
#include "ui/advice/screen.h"

static struct advice_screen *state_of(struct stage *stage)
{
    return stage->state;
}

/* The cell at the end of the line that begins with `from`, where `text` stands. */
static enum colour colour_of(struct stage *stage, const char *text)
{
    return (enum colour)stage_find(stage, text)->foreground;
}

TEST(bars_are_forecast_and_measured_with_the_error)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 20, 72);
    stage_advised(&stage);
    stage_type(&stage, "b");
    stage_shows(&stage, "this processor", "error: median 20%, largest 50%, of 3 kernels", "> cpu/ell-omp",
                "~50.0 us", " 100 us   -50%", "~210 us", " 200 us  +5.0%", "~480 us", " 400 us   +20%");
    assert_int_equal(colour_of(&stage, "+5.0%"), COLOUR_GOOD);
    assert_int_equal(colour_of(&stage, "+20%"), COLOUR_WARN);
    assert_int_equal(colour_of(&stage, "-50%"), COLOUR_BAD);
    const char *dump = stage_dump(&stage);
    assert_true(strstr(dump, "ell-omp") < strstr(dump, "csr-omp"));
    assert_true(strstr(dump, "csr-omp") < strstr(dump, "coo-omp"));
    assert_int_equal(stage.surface.cut, 0);
}

/* Forecasts within the interval of their ratio are marked as ties, and CSR precedes the kernels that it is
 * tied with. */
TEST(tied_forecasts_are_marked)
{
    const double end =
        pow(1.1, sqrt(2 - 2 * interval_constants.cpu.together)); /* of the ratio of two +- 10% */
    const double forecast[] = {1e-4 * pow(end, 0.3), 1e-4 * pow(end, 0.8), 1e-4};
    for (int tied = 0; tied < 2; tied++) {
        FREED(stage_close) struct stage stage;
        stage_advice(&stage, 20, 72);
        struct run *run = stage_run(&stage, advised_outcomes, PRECISION_F64, "2 threads");
        for (int k = 0; k < 3; k++) {
            struct result *result = &run->results.items[k];
            result->samples = (struct samples){.count = 0};
            const double seconds = k == 1 && !tied ? 1.2e-4 : forecast[k];
            result->predicted[0] = (struct prediction){.there = true,
                                                       .seconds = seconds,
                                                       .low = seconds / 1.1,
                                                       .high = 1.1 * seconds,
                                                       .bound = BOUND_DRAM};
            strcpy(result->predicted[0].machine, "cpu");
        }
        atomic_store(&stage.session.shown->foresight[PRECISION_F64].complete, true);
        stage_draw(&stage);
        stage_type(&stage, "b");
        stage_shows(&stage, "> cpu/ell-omp"); /* the shortest, though CSR is tied with it */
        stage_shows(&stage, "= cpu/csr-omp", tied ? "= cpu/coo-omp" : "  cpu/coo-omp");
    }
}

/* The bar of a measured time of twice the length is twice as long, and the fourfold of the shortest time is
 * the end of the scale. */
TEST(bars_have_one_scale)
{
    FREED(stage_close) struct stage stage;
    int long_bar = 0, short_bar = 0, lines = 0;
    stage_advice(&stage, 20, 72);
    stage_advised(&stage);
    stage.explorer.ascii = true;
    stage_type(&stage, "b");
    for (int y = 0; y < stage.surface.high; y++) {
        int count = 0;
        for (int x = 0; x < stage.surface.wide; x++)
            count += stage.surface.cells[y * stage.surface.wide + x].character == '#';
        if (count < 3) continue; /* the legend has two of them */
        if (++lines == 1) short_bar = count;
        if (lines == 2) long_bar = count;
    }
    assert_int_equal(lines, 3); /* the measured ones; forecast bars are of = */
    assert_in_range(long_bar, 2 * short_bar - 1, 2 * short_bar + 1);
}

TEST(curves_cross_where_conversion_has_paid)
{
    FREED(stage_close) struct stage stage;
    int items[EVEN_CURVES];
    double from[EVEN_CURVES];
    stage_advice(&stage, 30, 100);
    stage_advised(&stage);
    stage_type(&stage, "B");
    stage_shows(&stage, "time of n products, with the setup",
                "From 100 products on, b (cpu/ell-omp) is fastest.", "10.0 ms + n x 100 us");
    stage_type(&stage, "v");
    stage_shows(&stage, "time of each of n products");
    const struct advice *advice = advice_shown(state_of(&stage));
    assert_int_equal(advice_envelope(advice, items, from), 2); /* COO is never best */
    assert_string_equal(advice->candidates[items[0]].result->full_name, "cpu/csr-omp");
    assert_string_equal(advice->candidates[items[1]].result->full_name, "cpu/ell-omp");
    assert_true(fabs(from[1] - 100) < 1e-6);
    assert_true(isinf(advice_crossing(&advice->candidates[items[1]], &advice->candidates[items[0]])));
}

static const enum advice_section keyed[] = {
    SECTION_WHY,       SECTION_TIMES,  SECTION_EVEN,     SECTION_ROOFLINE, SECTION_SOLVES,
    SECTION_TRISOLVES, SECTION_SPGEMM, SECTION_ROUNDING, SECTION_CRITERIA, SECTION_MAP};
#define KEYED (int)(sizeof keyed / sizeof *keyed)

/* The key of a section scrolls to it in a terminal of any size. A wide and high terminal shows all sections
 * at once. */
TEST(as_many_sections_as_there_is_room_for)
{
    FREED(stage_close) struct stage stage;
    static const char *const marks[KEYED] = {"> advised",
                                             "error: median",
                                             "time of n products",
                                             "GFLOP/s over FLOP/byte",
                                             "Not solved. r solves A x = b",
                                             "Not timed. T runs solves",
                                             "Counting the entries",
                                             "Measuring the errors",
                                             "accessible",
                                             "No kernel was tuned"};
    static const struct {
        int high, wide, shown;
    } sizes[] = {{17, 72, 1}, {20, 80, 1}, {33, 120, 2}, {45, 160, 4}, {90, 200, KEYED}, {20, 160, 1}};
    stage_advice(&stage, 17, 72);
    stage_advised(&stage);
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int k = 0; k < KEYED; k++) {
            int shown = 0;
            stage_resize(&stage, sizes[s].high, sizes[s].wide);
            stage_keys(&stage, &advice_sections[keyed[k]].key, 1);
            for (int m = 0; m < KEYED; m++)
                shown += strstr(stage_dump(&stage), marks[m]) != NULL;
            if (shown < sizes[s].shown) fail_msg("%d sections in\n%s", shown, stage_dump(&stage));
            stage_shows(&stage, marks[k]);
            assert_int_equal(stage.surface.cut, 0);
        }
    stage_type(&stage, "ab");
    stage_resize(&stage, 57, 200);
    stage_shows(&stage, marks[1]);
    for (int m = 0; m < KEYED; m++)
        if (m != 1) stage_hides(&stage, marks[m]);
    stage_shows(&stage, "B Break-even"); /* as the title of a link */
}

TEST(the_section_is_turned_and_chosen)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 20, 80);
    stage_advised(&stage);
    for (int k = 0; k < KEYED; k++) {
        assert_int_equal(state_of(&stage)->focus, keyed[k]);
        stage_type(&stage, " ");
    }
    assert_int_equal(state_of(&stage)->focus, SECTION_WHY);
    stage_type(&stage, "[");
    assert_int_equal(state_of(&stage)->focus, SECTION_MAP);
    for (int k = 0; k < KEYED; k++) {
        stage_keys(&stage, &advice_sections[keyed[k]].key, 1);
        assert_int_equal(state_of(&stage)->focus, keyed[k]);
        const struct piece title = state_of(&stage)->contents[SECTION_TIMES];
        stage_mouse(&stage, MOUSE_PRESS, state_of(&stage)->contents_y, title.x + title.wide - 1);
        assert_int_equal(state_of(&stage)->focus, SECTION_TIMES);
        /* Its heading is the first line of the page in sight. */
        assert_int_equal(state_of(&stage)->page.top, state_of(&stage)->page.sections[SECTION_TIMES].top);
    }
}

/* A line of the table ends soon after the longest name, however wide the screen is. */
TEST(criteria_stand_beside_their_formats)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 36, 200);
    stage_type(&stage, "ac");
    const struct cell *format = stage_find(&stage, "format  "), *last = stage_find(&stage, "balance");
    assert_in_range(last - format, 60, 110);
}

/* Enter leads to the kernel on Kernels, or to the format on Layouts. */
TEST(things_are_gone_into)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 20, 80);
    struct run *run = stage_advised(&stage);
    stage_type(&stage, "b");
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_ENTER);
    assert_ptr_equal(views[stage.explorer.view], &view_kernels);
    assert_string_equal(stage.explorer.asked.kernel->name, "csr-omp");
    assert_ptr_equal(stage.explorer.asked_in, &run->results);
    stage_type(&stage, "c");
    stage_key(&stage, UIKEY_DOWN);
    stage_key(&stage, UIKEY_ENTER);
    assert_ptr_equal(views[stage.explorer.view], &view_layouts);
    assert_string_equal(stage.explorer.chosen.format->name, "csr");
}

/* A click on a line of the bars, the legend or the criteria is a choice. */
TEST(lines_are_clicked)
{
    struct stage stage;
    stage_advice(&stage, 45, 180);
    stage_advised(&stage);
    for (int y = 0; y < stage.surface.high; y++)
        for (int x = 0; x + 11 < stage.surface.wide / 3 * 2; x++) {
            const struct cell *cell = &stage.surface.cells[y * stage.surface.wide + x];
            static const char name[] = "cpu/coo-omp";
            int same = 0;
            while (name[same] && cell[same].character == (unsigned char)name[same])
                same++;
            if (name[same] || x < 60 || y > 20) continue;
            stage_mouse(&stage, MOUSE_PRESS, y, x);
            assert_int_equal(state_of(&stage)->focus, SECTION_TIMES);
            assert_int_equal(state_of(&stage)->cursor, 2);
            stage_key(&stage, UIKEY_UP);
            assert_int_equal(state_of(&stage)->cursor, 1);
            stage_close(&stage);
            return;
        }
    fail_msg("coo-omp is not among the bars of\n%s", stage_dump(&stage));
}

/* Without a run forecasts are requested, and the screen says so. Later they are all that is known. */
TEST(forecasts_come_from_the_background)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 20, 100);
    stage.session.hasty = true;
    stage_shows(&stage, "Forecasting kernel times...");
    assert_non_null(stage.explorer.errand);
    assert_int_equal(stage.explorer.errand->state, ERRAND_WANTED);
    stage.explorer.errand->state = ERRAND_FAILED;
    stage_draw(&stage);
    stage_shows(&stage, "Forecasting was cancelled. Press x to resume.");
    stage.explorer.errand->state = ERRAND_WANTED;
    stage_work(&stage);
    stage_hides(&stage, "being forecast");
    stage_shows(&stage, " forecast\n");
    stage_hides(&stage, "f64, 0");
    stage_type(&stage, "b");
    stage_shows(&stage, "nothing was measured");
    while (state_of(&stage)->place != ADVICE_GPU)
        stage_type(&stage, "m");
    stage_shows(&stage, "cuda/csr-vector");
    /* A run affects the advice at once, and the cursor stays on its kernel. */
    stage_key(&stage, UIKEY_DOWN);
    const struct kernel *before = advice_candidate_shown(state_of(&stage))->result->choice.kernel;
    state_of(&stage)->chosen = true;
    stage_advised(&stage);
    assert_ptr_equal(advice_candidate_shown(state_of(&stage))->result->choice.kernel, before);
    while (state_of(&stage)->place != ADVICE_CPU)
        stage_type(&stage, "m");
    stage_shows(&stage, "3 measured");
    stage_type(&stage, "f");
    stage_shows(&stage, "f32");
    assert_int_equal(stage.explorer.errand->state, ERRAND_WANTED);
}

/* Beside the machines the screen shows how much is known, in as many words as fit. */
TEST(the_head_says_as_much_as_fits)
{
    static const char *const forms[] = {" from 3 of 7 entries", " from an excerpt", " forecast", "f64"};
    bool said[4] = {false};
    FREED(stage_close) struct stage stage;
    FREED(surface_free) struct surface surface = {0};
    stage_advice(&stage, 20, 100);
    stage.session.hasty = true;
    stage_draw(&stage);
    stage_work(&stage);
    stage.session.shown->foresight[PRECISION_F64].excerpt_rows = 2;
    stage.session.shown->foresight[PRECISION_F64].excerpt_entries = 3;
    stage_draw(&stage);
    for (int wide = 20; wide <= 100; wide++) {
        FREED(text_free) struct text dump = {0};
        int form = 0;
        assert_int_equal(surface_resize(&surface, 8, wide, NULL), STATUS_OK);
        advice_draw_machines(&stage.explorer, state_of(&stage), &surface, (struct rect){0, 0, 1, wide});
        surface_dump(&surface, &dump);
        dump.data[strcspn(dump.data, "\n")] = 0;
        while (form < 4 && !strstr(dump.data, forms[form]))
            form++;
        if (form < 4) said[form] = true;
        if (wide == 100) assert_int_equal(form, 0);
    }
    for (int form = 0; form < 4; form++)
        if (!said[form]) fail_msg("nowhere is '%s' the most that fits", forms[form]);
}

/* Page keys go from one tuned kernel to the next on the map, and arrows through the values of its parameter;
 * without the map's focus they leave it alone. */
TEST(the_map_is_gone_through)
{
    static const struct outcome tuned[] = {{"cpu/ell-omp:layout=rows", 2, 2e-4, 1e-6},
                                           {"cpu/ell-omp:layout=transposed", 2, 1e-4, 1e-6},
                                           {"cpu/csr-omp", 2, 3e-4, 1e-6},
                                           {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 20, 80);
    stage_keys(&stage, &advice_sections[SECTION_MAP].key, 1);
    stage_key(&stage, UIKEY_PAGE_DOWN);
    stage_shows(&stage, "No kernel was tuned");
    struct run *run = stage_run(&stage, tuned, PRECISION_F64, "2 threads");
    for (int k = 0; k < 3; k++)
        run->results.items[k].tuned.space = 2;
    stage_draw(&stage);
    assert_int_equal(screen->chart.kernel, 0);
    const int best = screen->chart.x, other = 1 - best;
    stage_key(&stage, best == 0 ? UIKEY_RIGHT : UIKEY_LEFT);
    assert_int_equal(screen->chart.x, other);
    stage_key(&stage, UIKEY_PAGE_DOWN);
    assert_int_equal(screen->chart.kernel, 1);
    stage_key(&stage, UIKEY_PAGE_UP);
    assert_int_equal(screen->chart.kernel, 0);
    assert_int_equal(screen->chart.x, best);
    stage_keys(&stage, &advice_sections[SECTION_TIMES].key, 1);
    stage_key(&stage, UIKEY_PAGE_DOWN);
    stage_key(&stage, UIKEY_RIGHT);
    stage_key(&stage, UIKEY_LEFT);
    assert_int_equal(screen->chart.kernel, 0);
    assert_int_equal(screen->chart.x, best);
}

/* The title of the map says whether the times were measured, of how many variants, and which kernel it is of.
 */
TEST(the_map_says_where_its_times_are_from)
{
    static const struct outcome tuned[] = {{"cpu/ell-omp:layout=rows", 2, 2e-4, 1e-6},
                                           {"cpu/ell-omp:layout=transposed", 2, 1e-4, 1e-6},
                                           {"cpu/csr-omp", 2, 3e-4, 1e-6},
                                           {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 70, 220);
    struct run *run = stage_run(&stage, tuned, PRECISION_F64, "2 threads");
    for (int k = 0; k < 3; k++) {
        run->results.items[k].tuned.space = 7;
        run->results.items[k].tuned.runs = 5;
    }
    stage_keys(&stage, &advice_sections[SECTION_MAP].key, 1);
    stage_shows(&stage, "cpu/ell-omp", "T / T(best), best 100 us; 5 of 7 variants run; kernel 1 of 2");
    stage_hides(&stage, "forecast, not measured");
    for (int k = 0; k < 3; k++)
        run->results.items[k].tuned.forecast = true;
    stage_draw(&stage);
    stage_shows(&stage, "T / T(best), forecast, not measured; 7 variants; kernel 1 of 2");
    stage_hides(&stage, "variants run");
}

/* The seconds that are forecast of the first candidate. */
static double first_seconds(struct stage *stage)
{
    const struct advice *advice = advice_shown(state_of(stage));
    assert_non_null(advice);
    return advice->candidates[0].seconds;
}

/* Do the wanted work of the screen once, even if more work is wanted afterwards. */
static void work_once(struct stage *stage)
{
    struct errand *errand = stage->explorer.errand;
    assert_int_equal(errand->state, ERRAND_WANTED);
    assert_int_equal(errand->run(errand->argument, NULL, NULL), STATUS_OK);
    errand->state = ERRAND_DONE;
    stage_draw(stage);
}

/* If nothing is known of the product, the screen names it and the remedy. */
TEST(a_product_of_which_nothing_is_known_is_named)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 20, 100);
    atomic_store(&stage.session.shown->foresight[PRECISION_F64].complete, true);
    stage_draw(&stage);
    stage_shows(&stage, "No kernel is measured or forecast for this matrix.");
    stage.explorer.product = (struct product){.transposed = true, .columns = 4};
    struct foresight *foresight =
        case_want_foresight(stage.session.shown, PRECISION_F64, stage.explorer.product, NULL);
    assert_non_null(foresight);
    atomic_store(&foresight->complete, true);
    stage_draw(&stage);
    stage_shows(&stage, "No kernel is measured or forecast for Y = A^T X, 4 columns, column-major.",
                "Run kernels on Kernels.");
}

/* The product that Kernels runs is the one that is advised on, from forecasts of its own, which stay. */
TEST(advice_follows_the_product)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 20, 140);
    stage.session.hasty = true;
    stage_draw(&stage);
    work_once(&stage);
    const double plain = first_seconds(&stage);
    assert_int_equal(screen->foretelling.deed, DEED_LEARN);
    screen->errand.state =
        ERRAND_FAILED; /* the processor cannot be measured: the assumed profile has to suffice */
    stage.explorer.errand = NULL;
    stage.explorer.product = (struct product){.columns = 8};
    stage_draw(&stage);
    assert_false(advice_shown(screen) != NULL);
    stage_shows(&stage, "Forecasting kernel times...");
    assert_int_equal(screen->foretelling.deed, DEED_FORETELL);
    work_once(&stage);
    stage_shows(&stage, "for Y = A X, 8 columns, column-major, take");
    const double eight = first_seconds(&stage);
    assert_true(eight > 1.5 * plain);
    stage.explorer.errand = NULL;
    stage.explorer.product = (struct product){.columns = 1};
    stage_draw(&stage);
    assert_null(stage.explorer.errand);
    assert_ptr_equal(case_want_foresight(stage.session.shown, PRECISION_F64, stage.explorer.product, NULL),
                     &stage.session.shown->foresight[PRECISION_F64]);
    assert_true(first_seconds(&stage) == plain);
    stage.explorer.cold = true;
    stage_draw(&stage);
    stage_shows(&stage, "with caches flushed, take");
    assert_true(first_seconds(&stage) > plain);
}

/* Advice first follows from the known inputs. Measurements of the processor refine it, but not the advice for
 * the GPU. */
TEST(advice_is_refined_by_what_is_measured)
{
    FREED(stage_close) struct stage stage;
    struct advice_screen *screen = stage_advice(&stage, 20, 100);
    stage.session.hasty = true;
    stage_draw(&stage);
    assert_int_equal(screen->foretelling.deed, DEED_FORETELL);
    work_once(&stage);
    assert_int_equal(screen->place, ADVICE_CPU);
    assert_true(stage.session.processor.assumed);
    assert_int_equal(screen->foretelling.deed, DEED_LEARN);
    assert_true(screen->errand.alone); /* it times something, although the user did not ask */
    assert_true(screen->errand.yields);
    stage_shows(&stage, "Measuring the processor");
    const double before = first_seconds(&stage);
    screen->place = ADVICE_GPU;
    screen->chosen = true;
    const double gpu = first_seconds(&stage);
    /* The processor turns out to be half as fast. */
    struct processor *found = &screen->foretelling.processor;
    for (int k = 0; k < found->loops; k++)
        for (int l = 0; l < PROCESSOR_LENGTHS; l++)
            found->loop[k].row[l] *= 2;
    found->assumed = false;
    screen->errand.state = ERRAND_DONE;
    stage_draw(&stage);
    assert_int_equal(screen->foretelling.deed, DEED_AGAIN);
    stage_work(&stage);
    if (first_seconds(&stage) != gpu) fail_msg("%.17g s, and before %.17g s", first_seconds(&stage), gpu);
    screen->place = ADVICE_CPU;
    stage_draw(&stage);
    /* Another kernel may then be the fastest; at worst the first one, twice as slow. */
    if (!(first_seconds(&stage) > 1.8 * before && first_seconds(&stage) < 2.01 * before))
        fail_msg("%g s, and before %g s", first_seconds(&stage), before);
    assert_int_equal(screen->errand.state, ERRAND_NONE);
    /* A key calibrates. */
    stage_type(&stage, "z");
    stage_draw(&stage);
    assert_int_equal(screen->foretelling.deed, DEED_CALIBRATE);
    assert_int_equal(screen->errand.state, ERRAND_WANTED);
}

TEST(in_ascii_there_is_ascii_alone)
{
    FREED(stage_close) struct stage stage;
    stage_advice(&stage, 45, 180);
    stage_advised(&stage);
    stage.explorer.ascii = true;
    for (int one = 0; one < 2; one++) {
        for (int k = 0; k < KEYED; k++) {
            stage_type(&stage, " ");
            for (const char *c = stage_dump(&stage); *c; c++)
                assert_true((unsigned char)*c < 0x80);
        }
        stage_type(&stage, "a");
    }
}

/* A report names the GPU like its driver, and a kernel with the parameters that it chose. The forecast is for
 * the profile of that GPU, and for the kernel with its defaults. Still both concern the same kernel on the
 * same machine. */
TEST(a_saved_time_meets_its_forecast)
{
    static const struct outcome saved[] = {{"cuda/csr-vector:threads=2", 0, 2e-6, 1e-8}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    struct kernel_list list = {0};
    stage_advice(&stage, 20, 80);
    struct matrix_case *of = stage.session.shown;
    struct foresight *foresight = &of->foresight[PRECISION_F64];
    assert_int_equal(gpu_find("h200", &stage.session.gpu, NULL), STATUS_OK);
    atomic_store(&stage.session.ready, SESSION_GPU);
    struct run *run = stage_run(&stage, saved, PRECISION_F64, "saved");
    run->saved = true;
    run->results.machines.devices = 1;
    run->results.machines.device[0] = (struct machine){
        .type = run->results.items[0].choice.kernel->backend->devices, .name = "NVIDIA H200", .read = 4e12};
    run->results.items[0].status = STATUS_OK;
    foresight->groups = memory_zeroed(1, sizeof *foresight->groups, NULL);
    atomic_store(&foresight->count, 1);
    assert_int_equal(kernel_list_add(&list, "cuda/csr-vector", NULL), STATUS_OK);
    assert_int_equal(results_want(foresight->groups, &list.choices[0], NULL), STATUS_OK);
    struct result *item = &foresight->groups->items[0];
    *item = result_unrun(&item->choice, false, (struct product){0});
    item->resolved = run->results.items[0].resolved;
    item->predicted[0] =
        (struct prediction){.there = true, .seconds = 3e-6, .low = 2.5e-6, .high = 4e-6, .machine = "h200"};
    atomic_store(&foresight->complete, true);
    kernel_list_free(&list);
    stage_type(&stage, "b");
    stage_shows(&stage, "NVIDIA H200 SXM", "f64, 1 measured\n", "~3.00 us", "2.00 us   +50%");
    assert_int_equal(advice_shown(state_of(&stage))->count, 1);
    assert_false(state_of(&stage)->advices.items[ADVICE_OTHER_GPU].there);
}

TESTS_BETWEEN(unit_without_cache, NULL)
