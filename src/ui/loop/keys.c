/* Keys and the mouse, and what is done for them. */
#include "ui/loop/loop.h"

/* Quit, unless runs would be lost: then the user is asked first. */
static void quit(struct ui *ui)
{
    char question[SAVE_QUESTION];
    ui->leaving = save_question(ui_runs(ui, true), work_alone(&ui->work), question);
    ui->quit = !ui->leaving;
    if (ui->leaving) explorer_say(&ui->explorer, "%s", question);
}

/* Leave the matrix for the next one of the browser, or with step -1 for the one before. */
static void step_matrix(struct ui *ui, int step)
{
    if (!ui->browser) {
        explorer_say(&ui->explorer, "only one matrix was named: 'sparsight FOLDER' goes through several");
    } else if (!browser_choose(ui->browser, step, false)) {
        explorer_say(&ui->explorer, step > 0 ? "this is the last matrix" : "this is the first matrix");
    } else {
        ui->step = step;
        quit(ui);
    }
}

/* Take the answer to whether to quit. */
static void take_leave(struct ui *ui, int key)
{
    ui->leaving = false;
    if (key == 'y' || key == 'Y') ui->quit = true;
    if ((key == 's' || key == 'S') && !ui_too_small(ui)) ui_ask_file(ui, true);
}

/* Cancel what is being computed, or compute after all what was cancelled before. */
static void cancel(struct ui *ui)
{
    const struct view *view = ui_active(ui);
    char key[KEY_TEXT];
    if (ui->searching) {
        progress_cancel(&ui->search.progress);
    } else if (ui->picturing.running) {
        progress_cancel(&ui->picturing.job.progress);
    } else if (ui->arranging.running) {
        progress_cancel(&ui->arranging.job.progress);
    } else if (ui_usable(ui) && view->retry && view->retry(&ui->explorer, ui_state(ui))) {
        return; /* the view has asked again for what was cancelled */
    } else if (work_busy(&ui->work)) {
        work_cancel(&ui->work);
        explorer_say(&ui->explorer, "cancelled; %s resumes it", everywhere_key(DEMAND_CANCEL, key));
    } else {
        work_retry(&ui->work, ~0U);
    }
}

/* Do what a key asks for. */
static void serve(struct ui *ui, enum demand demand)
{
    switch (demand) {
    case DEMAND_HELP:
        help_open(&ui->help);
        break;
    case DEMAND_GO_TO:
        ui_open_prompt(ui, PROMPT_GOTO);
        break;
    case DEMAND_FIND:
        if (!ui->searching) ui_open_prompt(ui, PROMPT_FIND);
        break;
    case DEMAND_FIND_NEXT:
        if (!ui->searching) ui_repeat_search(ui);
        break;
    case DEMAND_CANCEL:
        cancel(ui);
        break;
    case DEMAND_COMPUTE:
        work_retry(&ui->work, ui_active(ui)->needs);
        break;
    case DEMAND_PICTURE:
        ui_ask_picture(ui);
        break;
    case DEMAND_SAVE:
        ui_ask_file(ui, false);
        break;
    case DEMAND_NEXT_MATRIX:
        step_matrix(ui, 1);
        break;
    case DEMAND_MATRIX_BEFORE:
        step_matrix(ui, -1);
        break;
    case DEMAND_ORDERS:
        orders_open(&ui->explorer, &ui->orders);
        break;
    case DEMAND_NEXT_ORDER:
        ui_next_order(ui);
        break;
    case DEMAND_QUIT:
        ui->step = 0;
        quit(ui);
        break;
    case DEMAND_NONE:
    case DEMAND_REDRAW:
    case DEMAND_SUSPEND:
        break;
    }
}

/* Take a key of a table that is no view's. Returns false if the table has no action for it. */
static bool take_action(struct ui *ui, const struct action *table, void *state, int key)
{
    const struct action *action = action_find(table, key);
    if (action) action->run(&ui->explorer, state, action->argument);
    return action != NULL;
}

/* Take a key that is the screen's, or one of all screens. */
static void take_screen_key(struct ui *ui, int key)
{
    struct explorer *explorer = &ui->explorer;
    if (list_is_open(&ui->orders.list) && list_key(explorer, &ui->orders.list, key)) {
        ui_serve_orders(ui);
        return;
    }
    bool taken = ui_waiting(ui) && !ui_lacking(ui) && take_action(ui, waiting_actions, NULL, key);
    taken = taken || (ui_usable(ui) && view_take_key(explorer, ui_active(ui), ui_state(ui), key));
    ui_open_question(ui);
    taken = taken || take_action(ui, ui->everywhere, NULL, key);
    if (!taken && view_of_key(key) >= 0)
        explorer_say(explorer, "there is no screen %c; screens are 1 to %d", key, view_count());
}

static void take_mouse(struct ui *ui, const struct mouse *mouse)
{
    struct explorer *explorer = &ui->explorer;
    bool wheel = mouse->kind == MOUSE_WHEEL_UP || mouse->kind == MOUSE_WHEEL_DOWN;
    bool bottom = mouse->y == ui->surface.high - 1;
    const struct footer *footer = ui->help.open && !bottom ? &ui->help.footer : &ui->footer;
    int key = mouse->kind == MOUSE_PRESS && (bottom || ui->help.open)
                  ? footer_key_at(footer, mouse->y, mouse->x)
                  : 0;
    if (key) {
        ui_take_key(ui, key, NULL);
        return;
    }
    if (ui->help.open) {
        if (wheel)
            take_action(ui, help_actions, &ui->help, mouse->kind == MOUSE_WHEEL_UP ? UIKEY_UP : UIKEY_DOWN);
        return;
    }
    if (mouse->y == 0 && mouse->kind == MOUSE_PRESS) {
        int tab = chrome_tab_at(mouse->x);
        if (tab >= 0) explorer_show(explorer, views[tab]);
        return;
    }
    if (mouse->y == 0 || mouse->y >= ui->surface.high - 2) return;
    if (list_is_open(&ui->orders.list)) {
        list_mouse(explorer, &ui->orders.list, mouse);
        ui_serve_orders(ui);
        return;
    }
    if (ui_usable(ui)) view_take_mouse(explorer, ui_active(ui), ui_state(ui), mouse);
}

void ui_take_key(struct ui *ui, int key, const struct mouse *mouse)
{
    struct explorer *explorer = &ui->explorer;
    if (key == TERM_NOTHING) return;
    ui->dirty = true;
    if (key == TERM_GONE) ui->quit = ui->gone = true;
    if (key == UIKEY_RESIZE) {
        ui_fit(ui);
        return;
    }
    enum demand demand = ui_demand(ui, small_actions, key);
    if (ui_serve_terminal(ui, demand)) return;
    explorer->message[0] = 0;
    explorer->demand = DEMAND_NONE;
    if (ui->leaving && key != TERM_MOUSE) {
        take_leave(ui, key);
        return;
    }
    if (ui_too_small(ui)) {
        if (demand == DEMAND_QUIT) quit(ui);
        return;
    }
    ui->leaving = false;
    if (key == TERM_MOUSE)
        take_mouse(ui, mouse);
    else if (ui->prompt != PROMPT_NONE)
        ui_prompt_key(ui, key);
    else if (ui->help.open)
        take_action(ui, help_actions, &ui->help, key);
    else
        take_screen_key(ui, key);
    serve(ui, explorer->demand);
    explorer->demand = DEMAND_NONE;
}
