/* Loading a matrix, showing it and leaving it. */
#include <string.h>

#include "ui/browser/recent.h"
#include "ui/loop/loop.h"

/* Add the runs of saved reports to the session. A message gives the first error. */
static void add_saved(struct ui *ui, const struct ui_options *options)
{
    struct error first = {0};
    for (int k = 0; k < options->saved_count; k++)
        saved_add(options->saved[k], ui->session.shown, &ui->session.shown->runs, &first);
    if (first.status != STATUS_OK) explorer_say_error(&ui->explorer, &first);
}

/* A matrix without entries is only in saved reports. Show it with the product and the caches of their last
 * run. */
static void take_product(struct explorer *explorer)
{
    const struct matrix_case *of = explorer->session->shown;
    if (case_has_entries(of) || of->runs.count == 0) return;
    const struct bench_options *options = &of->runs.items[of->runs.count - 1]->results.options;
    explorer->product = options->product;
    explorer->cold = options->cold;
}

void ui_prepare(struct ui *ui, const char *name, const struct ui_options *options)
{
    const struct explorer before = ui->explorer;
    ui->name = name;
    ui->given = options;
    ui->explorer = (struct explorer){.session = &ui->session,
                                     .states = ui->states,
                                     .view = before.view,
                                     .device = options->device,
                                     .sample = options->sample,
                                     .precision = options->precision,
                                     .protocol = options->protocol,
                                     .distribution = options->distribution,
                                     .ascii = ui->term.ascii,
                                     .colours = ui->term.palette != PALETTE_NONE,
                                     .shades = ui->term.palette >= PALETTE_256,
                                     .pixels = ui->term.cell};
    ui->work.session = &ui->session;
    ui->work.shown = &ui->explorer.shown;
    ui->quit = ui->again = false;
    ui->step = 0;
    ui->dirty = true;
}

/* Show the session's matrix until the user leaves it. */
static enum status show(struct ui *ui, const struct ui_options *options, struct error *error)
{
    explorer_move(&ui->explorer, 0, 0);
    session_for_gpu(&ui->session, &options->gpu, options->device);
    ui->session.hasty = true; /* the first advice does not wait for a measurement (ui/advice/known.c) */
    add_saved(ui, options);
    take_product(&ui->explorer);
    enum status status = conversions_want_all(&ui->session.shown->conversions, PRECISION_F64, error);
    if (options->orders)
        ui->arranging =
            (struct arranging){.wanted = options->orders->choices, .count = options->orders->count};
    learning_begin(&ui->explorer, &ui->learning);
    if (status == STATUS_OK) ui_run(ui);
    return status;
}

enum status ui_show_matrix(struct ui *ui, const char *name, const struct ui_options *options,
                           struct error *error)
{
    ui_prepare(ui, name, options);
    enum status status = ui_load(ui, error);
    if (status != STATUS_OK) return status;
    if (!ui->learning.lessons.count) recent_add(ui->name);
    return show(ui, options, error);
}

enum status ui_show_saved(struct ui *ui, const struct ui_options *options, struct error *error)
{
    ui_prepare(ui, NULL, options);
    enum status status = saved_session(options->saved, options->saved_count, options->saved_name,
                                       options->load.limit, &ui->session, error);
    return status == STATUS_OK ? show(ui, options, error) : status;
}

/* Close the views in all cases. */
static void close_views(struct ui *ui)
{
    for (int c = 0; ui->states && c < SESSION_CASES; c++)
        for (int k = 0; views[k]; k++) {
            void **state = &ui_states(ui, c)[k];
            if (*state && views[k]->close) views[k]->close(*state);
            *state = NULL;
        }
}

void ui_close_matrix(struct ui *ui)
{
    ui_stop_search(ui);
    row_list_free(&ui->entries);
    ui_close_picture(ui);
    ui_cancel_orders(ui);
    work_end(&ui->work);
    close_views(ui);
    session_free(&ui->session);
    memset(&ui->session, 0, sizeof ui->session);
    memset(&ui->work, 0, sizeof ui->work);
    memset(ui->scenes, 0, sizeof ui->scenes);
    ui->arranging = (struct arranging){0};
    list_close(&ui->orders.list);
    list_close(&ui->settings.list);
    list_close(&ui->learning.list);
    memset(ui->prompts, 0, sizeof ui->prompts);
    ui->help = (struct help){0};
    ui->finding = (struct finding){0};
    ui->saving = (struct saving){0};
    ui->picturing = (struct picturing){0};
    ui->held.count = 0;
    ui->prompt = ui->held.answered = PROMPT_NONE;
    ui->searched = ui->leaving = false;
}
