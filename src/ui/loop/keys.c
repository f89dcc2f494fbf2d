/* Keys, the mouse, and the actions that they trigger. */
#include "ui/loop/loop.h"

/* Quit. If runs would be lost, ask the user first. */
static void quit(struct ui *ui)
{
    char question[SAVE_QUESTION];
    ui->leaving = save_question(ui_runs(ui, true), work_guarded(&ui->work), question);
    ui->quit = !ui->leaving;
    if (ui->leaving) explorer_say(&ui->explorer, "%s", question);
}

/* Leave the matrix for the browser's next one, or the previous one if step is -1. */
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

/* Take the answer to the question of quit. */
static void take_leave(struct ui *ui, int key)
{
    ui->leaving = false;
    if (key == 'y' || key == 'Y') ui->quit = true;
    if ((key == 's' || key == 'S') && !ui_too_small(ui)) ui_ask_file(ui, true);
}

/* Cancel the running work, or resume the work that was cancelled before. */
static void cancel(struct ui *ui)
{
    const struct view *view = ui_active(ui);
    char key[KEY_TEXT];
    ui->held.count = 0;
    ui->held.answered = PROMPT_NONE;
    ui->repeats = 0;
    if (ui->searching) {
        progress_cancel(&ui->search.progress);
    } else if (ui->picturing.running) {
        progress_cancel(&ui->picturing.job.progress);
    } else if (ui->arranging.running) {
        progress_cancel(&ui->arranging.job.progress);
    } else if (ui->entries.running) {
        progress_cancel(&ui->entries.job.progress);
    } else if (ui_usable(ui) && view->retry && view->retry(&ui->explorer, ui_state(ui))) {
        return; /* the view has requested its cancelled work again */
    } else if (work_busy(&ui->work)) {
        work_cancel(&ui->work);
        explorer_say(&ui->explorer, "cancelled; %s resumes it", everywhere_key(DEMAND_CANCEL, key));
    } else {
        work_retry(&ui->work, ~0U);
    }
}

/* Copy the text between the tab bar and the status line, including the screen's question. */
static void copy(struct ui *ui)
{
    const struct rect area = chrome_area(NULL, &ui->surface);
    const struct surface part = {.high = area.high,
                                 .wide = ui->surface.wide,
                                 .cells = &ui->surface.cells[(size_t)area.top * (size_t)ui->surface.wide]};
    struct text text = {0};
    if (!ui->late) ui_compose(ui); /* another screen may have been chosen since the last drawing */
    surface_dump(&part, &text);
    if (term_copy(&ui->term, &text))
        explorer_say(&ui->explorer, "copied %d lines to the clipboard, if the terminal has one", area.high);
    else
        explorer_say(&ui->explorer, "not enough memory to copy the screen");
    text_free(&text);
}

/* Return within the screen, or to the previous one. */
static void back(struct ui *ui)
{
    const struct view *view = ui_active(ui);
    if (ui_usable(ui) && view->back && view->back(&ui->explorer, ui_state(ui))) return;
    if (!explorer_back(&ui->explorer)) explorer_say(&ui->explorer, "this is the first screen");
}

/* List the entries of a line, unless its job would disturb a run. */
static void list_entries(struct ui *ui)
{
    list_close(&ui->orders.list);
    if (!work_make_way(&ui->work))
        ui_say_timing(ui, "listing entries");
    else
        row_list_open(&ui->explorer, &ui->entries, ui->explorer.listed);
}

/* Execute the demand of a key. */
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
        ui_open_prompt(ui, PROMPT_FIND);
        break;
    case DEMAND_FIND_NEXT:
        ui_repeat_search(ui);
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
    case DEMAND_BACK:
        back(ui);
        break;
    case DEMAND_COPY:
        copy(ui);
        break;
    case DEMAND_SETTINGS:
        settings_open(&ui->explorer, &ui->settings, ui->given->settings);
        break;
    case DEMAND_ENTRIES:
        list_entries(ui);
        break;
    case DEMAND_ORDERS:
        list_close(&ui->entries.list);
        orders_open(&ui->explorer, &ui->orders);
        break;
    case DEMAND_NEXT_ORDER:
        ui_next_order(ui);
        break;
    case DEMAND_QUIT:
        ui->step = 0;
        ui->again = false;
        quit(ui);
        break;
    case DEMAND_NONE:
    case DEMAND_REDRAW:
    case DEMAND_SUSPEND:
        break;
    }
}

/* Handle a key by a table that is not a view's. Returns false if the table has no action for it. */
static bool take_action(struct ui *ui, const struct action *table, void *state, int key)
{
    const struct action *action = action_find(table, key);
    if (action) action->run(&ui->explorer, state, action->argument);
    return action != NULL;
}

/* Handle a key of the screen, or one of all screens. */
static void take_screen_key(struct ui *ui, int key)
{
    struct explorer *explorer = &ui->explorer;
    struct list *over = ui_over(ui);
    if (over && list_key(explorer, over, key)) {
        ui_serve_orders(ui);
        ui_serve_settings(ui);
        ui_serve_lessons(ui);
        return;
    }
    if (!ui_list(ui) && learning_key(explorer, &ui->learning, key)) {
        ui_serve_lessons(ui);
        return;
    }
    if (ui_hold_for_screen(ui, key)) return;
    bool taken = ui_waiting(ui) && !ui_lacking(ui) && take_action(ui, waiting_actions, NULL, key);
    if (!over) /* a list covers the screen: only its keys and those of all screens have an effect */
        taken = taken || (ui_usable(ui) && view_take_key(explorer, ui_active(ui), ui_state(ui), key));
    ui_open_question(ui);
    const int before = explorer->view;
    taken = taken || take_action(ui, ui->everywhere, NULL, key);
    if (over && explorer->view != before) list_close(over);
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
    if (!key && mouse->kind == MOUSE_PRESS && learning_high(&ui->learning) && !ui->help.open)
        key = footer_key_at(&ui->learning.footer, mouse->y, mouse->x);
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
    const struct rect area = ui_area(ui);
    if (mouse->y == 0 || mouse->y >= area.top + area.high) return;
    if (ui_over(ui)) {
        list_mouse(explorer, ui_over(ui), mouse);
        ui_serve_orders(ui);
        ui_serve_settings(ui);
        ui_serve_lessons(ui);
        return;
    }
    if (ui_usable(ui)) view_take_mouse(explorer, ui_active(ui), ui_state(ui), mouse);
}

void ui_reopen(struct ui *ui)
{
    ui->again = true;
    ui->step = 0;
    quit(ui);
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
