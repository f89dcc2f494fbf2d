/* The explorer from its start to its end, and the browser that it is shown in turn with. */
#include "ui/ui.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "ui/loop/loop.h"

static enum status set_up(struct ui *ui, const struct ui_options *options, struct error *error)
{
    ui->options = options->load;
    ui->options.beside = case_bytes;
    enum status status = term_start(&ui->term, options->ascii, !options->no_mouse, options->background,
                                    options->graphics, error);
    if (status != STATUS_OK) return status;
    everywhere_actions(ui->everywhere);
    ui->states = memory_zeroed((size_t)view_count() * SESSION_CASES, sizeof *ui->states, error);
    if (!ui->states) return STATUS_MEMORY;
    return surface_resize(&ui->surface, ui->term.high, ui->term.wide, error);
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
        enum status shown = ui_show_matrix(ui, browser_chosen(ui->browser), options, &failure);
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
    surface_free(&ui->surface);
    start_free(&ui->start);
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
    bool saved = !name && options->saved_count > 0;
    if (status == STATUS_OK && saved) status = ui_show_saved(ui, options, &failure);
    if (status == STATUS_OK && !name && !saved) status = ui_choose_matrix(ui, options, &name, &failure);
    if (status == STATUS_OK && name) status = ui_show_matrix(ui, name, options, &failure);
    if (status == STATUS_SEVERAL) {
        ui_close_matrix(ui);
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
