/* The legend of Pattern in every picture and at many zooms: its scale holds the counts of all marks that are
 * drawn, by a plain loop over the entries. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/support.h"
#include "support/unit.h"
#include "support/view.h"
#include "ui/pattern/pattern.h"

/* The least and the largest number of entries of the drawn marks of high x wide dots that have any, by a
 * loop. */
static void extremes(const struct stage *stage, int high, int wide, int64_t *least, int64_t *most)
{
    const struct pattern *pattern = stage->state;
    const struct csr *a = &stage->session.shown->matrix.csr;
    *least = *most = 0;
    for (int y = 0; y < viewport_used(&pattern->port, ROWS); y += high)
        for (int x = 0; x < viewport_used(&pattern->port, COLS); x += wide) {
            const struct range first = pattern_dot(pattern, y, x),
                               last = pattern_dot(pattern, y + high - 1, x + wide - 1);
            int64_t count = 0;
            for (int64_t i = first.r0; i < last.r1 && i < a->rows; i++)
                for (int64_t k = a->row_ptr[i]; k < a->row_ptr[i + 1]; k++)
                    count += a->col[k] >= first.c0 && a->col[k] < last.c1;
            if (count && (!*least || count < *least)) *least = count;
            if (count > *most) *most = count;
        }
}

/* A number as format_short writes it. */
static double read_short(const char *text)
{
    char *end, digits[32];
    int length = 0;
    for (; *text && strchr("0123456789.,", *text); text++)
        if (*text != ',' && length < 31) digits[length++] = *text;
    digits[length] = 0;
    const double value = strtod(digits, &end);
    return value * (*text == 'k' ? 1e3 : *text == 'M' ? 1e6 : 1);
}

/* The numbers to the left and to the right of these words. */
static bool ends_of(struct stage *stage, const char *words, double *low, double *high)
{
    const char *dump = stage_dump(stage), *found = strstr(dump, words), *at = found;
    if (!found) return false;
    while (at > dump && (at[-1] == ' ' || at[-1] == '%'))
        at--;
    while (at > dump && at[-1] != ' ' && at[-1] != '\n' && (unsigned char)at[-1] < 128)
        at--;
    *low = read_short(at);
    at = found + strlen(words);
    *high = read_short(at + strspn(at, " "));
    return true;
}

static void expect_legend(struct stage *stage)
{
    const struct pattern *pattern = stage->state;
    const bool braille = pattern->picture == PICTURE_BRAILLE, coloured = stage->explorer.colours;
    int64_t least, most;
    double low, high;
    extremes(stage, 1, 1, &least, &most);
    if (pattern->picture == PICTURE_NUMBERS) {
        stage_shows(stage, stage->explorer.ascii ? ". no entry" : "\u00b7 no entry",
                    "0 an entry that is zero");
        stage_hides(stage, " filled in");
        return;
    }
    if (most == 0) {
        stage_shows(stage, "no entries here");
        return;
    }
    const double area = (double)pattern->port.dot[ROWS] * (double)pattern->port.dot[COLS];
    if (area == 1 && !braille) {
        stage_shows(stage, "a dot is an entry");
        return;
    }
    if (strstr(stage_dump(stage), "a dot is one entry")) {
        assert_true(braille && most == 1);
        return;
    }
    if (ends_of(stage, " to ", &low, &high) && strstr(stage_dump(stage), "a dot is 1 to ")) {
        assert_true(braille && !coloured && most > 1);
        assert_true(high == (double)most);
        return;
    }
    assert_true(!braille || coloured);
    if (braille) extremes(stage, 4, 2, &least, &most);
    const char *words = !braille ? "entries a dot" : "entries in 4 x 2 dots";
    if (!ends_of(stage, words, &low, &high)) assert_true(ends_of(stage, "entries a mark", &low, &high));
    /* Four octaves at least: the ends are powers of two further out; numbers of three digits are rounded. */
    assert_true(low >= 1 && low <= (double)least * 1.01);
    assert_true(high >= (double)most * 0.99 && (high <= (double)most * 2.02 || high <= low * 16.2));
    double sparse, dense;
    assert_true(ends_of(stage, "density, log", &sparse, &dense));
    const double marks = braille ? 8 : 1;
    assert_true(fabs(sparse * area * marks / 100 - low) < 0.03 * low);
    assert_true(fabs(dense * area * marks / 100 - high) < 0.03 * high || dense == 100);
}

TEST(scales_hold_the_counts_of_marks)
{
    static const char *const pictures[] = {"", "m", "mm"};
    int ramps = 0, plain = 0, numbers = 0;
    for (int k = 0; k < 24; k++) {
        FREED(stage_close) struct stage stage;
        const bool skewed = k / 12;
        stage_open(&stage, &view_pattern, support_matrix(311, 257, k % 2 ? 0.2 : 0.01, skewed, false, 7),
                   FIELD_REAL, 26, 90);
        stage.explorer.colours = stage.explorer.shades = k / 3 % 2;
        stage.explorer.ascii = k / 6 % 2 && !*pictures[k % 3];
        stage_draw(&stage);
        stage_type(&stage, pictures[k % 3]);
        for (int zoom = 0; zoom < 8; zoom++) {
            const struct pattern *pattern = stage.state;
            expect_legend(&stage);
            ramps += strstr(stage_dump(&stage), "density, log") != NULL;
            plain += strstr(stage_dump(&stage), "a dot is ") != NULL;
            numbers += pattern->picture == PICTURE_NUMBERS;
            stage_type(&stage, "+L");
        }
    }
    assert_true(ramps > 20 && plain > 10 && numbers > 5);
}

/* Numbers of complex matrices have two lines, of which the legend tells the second. */
TEST(imaginary_parts_are_below)
{
    for (int complex = 0; complex < 2; complex++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_matrix(4, 4, 0.5, false, complex, 7),
                   complex ? FIELD_COMPLEX : FIELD_REAL, 24, 90);
        for (int zoom = 0; zoom < 8; zoom++)
            stage_type(&stage, "+");
        assert_int_equal(((struct pattern *)stage.state)->picture, PICTURE_NUMBERS);
        expect_legend(&stage);
        assert_int_equal(strstr(stage_dump(&stage), "below: imaginary part") != NULL, complex);
    }
}

/* The levels of the ramp ascend by one to the highest; it fills the panel's width. */
TEST(the_ramp_has_all_levels_in_order)
{
    FREED(stage_close) struct stage stage;
    stage_open(&stage, &view_pattern, support_matrix(300, 300, 0.2, true, false, 5), FIELD_REAL, 26, 90);
    const int row = (int)(stage_find(&stage, "entries a dot") - stage.surface.cells) / 90 - 1;
    int last = -1, count = 0;
    for (int x = 60; x < 90; x++) {
        const int level = stage.surface.cells[row * 90 + x].foreground - COLOUR_DENSITY;
        if (stage.surface.cells[row * 90 + x].character == ' ') continue;
        assert_in_range(level, 0, DENSITY_LEVELS - 1);
        if (last >= 0) assert_in_range(level, last, last + 1);
        last = level;
        count++;
    }
    assert_int_equal(last, DENSITY_LEVELS - 1);
    assert_int_equal(count, 28);
}

/* The text at the right end of the line of the panel that begins with one of these words, below this title.
 */
static bool told(struct stage *stage, const char *title, const char *one, const char *other, char out[64])
{
    const struct surface *surface = &stage->surface;
    const struct cell *begin = stage_find(stage, title);
    const int left = (int)(begin - surface->cells) % surface->wide;
    for (int y = (int)(begin - surface->cells) / surface->wide + 1; y < surface->high; y++) {
        char line[128] = "", *end;
        for (int x = left; x < surface->wide; x++) {
            const uint32_t c = surface->cells[y * surface->wide + x].character;
            line[x - left] = c < 128 ? (char)c : '?';
        }
        for (end = line + strlen(line); end > line && end[-1] == ' ';)
            *--end = 0;
        if (end == line) return false; /* the end of the section */
        const char *word = strncmp(line, one, strlen(one)) == 0 ? one : other;
        if (strncmp(line, word, strlen(word)) != 0 || line[strlen(word)] != ' ') continue;
        snprintf(out, 64, "%s", line + strlen(word) + strspn(line + strlen(word), " "));
        return true;
    }
    return false;
}

/* Lines from `first` before `last` of `all`: "7", "1-64", or for a window "all 311". */
static void expect_lines(const char *text, int64_t first, int64_t last, int64_t all, bool window)
{
    char expected[64];
    if (last - first == 1)
        snprintf(expected, sizeof expected, "%d", (int)last);
    else
        snprintf(expected, sizeof expected, "%d-%d", (int)first + 1, (int)last);
    if (window && first == 0 && last == all) snprintf(expected, sizeof expected, "all %d", (int)all);
    assert_string_equal(text, expected);
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

TEST(the_window_and_the_dot_have_their_numbers)
{
    for (int k = 0; k < 6; k++) {
        FREED(stage_close) struct stage stage;
        stage_open(&stage, &view_pattern, support_matrix(311, 257, k % 2 ? 0.2 : 0.02, k / 2, false, 7),
                   FIELD_REAL, 34, 100);
        const struct csr *a = &stage.session.shown->matrix.csr;
        for (int step = 0; step < 24; step++) {
            const struct pattern *pattern = stage.state;
            const struct viewport *port = &pattern->port;
            char text[64];
            int64_t sides[2][2], dot[2][2], shown = 0, of_dot = 0, longest = 0, in_rows = 0;
            const int64_t cursor[2] = {stage.explorer.cursor.row, stage.explorer.cursor.col};
            for (int axis = 0; axis < 2; axis++) {
                sides[axis][0] = port->start[axis];
                sides[axis][1] =
                    smaller(port->start[axis] + viewport_used(port, (enum axis)axis) * port->dot[axis],
                            port->size[axis]);
                dot[axis][0] = port->start[axis] +
                               (cursor[axis] - port->start[axis]) / port->dot[axis] * port->dot[axis];
                dot[axis][1] = smaller(dot[axis][0] + port->dot[axis], port->size[axis]);
            }
            for (int64_t i = 0; i < a->rows; i++)
                for (int64_t e = a->row_ptr[i]; e < a->row_ptr[i + 1]; e++) {
                    shown += i >= sides[0][0] && i < sides[0][1] && a->col[e] >= sides[1][0] &&
                             a->col[e] < sides[1][1];
                    of_dot +=
                        i >= dot[0][0] && i < dot[0][1] && a->col[e] >= dot[1][0] && a->col[e] < dot[1][1];
                }
            for (int64_t i = dot[0][0]; i < dot[0][1]; i++) {
                in_rows += a->row_ptr[i + 1] - a->row_ptr[i];
                if (a->row_ptr[i + 1] - a->row_ptr[i] > longest) longest = a->row_ptr[i + 1] - a->row_ptr[i];
            }
            assert_true(told(&stage, "Shown", "rows", "row", text));
            expect_lines(text, sides[0][0], sides[0][1], a->rows, true);
            assert_true(told(&stage, "Shown", "columns", "column", text));
            expect_lines(text, sides[1][0], sides[1][1], a->cols, true);
            assert_true(told(&stage, "Shown", "entries", "entry", text));
            assert_true(read_short(text) == (double)shown);
            assert_true(told(&stage, "Cursor", "rows", "row", text));
            expect_lines(text, dot[0][0], dot[0][1], a->rows, false);
            assert_true(told(&stage, "Cursor", "columns", "column", text));
            expect_lines(text, dot[1][0], dot[1][1], a->cols, false);
            if ((dot[0][1] - dot[0][0]) * (dot[1][1] - dot[1][0]) == 1)
                stage_shows(&stage, of_dot ? "an entry" : "no entry");
            else if (told(&stage, "Cursor", "entries", "entry", text))
                assert_true(read_short(text) == (double)of_dot);
            if (told(&stage, "Cursor", "row mean, max", "row length", text) && strchr(text, ',')) {
                const double mean = (double)in_rows / (double)(dot[0][1] - dot[0][0]);
                assert_true(fabs(read_short(text) - mean) <= 0.006 * mean);
                assert_true(read_short(strchr(text, ',') + 2) == (double)longest);
            }
            stage_type(&stage, step % 4 == 3 ? "+" : "jlLJ");
        }
    }
}
