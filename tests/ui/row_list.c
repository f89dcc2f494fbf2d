/* The list of the entries of a row or a column. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/widgets/row_list.h"

/* Row 1 is 3, -4, 0.5 in columns 1, 3 and 4; column 1 is 3, 7 in rows 1 and 3. */
static const double dense[] = {3, 0, -4, 0.5, 0, 1, 0, 0, 7, 0, 0, 0, 0, 0, 0, 1};

static struct stage stage;
static struct row_list rows;

static void open_list(struct csr a, enum field field, int64_t row)
{
    stage_open(&stage, &view_rows, a, field, 30, 100);
    row_list_open(&stage.explorer, &rows, (struct matrix_line){.at = row});
}

static int close_list(void **state)
{
    row_list_free(&rows);
    rows = (struct row_list){0};
    stage_close(&stage);
    return 0;
}

static void press(int key)
{
    list_key(&stage.explorer, &rows.list, key);
}

/* Draw the list over the stage. */
static void draw(void)
{
    surface_clear(&stage.surface);
    list_draw(&stage.explorer, &rows.list, &stage.surface,
              (struct rect){0, 0, stage.surface.high, stage.surface.wide});
}

static uint32_t character_at(int y, int x)
{
    return stage.surface.cells[y * stage.surface.wide + x].character;
}

/* Shares are of 7.5, the sum of |a| in row 1. */
TEST_BETWEEN(NULL, close_list, entries_of_a_row_are_listed_by_position_and_by_size)
{
    static const char *const by_place[][4] = {
        {"1", "3", "40%", "diagonal"}, {"3", "-4", "53%", "7"}, {"4", "0.5", "6.7%", "none"}};
    static const int by_size[] = {1, 0, 2};
    open_list(support_dense(4, 4, dense), FIELD_REAL, 0);
    assert_int_equal(rows.list.count, 3);
    for (int sorted = 0; sorted < 2; sorted++) {
        draw();
        for (int k = 0; k < 3; k++)
            for (int c = 0; c < 4; c++)
                assert_string_equal(rows.list.rows[k].cells[c], by_place[sorted ? by_size[k] : k][c]);
        press('s');
    }
    stage_shows(&stage, "row 1: 3 entries", "sum of |a| 7.5");
}

TEST_BETWEEN(NULL, close_list, enter_puts_the_cursor_on_the_entry)
{
    open_list(support_dense(4, 4, dense), FIELD_REAL, 0);
    press(UIKEY_DOWN);
    press(UIKEY_ENTER);
    assert_false(list_is_open(&rows.list));
    assert_true(stage.explorer.cursor.row == 0 && stage.explorer.cursor.col == 2);
    assert_ptr_equal(views[stage.explorer.view], &view_pattern);
}

/* From entry (1, 1) to column 1 with the same entry selected, and from its entry in row 3 to that row. Shares
 * of the column are of 10. */
TEST_BETWEEN(NULL, close_list, a_list_turns_from_row_to_column_and_back)
{
    open_list(support_dense(4, 4, dense), FIELD_REAL, 0);
    press('c');
    draw();
    assert_true(rows.shown.line.column && rows.shown.line.at == 0);
    assert_int_equal(rows.list.count, 2);
    assert_int_equal(rows.list.selected, 0);
    assert_string_equal(rows.list.rows[1].cells[0], "3");
    assert_string_equal(rows.list.rows[1].cells[2], "70%");
    press(UIKEY_END);
    press('c');
    assert_true(!rows.shown.line.column && rows.shown.line.at == 2);
    assert_int_equal(rows.list.count, 1);
}

/* Bars of one column for each of the 4 positions, two lines high: heights 0.75, 0, 1 and 0.125 of 2 lines.
 * The mark stands below the selected entry. */
TEST_BETWEEN(NULL, close_list, the_line_is_drawn_above_its_entries)
{
    open_list(support_dense(4, 4, dense), FIELD_REAL, 0);
    press(UIKEY_END);
    draw();
    const int left = rows.list.area.left, base = rows.list.area.top - 2;
    static const uint32_t upper[] = {0x2584, ' ', 0x2588, ' '}, lower[] = {0x2588, ' ', 0x2588, 0x2582};
    for (int x = 0; x < 4; x++) {
        assert_int_equal(character_at(base - 2, left + x), upper[x]);
        assert_int_equal(character_at(base - 1, left + x), lower[x]);
    }
    assert_int_equal(character_at(base, left + 3), 0x25b2);
    assert_int_equal(character_at(base, left), '1');
    press(UIKEY_HOME);
    draw();
    assert_int_equal(character_at(base, left + 3), '4');
    assert_int_equal(character_at(base, left), 0x25b2);
}

/* Rows are written when they are drawn or searched: a sought row is found below the visible ones. */
TEST_BETWEEN(NULL, close_list, rows_out_of_sight_are_found)
{
    double row[100];
    for (int j = 0; j < 100; j++)
        row[j] = j + 1000;
    open_list(support_dense(1, 100, row), FIELD_REAL, 0);
    draw();
    assert_int_equal(rows.list.rows[99].cells[1][0], 0);
    for (const char *key = "/1099"; *key; key++)
        press(*key);
    assert_int_equal(rows.list.selected, 99);
}

TEST_BETWEEN(NULL, close_list, a_line_without_entries_is_not_listed)
{
    static const double empty[] = {0, 1, 0, 0};
    open_list(support_dense(2, 2, empty), FIELD_REAL, 1);
    assert_false(list_is_open(&rows.list));
    assert_string_equal(stage.explorer.message, "row 2 has no entries");
    row_list_open(&stage.explorer, &rows, (struct matrix_line){.at = 0, .column = true});
    assert_string_equal(stage.explorer.message, "column 1 has no entries");
}

/* Row 1 has an entry in each of 100,000 columns: that of column j is (j * 7) mod 100,000, so that each size
 * from 0 to 99,999 exists once. Row 2 has one in column 60,000. */
#define LONG 100000

static struct csr long_row(void)
{
    struct csr a = {.rows = 2, .cols = LONG};
    a.row_ptr = calloc(3, sizeof *a.row_ptr);
    a.col = calloc(LONG + 1, sizeof *a.col);
    a.val = calloc(LONG + 1, sizeof *a.val);
    for (int j = 0; j < LONG; j++) {
        a.col[j] = j;
        a.val[j] = (double)((int64_t)j * 7 % LONG) * (j % 2 ? -1 : 1);
    }
    a.row_ptr[1] = LONG;
    a.row_ptr[2] = LONG + 1;
    a.col[LONG] = 59999;
    a.val[LONG] = 1;
    return a;
}

/* Wait for the job, and let the list take its result. */
static void wait_for_list(void)
{
    while (!row_list_step(&stage.explorer, &rows))
        job_wait(&rows.job, 1);
}

/* A job lists a long row. By size the largest are listed, in order: the k-th largest is 99,999 - k. */
TEST_BETWEEN(NULL, close_list, a_job_lists_a_long_row)
{
    open_list(long_row(), FIELD_REAL, 0);
    assert_true(rows.running);
    assert_false(list_is_open(&rows.list));
    wait_for_list();
    assert_int_equal(rows.list.count, ROW_LISTING_MAX);
    draw();
    stage_shows(&stage, "row 1: 100,000 entries", "sum of |a| 5e+09", "entries 1 to 4,096 are listed",
                "4,075 more");
    press('s');
    assert_true(rows.running); /* the list stays as it was until the job has ended */
    assert_string_equal(rows.list.rows[0].cells[0], "1");
    wait_for_list();
    assert_int_equal(rows.list.count, ROW_LISTING_MAX);
    for (int k = 0; k < ROW_LISTING_MAX; k++)
        assert_true(rows.shown.entries[k].size == LONG - 1 - k);
    draw();
    stage_shows(&stage, "the 4,096 largest are listed");
    assert_string_equal(rows.list.rows[0].cells[2], "<0.1%");
}

/* Of equal sizes, the first positions are listed. */
TEST_BETWEEN(NULL, close_list, of_equal_entries_the_first_are_listed)
{
    open_list(long_row(), FIELD_PATTERN, 0);
    wait_for_list();
    press('s');
    wait_for_list();
    for (int k = 0; k < ROW_LISTING_MAX; k++)
        assert_int_equal(rows.shown.entries[k].place, k);
}

/* From row 2 over column 60,000 to row 1: the entry of that column is selected amid its neighbours. */
TEST_BETWEEN(NULL, close_list, the_entry_of_the_column_is_listed_in_a_long_row)
{
    open_list(long_row(), FIELD_REAL, 1);
    press('c');
    assert_true(rows.shown.line.column && rows.shown.line.at == 59999);
    press(UIKEY_HOME);
    press('c');
    wait_for_list();
    draw();
    assert_string_equal(rows.list.rows[rows.list.selected].cells[0], "60,000");
    assert_int_equal(rows.shown.first, 59999 - rows.list.selected);
    assert_true(rows.list.selected > 0 && rows.list.selected < ROW_LISTING_MAX - 1);
}

/* Complex values that are too long for their column have fewer digits there: nothing is cut. */
TEST_BETWEEN(NULL, close_list, long_complex_values_are_shortened)
{
    static const double values[] = {-0.47537277248231913, 2};
    struct csr a = support_dense(1, 2, values);
    a.imaginary = calloc(2, sizeof *a.imaginary);
    a.imaginary[0] = -0.1635825656582619;
    a.imaginary[1] = 4;
    open_list(a, FIELD_COMPLEX, 0);
    draw();
    assert_string_equal(rows.list.rows[0].cells[1], "-0.4754 - 0.1636i");
    assert_string_equal(rows.list.rows[1].cells[1], "2 + 4i");
}

/* The entries and the drawn line need memory, without which there is no list. Without memory for its rows,
 * the list is empty. */
TEST(without_memory_nothing_is_listed)
{
    for (int k = 0; k < 3; k++) {
        stage_open(&stage, &view_rows, support_dense(4, 4, dense), FIELD_REAL, 30, 100);
        memory_fail_after(k);
        row_list_open(&stage.explorer, &rows, (struct matrix_line){.at = 0});
        memory_fail_after(-1);
        assert_int_equal(list_is_open(&rows.list), k == 2);
        assert_int_equal(rows.list.count, 0);
        if (k < 2) assert_says(stage.explorer.message, "memory");
        if (k == 2) draw();
        row_list_open(&stage.explorer, &rows, (struct matrix_line){.at = 0});
        assert_int_equal(rows.list.count, 3);
        close_list(NULL);
    }
}

/* Cancelling leaves no list, and closing stops the job. */
TEST_BETWEEN(NULL, close_list, listing_is_cancelled)
{
    struct error error = {0};
    struct progress progress = {.cancel = true};
    struct row_listing listing = {.aim = -1};
    stage_open(&stage, &view_rows, long_row(), FIELD_REAL, 30, 100);
    listing.matrix = &stage.session.shown->matrix;
    assert_int_equal(row_listing_make(&listing, &progress, &error), STATUS_CANCELLED);
    assert_int_equal(listing.count, 65536); /* it stops at its first look */
    row_listing_free(&listing);
    row_list_open(&stage.explorer, &rows, (struct matrix_line){.at = 0});
    row_list_close(&rows);
    assert_false(rows.running);
    assert_false(row_list_step(&stage.explorer, &rows));
    assert_false(list_is_open(&rows.list));
}
