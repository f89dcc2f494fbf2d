/* Plots with two logarithmic axes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "drawing/log_plot.h"

static void label(double value, char *out, size_t size)
{
    snprintf(out, size, "%g", value);
}

static double square(const void *factor, double x)
{
    return *(const double *)factor * x * x;
}

/* Draw axes and y = x^2 into a surface of 12 x 61, the plot at (0, 10). */
static void draw(struct surface *surface, struct log_plot *plot, struct text *dump, bool ascii)
{
    static const double one = 1;
    assert_int_equal(surface_resize(surface, 12, 61, NULL), STATUS_OK);
    surface_clear(surface);
    plot->surface = surface;
    plot->rect = (struct rect){0, 10, 9, 51};
    plot->ascii = ascii;
    log_plot_axes(plot, 9, label, label);
    log_plot_curve(plot, square, &one, COLOUR_ROWS, 'z');
    surface_dump(surface, dump);
}

/* A square rises by two decades a decade: from the lower left corner to the upper right one. */
static void a_power_is_a_line(void **state)
{
    struct surface surface = {0};
    struct text dump = {0};
    struct log_plot plot = {.left = 1, .right = 1e5, .bottom = 1, .top = 1e10};
    draw(&surface, &plot, &dump, true);
    assert_int_equal(surface.cells[0 * 61 + 60].character, 'z');
    assert_int_equal(surface.cells[4 * 61 + 35].character, 'z');
    assert_int_equal(surface.cells[8 * 61 + 10].character, 'z');
    assert_int_equal(log_plot_column(&plot, 1), 10);
    assert_int_equal(log_plot_column(&plot, 1e5), 60);
    assert_int_equal(log_plot_row(&plot, 1), 8);
    assert_int_equal(log_plot_row(&plot, 1e10), 0);
    text_free(&dump);
    surface_free(&surface);
}

/* The curve leaves the plot where it is above it. */
static void a_curve_ends_at_the_edge(void **state)
{
    struct surface surface = {0};
    struct text dump = {0};
    struct log_plot plot = {.left = 1, .right = 1e4, .bottom = 1, .top = 1e4};
    draw(&surface, &plot, &dump, true);
    for (int x = 40; x < 61; x++)
        for (int y = 0; y < 9; y++)
            assert_int_not_equal(surface.cells[y * 61 + x].character, 'z');
    assert_int_equal(surface.cells[0 * 61 + 35].character, 'z');
    text_free(&dump);
    surface_free(&surface);
}

/* Two decades have 1, 2 and 5; five have powers of ten alone. The last label ends at the edge. */
static void ticks_are_round(void **state)
{
    struct surface surface = {0};
    struct text dump = {0};
    struct log_plot plot = {.left = 1, .right = 100, .bottom = 1, .top = 10};
    draw(&surface, &plot, &dump, false);
    assert_non_null(strstr(dump.data, "          1      2         5      10      20        50    100\n"));
    text_free(&dump);
    dump = (struct text){0};
    plot = (struct log_plot){.left = 1, .right = 1e5, .bottom = 1, .top = 1e10};
    draw(&surface, &plot, &dump, false);
    assert_non_null(strstr(dump.data, "          1        10        100      1000      10000  100000\n"));
    assert_null(strstr(dump.data, " 20 "));
    text_free(&dump);
    surface_free(&surface);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_power_is_a_line),
        cmocka_unit_test(a_curve_ends_at_the_edge),
        cmocka_unit_test(ticks_are_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
