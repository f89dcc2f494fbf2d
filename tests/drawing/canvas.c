/* drawing/canvas, cells, svg, chart, screen: shapes are drawn at their positions. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/base64.h"
#include "base/memory.h"
#include "drawing/cells.h"
#include "drawing/chart.h"
#include "drawing/picture.h"
#include "drawing/screen.h"
#include "drawing/svg.h"
#include "support/unit.h"

/* The examples of RFC 4648, section 10. */
TEST(bytes_become_letters)
{
    static const char *const examples[][2] = {{"", ""},
                                              {"f", "Zg=="},
                                              {"fo", "Zm8="},
                                              {"foo", "Zm9v"},
                                              {"foob", "Zm9vYg=="},
                                              {"fooba", "Zm9vYmE="},
                                              {"foobar", "Zm9vYmFy"}};
    for (size_t k = 0; k < sizeof examples / sizeof *examples; k++) {
        char out[16] = "";
        size_t length = base64_encode((const unsigned char *)examples[k][0], strlen(examples[k][0]), out);
        assert_int_equal(length, strlen(examples[k][1]));
        assert_memory_equal(out, examples[k][1], length);
    }
}

/* A picture of 3 x 2 pixels, one of them left out. */
static void draw_all(struct canvas *canvas)
{
    uint8_t pixels[] = {COLOUR_DENSITY, COLOUR_TEXT,         COLOUR_DENSITY + 15,
                        COLOUR_DENSITY, COLOUR_DENSITY + 15, COLOUR_TEXT};
    struct pixmap pixmap = {.high = 2, .wide = 3, .pixels = pixels, .capacity = sizeof pixels};
    canvas_image(canvas, 2 * canvas->column, canvas->line, &pixmap, 1, 1);
    canvas_stroke(canvas, 0, 3.5 * canvas->line, 6 * canvas->column, 3.5 * canvas->line, COLOUR_DIM, 1);
    canvas_text(canvas, 0, canvas->line / 2, ANCHOR_START, COLOUR_TEXT, 0, "a<b&\"c\"\001");
    canvas_rectangle(canvas, 0, 4 * canvas->line, 2 * canvas->column, canvas->line, COLOUR_ROWS);
}

static char *written(enum cells_way way, struct text *out)
{
    struct cells cells;
    struct surface surface = {0};
    assert_int_equal(surface_resize(&surface, 6, 12, NULL), STATUS_OK);
    struct canvas canvas = cells_begin(&cells, &surface, (struct rect){0, 0, 6, 12}, way, true);
    draw_all(&canvas);
    text_free(out);
    cells_write(&surface, PALETTE_NONE, true, out);
    surface_free(&surface);
    return out->data;
}

TEST(cells_have_dots_and_texts)
{
    FREED(text_free) struct text out = {0};
    /* In ASCII a dot is a character. The image's dots are in columns 2 to 4 of lines 1 and 2. */
    assert_string_equal(written(CELLS_ASCII, &out), "a<b&\"c\"?\n  . @\n  .@\n-------\n##\n");
    /* In Braille a character has 2 columns and 4 lines of dots. */
    assert_string_equal(
        written(CELLS_BRAILLE, &out),
        "a<b&\"c\"?\n  \u2813\u2801\n\n\u2824\u2824\u2824\u2824\u2824\u2824\u2804\n\u28ff\u28ff\n");
}

/* Colours are sequences of ECMA-48: 3n is one of eight colours, 38;5;n one of 256, and 38;2;r;g;b any colour.
 * Every colour of every palette is written; each line resets its last colour. */
TEST(colours_are_sequences)
{
    static const enum palette palettes[] = {PALETTE_8, PALETTE_256, PALETTE_DIRECT};
    for (int p = 0; p < 3; p++)
        for (int colour = COLOUR_TEXT; colour < COLOUR_COUNT; colour++)
            for (int bold = 0; bold < 2; bold++) {
                FREED(surface_free) struct surface surface = {0};
                FREED(text_free) struct text out = {0};
                char number[32] = "", expected[80];
                assert_int_equal(surface_resize(&surface, 1, 4, NULL), STATUS_OK);
                surface_put(&surface, 0, 1, 'a', (enum colour)colour, COLOUR_TEXT, bold ? ATTRIBUTE_BOLD : 0);
                const struct look look = palette_look(palettes[p], true, (enum colour)colour, COLOUR_TEXT,
                                                      bold ? (unsigned)LOOK_BOLD : 0);
                const int shown = look.foreground;
                if (shown >= 0 && palettes[p] == PALETTE_DIRECT)
                    snprintf(number, sizeof number, ";38;2;%d;%d;%d", shown / 65536, shown / 256 % 256,
                             shown % 256);
                else if (shown >= 0)
                    snprintf(number, sizeof number, "%s%d", palettes[p] == PALETTE_8 ? ";3" : ";38;5;",
                             shown);
                snprintf(expected, sizeof expected,
                         " \033[0%s%sm"
                         "a\033[0m\n",
                         look.attributes & LOOK_BOLD  ? ";1"
                         : look.attributes & LOOK_DIM ? ";2"
                                                      : "",
                         number);
                assert_int_equal(cells_write(&surface, palettes[p], true, &out), 1);
                assert_string_equal(out.data, expected);
            }
    assert_int_equal(palette_look(PALETTE_8, true, COLOUR_BAD, COLOUR_TEXT, 0).foreground, 1); /* red */
}

/* Draw on a surface of this number of lines and columns, except for a column at the left. */
static char *drawn(int high, int wide, enum cells_way way, bool shades, void (*draw)(struct canvas *canvas),
                   struct text *out)
{
    struct cells cells;
    struct surface surface = {0};
    assert_int_equal(surface_resize(&surface, high, wide, NULL), STATUS_OK);
    struct canvas canvas = cells_begin(&cells, &surface, (struct rect){0, 1, high, wide - 1}, way, true);
    cells.shades = shades;
    draw(&canvas);
    assert_int_equal(surface.cut, 0);
    text_free(out);
    surface_dump(&surface, out);
    surface_free(&surface);
    return out->data;
}

static void draw_steep(struct canvas *canvas)
{
    canvas_line(canvas, (struct canvas_point[]){{0.5, 7.5}, {1.5, 0.5}}, 2, COLOUR_ROWS, 1, false);
}

/* Two dots beside each other, and one alone. */
static void draw_short(struct canvas *canvas)
{
    canvas_line(canvas, (struct canvas_point[]){{0.5, 0.5}, {1.5, 0.5}}, 2, COLOUR_ROWS, 1, false);
    canvas_line(canvas, (struct canvas_point[]){{2.5, 2.5}, {2.5, 2.5}}, 2, COLOUR_ROWS, 1, false);
}

static void draw_dashed(struct canvas *canvas)
{
    canvas->mark = 'r';
    canvas_line(canvas, (struct canvas_point[]){{0, 0}, {4, 0}, {8, 0}}, 3, COLOUR_ROWS, 1, true);
}

/* 2 x 1 characters, 8 x 2 dots, which a line from the lower left one to the upper right one passes through. A
 * dashed line has three dots, and leaves out three, also behind a corner. */
TEST(lines_are_joined_dots)
{
    FREED(text_free) struct text out = {0};
    assert_string_equal(drawn(2, 2, CELLS_BRAILLE, true, draw_steep, &out), " \u28b8\n \u2847\n");
    assert_string_equal(drawn(1, 3, CELLS_BRAILLE, true, draw_short, &out), " \u2809\u2804\n");
    assert_string_equal(drawn(1, 6, CELLS_BRAILLE, true, draw_dashed, &out), " \u2809\u2801 \u2809\u2801\n");
    assert_string_equal(drawn(1, 6, CELLS_ASCII, true, draw_dashed, &out), " r r r\n");
}

static void draw_bars(struct canvas *canvas)
{
    canvas_bar(canvas, 0, 0, canvas->column, 2 * canvas->line, COLOUR_DIM, true);
    canvas_bar(canvas, 0, 1.5 * canvas->line, canvas->column, 0.5 * canvas->line, COLOUR_ROWS, true);
    canvas_bar(canvas, canvas->column, canvas->line, 1.5 * canvas->column, canvas->line, COLOUR_COLS, false);
}

/* A half block is drawn over a full one, whose colour becomes its background. Without half blocks the bar has
 * the most similar whole number of characters. */
TEST(bars_are_eighths)
{
    FREED(text_free) struct text out = {0};
    assert_string_equal(drawn(2, 5, CELLS_BRAILLE, true, draw_bars, &out), " \u2588\n \u2584\u2588\u258c\n");
    assert_string_equal(drawn(2, 5, CELLS_BRAILLE, false, draw_bars, &out), " \u2588\n \u2588\u2588\u258c\n");
    assert_string_equal(drawn(2, 5, CELLS_ASCII, false, draw_bars, &out), " :\n =#+\n");
}

/* The colour behind the half character that ends one bar upon another. */
static enum colour behind(bool shades)
{
    struct cells cells;
    struct surface surface = {0};
    assert_int_equal(surface_resize(&surface, 2, 4, NULL), STATUS_OK);
    struct canvas canvas = cells_begin(&cells, &surface, (struct rect){0, 0, 2, 4}, CELLS_BRAILLE, true);
    cells.shades = shades;
    draw_bars(&canvas);
    enum colour found = (enum colour)surface.cells[surface.wide].background;
    surface_free(&surface);
    return found;
}

TEST(a_bar_shows_behind_another)
{
    assert_int_equal(behind(true), COLOUR_DIM);
    assert_int_equal(behind(false), COLOUR_TEXT);
}

static void draw_text_and_dots(struct canvas *canvas)
{
    canvas_text(canvas, 0, canvas->line / 2, ANCHOR_START, COLOUR_TEXT, 0, "ab");
    canvas_stroke(canvas, 0, canvas->line / 2, 4 * canvas->column, canvas->line / 2, COLOUR_DIM, 1);
}

TEST(dots_leave_texts)
{
    FREED(text_free) struct text out = {0};
    assert_int_equal(strncmp(drawn(1, 5, CELLS_BRAILLE, true, draw_text_and_dots, &out), " ab\u2824", 6), 0);
}

static void draw_halves(struct canvas *canvas)
{
    static const struct {
        double y, x, high;
    } dots[] = {{0, 0, 1}, {1, 1, 1}, {0, 2, 2}, {0, 3, 2}, {1, 3, 1}};
    for (int k = 0; k < 5; k++)
        canvas_rectangle(canvas, dots[k].x, dots[k].y, 1, dots[k].high, k == 4 ? COLOUR_COLS : COLOUR_ROWS);
}

/* The upper half, the lower half, both in one colour, and both in different colours. */
TEST(halves_have_two_colours)
{
    FREED(text_free) struct text out = {0};
    assert_string_equal(drawn(1, 5, CELLS_HALVES, true, draw_halves, &out), " \u2580\u2584\u2588\u2580\n");
}

static double square(const void *factor, double x)
{
    return *(const double *)factor * x * x;
}

static void label(double value, char *out, size_t size)
{
    snprintf(out, size, "%g", value);
}

/* Draw axes and y = x^2 in characters; 9 lines and 51 columns are the chart. */
static double right_end, top_end;
static bool ends;

static void draw_square(struct canvas *canvas)
{
    static const double one = 1;
    struct chart chart = {
        .canvas = canvas,
        .across = {.from = 1, .to = right_end, .logarithmic = true, .label = label},
        .up = {.from = 1, .to = top_end, .logarithmic = true, .label = label, .ends = ends}};
    chart_place(&chart, 0, canvas->high, 7);
    assert_true(chart.high == 9 * canvas->line && chart.wide == 51 * canvas->column);
    chart_axes(&chart);
    canvas->mark = 'z';
    chart_curve(&chart, square, &one, COLOUR_ROWS, false);
}

/* The k-th line of a dump, without the rest. */
static const char *line_of(const char *text, int k)
{
    while (k-- > 0)
        text = strchr(text, '\n') + 1;
    return text;
}

/* A square rises by two decades a decade: from the lower left corner to the upper right one. It leaves the
 * chart where it is above that. */
TEST(a_power_is_a_line)
{
    FREED(text_free) struct text out = {0};
    right_end = 1e5, top_end = 1e10;
    const char *dump = drawn(11, 62, CELLS_ASCII, false, draw_square, &out);
    assert_int_equal(line_of(dump, 0)[60], 'z');
    assert_int_equal(line_of(dump, 4)[35], 'z');
    assert_int_equal(line_of(dump, 8)[10], 'z');
    right_end = 1e4, top_end = 1e4;
    dump = drawn(11, 62, CELLS_ASCII, false, draw_square, &out);
    assert_int_equal(line_of(dump, 0)[35], 'z');
    for (int y = 0; y < 9; y++)
        assert_in_range(strcspn(line_of(dump, y), "\n"), 0, 36);
}

/* Ticks over two decades are at 1, 2 and 5, over five decades at powers of ten, and over a part of a decade
 * at round steps. The last label ends at the right edge, and a tick is above each label. */
TEST(ticks_are_round)
{
    FREED(text_free) struct text out = {0};
    right_end = 100, top_end = 10;
    const char *dump = drawn(11, 62, CELLS_BRAILLE, false, draw_square, &out);
    assert_says(dump, "          1      2         5       10     20        50    100\n");
    assert_int_equal(strncmp(line_of(dump, 9), "         \u2514\u252c", 15), 0);
    right_end = 1e5, top_end = 1e10;
    dump = drawn(11, 62, CELLS_BRAILLE, false, draw_square, &out);
    assert_says(dump, "          1        10        100       1000     10000  100000\n");
    right_end = 3, top_end = 10;
    dump = drawn(11, 62, CELLS_BRAILLE, false, draw_square, &out);
    assert_says(dump, "          1 ", " 1.5 ", " 3\n");
    assert_lacks(dump, " 20 ");
    right_end = 100, top_end = 7, ends = true; /* which is no round step */
    dump = drawn(11, 62, CELLS_BRAILLE, false, draw_square, &out);
    assert_non_null(memchr(line_of(dump, 0), '7', 10));
    ends = false;
}

/* Eleven powers of ten do not fit on nine lines. Each second one is labelled, and none is missing between. */
TEST(labels_of_powers_are_one_factor_apart)
{
    FREED(text_free) struct text out = {0};
    right_end = 1e5, top_end = 1e10;
    const char *dump = drawn(11, 62, CELLS_BRAILLE, false, draw_square, &out);
    int labels = 0;
    double last = 0;
    for (int y = 8; y >= 0; y--) {
        const double value = strtod(line_of(dump, y), NULL);
        if (!(value > 0)) continue;
        if (labels++ > 0) assert_true(fabs(value / last - 100) < 1e-6);
        last = value;
    }
    assert_int_equal(labels, 6);
}

TEST(svg_has_what_was_drawn)
{
    FREED(text_free) struct text out = {0};
    struct canvas canvas = svg_begin(300, 200, true, "t < u", &out);
    draw_all(&canvas);
    canvas_line(&canvas, (struct canvas_point[]){{0, 0}, {1, 1}, {NAN, 2}, {3, 3}, {4, 4}}, 5, COLOUR_ROWS, 1,
                true);
    canvas_text(&canvas, 0, 100, ANCHOR_END, COLOUR_TEXT, WRITING_BOLD, "bold");
    canvas_text(&canvas, 0, 100, ANCHOR_START, COLOUR_TEXT, WRITING_EVEN, "a  b");
    assert_int_equal(svg_end(&canvas, NULL), STATUS_OK);
    assert_says(out.data, " font-weight=\"bold\">bold</text>",
                "font-family=\"DejaVu Sans Mono, monospace\" xml:space=\"preserve\">a  b</text>",
                "<title>t &lt; u</title>", ">a&lt;b&amp;&quot;c&quot;?</text>", "width=\"3\" height=\"2\"",
                "points=\"0,0 1,1\"", "points=\"3,3 4,4\"");
    assert_lacks(out.data, "nan");
}

static double twice(const void *curve, double x)
{
    return 2 * x;
}

TEST(charts_place_values)
{
    FREED(text_free) struct text out = {0};
    struct canvas canvas = svg_begin(400, 300, true, "", &out);
    struct chart chart = {.canvas = &canvas,
                          .across = {.from = 1, .to = 100, .logarithmic = true, .title = "x"},
                          .up = {.from = 0, .to = 10, .title = "y"}};
    chart_place(&chart, 20, 290, 6);
    assert_true(chart_x(&chart, 1) == chart.left && chart_y(&chart, 0) == chart.top + chart.high);
    assert_true(fabs(chart_x(&chart, 10) - chart.left - chart.wide / 2) < 1e-9);
    assert_true(fabs(chart_y(&chart, 5) - chart.top - chart.high / 2) < 1e-9);
    chart_axes(&chart);
    chart_curve(&chart, twice, NULL, COLOUR_ROWS, false);
    svg_end(&canvas, NULL);
    /* Labels at 1, 10 and 100, and at even numbers; those above 10 are left out. */
    assert_says(out.data, ">100</text>", ">10</text>", ">4</text>");
    assert_lacks(out.data, ">12</text>");
}

static void write_long(double value, char *out, size_t size)
{
    snprintf(out, size, "value %.0f", value);
}

/* Labels along an axis have a blank between them. The values are the middles of the labels, in order. */
TEST(labels_do_not_touch)
{
    FREED(text_free) struct text out = {0};
    struct canvas canvas = svg_begin(400, 300, true, "", &out);
    struct chart chart = {.canvas = &canvas,
                          .across = {.from = 0, .to = 10, .label = write_long},
                          .up = {.from = 0, .to = 10, .bare = true}};
    chart_place(&chart, 20, 290, 6);
    chart_axes(&chart);
    svg_end(&canvas, NULL);
    double before = -1e9, half = canvas_text_wide(&canvas, "value 8") / 2;
    int count = 0;
    for (const char *at = out.data; (at = strstr(at, ">value ")); at++) {
        const char *text = at;
        double x;
        while (strncmp(text, "<text", 5) != 0)
            text--;
        text = strstr(text, " x=\"");
        assert_non_null(text);
        x = strtod(text + 4, NULL);
        assert_true(x - before >= 2 * half + canvas.column - 0.1);
        before = x;
        count++;
    }
    assert_in_range(count, 2, 5);
}

TEST(screens_are_pictures)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text out = {0};
    int wide, high;
    assert_int_equal(surface_resize(&surface, 3, 10, NULL), STATUS_OK);
    surface_text(&surface, 0, 0, 10, COLOUR_TITLE, ATTRIBUTE_BOLD, "head");
    surface_put(&surface, 1, 2, 0x2801, COLOUR_ROWS, COLOUR_TEXT, 0);
    screen_size(&surface, &wide, &high);
    struct canvas canvas = svg_begin(wide, high, false, "", &out);
    screen_draw(&surface, NULL, &canvas);
    svg_end(&canvas, NULL);
    assert_says(out.data, ">head</text>", "font-weight=\"bold\"");
    int rectangles = 0; /* the background, and the dot */
    for (const char *at = out.data; (at = strstr(at, "<rect")); at++)
        rectangles++;
    assert_int_equal(rectangles, 2);
}

TEST(forms_are_found)
{
    struct error error = {0};
    assert_string_equal(picture_form_find(NULL, "a.b/c.SVG", &error)->name, "svg");
    assert_string_equal(picture_form_find("svg", "x.png", &error)->name, "svg");
    assert_null(picture_form_find(NULL, "a.svg/c", &error));
    assert_int_equal(error.status, STATUS_USAGE);
    assert_null(picture_form_find(NULL, ".svg", NULL));
}

/* The examples of the definition: black on white, and two greys on white. */
TEST(contrast_is_that_of_the_guidelines)
{
    assert_true(fabs(canvas_contrast(0x000000, 0xffffff) - 21) < 1e-9);
    assert_true(fabs(canvas_contrast(0x767676, 0xffffff) - 4.54) < 0.005);
    assert_true(fabs(canvas_contrast(0xffffff, 0x777777) - 4.48) < 0.005);
    assert_true(fabs(canvas_contrast(0xff0000, 0xffffff) - 4.00) < 0.005);
    assert_true(canvas_contrast(0x123456, 0x123456) == 1);
}

TEST(colours_of_meanings_are_legible_on_paper)
{
    for (int light = 0; light < 2; light++)
        for (int c = 0; c < COLOUR_BAR; c++) {
            double contrast = canvas_contrast(canvas_rgb(light, (enum colour)c), canvas_background(light));
            if (contrast < CANVAS_CONTRAST) print_message("colour %d, light %d: %.2f\n", c, light, contrast);
            assert_true(contrast >= CANVAS_CONTRAST);
        }
}

/* The fill of the text in SVG, and that of the last rectangle before it: the ground. */
static double contrast_of_text(const char *svg, const char *words)
{
    unsigned ink = 0, ground = 0;
    const char *found = strstr(svg, words), *text = NULL, *rect = NULL;
    assert_non_null(found);
    for (const char *c = strstr(svg, "<text"); c && c < found; c = strstr(c + 1, "<text"))
        text = c;
    for (const char *c = strstr(svg, "<rect"); c && c < found; c = strstr(c + 1, "<rect"))
        rect = c;
    assert_non_null(text);
    assert_non_null(rect);
    assert_int_equal(sscanf(strstr(text, "fill=\"#"), "fill=\"#%6x", &ink), 1);
    assert_int_equal(sscanf(strstr(rect, "fill=\"#"), "fill=\"#%6x", &ground), 1);
    return canvas_contrast((int)ink, (int)ground);
}

/* A text of any colour is legible on each ground: tabs, cursors, bars and reversed words, on white and on
 * dark pages. */
TEST(texts_of_screens_are_legible_on_every_ground)
{
    static const enum colour grounds[] = {COLOUR_BAR,      COLOUR_CURSOR,  COLOUR_MARK,        COLOUR_PART,
                                          COLOUR_PART + 3, COLOUR_DENSITY, COLOUR_DENSITY + 15};
    for (int light = 0; light < 2; light++)
        for (int c = 0; c < COLOUR_BAR; c++)
            for (size_t g = 0; g <= sizeof grounds / sizeof *grounds; g++) {
                const bool reversed = g == sizeof grounds / sizeof *grounds;
                FREED(surface_free) struct surface surface = {0};
                FREED(text_free) struct text out = {0};
                assert_int_equal(surface_resize(&surface, 1, 6, NULL), STATUS_OK);
                for (int x = 0; x < 6; x++)
                    surface_put(&surface, 0, x, (uint32_t) "words."[x], (enum colour)c,
                                reversed ? COLOUR_TEXT : grounds[g], reversed ? ATTRIBUTE_REVERSE : 0);
                struct canvas canvas = svg_begin(80, 40, light, "screen", &out);
                screen_draw(&surface, NULL, &canvas);
                assert_int_equal(svg_end(&canvas, NULL), STATUS_OK);
                assert_int_equal(canvas.ink, 0);
                double contrast = contrast_of_text(out.data, "words.");
                if (contrast < 4) print_message("colour %d on %zu, light %d: %.2f\n", c, g, light, contrast);
                assert_true(contrast >= 4);
            }
}

/* A bar that ends on another one keeps both colours. */
TEST(bars_of_screens_keep_their_colours)
{
    FREED(surface_free) struct surface surface = {0};
    FREED(text_free) struct text out = {0};
    char fill[32];
    assert_int_equal(surface_resize(&surface, 1, 1, NULL), STATUS_OK);
    surface_put(&surface, 0, 0, 0x258c, COLOUR_PART + 1, COLOUR_PART + 2, 0);
    struct canvas canvas = svg_begin(80, 40, true, "screen", &out);
    screen_draw(&surface, NULL, &canvas);
    assert_int_equal(svg_end(&canvas, NULL), STATUS_OK);
    for (int k = 1; k <= 2; k++) {
        snprintf(fill, sizeof fill, "fill=\"#%06x\"",
                 (unsigned)canvas_rgb(true, (enum colour)(COLOUR_PART + k)));
        assert_says(out.data, fill);
    }
}
