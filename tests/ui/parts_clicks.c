/* Clicks on the picture of owners, and the words of a partition, on chains cut into runs, where every number
 * can be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/shade.h"
#include "support/chance.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/parts/screen.h"

static struct parts_screen *state_of(struct stage *stage)
{
    return stage->state;
}

static struct parts_screen *open_chain(struct stage *stage, int n, int high, int wide)
{
    double *dense = calloc((size_t)n * (size_t)n, sizeof *dense);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (abs(i - j) <= 1) dense[i * n + j] = 1;
    stage_open(stage, &view_parts, support_dense(n, n, dense), FIELD_REAL, high, wide);
    free(dense);
    return stage->state;
}

static void finish(struct stage *stage)
{
    for (int k = 0; k < 400 && state_of(stage)->errand.state == ERRAND_WANTED; k++)
        stage_work(stage);
    assert_int_not_equal(state_of(stage)->errand.state, ERRAND_WANTED);
}

/* A click on a character moves the cursor to the first row and column of its dot; outside of the picture it
 * moves nothing. Dots are half blocks, or two characters. */
TEST(a_click_is_the_dot_under_it)
{
    for (int k = 0; k < 8; k++) {
        FREED(stage_close) struct stage stage;
        const int n = k % 2 ? 16 : 130;
        struct parts_screen *screen = open_chain(&stage, n, k & 4 ? 24 : 40, k & 4 ? 72 : 100);
        stage.explorer.colours = stage.explorer.shades = !(k & 2);
        stage_type(&stage, "o");
        finish(&stage);
        stage_draw(&stage);
        const struct parts_picture *picture = &screen->picture;
        assert_non_null(picture->seen);
        const bool blocks = parts_has_blocks(&stage.explorer);
        const int tall = (blocks ? 2 : 1), broad = blocks ? 1 : 2;
        int inside = 0;
        for (int y = 0; y < stage.surface.high; y++)
            for (int x = 0; x < stage.surface.wide; x++) {
                const struct rect rect = picture->rect;
                explorer_move(&stage.explorer, n - 1, n - 2);
                if (y < rect.top - 2 || y > rect.top + rect.high + 1) continue;
                parts_click_owners(&stage.explorer, screen, y, x);
                const bool in =
                    y >= rect.top && y < rect.top + rect.high && x >= rect.left && x < rect.left + rect.wide;
                int64_t row = n - 1, col = n - 2;
                if (in) {
                    row = (y - rect.top) * tall / picture->fit.large_high * picture->fit.rows;
                    col = (x - rect.left) / broad / picture->fit.large_wide * picture->fit.cols;
                    if (row >= n) row = n - 1;
                    inside++;
                }
                assert_int_equal(stage.explorer.cursor.row, row);
                assert_int_equal(stage.explorer.cursor.col, col);
            }
        assert_int_equal(inside, picture->rect.high * picture->rect.wide);
    }
}

/* While another partition is being found nothing is drawn, and a click on the former picture does nothing. */
TEST(what_is_not_seen_is_not_clicked)
{
    FREED(stage_close) struct stage stage;
    struct parts_screen *screen = open_chain(&stage, 16, 24, 72);
    stage_type(&stage, "o");
    finish(&stage);
    stage_draw(&stage);
    const struct rect rect = screen->picture.rect;
    assert_non_null(screen->picture.marks);
    stage_type(&stage, "p");
    stage_answer(&stage, "natural 3");
    stage_draw(&stage);
    assert_null(screen->picture.seen);
    stage_shows(&stage, "Computing the partition...", "natural, 3 parts (computing...)");
    explorer_move(&stage.explorer, 9, 9);
    parts_click_owners(&stage.explorer, screen, rect.top, rect.left);
    assert_int_equal(stage.explorer.cursor.row, 9);
    screen->unmarked = true;
    stage_draw(&stage);
    stage_shows(&stage, "Not enough memory for this picture.");
    screen->told = true;
    stage_draw(&stage);
    stage_shows(&stage, "Not in the report.");
    screen->told = screen->unmarked = false;
    screen->errand.state = ERRAND_FAILED;
    stage_draw(&stage);
    stage_shows(&stage, "Cancelled. Press ");
    screen->errand.state = ERRAND_WANTED;
    finish(&stage);
    stage_draw(&stage);
    assert_non_null(screen->picture.seen);
}

/* Numbers of p runs: 2 (p - 1) elements and messages, at most 2 neighbours, 2 (p - 1) cut entries; one part
 * is one part. */
TEST(words_and_numbers_of_partitions)
{
    FREED(stage_close) struct stage stage;
    open_chain(&stage, 60, 24, 130);
    for (int parts = 1; parts <= 60; parts++) {
        char typed[32], words[160];
        if (60 % parts) continue;
        snprintf(typed, sizeof typed, "natural %d", parts);
        stage_type(&stage, "p");
        stage_answer(&stage, typed);
        finish(&stage);
        stage_draw(&stage);
        const int crossing = 2 * (parts - 1);
        snprintf(words, sizeof words, "natural, %d part%s  volume %d element", parts, parts == 1 ? "" : "s",
                 crossing);
        stage_shows(&stage, words);
        snprintf(words, sizeof words, "  %d message%s  ", crossing, crossing == 1 ? "" : "s");
        stage_shows(&stage, words);
        snprintf(words, sizeof words, "at most %d neighbours", parts == 1 ? 0 : parts == 2 ? 1 : 2);
        stage_shows(&stage, words);
        snprintf(words, sizeof words, "cut %d entries", crossing);
        stage_shows(&stage, words);
    }
}

/* An oblong matrix of scattered entries, more in its first rows. */
static struct csr scattered(int rows, int cols)
{
    double *dense = calloc((size_t)rows * (size_t)cols, sizeof *dense);
    uint64_t chance = CHANCE_SEED;
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < 1 + 6 * (rows - i) / rows; k++)
            dense[i * cols + (int)(chance_next(&chance) % (uint64_t)cols)] = 1;
    struct csr a = support_dense(rows, cols, dense);
    free(dense);
    return a;
}

/* The mark of a dot, by a plain loop over its entries: the part that has the rows of more than half of them,
 * and whether half or more of all are remote. */
static int32_t mark_of(const struct csr *a, const struct partition *partition, const struct parts_fit *fit,
                       int y, int x)
{
    int64_t entries = 0, remote = 0, of_part[3] = {0};
    for (int64_t i = y * fit->rows; i < (y + 1) * fit->rows && i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            if (a->col[k] < x * fit->cols || a->col[k] >= (x + 1) * fit->cols) continue;
            of_part[partition->owner[i]]++;
            entries++;
            remote += partition_column_owner(partition, a->cols, a->col[k]) != partition->owner[i];
        }
    for (int p = 0; p < 3; p++)
        if (2 * of_part[p] > entries) return owner_mark(p, 2 * remote >= entries);
    return entries ? OWNER_SEVERAL : OWNER_NONE;
}

/* The picture has all rows and columns once; each dot has the colour, or the letters, of its mark, and the
 * cursor is where it is. */
TEST(each_dot_has_its_owner)
{
    static const int shapes[][2] = {{30, 70}, {200, 90}, {9, 21}, {400, 20}, {33, 33}};
    for (int k = 0; k < 20; k++) {
        FREED(stage_close) struct stage stage;
        const int rows = shapes[k % 5][0], cols = shapes[k % 5][1];
        struct parts_screen *screen = stage_open(&stage, &view_parts, scattered(rows, cols), FIELD_REAL,
                                                 k & 4 ? 24 : 33, k & 4 ? 72 : 93);
        const struct csr *a = &stage.session.shown->matrix.csr;
        stage.explorer.ascii = k % 2;
        stage_type(&stage, "o");
        stage_type(&stage, "p");
        stage_answer(&stage, "natural 3");
        finish(&stage);
        explorer_move(&stage.explorer, rows / 2, cols / 3);
        stage_draw(&stage);
        finish(&stage);
        stage_draw(&stage);
        const struct parts_picture *picture = &screen->picture;
        const struct parts_fit *fit = &picture->fit;
        struct owners *owners = stage.explorer.owners;
        assert_non_null(picture->seen);
        assert_non_null(owners);
        assert_true(fit->high * fit->rows >= rows && (fit->high - 1) * fit->rows < rows);
        assert_true(fit->wide * fit->cols >= cols && (fit->wide - 1) * fit->cols < cols);
        if (rows < 8 * cols && cols < 8 * rows) assert_int_equal(fit->rows, fit->cols);
        const bool blocks = parts_has_blocks(&stage.explorer);
        int several = 0, remote = 0;
        for (int y = 0; y < fit->high; y++)
            for (int x = 0; x < fit->wide; x++) {
                const int32_t mark = mark_of(a, &owners->divided.partition, fit, y, x);
                const bool cursor = y == rows / 2 / fit->rows && x == cols / 3 / fit->cols;
                const int left = picture->rect.left + x * fit->large_wide * (blocks ? 1 : 2);
                several += mark == OWNER_SEVERAL;
                remote += mark != OWNER_NONE && mark != OWNER_SEVERAL && owner_is_remote(mark);
                assert_int_equal(picture->seen[y * fit->wide + x], mark);
                for (int unit = 0; unit < fit->large_high; unit++) {
                    const int line = y * fit->large_high + unit;
                    const struct cell *cell =
                        &stage.surface
                             .cells[(picture->rect.top + line / (blocks ? 2 : 1)) * stage.surface.wide +
                                    left];
                    if (!blocks) {
                        char letters[3];
                        owner_letters(mark, letters);
                        assert_int_equal(cell->background == COLOUR_CURSOR, cursor);
                        assert_int_equal(cell->attributes, 0);
                        assert_int_equal(cell[0].character, mark == OWNER_NONE ? ' ' : letters[0]);
                        assert_int_equal(cell[1].character, mark == OWNER_NONE ? ' ' : letters[1]);
                        continue;
                    }
                    const bool upper =
                        cell->character == 0x2588 || (cell->character == 0x2580) == (line % 2 == 0);
                    const int shown = cell->character == ' ' ? COLOUR_TEXT
                                      : upper                ? cell->foreground
                                                             : cell->background;
                    assert_int_equal(shown, cursor               ? COLOUR_CURSOR
                                            : mark == OWNER_NONE ? COLOUR_TEXT
                                                                 : owner_colour(mark));
                }
            }
        if (k % 5 == 1) assert_true(several > 0);
        if (k % 5 == 0) assert_true(remote > 0);
        if (blocks) assert_int_equal(strstr(stage_dump(&stage), " several parts") != NULL, several > 0);
    }
}

/* The table at many widths: each line of a computed partition has under the heading of volume and of messages
 * 2 (p - 1), which its number of parts tells. */
TEST(the_table_has_the_numbers_of_chains)
{
    for (int wide = 60; wide <= 104; wide += 11) {
        FREED(stage_close) struct stage stage;
        struct parts_screen *screen = open_chain(&stage, 256, 20, wide);
        finish(&stage);
        stage_draw(&stage);
        int lines = 0, checked = 0;
        int volume_end = -1, messages_end = -1, parts_end = -1, y = 0;
        for (; y < stage.surface.high && parts_end < 0; y++) {
            char line[256] = "";
            for (int x = 0; x < wide; x++)
                line[x] = stage.surface.cells[y * wide + x].character < 128
                              ? (char)stage.surface.cells[y * wide + x].character
                              : '?';
            const char *partition = strstr(line, "partition "), *parts = strstr(line, " parts ");
            if (!partition || !parts) continue;
            parts_end = (int)(parts - line) + 6;
            const char *volume = strstr(line, "volume"), *messages = strstr(line, "messages");
            if (volume) volume_end = (int)(volume - line) + 6;
            if (messages) messages_end = (int)(messages - line) + 8;
        }
        assert_true(parts_end > 0);
        for (; y < stage.surface.high; y++) {
            char line[256] = "";
            for (int x = 0; x < wide; x++)
                line[x] = stage.surface.cells[y * wide + x].character < 128
                              ? (char)stage.surface.cells[y * wide + x].character
                              : '?';
            const int at = y - screen->line_top;
            if (at < 0 || at >= screen->page || screen->top + at >= screen->table.count) continue;
            const struct distributed *row = &screen->table.items[screen->top + at];
            assert_int_equal(screen->lines[at], screen->top + at);
            assert_int_equal(strncmp(line + 1, row->name, strlen(row->name)), 0);
            lines++;
            if (row->status != STATUS_OK || row->partitioner->package || row->partitioner->entrywise)
                continue;
            char number[8];
            snprintf(number, sizeof number, "%.7s", line + parts_end - 7);
            const int parts = atoi(number);
            assert_int_equal(parts, row->parts);
            const int ends[] = {volume_end, messages_end};
            for (int c = 0; c < 2; c++) {
                char words[12];
                if (ends[c] < 0) continue;
                snprintf(words, sizeof words, "%.9s", line + ends[c] - 9);
                assert_int_equal(atoi(words), 2 * (parts - 1));
                assert_int_equal(line[ends[c]] == ' ' || !line[ends[c]], true);
                checked++;
            }
        }
        assert_true(lines > 8);
        if (wide > 100) assert_true(checked > 8);
    }
}
