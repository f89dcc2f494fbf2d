/* The shown screen, and whether it accepts keys. */
#include "ui/loop/loop.h"

const struct view *ui_active(const struct ui *ui)
{
    return views[ui->explorer.view];
}

bool ui_too_small(const struct ui *ui)
{
    return ui->surface.high < CHROME_HIGH || ui->surface.wide < CHROME_WIDE;
}

bool ui_waiting(const struct ui *ui)
{
    return !session_has(&ui->session, ui_active(ui)->needs);
}

bool ui_lacking(const struct ui *ui)
{
    const struct matrix_case *shown = ui->session.shown;
    return !case_has_entries(shown) && !case_has(shown, ui_active(ui)->needs & ~(unsigned)SESSION_GPU);
}

bool ui_usable(const struct ui *ui)
{
    const struct view *view = ui_active(ui);
    return !ui_waiting(ui) && (!view->open || ui->explorer.states[ui->explorer.view]);
}

void **ui_states(const struct ui *ui, int number)
{
    return ui->states + (size_t)number * (size_t)view_count();
}

void *ui_state(const struct ui *ui)
{
    return ui->explorer.states[ui->explorer.view];
}

struct list *ui_over(struct ui *ui)
{
    if (list_is_open(&ui->learning.list)) return &ui->learning.list;
    if (list_is_open(&ui->settings.list)) return &ui->settings.list;
    if (list_is_open(&ui->orders.list)) return &ui->orders.list;
    return list_is_open(&ui->entries.list) ? &ui->entries.list : NULL;
}

const struct list *ui_list(struct ui *ui)
{
    const struct list *over = ui_over(ui);
    if (over) return over;
    return ui_usable(ui) ? view_list(ui_active(ui), ui_state(ui)) : NULL;
}

struct rect ui_area(const struct ui *ui)
{
    struct rect area = chrome_area(&ui->explorer, &ui->surface);
    area.high -= learning_high(&ui->learning);
    return area;
}

void ui_fit(struct ui *ui)
{
    surface_resize(&ui->surface, ui->term.high, ui->term.wide, NULL);
    ui->dirty = true;
}

bool ui_serve_terminal(struct ui *ui, enum demand demand)
{
    if (demand == DEMAND_REDRAW) {
        term_redraw(&ui->term);
    } else if (demand == DEMAND_SUSPEND) {
        term_suspend(&ui->term);
        ui_fit(ui);
    } else {
        return false;
    }
    return true;
}

enum demand ui_demand(struct ui *ui, const struct action *table, int key)
{
    const struct action *action = action_find(table, key);
    ui->explorer.demand = DEMAND_NONE;
    if (action) action->run(&ui->explorer, NULL, action->argument);
    return ui->explorer.demand;
}
