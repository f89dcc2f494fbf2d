/* Screens of a matrix whose entries are not in memory: they show the known numbers, and neither keys nor
 * clicks lead to unknown ones. */
#include <stdlib.h>
#include <string.h>

#include "analysis/level.h"
#include "base/memory.h"
#include "matrix/transpose.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/parts/screen.h"
#include "ui/pattern/pattern.h"
#include "ui/rows/rows.h"
#include "ui/work.h"

/* How much is known of a matrix. */
struct knowledge {
    int64_t row_step, col_step; /* rows and columns of the pattern's cells; 0: no pattern */
    int64_t line_step;          /* lines in a stretch with known lengths; 0: none */
    bool sizes;                 /* the formats' sizes are known */
    int parts;                  /* partitions: 0: none, 1: numbers, 2: numbers and pictures */
};

static void know_lengths(struct matrix_case *of, const struct csr *a, int64_t step)
{
    FREED(csr_free) struct csr transposed;
    assert_int_equal(csr_transpose(a, NULL, &transposed, NULL), STATUS_OK);
    for (int cols = 0; cols < 2; cols++) {
        struct lengths *lengths = cols ? &of->col_lengths : &of->row_lengths;
        struct spans fine, *spans = cols ? &of->col_spans : &of->row_spans;
        const struct csr *lines = cols ? &transposed : a;
        assert_int_equal(lengths_of_rows(lines, NULL, lengths, NULL), STATUS_OK);
        assert_int_equal(spans_make(lines->row_ptr, lines->rows, &fine, NULL), STATUS_OK);
        if (step == 1) {
            size_t bytes = ((size_t)lines->rows + 1) * sizeof(int64_t);
            int64_t *offsets = memory_array(bytes, 1, NULL);
            memcpy(offsets, lines->row_ptr, bytes);
            assert_int_equal(spans_own(offsets, lines->rows, spans, NULL), STATUS_OK);
        } else if (step > 1) {
            assert_int_equal(spans_coarsen(&fine, lengths, step, spans, NULL), STATUS_OK);
        }
        spans_free(&fine);
        case_know(of, cols ? SESSION_COL_LENGTHS : SESSION_ROW_LENGTHS);
    }
    if (step) case_know(of, SESSION_COL_PTR);
}

static void know_pattern(struct matrix_case *of, const struct csr *a, const struct knowledge *knowledge)
{
    struct level level;
    if (!knowledge->row_step) return;
    assert_int_equal(level_of_matrix(a, &level, NULL), STATUS_OK);
    while (level.row_step < knowledge->row_step || level.col_step < knowledge->col_step)
        assert_int_equal(level_double(&level, level.row_step < knowledge->row_step,
                                      level.col_step < knowledge->col_step, NULL),
                         STATUS_OK);
    assert_int_equal(level_pyramid(&level, &of->pyramid, NULL), STATUS_OK);
    level_free(&level);
    case_know(of, SESSION_PYRAMID);
}

/* Partitions into 2 and 5 parts, of all kinds that are in this build; with 3, that of entries has 4 instead
 * of 5. */
static void know_parts(struct matrix_case *of, const struct csr *a, int parts)
{
    struct distribution_request request = {.parts = {2, 5}, .count = 2, .sketched = parts > 1};
    const struct matrix matrix = {.csr = *a};
    if (parts == 0) return;
    assert_int_equal(distribution_make(&matrix, &request, 0, NULL, &of->distribution, NULL), STATUS_OK);
    distribution_predict(&of->distribution, 100, true, "cpu/csr-seq", sizeof(double), NULL);
    for (int k = 0; k < of->distribution.count && parts == 3; k++)
        if (strcmp(of->distribution.items[k].name, "entries") == 0 && of->distribution.items[k].parts == 5)
            of->distribution.items[k].parts = 4;
    for (int k = 0; k < of->distribution.count && parts == 1; k++) {
        free(of->distribution.items[k].halo.part);
        of->distribution.items[k].halo.part = NULL;
    }
}

/* Open a view on the known numbers of `a`, which stays the caller's. */
static void *open_known(struct stage *stage, const struct view *view, const struct csr *a, enum field field,
                        const struct knowledge *knowledge, int high, int wide)
{
    struct error error = {0};
    struct matrix matrix = {.name = memory_string("far", NULL), .path = memory_string("far.mtx", NULL)};
    struct absence absence = {memory_string("The entries are elsewhere.", NULL),
                              memory_string("A larger machine has them.", NULL)};
    memset(stage, 0, sizeof *stage);
    matrix.csr.rows = a->rows;
    matrix.csr.cols = a->cols;
    matrix.field = field;
    struct matrix_case *of = session_start_known(&stage->session, 0, &matrix, csr_nnz(a), &absence);
    know_lengths(of, a, knowledge->line_step);
    know_pattern(of, a, knowledge);
    know_parts(of, a, knowledge->parts);
    assert_int_equal(structure_of(a, NULL, &of->structure, NULL), STATUS_OK);
    case_know(of, SESSION_STRUCTURE);
    for (int f = 0; knowledge->sizes && formats[f]; f++) {
        const struct format_choice choice = format_choice_default(formats[f], PRECISION_F64);
        const struct error refusal = {.status = STATUS_LIMIT, .message = "too large"};
        const struct known_conversion known = {.resolved = choice,
                                               .sized = f != 2,
                                               .size = {.bytes = 1000 * (size_t)(f + 1), .slots = 50},
                                               .criteria = criteria_unknown(),
                                               .refusal = f == 2 || f == 3 ? &refusal : NULL};
        assert_int_equal(conversions_know(&of->conversions, &choice, false, &known, NULL), STATUS_OK);
    }
    assert_int_equal(conversions_want_all(&of->conversions, PRECISION_F64, NULL), STATUS_OK);
    stage->explorer = (struct explorer){.session = &stage->session, .colours = true, .shades = true};
    stage->view = view;
    stage->state = view->open(&stage->explorer, &error);
    assert_non_null(stage->state);
    explorer_move(&stage->explorer, 0, 0);
    stage_resize(stage, high, wide);
    return stage->state;
}

/* Compare the shown dots with a plain loop. Dots are whole cells. */
static void expect_exact_dots(const struct stage *stage, const struct csr *a)
{
    const struct pattern *pattern = stage->state;
    const struct pyramid *pyramid = &stage->session.shown->pyramid;
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    int64_t total = 0, before = pattern->port.start[ROWS];
    int64_t *counts = memory_zeroed((size_t)high * (size_t)wide, sizeof *counts, NULL);
    assert_non_null(counts);
    assert_int_equal(pattern->port.dot[ROWS] % pyramid->row_step, 0);
    assert_int_equal(pattern->port.dot[COLS] % pyramid->col_step, 0);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t y = viewport_index(&pattern->port, ROWS, i);
            int64_t x = viewport_index(&pattern->port, COLS, a->col[k]);
            if (y < 0 || x < 0 || y >= high || x >= wide) continue;
            counts[y * wide + x]++;
            total++;
        }
    assert_memory_equal(pattern->counts, counts, (size_t)high * (size_t)wide * sizeof *counts);
    assert_int_equal(pattern->total, total);
    assert_true(before >= 0);
    if (pattern->level == 0) assert_int_equal(total, csr_nnz(a));
    free(counts);
}

/* Shapes and cells: square, wide, tall, a line, single positions. */
static const struct {
    int64_t rows, cols;
    double density;
    struct knowledge knowledge;
} cases[] = {{700, 700, 0.01, {8, 8, 4, true, 2}},     {311, 257, 0.03, {4, 2, 2, true, 1}},
             {40, 3000, 0.02, {1, 64, 16, false, 2}},  {5000, 3, 0.2, {128, 1, 32, false, 2}},
             {12, 9, 0.3, {1, 1, 1, true, 2}},         {1, 900, 0.2, {1, 16, 0, false, 0}},
             {640, 640, 0, {16, 16, 8, true, 2}},      {900, 900, 0.002, {1, 1, 1, true, 1}},
             {100, 100, 0.1, {128, 128, 128, true, 2}}};
#define CASES (sizeof cases / sizeof *cases)

static struct csr matrix_of(size_t k)
{
    return support_matrix(cases[k].rows, cases[k].cols, cases[k].density, true, false, 3 + k);
}

TEST(pictures_are_exact_and_end_at_their_cells)
{
    static const int pixels[] = {20, 10}, none[] = {0, 0};
    static const char *const flags[] = {"", "m", "mm", "f", "fmm"};
    for (size_t k = 0; k < CASES; k++)
        for (size_t f = 0; f < 2 * sizeof flags / sizeof *flags; f++) {
            FREED(csr_free) struct csr a = matrix_of(k);
            FREED(stage_close) struct stage stage;
            open_known(&stage, &view_pattern, &a, FIELD_REAL, &cases[k].knowledge, 24, 90);
            stage.explorer.pixels = f % 2 ? pixels : none;
            stage_draw(&stage);
            stage_type(&stage, flags[f / 2]);
            const struct pattern *pattern = stage.state;
            const struct pyramid *pyramid = &stage.session.shown->pyramid;
            expect_exact_dots(&stage, &a);
            for (int level = 0; level < 14; level++) {
                stage_type(&stage, level % 3 ? "+" : "+JLJ");
                expect_exact_dots(&stage, &a);
            }
            assert_int_equal(pattern->level, pattern_last_level(pattern));
            assert_int_not_equal(pattern->picture, PICTURE_NUMBERS);
            int64_t both = pyramid->row_step > pyramid->col_step ? pyramid->row_step : pyramid->col_step;
            for (int axis = 0; axis < 2; axis++) {
                int64_t own = axis == ROWS ? pyramid->row_step : pyramid->col_step;
                assert_true(pattern->port.dot[axis] == own || pattern->port.dot[axis] == both);
            }
            assert_says(stage.explorer.message, "no finer picture than", "A larger machine has them.");
            stage_type(&stage, "0");
            assert_int_equal(pattern->level, 0);
            expect_exact_dots(&stage, &a);
        }
}

TEST(the_panel_says_how_fine_the_picture_is)
{
    FREED(csr_free) struct csr a = matrix_of(0);
    FREED(stage_close) struct stage stage;
    open_known(&stage, &view_pattern, &a, FIELD_REAL, &cases[0].knowledge, 40, 120);
    stage_shows(&stage, "finest dot", "8 x 8", "entries not in memory");
}

/* The lengths along the index are exact for whole stretches. */
TEST(lengths_are_those_of_stretches)
{
    for (size_t k = 0; k < CASES; k++) {
        FREED(csr_free) struct csr a = matrix_of(k);
        FREED(stage_close) struct stage stage;
        const struct rows *rows =
            open_known(&stage, &view_rows, &a, FIELD_REAL, &cases[k].knowledge, 40, 120);
        for (int level = 0; level < 12 && cases[k].knowledge.line_step; level++) {
            const struct spans *spans = &rows->sides[0].spans;
            int64_t dot = rows->port.dot[COLS];
            assert_int_equal(rows->port.size[COLS], a.rows);
            assert_int_equal(dot % spans->step, 0);
            for (int x = 0; x < viewport_used(&rows->port, COLS); x++) {
                int64_t from = rows->port.start[COLS] + x * dot, to = from + dot, max = 0;
                if (to > a.rows) to = a.rows;
                for (int64_t i = from; i < to; i++)
                    if (a.row_ptr[i + 1] - a.row_ptr[i] > max) max = a.row_ptr[i + 1] - a.row_ptr[i];
                struct stretch stretch = spans_stretch(spans, from, to);
                assert_int_equal(stretch.max, max);
                assert_true(stretch.mean == (double)(a.row_ptr[to] - a.row_ptr[from]) / (double)(to - from));
            }
            stage_type(&stage, "+");
        }
    }
}

/* Every key of every screen that can be drawn, twice in a row and at several sizes, and a click everywhere.
 */
TEST(no_key_leads_to_what_is_not_there)
{
    static const struct view *const shown[] = {&view_summary, &view_pattern, &view_rows,
                                               &view_kernels, &view_advice,  &view_parts};
    static const int sizes[][2] = {{18, 72}, {48, 160}};
    static const int pixels[] = {20, 10};
    for (size_t v = 0; v < sizeof shown / sizeof *shown; v++)
        for (size_t k = 0; k < CASES; k++)
            for (int size = 0; size < 2; size++) {
                FREED(csr_free) struct csr a = matrix_of(k);
                FREED(stage_close) struct stage stage;
                enum field field = k % 3 == 0 ? FIELD_REAL : k % 3 == 1 ? FIELD_COMPLEX : FIELD_PATTERN;
                open_known(&stage, shown[v], &a, field, &cases[k].knowledge, sizes[size][0], sizes[size][1]);
                if (k % 2) stage.explorer.pixels = pixels;
                for (int times = 0; times < 2; times++)
                    for (const struct action *action = shown[v]->actions; action->run; action++)
                        for (int key = 0; key < 3 && action->keys[key]; key++) {
                            stage_keys(&stage, &action->keys[key], 1);
                            struct list *list = view_list(stage.view, stage.state);
                            if (list) stage_keys(&stage, (int[]){UIKEY_ESCAPE}, 1);
                            if (stage.explorer.question.asked && stage.view->answer)
                                view_take_answer(&stage.explorer, stage.view, stage.state, "3");
                            stage.explorer.question.asked = false;
                            stage_draw(&stage);
                            struct errand *errand = stage.explorer.errand;
                            assert_true(!errand || errand->state == ERRAND_NONE);
                        }
                for (int y = 0; y < sizes[size][0]; y += 5)
                    for (int x = 0; x < sizes[size][1]; x += 9)
                        for (int kind = MOUSE_PRESS; kind <= MOUSE_WHEEL_DOWN; kind++)
                            if (shown[v]->mouse) stage_mouse(&stage, kind, y, x);
            }
}

/* Screens that need the entries report that, and are never drawn. Nothing is computed in the background. */
TEST(the_others_say_what_they_lack)
{
    FREED(csr_free) struct csr a = matrix_of(0);
    FREED(stage_close) struct stage stage;
    open_known(&stage, &view_summary, &a, FIELD_REAL, &cases[0].knowledge, 24, 80);
    int lacking = 0;
    for (int k = 0; views[k]; k++) {
        unsigned needs = views[k]->needs & ~(unsigned)SESSION_GPU;
        if (case_has(stage.session.shown, needs)) continue;
        lacking++;
        assert_true(needs & SESSION_ENTRIES);
        assert_non_null(views[k]->lacks);
    }
    assert_int_equal(lacking, 2); /* Layouts and Warps */
    struct work work = {.session = &stage.session, .shown = &stage.explorer.shown};
    work_step(&work, SESSION_STRUCTURE | SESSION_VALUES);
    while (work_busy(&work))
        work_step(&work, SESSION_STRUCTURE | SESSION_VALUES);
    work_end(&work);
    assert_int_equal(work.failures, 0);
    assert_false(session_has(&stage.session, SESSION_VALUES));
}

/* Without lengths or pattern the Summary screen shows the other numbers, and nothing about these. */
TEST(a_summary_needs_neither_pattern_nor_lengths)
{
    static const struct knowledge little = {0, 0, 0, false, 0};
    FREED(csr_free) struct csr a = matrix_of(0);
    FREED(stage_close) struct stage stage;
    open_known(&stage, &view_summary, &a, FIELD_REAL, &little, 48, 160);
    stage_shows(&stage, "Lower bandwidth");
    stage_hides(&stage, "...", "No format can hold");
}

/* A chain of 40 rows in runs, with 2 elements at each inner border. The report has nothing else, and nothing
 * more is computed. */
TEST(parts_are_those_of_the_report)
{
    static const struct knowledge knowledge = {1, 1, 1, false, 2}, numbers = {1, 1, 1, false, 1};
    double dense[1600] = {0};
    struct stage stage;
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            dense[40 * i + j] = abs(i - j) <= 1;
    FREED(csr_free) struct csr a = support_dense(40, 40, dense);
    struct parts_screen *screen = open_known(&stage, &view_parts, &a, FIELD_REAL, &knowledge, 19, 72);
    stage_type(&stage, "p");
    stage_answer(&stage, "natural 5");
    stage_shows(&stage, "natural, 5 parts  volume 8 elements  8 messages");
    stage_type(&stage, "v");
    stage_shows(&stage, "part 1 owns 8 rows with 23 entries");
    stage_type(&stage, "j");
    stage_shows(&stage, "part 2 (down) receives 1 from part 1 (across)",
                "receives 2 elements from 2 parts, sends 2 to 2");
    stage_type(&stage, "o");
    stage_shows(&stage, "part 1, mostly local", "row 1: part 1");
    const struct sketch *sketch = &screen->table.items[screen->selected].sketch;
    bool carried = false; /* one of the report's pictures is shown */
    for (int k = 0; k < sketch->pictures; k++)
        carried = carried || screen->picture.seen == sketch->picture[k].marks;
    assert_true(carried);
    stage_type(&stage, "c");
    stage_shows(&stage, "speed-up over one process");
    stage_type(&stage, "+");
    stage_shows(&stage, "natural, 5 parts");
    assert_says(stage.explorer.message, "A larger machine has them.");
    stage_type(&stage, "-");
    stage_shows(&stage, "natural, 2 parts");
    stage_type(&stage, ".");
    stage_shows(&stage, "entries, 2 parts");
    int count = screen->table.count;
    stage_type(&stage, "p");
    view_take_answer(&stage.explorer, stage.view, stage.state, "natural 3");
    assert_int_equal(screen->table.count, count);
    assert_null(stage.explorer.errand);
    stage_close(&stage);
    open_known(&stage, &view_parts, &a, FIELD_REAL, &numbers, 17, 72);
    for (const char *pane = "ov"; *pane; pane++) {
        stage_type(&stage, (char[]){*pane, 0});
        stage_shows(&stage, "Not in the report. Make it with more bytes: --carry=1M.");
    }
    stage_close(&stage);
}

/* Another network than the report's, by the options, the settings or the key, changes the predictions, which
 * follow from the messages of each part. A report without these messages has no prediction for it. */
TEST(another_network_predicts_anew)
{
    static const struct knowledge knowledge = {1, 1, 1, false, 2}, numbers = {1, 1, 1, false, 1};
    struct distribution_request request = {.networked = true, .network = {30, 1}};
    FREED(csr_free) struct csr a = matrix_of(0);
    for (int k = 0; k < 2; k++) {
        FREED(stage_close) struct stage stage;
        struct parts_screen *screen =
            open_known(&stage, &view_parts, &a, FIELD_REAL, k ? &numbers : &knowledge, 30, 160);
        const struct distribution *told = &stage.session.shown->distribution, *table = &screen->table;
        stage_draw(&stage);
        stage_shows(&stage, "network assumed: 2 us, 12 GB/s");
        for (int times = 0; times < 2; times++) { /* by the options, and after that by the key */
            if (times == 0) {
                stage.explorer.distribution = &request;
                stage.explorer.settings++;
            } else {
                stage_type(&stage, "N");
                view_take_answer(&stage.explorer, stage.view, stage.state, "latency=30,bandwidth=1");
            }
            stage_draw(&stage);
            for (int row = 0; row < table->count; row++) {
                struct scaling expected = {0};
                if (k == 0)
                    scaling_predict(&told->items[row].halo, &request.network, 100, sizeof(double),
                                    &(struct scaling_costs){.pace = 1}, &expected);
                assert_true(table->items[row].scaling.exchange_us == expected.exchange_us);
                assert_float_equal(table->items[row].scaling.total_us, expected.total_us,
                                   1e-9 * expected.total_us);
                if (k == 0) assert_true(expected.exchange_us > told->items[row].scaling.exchange_us);
            }
            stage_shows(&stage, k == 0 ? "network: 30 us, 1 GB/s" : "Not predicted for this network");
            request.networked = false; /* the report's again */
            stage.explorer.settings++;
            stage_draw(&stage);
            stage_shows(&stage, "network assumed: 2 us, 12 GB/s");
            assert_true(table->items[0].scaling.total_us == told->items[0].scaling.total_us);
        }
        request.networked = true;
    }
}

/* A report may have other numbers of parts of another partition: the next lower one is selected. */
TEST(another_partition_has_about_as_many_parts)
{
    static const struct knowledge knowledge = {1, 1, 1, false, 3};
    FREED(csr_free) struct csr a = matrix_of(0);
    FREED(stage_close) struct stage stage;
    open_known(&stage, &view_parts, &a, FIELD_REAL, &knowledge, 17, 72);
    stage_type(&stage, "p");
    stage_answer(&stage, "natural 5");
    stage_type(&stage, ".");
    stage_shows(&stage, "entries, 4 parts");
    stage_type(&stage, ",");
    stage_shows(&stage, "natural, 2 parts");
}

/* A stream, or a report without partitions, shows none, and how to get them. */
TEST(without_partitions_the_remedy_is_told)
{
    static const struct knowledge knowledge = {1, 1, 1, false, 0};
    FREED(csr_free) struct csr a = matrix_of(0);
    FREED(stage_close) struct stage stage;
    open_known(&stage, &view_parts, &a, FIELD_REAL, &knowledge, 17, 72);
    stage_type(&stage, "jl+.v");
    stage_shows(&stage, "Partitions need the entries", "The entries are elsewhere.",
                "A larger machine has them.");
}
