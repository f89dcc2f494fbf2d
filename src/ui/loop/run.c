/* The main loop, how long it waits for a key, and the list of a start without a matrix. */
#include "report/report.h"
#include "ui/loop/loop.h"

/* So long a job is young, and FIRST_TICK_MS is waited for a key. */
#define FIRST_SECONDS 0.1

/* While kernels are timed, a key is waited for so long. */
#define TIMING_TICK_MS 200

/* At most so many keys are taken before the screen is drawn again. */
#define KEYS_AT_ONCE 64

/* Return for how many milliseconds to wait for a key as far as jobs are concerned; -1 stands for ever, if
 * only a key can change the screen. */
static int job_timeout(const struct ui *ui)
{
    double now = clock_seconds();
    const struct errand *errand = ui->explorer.errand;
    bool wanted = errand && errand->state == ERRAND_WANTED;
    if (ui->dirty || ui->late) return 0;
    if (ui->arranging.running || ui->picturing.running) return TICK_MS;
    if (!ui->searching && !work_busy(&ui->work)) return wanted ? 0 : -1;
    if (work_busy(&ui->work) && progress_timing(&ui->work.job.progress)) return TIMING_TICK_MS;
    bool fresh = (ui->searching && now - ui->search.started < FIRST_SECONDS) ||
                 (work_busy(&ui->work) && now - ui->work.job.started < FIRST_SECONDS);
    return fresh ? FIRST_TICK_MS : TICK_MS;
}

static int key_timeout(const struct ui *ui)
{
    int job = job_timeout(ui), tick = ui_too_small(ui) ? 0 : ui->explorer.tick_ms;
    return tick > 0 && (job < 0 || tick < job) ? tick : job;
}

static void take_keys(struct ui *ui)
{
    struct mouse mouse = {0};
    int key = term_key(&ui->term, key_timeout(ui), &mouse);
    for (int k = 0; k < KEYS_AT_ONCE && key != TERM_NOTHING && !ui->quit; k++) {
        ui_take_key(ui, key, &mouse);
        key = ui->quit ? TERM_NOTHING : term_key(&ui->term, 0, &mouse); /* what follows is the browser's */
    }
    if (key != TERM_NOTHING) ui_take_key(ui, key, &mouse);
}

/* Keep the background work going, and show a message if a task has failed. */
static void step_work(struct ui *ui)
{
    char text[sizeof ui->explorer.message];
    int failures = ui->work.failures;
    struct errand *errand = ui->explorer.errand;
    bool others = ui->searching || ui->arranging.running || ui->picturing.running;
    ui->work.errand = errand && errand->alone && others ? NULL : errand;
    ui->work.beside = ui->explorer.beside;
    bool changed =
        work_step(&ui->work, ui_active(ui)->needs | (ui->saving.wanted ? REPORT_NEEDS & ~SESSION_MATRIX : 0));
    ui->explorer.converting = ui->work.task.conversion;
    ui->explorer.job = ui->work.task.part ? NULL : work_busy(&ui->work) ? &ui->work.job : NULL;
    if (!changed) return;
    ui->dirty = true;
    if (ui->work.failures == failures) return;
    explorer_say(&ui->explorer, "%s", error_text(&ui->work.failure, text, sizeof text));
    ui->leaving = false;
}

void ui_run(struct ui *ui)
{
    while (!ui->quit) {
        step_work(ui);
        if (ui->searching && job_finished(&ui->search)) ui_end_search(ui);
        ui_arrange(ui);
        if (ui->picturing.running && job_finished(&ui->picturing.job)) ui_end_picture(ui);
        if (ui->saving.wanted) ui_save(ui);
        ui_draw_between_samples(ui);
        if (!work_busy(&ui->work)) step_work(ui); /* for what the view has asked for when it was drawn */
        take_keys(ui);
    }
}

static void draw_start(struct ui *ui)
{
    struct surface *surface = &ui->surface;
    struct rect area = {0, 0, surface->high - 1, surface->wide};
    surface_clear(surface);
    if (ui_too_small(ui)) {
        chrome_too_small(surface);
    } else {
        list_draw(&ui->explorer, &ui->start.list, surface, area);
        surface_text(surface, surface->high - 1, 1, surface->wide - 2, COLOUR_DIM, 0,
                     "'sparsight FILE' opens a file, and --help says more");
    }
    term_draw(&ui->term, surface);
}

enum status ui_choose_matrix(struct ui *ui, const struct ui_options *options, const char **name,
                             struct error *error)
{
    struct list *list = &ui->start.list;
    ui_prepare(ui, NULL, options);
    enum status status = start_open(&ui->explorer, &ui->start, error);
    if (status != STATUS_OK) return status;
    while (list_is_open(list)) {
        struct mouse mouse = {0};
        draw_start(ui);
        int key = term_key(&ui->term, -1, &mouse);
        if (key == UIKEY_RESIZE) ui_fit(ui);
        if (key == TERM_GONE) return STATUS_OK;
        if (key == TERM_NOTHING || key == UIKEY_RESIZE ||
            ui_serve_terminal(ui, ui_demand(ui, small_actions, key)))
            continue;
        if (key == TERM_MOUSE && !ui_too_small(ui))
            list_mouse(&ui->explorer, list, &mouse);
        else if ((ui_too_small(ui) || !list_key(&ui->explorer, list, key)) &&
                 ui_demand(ui, small_actions, key) == DEMAND_QUIT)
            return STATUS_OK;
    }
    if (ui->start.chosen < 0) return STATUS_OK;
    *name = ui->start.items[ui->start.chosen].name;
    return STATUS_OK;
}
