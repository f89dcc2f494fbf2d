/* Runs beside each other on Kernels: the headings of those that can be compared with the base, whichever run
 * that is. */
#include <stdio.h>
#include <string.h>

#include "support/kernels_screen.h"
#include "support/unit.h"
#include "ui/kernels/kernels.h"

/* The number of times that a text stands in a row of the screen. */
static int count_of(const struct stage *stage, int y, const char *text)
{
    char line[256] = "";
    int count = 0;
    for (int x = 0; x < stage->surface.wide; x++) {
        const uint32_t c = stage->surface.cells[y * stage->surface.wide + x].character;
        line[x] = c < 128 ? (char)c : '?';
    }
    for (const char *at = line; (at = strstr(at, text)); at++)
        count++;
    return count;
}

/* The third of four runs is of another product. A ratio to the base needs the base's product, and is not of
 * itself. */
TEST(ratios_are_of_runs_of_the_same_product)
{
    static const struct outcome outcomes[] = {{"cpu/csr-seq", 1, 1e-3, 1e-5}, {NULL, 0, 0, 0}};
    FREED(stage_close) struct stage stage;
    stage_kernels(&stage, 22, 150);
    for (int k = 0; k < 4; k++) {
        struct run *run = stage_run(&stage, outcomes, PRECISION_F64, "a run");
        run->results.options.product.columns = k == 2 ? 4 : 1;
    }
    stage_type(&stage, "b");
    const struct kernels_screen *screen = screen_of(&stage);
    assert_int_equal(screen->mode, MODE_BESIDE);
    assert_int_equal(screen->heading_count, 4);
    bool seen[4] = {false};
    for (int k = 0; k < 4; k++) {
        const struct heading heading = screen->headings[k];
        const int below = screen->body.top - 1; /* the last line of the headings */
        char words[32];
        stage_mouse(&stage, MOUSE_PRESS, screen->body.top - 1, heading.x);
        stage_draw(&stage);
        assert_in_range(screen->base, 0, 3);
        seen[screen->base] = true;
        snprintf(words, sizeof words, " of #%d", screen->base + 1);
        assert_int_equal(count_of(&stage, below, words), screen->base == 2 ? 0 : 2);
        assert_int_equal(count_of(&stage, below, " of #"), screen->base == 2 ? 0 : 2);
        snprintf(words, sizeof words, "#%d base", screen->base + 1);
        assert_int_equal(count_of(&stage, below - 2, words), 1);
        assert_int_equal(count_of(&stage, below - 2, " base"), 1);
    }
    for (int k = 0; k < 4; k++)
        assert_true(seen[k]);
}
