/* report/charts: the positions of bars, marks, names and numbers in charts of several reports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/charts/series.h"
#include "support/recorded.h"

#define ROWS 5
#define SERIES 6
#define NEAR 1e-6

static double value_of(int series, int row)
{
    return 1 + (series * 37 + row * 11) % 23;
}

static void make(struct series series[], struct series_point points[][ROWS], int count, int heights)
{
    for (int k = 0; k < count; k++) {
        series[k] = (struct series){.height = k % heights, .items = points[k], .count = ROWS};
        snprintf(series[k].name, sizeof series[k].name, "series %d", k);
        for (int row = 0; row < ROWS; row++)
            points[k][row] = (struct series_point){.x = row + 1, .y = value_of(k, row), .row = row};
    }
}

static const struct chart_height named[CHART_HEIGHTS] = {
    {"a", "first height", false}, {"b", "second height", false}, {"c", "third height", false}};

/* Bars of a height, one below the other, and above them the names of the heights if there are several. */
static struct recorded *draw_bars(int heights)
{
    struct sheet_chart chart = {.title = "Bars", .up_title = "times", .shape = CHART_BARS};
    struct series series[SERIES];
    struct series_point points[SERIES][ROWS];
    make(series, points, heights, heights);
    memcpy(chart.heights, named, (size_t)heights * sizeof *named);
    struct recorded *recorded = recorded_new(600, 500);
    chart_draw(&chart, &(struct series_list){.items = series, .count = heights, .rows = ROWS},
               &recorded->canvas);
    return recorded;
}

static const struct drawn *bar_number(const struct recorded *recorded, int n)
{
    for (int k = 0; k < recorded->count; k++)
        if (recorded->items[k].kind == DRAWN_BAR && n-- == 0) return &recorded->items[k];
    fail_msg("no bar %d", n);
    return NULL;
}

static const struct drawn *axes_of(const struct recorded *recorded)
{
    for (int k = 0; k < recorded->count; k++)
        if (recorded->items[k].kind == DRAWN_AXES) return &recorded->items[k];
    fail_msg("no axes");
    return NULL;
}

static void check_bar(const struct recorded *recorded, int heights, int height, int row)
{
    const struct drawn *bar = bar_number(recorded, height * ROWS + row), *axes = axes_of(recorded),
                       *first = bar_number(recorded, 0);
    char number[32];
    snprintf(number, sizeof number, "%g", value_of(height, row));
    /* As long as its value says, from the axis on. */
    assert_true(fabs(bar->x - axes->x) < NEAR);
    assert_true(fabs(bar->wide / first->wide - value_of(height, row) / value_of(0, 0)) < NEAR);
    assert_true(bar->x + bar->wide <= axes->x + axes->wide);
    /* In its row, below those of lower heights. */
    const double each = axes->high / ROWS, part = each / heights;
    const double top = axes->y + row * each + height * part;
    assert_true(bar->y >= top && bar->y + bar->high <= top + part + NEAR);
    assert_true(bar->high >= 0.5 * part);
    /* Its number stands right behind it. */
    int beside = 0;
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *text = &recorded->items[k];
        beside += text->kind == DRAWN_TEXT && strcmp(text->words, number) == 0 &&
                  fabs(text->y - drawn_y(bar)) < NEAR && text->anchor == ANCHOR_START &&
                  fabs(text->x - (bar->x + bar->wide + CANVAS_COLUMN)) < NEAR;
    }
    assert_int_equal(beside, 1);
}

static void bars_stand_below_each_other(void **state)
{
    for (int heights = 1; heights <= 3; heights++) {
        struct recorded *recorded = draw_bars(heights);
        const struct drawn *title = recorded_text(recorded, "Bars"), *axes = axes_of(recorded);
        assert_non_null(title);
        for (int height = 0; height < heights; height++)
            for (int row = 0; row < ROWS; row++)
                check_bar(recorded, heights, height, row);
        /* Several heights have a line with their names, in their colours, between the title and the bars. A
         * single height has no such line, and leaves no gap. */
        for (int height = 0; height < 3; height++) {
            const struct drawn *name = recorded_text(recorded, named[height].name);
            assert_int_equal(name != NULL, heights > 1 && height < heights);
            if (!name) continue;
            assert_int_equal(name->colour, bar_number(recorded, height * ROWS)->colour);
            assert_true(name->y > title->y + CANVAS_LINE / 2 && name->y < axes->y - CANVAS_LINE / 2);
            for (int other = 0; other < height; other++)
                assert_true(name->x > recorded_text(recorded, named[other].name)->x + 10 * CANVAS_COLUMN);
        }
        const double gap = axes->y - title->y - (heights > 1 ? 1.25 * CANVAS_LINE : 0);
        assert_true(gap > 0.5 * CANVAS_LINE && gap < 1.5 * CANVAS_LINE);
        /* The name of each row, at its middle, left of the axis. */
        for (int row = 0, met = 0; row < ROWS; row++, met = 0) {
            for (int k = 0; k < recorded->count; k++) {
                const struct drawn *text = &recorded->items[k];
                if (text->kind != DRAWN_TEXT || strcmp(text->words, "series 0") != 0) continue;
                met += fabs(text->y - (axes->y + (row + 0.5) * axes->high / ROWS)) < NEAR;
                assert_true(text->anchor == ANCHOR_END && text->x < axes->x);
            }
            assert_int_equal(met, 1);
        }
        free(recorded);
    }
}

static struct recorded *draw_points(const struct sheet_chart *chart, int count)
{
    struct series series[SERIES];
    struct series_point points[SERIES][ROWS];
    make(series, points, count, 1);
    struct recorded *recorded = recorded_new(600, 500);
    chart_draw(chart, &(struct series_list){.items = series, .count = count, .rows = ROWS},
               &recorded->canvas);
    return recorded;
}

/* The marks of a series in drawing order: one in the legend, then one for each point. Counts marks of one
 * rectangle or one line; a cross has two strokes with the same middle. */
static int marks_of(const struct recorded *recorded, enum colour colour, double x[], double y[], int most)
{
    int count = 0;
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *item = &recorded->items[k];
        if ((item->kind != DRAWN_RECTANGLE && item->kind != DRAWN_LINE) || item->colour != colour) continue;
        if (item->wide > CANVAS_LINE || item->high > CANVAS_LINE) continue;
        if (count > 0 && fabs(x[count - 1] - drawn_x(item)) < NEAR &&
            fabs(y[count - 1] - drawn_y(item)) < NEAR)
            continue; /* the other stroke */
        assert_true(count < most);
        x[count] = drawn_x(item);
        y[count++] = drawn_y(item);
    }
    return count;
}

/* Marks of a series are where its numbers say, on linear scales, and the legend's is beside its name. */
static void marks_are_where_their_numbers_say(void **state)
{
    const struct sheet_chart chart = {.title = "Points",
                                      .across = "x",
                                      .across_title = "size",
                                      .up_title = "times",
                                      .heights = {{"a", "first height", false}},
                                      .shape = CHART_POINTS};
    enum { MOST = 4 };
    for (int count = 2; count <= MOST; count++) {
        struct recorded *recorded = draw_points(&chart, count);
        const struct drawn *axes = axes_of(recorded);
        double bottom = 0, scale = 0;
        for (int series = 0; series < count; series++) {
            char name[32];
            double x[32], y[32];
            snprintf(name, sizeof name, "series %d", series);
            const struct drawn *text = recorded_text(recorded, name);
            assert_non_null(text);
            assert_int_equal(recorded_texts(recorded, name), 1);
            assert_int_equal(marks_of(recorded, text->colour, x, y, 32), ROWS + 1);
            /* A column's middle left of the name, which begins in the third column. */
            assert_true(fabs(y[0] - text->y) < NEAR);
            assert_true(fabs(text->x - x[0] - 1.75 * CANVAS_COLUMN) < NEAR);
            assert_true(text->y < axes->y);
            for (int row = 0; row < ROWS; row++) {
                assert_true(x[row + 1] >= axes->x && x[row + 1] <= axes->x + axes->wide);
                assert_true(y[row + 1] >= axes->y && y[row + 1] <= axes->y + axes->high);
                if (row > 1) assert_true(fabs((x[row + 1] - x[1]) / (x[2] - x[1]) - row) < NEAR);
            }
            /* Heights are proportional to values, with the same zero for all series. */
            if (series == 0) {
                scale = (y[1] - y[2]) / (value_of(0, 1) - value_of(0, 0));
                bottom = y[1] + scale * value_of(0, 0);
                assert_true(scale > 0);
                assert_true(fabs(bottom - (axes->y + axes->high)) < NEAR);
            }
            for (int row = 0; row < ROWS; row++)
                assert_true(fabs(bottom - y[row + 1] - scale * value_of(series, row)) < NEAR);
        }
        free(recorded);
    }
}

/* Lines of a colour that are wider than those of the legend. */
static int joints_of(const struct recorded *recorded, enum colour colour)
{
    int count = 0;
    for (int k = 0; k < recorded->count; k++) {
        const struct drawn *item = &recorded->items[k];
        if (item->kind == DRAWN_LINE && item->colour == colour && item->wide > CANVAS_LINE) count++;
    }
    return count;
}

/* Points stand alone where the chart has no lines. */
static void points_are_not_joined(void **state)
{
    const struct sheet_chart chart = {.title = "Points",
                                      .across = "x",
                                      .across_title = "size",
                                      .up_title = "times",
                                      .heights = {{"a", "first height", false}},
                                      .shape = CHART_POINTS};
    struct recorded *recorded = draw_points(&chart, 2);
    for (int series = 0; series < 2; series++) {
        char name[32];
        snprintf(name, sizeof name, "series %d", series);
        assert_int_equal(joints_of(recorded, recorded_text(recorded, name)->colour), 0);
    }
    free(recorded);
}

/* Points are joined where the chart has lines, each to the next. */
static void lines_join_neighbours(void **state)
{
    const struct sheet_chart chart = {.title = "Lines",
                                      .across = "x",
                                      .across_title = "size",
                                      .up_title = "times",
                                      .heights = {{"a", "first height", false}},
                                      .shape = CHART_LINES};
    struct recorded *recorded = draw_points(&chart, 2);
    for (int series = 0; series < 2; series++) {
        char name[32];
        double x[32], y[32];
        snprintf(name, sizeof name, "series %d", series);
        const enum colour colour = recorded_text(recorded, name)->colour;
        int marks = marks_of(recorded, colour, x, y, 32), joined = 0;
        assert_true(marks >= ROWS);
        const double step = x[marks - 1] - x[marks - 2];
        for (int k = 0; k < recorded->count; k++) {
            const struct drawn *line = &recorded->items[k];
            if (line->kind != DRAWN_LINE || line->colour != colour || line->wide <= CANVAS_LINE) continue;
            assert_true(fabs(line->wide - step) < NEAR);
            assert_false(line->dashed);
            joined++;
        }
        assert_int_equal(joined, ROWS - 1);
    }
    free(recorded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bars_stand_below_each_other),
        cmocka_unit_test(marks_are_where_their_numbers_say),
        cmocka_unit_test(points_are_not_joined),
        cmocka_unit_test(lines_join_neighbours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
