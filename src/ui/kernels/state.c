/* The lines above the table: the progress of the run, or the shown run and the next steps. */
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "ui/everywhere.h"
#include "ui/kernels/kernels.h"
#include "ui/widgets/gauge.h"

/* If other programs slow a run down by at least this factor, the estimate of its duration says so. */
#define BUSY 1.5

/* Write ", 3 s left" for the phase of the run, from its mean speed. In its first half second the speed is not
 * known, and the text is "". */
static void time_left(const struct kernels_screen *screen, double now, int64_t done, int64_t total, char *out,
                      size_t size)
{
    char seconds[32];
    double elapsed = now - screen->since;
    out[0] = 0;
    if (total <= 0 || done <= 0 || done >= total || elapsed < 0.5) return;
    format_seconds(seconds, sizeof seconds, ceil(elapsed * (double)(total - done) / (double)done));
    snprintf(out, size, ", %s left", seconds);
}

static void draw_progress(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                          int y, int wide)
{
    const struct job *job = explorer->job;
    explorer->moving = true;
    if (screen->errand.state == ERRAND_WANTED || !job) {
        surface_text(surface, y, 1, wide - 2, COLOUR_DIM, 0, "about to run %d kernels", screen->making.count);
        return;
    }
    const char *phase = atomic_load(&job->progress.phase);
    int64_t done = atomic_load(&job->progress.done), total = atomic_load(&job->progress.total);
    int x = 1, bar = wide >= 100 ? 30 : 16;
    char left[64] = "", share[GAUGE_SHARE], spent[32], key[KEY_TEXT];
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, ATTRIBUTE_BOLD, "%d running ",
                      screen->making.count);
    gauge_bar(surface, y, x, bar, explorer->ascii, job);
    x += bar + 1;
    if (total > 0) snprintf(left, sizeof left, " %s", gauge_share(share, done, total));
    x += surface_text_whole(surface, y, x, wide - x, COLOUR_TEXT, 0, "%s%s",
                            progress_cancelled(&job->progress) ? "cancelling"
                            : phase                            ? phase
                                                               : "starting",
                            left);
    if (phase != screen->phase || screen->since < job->started) {
        screen->phase = phase;
        screen->since = clock_seconds();
    }
    double now = clock_seconds();
    format_seconds(spent, sizeof spent, now - job->started);
    time_left(screen, now, done, total, left, sizeof left);
    x += surface_text_whole(surface, y, x + 2, wide - x - 14, COLOUR_DIM, 0, "%s%s", spent, left) + 2;
    if (x + 11 < wide)
        surface_text_right(surface, y, x, wide - x - 1, COLOUR_ACCENT, 0, "%s cancels",
                           everywhere_key(DEMAND_CANCEL, key));
}

/* Write the duration of a run of all kernels, and the load of the machine if that prolongs it and the text
 * fits. */
static void draw_duration(struct surface *surface, int y, int x, int wide, double seconds, double slower)
{
    const bool minutes = seconds >= 100;
    char text[80];
    snprintf(text, sizeof text, "; all take about %.0f %s", ceil(minutes ? seconds / 60 : seconds),
             minutes ? "min" : "s");
    if (slower < BUSY ||
        !surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "%s: the machine is busy", text))
        surface_text_whole(surface, y, x, wide, COLOUR_DIM, 0, "%s", text);
}

/* Name the keys that run kernels, and the approximate duration, while no line has numbers. */
static void draw_hint(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, int wide)
{
    int all = kernels_runnable(explorer, screen, true), estimated = kernels_estimable(explorer, screen, true);
    double slower;
    const double seconds = kernels_duration(explorer, screen, &slower);
    char key[PROSE_SIZE];
    int x = 1;
    if (!case_has_entries(explorer->session->shown)) {
        int saved = explorer->session->shown->runs.count;
        surface_text(
            surface, y, x, wide - x - 1, COLOUR_WARN, 0, "%s",
            saved > 0
                ? keys_prose(
                      kernels_actions,
                      "No kernel can run without the entries; {older and newer runs 1} shows saved runs.",
                      key)
                : "No kernel can run without the entries, and the report has no runs.");
        return;
    }
    if (all + estimated == 0) {
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_WARN, 0,
                           "No kernel can run on this matrix here.");
        return;
    }
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "%s",
                      keys_prose(kernels_actions, "{run 2}", key));
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " %s %s %d kernel%s, ",
                      all ? "runs" : "estimates", screen->filter[0] ? "the" : "all", all ? all : estimated,
                      (all ? all : estimated) == 1 ? "" : "s");
    x += surface_text(surface, y, x, wide - x, COLOUR_ACCENT, 0, "%s",
                      keys_prose(kernels_actions, "{run 1}", key));
    x += surface_text(surface, y, x, wide - x, COLOUR_TEXT, 0, " %s",
                      kernels_selected(screen) ? "those selected" : "the one under the cursor");
    int kept = explorer->session->shown->runs.count;
    if (kept > 0) /* there are only saved runs, or runs with other options */
        x += surface_text_whole(surface, y, x, wide - x - 1, COLOUR_DIM, 0, "; %s shows the last of %d kept",
                                keys_prose(kernels_actions, "{older and newer runs 1}", key), kept);
    else if (all > 0) /* estimates take no measurements */
        draw_duration(surface, y, x, wide - x - 1, seconds, slower);
}

int kernels_draw_note(const struct explorer *explorer, const struct kernels_screen *screen,
                      struct surface *surface, int y, int wide)
{
    const struct session *session = explorer->session;
    const char *gpu = session_has(session, SESSION_GPU) ? session->gpu.name : "a GPU";
    char key[PROSE_SIZE];
    int awaiting, estimated, x = 1;
    if (screen->mode != MODE_TABLE) return 0;
    if (screen->shown) {
        x += surface_text(surface, y, x, wide - x - 1, COLOUR_ACCENT, 0, "[ ]");
        surface_text(surface, y, x, wide - x - 1, COLOUR_DIM, 0, " previous and next run");
        return 1;
    }
    kernels_count_awaiting(explorer, screen, &awaiting, &estimated);
    if (awaiting == 0) return 0;
    if (!product_plain(screen->options.product)) {
        surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "No GPU found. Only y = A x is estimated.");
        return 1;
    }
    x += surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "No GPU found. ");
    if (estimated == 0)
        x += surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "%s estimates %d kernel%s for %s.",
                          keys_prose(kernels_actions, "{run 1}", key), awaiting, awaiting == 1 ? "" : "s",
                          gpu);
    else
        x += surface_text(surface, y, x, wide - x - 1, COLOUR_TEXT, 0, "%d of %d kernel%s estimated for %s.",
                          estimated, awaiting, awaiting == 1 ? " is" : "s are", gpu);
    if (session_has(session, SESSION_GPU) && !session->gpu.pace.measured)
        surface_text_whole(surface, y, x, wide - x - 1, COLOUR_WARN, 0, " (constants derived)");
    return 1;
}

void kernels_draw_state(struct explorer *explorer, struct kernels_screen *screen, struct surface *surface,
                        int y, int wide)
{
    const struct runs *runs = &explorer->session->shown->runs;
    const struct run *shown = screen->shown;
    int x = 1;
    if (kernels_running(screen)) {
        draw_progress(explorer, screen, surface, y, wide);
    } else if (shown && screen->mode == MODE_TABLE) {
        x += surface_text(surface, y, x, wide - x, COLOUR_TITLE, 0, "Run %d of %d: #%d ",
                          kernels_run_index(explorer, shown) + 1, runs->count, shown->number);
        x +=
            surface_text_short(surface, y, x, wide - x - 12, explorer->ascii, COLOUR_ACCENT, 0, shown->label);
        if (shown->saved) x += surface_text_whole(surface, y, x, wide - x, COLOUR_DIM, 0, " (saved)");
        kernels_draw_machines(screen, surface, y, x + 3, wide - x - 4);
    } else if (screen->timed == 0) {
        draw_hint(explorer, screen, surface, y, wide);
    } else {
        kernels_draw_machines(screen, surface, y, 1, wide - 2);
    }
}

void kernels_draw_empty(struct surface *surface, struct rect rect, const char *words)
{
    struct flow flow = {.surface = surface, .rect = {rect.top + 1, rect.left + 1, 4, rect.wide - 2}};
    char prose[PROSE_SIZE];
    flow_words(&flow, COLOUR_TEXT, keys_prose(kernels_actions, words, prose));
}
