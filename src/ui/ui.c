/* The start and the end of the explorer, and its alternation with the browser. */
#include "ui/ui.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "ui/loop/loop.h"

/* Return the options of loading for the explorer. */
static struct load_options loading(const struct ui_options *options)
{
    struct load_options load = options->load;
    load.beside = case_bytes;
    return load;
}

static enum status set_up(struct ui *ui, const struct ui_options *options, struct error *error)
{
    ui->options = loading(options);
    enum status status = options->learn ? learning_open(&ui->learning, options->lesson, error) : STATUS_OK;
    if (status == STATUS_OK)
        status = term_start(&ui->term, options->ascii, !options->no_mouse, options->background,
                            options->graphics, error);
    if (status != STATUS_OK) return status;
    everywhere_actions(ui->everywhere);
    ui->states = memory_zeroed((size_t)view_count() * SESSION_CASES, sizeof *ui->states, error);
    if (!ui->states) return STATUS_MEMORY;
    return surface_resize(&ui->surface, ui->term.high, ui->term.wide, error);
}

/* Show lessons, each with its matrix, until the user quits. */
static enum status learn(struct ui *ui, const struct ui_options *options, struct error *error)
{
    for (;;) {
        const char *name = learning_matrix(&ui->learning);
        if (!name) return error_set(error, STATUS_MEMORY, "out of memory for the lessons");
        const enum status status = ui_show_matrix(ui, name, options, error);
        if (status != STATUS_OK || !ui->again) return status;
        ui_close_matrix(ui);
    }
}

/* Show the lessons that were chosen in the browser. They state numbers of one GPU and of double precision, so
 * settings have no effect on them. */
static void visit_lessons(struct ui *ui, const struct ui_options *options, struct error *error)
{
    struct ui_options lessons = {.learn = true, .ascii = options->ascii, .load = options->load};
    enum status status = gpu_find(GPU_STANDARD, &lessons.gpu, error);
    if (status == STATUS_OK) status = learning_open(&ui->learning, 0, error);
    ui->options = loading(&lessons);
    if (status == STATUS_OK) status = learn(ui, &lessons, error);
    if (ui->abandoned) return;
    ui_close_matrix(ui);
    learning_free(&ui->learning);
    ui->learning = (struct learning){.next = -1};
    ui->given = options;
    ui->again = false;
    ui->step = 0;
    if (status != STATUS_OK) browser_tell(ui->browser, error);
    error_clear(error);
}

/* Show the browser until the user has chosen a matrix. False if the user quits. */
static bool choose(struct ui *ui, const struct ui_options *options, struct error *failure)
{
    for (;;) {
        const enum browser_answer answer = browser_run(ui->browser, &ui->term, &ui->surface);
        if (answer == BROWSER_OPEN) return true;
        if (answer == BROWSER_SET)
            ui_follow_settings(ui);
        else if (answer == BROWSER_LEARN)
            visit_lessons(ui, options, failure);
        if (answer == BROWSER_QUIT || ui->abandoned || ui->gone) return false;
    }
}

/* Show the browser and the matrices that are opened there, until the user quits. The browser returns if a
 * matrix cannot be opened, or if the user stops its loading. */
static enum status browse(struct ui *ui, const char *name, const struct ui_options *options,
                          struct error *error)
{
    ui->browsing = loading(options);
    ui->given = options;
    enum status status = browser_open(name, &ui->browsing, &ui->browser, error);
    if (status == STATUS_OK) browser_offer(ui->browser, options->settings);
    everywhere_browsing(ui->everywhere);
    while (status == STATUS_OK && !ui->gone) {
        struct error failure = {0};
        enum status shown = STATUS_CANCELLED;
        if (ui->step)
            browser_choose(ui->browser, ui->step, true);
        else if (!ui->again && !choose(ui, options, &failure) && !ui->abandoned)
            break;
        ui->options = loading(options);
        if (!ui->abandoned) shown = ui_show_matrix(ui, browser_chosen(ui->browser), options, &failure);
        if (ui->abandoned) {
            if (error) *error = failure;
            return shown;
        }
        ui_close_matrix(ui);
        if (shown == STATUS_OK) continue;
        browser_refused(ui->browser, &failure);
        ui->step = 0;
    }
    return status;
}

static void tear_down(struct ui *ui)
{
    ui_close_matrix(ui);
    browser_close(ui->browser);
    term_end(&ui->term);
    free(ui->states);
    orders_free(&ui->orders);
    list_free(&ui->settings.list);
    learning_free(&ui->learning);
    surface_free(&ui->surface);
}

/* Show lessons, a saved report, the browser or the matrix. */
static enum status begin(struct ui *ui, const char *name, const struct ui_options *options,
                         struct error *error)
{
    if (options->learn) return learn(ui, options, error);
    if (!name && options->saved_count > 0) return ui_show_saved(ui, options, error);
    return name ? ui_show_matrix(ui, name, options, error) : browse(ui, NULL, options, error);
}

enum status ui_explore(const char *name, const struct ui_options *options, struct error *error)
{
    struct error failure = {0};
    if (name && strcmp(name, "-") == 0 && isatty(STDIN_FILENO))
        return error_set(error, STATUS_USAGE,
                         "standard input is the terminal: pipe a matrix into sparsight, or name a file");
    struct ui *ui = memory_zeroed(1, sizeof *ui, error);
    if (!ui) return STATUS_MEMORY;
    enum status status = set_up(ui, options, &failure);
    if (status == STATUS_OK) status = begin(ui, name, options, &failure);
    while (status == STATUS_OK && ui->again) {
        ui_close_matrix(ui);
        ui->options = loading(options);
        status = name ? ui_show_matrix(ui, name, options, &failure) : ui_show_saved(ui, options, &failure);
    }
    if (status == STATUS_SEVERAL) {
        ui_close_matrix(ui);
        error_clear(&failure);
        status = browse(ui, name, options, &failure);
    }
    /* Quitting during loading is a success. Cancelling leaves no matrix, and is an error. */
    if (status == STATUS_CANCELLED && ui->quit) status = STATUS_OK;
    if (status != STATUS_OK && error) *error = failure;
    if (ui->abandoned) { /* the loading thread still uses *ui until the process ends */
        term_end(&ui->term);
        return status;
    }
    tear_down(ui);
    free(ui);
    return status;
}
