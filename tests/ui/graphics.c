/* ui/graphics: answers of terminals; ui/shown: the output to them, checked by a model of a terminal; and the
 * pixels of the Pattern screen. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "drawing/palette.h"
#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/escapes/graphics.h"
#include "ui/escapes/shown.h"
#include "ui/pattern/pattern.h"

TEST(answers_are_told_from_keys)
{
    static const struct {
        const char *bytes;
        enum answer kind;
    } cases[] = {{"", ANSWER_PARTIAL},
                 {"]11;rgb:00/00/00\033\\", ANSWER_BACKGROUND},
                 {"]11;rgb:00/00/00\a", ANSWER_BACKGROUND},
                 {"]11;rgb:00/00", ANSWER_PARTIAL},
                 {"]1", ANSWER_PARTIAL},
                 {"]4;1", ANSWER_NONE},
                 {"_G", ANSWER_PARTIAL},
                 {"_Gi=31;OK", ANSWER_PARTIAL},
                 {"_Gi=31;OK\033\\", ANSWER_KITTY},
                 {"_x", ANSWER_NONE},
                 {"[", ANSWER_PARTIAL},
                 {"[?62;4", ANSWER_PARTIAL},
                 {"[?62;4c", ANSWER_FENCE},
                 {"[?6c", ANSWER_FENCE},
                 {"[?1;0;256S", ANSWER_SIXEL},
                 {"[?25h", ANSWER_NONE},
                 {"[6;20;10t", ANSWER_CELL},
                 {"[6", ANSWER_PARTIAL},
                 {"[6~", ANSWER_NONE},
                 {"[6;5~", ANSWER_NONE},
                 {"[A", ANSWER_NONE},
                 {"[1;5C", ANSWER_NONE},
                 {"[4;20;10t", ANSWER_NONE},
                 {"OA", ANSWER_NONE},
                 {"x", ANSWER_NONE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        if (answer_kind(cases[k].bytes) != cases[k].kind) fail_msg("%s", cases[k].bytes);
}

TEST(answers_are_read)
{
    struct graphics graphics = {0};
    static const char *const without[] = {"[?4;6c", "[?1;2c", "[?6c", "[?64;1;2;14;40c", "[?c"};
    for (size_t k = 0; k < sizeof without / sizeof *without; k++) {
        graphics_take(&graphics, ANSWER_FENCE, without[k]);
        assert_false(graphics.sixel);
    }
    graphics_take(&graphics, ANSWER_FENCE, "[?62;22;4c");
    assert_true(graphics.sixel);
    graphics_take(&graphics, ANSWER_CELL, "[6;20;10t");
    graphics_take(&graphics, ANSWER_CELL, "[6;0;10t");
    graphics_take(&graphics, ANSWER_CELL, "[6;20t");
    graphics_take(&graphics, ANSWER_CELL, "[6;2000;10t");
    assert_int_equal(graphics.cell[ROWS], 20);
    assert_int_equal(graphics.cell[COLS], 10);
    graphics_take(&graphics, ANSWER_SIXEL, "[?1;3;16S"); /* 3 stands for failure */
    assert_int_equal(graphics.registers, 0);
    graphics_take(&graphics, ANSWER_SIXEL, "[?1;0;256S");
    graphics_take(&graphics, ANSWER_SIXEL, "[?2;0;1000;800S");
    assert_int_equal(graphics.registers, 256);
    assert_int_equal(graphics.largest[ROWS], 800);
    assert_int_equal(graphics.largest[COLS], 1000);
    graphics_take(&graphics, ANSWER_KITTY, "_Gi=31;ENOENT:no\033\\");
    assert_false(graphics.kitty);
    graphics_take(&graphics, ANSWER_KITTY, "_Gi=31;OK\033\\");
    assert_true(graphics.kitty);
}

TEST(the_option_is_read)
{
    enum graphics_wish wish = GRAPHICS_NONE;
    struct error error = {0};
    assert_int_equal(graphics_read("auto", &wish, NULL), STATUS_OK);
    assert_int_equal(wish, GRAPHICS_ASKED);
    assert_int_equal(graphics_read("sixel", &wish, NULL), STATUS_OK);
    assert_int_equal(wish, GRAPHICS_SIXEL);
    assert_int_equal(graphics_read("sixels", &wish, &error), STATUS_USAGE);
    assert_string_equal(error.message,
                        "--graphics is auto, kitty, sixel or none, and not 'sixels'; did you mean sixel?");
}

/* A model of a terminal with 24 x 80 cells of 20 x 10 pixels. For each cell it only records whether it shows
 * the last picture sent. It understands the output of shown_update only. */
#define HIGH 24
#define WIDE 80
static const struct graphics told = {.cell = {20, 10}};

struct model {
    bool picture[HIGH][WIDE];
    bool placed[8][HIGH][WIDE]; /* by each placement of the kitty image `image` */
    int image, y, x, sent;
};

static long number_after(const char *bytes, const char *key, size_t length)
{
    for (size_t k = 0; k + strlen(key) < length; k++)
        if (memcmp(bytes + k, key, strlen(key)) == 0) return strtol(bytes + k + strlen(key), NULL, 10);
    return 0;
}

static void model_kitty(struct model *model, const char *c, size_t length)
{
    int image = (int)number_after(c, ",i=", length), p = (int)number_after(c, ",p=", length);
    assert_in_range(p, 0, 7);
    if (memcmp(c, "a=t", 3) == 0) model->sent++;
    if (memcmp(c, "a=t", 3) == 0) model->image = image;
    if (memcmp(c, "a=t", 3) == 0) memset(model->placed, 0, sizeof model->placed);
    if (memcmp(c, "a=d,d=i", 7) == 0) memset(model->placed[p], 0, sizeof model->placed[p]);
    if (memcmp(c, "a=d,d=I", 7) == 0 && image == model->image) memset(model->placed, 0, sizeof model->placed);
    if (memcmp(c, "a=p", 3) != 0) return;
    assert_int_equal(image, model->image);
    memset(model->placed[p], 0, sizeof model->placed[p]);
    int high = (int)number_after(c, ",h=", length), wide = (int)number_after(c, ",w=", length);
    for (int y = 0; y * 20 < high; y++)
        for (int x = 0; x * 10 < wide; x++)
            model->placed[p][model->y + y][model->x + x] = true;
}

static void model_take(struct model *model, const char *c)
{
    while (c && *c) {
        const char *end = strstr(c, "\033\\");
        assert_int_equal(*c, '\033');
        if (memcmp(c, "\0337", 2) == 0 || memcmp(c, "\0338", 2) == 0 || memcmp(c, "\033\\", 2) == 0) {
            c += 2;
        } else if (c[1] == '[') {
            char *after;
            long a = strtol(c + 2, &after, 10), b = *after == ';' ? strtol(after + 1, &after, 10) : 0;
            if (*after == 'H') model->y = (int)a - 1;
            if (*after == 'H') model->x = (int)b - 1;
            assert_true(*after == 'H' || *after == 'X');
            for (int k = 0; *after == 'X' && k < a; k++)
                model->picture[model->y][model->x + k] = false;
            c = after + 1;
        } else if (c[1] == 'P') {
            long wide = number_after(c, "\"1;1;", 20),
                 high = strtol(strchr(strstr(c, "\"1;1;") + 5, ';') + 1, NULL, 10);
            assert_non_null(end);
            for (int y = 0; y * 20 < high; y++)
                for (int x = 0; x * 10 < wide; x++) {
                    assert_false(model->picture[model->y + y][model->x + x]); /* or old pixels would show */
                    model->picture[model->y + y][model->x + x] = true;
                }
            model->sent++;
            c = end + 2;
        } else {
            assert_memory_equal(c, "\033_G", 3);
            assert_non_null(end);
            model_kitty(model, c + 3, (size_t)(end - c - 3));
            c = end + 2;
        }
    }
}

static bool model_shows(const struct model *model, int y, int x)
{
    bool shows = model->picture[y][x];
    for (int p = 0; p < 8; p++)
        shows = shows || model->placed[p][y][x];
    return shows;
}

struct bench {
    struct surface surface, before;
    struct pixmap pixmap;
    struct shown shown;
    struct model model;
    struct text out;
    enum graphics_way way;
    struct graphics graphics;
};

static struct bench bench;

/* Let curses write the changes, then update the picture. It must be at its position, and in no cell twice.
 * Returns the number of bytes sent for it. */
static size_t update(void)
{
    static const struct pixmap_colours colours = {{0}};
    bool sixel = bench.way == WAY_SIXEL;
    for (int k = 0; k < HIGH * WIDE; k++) {
        const struct cell *cell = &bench.surface.cells[k], *before = &bench.before.cells[k];
        bool same = cell->character == before->character &&
                    (cell->attributes & ATTRIBUTE_PIXELS) == (before->attributes & ATTRIBUTE_PIXELS);
        if (!same) bench.model.picture[k / WIDE][k % WIDE] = false;
        bench.before.cells[k] = *cell;
    }
    bench.out.length = 0;
    shown_update(&bench.shown, &bench.surface, bench.way, &bench.graphics, &colours, &bench.out);
    assert_false(bench.out.failed);
    if (bench.out.length) model_take(&bench.model, bench.out.data);
    for (int k = 0; k < HIGH * WIDE; k++) {
        const struct cell *cell = &bench.surface.cells[k];
        bool wanted = bench.surface.pixmap && cell->attributes & ATTRIBUTE_PIXELS && bench.way != WAY_NONE &&
                      !(sixel && cell->character != ' ');
        if (model_shows(&bench.model, k / WIDE, k % WIDE) != wanted)
            fail_msg("cell %d, %d", k / WIDE, k % WIDE);
    }
    return bench.out.length;
}

static int close_bench(void **state)
{
    shown_free(&bench.shown);
    surface_free(&bench.surface);
    surface_free(&bench.before);
    pixmap_free(&bench.pixmap);
    text_free(&bench.out);
    return 0;
}

TESTS_BETWEEN(NULL, close_bench)

/* Open a new bench; the one before leaves nothing. */
static void open_bench(enum graphics_way way)
{
    close_bench(NULL);
    bench = (struct bench){0};
    bench.way = way;
    bench.graphics = told;
    assert_int_equal(surface_resize(&bench.surface, HIGH, WIDE, NULL), STATUS_OK);
    assert_int_equal(surface_resize(&bench.before, HIGH, WIDE, NULL), STATUS_OK);
    assert_int_equal(pixmap_resize(&bench.pixmap, 333, 405, NULL), STATUS_OK);
    memset(bench.pixmap.pixels, COLOUR_DENSITY, 333 * 405);
    bench.model.image = -1;
}

static void draw_picture(void)
{
    surface_clear(&bench.surface);
    surface_picture(&bench.surface, (struct rect){3, 5, 17, 41}, &bench.pixmap);
}

static size_t redraw(void)
{
    draw_picture();
    return update();
}

static const enum graphics_way ways[] = {WAY_KITTY, WAY_SIXEL};

TEST(a_picture_is_sent_once)
{
    for (int k = 0; k < 2; k++) {
        open_bench(ways[k]);
        assert_int_equal(update(), 0);
        assert_true(redraw() > 100);
        assert_int_equal(bench.model.sent, 1);
        assert_int_equal(redraw(), 0);
        bench.pixmap.pixels[332 * 405 + 404] = COLOUR_MARK;
        assert_true(update() > 100);
        assert_int_equal(bench.model.sent, 2);
        draw_picture();
        surface_picture(&bench.surface, (struct rect){4, 5, 17, 41}, &bench.pixmap); /* and row 3 stays so */
        surface_blank(&bench.surface, (struct rect){3, 5, 1, 41});
        update();
        assert_int_equal(bench.model.sent, 3);
        surface_clear(&bench.surface);
        assert_true(update() <= (ways[k] == WAY_KITTY ? 100 : 0));
        redraw();
        assert_int_equal(bench.model.sent, 4);
    }
}

/* Text over the picture is visible, and the picture returns when the text goes. A moved cursor costs less
 * than 300 bytes. */
TEST(text_over_it_is_visible)
{
    for (int k = 0; k < 2; k++) {
        open_bench(ways[k]);
        redraw();
        for (int x = 5; x < 46; x++) {
            draw_picture();
            surface_put(&bench.surface, 9, x, '+', COLOUR_CURSOR, COLOUR_TEXT, ATTRIBUTE_PIXELS);
            assert_true(update() <= (ways[k] == WAY_KITTY ? 0 : 300));
        }
        redraw();
        surface_blank(&bench.surface, (struct rect){6, 10, 7, 20});
        surface_text(&bench.surface, 7, 12, 10, COLOUR_TEXT, 0, "a list");
        update();
        surface_text(&bench.surface, 19, 40, 20, COLOUR_TEXT, 0, "at its corner");
        update();
        redraw();
        assert_int_equal(bench.model.sent, ways[k] == WAY_KITTY ? 1 : bench.model.sent);
        surface_blank(&bench.surface, (struct rect){0, 0, HIGH, WIDE});
        update();
        redraw();
    }
}

/* After patches of a sixel picture, the whole picture is sent again. Other terminals and pictures do not need
 * that. */
TEST(patches_are_renewed)
{
    open_bench(WAY_SIXEL);
    redraw();
    for (int x = 5; x < 20; x++) {
        draw_picture();
        surface_put(&bench.surface, 9, x, '+', COLOUR_CURSOR, COLOUR_TEXT, ATTRIBUTE_PIXELS);
        update();
        assert_int_equal(shown_is_patched(&bench.shown), x >= 5 + 8);
    }
    bench.out.length = 0;
    shown_renew(&bench.shown, &bench.graphics, &bench.out);
    model_take(&bench.model, bench.out.data);
    assert_false(shown_is_patched(&bench.shown));
    assert_int_equal(update(), 0);
}

/* A terminal that shows no larger pictures gets several. */
TEST(large_pictures_are_cut)
{
    open_bench(WAY_SIXEL);
    bench.graphics.largest[ROWS] = 100;
    bench.graphics.largest[COLS] = 155;
    redraw();
    assert_int_equal(bench.model.sent, 4 * 3); /* of 5 x 15 cells of 17 x 41 */
    for (const char *c = bench.out.data; (c = strstr(c, "\"1;1;")); c++) {
        assert_true(strtol(c + 5, NULL, 10) <= 155);
        assert_true(strtol(strchr(c + 5, ';') + 1, NULL, 10) <= 100);
    }
}

/* The picture vanishes with the terminal's answer, with its cells, or for lack of memory. */
TEST(ways_and_cells_may_change)
{
    open_bench(WAY_KITTY);
    redraw();
    memory_fail_after(0);
    bench.pixmap.pixels[0] = COLOUR_MARK;
    bench.out.length = 0;
    static const struct pixmap_colours colours = {{0}};
    assert_int_equal(pixmap_resize(&bench.pixmap, 340, 410, NULL), STATUS_MEMORY);
    memory_fail_after(-1);
    bench.way = WAY_NONE;
    update();
    assert_int_equal(bench.shown.way, WAY_NONE);
    bench.way = WAY_SIXEL;
    update();
    assert_int_equal(bench.model.sent, 2);
    assert_int_equal(pixmap_resize(&bench.pixmap, 340, 410, NULL), STATUS_OK);
    memset(bench.pixmap.pixels, COLOUR_MARK, 340 * 410);
    memory_fail_after(0);
    bench.out.length = 0;
    shown_update(&bench.shown, &bench.surface, bench.way, &bench.graphics, &colours, &bench.out);
    memory_fail_after(-1);
    assert_int_equal(bench.shown.way, WAY_NONE);
}

/* The Pattern screen. */
static const int cell_pixels[2] = {20, 10};

static const struct pattern *open_pattern(struct stage *stage, struct csr a, int high, int wide)
{
    stage_open(stage, &view_pattern, a, FIELD_REAL, high, wide);
    stage->explorer.pixels = cell_pixels;
    stage_draw(stage);
    const struct pattern *pattern = stage->state;
    assert_int_equal(pattern->picture, PICTURE_PIXELS);
    return pattern;
}

/* Count the entries of the dots one by one, and compare them with the pixels. */
static void assert_counts(const struct stage *stage, const struct pattern *pattern)
{
    const struct csr *a = &stage->session.shown->matrix.csr;
    const struct viewport *port = &pattern->port;
    const struct pixmap *pixmap = stage->surface.pixmap;
    int high = viewport_used(port, ROWS), wide = viewport_used(port, COLS);
    int64_t *counts = calloc((size_t)high * (size_t)wide, sizeof *counts);
    assert_non_null(counts);
    assert_non_null(pixmap);
    assert_int_equal(pixmap->high, high * pattern->large[ROWS]);
    assert_int_equal(pixmap->wide, wide * pattern->large[COLS]);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++) {
            int64_t y = i - port->start[ROWS], x = a->col[k] - port->start[COLS];
            if (y < 0 || x < 0 || y >= high * port->dot[ROWS] || x >= wide * port->dot[COLS]) continue;
            counts[y / port->dot[ROWS] * wide + x / port->dot[COLS]]++;
        }
    for (int y = 0; y < pixmap->high; y++)
        for (int x = 0; x < pixmap->wide; x++) {
            int64_t count = counts[y / pattern->large[ROWS] * wide + x / pattern->large[COLS]];
            int level =
                shade_level(&pattern->shade, (double)count / (double)(port->dot[ROWS] * port->dot[COLS]));
            assert_int_equal(pixmap_row(pixmap, y)[x], level < 0 ? COLOUR_TEXT : COLOUR_DENSITY + level);
        }
    free(counts);
}

TEST(pixels_are_exact_counts)
{
    FREED(stage_close) struct stage stage;
    const struct pattern *pattern =
        open_pattern(&stage, support_matrix(1500, 1700, 0.01, true, false, 7), 30, 100);
    assert_counts(&stage, pattern);
    for (int k = 0; pattern->picture == PICTURE_PIXELS && k < 20; k++) {
        assert_counts(&stage, pattern);
        assert_int_equal(pattern->large[ROWS], pattern->large[COLS]);
        stage_type(&stage, k % 3 ? "+" : "+JJLL");
    }
    assert_int_equal(pattern->picture, PICTURE_NUMBERS);
    assert_null(stage.surface.pixmap);
}

/* Beside pixels, a dot of the margin covers several lines of the picture. The longest of them is marked,
 * whichever it is. */
TEST(margins_miss_no_row)
{
    enum { SIDE = 1200 };
    double *values = calloc((size_t)SIDE * SIDE, sizeof *values);
    assert_non_null(values);
    for (int64_t row = 600; row < 620; row++) {
        FREED(stage_close) struct stage stage;
        for (int64_t i = 0; i < SIDE; i++)
            for (int64_t j = 0; j < SIDE; j++)
                values[i * SIDE + j] = i == j || (i == row && j < 200);
        const struct pattern *pattern = open_pattern(&stage, support_dense(SIDE, SIDE, values), 40, 120);
        assert_true(pattern->port.dot[ROWS] < 5);
        struct rect rect = pattern_margin_rect(pattern, ROWS);
        assert_true(rect.wide > 0);
        int64_t y = pattern_character(pattern, ROWS, viewport_index(&pattern->port, ROWS, row));
        const struct cell *cell =
            &stage.surface.cells[(rect.top + y) * stage.surface.wide + rect.left + rect.wide - 1];
        assert_in_range(cell->character, 0x2801, 0x28ff);
    }
    free(values);
}
