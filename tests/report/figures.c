/* report/figures: every figure for matrices of all kinds, at all sizes, and without memory. */
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
#include "drawing/cells.h"
#include "drawing/picture.h"
#include "formats/list.h"
#include "report/figures/even.h"
#include "report/figures/figure.h"
#include "report/figures/points.h"
#include "session/solve_advice.h"

static const char *const names[] = {"gen:laplace2d,n=4",    "gen:powerlaw,scale=7",        "gen:arrow,n=300",
                                    "gen:random,m=1,n=900", "gen:random,m=900,n=1,mean=1", "gen:dense,n=1",
                                    "gen:permutation,n=3"};
#define NAMES (sizeof names / sizeof *names)

/* Load a matrix, compute the parts that figures need, and build its storage; the case is never timed. */
static void start(struct session *session, const char *name, struct figure_subject *subject)
{
    struct load_options options = {0};
    struct error error = {0};
    struct format_list list = {0};
    unsigned needs = SESSION_GPU | SESSION_FORESIGHT;
    for (int k = 0; figures[k]; k++)
        needs |= figures[k]->needs;
    *session = (struct session){0};
    assert_int_equal(session_load(session, name, &options, NULL, &error), STATUS_OK);
    session->hasty = true;
    assert_int_equal(session_need(session, NULL, needs, NULL, &error), STATUS_OK);
    assert_int_equal(format_list_add(&list, "ell", &error), STATUS_OK);
    struct conversion *conversion = conversions_want(&session->shown->conversions, &list.choices[0], &error);
    conversion->keep = true;
    assert_int_equal(conversion_build(conversion, 0, NULL, &error), STATUS_OK);
    const struct solver_options solver = solver_options_standard();
    session_solve(session, session->shown, &solver, NULL, NULL); /* fails unless the matrix is square */
    *subject = (struct figure_subject){
        .session = session, .of = session->shown, .row = 0, .col = 0, .storage = conversion->storage};
    format_list_free(&list);
}

static enum status draw(const struct figure *figure, const struct figure_subject *subject, int high, int wide,
                        enum cells_way way)
{
    struct cells cells;
    struct surface surface = {0};
    struct text out = {0};
    enum status status = surface_resize(&surface, high, wide, NULL);
    struct canvas canvas = cells_begin(&cells, &surface, (struct rect){0, 0, high, wide}, way, true);
    if (status == STATUS_OK && figure->check) status = figure->check(subject, NULL);
    if (status == STATUS_OK) status = figure->draw(subject, &canvas, NULL);
    if (status == STATUS_OK) {
        cells_write(&surface, PALETTE_256, true, &out);
        if (out.failed) status = STATUS_MEMORY;
    }
    text_free(&out);
    surface_free(&surface);
    return status;
}

/* True if the figure has nothing to draw here. */
static bool is_lacking(const struct figure *figure, const struct figure_subject *subject)
{
    return figure->several || (figure->solves && subject->of->solving.count == 0) ||
           (figure->needs & SESSION_PRECISIONS && subject->of->precisions.values == 0) || /* a pattern */
           (figure->needs & SESSION_SOLVES && subject->of->matrix.csr.rows != subject->of->matrix.csr.cols);
}

/* A picture that is too small is cut, and no error. */
static void figures_fit_any_canvas(void **state)
{
    static const int sizes[][2] = {{16, 16}, {16, 200}, {90, 20}, {24, 80}, {1, 1}};
    for (size_t n = 0; n < NAMES; n++) {
        struct session session;
        struct figure_subject subject;
        start(&session, names[n], &subject);
        for (int k = 0; figures[k]; k++)
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes && !is_lacking(figures[k], &subject); s++)
                for (enum cells_way way = CELLS_BRAILLE; way <= CELLS_ASCII; way++) {
                    subject.by = (enum figure_by)(s % 3);
                    assert_int_equal(draw(figures[k], &subject, sizes[s][0], sizes[s][1], way), STATUS_OK);
                }
        session_free(&session);
    }
}

static void figures_fail_without_memory(void **state)
{
    struct session session;
    struct figure_subject subject;
    start(&session, names[1], &subject);
    for (int k = 0; figures[k]; k++) {
        int failures = 0;
        for (int n = 0; !figures[k]->several; n++) {
            struct text out = {0};
            memory_fail_after(n);
            enum status status = figure_svg(figures[k], &subject, 400, 300, true, &out, NULL);
            memory_fail_after(-1);
            text_free(&out);
            if (status == STATUS_OK) break;
            assert_int_equal(status, STATUS_MEMORY);
            assert_true(++failures < 5000);
        }
        if (!figures[k]->several) assert_true(failures > 0);
    }
    session_free(&session);
}

/* A part of a pattern has the counts of that part alone. */
static void a_part_is_drawn_alone(void **state)
{
    struct session session;
    struct figure_subject subject;
    struct text whole = {0}, part = {0};
    start(&session, "gen:laplace2d,n=30", &subject);
    assert_int_equal(figure_svg(figure_find("pattern"), &subject, 400, 400, true, &whole, NULL), STATUS_OK);
    subject.from[0] = subject.from[1] = 100;
    subject.to[0] = subject.to[1] = 120;
    assert_int_equal(figure_svg(figure_find("pattern"), &subject, 400, 400, true, &part, NULL), STATUS_OK);
    assert_non_null(strstr(part.data, "a dot is one position"));
    assert_null(strstr(whole.data, "a dot is one position"));
    assert_non_null(strstr(part.data, ">105</text>"));
    assert_null(strstr(part.data, ">90</text>"));
    text_free(&whole);
    text_free(&part);
    session_free(&session);
}

/* Where there is less room than rows, the title says how many rows a bar has. */
static void a_bar_of_several_rows_says_so(void **state)
{
    static const struct {
        const char *name, *words;
    } cases[] = {{"gen:laplace2d,n=4", ">row</text>"}, {"gen:arrow,n=3000", "a bar is "}};
    for (int k = 0; k < 2; k++) {
        struct session session;
        struct figure_subject subject;
        struct text out = {0};
        start(&session, cases[k].name, &subject);
        assert_int_equal(figure_svg(figure_find("rows"), &subject, 400, 400, true, &out, NULL), STATUS_OK);
        if (!strstr(out.data, cases[k].words)) fail_msg("%s: not %s", cases[k].name, cases[k].words);
        assert_int_equal(strstr(out.data, "a bar is ") != NULL, k);
        text_free(&out);
        session_free(&session);
    }
}

/* Of several results of a kernel the fastest counts; measured times are never compared with forecasts. */
static void points_compare_like_with_like(void **state)
{
    struct kernel_list list = {0};
    struct error error = {0};
    struct result items[3];
    const double times[] = {2e-6, 6e-6, 3e-6};
    memset(items, 0, sizeof items);
    assert_int_equal(kernel_list_add(&list, "cpu/csr-omp cpu/csr-seq", &error), STATUS_OK);
    for (int k = 0; k < 3; k++) {
        items[k].choice = items[k].resolved = list.choices[k == 0 ? 0 : 1];
        items[k].samples = (struct samples){
            .count = 9, .median = times[k], .time = times[k], .low = 0.9 * times[k], .high = 1.1 * times[k]};
    }
    struct results results = {.items = items, .count = 3};
    struct figure_points points = {.kernels = &list};
    assert_int_equal(figure_points_add(&points, "one", 7, &results, &error), STATUS_OK);
    assert_int_equal(points.count, 1);
    assert_true(fabs(points.items[0].speedup - 1.5) < 1e-12);
    assert_true(fabs(points.items[0].low - 1.5 * 0.9 / 1.1) < 1e-12);
    assert_true(fabs(points.items[0].high - 1.5 * 1.1 / 0.9) < 1e-12);
    assert_true(isnan(points.height));
    items[0].samples.count = 0; /* only a forecast: nothing to compare with */
    items[0].predicted[0] =
        (struct prediction){.there = true, .seconds = 1e-6, .low = 0.8e-6, .high = 1.25e-6};
    assert_int_equal(figure_points_add(&points, "two", 7, &results, &error), STATUS_OK);
    assert_int_equal(points.count, 1);
    assert_int_equal(points.matrices, 2);
    items[1].predicted[0] = (struct prediction){.there = true, .seconds = 4e-6, .low = 4e-6, .high = 4e-6};
    items[1].samples.count = items[2].samples.count = 0;
    assert_int_equal(figure_points_add(&points, "three", 7, &results, &error), STATUS_OK);
    assert_int_equal(points.count, 2);
    assert_true(points.items[1].forecast && fabs(points.items[1].speedup - 4) < 1e-12);
    /* one forecast has no interval, so that the ratio has that of the other */
    assert_true(fabs(points.items[1].low - 3.2) < 1e-12 && fabs(points.items[1].high - 5) < 1e-12);
    /* One was timed. The ratio still uses both forecasts, not its measured 2 us. */
    items[0].samples.count = 9;
    assert_int_equal(figure_points_add(&points, "four", 7, &results, &error), STATUS_OK);
    assert_int_equal(points.count, 3);
    assert_true(points.items[2].forecast && fabs(points.items[2].speedup - 4) < 1e-12);
    struct text out = {0};
    const struct figure_subject subject = {.points = &points};
    assert_int_equal(figure_svg(figure_find("speed-up"), &subject, 400, 300, true, &out, NULL), STATUS_OK);
    /* The title is the first text, in the first line. */
    const char *title = strstr(out.data, "<text");
    assert_true(title && strtod(strstr(title, " y=\"") + 4, NULL) < CANVAS_LINE);
    assert_non_null(strstr(title, ">cpu/csr-omp against mean row length, 4 matrices<"));
    text_free(&out);
    figure_points_free(&points);
    kernel_list_free(&list);
}

/* The logarithmic axis goes from 1 to 1.5 times the largest mean. So 7 of 10.5 lies at log 7 / log 10.5 =
 * 0.8276 of its 70 characters, which begin after column 9: at 9.5 + 0.8276 * 69 = 66.6. */
static void a_point_lies_at_its_mean(void **state)
{
    struct figure_point items[] = {
        {.name = "one", .mean = 7, .base = 1, .speedup = 2, .low = 1.9, .high = 2.1},
        {.name = "two", .mean = 7, .base = 1, .speedup = 0.5, .low = 0.4, .high = 0.6}};
    struct kernel_list list = {0};
    assert_int_equal(kernel_list_add(&list, "cpu/csr-omp cpu/csr-seq", NULL), STATUS_OK);
    struct figure_points points = {.kernels = &list, .items = items, .count = 2, .matrices = 2};
    const struct figure_subject subject = {.points = &points};
    struct cells cells;
    struct surface surface = {0};
    int marks = 0;
    assert_int_equal(surface_resize(&surface, 24, 80, NULL), STATUS_OK);
    struct canvas canvas = cells_begin(&cells, &surface, (struct rect){0, 0, 24, 80}, CELLS_ASCII, true);
    assert_int_equal(figure_find("speed-up")->draw(&subject, &canvas, NULL), STATUS_OK);
    for (int at = 0; at < surface.high * surface.wide; at++) {
        if (surface.cells[at].character != '#') continue;
        assert_int_equal(at % surface.wide, 66);
        marks++;
    }
    assert_int_equal(marks, 2);
    surface_free(&surface);
    kernel_list_free(&list);
}

/* The axes of break-even curves are kept for the test. */
static struct chart drawn_chart;

static enum status draw_even(const void *subject, struct canvas *canvas, struct error *error)
{
    drawn_chart = (struct chart){.canvas = canvas};
    even_draw(subject, &drawn_chart, 20, 280);
    return STATUS_OK;
}

/* The axis of time contains both ends of each curve: the cheapest first product, and all products of the
 * slowest kernel. */
static void axes_contain_all_curves(void **state)
{
    struct advice_candidate candidates[] = {{.setup = 0, .seconds = 3e-6}, {.setup = 2e-3, .seconds = 1e-6}};
    const struct advice advice = {.candidates = candidates, .count = 2};
    for (int each = 0; each < 2; each++) {
        const struct even even = {
            .advice = &advice, .each = each, .items = {0, 1}, .best = 2, .count = 2, .cursor = -1};
        const struct picture picture = {
            .wide = 400, .high = 300, .light = true, .title = "even", .draw = draw_even, .subject = &even};
        struct text text = {0};
        assert_int_equal(picture_svg(&picture, &text, NULL), STATUS_OK);
        char label[32]; /* ticks are powers of ten in seconds; they are not round in minutes */
        drawn_chart.up.label(100, label, sizeof label);
        assert_string_equal(label, "100 s");
        drawn_chart.up.label(5000, label, sizeof label);
        assert_string_equal(label, "5,000 s");
        drawn_chart.up.label(0.02, label, sizeof label);
        assert_string_equal(label, "20 ms");
        drawn_chart.up.label(1e-9 * 500, label, sizeof label);
        assert_string_equal(label, "500 ns");
        drawn_chart.up.label(1, label, sizeof label);
        assert_string_equal(label, "1 s");
        drawn_chart.up.label(1e7, label, sizeof label);
        assert_string_equal(label, "1e+07 s");
        drawn_chart.across.label(1000, label, sizeof label);
        assert_string_equal(label, "1,000");
        drawn_chart.across.label(10000, label, sizeof label);
        assert_string_equal(label, "10k");
        drawn_chart.across.label(1e6, label, sizeof label);
        assert_string_equal(label, "1M");
        text_free(&text);
        const double most = drawn_chart.across.to;
        assert_true(most > 1e3);
        for (int k = 0; k < 2; k++)
            for (int end = 0; end < 2; end++) {
                const double y = even_height(&even, k, end ? most : 1);
                if (!(drawn_chart.up.from <= y && y <= drawn_chart.up.to))
                    fail_msg("curve %d: %g is not from %g to %g", k, y, drawn_chart.up.from,
                             drawn_chart.up.to);
            }
        /* and do not extend much further */
        assert_true(drawn_chart.up.from > 1e-7 && drawn_chart.up.to < 10 * fmax(2.1e-3, 3e-6 * most));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(axes_contain_all_curves),       cmocka_unit_test(figures_fit_any_canvas),
        cmocka_unit_test(figures_fail_without_memory),   cmocka_unit_test(a_part_is_drawn_alone),
        cmocka_unit_test(a_bar_of_several_rows_says_so), cmocka_unit_test(points_compare_like_with_like),
        cmocka_unit_test(a_point_lies_at_its_mean),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
