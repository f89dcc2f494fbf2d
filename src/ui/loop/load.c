/* Loading a matrix, and its progress. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/loop/loop.h"
#include "ui/reading.h"
#include "ui/widgets/gauge.h"

/* Loading shows its progress after this time. */
#define QUIET_SECONDS 0.1

/* Seconds between two drawings of the entries read so far; fewer in the first moments. */
#define PICTURE_SECONDS 0.15

/* Lines of the screen beside that picture: the title, the gauge and the keys. */
#define LINES_BESIDE 3

/* The time to wait for the end of cancelled loading. It may never end if it reads from an idle pipe, or from
 * a file server that does not answer. */
#define ABANDON_SECONDS 1.0

static enum status load(void *argument, struct progress *progress, struct error *error)
{
    struct ui *ui = argument;
    return session_load(&ui->session, ui->name, &ui->options, progress, error);
}

/* The screen while a matrix is loading. */
struct loading {
    struct gauge gauge;
    struct reading *picture; /* the picture of the entries read so far; NULL until the size of the matrix is
                                known */
    bool lacking;            /* memory for the picture was lacking */
    double drawn;            /* clock_seconds() when it was drawn last */
    bool stuck;              /* the file does not respond */
};

/* The screen's help. */
static const struct view view_loading = {
    .title = "Loading",
    .help =
        "The matrix is being read. As soon as its size is known, the entries that were read so far are "
        "drawn as on Pattern. The picture is coarse, because only a sample of the entries is counted. "
        "Pattern shows all entries exactly once the matrix is loaded. Other keys, such as the number of a "
        "screen, have their effect then.",
};

static void draw_loading_help(struct ui *ui)
{
    const struct help_section sections[] = {
        {"Keys while a matrix is loading", loading_actions}, {"Keys of this help", help_actions}, {0}};
    ui->help.explorer = &ui->explorer;
    ui->help.state = NULL;
    ui->help.list = NULL;
    help_draw(&ui->help, &ui->surface, chrome_area(NULL, &ui->surface), ui->term.ascii, &view_loading,
              sections);
}

/* Draw the entries that have been read. Returns false if there are none yet. */
static bool draw_picture(struct ui *ui, struct loading *loading)
{
    struct surface *surface = &ui->surface;
    const struct rect area = {1, 0, surface->high - LINES_BESIDE, surface->wide};
    if (loading->lacking || !glimpse_begun(ui->glimpse) || atomic_load(&ui->glimpse->counted) == 0)
        return false;
    if (!loading->picture) loading->picture = reading_open(ui->glimpse, &ui->explorer, NULL);
    loading->lacking = !loading->picture;
    if (loading->lacking) return false;
    reading_draw(loading->picture, surface, area);
    gauge_line(&loading->gauge, surface, surface->high - 2, 1, surface->wide - 2, ui->term.ascii,
               &ui->loading);
    return true;
}

/* Draw the progress of loading, or of waiting for it to stop. */
static void draw_loading(struct ui *ui, struct loading *loading)
{
    struct surface *surface = &ui->surface;
    struct rect area = {0, 0, surface->high, surface->wide};
    const struct footer_table own = {.actions = loading_actions, .explorer = &ui->explorer},
                              none = {.actions = NULL};
    char title[256], key[KEY_TEXT];
    snprintf(title, sizeof title, "Loading %s", strcmp(ui->name, "-") == 0 ? "standard input" : ui->name);
    surface_clear(surface);
    if (ui_too_small(ui)) {
        chrome_too_small(surface);
    } else if (draw_picture(ui, loading)) {
        chrome_bar(surface, 0);
        surface_text(surface, 0, 1, surface->wide - 2, COLOUR_TITLE, 0, "%s", title);
        chrome_footer(&ui->footer, surface, &own, &none);
        chrome_bottom(&ui->explorer, surface, NULL, NULL, &ui->footer);
    } else {
        gauge_draw(&loading->gauge, surface, area, ui->term.ascii, title, &ui->loading);
    }
    if (ui->help.open && !ui_too_small(ui)) draw_loading_help(ui);
    if (loading->stuck)
        surface_text(surface, surface->high - 1, 1, surface->wide - 2, COLOUR_WARN, 0,
                     "the file does not respond; the list appears once it does. %s quits now",
                     everywhere_key(DEMAND_QUIT, key));
    term_draw(&ui->term, surface);
    loading->drawn = clock_seconds();
}

/* True if it is time to draw: not in the first moments, and a picture not too often. */
static bool is_due(const struct ui *ui, const struct loading *loading)
{
    const double now = clock_seconds(), since = now - ui->loading.started;
    return since >= QUIET_SECONDS &&
           (!loading->picture || ui->help.open || now - loading->drawn >= PICTURE_SECONDS);
}

/* Take a key that does not stop loading. */
static void take_key(struct ui *ui, struct loading *loading, int key)
{
    const struct action *action = ui->help.open ? action_find(help_actions, key) : NULL;
    loading->drawn = 0;
    if (key == UIKEY_RESIZE) ui_fit(ui);
    if (ui_serve_terminal(ui, ui_demand(ui, small_actions, key))) return;
    if (key == TERM_NOTHING || key == TERM_MOUSE || key == UIKEY_RESIZE) return;
    if (action)
        action->run(&ui->explorer, &ui->help, action->argument);
    else if (ui_demand(ui, loading_actions, key) == DEMAND_HELP)
        help_open(&ui->help);
    else
        ui_hold_key(ui, key);
}

/* Show the progress of loading until it has ended. Returns false if it was cancelled and does not end; then
 * the explorer must end. If there is a browser, its list remains useful. Then this waits for the end of
 * loading until the user quits. Keys that quit set ui->quit. */
static bool watch(struct ui *ui, struct loading *loading)
{
    struct mouse mouse;
    double cancelled = 0;
    bool gone = false;
    while (!job_finished(&ui->loading)) {
        bool fresh = clock_seconds() - ui->loading.started < QUIET_SECONDS;
        loading->stuck = cancelled > 0 && clock_seconds() - cancelled > ABANDON_SECONDS;
        if (loading->stuck && (!ui->browser || ui->quit || gone)) return false;
        if (is_due(ui, loading)) draw_loading(ui, loading);
        int key = term_key(&ui->term, fresh ? FIRST_TICK_MS : TICK_MS, &mouse);
        const bool helped = ui->help.open && action_find(help_actions, key);
        enum demand demand = helped ? DEMAND_NONE : ui_demand(ui, loading_actions, key);
        gone = gone || key == TERM_GONE;
        bool stops = gone || demand == DEMAND_QUIT || demand == DEMAND_CANCEL;
        if (demand == DEMAND_QUIT) ui->quit = true;
        if (!stops && key != TERM_NOTHING) take_key(ui, loading, key);
        if (stops && cancelled <= 0) {
            progress_cancel(&ui->loading.progress);
            cancelled = clock_seconds();
        }
    }
    return true;
}

static bool watch_loading(struct ui *ui)
{
    struct loading loading = {.picture = NULL};
    const bool ended = watch(ui, &loading);
    reading_close(loading.picture);
    return ended;
}

enum status ui_load(struct ui *ui, struct error *error)
{
    ui->glimpse = ui->options.glimpse = memory_zeroed(1, sizeof *ui->glimpse, NULL);
    enum status status = job_start(&ui->loading, load, ui, error);
    if (status == STATUS_OK) ui->abandoned = !watch_loading(ui);
    if (!ui->abandoned && status == STATUS_OK) job_join(&ui->loading);
    if (!ui->abandoned) { /* loading still writes into it otherwise */
        free(ui->glimpse);
        ui->glimpse = ui->options.glimpse = NULL;
    }
    if (status != STATUS_OK) return status;
    status = ui->abandoned ? STATUS_CANCELLED : job_join(&ui->loading);
    if (status == STATUS_CANCELLED)
        return error_at(error, status, ui->name, 0, 0, "loading was cancelled, so there is nothing to show");
    if (status != STATUS_OK && error) *error = ui->loading.error;
    return status;
}
