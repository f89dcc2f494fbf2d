/* The list of a start without a matrix. */
#include "ui/loop/loop.h"

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
                     "'sparsight FILE' opens a file; see --help");
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
