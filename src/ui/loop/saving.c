/* The runs are saved in a file that the user names. */
#include <stdio.h>

#include "report/report.h"
#include "ui/loop/loop.h"

void ui_save(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    struct explorer *explorer = &ui->explorer;
    const struct runs *runs = &ui->session.shown->runs;
    struct error error = {0};
    char text[sizeof explorer->message];
    int count = runs_own(runs, false);
    if (!session_has(&ui->session, REPORT_NEEDS & ~work_declined(&ui->work))) return;
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

void ui_accept_file(struct ui *ui)
{
    struct saving *saving = &ui->saving;
    struct prompt *prompt = &ui->prompts[PROMPT_SAVE];
    char path[PROMPT_SIZE];
    const char *label;
    snprintf(path, sizeof path, "%s", prompt->text);
    if (save_accept(saving, path, &label)) {
        saving->wanted = true;
        explorer_say(&ui->explorer, "saving in %s as soon as the numbers of the report are computed", path);
        ui_save(ui);
    } else {
        ui->prompt = PROMPT_SAVE;
        prompt_open_with(prompt, label, path);
        prompt->empty = false;
    }
}

void ui_ask_file(struct ui *ui, bool then_quit)
{
    struct explorer *explorer = &ui->explorer;
    char name[PROMPT_SIZE];
    if (work_alone(&ui->work)) {
        char key[KEY_TEXT];
        explorer_say(explorer, "saving would disturb what is timed: %s cancels that",
                     everywhere_key(DEMAND_CANCEL, key));
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
