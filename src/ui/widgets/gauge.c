#include "ui/widgets/gauge.h"

#include <stdio.h>

#include "base/text.h"
#include "drawing/bars.h"
#include "ui/everywhere.h"

/* The time left is shown after this number of seconds of a phase. Its speed is not known before. */
#define SETTLED 0.4

/* If the total is not known, a mark of this width moves to and fro in the bar. */
#define MARK_WIDE 4

/* The maximum number of columns for the numbers right of a bar. */
#define NUMBERS_WIDE 40

/* Return the finished share of a phase, 0 to 1. */
static double share_done(int64_t done, int64_t total)
{
    if (total <= 0 || done <= 0) return 0;
    return done < total ? (double)done / (double)total : 1;
}

/* Draw a bar of a share. If the share is not `known`, draw the mark at its position `seconds` after the
 * start:
 *
 *     step      0 1 2 ... span ... 2 span - 1
 *     column    0 1 2 ... span ... 1            */
static void draw_bar(struct surface *surface, int y, int x, int wide, bool ascii, double share, bool known,
                     double seconds)
{
    struct bar bar = {.kind = BAR_BLOCK,
                      .rect = {y, x, 1, wide},
                      .length = share,
                      .colour = COLOUR_ROWS,
                      .ascii = ascii,
                      .track = true};
    if (!known) bar.length = 0;
    bar_draw(surface, &bar);
    if (known) return;
    int span = wide - MARK_WIDE, step = (int)(seconds * 12) % (2 * span);
    bar.rect = (struct rect){y, x + (step < span ? step : 2 * span - step), 1, MARK_WIDE};
    bar.length = 1;
    bar_draw(surface, &bar);
}

const char *gauge_share(char out[GAUGE_SHARE], int64_t done, int64_t total)
{
    snprintf(out, GAUGE_SHARE, "%.0f%%", 100 * share_done(done, total));
    return out;
}

/* Draw the finished share of a phase and the time left. The steps themselves have no unit that a user knows:
 * some phases count blocks of a file, some rows, some kernels. Phases whose total is not known show their
 * count, and their name has its unit. */
static void draw_numbers(const struct gauge *gauge, struct surface *surface, int y, int x, int wide,
                         int64_t done, int64_t total, double now)
{
    char share[GAUGE_SHARE], left[32];
    const double elapsed = now - gauge->since;
    if (total <= 0) {
        if (done > 0)
            surface_text(surface, y, x, wide, COLOUR_TEXT, 0, "%s", format_count(left, sizeof left, done));
        return;
    }
    surface_text(surface, y, x, wide, COLOUR_TEXT, 0, "%4s", gauge_share(share, done, total));
    if (done <= 0 || done >= total || elapsed < SETTLED) return;
    format_seconds(left, sizeof left, elapsed * (double)(total - done) / (double)done);
    surface_text_right(surface, y, x, wide, COLOUR_DIM, 0, "%s left", left);
}

/* Note the beginning of a phase. */
static void follow_phase(struct gauge *gauge, const char *phase, int64_t total, double now)
{
    if (phase != gauge->phase || total != gauge->total || gauge->since <= 0)
        *gauge = (struct gauge){phase, total, now};
}

void gauge_draw(struct gauge *gauge, struct surface *surface, struct rect area, bool ascii, const char *title,
                const struct job *job)
{
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    const char *phase = atomic_load(&job->progress.phase);
    bool cancelled = progress_cancelled(&job->progress);
    double now = clock_seconds();
    follow_phase(gauge, phase, total, now);

    int wide = area.wide < 72 ? area.wide - 4 : 68, high = 9;
    struct rect panel = {area.top + (area.high - high) / 2, area.left + (area.wide - wide) / 2, high, wide};
    int x = panel.left + 3, inner = wide - 6, y = panel.top;
    char elapsed[32], key[KEY_TEXT], quit[KEY_TEXT];
    surface_frame(surface, panel, ascii, title);
    surface_text(surface, y + 2, x, inner, COLOUR_TEXT, 0, "%s",
                 cancelled ? "cancelling"
                 : phase   ? phase
                           : "starting");
    surface_text_right(surface, y + 2, x, inner, COLOUR_DIM, 0, "%s",
                       format_seconds(elapsed, sizeof elapsed, now - job->started));
    draw_bar(surface, y + 4, x, inner, ascii, share_done(done, total), total > 0, now - job->started);
    draw_numbers(gauge, surface, y + 5, x, inner, done, total, now);
    surface_text(surface, y + 7, x, inner, COLOUR_DIM, 0, "%s cancels   %s quits",
                 everywhere_key(DEMAND_CANCEL, key), everywhere_key(DEMAND_QUIT, quit));
}

void gauge_line(struct gauge *gauge, struct surface *surface, int y, int x, int wide, bool ascii,
                const struct job *job)
{
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    const char *phase = atomic_load(&job->progress.phase);
    const double now = clock_seconds();
    const int numbers = wide / 2 < NUMBERS_WIDE ? wide / 2 : NUMBERS_WIDE;
    follow_phase(gauge, phase, total, now);
    int used = surface_text(surface, y, x, wide - numbers, COLOUR_TEXT, 0, "%s ",
                            progress_cancelled(&job->progress) ? "cancelling"
                            : phase                            ? phase
                                                               : "starting");
    if (wide - numbers - used > 2 * MARK_WIDE)
        draw_bar(surface, y, x + used, wide - numbers - used - 1, ascii, share_done(done, total), total > 0,
                 now - job->started);
    draw_numbers(gauge, surface, y, x + wide - numbers, numbers, done, total, now);
}

void gauge_bar(struct surface *surface, int y, int x, int wide, bool ascii, const struct job *job)
{
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    draw_bar(surface, y, x, wide, ascii, share_done(done, total), total > 0, clock_seconds() - job->started);
}

void gauge_brief(struct surface *surface, int y, int x, int wide, const struct job *job)
{
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    const char *phase = atomic_load(&job->progress.phase);
    char share[GAUGE_SHARE];
    if (!phase) return;
    if (total > 0)
        surface_text_right(surface, y, x, wide, COLOUR_DIM, 0, "%s %s", phase,
                           gauge_share(share, done, total));
    else
        surface_text_right(surface, y, x, wide, COLOUR_DIM, 0, "%s", phase);
}
