/* Clicks on the picture of owners, and the words of a partition, on chains cut into runs, where every number
 * can be counted. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
