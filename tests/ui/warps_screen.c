/* ui/view_warps: lanes, memory, the strip over the steps and the totals; two kernels on the same rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "support/warps_screen.h"
#include "ui/warps/warps.h"

TEST(a_thread_a_row_meets_a_sector_a_lane)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 22, 80, "csr-scalar", "csr-vector:threads=4");
    stage_shows(&stage, "csr-scalar", "warp 1 of 8  rows 1..32");
    /* 2 pointers, 4 rounds of 3, y; 5 + 4 of pointers, 4 x (32 + 16) of values and columns, x 9, 8 of y. */
    stage_shows(&stage, "step 3 of 15  load val[k]  32 lanes x 8 B  32 sectors  25% used",
                "01234567 89abcdef ghijklmn opqrstuv",
                "  0 \u2502"
                "0 \u2591\u2591\u2591\u2591\u2591\u2591 "
                "1 \u2591\u2591\u2591\u2591\u2591\u2591 ",
                "112 \u2502s \u2591", "values", "y stored");
    stage_hides(&stage, "more sectors");
    stage_key(&stage, UIKEY_RIGHT);
    stage_shows(&stage, "step 4 of 15  load col[k]  32 lanes x 4 B  16 sectors  25% used");
    stage_key(&stage, UIKEY_RIGHT);
    stage_shows(&stage, "step 5 of 15  load x[col[k]]  32 lanes x 8 B  8 sectors  100% used  2 lines",
                " 0 \u2502"
                "0 1 2 3  "
                "4 5 6 7  "
                "8 9 a b  "
                "c d e f");
    stage_key(&stage, 'o');
    stage_shows(&stage, "step 8 of 15  load x[col[k]]", "9 sectors");
    stage_key(&stage, 'O');
    stage_key(&stage, 'O');
    stage_shows(&stage, "step 5 of 15");
    assert_true(stage.explorer.message[0] != 0); /* there is none before */
    assert_int_equal(stage.surface.cut, 0);
}

/* Working lanes: 24, 13 and 12 of 32, for rows of similar length. Three quarters are good, two fifths are in
 * between. With a thread a row, 25% of the requested bytes of values and columns are used, which is bad, and
 * all bytes of x, which is good. */
TEST(shares_have_the_colours_of_verdicts)
{
    static const struct {
        int rows;
        const char *share;
        enum colour colour;
    } cases[] = {{24, " 75%", COLOUR_GOOD},
                 {23, "71.9%", COLOUR_WARN},
                 {13, "40.6%", COLOUR_WARN},
                 {12, "37.5%", COLOUR_BAD}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        FREED(stage_close) struct stage stage;
        static double dense[24 * 43];
        for (int i = 0; i < 24; i++)
            for (int j = 0; j < 4; j++)
                dense[i * 43 + i + j] = 1;
        warps_open_kernels(&stage, support_dense(cases[k].rows, 43, dense), 21, 80, "csr-scalar",
                           "csr-scalar");
        const struct cell *lanes = stage_find(&stage, "at work in loads");
        while (lanes->character != '%')
            lanes++;
        lanes -= strlen(cases[k].share) - 1;
        for (size_t c = 0; c < strlen(cases[k].share); c++)
            assert_int_equal(lanes[c].character, cases[k].share[c]);
        assert_int_equal(lanes[1].foreground, cases[k].colour);
    }
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    assert_int_equal(stage_find(&stage, " 25%")[1].foreground, COLOUR_BAD);
}

/* Each operand has the colour that it has in the other screens: rows and columns are theirs. */
TEST(operands_have_their_colours)
{
    static const struct {
        const char *title;
        enum colour colour;
    } titles[] = {{"values ", COLOUR_ROWS},
                  {"columns ", COLOUR_COLS},
                  {"pointers ", COLOUR_TEXT},
                  {"x     ", COLOUR_MARK},
                  {"y stored ", COLOUR_GOOD}};
    struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
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

TEST(totals_are_of_the_warp_and_of_the_product)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    /* The second warp has 8 rows: 4 rounds of 8 sectors of values. */
    stage_shows(&stage, "4      128    32   25%    0%         20   25%");
    stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "warp 2 of 8  rows 33..40", "4       32     8   25%    0%         20   25%");
    assert_int_equal(stage.explorer.cursor.row, 32);
    stage_key(&stage, UIKEY_END);
    stage_shows(&stage, "warp 8 of 8  no rows", "No requests");
    stage_key(&stage, 'w');
    stage_shows(&stage, "warp 1 of 8", "the worst warp");
    stage_key(&stage, 't'); /* the lower median of two */
    stage_shows(&stage, "warp 2 of 8");
    assert_int_equal(stage.surface.cut, 0);
}

/* Rows 34 and 36 have 9 entries, and the others of 64 have one in column 5: the second warp of csr-scalar is
 * the longest and the worst one, and row 34 its first row of that length. */
TEST(the_longest_row_of_the_longest_warp_is_found)
{
    double *dense = calloc((size_t)64 * 16, sizeof *dense);
    FREED(stage_close) struct stage stage;
    for (int i = 0; i < 64; i++)
        for (int j = 4; j < (i == 33 || i == 35 ? 13 : 5); j++)
            dense[i * 16 + j] = 1;
    warps_open_kernels(&stage, support_dense(64, 16, dense), 21, 80, "csr-scalar", "csr-vector:threads=4");
    free(dense);
    stage_key(&stage, 'w');
    stage_shows(&stage, "warp 2 of ");
    assert_int_equal(stage.explorer.cursor.row, 33);
    assert_int_equal(stage.explorer.cursor.col, 4);
    stage_key(&stage, 'w');
    assert_string_equal(stage.explorer.message, "this warp has both the most requests and the most sectors");
    assert_int_equal(stage.explorer.cursor.row, 33);
}

/* The longest warp is wanted before the warps are counted: it is shown as soon as they are, unless the cursor
 * has moved. */
TEST(a_warp_is_found_once_the_warps_are_counted)
{
    for (int moved = 0; moved < 2; moved++) {
        static double dense[80 * 80];
        for (int j = 0; j < 40; j++)
            dense[70 * 80 + j] = 1; /* only row 70, of the third warp, has entries */
        FREED(stage_close) struct stage stage;
        struct warps *warps =
            stage_open(&stage, &view_warps, support_dense(80, 80, dense), FIELD_REAL, 24, 80);
        stage_key(&stage, 'w');
        assert_string_equal(stage.explorer.message, "shown once the warps are counted");
        if (moved) explorer_move(&stage.explorer, 3, 3);
        warps_work(&stage);
        stage_draw(&stage);
        assert_null(warps->sought);
        assert_int_equal(warps->panes[0].at.warp, moved ? 0 : 2);
        assert_int_equal(stage.explorer.cursor.row, moved ? 3 : 70);
    }
}

/* Panes side by side are too narrow for the counts of the product beside those of the warp; in high panes
 * they are below. Each of the two warps makes 4 requests for values, with 128 and 32 sectors. */
TEST(high_panes_have_the_counts_of_the_product)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 44, 160, "csr-scalar", "csr-vector:threads=4");
    stage_shows(&stage, "4      128    32   25%    0%         20   25%", "8      160 in all");
    assert_int_equal(stage.surface.cut, 0);
    stage_resize(&stage, 21, 160);
    stage_hides(&stage, "in all");
}

TEST(steps_end_at_the_last_one)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    const struct pane *pane = &warps_of(&stage)->panes[0];
    warps_set_step(warps_of(&stage), INT64_MAX);
    assert_int_equal(pane->step, pane->record.count - 1);
    stage_draw(&stage);
    stage_shows(&stage, "step 15 of 15");
    warps_set_step(warps_of(&stage), -1);
    assert_int_equal(pane->step, 0);
}

/* Operands in shared memory have requests, but no sectors. */
TEST(shared_memory_has_no_sectors)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 40, 110, "csr-balanced", "csr-scalar");
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
}

/* 10 entries a row make 33 steps, more than fit. So a column stands for one or two steps, not all of which
 * request values. Gaps of a few columns are filled. */
TEST(kinds_of_a_loop_are_in_every_column)
{
    static double dense[40 * 50];
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 10; j++)
            dense[i * 50 + i + j] = 1;
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, support_dense(40, 50, dense), 24, 80, "csr-scalar", "csr-scalar");
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
}

/* One sector per lane is the maximum of a bar, which fills all of its lines. */
TEST(bars_are_as_high_as_there_is_room)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 110, 110, "csr-scalar", "csr-scalar");
    const struct pane *pane = &warps_of(&stage)->panes[0];
    const struct cell *title = stage_find(&stage, " values ");
    int x = pane->strip.left + 2 * pane->step_wide, high = 0;
    const struct cell *cell = title - (title - stage.surface.cells) % 110 + x;
    while (cell[-110 * high].character == 0x2588)
        high++;
    assert_int_equal(high, 4);
}

/* The totals are compared. A thread a row moves 244 + 64 sectors; five warps of four threads a row each move
 * 1 + 2 of pointers, 8 of values, 4 of columns, 3 of x and 2 of y. The kernel out of sight keeps its own
 * total. */
TEST(the_kernel_that_moves_less_is_the_better_one)
{
    static const int sizes[][2] = {{20, 80}, {21, 80}, {27, 100}, {57, 200}};
    static const char more[] = "3.08 times as many as csr-vector:threads=4",
                      fewer[] = "100 sectors  3.08 times fewer than csr-scalar";
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 20, 80, "csr-scalar", "csr-vector:threads=4");
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        stage_resize(&stage, sizes[k][0], sizes[k][1]);
        stage_shows(&stage, "product:  308 sectors");
        assert_int_equal(stage_find(&stage, "308 sectors")->foreground, COLOUR_BAD);
        assert_int_equal(stage_find(&stage, more)->foreground, COLOUR_BAD);
        assert_int_equal(stage_find(&stage, fewer)->foreground, COLOUR_GOOD);
        assert_int_equal(stage.surface.cut, 0);
    }
    warps_answer(&stage.explorer, warps_of(&stage), "csr-vector:threads=4");
    stage_draw(&stage);
    warps_work(&stage);
    stage_shows(&stage, "as many as csr-vector:threads=4");
    assert_int_equal(stage_find(&stage, "as many as")->foreground, COLOUR_TEXT);
    stage_hides(&stage, "times");
}

/* 32 rows of one entry, of which the last one has 40: ELL moves 40 slots of each. */
TEST(padding_is_not_useful)
{
    static double dense[32 * 40];
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < (i == 31 ? 40 : 1); j++)
            dense[i * 40 + j] = 1;
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, support_dense(32, 40, dense), 21, 80, "ell-padded", "csr-scalar");
    stage_shows(&stage, "load val[k]  32 lanes x 8 B  8 sectors  100% used");
    stage_hides(&stage, "31 padding");
    stage_key(&stage, 'o');
    stage_shows(&stage, "load val[k]  32 lanes x 8 B  31 padding  8 sectors  3.12% used", "x x x v",
                "times as many as csr-scalar", "94.5% pad"); /* 39 x 31 of 40 x 32 */
    assert_int_equal(stage_find(&stage, "3.12% used")->foreground, COLOUR_BAD);
    assert_int_equal(stage_find(&stage, "lanes 0123")[6].foreground, COLOUR_DIM);
    stage_resize(&stage, 27, 110);
    stage_shows(&stage, "94.5% of loads padding", "31 of them padding");
    assert_int_equal(stage.surface.cut, 0);
}

/* Row 10 is in warp 1 with a thread per row, and in warp 2 with eight rows per warp. Both show the same
 * moment. */
TEST(two_kernels_are_on_the_same_rows)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 21, 80, "csr-scalar", "csr-vector:threads=4");
    explorer_move(&stage.explorer, 9, 0);
    stage_key(&stage, UIKEY_RIGHT);
    stage_key(&stage, 'b');
    stage_shows(&stage, "csr-vector:threads=4  f64", "warp 2 of 8  rows 9..16",
                "load col[k]  32 lanes x 4 B  4 sectors  100% used");
    stage_key(&stage, UIKEY_DOWN);
    stage_shows(&stage, "rows 17..24");
    assert_int_equal(stage.explorer.cursor.row, 16);
    stage_resize(&stage, 37, 120);
    stage_shows(&stage, "warp 3 of 8  rows 17..24", "warp 1 of 8  rows 1..32");
    stage_resize(&stage, 57, 200);
    stage_shows(&stage, "warp 1 of 8  rows 1..32", "warp 3 of 8  rows 17..24");
    stage_key(&stage, 'm');
    stage_hides(&stage, "warp 1 of 8");
}

/* Words and plans */

TEST(names_are_short)
{
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
TEST(plans_show_as_much_as_fits)
{
    struct warp_line lines[TRACE_LANES];
    for (int k = 0; k < TRACE_LANES; k++)
        lines[k] = (struct warp_line){.line = (uint64_t)k, .touched = 4};
    struct lines_plan plan = lines_plan(lines, 32, 8, false, 0, 32, 80);
    assert_true(!plan.sectors && plan.element_wide == 2 && plan.hidden == 0);
    assert_int_equal(plan.label, 3); /* elements 0 .. 508 */
    assert_int_equal(plan.columns, 1);
    plan = lines_plan(lines, 32, 8, false, 0, 16, 80);
    assert_true(!plan.sectors && plan.element_wide == 1 && plan.hidden == 0 && plan.columns == 3);
    plan = lines_plan(lines, 32, 8, false, 0, 8, 80);
    assert_true(plan.sectors && plan.hidden == 0 && plan.items == 32);
    assert_int_equal(plan.columns, 8); /* 3 + 1 + 4, and 2 between */
    plan = lines_plan(lines, 32, 8, false, 0, 3, 80);
    assert_int_equal(plan.hidden, 8);
    plan = lines_plan(lines, 32, 8, true, 0, 3, 80); /* of shared memory a line is a row of banks */
    assert_true(!plan.sectors && plan.hidden == 32 - 9);
}

/* The cells of a line that have the colour of the mark, from the cell where `text` begins on. */
static int marked(const struct stage *stage, const char *text)
{
    const struct cell *cell = stage_find(stage, text);
    int count = 0;
    for (int k = 0; k < 30; k++)
        count += cell[k].background == COLOUR_BAR;
    return count;
}

/* In the strip only the bars of the request and of its lanes are marked. Lanes keep their colour. */
TEST(a_step_marks_its_kind_and_its_lanes)
{
    static const char *const kinds[] = {" values  ", " columns  ", " x        "};
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 22, 80, "csr-scalar", "csr-vector:threads=4");
    stage.explorer.colours = true;
    stage_draw(&stage);
    for (int step = 0; step < 3; step++) {
        const struct cell *lanes = stage_find(&stage, "lanes 0123");
        for (int k = 0; k < 3; k++)
            assert_int_equal(marked(&stage, kinds[k]), k == step);
        assert_int_equal(marked(&stage, " pointers "), 0);
        assert_int_equal(marked(&stage, " y stored "), 0);
        assert_int_equal(marked(&stage, " lanes   "), 1);
        assert_int_equal(lanes[7].foreground, COLOUR_TEXT);
        assert_int_equal(lanes[7].attributes, ATTRIBUTE_REVERSE);
        stage_key(&stage, UIKEY_RIGHT);
    }
}

/* The cells of a line that have a character, from the cell where `text` begins on. */
static int cells_of(const struct stage *stage, const char *text, uint32_t character)
{
    const struct cell *cell = stage_find(stage, text);
    int count = 0;
    for (int k = 0; k < 30; k++)
        count += cell[k].character == character;
    return count;
}

/* Without colours, the step is seen at a full bar, and a full bar does not touch the one above it. In ASCII
 * the mark is a background. */
TEST(without_colours_bars_are_apart_and_the_step_is_shaded)
{
    FREED(stage_close) struct stage stage;
    warps_open_kernels(&stage, warps_band(), 22, 80, "csr-scalar", "csr-vector:threads=4");
    stage.explorer.colours = false;
    stage_draw(&stage);
    assert_int_equal(cells_of(&stage, " values  ", 0x2592), 1);
    assert_int_equal(marked(&stage, " values  "), 0);
    assert_int_equal(cells_of(&stage, " values  ", 0x2588), 0);
    assert_in_range(cells_of(&stage, " values  ", 0x2587), 2, 30);
    assert_int_equal(cells_of(&stage, " columns  ", 0x2592), 0);
    assert_int_equal(cells_of(&stage, " lanes   ", 0x2592), 1);
    stage.explorer.ascii = true;
    stage_draw(&stage);
    assert_int_equal(marked(&stage, " values  "), 1);
    assert_in_range(cells_of(&stage, " values  ", '#'), 2, 30);
    stage.explorer.ascii = false;
    stage.explorer.colours = true;
    stage_draw(&stage);
    assert_in_range(cells_of(&stage, " values  ", 0x2588), 2, 30);
}

/* The sectors of lines are in the same columns for elements of 4, 8 and 16 bytes, and for few and many lines:
 * so a step changes only what is in them. */
TEST(sectors_stay_from_step_to_step)
{
    struct warp_line lines[TRACE_LANES];
    for (int k = 0; k < TRACE_LANES; k++)
        lines[k] = (struct warp_line){.line = (uint64_t)k * 40, .touched = 4};
    const struct lines_plan wanted = lines_plan(lines, 24, 8, false, lines_label(68324), 30, 160);
    assert_int_equal(wanted.label, 5);
    for (int size = 4; size <= 16; size *= 2)
        for (int count = 1; count <= TRACE_LANES; count++) {
            const struct lines_plan plan = lines_plan(lines, count, size, false, lines_label(68324), 30, 160);
            assert_int_equal(plan.label, wanted.label);
            assert_int_equal(plan.elements * plan.element_wide, wanted.elements * wanted.element_wide);
            assert_int_equal(plan.item_wide, wanted.item_wide);
        }
}
