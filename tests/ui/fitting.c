/* No text of the screens is cut, with huge numbers and terminals of any size. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/advice/screen.h"
#include "ui/kernels/kernels.h"
#include "ui/layouts/layouts.h"
#include "ui/pattern/pattern.h"
#include "ui/rows/rows.h"
#include "ui/warps/warps.h"

#define LARGE INT64_C(2147483647)
#define WIDE INT64_C(1000100000)

/* A million rows, of which each hundredth has an entry, and columns whose indices have as many digits as
 * there may be. */
static void make_wide(struct matrix *matrix, enum field field)
{
    struct csr *a = &matrix->csr;
    const int64_t rows = 1000000, nnz = rows / 100;
    uint64_t seed = 7;
    *a = (struct csr){.rows = rows, .cols = WIDE};
    a->row_ptr = memory_array((size_t)rows + 1, sizeof *a->row_ptr, NULL);
    a->col = memory_array((size_t)nnz, sizeof *a->col, NULL);
    a->val = memory_array((size_t)nnz, sizeof *a->val, NULL);
    if (field == FIELD_COMPLEX) a->imaginary = memory_array((size_t)nnz, sizeof *a->val, NULL);
    for (int64_t i = 0; i <= rows; i++)
        a->row_ptr[i] = i / 100;
    for (int64_t k = 0; k < nnz; k++) {
        a->col[k] = (int32_t)(WIDE - 1 - support_random(&seed, 2000));
        a->val[k] = -1.2345678901234567e-100;
        if (a->imaginary) a->imaginary[k] = -9.8765432109876543e+200;
    }
    matrix->field = field;
    matrix->symmetry = SYMMETRY_SKEW;
    matrix->stored = LARGE * 1000;
    matrix->duplicates = LARGE * 100;
    matrix->explicit_zeros = LARGE * 10;
}

/* The numbers that a matrix of 2^31 rows and 1e18 entries could have, without the lengths themselves. */
static struct lengths huge_lengths(void)
{
    struct lengths l = {.lines = LARGE,
                        .nnz = INT64_C(1234567890123456789),
                        .min = 1234567890,
                        .max = LARGE,
                        .empty = 1092411876,
                        .mean = 1234567890.12345,
                        .median = 1234567890.5,
                        .p95 = 2147483646.75,
                        .p99 = 2147483646.875,
                        .stddev = 123456789.12345,
                        .cv = 1.23456789e-7,
                        .average_deviation = 123456789.12345,
                        .percent_average_deviation = 1.2345678e-5,
                        .gini = 1.23456789e-7,
                        .bins = 3};
    l.histogram = memory_array(3, sizeof *l.histogram, NULL);
    l.histogram[0] = (struct length_count){1234567890, 715827882};
    l.histogram[1] = (struct length_count){1500000000, 715827882};
    l.histogram[2] = (struct length_count){LARGE, 715827883};
    return l;
}

/* Sizes as such a matrix could have; every other format is refused. */
static void make_sizes(struct conversions *conversions)
{
    assert_int_equal(conversions_want_all(conversions, PRECISION_F64, NULL), STATUS_OK);
    for (int k = 0; k < atomic_load(&conversions->count); k++) {
        struct conversion *item = conversions->items[k];
        item->size = (struct format_size){.bytes = (size_t)1234567890123456789 << (k % 3),
                                          .integers = INT64_C(1234567890123456789),
                                          .slots = INT64_C(2345678901234567890),
                                          .padding = INT64_C(1111111011111111101),
                                          .padding_ratio = k % 4 ? 123456.789 : 1.2345e+17,
                                          .dense_ratio = 1.23456789e-7};
        snprintf(item->name, sizeof item->name, "%s:k=2147483647,sigma=2147483647",
                 item->choice.format->name);
        atomic_store(&item->sized, true);
        atomic_store(&item->state, k % 2 ? CONVERSION_REFUSED : CONVERSION_PLANNED);
        error_set(&item->refusal, STATUS_LIMIT,
                  "%s would take 1023.99 PiB, its padding factor being 1.235e+17; the limit is 1023.99 GiB: "
                  "--limit=BYTES sets it",
                  item->name);
    }
}

static struct values huge_values(void)
{
    struct values values = {.positive = LARGE, .negative = LARGE, .nan = LARGE, .infinite = LARGE};
    values.min = -1.23456789e-307;
    values.max = values.min_abs = values.max_abs = values.mean_abs = 1.23456789e-307;
    values.norm_1 = values.norm_inf = values.norm_frobenius = 1.23456789e-307;
    for (int d = 0; d < VALUES_DECADES; d++)
        values.decades[d] = LARGE;
    return values;
}

static void *open_huge(struct stage *stage, const struct view *view, enum field field)
{
    struct error error = {0};
    memset(stage, 0, sizeof *stage);
    struct session *session = &stage->session;
    struct matrix matrix = {0};
    session->shown = session_add_case(session, "natural", &matrix, &error);
    assert_non_null(session->shown);
    make_wide(&session->shown->matrix, field);
    session->shown->matrix.name = memory_string("name", NULL);
    assert_int_equal(pyramid_build(&session->shown->matrix.csr, NULL, &session->shown->pyramid, &error),
                     STATUS_OK);
    const struct csr *a = &session->shown->matrix.csr;
    assert_int_equal(spans_make(a->row_ptr, a->rows, &session->shown->row_spans, &error), STATUS_OK);
    session->shown->row_lengths = huge_lengths();
    session->shown->col_lengths = huge_lengths();
    session->shown->structure.lower_bandwidth = session->shown->structure.upper_bandwidth = LARGE - 1;
    session->shown->structure.profile = INT64_C(4611686014132420609);
    session->shown->structure.diagonals = 2 * LARGE - 1;
    session->shown->structure.diagonal_nonzeros = LARGE;
    session->shown->structure.pattern_symmetry = session->shown->structure.numeric_symmetry = 1.23456789e-7;
    session->shown->values = huge_values();
    session->shown->components = (struct components){2 * LARGE, 2 * LARGE, LARGE, LARGE};
    session->shown->triangular = (struct triangular){LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE, LARGE};
    session->shown->fills =
        (struct fills){LARGE, {INT64_MAX / 2, 1.23456789e+307}, {INT64_MAX / 2, 1.23456789e+307}};
    make_sizes(&session->shown->conversions);
    atomic_store(&session->shown->ready,
                 127u | SESSION_ENTRIES | SESSION_VALUES | SESSION_COMPONENTS | SESSION_COSTLY);
    stage->explorer = (struct explorer){.session = session, .colours = true, .shades = true};
    stage->view = view;
    stage->state = view->open(&stage->explorer, &error);
    assert_non_null(stage->state);
    explorer_move(&stage->explorer, 999900 - 1, session->shown->matrix.csr.col[9998]);
    return stage->state;
}

static void check_uncut(struct stage *stage, const char *what)
{
    if (stage->surface.cut)
        fail_msg("%s at %d x %d: %d texts are cut in\n%s", what, stage->surface.wide, stage->surface.high,
                 stage->surface.cut, stage_dump(stage));
}

/* The room of a screen between the tabs and the two lines below, in the smallest terminal, 72 x 20. */
#define HIGH_MIN 17
#define WIDE_MIN 72

/* Every width from that of the smallest terminal on, the narrow ones with each of the heights. */
static void check_sizes(struct stage *stage, const char *what)
{
    static const int heights[] = {HIGH_MIN, 20, 21, 28, 38, 48, 78};
    const int count = (int)(sizeof heights / sizeof *heights);
    for (int ascii = 0; ascii < 2; ascii++)
        for (int wide = WIDE_MIN; wide <= 300; wide += wide < 132 ? 1 : 21)
            for (int k = 0; k < (wide <= 80 ? count : 1); k++) {
                stage->explorer.ascii = ascii;
                stage_resize(stage, heights[(wide + k) % count], wide);
                check_uncut(stage, what);
            }
}

TEST(summary_is_not_cut)
{
    FREED(stage_close) struct stage stage;
    open_huge(&stage, &view_summary, FIELD_REAL);
    for (int k = 0; k < 60; k++) {
        stage_resize(&stage, HIGH_MIN, WIDE_MIN);
        stage_keys(&stage, (int[]){UIKEY_DOWN}, 1);
        check_uncut(&stage, "summary");
    }
    check_sizes(&stage, "summary");
}

TEST(units_are_whole_where_there_is_room)
{
    FREED(stage_close) struct stage stage;
    open_huge(&stage, &view_summary, FIELD_REAL);
    for (int wide = 86; wide <= 300; wide++) {
        stage_resize(&stage, 70, wide); /* with room for further formats above the numbers */
        stage_shows(&stage, "1.235e-05% of off-diagonal entries");
    }
}

TEST(rows_are_not_cut)
{
    FREED(stage_close) struct stage stage;
    open_huge(&stage, &view_rows, FIELD_REAL);
    check_sizes(&stage, "rows");
    stage_type(&stage, "s");
    check_sizes(&stage, "rows, other scale");
    stage_resize(&stage, 28, 100);
    stage_shows(&stage, "empty    1.09G"); /* and not 1,092,411 of 1,092,411,876 */
    stage_type(&stage, "c");
    check_sizes(&stage, "columns");
    stage_type(&stage, "s");
    check_sizes(&stage, "columns, other scale");
}

/* Every picture of Pattern: braille, shades and numbers, at each zoom, with overlays. */
TEST(patterns_are_not_cut)
{
    static const enum field fields[] = {FIELD_REAL, FIELD_COMPLEX, FIELD_PATTERN};
    static const int sizes[][2] = {{HIGH_MIN, WIDE_MIN}, {28, 100}, {48, 160}, {78, 300}};
    for (int field = 0; field < 3; field++) {
        FREED(stage_close) struct stage stage;
        const struct pattern *pattern = open_huge(&stage, &view_pattern, fields[field]);
        check_sizes(&stage, "pattern");
        for (int k = 0; k < 4; k++) {
            stage_resize(&stage, sizes[k][0], sizes[k][1]);
            stage_type(&stage, "0");
            for (int level = 0; level <= pattern_numbers_level(pattern); level++) {
                check_uncut(&stage, "pattern");
                stage_type(&stage, "+");
            }
            assert_int_equal(pattern->picture, PICTURE_NUMBERS);
            stage_type(&stage, "db");
            check_uncut(&stage, "pattern with overlays");
            stage_type(&stage, "-m");
            check_uncut(&stage, "pattern by hand");
            stage_type(&stage, "mmdb");
        }
    }
}

/* Every overlay, with its smallest and its largest parameter, in a picture and in numbers. */
TEST(overlays_are_not_cut)
{
    static const int sizes[][2] = {{HIGH_MIN, WIDE_MIN}, {28, 100}, {48, 160}};
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = open_huge(&stage, &view_pattern, FIELD_REAL);
    for (int overlay = 0; overlay < OVERLAY_COUNT; overlay++) {
        stage_resize(&stage, HIGH_MIN, WIDE_MIN);
        stage_type(&stage, "o");
        for (int far = 0; far < 2; far++) {
            for (int k = 0; k < 40; k++)
                stage_type(&stage, far ? ">." : "<,");
            stage_work(&stage);
            for (int k = 0; k < 3; k++) {
                stage_resize(&stage, sizes[k][0], sizes[k][1]);
                stage_type(&stage, "0");
                check_uncut(&stage, "overlay");
                while (pattern->picture != PICTURE_NUMBERS)
                    stage_type(&stage, "+");
                check_uncut(&stage, "overlay of numbers");
            }
        }
    }
}

/* Every colouring, of real and of complex values. */
TEST(colourings_are_not_cut)
{
    static const int sizes[][2] = {{HIGH_MIN, WIDE_MIN}, {28, 100}, {48, 160}};
    for (int complex = 0; complex < 2; complex++) {
        FREED(stage_close) struct stage stage;
        const struct pattern *pattern =
            open_huge(&stage, &view_pattern, complex ? FIELD_COMPLEX : FIELD_REAL);
        for (int colouring = 0; colouring < COLOURINGS; colouring++) {
            stage_resize(&stage, HIGH_MIN, WIDE_MIN);
            stage_type(&stage, "c");
            stage_work(&stage);
            for (int k = 0; k < 3; k++) {
                stage_resize(&stage, sizes[k][0], sizes[k][1]);
                stage_type(&stage, "0");
                check_uncut(&stage, pattern_colourings[pattern->colouring]);
                while (pattern->picture != PICTURE_NUMBERS)
                    stage_type(&stage, "+");
                check_uncut(&stage, pattern_colourings[pattern->colouring]);
            }
        }
    }
}

TEST(numbers_use_the_room)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern = stage_open(
        &stage, &view_pattern, support_matrix(3000, 3000, 0.01, false, false, 3), FIELD_REAL, 28, 100);
    for (int wide = 80; wide <= 300; wide += 5) {
        stage_resize(&stage, 28, wide);
        while (pattern->picture != PICTURE_NUMBERS)
            stage_type(&stage, "+");
        int used = viewport_used(&pattern->port, COLS) * pattern->field;
        /* from the row labels to the margin of the rows and the panel of 28 columns: "3,000", the frame's two
         * sides and a gap */
        int margin = wide < 100 ? 8 : wide < 160 ? 12 : 16;
        assert_true(pattern->field >= 8 && pattern->field <= 14);
        assert_in_range(wide - 28 - 2 - 2 - 5 - margin - used, 0, viewport_used(&pattern->port, COLS));
    }
}

/* From 1 length to twice the number that fits. */
TEST(histograms_fill_their_width)
{
    struct stage stage;
    int64_t lengths[90];
    for (int count = 6; count <= 90; count++) {
        struct csr a = {.rows = count, .cols = 90};
        a.row_ptr = memory_zeroed((size_t)count + 1, sizeof *a.row_ptr, NULL);
        for (int i = 0; i < count; i++) {
            lengths[i] = i + 1;
            a.row_ptr[i + 1] = a.row_ptr[i] + lengths[i];
        }
        int64_t nnz = a.row_ptr[count];
        a.col = memory_array((size_t)nnz, sizeof *a.col, NULL);
        a.val = memory_zeroed((size_t)nnz, sizeof *a.val, NULL);
        for (int i = 0; i < count; i++)
            for (int64_t k = a.row_ptr[i]; k < a.row_ptr[i + 1]; k++)
                a.col[k] = (int32_t)(k - a.row_ptr[i]);
        const struct rows *rows = stage_open(&stage, &view_rows, a, FIELD_REAL, 22, 80);
        int across = rows->bin_count * 7 < rows->histogram.wide ? rows->bin_count * 7 : rows->histogram.wide;
        bool gap = across >= 3 * rows->bin_count;
        const struct cell *bottom =
            &stage.surface
                 .cells[(rows->histogram.top + rows->histogram.high - 1) * 80 + rows->histogram.left];
        assert_int_not_equal(bottom[across - 1 - gap].character, ' ');
        for (int bin = 0; bin < rows->bin_count; bin++) { /* a click finds the bar that is seen */
            int x = rows->histogram.left + rows_bin_left(rows, bin);
            stage_mouse(&stage, MOUSE_PRESS, rows->histogram.top, x);
            assert_int_equal(rows->sides[0].cut, bin + 1 < rows->bin_count ? rows->bins[bin].to : count);
        }
        stage_close(&stage);
    }
}

TEST(titles_name_the_scale)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_rows, support_matrix(200, 100, 0.1, false, false, 3), FIELD_REAL, 22, 80);
    stage_shows(&stage, "Rows by length  linear", "Length by row  linear");
    stage_type(&stage, "s");
    stage_shows(&stage, "Rows by length  log", "Length by row  log");
    stage_type(&stage, "c");
    stage_shows(&stage, "Columns by length  linear", "Length by column  linear");
}

/* Build the parts that the screen needs, and draw it. */
static void convert(struct stage *stage)
{
    const struct conversions_shown *shown = &stage->explorer.shown;
    for (int k = 0; k < shown->count; k++)
        if (shown->items[k]->keep) conversion_build(shown->items[k], 0, NULL, NULL);
    stage_draw(stage);
}

/* Each format of a matrix with a million rows and 2^31 columns, beside others, with each key that changes the
 * text. */
/* The focus is on an element that the storage of its panel has. An entry of part 1 has no cell in the
 * picture. */
static void check_focus(const struct layouts *layouts, const char *what)
{
    const struct focus *focus = &layouts->focus;
    const struct conversion *shown = layouts->panels[focus->panel].shown;
    if (!shown || !shown->storage) return;
    const struct storage *storage = shown->storage;
    const int64_t length = focus->array == PICTURE ? storage->slots[0] : storage->array[focus->array].length;
    if (focus->element >= length)
        fail_msg("%s: the focus is on element %lld of %lld", what, (long long)focus->element,
                 (long long)length);
}

TEST(layouts_are_not_cut)
{
    for (int f = 0; formats[f]; f++) {
        FREED(stage_close) struct stage stage;
        open_huge(&stage, &view_layouts, f % 2 ? FIELD_COMPLEX : FIELD_REAL);
        stage.session.limit = (size_t)1 << 28;
        stage_resize(&stage, HIGH_MIN, WIDE_MIN);
        struct layouts *layouts = stage.state;
        const struct format_choice choice = format_choice_default(formats[f], layouts->precision);
        if (f > 1) layouts_add(&stage.explorer, layouts, &choice);
        layouts_update(&stage.explorer, layouts);
        convert(&stage);
        convert(&stage);
        check_uncut(&stage, formats[f]->name);
        layouts->focus.panel = layouts->count - 1;
        check_sizes(&stage, formats[f]->name);
        stage_type(&stage, "vvv+++m");
        for (int k = 0; k < 6; k++) {
            stage_keys(&stage, (int[]){UIKEY_END, ']'}, 2);
            check_focus(layouts, formats[f]->name);
            check_uncut(&stage, formats[f]->name);
        }
        stage_type(&stage, "sm ");
        check_sizes(&stage, "the list of formats");
        for (int k = 0; k < 20; k++) {
            stage_keys(&stage, (int[]){UIKEY_DOWN}, 1);
            check_uncut(&stage, "the list of formats");
        }
    }
}

/* Do the wanted work until no more is wanted. */
static void do_errands(struct stage *stage)
{
    convert(stage);
    for (int k = 0; k < 8 && stage->explorer.errand && stage->explorer.errand->state == ERRAND_WANTED; k++)
        stage_work(stage);
}

/* Two kernels with long names at each of their requests, on rows near the end of a million, and all counts as
 * large as may be. */
TEST(warps_are_not_cut)
{
    FREED(stage_close) struct stage stage;
    open_huge(&stage, &view_warps, FIELD_REAL);
    stage_resize(&stage, HIGH_MIN, WIDE_MIN);
    struct warps *warps = stage.state;
    check_sizes(&stage, "refused warps"); /* as CSR is in double precision */
    stage_resize(&stage, HIGH_MIN, WIDE_MIN);
    stage_type(&stage, "f");
    do_errands(&stage);
    warps_answer(&stage.explorer, warps, "csr-vector:threads=32,aligned=1,reduce=shared,block=1024");
    stage_draw(&stage);
    do_errands(&stage);
    for (int k = 0; k < 24; k++) {
        stage_keys(&stage, (int[]){UIKEY_RIGHT}, 1);
        check_uncut(&stage, "a step");
    }
    const int64_t largest = LARGE * LARGE / 16; /* such that sums over operands do not overflow */
    for (int p = 0; p < WARPS_PANES; p++) {
        struct replay *replay = warps->panes[p].replay;
        assert_int_equal(replay->ready, READY_COUNTED);
        for (int o = 0; o < OPERANDS; o++)
            replay->whole.count[ACCESS_LOAD][o] = (struct trace_counts){
                largest, largest, largest, LARGE * 32, LARGE * 16, LARGE, LARGE / 2, LARGE};
        replay->whole.share = 1.2345e-7;
        replay->whole.error = 1.2345e-7;
        replay->costs.max = replay->costs.median = largest;
        replay->costs.worst.warp = replay->costs.typical.warp = LARGE - 1;
    }
    check_sizes(&stage, "warps");
    stage_keys(&stage, (int[]){UIKEY_ENTER}, 1);
    check_sizes(&stage, "the list of kernels");
    stage_keys(&stage, (int[]){UIKEY_ESCAPE, 'b', UIKEY_END}, 3);
    check_sizes(&stage, "a warp without rows");
}

/* Results with numbers as large as they may be, some of them errors. */
static void add_huge_run(struct stage *stage, bool saved)
{
    struct results results = {0};
    struct kernel_list list = {0};
    static const int threads[] = {1, 2, 1000};
    assert_int_equal(kernel_list_add(&list, "all cpu/cmrs-omp:height=16,sorted=1,modulo=32", NULL),
                     STATUS_OK);
    for (int k = 0; k < list.count; k++)
        for (int t = 0; t < 3; t++) {
            const struct kernel_choice choice =
                kernel_choice_with(&list.choices[k], PRECISION_F64, threads[t]);
            assert_int_equal(results_want(&results, &choice, NULL), STATUS_OK);
        }
    kernel_list_free(&list);
    for (int k = 0; k < results.count; k++) {
        struct result *item = &results.items[k];
        double t = 1.2345678e-9 * pow(10, k % 15);
        snprintf(item->full_name, sizeof item->full_name, "cpu/%s", item->choice.kernel->name);
        snprintf(item->name, sizeof item->name, "cpu/%s:k=2147483647,sigma=2147483647",
                 item->choice.kernel->name);
        item->samples = (struct samples){2147483647, t, t / 3, 1e5 * t, t / 4, t, 1e6 * t, t};
        item->sized = true;
        item->size = (struct format_size){.bytes = (size_t)1234567890123456789,
                                          .slots = INT64_C(2345678901234567890),
                                          .padding_ratio = k % 2 ? 1.23456e+17 : 123456.789};
        item->flops = item->flops_cmrs = 1.2345678e18;
        item->bytes = (struct kernel_bytes){1.2345678e18, 1.2345678e18};
        item->max_error = item->residual = -1.2345678e-300;
        item->convert_seconds = 1.2345678e6;
        item->cached = k % 2;
        if (k % 5 == 4)
            item->status =
                error_set(&item->error, STATUS_LIMIT,
                          "%s would take 1023.99 PiB, its padding factor being 1.235e+17; the limit is "
                          "1023.99 GiB: --limit=BYTES sets it",
                          item->name);
    }
    results.held = true;
    results.machines.host = (struct machine){.threads = 1000,
                                             .read = 1.2345678e13,
                                             .copy = 1.2345678e-3,
                                             .read_low = 1.2345678e3,
                                             .cache = SIZE_MAX};
    struct run *run = runs_add(&stage->session.shown->runs,
                               "f64 1,2,1000 thr, cold, y += A x, cranfield, of a host", &results, NULL);
    assert_non_null(run);
    run->saved = saved;
    run->number = 999 - saved;
}

/* The table with any columns, its panel, the list of columns, curves, runs beside each other. */
TEST(kernels_are_not_cut)
{
    static const char *const ways[] = {"", "\r", "\r\r", "v", "b", "c"};
    for (int runs = 0; runs < 3; runs++) {
        FREED(stage_close) struct stage stage;
        struct kernels_screen *screen = open_huge(&stage, &view_kernels, FIELD_REAL);
        stage_resize(&stage, HIGH_MIN, WIDE_MIN);
        for (int k = 0; k < runs; k++)
            add_huge_run(&stage, k > 0);
        stage_type(&stage, "T");
        view_take_answer(&stage.explorer, stage.view, stage.state, "1000");
        for (int all = 0; all < 2; all++) {
            for (int c = 1; all && c < kernels_columns(); c++)
                screen->visible[c] = true;
            for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
                for (const char *c = ways[k]; *c; c++)
                    stage_keys(&stage, (int[]){*c == '\r' ? UIKEY_ENTER : *c}, 1);
                check_sizes(&stage, "kernels");
                for (int step = 0; step < 40; step++) {
                    stage_keys(&stage, (int[]){UIKEY_DOWN, UIKEY_RIGHT}, 2);
                    check_uncut(&stage, "kernels");
                }
                stage_resize(&stage, HIGH_MIN, WIDE_MIN);
                stage_type(&stage, k == 5 ? "cfwymmfwym" : "[");
                check_uncut(&stage, "kernels, options");
                stage_type(&stage, "]]]");
                if (k == 3 || k == 4) stage_type(&stage, ways[k]);
                if (k == 1 || k == 2) { /* as it was */
                    screen->panel = PANEL_NONE;
                    screen->no_panel = false;
                }
            }
        }
    }
}

/* Each section of the advice, from results with huge numbers, whose formats have criteria. */
TEST(advice_is_not_cut)
{
    for (int runs = 0; runs < 3; runs++) {
        FREED(stage_close) struct stage stage;
        open_huge(&stage, &view_advice, FIELD_REAL);
        for (int k = 0; k < runs; k++)
            add_huge_run(&stage, k > 0);
        stage_resize(&stage, HIGH_MIN, WIDE_MIN);
        struct advice_screen *screen = stage.state;
        for (int k = 0; k < 2 * SECTIONS; k++) {
            check_sizes(&stage, advice_sections[screen->focus].title);
            for (int step = 0; step < 8; step++) {
                stage_keys(&stage, (int[]){UIKEY_DOWN, UIKEY_RIGHT}, 2);
                check_uncut(&stage, advice_sections[screen->focus].title);
            }
            stage_type(&stage, k == SECTIONS ? " av" : " ");
        }
    }
}
