/* Saving the runs in a file that the user names. */
#include <stdio.h>

#include "report/report.h"
#include "ui/loop/loop.h"

int ui_runs(const struct ui *ui, bool lost)
{
    int count = 0;
    for (int k = 0; k < ui->session.case_count; k++)
        count += runs_own(&ui->session.cases[k].runs, lost);
    return count;
}

/* True if each case with runs has the parts that a report needs. Parts that could not be computed do not
 * count. */
static bool is_ready(const struct ui *ui)
{
    for (int k = 0; k < ui->session.case_count; k++) {
        const struct matrix_case *of = &ui->session.cases[k];
        if (runs_own(&of->runs, false) == 0) continue;
        if (!case_has(of, REPORT_NEEDS & ~ui->work.declined[k])) return false;
    }
    return true;
}

void ui_save(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    struct explorer *explorer = &ui->explorer;
    struct error error = {0};
    int count = ui_runs(ui, false);
    if (!is_ready(ui)) return;
    saving->wanted = false;
    ui->dirty = true;
    if (saved_write(&ui->session, saving->path, &error) == STATUS_OK) {
        explorer_say(explorer, "%d run%s saved in %s, which --results=FILE opens", count,
                     count == 1 ? " is" : "s are", saving->path);
        ui->quit = saving->then_quit;
    } else {
        explorer_say_error(explorer, &error);
    }
    saving->then_quit = false;
}

void ui_accept_file(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    char path[PROMPT_SIZE];
    const char *label;
    snprintf(path, sizeof path, "%s", ui->prompts[PROMPT_SAVE].text);
    if (save_accept(saving, path, &label)) {
        saving->wanted = true;
        work_make_way(&ui->work);
        explorer_say(&ui->explorer, "saving in %s once the numbers of the report are computed", path);
        ui_save(ui);
    } else {
        ui_propose(ui, PROMPT_SAVE, label, path);
    }
}

void ui_ask_file(struct ui *ui, bool then_quit)
{
    struct explorer *explorer = &ui->explorer;
    char name[PROMPT_SIZE];
    if (work_guarded(&ui->work)) {
        ui_say_timing(ui, "saving");
    } else if (ui_runs(ui, false) == 0) {
        explorer_say(explorer, "nothing to save: nothing was run yet");
    } else {
        ui->saving = (struct saving){.then_quit = then_quit};
        save_propose(&ui->session, name);
        ui_propose(ui, PROMPT_SAVE, "Save runs in", name);
    }
}
