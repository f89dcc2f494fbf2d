/* The progress of a job: bar, count and time left. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "support/unit.h"
#include "ui/widgets/gauge.h"

/* The height of the panel and its maximum width, 68, of which the bar has all but a margin of 3 on each
 * side. */
enum { HIGH = 9, WIDE = 76, BAR = 62, BAR_LINE = 4, NUMBERS_LINE = 5 };

static struct surface surface;
static struct job job;

static int fresh(void **state)
{
    memset(&job, 0, sizeof job);
    job.started = clock_seconds();
    progress_phase(&job.progress, "counting", 200);
    return surface_resize(&surface, HIGH, WIDE, NULL) == STATUS_OK ? 0 : -1;
}

static int done(void **state)
{
    surface_free(&surface);
    return 0;
}

/* The lines that are drawn after `seconds` of the phase. */
static void draw(struct gauge *gauge, double seconds, struct text *lines)
{
    *gauge = (struct gauge){atomic_load(&job.progress.phase), atomic_load(&job.progress.total),
                            clock_seconds() - seconds};
    surface_clear(&surface);
    gauge_draw(gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, true, "Work", &job);
    surface_dump(&surface, lines);
}

/* 120 of 200 steps in 30 s leave 20 s, plus the delay between reading the two clocks. */
TEST_BETWEEN(fresh, done, time_left_is_in_proportion)
{
    struct gauge gauge;
    FREED(text_free) struct text lines = {0};
    progress_add(&job.progress, 120);
    draw(&gauge, 30, &lines);
    const char *numbers = strstr(lines.data, " 60%");
    assert_non_null(numbers);
    double left = strtod(numbers + strlen(" 60%"), NULL);
    assert_true(left >= 20 && left < 30);
    assert_says(numbers, " s left");
}

/* No time left is shown at first, or before any step is done, or at the end. */
TEST_BETWEEN(fresh, done, time_left_is_told_once_it_can_be)
{
    static const struct {
        int64_t done;
        double seconds;
        const char *share;
    } cases[] = {{50, 0, " 25%"}, {0, 10, "  0%"}, {200, 10, "100%"}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct gauge gauge;
        FREED(text_free) struct text lines = {0};
        progress_phase(&job.progress, "counting", 200);
        progress_add(&job.progress, cases[k].done);
        draw(&gauge, cases[k].seconds, &lines);
        assert_says(lines.data, cases[k].share);
        assert_lacks(lines.data, "200"); /* steps have no unit, so that the total is not shown */
        assert_lacks(lines.data, "left");
    }
}

/* In a new phase, or after a change of the number of steps, no time left is known. */
TEST_BETWEEN(fresh, done, another_phase_begins_anew)
{
    double before = clock_seconds();
    for (int k = 0; k < 3; k++) {
        struct gauge gauge = {k == 1 ? "reading" : atomic_load(&job.progress.phase), k == 2 ? 100 : 200,
                              before - 10};
        progress_phase(&job.progress, "counting", 200);
        progress_add(&job.progress, 50);
        gauge.phase = k == 1 ? "reading" : atomic_load(&job.progress.phase);
        gauge_draw(&gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, true, "Work", &job);
        assert_int_equal(gauge.since < before, k == 0);
        assert_string_equal(gauge.phase, "counting");
        assert_int_equal(gauge.total, 200);
    }
}

static int marks_in(const struct cell *cells, uint32_t mark)
{
    int marks = 0;
    for (int k = 0; k < BAR; k++)
        marks += cells[k].character == mark;
    return marks;
}

/* The half of 62 characters; the quarter has half a character, 4 of 8 eighths. */
TEST_BETWEEN(fresh, done, bars_have_their_share)
{
    const struct cell *line = &surface.cells[BAR_LINE * WIDE + (WIDE - BAR) / 2];
    struct gauge gauge = {0};
    progress_add(&job.progress, 100);
    gauge_draw(&gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, true, "Work", &job);
    assert_int_equal(marks_in(line, '#'), 31);
    assert_int_equal(marks_in(line, '.'), 31);
    gauge_draw(&gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, false, "Work", &job);
    assert_int_equal(marks_in(line, 0x2588), 31);
    progress_phase(&job.progress, "counting", 200);
    progress_add(&job.progress, 50);
    gauge_draw(&gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, false, "Work", &job);
    assert_int_equal(marks_in(line, 0x2588), 15);
    assert_int_equal(line[15].character, 0x258c); /* left half */
    assert_int_equal(line[15].foreground, COLOUR_ROWS);
    assert_int_equal(line[16].foreground, COLOUR_DIM);
}

/* Without a total a mark wanders over the bar, and the count is shown. */
TEST_BETWEEN(fresh, done, unknown_totals_have_a_wandering_mark)
{
    const struct cell *line = &surface.cells[BAR_LINE * WIDE + (WIDE - BAR) / 2];
    struct gauge gauge = {0};
    progress_phase(&job.progress, "reading", 0);
    progress_add(&job.progress, 1234);
    gauge_draw(&gauge, &surface, (struct rect){0, 0, HIGH, WIDE}, true, "Work", &job);
    assert_int_equal(marks_in(line, '#'), 4);
    FREED(text_free) struct text lines = {0};
    surface_dump(&surface, &lines);
    assert_says(lines.data, "1,234");
    assert_lacks(lines.data, "%");
}
