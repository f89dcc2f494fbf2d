/* The effects of the list of settings. */
#include <string.h>

#include "ui/loop/loop.h"

void ui_follow_settings(struct ui *ui)
{
    struct explorer *explorer = &ui->explorer;
    const struct ui_options *options = ui->given;
    if (ui->term.ascii != options->ascii) {
        term_show_ascii(&ui->term, options->ascii);
        explorer->ascii = ui->term.ascii;
    }
    explorer->precision = options->precision;
    explorer->protocol = options->protocol;
    explorer->settings++;
    ui->dirty = true;
}

void ui_accept_setting(struct ui *ui)
{
    settings_answer(&ui->explorer, &ui->settings, ui->prompts[PROMPT_SETTING].text);
    ui_serve_settings(ui);
}

void ui_serve_settings(struct ui *ui)
{
    struct settings_list *list = &ui->settings;
    const enum setting_wish wish = list->wish;
    list->wish = SETTING_NOTHING;
    if (wish == SETTING_CHANGED) {
        ui_follow_settings(ui);
    } else if (wish == SETTING_TYPE) {
        const struct setting *setting = &list->settings->items[list->row];
        ui->prompt = PROMPT_SETTING;
        prompt_open_with(&ui->prompts[PROMPT_SETTING], setting->name, setting->value);
    } else if (wish == SETTING_REOPEN && ui->name && strcmp(ui->name, "-") == 0) {
        explorer_say(&ui->explorer, "standard input cannot be read again");
    } else if (wish == SETTING_REOPEN) {
        ui_reopen(ui);
    }
}
