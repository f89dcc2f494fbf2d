/* Loading a matrix, and its progress. */
#include <stdio.h>
#include <string.h>

#include "ui/loop/loop.h"

/* Loading shows its progress after this time. */
#define QUIET_SECONDS 0.15

/* The time to wait for the end of cancelled loading. It may never end if it reads from an idle pipe, or from
 * a file server that does not answer. */
#define ABANDON_SECONDS 1.0

static enum status load(void *argument, struct progress *progress, struct error *error)
{
    struct ui *ui = argument;
    return session_load(&ui->session, ui->name, &ui->options, progress, error);
}

/* Draw the progress of loading, or of waiting for it to stop. */
static void draw_loading(struct ui *ui, struct gauge *gauge, bool stuck)
{
    struct surface *surface = &ui->surface;
    struct rect area = {0, 0, surface->high, surface->wide};
    char title[256], key[KEY_TEXT];
    snprintf(title, sizeof title, "Loading %s", strcmp(ui->name, "-") == 0 ? "standard input" : ui->name);
    surface_clear(surface);
    if (ui_too_small(ui))
        chrome_too_small(surface);
    else
        gauge_draw(gauge, surface, area, ui->term.ascii, title, &ui->loading);
    if (stuck)
        surface_text(surface, surface->high - 1, 1, surface->wide - 2, COLOUR_WARN, 0,
                     "the file does not respond; the list appears once it does. %s quits now",
                     everywhere_key(DEMAND_QUIT, key));
    term_draw(&ui->term, surface);
}

/* Show the progress of loading until it has ended. Returns false if it was cancelled and does not end; then
 * the explorer must end. With a browser, loading is awaited until the user quits, because the list remains
 * useful. Keys that quit set ui->quit. */
static bool watch_loading(struct ui *ui)
{
    struct gauge gauge = {0};
    struct mouse mouse;
    double cancelled = 0;
    bool gone = false;
    while (!job_finished(&ui->loading)) {
        bool fresh = clock_seconds() - ui->loading.started < QUIET_SECONDS;
        bool stuck = cancelled > 0 && clock_seconds() - cancelled > ABANDON_SECONDS;
        if (stuck && (!ui->browser || ui->quit || gone)) return false;
        if (!fresh) draw_loading(ui, &gauge, stuck);
        int key = term_key(&ui->term, fresh ? FIRST_TICK_MS : TICK_MS, &mouse);
        enum demand demand = ui_demand(ui, loading_actions, key);
        gone = gone || key == TERM_GONE;
        bool stops = gone || demand == DEMAND_QUIT || demand == DEMAND_CANCEL;
        if (demand == DEMAND_QUIT) ui->quit = true;
        if (key == UIKEY_RESIZE) ui_fit(ui);
        const bool served = ui_serve_terminal(ui, ui_demand(ui, small_actions, key));
        if (!stops && !served && key != TERM_NOTHING && key != TERM_MOUSE && key != UIKEY_RESIZE)
            ui_hold_key(ui, key);
        if (stops && cancelled <= 0) {
            progress_cancel(&ui->loading.progress);
            cancelled = clock_seconds();
        }
    }
    return true;
}

enum status ui_load(struct ui *ui, struct error *error)
{
    enum status status = job_start(&ui->loading, load, ui, error);
    if (status != STATUS_OK) return status;
    ui->abandoned = !watch_loading(ui);
    status = ui->abandoned ? STATUS_CANCELLED : job_join(&ui->loading);
    if (status == STATUS_CANCELLED)
        return error_at(error, status, ui->name, 0, 0, "loading was cancelled, so there is nothing to show");
    if (status != STATUS_OK && error) *error = ui->loading.error;
    return status;
}
