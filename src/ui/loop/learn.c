/* The lesson in the explorer's loop. */
#include "ui/loop/loop.h"

void ui_check_lesson(struct ui *ui)
{
    if (!ui_usable(ui) || ui->prompt != PROMPT_NONE || ui->help.open || ui_list(ui) || ui_too_small(ui))
        return;
    if (learning_check(&ui->explorer, &ui->learning, ui_state(ui))) ui->dirty = true;
}

void ui_serve_lessons(struct ui *ui)
{
    if (ui->learning.lessons.count && ui->learning.next >= 0) ui_reopen(ui);
}
