/* Keys that are pressed before a matrix is loaded, or before a screen is drawn, are handled afterwards, in
 * their order. */
#include <string.h>

#include "ui/loop/loop.h"

static void hold(struct ui *ui, int key, int view)
{
    struct held_keys *held = &ui->held;
    if (held->count == TERM_KEYS) return;
    held->items[held->count].key = key;
    held->items[held->count++].view = view;
}

/* Return a held key, and remove it. */
static int taken(struct held_keys *held, int at)
{
    const int key = held->items[at].key;
    if (at < held->before_answer) held->before_answer--;
    memmove(&held->items[at], &held->items[at + 1], (size_t)(--held->count - at) * sizeof held->items[0]);
    return key;
}

/* Return the index of the first key held for a screen, -1 if there is none. */
static int first_of(const struct held_keys *held, int view)
{
    for (int k = 0; k < held->count; k++)
        if (held->items[k].view == view) return k;
    return -1;
}

void ui_hold_key(struct ui *ui, int key)
{
    hold(ui, key, -1);
}

int ui_next_key(struct ui *ui, int timeout_ms, struct mouse *mouse)
{
    const int at = first_of(&ui->held, -1);
    return at >= 0 ? taken(&ui->held, at) : term_key(&ui->term, timeout_ms, mouse);
}

bool ui_is_coming(const struct ui *ui)
{
    if (ui_lacking(ui)) return false;
    if (ui_waiting(ui)) return !(ui_active(ui)->needs & work_declined(&ui->work));
    return !ui_usable(ui);
}

bool ui_comes_later(struct ui *ui)
{
    if (ui_is_coming(ui) && !ui_waiting(ui) && first_of(&ui->held, ui->explorer.view) < 0 &&
        !(work_busy(&ui->work) && progress_timing(&ui->work.job.progress)))
        ui_compose(ui);
    return ui_is_coming(ui);
}

void ui_hold_answer(struct ui *ui, enum prompt_kind kind)
{
    ui->held.answered = kind;
    ui->held.answer_view = ui->explorer.view;
    ui->held.before_answer = ui->held.count;
}

bool ui_hold_for_screen(struct ui *ui, int key)
{
    if (action_find(ui->everywhere, key) || !ui_comes_later(ui)) return false;
    hold(ui, key, ui->explorer.view);
    return true;
}

void ui_take_held(struct ui *ui)
{
    struct held_keys *held = &ui->held;
    int view = ui->explorer.view, at;
    if (ui->prompt != PROMPT_NONE || ui->help.open || ui->late || ui_too_small(ui)) return;
    if (view != held->answer_view || (!ui_usable(ui) && !ui_is_coming(ui))) ui_take_answer(ui);
    while (ui_usable(ui) && !ui->quit) {
        at = first_of(held, view);
        if (at < 0 || at >= held->before_answer) ui_take_answer(ui);
        if (at < 0) break;
        ui_take_key(ui, taken(held, at), NULL);
        if (ui->explorer.view == view) continue;
        for (int k = at; k < held->count; k++) /* the user meant the screen that the key leads to */
            if (held->items[k].view == view) held->items[k].view = ui->explorer.view;
        view = ui->explorer.view;
    }
}
