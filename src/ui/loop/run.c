/* The main loop and its timeouts. */
#include "report/report.h"
#include "ui/loop/loop.h"

/* While a job is younger than this, the timeout is FIRST_TICK_MS. */
#define FIRST_SECONDS 0.1

/* The timeout while kernels are timed. Shorter ones would disturb the timing. */
#define TIMING_TICK_MS 200

/* The maximum number of keys between two drawings of the screen. */
#define KEYS_AT_ONCE 64

/* Return the timeout for a key in milliseconds, as required by jobs. -1 means no timeout, because only a key
 * can change the screen. */
static int job_timeout(const struct ui *ui)
{
    double now = clock_seconds();
    const struct errand *errand = ui->explorer.errand;
    bool wanted = errand && errand->state == ERRAND_WANTED;
    if (ui->dirty || ui->late) return 0;
    if (ui->arranging.running || ui->picturing.running || ui->entries.running) return TICK_MS;
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
    int key = ui_next_key(ui, key_timeout(ui), &mouse);
    for (int k = 0; k < KEYS_AT_ONCE && key != TERM_NOTHING && !ui->quit; k++) {
        ui_take_key(ui, key, &mouse);
        key = ui->quit ? TERM_NOTHING : ui_next_key(ui, 0, &mouse); /* the browser takes the rest */
    }
    if (key != TERM_NOTHING) ui_take_key(ui, key, &mouse);
}

/* Advance the background work, and show a message if a task has failed. */
static void step_work(struct ui *ui)
{
    int failures = ui->work.failures;
    struct errand *errand = ui->explorer.errand;
    bool others = ui->searching || ui->arranging.running || ui->picturing.running || ui->entries.running;
    ui->work.errand = errand && errand->alone && others ? NULL : errand;
    ui->work.beside = ui->explorer.beside;
    bool changed =
        work_step(&ui->work, ui_active(ui)->needs | (ui->saving.wanted ? REPORT_NEEDS & ~SESSION_MATRIX : 0));
    ui->explorer.converting = ui->work.task.conversion;
    ui->explorer.job = ui->work.task.part ? NULL : work_busy(&ui->work) ? &ui->work.job : NULL;
    if (!changed) return;
    ui->dirty = true;
    if (ui->work.failures == failures) return;
    explorer_say_error(&ui->explorer, &ui->work.failure);
    ui->leaving = false;
}

void ui_run(struct ui *ui)
{
    while (!ui->quit) {
        step_work(ui);
        if (ui->searching && job_finished(&ui->search)) ui_end_search(ui);
        if (row_list_step(&ui->explorer, &ui->entries)) ui->dirty = true;
        ui_arrange(ui);
        if (ui->picturing.running && job_finished(&ui->picturing.job)) ui_end_picture(ui);
        if (ui->saving.wanted) ui_save(ui);
        ui_draw_between_samples(ui);
        ui_take_held(ui);
        ui_check_lesson(ui);
        if (!work_busy(&ui->work)) step_work(ui); /* drawing may have requested new work */
        take_keys(ui);
    }
}
