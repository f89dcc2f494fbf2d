/* Pattern's overlays: strips, the cut of HYB, and rows in the order of JDS and SELL. */
#include <sched.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"
#include "ui/work.h"

/* The matrix of PMPP figure 10.1: rows of 2, 3, 2 and 1 entries, so by length they are 2, 1, 3, 4. */
static const double pmpp[] = {1, 7, 0, 0, 5, 0, 3, 9, 0, 2, 8, 0, 0, 0, 0, 6};
static const int by_length[] = {1, 0, 2, 3};

static void open_pmpp(struct stage *stage, int high)
{
    stage_open(stage, &view_pattern, support_dense(4, 4, pmpp), FIELD_INTEGER, high, 80);
}

/* Go to an overlay and see it. */
static void overlay(struct stage *stage, enum overlay wanted)
{
    const struct pattern *pattern = stage->state;
    while (pattern->overlays.shown != wanted)
        stage_type(stage, "o");
    stage_work(stage);
}

/* The cell of the number at (position, column). */
static const struct cell *number_cell(const struct stage *stage, int y, int x)
{
    const struct pattern *pattern = stage->state;
    return &stage->surface.cells[(pattern->inside.top + y) * stage->surface.wide + pattern->inside.left +
                                 (x + 1) * pattern->field - 1];
}

/* The colour of the upper or the lower half of a character of half blocks. */
static int half_colour_of(const struct cell *cell, bool lower)
{
    if (cell->character == 0x2588) return cell->foreground;
    if (cell->character == 0x2580) return lower ? cell->background : cell->foreground;
    if (cell->character == 0x2584) return lower ? cell->foreground : cell->background;
    assert_int_equal(cell->character, ' ');
    return COLOUR_TEXT;
}

/* The colour of dot (y, x), of which a half block is `part` (from its top). */
static int dot_colour(const struct stage *stage, int y, int x, int part)
{
    const struct pattern *pattern = stage->state;
    int half = y * pattern->large[ROWS] + part;
    const struct cell *cell = &stage->surface.cells[(pattern->inside.top + half / 2) * stage->surface.wide +
                                                    pattern->inside.left + x * pattern->large[COLS]];
    return half_colour_of(cell, half % 2);
}

TEST(the_cut_marks_the_one_entry_beyond_2)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    overlay(&stage, OVERLAY_HYB); /* K = mean = 2 */
    stage_shows(&stage, "HYB cut at K = 2", "to COO              1  12.5%");
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++)
            assert_int_equal(number_cell(&stage, y, x)->foreground == COLOUR_MARK, y == 1 && x == 3);
    stage_type(&stage, "-"); /* dots, shaded */
    const struct pattern *pattern = stage.state;
    assert_int_equal(pattern->picture, PICTURE_BLOCKS);
    for (int y = 0; y < 4; y++)
        for (int x = 0; x < 4; x++) {
            bool cursor = y == 0 && x == 0, entry = pmpp[y * 4 + x] != 0;
            assert_int_equal(dot_colour(&stage, y, x, 0), cursor             ? COLOUR_CURSOR
                                                          : y == 1 && x == 3 ? COLOUR_MARKED + 15
                                                          : entry            ? COLOUR_DENSITY + 15
                                                                             : COLOUR_TEXT);
        }
    stage_type(&stage, ".");
    stage_work(&stage);
    stage_shows(&stage, "HYB cut at K = 3", "to COO                 0  0%");
    assert_int_equal(dot_colour(&stage, 1, 3, 0), COLOUR_DENSITY + 15);
    stage_type(&stage, ",,,,");
    stage_work(&stage);
    stage_shows(&stage, "HYB cut at K = 0");
    assert_int_equal(dot_colour(&stage, 3, 3, 0), COLOUR_MARKED + 15);
}

TEST(jds_order_is_by_length)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    overlay(&stage, OVERLAY_JDS);
    const struct pattern *pattern = stage.state;
    assert_true(pattern->ordered);
    for (int p = 0; p < 4; p++)
        for (int x = 0; x < 4; x++) {
            double value = pmpp[by_length[p] * 4 + x];
            assert_int_equal(number_cell(&stage, p, x)->character, value != 0 ? '0' + (int)value : 0xb7);
        }
    /* the cursor is on row 1, which is second */
    stage_shows(&stage, "JDS order: numbers", "\n2\u25b6",
                "rows of one length         2"); /* 1 and 3, of two entries */
    stage_shows(&stage, "entries in each            2", "positions                2-3",
                "position                   2", "row                        1");
    stage_keys(&stage, (int[]){UIKEY_UP}, 1);
    assert_int_equal(stage.explorer.cursor.row, 1);
    stage_keys(&stage, (int[]){UIKEY_UP, UIKEY_DOWN, UIKEY_DOWN, UIKEY_DOWN, UIKEY_DOWN}, 5);
    assert_int_equal(stage.explorer.cursor.row, 3);
    stage_keys(&stage, (int[]){UIKEY_HOME, UIKEY_HOME}, 2);
    assert_int_equal(stage.explorer.cursor.row, 1);
    stage_type(&stage, "]}"); /* (2, 3), and below it in this order (3, 3) */
    assert_int_equal(stage.explorer.cursor.row, 2);
    assert_int_equal(stage.explorer.cursor.col, 2);
    stage_mouse(&stage, MOUSE_PRESS, pattern->inside.top + 1, pattern->inside.left + 2);
    assert_int_equal(stage.explorer.cursor.row, 0);
    stage_type(&stage, "oo"); /* past SELL, to none */
    assert_false(pattern->ordered);
    stage_shows(&stage, "\n1\u25b6");
}

/* The cursor stays on the last row of the order, which is not the last row of the matrix. */
TEST(the_cursor_ends_at_the_last_position)
{
    static const double values[] = {1, 1, 0, 0, 0, 1, 1, 1, 1};
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_dense(3, 3, values), FIELD_REAL, 22, 80);
    overlay(&stage, OVERLAY_JDS); /* rows 3, 1, 2 */
    stage_keys(&stage, (int[]){UIKEY_DOWN, UIKEY_DOWN, UIKEY_DOWN, UIKEY_DOWN}, 4);
    assert_int_equal(stage.explorer.cursor.row, 1);
    stage_keys(&stage, (int[]){UIKEY_UP}, 1);
    assert_int_equal(stage.explorer.cursor.row, 0);
    stage_keys(&stage, (int[]){UIKEY_PAGE_DOWN}, 1);
    assert_int_equal(stage.explorer.cursor.row, 1);
    stage_keys(&stage, (int[]){UIKEY_PAGE_UP}, 1);
    assert_int_equal(stage.explorer.cursor.row, 2);
}

/* Lines between lines: rows 1 2 | 3 4 as strips of 2; by length 2 | 1 3 | 4. */
TEST(rules_are_where_blocks_begin)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    overlay(&stage, OVERLAY_STRIPS);
    stage_type(&stage, "<"); /* 4 -> 2 */
    stage_shows(&stage, "Strips of 2 rows", "strip                 1 of 2", "its rows                 1-2",
                "its entries                5");
    for (int y = 0; y < 4; y++)
        assert_int_equal((number_cell(&stage, y, 1)->attributes & ATTRIBUTE_UNDERLINE) != 0, y == 1);
    const struct pattern *pattern = stage.state;
    for (int y = 0; y < 4; y++) { /* the cursor's strip on the frame */
        const struct cell *frame = number_cell(&stage, y, 3) + 1;
        assert_int_equal(frame->character, y < 2 ? 0x2503 : 0x2502);
    }
    stage_type(&stage, "-");
    assert_true(pattern->large[ROWS] > 1);
    assert_int_equal(dot_colour(&stage, 2, 0, 0), COLOUR_DIM); /* (3, 1) is empty, and a strip begins */
    assert_int_equal(dot_colour(&stage, 2, 0, 1), COLOUR_TEXT);
    assert_int_equal(dot_colour(&stage, 2, 1, 0), COLOUR_DENSITY + 15);
    assert_int_equal(dot_colour(&stage, 3, 0, 0), COLOUR_TEXT);
    stage_type(&stage, "+");
    overlay(&stage, OVERLAY_JDS);
    for (int y = 0; y < 4; y++) /* only rows 1 and 3 are two of a length */
        assert_int_equal((number_cell(&stage, y, 0)->attributes & ATTRIBUTE_UNDERLINE) != 0, y == 0);
}

TEST(sell_sorts_within_windows_and_pads_chunks)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    overlay(&stage, OVERLAY_SELL);
    const struct pattern *pattern = stage.state;
    stage_type(&stage, ",,,,"); /* C = 2 */
    while (pattern->overlays.window > 2)
        stage_type(&stage, "<");
    stage_work(&stage);
    stage_shows(&stage, "SELL, C = 2, sigma = 2");
    /* positions 1 and 2 are rows 2 and 1, of 3 and 2 entries: 2 x 3 slots, one of them padding */
    stage_shows(&stage, "chunk                 1 of 2", "its slots                  6",
                "padding             1  16.7%");
    assert_int_equal(number_cell(&stage, 0, 0)->character, '5');
    stage_type(&stage, "<"); /* sigma 1: as they are */
    assert_false(pattern->ordered);
    assert_int_equal(number_cell(&stage, 0, 0)->character, '1');
}

/* Two groups of equal rows, of 3 and 2 rows; as blocks of one size, 1 x 2 takes the fewest bytes. Then blocks
 * of 2 x 2, of which one lacks an entry. */
TEST(borders_of_dense_blocks_are_ruled)
{
    static const double groups[] = {1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1};
    static const double squares[] = {1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 0, 0, 1, 0, 0, 0};
    for (int fixed = 0; fixed < 2; fixed++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_dense(fixed ? 6 : 5, 4, fixed ? squares : groups),
                   FIELD_INTEGER, 22, 80);
        overlay(&stage, OVERLAY_BLOCKS);
        assert_int_equal(session_need(&stage.session, NULL, SESSION_DENSE_BLOCKS, NULL, NULL), STATUS_OK);
        stage_draw(&stage);
        if (fixed)
            stage_shows(&stage, "Blocks of 2 x 2", "fill                   8.33%",
                        "block row             1 of 3", "its rows                 1-2",
                        "its entries                4");
        else
            stage_shows(&stage, "Groups of equal rows", "groups                     2",
                        "its rows                 1-3", "its entries                6");
        for (int y = 0; y < (fixed ? 6 : 5); y++)
            assert_int_equal((number_cell(&stage, y, 0)->attributes & ATTRIBUTE_UNDERLINE) != 0,
                             fixed ? y % 2 == 1 && y < 5 : y == 2);
    }
}

/* p asks, and the typed text is accepted or refused. */
TEST(parameters_can_be_typed)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    struct explorer *explorer = &stage.explorer;
    const struct overlays *overlays = &((struct pattern *)stage.state)->overlays;
    stage_type(&stage, "p");
    assert_false(explorer->question.asked);
    assert_string_equal(explorer->message, "no overlay: o chooses one");
    static const struct {
        enum overlay overlay;
        const char *asked, *typed;
        int64_t first, second;
    } cases[] = {{OVERLAY_STRIPS, "4", "16", 16, 0}, {OVERLAY_STRIPS, "16", "17", 16, 0},
                 {OVERLAY_STRIPS, "16", "0", 16, 0}, {OVERLAY_HYB, "2", "0", 0, 0},
                 {OVERLAY_HYB, "0", "1x", 0, 0},     {OVERLAY_SELL, "32,1024", "4 , 8", 4, 8},
                 {OVERLAY_SELL, "4,8", "4", 4, 8},   {OVERLAY_SELL, "4,8", "4096,8", 4, 8}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        overlay(&stage, cases[k].overlay);
        stage_type(&stage, "p");
        assert_true(explorer->question.asked);
        assert_string_equal(explorer->question.text, cases[k].asked);
        explorer->question.asked = false;
        explorer->message[0] = 0;
        view_pattern.answer(explorer, stage.state, cases[k].typed);
        int64_t first = cases[k].overlay == OVERLAY_STRIPS ? overlays->height
                        : cases[k].overlay == OVERLAY_HYB  ? explorer_cut(explorer)
                                                           : overlays->chunk;
        assert_int_equal(first, cases[k].first);
        if (cases[k].second) assert_int_equal(overlays->window, cases[k].second);
        bool refused = k == 1 || k == 2 || k == 4 || k >= 6;
        assert_int_equal(strlen(explorer->message) > 0, refused);
    }
}

/* Counts of every dot against a plain loop over the order or the cut. */
static void assert_dots(const struct stage *stage)
{
    const struct pattern *pattern = stage->state;
    const struct csr *a = &stage->session.shown->matrix.csr;
    const struct derived *derived = &pattern->overlays.derived;
    int high = viewport_used(&pattern->port, ROWS), wide = viewport_used(&pattern->port, COLS);
    for (int y = 0; y < high; y++)
        for (int x = 0; x < wide; x++) {
            struct range r = pattern_dot(pattern, y, x);
            int64_t count = 0, beyond = 0;
            for (int64_t p = r.r0; p < r.r1; p++) {
                int64_t i = pattern->ordered ? derived->order[p] : p;
                for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
                    bool within = a->col[k] >= r.c0 && a->col[k] < r.c1;
                    count += within;
                    beyond += within && k - a->row_ptr[i] >= explorer_cut(&stage->explorer);
                }
            }
            assert_int_equal(pattern->counts[y * wide + x], count);
            if (pattern->marked) assert_int_equal(pattern->marked[y * wide + x], beyond);
        }
}

TEST(every_dot_is_exact_in_any_order)
{
    static const enum overlay overlays[] = {OVERLAY_HYB, OVERLAY_JDS, OVERLAY_SELL};
    for (int k = 0; k < 3; k++) {
        FREED(stage_close) struct stage stage;
        struct pattern *pattern = stage_open(
            &stage, &view_pattern, support_matrix(311, 257, 0.03, true, false, 7), FIELD_REAL, 22, 80);
        overlay(&stage, overlays[k]);
        assert_true(pattern->ordered || pattern->parted);
        assert_int_equal(pattern->marked != NULL, overlays[k] == OVERLAY_HYB);
        for (int level = 0; level < 5; level++) {
            assert_dots(&stage);
            stage_type(&stage, "+JLJ>m");
            stage_work(&stage);
        }
    }
}

TEST(wanted_formats_are_made_and_kept)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern =
        stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, true, false, 2), FIELD_REAL, 22, 80);
    struct errand *errand = stage.explorer.errand;
    assert_int_equal(errand->state, ERRAND_NONE);
    stage_type(&stage, "oo");
    assert_int_equal(errand->state, ERRAND_WANTED);
    stage_shows(&stage, "computing...");
    stage_type(&stage, "O"); /* wanted no more */
    assert_int_equal(errand->state, ERRAND_NONE);
    stage_type(&stage, "o");
    errand->state = ERRAND_RUNNING; /* now the argument must not change */
    int64_t cut = pattern->overlays.making.number;
    stage_type(&stage, ".");
    assert_true(errand->unwanted);
    assert_int_equal(pattern->overlays.making.number, cut);
    stage_type(&stage, ",");
    assert_false(errand->unwanted);
    errand->state = ERRAND_WANTED;
    stage_work(&stage);
    assert_true(pattern->parted);
    const void *made = pattern->overlays.derived.csr.row_ptr;
    stage_type(&stage, "Oo"); /* kept as long as K is the same */
    assert_int_equal(errand->state, ERRAND_NONE);
    assert_ptr_equal(pattern->overlays.derived.csr.row_ptr, made);
    assert_true(pattern->parted);
}

TEST(want_of_memory_leaves_the_pattern_as_it_is)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern =
        stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, true, false, 2), FIELD_REAL, 22, 80);
    stage_type(&stage, "ooo");
    memory_fail_after(1);
    stage_work(&stage);
    memory_fail_after(-1);
    assert_int_equal(stage.explorer.errand->state, ERRAND_FAILED);
    assert_false(pattern->ordered);
    stage_shows(&stage, "not computed; x resumes");
    stage_type(&stage, "O"); /* another is tried */
    assert_int_equal(stage.explorer.errand->state, ERRAND_WANTED);
}

/* Errands run in the background: a part that the screen needs goes first. x stops an errand, and x again
 * resumes it. */
TEST(errands_are_done_in_the_background)
{
    FREED(stage_close) struct stage stage;
    struct pattern *pattern =
        stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.05, true, false, 2), FIELD_REAL, 22, 80);
    struct errand *errand = stage.explorer.errand;
    FREED(work_end) struct work work = {.session = &stage.session, .errand = errand};
    stage_type(&stage, "ooo");
    while (errand->state != ERRAND_DONE) {
        work_step(&work, 0);
        sched_yield();
    }
    stage_draw(&stage);
    assert_true(pattern->ordered);
    stage_type(&stage, "O");               /* the cut */
    while (errand->state == ERRAND_WANTED) /* another task may have started */
        work_step(&work, 0);
    assert_int_equal(errand->state, ERRAND_RUNNING);
    assert_ptr_equal(work.task.errand, errand);
    work_cancel(&work);
    while (work_busy(&work) && errand->state == ERRAND_RUNNING)
        work_step(&work, 0);
    assert_true(errand->state == ERRAND_FAILED || errand->state == ERRAND_DONE); /* it may have ended */
    if (errand->state == ERRAND_FAILED) work_retry(&work, 0);
    while (errand->state != ERRAND_DONE)
        work_step(&work, 0);
    stage_draw(&stage);
    assert_true(pattern->parted);
    stage_type(&stage, ".");
    work_step(&work, 0);
    stage_type(&stage, "."); /* another one is wanted while it runs */
    while (pattern_waits(&stage.explorer, pattern, &(bool){false})) {
        work_step(&work, 0);
        stage_draw(&stage);
        sched_yield();
    }
    assert_int_equal(pattern->overlays.held.number, explorer_cut(&stage.explorer));
}

TEST(without_colours_entries_beyond_are_reversed)
{
    FREED(stage_close) struct stage stage;
    open_pmpp(&stage, 22);
    stage.explorer.colours = stage.explorer.shades = false;
    for (int ascii = 0; ascii < 2; ascii++) {
        stage.explorer.ascii = ascii;
        stage_draw(&stage);
        overlay(&stage, OVERLAY_HYB);
        assert_int_equal(number_cell(&stage, 1, 3)->attributes, ATTRIBUTE_REVERSE);
        assert_int_equal(number_cell(&stage, 1, 2)->attributes, 0);
        stage_type(&stage, "-");
        const struct pattern *pattern = stage.state;
        if (pattern->picture == PICTURE_CHARACTERS) {
            const struct cell *cell = &stage.surface.cells[(pattern->inside.top + pattern->large[ROWS]) * 80 +
                                                           pattern->inside.left + 3 * pattern->large[COLS]];
            assert_int_equal(cell->attributes, ATTRIBUTE_REVERSE);
        }
        stage_type(&stage, "+");
    }
}

TEST(any_keys_on_odd_matrices)
{
    static const int shapes[][2] = {{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 900}, {900, 1}, {7, 500}, {600, 40}};
    static const int keys[] = {
        'o',        'o',      'O', ',', '.', '<', '>', '+', '-', '0',         'd',
        'b',        'm',      'J', 'K', 'L', '[', ']', '{', '}', UIKEY_ENTER, UIKEY_BACKSPACE,
        UIKEY_HOME, UIKEY_END};
    uint64_t seed = 12;
    for (size_t k = 0; k < sizeof shapes / sizeof *shapes; k++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_matrix(shapes[k][0], shapes[k][1], 0.3, true, false, k + 1),
                   FIELD_REAL, 22, 80);
        const struct cursor *cursor = &stage.explorer.cursor;
        for (int step = 0; step < 400; step++) {
            if (step % 13 == 0)
                stage_resize(&stage, 1 + (int)support_random(&seed, 60), 1 + (int)support_random(&seed, 160));
            if (step % 41 == 0) stage.explorer.ascii = !stage.explorer.ascii;
            stage_keys(&stage, &keys[support_random(&seed, sizeof keys / sizeof *keys)], 1);
            if (support_random(&seed, 3)) stage_work(&stage);
            stage_mouse(&stage, (int)support_random(&seed, 4), 7, 9);
            assert_true(cursor->row == 0 || cursor->row < shapes[k][0]);
            assert_true(cursor->col == 0 || cursor->col < shapes[k][1]);
        }
    }
}

/* Waits until it is told to end, or cancelled. */
static enum status wait_for_end(void *argument, struct progress *progress, struct error *error)
{
    atomic_bool *end = argument;
    while (!atomic_load(end) && !progress_cancelled(progress))
        sched_yield();
    return progress_status(progress, error);
}

/* An errand that times something is not stopped for parts that a screen needs, but only if it is no longer
 * wanted. */
TEST(an_errand_alone_is_not_disturbed)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(30, 30, 0.1, false, false, 2), FIELD_REAL, 22, 80);
    atomic_fetch_and(&stage.session.shown->ready, ~(unsigned)SESSION_STRUCTURE);
    atomic_bool end = false;
    struct errand errand = {.run = wait_for_end, .argument = &end, .state = ERRAND_WANTED, .alone = true};
    FREED(work_end) struct work work = {.session = &stage.session, .errand = &errand};
    work_step(&work, 0);
    assert_int_equal(errand.state, ERRAND_RUNNING);
    assert_true(work_alone(&work));
    for (int k = 0; k < 100; k++) {
        assert_false(work_step(&work, SESSION_STRUCTURE));
        assert_false(progress_cancelled(&work.job.progress));
    }
    errand.alone = false; /* any other errand is stopped */
    work_step(&work, SESSION_STRUCTURE);
    while (errand.state == ERRAND_RUNNING) /* then the part starts */
        work_step(&work, SESSION_STRUCTURE);
    assert_int_equal(errand.state, ERRAND_WANTED);
    errand = (struct errand){.run = wait_for_end, .argument = &end, .state = ERRAND_WANTED, .alone = true};
    while (errand.state == ERRAND_WANTED)
        work_step(&work, 0);
    errand.unwanted = true;
    while (errand.state == ERRAND_RUNNING)
        work_step(&work, SESSION_STRUCTURE);
    assert_int_equal(errand.state, ERRAND_NONE);
    atomic_store(&end, true);
    errand.state = ERRAND_WANTED;
    while (errand.state != ERRAND_DONE)
        work_step(&work, 0);
}

/* A measurement that the program started itself is stopped for the user's work, and for parts that a screen
 * needs, and starts again afterwards. A measurement that the user started is not stopped for these. */
TEST(a_measurement_of_the_program_makes_way)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(30, 30, 0.1, false, false, 2), FIELD_REAL, 22, 80);
    atomic_bool end = false;
    struct errand errand = {.run = wait_for_end, .argument = &end, .state = ERRAND_WANTED, .alone = true};
    FREED(work_end) struct work work = {.session = &stage.session, .errand = &errand};
    work_step(&work, 0);
    assert_true(work_guarded(&work));
    assert_false(work_make_way(&work));
    assert_int_equal(errand.state, ERRAND_RUNNING);
    assert_false(progress_cancelled(&work.job.progress));
    errand.yields = true;
    assert_true(work_alone(&work));
    assert_false(work_guarded(&work));
    assert_true(work_make_way(&work));
    assert_false(work_busy(&work));
    assert_int_equal(errand.state, ERRAND_WANTED);
    assert_true(work_make_way(&work)); /* nothing to stop */
    work_step(&work, 0);
    assert_int_equal(errand.state, ERRAND_RUNNING);
    atomic_fetch_and(&stage.session.shown->ready, ~(unsigned)SESSION_STRUCTURE);
    while (errand.state == ERRAND_RUNNING)
        work_step(&work, SESSION_STRUCTURE);
    assert_int_equal(errand.state, ERRAND_WANTED);
    while (errand.state == ERRAND_WANTED)
        work_step(&work, SESSION_STRUCTURE);
    assert_true(session_has(&stage.session, SESSION_STRUCTURE));
    atomic_store(&end, true);
    while (errand.state != ERRAND_DONE)
        work_step(&work, 0);
}
