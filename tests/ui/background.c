/* ui/background: answers of terminals and environments on the background; drawing/palette on a light one. */
#include "ui/escapes/background.h"
#include "drawing/palette.h"
#include "support/unit.h"

TEST(answers_are_read)
{
    static const struct {
        const char *colour;
        int light; /* -1: not a colour */
    } answers[] = {{"rgb:ffff/ffff/ffff", 1},
                   {"rgb:1e1e/1e1e/1e1e", 0},
                   {"rgb:f/f/f", 1},
                   {"rgb:0000/0000/ffff", 0},
                   {"rgb:0000/ffff/0000", 1},
                   {"rgba:ff/ff/ff/00", 1},
                   {"#fdf6e3", 1},
                   {"#002b36", 0},
                   {"rgb:ff/ff", -1},
                   {"rgb:", -1},
                   {"", -1},
                   {"#", -1},
                   {"white", -1},
                   {"rgb:ff/xx/ff", -1}};
    for (size_t k = 0; k < sizeof answers / sizeof *answers; k++) {
        bool light = answers[k].light == 0;
        assert_int_equal(background_of_answer(answers[k].colour, &light), answers[k].light >= 0);
        assert_int_equal(light, answers[k].light > 0);
    }
}

TEST(the_environment_is_read)
{
    static const struct {
        const char *variable;
        int light;
    } variables[] = {{"15;0", 0}, {"0;15", 1},        {"0;default;15", 1}, {"12;8", 0},
                     {"0;7", 1},  {"7;6", 0},         {NULL, -1},          {"", -1},
                     {"15", -1},  {"15;default", -1}, {"0;16", -1}};
    for (size_t k = 0; k < sizeof variables / sizeof *variables; k++) {
        bool light = variables[k].light == 0;
        assert_int_equal(background_of_environment(variables[k].variable, &light), variables[k].light >= 0);
        assert_int_equal(light, variables[k].light > 0);
    }
    enum background background;
    assert_int_equal(background_read("light", &background, NULL), STATUS_OK);
    assert_int_equal(background, BACKGROUND_LIGHT);
    assert_int_equal(background_read("pale", &background, NULL), STATUS_USAGE);
}

static int luma(int rgb)
{
    return (299 * (rgb >> 16) + 587 * (rgb >> 8 & 255) + 114 * (rgb & 255)) / 1000;
}

/* Denser cells are darker on a light background, and lighter on a dark one. The least dense cell is
 * visible. */
TEST(dense_cells_stand_out_on_both)
{
    static const enum colour first[] = {COLOUR_DENSITY, COLOUR_MARKED};
    for (int k = 0; k < 2; k++)
        for (int light = 0; light < 2; light++) {
            int before = -1;
            for (int level = 0; level < DENSITY_LEVELS; level++) {
                int now = luma(
                    palette_look(PALETTE_DIRECT, light, (enum colour)((int)first[k] + level), COLOUR_TEXT, 0)
                        .foreground);
                assert_true(light ? now < 190 : now > 65);
                if (before >= 0) assert_true(light ? now <= before : now >= before);
                before = now;
            }
            assert_true(light ? before < 90 : before > 200);
        }
    for (int light = 0; light < 2; light++) {
        const enum colour top = COLOUR_DENSITY + DENSITY_LEVELS - 1;
        assert_int_equal(palette_look(PALETTE_256, light, top, COLOUR_TEXT, 0).foreground, light ? 53 : 226);
        assert_int_equal(palette_look(PALETTE_8, light, top, COLOUR_TEXT, 0).foreground, light ? 0 : 3);
    }
}

/* The squared distance of two colours in red, green and blue. */
static int distance(int a, int b)
{
    int sum = 0;
    for (int shift = 0; shift < 24; shift += 8) {
        int apart = (a >> shift & 255) - (b >> shift & 255);
        sum += apart * apart;
    }
    return sum;
}

/* Full marked cells differ from full unmarked ones; single entries are full cells. */
TEST(marked_cells_are_told_from_others)
{
    for (int light = 0; light < 2; light++) {
        const int last = DENSITY_LEVELS - 1;
        int plain = palette_look(PALETTE_DIRECT, light, COLOUR_DENSITY + last, COLOUR_TEXT, 0).foreground;
        int marked = palette_look(PALETTE_DIRECT, light, COLOUR_MARKED + last, COLOUR_TEXT, 0).foreground;
        assert_true(distance(plain, marked) > 140 * 140);
        int cube = palette_look(PALETTE_256, light, COLOUR_MARKED + last, COLOUR_TEXT, 0).foreground;
        assert_int_equal(cube, light ? 128 : 225);
    }
}
