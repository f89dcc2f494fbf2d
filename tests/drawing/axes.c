/* Axes of charts over many ranges, scales and sizes, on a canvas that only notes what is drawn: each label
 * stands at its value, labels do not touch, and ticks are as far apart as the scale says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drawing/chart.h"
#include "support/unit.h"

enum { NOTES = 256, ACROSS = 'a', UP = 'u' };

struct note {
    double x, y;
    enum canvas_anchor anchor;
    unsigned writing;
    char words[64];
};

/* What was drawn. */
static struct {
    struct note texts[NOTES];
    struct canvas_point points[4 * NOTES]; /* of all lines; one line after the other */
    int first[NOTES], ends[NOTES];         /* each line's points */
    double thick;                          /* of the last line */
    int count, lines, used, rectangles;
    struct canvas_ticks across, up;
} noted;

static void note_text(struct canvas *canvas, double x, double y, enum canvas_anchor anchor,
                      enum colour colour, unsigned writing, const char *words)
{
    assert_in_range(noted.count, 0, NOTES - 1);
    struct note *note = &noted.texts[noted.count++];
    *note = (struct note){.x = x, .y = y, .anchor = anchor, .writing = writing};
    snprintf(note->words, sizeof note->words, "%s", words);
}

static void note_line(struct canvas *canvas, const struct canvas_point *points, int count, enum colour colour,
                      double thick, bool dashed)
{
    assert_in_range(noted.lines, 0, NOTES - 1);
    assert_in_range(noted.used + count, 2, 4 * NOTES);
    noted.first[noted.lines] = noted.used;
    for (int k = 0; k < count; k++)
        noted.points[noted.used++] = points[k];
    noted.ends[noted.lines++] = noted.used;
    noted.thick = thick;
}

/* A rectangle is its four edges. */
static void note_rectangle(struct canvas *canvas, double x, double y, double wide, double high,
                           enum colour colour)
{
    const struct canvas_point corners[] = {
        {x, y}, {x + wide, y}, {x + wide, y + high}, {x, y + high}, {x, y}};
    note_line(canvas, corners, 5, colour, 0, false);
    noted.rectangles++;
}

static void note_axes(struct canvas *canvas, double x, double y, double wide, double high,
                      const struct canvas_ticks *across, const struct canvas_ticks *up)
{
    noted.across = *across;
    noted.up = *up;
}

static const struct canvas_kind notes = {
    .text = note_text, .line = note_line, .axes = note_axes, .rectangle = note_rectangle};

/* Labels say which axis they are of. */
static void label_across(double value, char *out, size_t size)
{
    snprintf(out, size, "%c%.9g", ACROSS, value);
}

static void label_up(double value, char *out, size_t size)
{
    snprintf(out, size, "%c%.9g", UP, value);
}

/* A value's share of its axis. */
static double share(const struct chart_axis *axis, double value)
{
    return axis->counts        ? log(1 + value) / log(1 + axis->to)
           : axis->logarithmic ? (log(value) - log(axis->from)) / (log(axis->to) - log(axis->from))
                               : (value - axis->from) / (axis->to - axis->from);
}

/* The position of a share among this number of units, of which characters have a middle each. */
static double position(const struct canvas *canvas, double begin, double units, double of)
{
    return canvas->turns ? begin + of * units : begin + 0.5 + of * (units - 1);
}

/* The labels of an axis, in the order of their values. */
static int labels_of(int axis, struct note *found[NOTES])
{
    int count = 0;
    for (int k = 0; k < noted.count; k++)
        if (noted.texts[k].words[0] == axis) found[count++] = &noted.texts[k];
    return count;
}

static double value_of(const struct note *note)
{
    return strtod(note->words + 1, NULL);
}

/* Values ascend within the axis, and are round. Upright ones have equal steps, or of powers one factor,
 * unless the ends have labels, or 1, 2 and 5 are among them. */
static void expect_values(const struct chart_axis *axis, struct note *const found[], int count, bool upright)
{
    const bool ends = axis->ends && upright;
    for (int k = 0; k < count; k++) {
        const double value = value_of(found[k]), slack = 1e-7 * fabs(value) + 1e-12;
        const double digit = value / pow(10, floor(log10(value) + 1e-7));
        if (k > 0) assert_true(value > value_of(found[k - 1]));
        assert_true(value >= (axis->counts ? 1 : axis->from) - slack && value <= axis->to + slack);
        if (ends && (k == 0 || k == count - 1)) {
            assert_true(fabs(value - (k == 0 ? axis->from : axis->to)) <= slack);
            continue;
        }
        if (axis->whole && !axis->logarithmic) assert_true(fabs(value - round(value)) <= slack);
        if (axis->base)
            assert_true(fabs(log(value) / log(axis->base) - round(log(value) / log(axis->base))) < 1e-6);
        else if (axis->counts || (axis->logarithmic && axis->to > 1000.01 * axis->from))
            assert_true(fabs(digit - 1) < 1e-6);
        else if (axis->logarithmic && axis->to >= 10 * axis->from)
            assert_true(fabs(digit - 1) < 1e-6 || fabs(digit - 2) < 1e-6 || fabs(digit - 5) < 1e-6);
    }
    const bool powers = axis->logarithmic && !ends && (axis->base || axis->to > 1000.01 * axis->from);
    for (int k = 2; k < count && upright; k++) {
        const double one = value_of(found[k - 2]), two = value_of(found[k - 1]), three = value_of(found[k]);
        if (powers) assert_true(fabs(three * one / (two * two) - 1) < 1e-6);
        if (!axis->logarithmic && !axis->counts && !ends)
            assert_true(fabs(three - 2 * two + one) < 1e-6 * (axis->to - axis->from));
    }
}

static void expect_up(const struct chart *chart)
{
    struct note *found[NOTES];
    const struct canvas *canvas = chart->canvas;
    const int count = labels_of(UP, found);
    const double each = (canvas->turns ? 1.25 : 1) * canvas->line;
    double before = INFINITY;
    expect_values(&chart->up, found, count, true);
    for (int k = 0; k < count; k++) {
        const double y = position(canvas, chart->top, chart->high, 1 - share(&chart->up, value_of(found[k])));
        const double line = canvas->turns ? y : canvas->line * floor(y / canvas->line);
        assert_true(fabs(found[k]->y - y) < 1e-6 * (1 + chart->high));
        assert_true(before - line >= each * (1 - 1e-9) || (chart->up.ends && count == 2));
        assert_int_equal(found[k]->anchor, ANCHOR_END);
        assert_true(found[k]->x < chart->left);
        before = line;
    }
    /* Each label but those of ends has a tick, and in files all have a line, but for one on the axis. */
    const int ends = chart->up.ends ? 2 : 0, thin = canvas->turns ? count : 0;
    assert_int_equal(noted.up.count, count - ends);
    for (int k = 0; k < noted.up.count; k++)
        assert_true(noted.up.at[k] == found[k + ends / 2]->y);
    assert_in_range(noted.lines, thin > 0 ? thin - 1 : 0, thin);
    for (int k = 0; k < noted.lines; k++) {
        const struct canvas_point *line = &noted.points[2 * k];
        assert_true(line[0].y == found[count - noted.lines + k]->y && line[1].y == line[0].y);
        assert_true(line[0].x == chart->left && line[1].x == chart->left + chart->wide);
    }
    if (noted.lines > 0) assert_true(noted.thick < 0.5); /* thinner than axes and curves */
    for (int k = 0; k < count - noted.lines && canvas->turns; k++)
        assert_true(found[k]->y > chart->top + chart->high - 1.000001);
}

/* Labels keep a blank between them, and in characters the last ends where the chart does. */
static void expect_across(const struct chart *chart)
{
    struct note *found[NOTES];
    const struct canvas *canvas = chart->canvas;
    const int count = labels_of(ACROSS, found);
    double before = -INFINITY;
    expect_values(&chart->across, found, count, false);
    for (int k = 0; k < count; k++) {
        const double x =
            position(canvas, chart->left, chart->wide, share(&chart->across, value_of(found[k])));
        const double half = canvas_text_wide(canvas, found[k]->words) / 2;
        assert_int_equal(found[k]->anchor, ANCHOR_MIDDLE);
        assert_true(found[k]->x - half >= before - 1e-9);
        if (canvas->turns || x + half <= chart->left + chart->wide)
            assert_true(fabs(found[k]->x - x) < 1e-6 * (1 + chart->wide));
        else
            assert_true(fabs(found[k]->x + half - chart->left - chart->wide) < 1e-6);
        assert_true(found[k]->y > chart->top + chart->high);
        before = found[k]->x + half + canvas->column;
    }
    if (!canvas->turns) assert_int_equal(noted.across.count, count);
    assert_true(noted.across.count >= count);
    for (int k = 0, at = 0; k < count; k++, at++) {
        const double x =
            position(canvas, chart->left, chart->wide, share(&chart->across, value_of(found[k])));
        while (at < noted.across.count && fabs(noted.across.at[at] - x) > 1e-6 * (1 + chart->wide))
            at++;
        assert_in_range(at, 0, noted.across.count - 1);
    }
}

/* A title stands once; upright ones are beside the middle of their axis, or above it. */
static void expect_titles(const struct chart *chart)
{
    int up = 0, across = 0;
    for (int k = 0; k < noted.count; k++) {
        const struct note *note = &noted.texts[k];
        if (strcmp(note->words, "T up") == 0) {
            up++;
            assert_int_equal(note->writing, chart->canvas->turns ? WRITING_UPWARDS : 0);
            if (chart->canvas->turns)
                assert_true(note->x < chart->left && note->y >= chart->top + chart->high / 2 - 1e-9);
            else
                assert_true(note->y < chart->top);
        }
        if (strcmp(note->words, "T across") == 0) {
            across++;
            assert_true(fabs(note->x - chart->left - chart->wide / 2) < 1e-9);
            assert_true(note->y > chart->top + chart->high && note->y < chart->canvas->high);
        }
    }
    assert_int_equal(up, chart->up.title != NULL);
    assert_int_equal(across, chart->across.title != NULL);
}

static const struct chart_axis axes[] = {
    {.from = 0, .to = 10},
    {.from = 0, .to = 1},
    {.from = -3, .to = 17},
    {.from = 0.02, .to = 0.0213},
    {.from = 0, .to = 3, .whole = true},
    {.from = 0, .to = 123456, .whole = true},
    {.from = 1, .to = 100, .logarithmic = true},
    {.from = 0.3, .to = 40, .logarithmic = true},
    {.from = 2, .to = 7, .logarithmic = true},
    {.from = 1, .to = 1e5, .logarithmic = true},
    {.from = 0.5, .to = 1e10, .logarithmic = true},
    {.from = 1e-9, .to = 1e3, .logarithmic = true},
    {.from = 1, .to = 1024, .logarithmic = true, .base = 2},
    {.from = 2, .to = 1 << 20, .logarithmic = true, .base = 2},
    {.from = 0, .to = 1e6, .counts = true},
    {.from = 0, .to = 37, .counts = true},
    {.from = 3, .to = 9.7, .ends = true},
    {.from = 1.5, .to = 7777, .logarithmic = true, .ends = true},
    {.from = 1, .to = 1e10, .logarithmic = true, .ends = true},
    {.from = 0, .to = 5, .bare = true},
};
enum { AXES = sizeof axes / sizeof *axes };

static struct canvas of_size(bool turns, int size)
{
    return turns ? (struct canvas){.kind = &notes,
                                   .wide = 220 + 61 * size,
                                   .high = 130 + 40 * size,
                                   .column = CANVAS_COLUMN,
                                   .line = CANVAS_LINE,
                                   .tall = 1,
                                   .turns = true}
                 : (struct canvas){.kind = &notes,
                                   .wide = 2 * (40 + 9 * size),
                                   .high = 4 * (9 + 2 * size),
                                   .column = 2,
                                   .line = 4,
                                   .tall = 1};
}

static void draw(struct canvas *canvas, int across, int up, bool titles, struct chart *chart)
{
    *chart = (struct chart){.canvas = canvas, .across = axes[across], .up = axes[up]};
    chart->across.label = label_across;
    chart->up.label = label_up;
    chart->across.title = titles ? "T across" : NULL;
    chart->up.title = titles ? "T up" : NULL;
    memset(&noted, 0, sizeof noted);
    chart_place(chart, canvas->line, canvas->high, 11);
    chart_axes(chart);
    expect_up(chart);
    expect_across(chart);
    expect_titles(chart);
}

TEST(labels_stand_at_their_values)
{
    for (int k = 0; k < AXES * AXES * 12; k++) {
        const int across = k % AXES, up = k / AXES % AXES, size = k / AXES / AXES;
        struct chart chart;
        struct canvas file = of_size(true, size), dots = of_size(false, size);
        draw(&file, across, up, k % 3 == 0, &chart);
        draw(&dots, across, up, k % 3 == 1, &chart);
        if (!axes[across].bare && (!axes[across].logarithmic || axes[across].to >= 10 * axes[across].from))
            assert_true(noted.across.count > 0);
    }
}

/* A curve from about (from, up.from) to about (to, up.to), which is straight on linear axes; `curve` is the
 * chart. */
static double between(const void *curve, double x)
{
    const struct chart *chart = curve;
    const double along = (x - chart->across.from) / (chart->across.to - chart->across.from);
    return chart->up.from + (chart->up.to - chart->up.from) * (1e-6 + (1 - 2e-6) * along);
}

static double above(const void *curve, double x)
{
    const struct chart *chart = curve;
    return 2 * chart->up.to + x * x;
}

/* The upper half of it. */
static double upper(const void *curve, double x)
{
    const struct chart *chart = curve;
    const double y = between(curve, x);
    return share(&chart->up, y) < 0.5 ? -1e300 : y;
}

/* A curve has points at equal steps along the axis, from its one end to the other, each at its height; those
 * outside of the chart are left out. */
TEST(curves_have_a_point_at_each_step)
{
    for (int k = 0; k < AXES * AXES * 2; k++) {
        struct canvas canvas = of_size(k / AXES / AXES, 3);
        struct chart chart = {.canvas = &canvas, .across = axes[k % AXES], .up = axes[k / AXES % AXES]};
        if (chart.across.counts || chart.up.counts) continue;
        chart_place(&chart, canvas.line, canvas.high, 11);
        memset(&noted, 0, sizeof noted);
        chart_curve(&chart, between, &chart, COLOUR_ROWS, false);
        const double thick = noted.thick;
        assert_int_equal(noted.lines, 1);
        assert_true(thick >= 1 && noted.used >= 100);
        for (int p = 0; p < noted.used; p++) {
            const double along = (double)p / (noted.used - 1), from = chart.across.from, to = chart.across.to;
            const double x = chart.across.logarithmic ? exp(log(from) + along * log(to / from))
                                                      : from + along * (to - from);
            const double up = 1 - share(&chart.up, between(&chart, x));
            assert_true(fabs(noted.points[p].x - position(&canvas, chart.left, chart.wide, along)) < 1e-6);
            assert_true(fabs(noted.points[p].y - position(&canvas, chart.top, chart.high, up)) < 1e-6);
        }
        memset(&noted, 0, sizeof noted);
        chart_curve(&chart, above, &chart, COLOUR_ROWS, false);
        assert_int_equal(noted.lines, 0);
        chart_curve(&chart, upper, &chart, COLOUR_ROWS, false);
        assert_in_range(noted.used, 2, 240);
        for (int p = 0; p < noted.used; p++)
            assert_true(noted.points[p].y <= chart.top + chart.high / 2 + 1);
        if (chart.across.logarithmic || chart.up.logarithmic) continue;
        /* A straight line is the same as the straight curve. */
        memset(&noted, 0, sizeof noted);
        chart_line(&chart, chart.across.from, chart.up.from, chart.across.to, chart.up.to, COLOUR_ROWS,
                   false);
        assert_true(noted.thick == thick && noted.used >= 2);
        const struct canvas_point first = noted.points[0], last = noted.points[noted.used - 1];
        assert_true(fabs(first.x - chart_x(&chart, chart.across.from)) < 1e-6);
        assert_true(fabs(last.x - chart_x(&chart, chart.across.to)) < 1.01 * chart.wide / (noted.used - 1));
        assert_true(fabs(last.y - chart_y(&chart, chart.up.to)) < 1.01 * chart.high / (noted.used - 1));
        for (int p = 0; p < noted.used; p++)
            assert_true(fabs((noted.points[p].x - first.x) * (last.y - first.y) -
                             (noted.points[p].y - first.y) * (last.x - first.x)) <
                        1e-6 * chart.wide * chart.high);
    }
}

/* Of a line that leaves the chart only the inner part is drawn: half of one twice as long in each direction.
 */
TEST(lines_end_at_the_edges)
{
    for (int turns = 0; turns < 2; turns++)
        for (int d = 0; d < 4; d++) {
            struct canvas canvas = of_size(turns, 4);
            struct chart chart = {
                .canvas = &canvas, .across = {.from = 0, .to = 8}, .up = {.from = 0, .to = 8}};
            const double ends[4][4] = {{-4, 4, 12, 4}, {4, -4, 4, 12}, {-4, -4, 12, 12}, {12, -4, -4, 12}};
            double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
            chart_place(&chart, canvas.line, canvas.high, 5);
            memset(&noted, 0, sizeof noted);
            chart_line(&chart, ends[d][0], ends[d][1], ends[d][2], ends[d][3], COLOUR_ROWS, true);
            for (int k = 0; k < noted.used; k++) {
                low[0] = fmin(low[0], noted.points[k].x);
                high[0] = fmax(high[0], noted.points[k].x);
                low[1] = fmin(low[1], noted.points[k].y);
                high[1] = fmax(high[1], noted.points[k].y);
            }
            const double step = 2.1 / 120; /* two steps of the line */
            assert_true(low[0] >= chart.left && high[0] <= chart.left + chart.wide);
            assert_true(low[1] >= chart.top && high[1] <= chart.top + chart.high);
            if (ends[d][0] != ends[d][2])
                assert_true(low[0] <= chart.left + 0.5 + step * chart.wide &&
                            high[0] >= chart.left + chart.wide - 0.5 - step * chart.wide);
            if (ends[d][1] != ends[d][3])
                assert_true(low[1] <= chart.top + 0.5 + step * chart.high &&
                            high[1] >= chart.top + chart.high - 0.5 - step * chart.high);
        }
}

/* The number of noted edges between these two points, around (x, y). */
static int edges_between(double x, double y, struct canvas_point one, struct canvas_point other)
{
    int count = 0;
    for (int line = 0; line < noted.lines; line++)
        for (int k = noted.first[line]; k + 1 < noted.ends[line]; k++)
            for (int turned = 0; turned < 2; turned++) {
                const struct canvas_point a = noted.points[k + turned], b = noted.points[k + 1 - turned];
                count += fabs(a.x - x - one.x) + fabs(a.y - y - one.y) + fabs(b.x - x - other.x) +
                             fabs(b.y - y - other.y) <
                         1e-9;
            }
    return count;
}

/* Each mark looks the same after a quarter turn about its point; the four differ in shape, and are about as
 * large. */
TEST(marks_surround_their_points)
{
    for (int shape = 0; shape < 8; shape++) {
        struct canvas canvas = of_size(true, 0);
        const double x = 100.25, y = 50.5;
        double reach = 0;
        memset(&noted, 0, sizeof noted);
        chart_mark(&canvas, x, y, COLOUR_ROWS, shape);
        assert_true(noted.used > 0);
        assert_int_equal(noted.rectangles, shape % 4 == 0);
        for (int line = 0; line < noted.lines; line++)
            for (int k = noted.first[line]; k + 1 < noted.ends[line]; k++) {
                const struct canvas_point a = {noted.points[k].x - x, noted.points[k].y - y};
                const struct canvas_point b = {noted.points[k + 1].x - x, noted.points[k + 1].y - y};
                assert_int_equal(
                    edges_between(x, y, (struct canvas_point){-a.y, a.x}, (struct canvas_point){-b.y, b.x}),
                    1);
                reach = fmax(reach, fmax(fabs(a.x), fabs(a.y)));
            }
        assert_true(reach >= canvas.line / 5 && reach <= 1.5 * canvas.line / 5);
        /* diagonal strokes, and a cross: lines through the point; squares and diamonds go around it */
        const bool strokes = shape % 4 == 1 || shape % 4 == 2;
        assert_int_equal(noted.lines, strokes ? 2 : 1);
        assert_int_equal(noted.used, strokes ? 4 : 5);
        const bool aslant = noted.points[0].x != x && noted.points[0].y != y;
        assert_int_equal(aslant, shape % 4 < 2);
        struct canvas dots = of_size(false, 0);
        memset(&noted, 0, sizeof noted);
        chart_mark(&dots, x, y, COLOUR_ROWS, shape);
        assert_int_equal(noted.rectangles, 1);
        assert_int_equal(noted.lines, 1);
    }
}
