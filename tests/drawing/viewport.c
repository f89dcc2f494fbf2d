/* ui/viewport: matrix positions and dots on the screen. */
#include "drawing/viewport.h"
#include "support/unit.h"

static const int blocks[] = {2, 1}, braille[] = {4, 2}, single[] = {1, 1};

static struct zoom fit(int64_t rows, int64_t cols, int64_t step, int high, int wide, const int base[2])
{
    return zoom_fit((int64_t[]){rows, cols}, (int64_t[]){step, step}, (int[]){high, wide}, base);
}

TEST(the_whole_matrix_fits)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 17, 40, 41, 100, 4097, 123457, 100000000};
    static const int *const bases[] = {blocks, single};
    for (int r = 0; r < 11; r++)
        for (int c = 0; c < 11; c++)
            for (int b = 0; b < 2; b++) {
                int64_t step[] = {1 + sizes[r] / 4097, 1 + sizes[c] / 4097}, dot[2];
                struct zoom zoom = zoom_fit((int64_t[]){sizes[r], sizes[c]}, step, (int[]){20, 60}, bases[b]);
                const int *pers[] = {bases[b], braille};
                for (int p = 0; p < 2; p++) {
                    zoom_dot(&zoom, 0, pers[p], dot);
                    assert_true(dot[ROWS] * 20 * pers[p][ROWS] >= sizes[r]);
                    assert_true(dot[COLS] * 60 * pers[p][COLS] >= sizes[c]);
                    for (int a = 0; a < 2; a++)
                        assert_true(dot[a] < step[a] || dot[a] % step[a] == 0);
                }
                zoom_dot(&zoom, zoom_levels(&zoom) - 1, bases[b], dot);
                assert_int_equal(dot[ROWS], 1);
                assert_int_equal(dot[COLS], 1);
            }
}

TEST(levels_are_powers_of_two)
{
    /* 10000 x 10000 in 20 x 60 characters, half blocks: 40 dots high, so 250 rows a dot; 128 is the largest
     * power of two that is smaller by sqrt(2) or more. */
    struct zoom zoom = fit(10000, 10000, 1, 20, 60, blocks);
    int64_t dot[2];
    zoom_dot(&zoom, 0, blocks, dot);
    assert_int_equal(dot[ROWS], 250);
    assert_int_equal(dot[COLS], 250);
    assert_int_equal(zoom_levels(&zoom), 9);
    for (int level = 1; level < 9; level++) {
        zoom_dot(&zoom, level, blocks, dot);
        assert_int_equal(dot[ROWS], 256 >> level);
        assert_int_equal(dot[COLS], 256 >> level);
        zoom_dot(&zoom, level, braille, dot);
        assert_int_equal(dot[ROWS], level < 8 ? 128 >> level : 1);
    }
    zoom_dot(&zoom, 0, braille, dot);
    assert_int_equal(dot[ROWS], 125);
}

TEST(dots_are_whole_cells)
{
    struct zoom zoom = fit(30000, 30000, 8, 20, 60, blocks);
    int64_t dot[2];
    for (int level = 0; level < zoom_levels(&zoom); level++) {
        zoom_dot(&zoom, level, braille, dot);
        assert_true(dot[ROWS] < 8 || dot[ROWS] % 8 == 0);
    }
    zoom = fit(10000, 10000, 3, 20, 60, blocks);
    zoom_dot(&zoom, 1, blocks, dot);
    assert_int_equal(dot[ROWS], 129); /* 43 cells, the nearest to 128 */
}

TEST(a_character_a_dot_is_twice_as_many_rows)
{
    struct zoom zoom = fit(10000, 10000, 1, 20, 60, single);
    int64_t dot[2];
    zoom_dot(&zoom, 0, single, dot);
    assert_int_equal(dot[ROWS], 500);
    assert_int_equal(dot[COLS], 250);
}

TEST(a_thin_matrix_does_not_vanish)
{
    struct zoom zoom = fit(25, 10524, 1, 20, 60, blocks);
    int64_t dot[2];
    zoom_dot(&zoom, 0, blocks, dot);
    assert_false(zoom.same);
    assert_int_equal(dot[ROWS], 1);
    assert_int_equal(dot[COLS], 176); /* ceil(10524 / 60) */
    zoom = fit(3000, 9000, 1, 20, 60, blocks);
    assert_true(zoom.same);
    zoom = fit(3, 3, 1, 20, 60, blocks);
    assert_true(zoom.same);
    zoom = fit(60000, 1, 1, 20, 60, blocks); /* 1500 rows a dot, but not 1500 columns */
    zoom_dot(&zoom, 0, blocks, dot);
    assert_int_equal(dot[ROWS], 1500);
    assert_int_equal(dot[COLS], 1);
}

/* Each axis has the smallest dot with which it fits, independent of the other one. */
TEST(a_filled_window_has_two_scales)
{
    struct zoom zoom = zoom_fill((int64_t[2]){3000, 3000}, (int64_t[2]){1, 1}, (int[2]){20, 120}, blocks);
    int64_t dot[2];
    zoom_dot(&zoom, 0, blocks, dot);
    assert_int_equal(dot[ROWS], 75); /* 40 half blocks */
    assert_int_equal(dot[COLS], 25);
    zoom_dot(&zoom, 1, blocks, dot);
    assert_int_equal(dot[ROWS], 32); /* 2^k <= 75 / sqrt(2) */
    assert_int_equal(dot[COLS], 16);
    zoom_dot(&zoom, zoom_levels(&zoom) - 1, blocks, dot);
    assert_true(dot[ROWS] == 1 && dot[COLS] == 1);
}

static struct viewport open_port(int64_t rows, int64_t cols)
{
    return (struct viewport){{rows, cols}, {1, 1}, {0, 0}, {10, 10}};
}

TEST(places_and_dots_agree)
{
    struct viewport port = open_port(1000, 1000);
    viewport_change(&port, (int64_t[]){7, 5}, (int[]){20, 30}, (int64_t[]){500, 500});
    for (int64_t i = 0; i < 1000; i++) {
        int64_t index = viewport_index(&port, ROWS, i);
        assert_true(port.start[ROWS] + index * 7 <= i && i < port.start[ROWS] + (index + 1) * 7);
    }
    assert_true(viewport_shows(&port, (int64_t[]){500, 500}));
    assert_int_equal(port.start[ROWS] % 7, 0);
    assert_int_equal(port.start[COLS] % 5, 0);
}

TEST(the_place_stays_and_zooming_out_undoes_zooming_in)
{
    for (int64_t row = 0; row < 4096; row += 61)
        for (int64_t col = 0; col < 4096; col += 67) {
            struct viewport port = open_port(4096, 4096), before;
            const int64_t place[] = {row, col};
            viewport_change(&port, (int64_t[]){64, 64}, (int[]){32, 32}, place);
            before = port;
            int64_t y = viewport_index(&port, ROWS, row), x = viewport_index(&port, COLS, col);
            for (int64_t dot = 32; dot; dot /= 2) {
                viewport_change(&port, (int64_t[]){dot, dot}, (int[]){32, 32}, place);
                assert_int_equal(viewport_index(&port, ROWS, row), y);
                assert_int_equal(viewport_index(&port, COLS, col), x);
            }
            for (int64_t dot = 2; dot <= 64; dot *= 2)
                viewport_change(&port, (int64_t[]){dot, dot}, (int[]){32, 32}, place);
            assert_memory_equal(&port, &before, sizeof port);
        }
}

TEST(panning_stops_at_the_matrix)
{
    struct viewport port = open_port(105, 50);
    viewport_change(&port, (int64_t[]){10, 10}, (int[]){4, 8}, (int64_t[]){0, 0});
    viewport_pan(&port, ROWS, INT64_MAX);
    assert_int_equal(port.start[ROWS], 70); /* 70..109 hold row 104 */
    assert_int_equal(viewport_used(&port, ROWS), 4);
    viewport_pan(&port, ROWS, INT64_MIN / 2);
    assert_int_equal(port.start[ROWS], 0);
    viewport_pan(&port, COLS, 3); /* all of it is seen: nowhere to go */
    assert_int_equal(port.start[COLS], 0);
    assert_int_equal(viewport_used(&port, COLS), 5);
}

TEST(showing_moves_as_little_as_needed)
{
    struct viewport port = open_port(1000, 1000);
    viewport_show(&port, (int64_t[]){9, 10});
    assert_int_equal(port.start[ROWS], 0);
    assert_int_equal(port.start[COLS], 1);
    viewport_show(&port, (int64_t[]){500, 0});
    assert_int_equal(port.start[ROWS], 491);
    assert_int_equal(port.start[COLS], 0);
}

TEST(resizing_keeps_the_scale)
{
    struct zoom from = fit(10000, 10000, 1, 20, 60, blocks), to = fit(10000, 10000, 1, 45, 120, blocks);
    int64_t before[2], after[2];
    for (int level = 2; level < zoom_levels(&from); level++) {
        zoom_dot(&from, level, blocks, before);
        zoom_dot(&to, zoom_like(&from, level, &to), blocks, after);
        assert_memory_equal(before, after, sizeof before);
    }
    assert_int_equal(zoom_like(&from, 0, &to), 0);
    assert_int_equal(zoom_like(&from, 1, &to), 0); /* 128 rows a dot would be less than fits now */
}

TEST(an_empty_matrix_has_no_dots)
{
    struct viewport port = open_port(0, 0);
    struct zoom zoom = fit(0, 5, 1, 20, 60, blocks);
    int64_t dot[2];
    zoom_dot(&zoom, 0, blocks, dot);
    viewport_change(&port, dot, (int[]){40, 60}, (int64_t[]){0, 0});
    assert_int_equal(viewport_used(&port, ROWS), 0);
    viewport_pan(&port, ROWS, 5);
    assert_int_equal(port.start[ROWS], 0);
}

/* Cells of 20 x 10 pixels. At level 0 the whole matrix fits. Dots are squares, which are halved until a
 * position is a square of 8 x 8 pixels, the size of a shaded dot. */
TEST(pixels_are_squares_of_places)
{
    static const struct {
        int64_t rows, cols;
        int chars[2];
    } cases[] = {{3600, 3600, {37, 62}},
                 {90, 200, {40, 80}},
                 {200, 90, {40, 80}},
                 {1, 1, {20, 70}},
                 {5000, 1200, {50, 150}}};
    static const int base[2] = {2, 1}, per[2] = {20, 10};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct zoom zoom =
            zoom_fit((int64_t[2]){cases[k].rows, cases[k].cols}, (int64_t[2]){1, 1}, cases[k].chars, base);
        int64_t dot[2], before = INT64_MAX;
        int large[2], dots[2];
        for (int level = 0; level < zoom_levels(&zoom); level++) {
            zoom_pixels(&zoom, level, per, dot, large, dots);
            if (zoom.same) assert_int_equal(large[ROWS], large[COLS]);
            for (int a = 0; a < 2; a++) {
                assert_true(dots[a] * large[a] <= cases[k].chars[a] * per[a]);
                assert_true((dots[a] + 1) * large[a] > cases[k].chars[a] * per[a]);
                assert_true(dot[a] == 1 || large[a] == 1);
                if (level == 0) assert_true(dots[a] * dot[a] >= zoom.size[a]);
                if (level > 1) assert_true(dot[a] * 2 == before || dot[a] == 1 || !zoom.same);
            }
            before = dot[COLS];
        }
        if (zoom_levels(&zoom) > 1) assert_int_equal(large[COLS], 8);
    }
}

/* A matrix without rows, columns, or both has no dots to draw, but dots have a size. */
TEST(pixels_of_an_empty_matrix_have_a_size)
{
    static const int64_t sizes[][2] = {{0, 5}, {5, 0}, {0, 0}};
    static const int base[2] = {2, 1}, per[2] = {20, 10};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct zoom zoom = zoom_fit(sizes[k], (int64_t[2]){1, 1}, (int[2]){20, 60}, base);
        for (int level = 0; level < 3; level++) {
            int64_t dot[2] = {0};
            int large[2] = {0}, dots[2] = {0};
            zoom_pixels(&zoom, level, per, dot, large, dots);
            for (int a = 0; a < 2; a++) {
                assert_true(dot[a] >= 1 && large[a] >= 1 && dots[a] >= 1);
                assert_true(dots[a] * large[a] <= zoom.chars[a] * per[a]);
                if (level == 0) assert_true(dots[a] * dot[a] >= zoom.size[a]);
            }
        }
    }
}
