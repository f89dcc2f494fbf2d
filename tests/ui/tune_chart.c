/* The map of a tuning is read back from the screen at many sizes: headings are the values of the parameters,
 * and each cell is T / T(best) of the fastest variant there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/shade.h"
#include "support/kernels.h"
#include "support/preparing.h"
#include "support/unit.h"
#include "ui/widgets/tune_chart.h"

enum { CS = 6, SIGMAS = 4, VARIANTS = CS * SIGMAS, WIDE_MAX = 80, TOP = 2, LEFT = 3 };

static const int heights[CS] = {2, 4, 8, 16, 32, 128}, windows[SIGMAS] = {256, 512, 1024, 4096};

/* No variant was run with the second height and the last window, and the best has the third of each. */
static double time_of(int c, int sigma)
{
    return c == 1 && sigma == 3 ? NAN : 1e-6 * (1 + 3.3 * abs(c - 2) * abs(c - 2) + 0.07 * abs(sigma - 2));
}

struct tuning {
    struct result items[VARIANTS];
    struct run run;
};

static void make(struct tuning *tuning)
{
    int count = 0;
    for (int c = 0; c < CS; c++)
        for (int sigma = 0; sigma < SIGMAS; sigma++) {
            char text[64];
            if (isnan(time_of(c, sigma))) continue;
            snprintf(text, sizeof text, "c=%d,sigma=%d", heights[c], windows[sigma]);
            const struct kernel_choice choice =
                preparing_choice(&kernel_cpu_sell_omp, text, PRECISION_F64, 2);
            struct result *result = &tuning->items[count++];
            *result = result_unrun(&choice, false, (struct product){0});
            result->status = STATUS_OK;
            result->resolved = choice;
            result->samples = (struct samples){.count = 9, .time = time_of(c, sigma)};
            result->tuned = (struct tuned){
                .space = VARIANTS, .runs = VARIANTS - 1, .speedup = time_of(CS - 1, 0) / time_of(c, sigma)};
        }
    tuning->run = (struct run){.number = 1, .results = {.items = tuning->items, .count = count}};
}

static struct surface surface;

static const struct cell *cell_at(int y, int x)
{
    return &surface.cells[y * surface.wide + x];
}

/* The characters of `wide` columns without blanks at the ends. */
static const char *read_at(int y, int x, int wide, char out[WIDE_MAX])
{
    int length = 0;
    for (int k = 0; k < wide; k++)
        if (length > 0 || cell_at(y, x + k)->character != ' ')
            out[length++] = (char)cell_at(y, x + k)->character;
    while (length > 0 && out[length - 1] == ' ')
        length--;
    out[length] = 0;
    return out;
}

/* The first column of this word in a row, or -1. */
static int find(int y, const char *word)
{
    char line[WIDE_MAX * 2 + 1];
    for (int x = 0; x < surface.wide; x++)
        line[x] = (char)cell_at(y, x)->character;
    line[surface.wide] = 0;
    const char *found = strstr(line, word);
    return found ? (int)(found - line) : -1;
}

/* The number of a cell: T / T(best) in two digits behind the point below 10, in one above, at most 99. */
static void expect_cell(int c, int sigma, int y, int x, int wide)
{
    char shown[WIDE_MAX], expected[32];
    const double ratio = time_of(c, sigma) / time_of(2, 2);
    const bool best = c == 2 && sigma == 2;
    read_at(y, x, wide - 1, shown);
    if (isnan(ratio)) {
        assert_string_equal(read_at(y, x, wide, shown), ".");
        return;
    }
    snprintf(expected, sizeof expected,
             ratio < 9.995  ? "%s%.2f"
             : ratio < 99.5 ? "%s%.1f"
                            : "%s99+",
             best ? ">" : "", ratio);
    assert_string_equal(shown, expected);
    if (!(cell_at(y, x + wide - 2)->attributes & ATTRIBUTE_REVERSE)) /* the cursor has one colour */
        assert_int_equal(cell_at(y, x + wide - 2)->foreground == COLOUR_GOOD, best);
}

/* The first level of density with this mark. */
static int level_of(int mark)
{
    int level = 0;
    while (level < DENSITY_LEVELS && (int)shade_character(level, true) != mark)
        level++;
    assert_in_range(level, 0, DENSITY_LEVELS - 1);
    return level;
}

/* Marks are never lighter for faster variants, and the slowest and the fastest have the ends of the scale. */
static void expect_order(int marks[CS][SIGMAS])
{
    for (int a = 0; a < VARIANTS; a++)
        for (int b = 0; b < VARIANTS; b++) {
            const int one = marks[a / SIGMAS][a % SIGMAS], other = marks[b / SIGMAS][b % SIGMAS];
            if (!one || !other || !(time_of(a / SIGMAS, a % SIGMAS) < time_of(b / SIGMAS, b % SIGMAS)))
                continue;
            assert_true(level_of(one) >= level_of(other));
        }
    if (marks[2][2]) assert_int_equal(marks[2][2], shade_character(DENSITY_LEVELS - 1, true));
    if (marks[CS - 1][0]) assert_int_equal(marks[CS - 1][0], shade_character(0, true));
}

/* Read the whole map back; returns how many values of each parameter are shown. */
static void expect_map(const struct tune_chart *chart, struct rect rect, int *across, int *down)
{
    const int top = rect.top + 1, head = find(top, "c"), step = 6;
    int first = -1, marks[CS][SIGMAS] = {{0}};
    char word[WIDE_MAX];
    assert_true(head > 0);
    assert_int_equal(find(top + 1, "sigma"), rect.left + 1);
    *across = *down = 0;
    for (int x = head - 1; x + step <= rect.left + rect.wide - 1; x += step) {
        const int value = atoi(read_at(top + 1, x, step, word));
        if (value == 0) break;
        if (first < 0)
            for (first = 0; heights[first] != value;)
                first++;
        assert_int_equal(value, heights[first + *across]);
        assert_int_equal(cell_at(top + 1, x + step - 1)->foreground == COLOUR_ACCENT,
                         first + *across == chart->x);
        ++*across;
    }
    int begin = -1;
    for (int y = top + 2;; y++) {
        const int value = atoi(read_at(y, rect.left + 1, head - rect.left - 3, word));
        if (value == 0) break;
        if (begin < 0)
            for (begin = 0; windows[begin] != value;)
                begin++;
        assert_int_equal(value, windows[begin + *down]);
        for (int k = 0; k < *across; k++) {
            const int x = head - 1 + k * step;
            expect_cell(first + k, begin + *down, y, x, step);
            if (!isnan(time_of(first + k, begin + *down)))
                marks[first + k][begin + *down] = (int)cell_at(y, x + step - 1)->character;
            assert_int_equal((cell_at(y, x + step - 2)->attributes & ATTRIBUTE_REVERSE) != 0,
                             first + k == chart->x && begin + *down == chart->y);
        }
        ++*down;
    }
    expect_order(marks);
    /* The cursor is among them, and more are at the sides if not all are. */
    assert_in_range(chart->x, first, first + *across - 1);
    assert_in_range(chart->y, begin, begin + *down - 1);
    assert_int_equal(find(top, "more at the sides") >= 0, *across < CS);
}

TEST(cells_are_ratios_of_times)
{
    static struct tuning tuning;
    const struct explorer explorer = {.ascii = true};
    struct tune_chart chart = {0};
    make(&tuning);
    assert_true(tune_chart_make(&chart, &tuning.run));
    assert_int_equal(chart.x, 2);
    assert_int_equal(chart.y, 2);
    assert_int_equal(surface_resize(&surface, 24, 2 * WIDE_MAX, NULL), STATUS_OK);
    for (int wide = 40; wide <= WIDE_MAX; wide++) {
        /* Without room for a second line of the map, the cursor's line is there. */
        const int high = 8 + wide % 7;
        const struct rect rect = {TOP, LEFT, high, wide};
        int across, down;
        tune_chart_move(&chart, -CS, -SIGMAS);
        tune_chart_move(&chart, wide % CS, wide / CS % SIGMAS);
        assert_int_equal(chart.x, wide % CS);
        assert_int_equal(chart.y, wide / CS % SIGMAS);
        surface_clear(&surface);
        tune_chart_draw(&explorer, &chart, "Press Enter.", &surface, rect);
        expect_map(&chart, rect, &across, &down);
        assert_int_equal(across, (wide - 2 - 11) / 6 < CS ? (wide - 2 - 11) / 6 : CS);
        assert_int_equal(down, high - 7 < SIGMAS ? high - 7 : SIGMAS);
    }
    surface_free(&surface);
}

/* The words are of the variant under the cursor, and nothing is drawn outside of the rectangle. */
TEST(the_variant_under_the_cursor_is_described)
{
    static struct tuning tuning;
    const struct explorer explorer = {.colours = true, .shades = true, .ascii = true};
    struct tune_chart chart = {0};
    make(&tuning);
    assert_true(tune_chart_make(&chart, &tuning.run));
    assert_int_equal(surface_resize(&surface, 16, WIDE_MAX + 2 * LEFT, NULL), STATUS_OK);
    for (int c = 0; c < CS; c++)
        for (int sigma = 0; sigma < SIGMAS; sigma++) {
            const struct rect rect = {TOP, LEFT, 13, WIDE_MAX};
            char words[64];
            tune_chart_move(&chart, -CS, -SIGMAS);
            tune_chart_move(&chart, c, sigma);
            surface_clear(&surface);
            tune_chart_draw(&explorer, &chart, "Press Enter.", &surface, rect);
            const int y = rect.top + rect.high - 3;
            const struct result *result = tune_chart_result(&chart);
            assert_int_equal(result != NULL, !isnan(time_of(c, sigma)));
            if (!result) {
                assert_int_equal(find(y, "No variant with these two values was run."), rect.left + 1);
                continue;
            }
            snprintf(words, sizeof words, "c=%d,sigma=%d", heights[c], windows[sigma]);
            assert_true(find(y, words) > 0);
            const double us = time_of(c, sigma) * 1e6;
            snprintf(words, sizeof words, us < 10 ? "%.2f us" : "%.1f us", us);
            assert_true(find(y, words) > 0);
            assert_true(find(y, "x as fast as untuned") > 0);
            assert_true(find(y + 1, "Press Enter.") > 0);
            assert_true(find(TOP, "kernel 1 of 1") > 0);
            for (int at = 0; at < surface.high * surface.wide; at++)
                if (!rect_holds(rect, at / surface.wide, at % surface.wide))
                    assert_int_equal(surface.cells[at].character, ' ');
        }
    surface_free(&surface);
}
