/* ui/view_warps: lanes, memory, the strip over the steps and the totals; two kernels on the same rows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/view.h"
#include "ui/warps/warps.h"

static void shows(struct stage *stage, const char *text)
{
    if (!strstr(stage_dump(stage), text)) fail_msg("no '%s' in\n%s", text, stage_dump(stage));
}

static void hides(struct stage *stage, const char *text)
{
    if (strstr(stage_dump(stage), text)) fail_msg("'%s' in\n%s", text, stage_dump(stage));
}

static struct warps *warps_of(struct stage *stage)
{
    return stage->state;
}

/* What the background would do: store what is held, then all errands. */
static void work(struct stage *stage)
{
    struct session *session = &stage->session;
    const struct conversions_shown *shown = &stage->explorer.shown;
    for (int k = 0; k < shown->count; k++)
        if (conversion_state(shown->items[k]) < CONVERSION_BUILT)
            assert_int_equal(conversion_build(shown->items[k], session->limit, NULL, NULL), STATUS_OK);
    stage_draw(stage);
    for (int k = 0; k < 8 && stage->explorer.errand && stage->explorer.errand->state == ERRAND_WANTED; k++)
        stage_work(stage);
}

/* The kernels that are asked for in the order of the panes. */
static void open(struct stage *stage, struct csr a, int high, int wide, const char *first, const char *second)
{
    stage_open(stage, &view_warps, a, FIELD_REAL, high, wide);
    struct warps *warps = warps_of(stage);
    warps_answer(&stage->explorer, warps, first);
    warps->focus = 1;
    warps_answer(&stage->explorer, warps, second);
    warps->focus = 0;
    stage_draw(stage);
    work(stage);
}

static void key(struct stage *stage, int key)
{
    stage_keys(stage, &key, 1);
}

/* 40 rows of four entries each, in neighbouring columns. */
static struct csr band(void)
{
    static double dense[40 * 43];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 4; j++)
            dense[i * 43 + i + j] = 1;
    return support_dense(40, 43, dense);
}

static void a_thread_a_row_meets_a_sector_a_lane(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 22, 80, "csr-scalar", "csr-vector:threads=4");
    shows(&stage, "csr-scalar");
    shows(&stage, "warp 1 of 8  rows 1..32");
    /* 2 pointers, 4 rounds of 3, y; 5 + 4 of pointers, 4 x (32 + 16) of values and columns, x 9, 8 of y. */
    shows(&stage, "step 3 of 15  load val[k]  32 lanes x 8 B  32 sectors  25% used");
    shows(&stage, "01234567 89abcdef ghijklmn opqrstuv");
    shows(&stage, "  0 \u2502"
                  "0 \u2591\u2591\u2591\u2591\u2591\u2591\u2502"
                  "1 \u2591\u2591\u2591\u2591\u2591\u2591\u2502");
    shows(&stage, "112 \u2502s \u2591");
    shows(&stage, "values");
    shows(&stage, "y stored");
    hides(&stage, "more sectors");
    key(&stage, UIKEY_RIGHT);
    shows(&stage, "step 4 of 15  load col[k]  32 lanes x 4 B  16 sectors  25% used");
    key(&stage, UIKEY_RIGHT);
    shows(&stage, "step 5 of 15  load x[col[k]]  32 lanes x 8 B  8 sectors  100% used  2 lines");
    shows(&stage, " 0 \u2502"
                  "0 1 2 3 \u2502"
                  "4 5 6 7 \u2502"
                  "8 9 a b \u2502"
                  "c d e f \u2502");
    key(&stage, 'o');
    shows(&stage, "step 8 of 15  load x[col[k]]");
    shows(&stage, "9 sectors");
    key(&stage, 'O');
    key(&stage, 'O');
    shows(&stage, "step 5 of 15");
    assert_true(stage.explorer.message[0] != 0); /* there is none before */
    assert_int_equal(stage.surface.cut, 0);
    stage_close(&stage);
}

/* Lanes at work: 24, 13 and 12 of 32, of rows that are alike. Three quarters are well used, two fifths in
 * part; of what a thread a row has of values and columns, and of x, 25% is not well used, and all of it is.
 */
static void shares_have_the_colours_of_verdicts(void **state)
{
    static const struct {
        int rows;
        const char *share;
        enum colour colour;
    } cases[] = {{24, " 75%", COLOUR_GOOD},
                 {23, " 72%", COLOUR_WARN},
                 {13, " 41%", COLOUR_WARN},
                 {12, " 38%", COLOUR_BAD}};
    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct stage stage;
        static double dense[24 * 43];
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 4; j++)
                dense[i * 43 + i + j] = 1;
        open(&stage, support_dense(cases[k].rows, 43, dense), 21, 80, "csr-scalar", "csr-scalar");
        const struct cell *lanes = stage_find(&stage, "at work in loads");
        while (lanes->character != '%')
            lanes++;
        lanes -= strlen(cases[k].share) - 1;
        for (size_t c = 0; c < strlen(cases[k].share); c++)
            assert_int_equal(lanes[c].character, cases[k].share[c]);
        assert_int_equal(lanes[1].foreground, cases[k].colour);
        stage_close(&stage);
    }
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    assert_int_equal(stage_find(&stage, " 25%")[1].foreground, COLOUR_BAD);
    stage_close(&stage);
}

/* Each operand has the colour that it has in the other screens: rows and columns are theirs. */
static void operands_have_their_colours(void **state)
{
    static const struct {
        const char *title;
        enum colour colour;
    } titles[] = {{"values ", COLOUR_ROWS},
                  {"columns ", COLOUR_COLS},
                  {"pointers ", COLOUR_TEXT},
                  {"x     ", COLOUR_MARK},
                  {"y stored ", COLOUR_GOOD}};
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    for (size_t k = 0; k < sizeof titles / sizeof *titles; k++) {
        char text[32];
        snprintf(text, sizeof text, " %s", titles[k].title);
        const struct cell *cell = stage_find(&stage, text) + 1;
        assert_int_equal(cell->foreground, titles[k].colour);
    }
    stage_close(&stage);
    assert_int_equal(operand_colour(OPERAND_ROWS), COLOUR_WARN);
    assert_int_equal(operand_colour(OPERAND_TABLES), COLOUR_DIM);
    assert_int_equal(operand_colour(OPERAND_SHARED), COLOUR_ACCENT);
}

static void totals_are_of_the_warp_and_of_the_product(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    /* The second warp has 8 rows: 4 rounds of 8 sectors of values. */
    shows(&stage, "4      128  32.0   25%    0%       20.0   25%");
    key(&stage, UIKEY_DOWN);
    shows(&stage, "warp 2 of 8  rows 33..40");
    shows(&stage, "4       32   8.0   25%    0%       20.0   25%");
    assert_int_equal(stage.explorer.cursor.row, 32);
    key(&stage, UIKEY_END);
    shows(&stage, "warp 8 of 8  no rows");
    shows(&stage, "asks for nothing");
    key(&stage, 'w');
    shows(&stage, "warp 1 of 8");
    shows(&stage, "the worst warp");
    key(&stage, 't'); /* the lower median of two */
    shows(&stage, "warp 2 of 8");
    assert_int_equal(stage.surface.cut, 0);
    stage_close(&stage);
}

static void steps_end_at_the_last_one(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    const struct pane *pane = &warps_of(&stage)->panes[0];
    warps_set_step(warps_of(&stage), INT64_MAX);
    assert_int_equal(pane->step, pane->record.count - 1);
    stage_draw(&stage);
    shows(&stage, "step 15 of 15");
    warps_set_step(warps_of(&stage), -1);
    assert_int_equal(pane->step, 0);
    stage_close(&stage);
}

/* What is in shared memory has requests, but no sectors. */
static void shared_memory_has_no_sectors(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 40, 110, "csr-balanced", "csr-scalar");
    const struct cell *line = stage_find(&stage, " shared ");
    char words[111] = "";
    for (int x = 0; x < 109; x++)
        words[x] = line[x].character < 0x80 ? (char)line[x].character : ' ';
    char *end = words + strlen(" shared ");
    end += strspn(end, " ");
    assert_true(strtol(end, &end, 10) > 0); /* requests; then sectors, sectors a request and their share */
    for (int k = 0; k < 3; k++) {
        end += strspn(end, " ");
        assert_int_equal(*end++, '-');
    }
    stage_close(&stage);
}

/* 10 entries a row make 33 steps, more than there is room for: a column stands for one or two of them, and
 * not all of these ask for values. Up to a few columns without are filled. */
static void kinds_of_a_loop_are_in_every_column(void **state)
{
    (void)state;
    static double dense[40 * 50];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 10; j++)
            dense[i * 50 + i + j] = 1;
    struct stage stage;
    open(&stage, support_dense(40, 50, dense), 24, 80, "csr-scalar", "csr-scalar");
    const struct pane *pane = &warps_of(&stage)->panes[0];
    assert_int_equal(pane->step_wide, 0);
    const struct cell *title = stage_find(&stage, " values ");
    const struct cell *strip = title - (title - stage.surface.cells) % 80 + pane->strip.left;
    int first = -1, last = -1, blank = 0;
    for (int x = 0; x < pane->strip.wide; x++) {
        if (strip[x].character == ' ') continue;
        if (first < 0) first = x;
        last = x;
    }
    for (int x = first; x < last; x++)
        blank += strip[x].character == ' ';
    assert_true(last - first > 10);
    assert_int_equal(blank, 0);
    stage_close(&stage);
}

/* A sector a lane is as much as a bar can be: all of its lines are full. */
static void bars_are_as_high_as_there_is_room(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 110, 110, "csr-scalar", "csr-scalar");
    const struct pane *pane = &warps_of(&stage)->panes[0];
    const struct cell *title = stage_find(&stage, " values ");
    int x = pane->strip.left + 2 * pane->step_wide, high = 0;
    const struct cell *cell = title - (title - stage.surface.cells) % 110 + x;
    while (cell[-110 * high].character == 0x2588)
        high++;
    assert_int_equal(high, 4);
    stage_close(&stage);
}

/* The totals are held against each other. A thread a row moves 244 + 64 sectors; five warps of four threads a
 * row each move 1 + 2 of pointers, 8 of values, 4 of columns, 3 of x and 2 of y. The kernel out of sight
 * keeps its own total. */
static void the_kernel_that_moves_less_is_the_better_one(void **state)
{
    static const int sizes[][2] = {{20, 80}, {21, 80}, {27, 100}, {57, 200}};
    static const char more[] = "3.1 times as many as csr-vector:threads=4",
                      fewer[] = "100 sectors  3.1 times fewer than csr-scalar";
    (void)state;
    struct stage stage;
    open(&stage, band(), 20, 80, "csr-scalar", "csr-vector:threads=4");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        stage_resize(&stage, sizes[k][0], sizes[k][1]);
        shows(&stage, "product:  308 sectors");
        assert_int_equal(stage_find(&stage, "308 sectors")->foreground, COLOUR_BAD);
        assert_int_equal(stage_find(&stage, more)->foreground, COLOUR_BAD);
        assert_int_equal(stage_find(&stage, fewer)->foreground, COLOUR_GOOD);
        assert_int_equal(stage.surface.cut, 0);
    }
    warps_answer(&stage.explorer, warps_of(&stage), "csr-vector:threads=4");
    stage_draw(&stage);
    work(&stage);
    shows(&stage, "as many as csr-vector:threads=4");
    assert_int_equal(stage_find(&stage, "as many as")->foreground, COLOUR_TEXT);
    hides(&stage, "times");
    stage_close(&stage);
}

/* 32 rows of one entry, of which the last one has 40: ELL moves 40 slots of each. */
static void padding_is_not_useful(void **state)
{
    static double dense[32 * 40];
    (void)state;
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < (i == 31 ? 40 : 1); j++)
            dense[i * 40 + j] = 1;
    struct stage stage;
    open(&stage, support_dense(32, 40, dense), 21, 80, "ell-padded", "csr-scalar");
    shows(&stage, "load val[k]  32 lanes x 8 B  8 sectors  100% used");
    hides(&stage, "31 padding");
    key(&stage, 'o');
    shows(&stage, "load val[k]  32 lanes x 8 B  31 padding  8 sectors  3% used");
    shows(&stage, "x x x v");
    shows(&stage, "times as many as csr-scalar");
    shows(&stage, "94% padding"); /* 39 x 31 of 40 x 32 */
    assert_int_equal(stage_find(&stage, "3% used")->foreground, COLOUR_BAD);
    assert_int_equal(stage_find(&stage, "lanes 0123")[6].foreground, COLOUR_DIM);
    stage_resize(&stage, 27, 110);
    shows(&stage, "94% of loads padding");
    shows(&stage, "31 of them padding");
    assert_int_equal(stage.surface.cut, 0);
    stage_close(&stage);
}

/* Row 10 is in warp 1 of a thread a row, and in the second of eight rows a warp; the moment is the same. */
static void two_kernels_are_on_the_same_rows(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    explorer_move(&stage.explorer, 9, 0);
    key(&stage, UIKEY_RIGHT);
    key(&stage, 'b');
    shows(&stage, "csr-vector:threads=4  f64");
    shows(&stage, "warp 2 of 8  rows 9..16");
    shows(&stage, "load col[k]  32 lanes x 4 B  4 sectors  100% used");
    key(&stage, UIKEY_DOWN);
    shows(&stage, "rows 17..24");
    assert_int_equal(stage.explorer.cursor.row, 16);
    stage_resize(&stage, 37, 120);
    shows(&stage, "warp 3 of 8  rows 17..24");
    shows(&stage, "warp 1 of 8  rows 1..32");
    stage_resize(&stage, 57, 200);
    shows(&stage, "warp 1 of 8  rows 1..32");
    shows(&stage, "warp 3 of 8  rows 17..24");
    key(&stage, 'm');
    hides(&stage, "warp 1 of 8");
    stage_close(&stage);
}

static void kernels_are_chosen_from_a_list(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector");
    int scalar = warps_choice(warps_of(&stage), &warps_of(&stage)->panes[0]);
    key(&stage, UIKEY_ENTER);
    shows(&stage, "Enter show");
    key(&stage, UIKEY_END);
    key(&stage, UIKEY_HOME);
    for (int k = 0; k < scalar + 1; k++)
        key(&stage, UIKEY_DOWN);
    key(&stage, UIKEY_ENTER);
    hides(&stage, "Enter show");
    assert_int_equal(warps_choice(warps_of(&stage), &warps_of(&stage)->panes[0]), scalar + 1);
    key(&stage, '[');
    work(&stage);
    shows(&stage, "csr-scalar");
    warps_answer(&stage.explorer, warps_of(&stage), "csr-vector:threads=*,colour=3");
    assert_non_null(strstr(stage.explorer.message, "colour"));
    key(&stage, 'f');
    work(&stage);
    shows(&stage, "f32");
    shows(&stage, "load val[k]  32 lanes x 4 B");
    stage_close(&stage);
}

/* A kernel that is replaced while the background has it is freed when that has let go. */
static void a_kernel_may_change_while_it_is_counted(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector");
    struct warps *warps = warps_of(&stage);
    warps_answer(&stage.explorer, warps, "csr-vector:threads=8");
    stage_draw(&stage);
    work(&stage);
    warps->panes[0].replay->ready = READY_PREPARED; /* to be counted again */
    stage_draw(&stage);
    assert_ptr_equal(warps->working, warps->panes[0].replay);
    warps->errand.state = ERRAND_RUNNING;
    warps_answer(&stage.explorer, warps, "csr-scalar");
    assert_non_null(warps->retired);
    assert_true(warps->errand.unwanted);
    stage_draw(&stage);
    assert_non_null(warps->retired);
    warps->errand.state = ERRAND_NONE; /* it was stopped */
    stage_draw(&stage);
    assert_null(warps->retired);
    work(&stage);
    shows(&stage, "worst");
    stage_close(&stage);
}

static void what_cannot_be_had_says_why(void **state)
{
    (void)state;
    struct stage stage;
    stage_open(&stage, &view_warps, support_matrix(30, 30, 0.2, false, true, 1), FIELD_COMPLEX, 21, 80);
    work(&stage);
    warps_answer(&stage.explorer, warps_of(&stage), "csr-balanced");
    work(&stage);
    shows(&stage, "complex");
    stage_keys(&stage, (int[]){'w', 't', ' ', UIKEY_RIGHT, UIKEY_DOWN, 'o', '}', 'b', 'f', ']', UIKEY_END},
               11);
    stage_close(&stage);
    stage_open(&stage, &view_warps, support_dense(0, 0, NULL), FIELD_REAL, 21, 80);
    work(&stage);
    stage_keys(&stage, (int[]){'w', 't', ' ', UIKEY_RIGHT, UIKEY_DOWN, 'o', '}', 'b', 'f', ']', UIKEY_END},
               11);
    work(&stage);
    stage_close(&stage);
}

/* A row of so many entries above 63 of one. */
static struct csr long_row(int64_t length)
{
    struct csr a = {.rows = 64, .cols = length};
    a.row_ptr = memory_array(65, sizeof *a.row_ptr, NULL);
    a.col = memory_array((size_t)length + 63, sizeof *a.col, NULL);
    a.val = memory_array((size_t)length + 63, sizeof *a.val, NULL);
    assert_true(a.row_ptr && a.col && a.val);
    for (int64_t i = 0; i <= 64; i++)
        a.row_ptr[i] = i ? length + i - 1 : 0;
    for (int64_t k = 0; k < length + 63; k++) {
        a.col[k] = k < length ? (int32_t)k : 0;
        a.val[k] = 1;
    }
    return a;
}

/* One round of the background. */
static void work_once(struct stage *stage)
{
    assert_int_equal(stage->explorer.errand->state, ERRAND_WANTED);
    assert_int_equal(stage->explorer.errand->run(stage->explorer.errand->argument, NULL, NULL), STATUS_OK);
    stage->explorer.errand->state = ERRAND_DONE;
    stage_draw(stage);
}

/* 40,000 entries in a row are 120,000 steps, more than the screen waits for. */
static void a_long_warp_is_replayed_in_the_background(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, long_row(40000), 21, 80, "csr-scalar", "csr-vector");
    struct warps *warps = warps_of(&stage);
    shows(&stage, "step 3 of 120,003");
    key(&stage, UIKEY_DOWN);
    shows(&stage, "warp 2 of 8  rows 33..64");
    key(&stage, UIKEY_UP);
    shows(&stage, "replaying warp 1, which is a long one");
    key(&stage, UIKEY_RIGHT);
    assert_false(warps->panes[0].recorded);
    warps->errand.state = ERRAND_FAILED; /* x */
    stage_draw(&stage);
    shows(&stage, "Not replayed. x does it after all.");
    assert_int_equal(warps->errand.state, ERRAND_NONE);
    key(&stage, 'x');
    stage_draw(&stage);
    work_once(&stage);
    shows(&stage, "step 3 of 120,003");
    shows(&stage, "rows 1..32");
    /* Far from the addresses that are kept: the steps are known, the picture follows. */
    warps_set_step(warps, 90000);
    stage_draw(&stage);
    shows(&stage, "step 90,001 of 120,003  load col[k]");
    shows(&stage, "replaying the warp up to this step");
    work_once(&stage);
    shows(&stage, "step 90,001 of 120,003  load col[k]");
    hides(&stage, "replaying");
    shows(&stage, "29984 "); /* entry (90,000 - 3) / 3 = 29,999 is in this line */
    assert_int_equal(warps->errand.state, ERRAND_NONE);
    stage_close(&stage);
}

/* What is not wanted any more is stopped, and what is done all the same goes nowhere. */
static void a_wish_may_change_while_it_is_fulfilled(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, long_row(40000), 21, 80, "csr-scalar", "csr-vector");
    struct warps *warps = warps_of(&stage);
    key(&stage, UIKEY_DOWN);
    key(&stage, UIKEY_UP);
    stage_draw(&stage);
    assert_int_equal(warps->panes[0].replay->chore, CHORE_RECORD);
    warps->errand.state = ERRAND_RUNNING;
    stage_draw(&stage);
    assert_false(warps->errand.unwanted);
    key(&stage, UIKEY_DOWN);
    shows(&stage, "warp 2 of 8  rows 33..64");
    assert_true(warps->errand.unwanted);
    assert_int_equal(warps->errand.run(warps->errand.argument, NULL, NULL), STATUS_OK);
    warps->errand.state = ERRAND_DONE;
    stage_draw(&stage);
    shows(&stage, "warp 2 of 8  rows 33..64");
    assert_null(warps->panes[0].replay->recording.record.steps);
    stage_close(&stage);
}

/* Where only what is stored says which rows a warp has, it is looked for in the background too, and the
 * cursor follows when it is known. */
static void a_long_warp_is_found_in_the_background(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, long_row(1100000), 21, 80, "cmrs:height=2", "csr-vector");
    struct warps *warps = warps_of(&stage);
    explorer_move(&stage.explorer, 10, 0);
    stage_draw(&stage);
    shows(&stage, "rows 11..12");
    explorer_move(&stage.explorer, 1, 0);
    stage_draw(&stage);
    shows(&stage, "looking for the warp of row 2");
    work(&stage);
    shows(&stage, "rows 1..2");
    explorer_move(&stage.explorer, 10, 0);
    stage_draw(&stage);
    key(&stage, UIKEY_HOME);
    assert_true(warps->panes[0].leads);
    assert_int_equal(stage.explorer.cursor.row, 10);
    work(&stage);
    assert_int_equal(stage.explorer.cursor.row, 0);
    shows(&stage, "rows 1..2");
    stage_close(&stage);
}

static void the_explorers_sample_is_what_is_counted(void **state)
{
    (void)state;
    struct stage stage;
    struct csr a = support_matrix(4000, 40, 0.1, false, false, 3);
    stage_open(&stage, &view_warps, a, FIELD_REAL, 21, 80);
    stage.explorer.sample = 0.25;
    work(&stage);
    assert_true(warps_of(&stage)->panes[0].replay->costs.looked == 32); /* blocks 0 and 4 of 8 */
    shows(&stage, "% sampled"); /* the heaviest blocks beside a quarter of the others */
    stage_close(&stage);
}

static void playing_goes_on_by_itself(void **state)
{
    (void)state;
    struct stage stage;
    open(&stage, band(), 21, 80, "csr-scalar", "csr-vector");
    key(&stage, ' ');
    assert_true(stage.explorer.moving && stage.explorer.tick_ms > 0);
    warps_of(&stage)->next = 0; /* its time has come */
    stage_draw(&stage);
    shows(&stage, "step 4 of 15");
    key(&stage, ' ');
    warps_of(&stage)->next = 0;
    stage_draw(&stage);
    shows(&stage, "step 4 of 15");
    stage_close(&stage);
}

/* Words and plans */

static void names_are_short(void **state)
{
    (void)state;
    char out[32];
    assert_int_equal(lane_character(9), '9');
    assert_int_equal(lane_character(31), 'v');
    assert_string_equal(array_of("row_ptr[i + 1]", out, sizeof out), "row_ptr");
    assert_string_equal(array_of("x[col[k]]", out, sizeof out), "x");
    assert_string_equal(array_of("*cell", out, sizeof out), "cell");
    assert_string_equal(operand_title(ACCESS_REDUCTION, OPERAND_Y, out, sizeof out), "y added");
    assert_string_equal(operand_title(ACCESS_LOAD, OPERAND_X, out, sizeof out), "x");
}

/* 32 lines of a sector each: whole if there is room, else their sectors alone, else as many as there can be.
 */
static void plans_show_as_much_as_fits(void **state)
{
    struct warp_line lines[TRACE_LANES];
    (void)state;
    for (int k = 0; k < TRACE_LANES; k++)
        lines[k] = (struct warp_line){.line = (uint64_t)k, .touched = 4};
    struct lines_plan plan = lines_plan(lines, 32, 8, false, 32, 80);
    assert_true(!plan.sectors && plan.element_wide == 2 && plan.hidden == 0);
    assert_int_equal(plan.label, 3); /* elements 0 .. 508 */
    assert_int_equal(plan.columns, 1);
    plan = lines_plan(lines, 32, 8, false, 16, 80);
    assert_true(!plan.sectors && plan.element_wide == 1 && plan.hidden == 0 && plan.columns == 3);
    plan = lines_plan(lines, 32, 8, false, 8, 80);
    assert_true(plan.sectors && plan.hidden == 0 && plan.items == 32);
    assert_int_equal(plan.columns, 8); /* 3 + 1 + 4, and 2 between */
    plan = lines_plan(lines, 32, 8, false, 3, 80);
    assert_int_equal(plan.hidden, 8);
    plan = lines_plan(lines, 32, 8, true, 3, 80); /* of shared memory a line is a row of banks */
    assert_true(!plan.sectors && plan.hidden == 32 - 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_thread_a_row_meets_a_sector_a_lane),
        cmocka_unit_test(shares_have_the_colours_of_verdicts),
        cmocka_unit_test(operands_have_their_colours),
        cmocka_unit_test(totals_are_of_the_warp_and_of_the_product),
        cmocka_unit_test(steps_end_at_the_last_one),
        cmocka_unit_test(shared_memory_has_no_sectors),
        cmocka_unit_test(kinds_of_a_loop_are_in_every_column),
        cmocka_unit_test(bars_are_as_high_as_there_is_room),
        cmocka_unit_test(the_kernel_that_moves_less_is_the_better_one),
        cmocka_unit_test(padding_is_not_useful),
        cmocka_unit_test(two_kernels_are_on_the_same_rows),
        cmocka_unit_test(kernels_are_chosen_from_a_list),
        cmocka_unit_test(a_kernel_may_change_while_it_is_counted),
        cmocka_unit_test(what_cannot_be_had_says_why),
        cmocka_unit_test(a_long_warp_is_replayed_in_the_background),
        cmocka_unit_test(a_wish_may_change_while_it_is_fulfilled),
        cmocka_unit_test(a_long_warp_is_found_in_the_background),
        cmocka_unit_test(the_explorers_sample_is_what_is_counted),
        cmocka_unit_test(playing_goes_on_by_itself),
        cmocka_unit_test(names_are_short),
        cmocka_unit_test(plans_show_as_much_as_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
