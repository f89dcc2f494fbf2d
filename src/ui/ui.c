#include "ui/ui.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/report.h"
#include "ui/browser/browser.h"
#include "ui/chrome.h"
#include "ui/everywhere.h"
#include "ui/find.h"
#include "ui/help.h"
#include "ui/prompt.h"
#include "ui/recent.h"
#include "ui/save.h"
#include "ui/start.h"
#include "ui/terminal/term.h"
#include "ui/view.h"
#include "ui/widgets/list.h"
#include "ui/work.h"

/* While a job runs, the loop waits so long for a key. It waits less in a job's first FIRST_SECONDS, since
 * many jobs end within that time. */
#define TICK_MS 50
#define FIRST_TICK_MS 5
#define FIRST_SECONDS 0.1

/* While kernels are timed, the loop waits so long for a key, and drawing waits so long for the end of a
 * sample before keys are looked at again. What a key has changed is drawn after at most twice that, even
 * within a sample. */
#define TIMING_TICK_MS 200
#define STILL_SECONDS 0.05

/* The progress of loading is drawn once it has taken so long. */
#define QUIET_SECONDS 0.15

/* Loading that was cancelled is waited for so long. If it reads from a pipe that nothing is written to, it
 * never ends. */
#define ABANDON_SECONDS 1.0

/* At most so many keys are taken before the screen is drawn again. */
#define KEYS_AT_ONCE 64

enum prompt_kind { PROMPT_NONE, PROMPT_GOTO, PROMPT_FIND, PROMPT_SAVE, PROMPT_VIEW };

struct ui {
    const char *name;
    struct start start; /* what the user has chosen the matrix from, if none was named */
    struct load_options options;
    struct job loading;
    bool abandoned; /* loading still waits for its input: this struct must not be freed, since it uses it */
    struct terminal term;
    struct surface surface;
    struct session session;
    struct explorer explorer;
    struct work work;
    struct help help;
    struct action everywhere[EVERYWHERE_MAX];
    struct footer footer;
    enum prompt_kind prompt;
    struct prompt prompts[PROMPT_VIEW + 1];
    struct finding finding; /* the search that runs, or the last one */
    struct job search;
    bool searching;
    bool searched;            /* there was a search, which can be repeated, */
    char sought[PROMPT_SIZE]; /* and this was typed for it */
    struct saving saving;
    bool leaving;            /* the user was asked whether to quit although runs are not saved */
    bool dirty;              /* the view has to be drawn again */
    bool late;               /* drawing waits for the end of a sample */
    bool quit;               /* the matrix is left */
    bool gone;               /* the terminal has been closed */
    struct browser *browser; /* where the matrix was opened; NULL if it was named itself */
    int step;                /* 1 if the next matrix of the browser is to be opened, -1 if the one before */
};

static const struct view *active(const struct ui *ui)
{
    return views[ui->explorer.view];
}

static bool too_small(const struct ui *ui)
{
    return ui->surface.high < CHROME_HIGH || ui->surface.wide < CHROME_WIDE;
}

static enum status load(void *argument, struct progress *progress, struct error *error)
{
    struct ui *ui = argument;
    return session_load(&ui->session, ui->name, &ui->options, progress, error);
}

static void fit_surface(struct ui *ui)
{
    surface_resize(&ui->surface, ui->term.high, ui->term.wide, NULL);
    ui->dirty = true;
}

static void draw_loading(struct ui *ui, struct gauge *gauge)
{
    struct surface *surface = &ui->surface;
    struct rect area = {0, 0, surface->high, surface->wide};
    char title[256];
    snprintf(title, sizeof title, "Loading %s", strcmp(ui->name, "-") == 0 ? "standard input" : ui->name);
    surface_clear(surface);
    if (too_small(ui))
        chrome_too_small(surface);
    else
        gauge_draw(gauge, surface, area, ui->term.ascii, title, &ui->loading);
    term_draw(&ui->term, surface);
}

/* Do what a key asks of the terminal, which works whatever is shown. Returns false if it asks for something
 * else. */
static bool serve_terminal(struct ui *ui, enum demand demand)
{
    if (demand == DEMAND_REDRAW) {
        term_redraw(&ui->term);
    } else if (demand == DEMAND_SUSPEND) {
        term_suspend(&ui->term);
        fit_surface(ui);
    } else {
        return false;
    }
    return true;
}

/* Return what a key of a table asks for, if the table's actions need no state. */
static enum demand demand_of(struct ui *ui, const struct action *table, int key)
{
    const struct action *action = action_find(table, key);
    ui->explorer.demand = DEMAND_NONE;
    if (action) action->run(&ui->explorer, NULL, action->argument);
    return ui->explorer.demand;
}

/* Show the progress of loading until it has ended. Returns false if it was to stop and does not end. Keys
 * that quit set ui->quit. */
static bool watch_loading(struct ui *ui)
{
    struct gauge gauge = {0};
    struct mouse mouse;
    double cancelled = 0;
    while (!job_finished(&ui->loading)) {
        bool fresh = clock_seconds() - ui->loading.started < QUIET_SECONDS;
        if (!fresh) draw_loading(ui, &gauge);
        int key = term_key(&ui->term, fresh ? FIRST_TICK_MS : TICK_MS, &mouse);
        enum demand demand = demand_of(ui, loading_actions, key);
        bool stops = key == TERM_GONE || demand == DEMAND_QUIT || demand == DEMAND_CANCEL;
        if (demand == DEMAND_QUIT) ui->quit = true;
        if (key == UIKEY_RESIZE) fit_surface(ui);
        serve_terminal(ui, demand_of(ui, small_actions, key));
        if (stops && cancelled <= 0) {
            progress_cancel(&ui->loading.progress);
            cancelled = clock_seconds();
        }
        if (cancelled > 0 && clock_seconds() - cancelled > ABANDON_SECONDS) return false;
    }
    return true;
}

static enum status load_matrix(struct ui *ui, struct error *error)
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

/* True if the view cannot be drawn, since parts of the session that it needs are missing. */
static bool waiting(const struct ui *ui)
{
    return !session_has(&ui->session, active(ui)->needs);
}

/* Draw, in the place of a view that cannot be drawn, the progress of what it waits for, or why it is not
 * computed. */
static void draw_waiting(struct ui *ui, struct rect area)
{
    struct work *work = &ui->work;
    int y = area.top + area.high / 2;
    char text[sizeof work->failure.message], key[KEY_TEXT];
    if (!(active(ui)->needs & work->declined) && work_busy(work)) {
        gauge_draw(&work->gauge, &ui->surface, area, ui->term.ascii,
                   work_alone(work) ? work->task.errand->title : active(ui)->title, &work->job);
        return;
    }
    surface_text(&ui->surface, y - 1, area.left + 4, area.wide - 8, COLOUR_WARN, 0, "Not computed: %s",
                 work->failure.status == STATUS_OK ? "cancelled"
                                                   : error_text(&work->failure, text, sizeof text));
    surface_text(&ui->surface, y + 1, area.left + 4, area.wide - 8, COLOUR_DIM, 0, "%s computes it",
                 everywhere_key(DEMAND_COMPUTE, key));
}

/* Make the view's state if it has none yet. Returns false and shows a message if that fails. */
static bool open_view(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    struct error error = {0};
    char text[sizeof explorer->message];
    void **state = &explorer->states[explorer->view];
    if (*state || !active(ui)->open) return true;
    *state = active(ui)->open(explorer, &error);
    if (*state) return true;
    explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    return false;
}

/* True if the view can be drawn and has its state, so that it can take keys. */
static bool usable(const struct ui *ui)
{
    const struct view *view = active(ui);
    return !waiting(ui) && (!view->open || ui->explorer.states[ui->explorer.view]);
}

static void *state_of(const struct ui *ui)
{
    return ui->explorer.states[ui->explorer.view];
}

/* Return the list that is open over the screen, or NULL. */
static const struct list *shown_list(const struct ui *ui)
{
    return usable(ui) ? view_list(active(ui), state_of(ui)) : NULL;
}

/* Return the keys of the screen that the footer shows beside those of all screens; NULL if there are none. */
static const struct action *own_actions(const struct ui *ui)
{
    if (waiting(ui)) return work_busy(&ui->work) ? NULL : waiting_actions;
    return usable(ui) && !shown_list(ui) ? active(ui)->actions : NULL;
}

static void draw_help(struct ui *ui, struct rect area)
{
    const struct list *list = shown_list(ui);
    const struct action *tables[LIST_TABLES] = {NULL};
    struct help_section sections[LIST_TABLES + 4] = {{0}};
    int count = 0;
    if (list) list_tables(list, tables);
    for (int t = 0; list && t < LIST_TABLES; t++)
        sections[count++] = (struct help_section){"Keys of this list", tables[t]};
    sections[count++] = (struct help_section){"Keys of this screen", active(ui)->actions};
    sections[count++] = (struct help_section){"Keys everywhere", ui->everywhere};
    sections[count++] = (struct help_section){"Keys of this help", help_actions};
    help_draw(&ui->help, &ui->surface, area, ui->term.ascii, active(ui), sections);
}

static void draw_area(struct ui *ui)
{
    struct rect area = chrome_area(&ui->surface);
    surface_clear(&ui->surface);
    ui->explorer.moving = false;
    ui->explorer.tick_ms = 0;
    if (waiting(ui))
        draw_waiting(ui, area);
    else if (open_view(ui))
        active(ui)->draw(&ui->explorer, state_of(ui), &ui->surface, area);
    if (ui->help.open) draw_help(ui, area);
}

static void draw(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    struct prompt *prompt = ui->prompt == PROMPT_NONE ? NULL : &ui->prompts[ui->prompt];
    if (too_small(ui)) {
        chrome_too_small(&ui->surface);
        if (ui->leaving)
            surface_text(&ui->surface, ui->surface.high - 1, 0, ui->surface.wide, COLOUR_WARN, 0, "%s",
                         explorer->message);
    } else {
        if (ui->dirty || waiting(ui) || explorer->moving) draw_area(ui);
        chrome_tabs(explorer, &ui->surface);
        chrome_status(explorer, &ui->surface, work_busy(&ui->work) ? &ui->work.job : NULL);
        if (ui->help.open)
            chrome_footer(&ui->footer, &ui->surface, help_actions, NULL);
        else
            chrome_footer(&ui->footer, &ui->surface, own_actions(ui), ui->everywhere);
        chrome_bottom(explorer, &ui->surface, prompt, ui->searching ? &ui->search : NULL, &ui->footer);
    }
    ui->dirty = false;
    term_draw(&ui->term, &ui->surface);
}

/* Draw. While a sample is being timed, progress alone is drawn only after the sample's end. */
static void draw_between_samples(struct ui *ui)
{
    struct progress *progress = work_busy(&ui->work) ? &ui->work.job.progress : NULL;
    ui->late = !progress_may_draw(progress, STILL_SECONDS, ui->dirty);
    if (ui->late) return;
    draw(ui);
    progress_drawn(progress);
}

static void start_search(struct ui *ui)
{
    struct error error = {0};
    char text[sizeof ui->explorer.message], key[KEY_TEXT];
    if (work_alone(&ui->work)) {
        explorer_say(&ui->explorer, "a search would disturb what is timed: %s cancels that",
                     everywhere_key(DEMAND_CANCEL, key));
        return;
    }
    ui->finding.a = &ui->session.shown->matrix.csr;
    ui->finding.col_ptr = session_has(&ui->session, SESSION_COL_PTR) ? ui->session.shown->col_ptr : NULL;
    ui->finding.limit = ui->session.limit;
    ui->finding.row = ui->explorer.cursor.row;
    ui->finding.col = ui->explorer.cursor.col;
    if (job_start(&ui->search, finding_run, &ui->finding, &error) == STATUS_OK)
        ui->searching = true;
    else
        explorer_say(&ui->explorer, "%s", error_text(&error, text, sizeof text));
}

static void end_search(struct ui *ui)
{
    const struct finding *finding = &ui->finding;
    char row[32], col[32];
    enum status status = job_join(&ui->search);
    ui->searching = false;
    if (status == STATUS_CANCELLED) {
        explorer_say(&ui->explorer, "search cancelled");
    } else if (status != STATUS_OK) {
        char text[sizeof ui->explorer.message];
        explorer_say(&ui->explorer, "%s", error_text(&ui->search.error, text, sizeof text));
    } else if (!finding->found) {
        explorer_say(&ui->explorer, "none found: %s", ui->sought);
    } else {
        explorer_move(&ui->explorer, finding->row, finding->col);
        explorer_say(&ui->explorer, "found %s at row %s, column %s%s", ui->sought,
                     format_count(row, sizeof row, finding->row + 1),
                     format_count(col, sizeof col, finding->col + 1),
                     finding->wrapped ? ", starting again from the top" : "");
        ui->dirty = true;
    }
}

static void repeat_search(struct ui *ui)
{
    char key[KEY_TEXT];
    if (ui->searched)
        start_search(ui);
    else
        explorer_say(&ui->explorer, "nothing to repeat: %s finds", everywhere_key(DEMAND_FIND, key));
}

/* Give the view that asked what was typed. */
static void answer(struct ui *ui)
{
    if (usable(ui)) view_take_answer(&ui->explorer, active(ui), state_of(ui), ui->prompts[PROMPT_VIEW].text);
}

/* Write the runs to the file that the user has named, if the session has what a report shows. What cannot be
 * computed is missing in the report: the runs are worth more than that. */
static void save_runs(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    struct explorer *explorer = &ui->explorer;
    const struct runs *runs = &ui->session.shown->runs;
    struct error error = {0};
    char text[sizeof explorer->message];
    int count = runs_own(runs, false);
    if (!session_has(&ui->session, REPORT_NEEDS & ~ui->work.declined)) return;
    saving->wanted = false;
    ui->dirty = true;
    if (saved_write(&ui->session, saving->path, &error) == STATUS_OK) {
        explorer_say(explorer, "%d run%s saved in %s, which --results=FILE opens", count,
                     count == 1 ? " is" : "s are", saving->path);
        ui->quit = saving->then_quit;
    } else {
        explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
    }
    saving->then_quit = false;
}

/* Take the name of the file that runs are to be saved in. */
static void accept_file(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    struct prompt *prompt = &ui->prompts[PROMPT_SAVE];
    char path[PROMPT_SIZE];
    const char *label;
    snprintf(path, sizeof path, "%s", prompt->text);
    if (save_accept(saving, path, &label)) {
        saving->wanted = true;
        explorer_say(&ui->explorer, "saving in %s as soon as the numbers of the report are computed", path);
        save_runs(ui);
    } else {
        ui->prompt = PROMPT_SAVE;
        prompt_open_with(prompt, label, path);
        prompt->empty = false;
    }
}

static void accept_prompt(struct ui *ui, enum prompt_kind kind)
{
    struct explorer *explorer = &ui->explorer;
    const struct csr *a = &ui->session.shown->matrix.csr;
    struct error error = {0};
    char text[sizeof explorer->message];
    enum status status = STATUS_OK;
    if (kind == PROMPT_VIEW) {
        answer(ui);
    } else if (kind == PROMPT_SAVE) {
        accept_file(ui);
    } else if (kind == PROMPT_GOTO) {
        int64_t row = explorer->cursor.row, col = explorer->cursor.col;
        bool ambiguous;
        status = place_parse(ui->prompts[kind].text, a->rows, a->cols, &row, &col, &ambiguous, &error);
        if (status == STATUS_OK) explorer_move(explorer, row, col);
        if (ambiguous) explorer_say(explorer, "the comma groups digits; a blank parts row and column");
    } else {
        status = search_parse(ui->prompts[kind].text, &ui->finding.search, &error);
        if (status == STATUS_OK) {
            ui->searched = true;
            memcpy(ui->sought, ui->prompts[kind].text, sizeof ui->sought);
            start_search(ui);
        }
    }
    if (status != STATUS_OK) explorer_say(explorer, "%s", error_text(&error, text, sizeof text));
}

static void prompt_take(struct ui *ui, int key)
{
    enum prompt_kind kind = ui->prompt;
    enum prompt_result result = prompt_key(&ui->prompts[kind], key);
    if (result == PROMPT_OPEN) return;
    ui->prompt = PROMPT_NONE;
    if (result == PROMPT_DONE) accept_prompt(ui, kind);
}

static void open_prompt(struct ui *ui, enum prompt_kind kind)
{
    ui->prompt = kind;
    prompt_open(&ui->prompts[kind], kind == PROMPT_GOTO ? "Go to row[,column]" : "Find");
}

/* Ask for a file to save the runs in. */
static void open_save(struct ui *ui, bool then_quit)
{
    struct explorer *explorer = &ui->explorer;
    char name[PROMPT_SIZE];
    if (work_alone(&ui->work)) {
        explorer_say(explorer, "saving would disturb what is timed: x cancels that");
    } else if (runs_own(&ui->session.shown->runs, false) == 0) {
        explorer_say(explorer, "nothing to save: no run was made here yet");
    } else {
        ui->saving = (struct saving){.then_quit = then_quit};
        save_propose(&ui->session, name);
        ui->prompt = PROMPT_SAVE;
        prompt_open_with(&ui->prompts[PROMPT_SAVE], "Save runs in", name);
        ui->prompts[PROMPT_SAVE].empty = false;
    }
}

/* Quit, unless runs would be lost: then the user is asked first. */
static void quit(struct ui *ui)
{
    int lost = runs_own(&ui->session.shown->runs, true);
    ui->leaving = lost > 0;
    ui->quit = !ui->leaving;
    if (ui->leaving)
        explorer_say(&ui->explorer, "%d run%s not saved. Quit? y quits, s saves first, n stays", lost,
                     lost == 1 ? " is" : "s are");
}

/* Leave the matrix for the next one of the browser, or with step -1 for the one before. */
static void step_matrix(struct ui *ui, int step)
{
    if (!ui->browser) {
        explorer_say(&ui->explorer, "one matrix was named: 'sparsight FOLDER' goes through several");
    } else if (!browser_choose(ui->browser, step, false)) {
        explorer_say(&ui->explorer, step > 0 ? "this is the last matrix" : "this is the first matrix");
    } else {
        ui->step = step;
        quit(ui);
    }
}

/* Take the answer to whether to quit. */
static void take_leave(struct ui *ui, int key)
{
    ui->leaving = false;
    if (key == 'y' || key == 'Y') ui->quit = true;
    if ((key == 's' || key == 'S') && !too_small(ui)) open_save(ui, true);
}

/* Open the prompt if the view asks a question. */
static void open_question(struct ui *ui)
{
    struct question *question = &ui->explorer.question;
    if (!question->asked) return;
    ui->prompt = PROMPT_VIEW;
    prompt_open_with(&ui->prompts[PROMPT_VIEW], question->label, question->text);
    question->asked = false;
}

/* Cancel what is being computed, or compute after all what was cancelled before. */
static void cancel(struct ui *ui)
{
    const struct view *view = active(ui);
    char key[KEY_TEXT];
    if (ui->searching) {
        progress_cancel(&ui->search.progress);
    } else if (usable(ui) && view->retry && view->retry(&ui->explorer, state_of(ui))) {
        return; /* the view has asked again for what was cancelled */
    } else if (work_busy(&ui->work)) {
        work_cancel(&ui->work);
        explorer_say(&ui->explorer, "cancelled; %s again computes it after all",
                     everywhere_key(DEMAND_CANCEL, key));
    } else {
        work_retry(&ui->work, ui->work.declined);
    }
}

/* Do what a key asks for. */
static void serve(struct ui *ui, enum demand demand)
{
    switch (demand) {
    case DEMAND_HELP:
        help_open(&ui->help);
        break;
    case DEMAND_GO_TO:
        open_prompt(ui, PROMPT_GOTO);
        break;
    case DEMAND_FIND:
        if (!ui->searching) open_prompt(ui, PROMPT_FIND);
        break;
    case DEMAND_FIND_NEXT:
        if (!ui->searching) repeat_search(ui);
        break;
    case DEMAND_CANCEL:
        cancel(ui);
        break;
    case DEMAND_COMPUTE:
        work_retry(&ui->work, active(ui)->needs);
        break;
    case DEMAND_SAVE:
        open_save(ui, false);
        break;
    case DEMAND_NEXT_MATRIX:
        step_matrix(ui, 1);
        break;
    case DEMAND_MATRIX_BEFORE:
        step_matrix(ui, -1);
        break;
    case DEMAND_QUIT:
        ui->step = 0;
        quit(ui);
        break;
    case DEMAND_NONE:
    case DEMAND_REDRAW:
    case DEMAND_SUSPEND:
        break;
    }
}

/* Take a key of a table that is no view's. Returns false if the table has no action for it. */
static bool take_action(struct ui *ui, const struct action *table, void *state, int key)
{
    const struct action *action = action_find(table, key);
    if (action) action->run(&ui->explorer, state, action->argument);
    return action != NULL;
}

/* Take a key that is the screen's, or one of all screens. */
static void take_screen_key(struct ui *ui, int key)
{
    struct explorer *explorer = &ui->explorer;
    bool taken = waiting(ui) && take_action(ui, waiting_actions, NULL, key);
    taken = taken || (usable(ui) && view_take_key(explorer, active(ui), state_of(ui), key));
    open_question(ui);
    taken = taken || take_action(ui, ui->everywhere, NULL, key);
    if (!taken && view_of_key(key) >= 0)
        explorer_say(explorer, "there is no screen %c, there are %d", key, view_count());
}

static void take_key(struct ui *ui, int key, const struct mouse *mouse);

static void take_mouse(struct ui *ui, const struct mouse *mouse)
{
    struct explorer *explorer = &ui->explorer;
    bool wheel = mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN;
    bool bottom = mouse->y == ui->surface.high - 1;
    const struct footer *footer = ui->help.open && !bottom ? &ui->help.footer : &ui->footer;
    int key = mouse->kind == MOUSE_PRESS && (bottom || ui->help.open)
                  ? footer_key_at(footer, mouse->y, mouse->x)
                  : 0;
    if (key) {
        take_key(ui, key, NULL);
        return;
    }
    if (ui->help.open) {
        if (wheel)
            take_action(ui, help_actions, &ui->help, mouse->kind == MOUSE_WHEEL_UP ? UIKEY_UP : UIKEY_DOWN);
        return;
    }
    if (mouse->y == 0 && mouse->kind == MOUSE_PRESS) {
        int tab = chrome_tab_at(mouse->x);
        if (tab >= 0) explorer_show(explorer, views[tab]);
        return;
    }
    if (mouse->y == 0 || mouse->y >= ui->surface.high - 2) return;
    if (usable(ui)) view_take_mouse(explorer, active(ui), state_of(ui), mouse);
}

static void take_key(struct ui *ui, int key, const struct mouse *mouse)
{
    struct explorer *explorer = &ui->explorer;
    if (key == TERM_NOTHING) return;
    ui->dirty = true;
    if (key == TERM_GONE) ui->quit = ui->gone = true;
    if (key == UIKEY_RESIZE) {
        fit_surface(ui);
        return;
    }
    enum demand demand = demand_of(ui, small_actions, key);
    if (serve_terminal(ui, demand)) return;
    explorer->message[0] = 0;
    explorer->demand = DEMAND_NONE;
    if (ui->leaving && key != TERM_MOUSE) {
        take_leave(ui, key);
        return;
    }
    if (too_small(ui)) {
        if (demand == DEMAND_QUIT) quit(ui);
        return;
    }
    ui->leaving = false;
    if (key == TERM_MOUSE)
        take_mouse(ui, mouse);
    else if (ui->prompt != PROMPT_NONE)
        prompt_take(ui, key);
    else if (ui->help.open)
        take_action(ui, help_actions, &ui->help, key);
    else
        take_screen_key(ui, key);
    serve(ui, explorer->demand);
    explorer->demand = DEMAND_NONE;
}

/* Return for how many milliseconds to wait for a key as far as jobs are concerned; -1 stands for ever, if
 * only a key can change the screen. */
static int job_timeout(const struct ui *ui)
{
    double now = clock_seconds();
    const struct errand *errand = ui->explorer.errand;
    bool wanted = errand && errand->state == ERRAND_WANTED;
    if (ui->dirty || ui->late) return 0;
    if (!ui->searching && !work_busy(&ui->work)) return wanted ? 0 : -1;
    if (work_busy(&ui->work) && progress_timing(&ui->work.job.progress)) return TIMING_TICK_MS;
    bool fresh = (ui->searching && now - ui->search.started < FIRST_SECONDS) ||
                 (work_busy(&ui->work) && now - ui->work.job.started < FIRST_SECONDS);
    return fresh ? FIRST_TICK_MS : TICK_MS;
}

static int key_timeout(const struct ui *ui)
{
    int job = job_timeout(ui), tick = too_small(ui) ? 0 : ui->explorer.tick_ms;
    return tick > 0 && (job < 0 || tick < job) ? tick : job;
}

static void take_keys(struct ui *ui)
{
    struct mouse mouse = {0};
    int key = term_key(&ui->term, key_timeout(ui), &mouse);
    for (int k = 0; k < KEYS_AT_ONCE && key != TERM_NOTHING && !ui->quit; k++) {
        take_key(ui, key, &mouse);
        key = ui->quit ? TERM_NOTHING : term_key(&ui->term, 0, &mouse); /* what follows is the browser's */
    }
    if (key != TERM_NOTHING) take_key(ui, key, &mouse);
}

/* Keep the background work going, and show a message if a task has failed. */
static void step_work(struct ui *ui)
{
    char text[sizeof ui->explorer.message];
    int failures = ui->work.failures;
    struct errand *errand = ui->explorer.errand;
    ui->work.errand = errand && errand->alone && ui->searching ? NULL : errand;
    bool changed =
        work_step(&ui->work, active(ui)->needs | (ui->saving.wanted ? REPORT_NEEDS & ~SESSION_MATRIX : 0));
    ui->explorer.converting = ui->work.task.conversion;
    ui->explorer.job = ui->work.task.part ? NULL : work_busy(&ui->work) ? &ui->work.job : NULL;
    if (!changed) return;
    ui->dirty = true;
    if (ui->work.failures == failures) return;
    explorer_say(&ui->explorer, "%s", error_text(&ui->work.failure, text, sizeof text));
    ui->leaving = false;
}

static void run(struct ui *ui)
{
    while (!ui->quit) {
        step_work(ui);
        if (ui->searching && job_finished(&ui->search)) end_search(ui);
        if (ui->saving.wanted) save_runs(ui);
        draw_between_samples(ui);
        if (!work_busy(&ui->work)) step_work(ui); /* for what the view has asked for when it was drawn */
        take_keys(ui);
    }
}

/* Add the runs of saved reports to the session. A message says which is the first that cannot be added; the
 * others are added. */
static void add_saved(struct ui *ui, const struct ui_options *options)
{
    char text[sizeof ui->explorer.message];
    struct error first = {0};
    for (int k = 0; k < options->saved_count; k++)
        saved_add(options->saved[k], &ui->session.shown->matrix, &ui->session.shown->runs, &first);
    if (first.status != STATUS_OK) explorer_say(&ui->explorer, "%s", error_text(&first, text, sizeof text));
}

static enum status set_up(struct ui *ui, const struct ui_options *options, struct error *error)
{
    ui->options = options->load;
    ui->options.beside = case_bytes;
    enum status status =
        term_start(&ui->term, options->ascii, !options->no_mouse, options->background, error);
    if (status != STATUS_OK) return status;
    everywhere_actions(ui->everywhere);
    ui->explorer.states = memory_zeroed((size_t)view_count(), sizeof *ui->explorer.states, error);
    if (!ui->explorer.states) return STATUS_MEMORY;
    return surface_resize(&ui->surface, ui->term.high, ui->term.wide, error);
}

/* Make everything ready for a matrix. The screen that is shown stays the same. */
static void prepare(struct ui *ui, const char *name, const struct ui_options *options)
{
    const struct explorer before = ui->explorer;
    ui->name = name;
    ui->explorer = (struct explorer){.session = &ui->session,
                                     .states = before.states,
                                     .view = before.view,
                                     .device = options->device,
                                     .sample = options->sample,
                                     .ascii = ui->term.ascii,
                                     .colours = ui->term.palette != PALETTE_NONE,
                                     .shades = ui->term.palette >= PALETTE_256};
    ui->work.session = &ui->session;
    ui->work.shown = &ui->explorer.shown;
    ui->quit = false;
    ui->step = 0;
    ui->dirty = true;
}

static void draw_start(struct ui *ui)
{
    struct surface *surface = &ui->surface;
    struct rect area = {0, 0, surface->high - 1, surface->wide};
    surface_clear(surface);
    if (too_small(ui)) {
        chrome_too_small(surface);
    } else {
        list_draw(&ui->explorer, &ui->start.list, surface, area);
        surface_text(surface, surface->high - 1, 1, surface->wide - 2, COLOUR_DIM, 0,
                     "'sparsight FILE' opens a file; 'sparsight --help' says more");
    }
    term_draw(&ui->term, surface);
}

/* Let the user choose a matrix. *name becomes what matrix_load takes, or stays NULL if the user quits. */
static enum status choose_matrix(struct ui *ui, const struct ui_options *options, const char **name,
                                 struct error *error)
{
    struct list *list = &ui->start.list;
    prepare(ui, NULL, options);
    enum status status = start_open(&ui->explorer, &ui->start, error);
    if (status != STATUS_OK) return status;
    while (list_is_open(list)) {
        struct mouse mouse = {0};
        draw_start(ui);
        int key = term_key(&ui->term, -1, &mouse);
        if (key == UIKEY_RESIZE) fit_surface(ui);
        if (key == TERM_GONE) return STATUS_OK;
        if (key == TERM_NOTHING || key == UIKEY_RESIZE ||
            serve_terminal(ui, demand_of(ui, small_actions, key)))
            continue;
        if (key == TERM_MOUSE && !too_small(ui))
            list_mouse(&ui->explorer, list, &mouse);
        else if ((too_small(ui) || !list_key(&ui->explorer, list, key)) &&
                 demand_of(ui, small_actions, key) == DEMAND_QUIT)
            return STATUS_OK;
    }
    if (ui->start.chosen < 0) return STATUS_OK;
    *name = ui->start.items[ui->start.chosen].name;
    return STATUS_OK;
}

/* Load the matrix that `name` means, and show it until the user leaves it. To be followed by close_matrix. */
static enum status show_matrix(struct ui *ui, const char *name, const struct ui_options *options,
                               struct error *error)
{
    prepare(ui, name, options);
    enum status status = load_matrix(ui, error);
    if (status != STATUS_OK) return status;
    recent_add(ui->name);
    explorer_move(&ui->explorer, 0, 0);
    session_for_gpu(&ui->session, &options->gpu, options->device);
    add_saved(ui, options);
    status = conversions_want_all(&ui->session.shown->conversions, PRECISION_F64, error);
    if (status == STATUS_OK) run(ui);
    return status;
}

/* Forget the matrix and all that is known of it. */
static void close_matrix(struct ui *ui)
{
    if (ui->searching) {
        progress_cancel(&ui->search.progress);
        job_join(&ui->search);
    }
    work_end(&ui->work);
    for (int k = 0; ui->explorer.states && views[k]; k++) {
        if (ui->explorer.states[k] && views[k]->close) views[k]->close(ui->explorer.states[k]);
        ui->explorer.states[k] = NULL;
    }
    session_free(&ui->session);
    memset(&ui->session, 0, sizeof ui->session);
    memset(&ui->work, 0, sizeof ui->work);
    memset(ui->prompts, 0, sizeof ui->prompts);
    ui->help = (struct help){0};
    ui->finding = (struct finding){0};
    ui->saving = (struct saving){0};
    ui->prompt = PROMPT_NONE;
    ui->searching = ui->searched = ui->leaving = false;
}

/* Show the browser, and the matrices that are opened there, until the user quits. A matrix that cannot be
 * opened, or whose loading the user stops, leads back to it. */
static enum status browse(struct ui *ui, const char *name, const struct ui_options *options,
                          struct error *error)
{
    enum status status = browser_open(name, &ui->options, &ui->browser, error);
    everywhere_browsing(ui->everywhere);
    while (status == STATUS_OK && !ui->gone) {
        struct error failure = {0};
        if (ui->step)
            browser_choose(ui->browser, ui->step, true);
        else if (browser_run(ui->browser, &ui->term, &ui->surface) == BROWSER_QUIT)
            break;
        enum status shown = show_matrix(ui, browser_chosen(ui->browser), options, &failure);
        if (ui->abandoned) {
            if (error) *error = failure;
            return shown;
        }
        close_matrix(ui);
        if (shown == STATUS_OK) continue;
        browser_refused(ui->browser, &failure);
        ui->step = 0;
    }
    return status;
}

static void tear_down(struct ui *ui)
{
    close_matrix(ui);
    browser_close(ui->browser);
    term_end(&ui->term);
    free(ui->explorer.states);
    surface_free(&ui->surface);
    start_free(&ui->start);
}

enum status ui_explore(const char *name, const struct ui_options *options, struct error *error)
{
    struct error failure = {0};
    if (name && strcmp(name, "-") == 0 && isatty(STDIN_FILENO))
        return error_set(error, STATUS_USAGE,
                         "standard input is the terminal: pipe a matrix into it, or name a file");
    struct ui *ui = memory_zeroed(1, sizeof *ui, error);
    if (!ui) return STATUS_MEMORY;
    enum status status = set_up(ui, options, &failure);
    if (status == STATUS_OK && !name) status = choose_matrix(ui, options, &name, &failure);
    if (status == STATUS_OK && name) status = show_matrix(ui, name, options, &failure);
    if (status == STATUS_SEVERAL) {
        close_matrix(ui);
        error_clear(&failure);
        status = browse(ui, name, options, &failure);
    }
    /* Who quits while the matrix is loaded has what was asked for; who cancels has no matrix. */
    if (status == STATUS_CANCELLED && ui->quit) status = STATUS_OK;
    if (status != STATUS_OK && error) *error = failure;
    if (ui->abandoned) { /* the thread that loads still uses *ui; it ends with the process */
        term_end(&ui->term);
        return status;
    }
    tear_down(ui);
    free(ui);
    return status;
}
