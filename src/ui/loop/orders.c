/* The matrix in other orders: they are made in the background, and one of them is shown. */
#include <stdio.h>
#include <string.h>

#include "ui/loop/loop.h"

static enum status make(void *argument, struct progress *progress, struct error *error)
{
    return reorder_run(argument, progress, error);
}

/* Keep what the screens of a case have, and take up what those of another one had. */
static void change_scene(struct ui *ui, int from, int to)
{
    struct explorer *explorer = &ui->explorer;
    struct scene *before = &ui->scenes[from], *after = &ui->scenes[to];
    before->shown = explorer->shown;
    memcpy(before->holder, explorer->holder, sizeof before->holder);
    before->errand = explorer->errand;
    explorer->states = ui_states(ui, to);
    explorer->shown = after->shown;
    memcpy(explorer->holder, after->holder, sizeof after->holder);
    explorer->errand = after->errand;
    for (int k = 0; k < view_count() && k < VIEW_KEYS; k++)
        if (ui_states(ui, from)[k]) after->adopted[k] = ui_states(ui, from)[k];
}

void ui_show_case(struct ui *ui, struct matrix_case *wanted)
{
    struct session *session = &ui->session;
    struct explorer *explorer = &ui->explorer;
    struct matrix_case *before = session->shown;
    int64_t row = explorer->cursor.row, col = explorer->cursor.col;
    char cost[256];
    if (wanted == before) return;
    if (ui->searching) progress_cancel(&ui->search.progress);
    case_carry(before, wanted, &row, &col);
    change_scene(ui, (int)(before - session->cases), (int)(wanted - session->cases));
    session->shown = wanted;
    explorer->beside = wanted == session->cases ? before : session->cases;
    explorer_move(explorer, row, col);
    ui->dirty = true;
    explorer_say(explorer, "order %s: %s", wanted->order, orders_cost(wanted, cost, sizeof cost));
}

void ui_next_order(struct ui *ui)
{
    struct session *session = &ui->session;
    int at = (int)(session->shown - session->cases);
    char key[KEY_TEXT];
    if (session->case_count > 1)
        ui_show_case(ui, &session->cases[(at + 1) % session->case_count]);
    else
        explorer_say(&ui->explorer, "the matrix is held in its natural order alone: %s lists others",
                     everywhere_key(DEMAND_ORDERS, key));
}

static void say_error(struct ui *ui, const struct error *error)
{
    char text[sizeof ui->explorer.message];
    explorer_say(&ui->explorer, "%s", error_text(error, text, sizeof text));
}

/* Begin to make the matrix in this order. */
static void begin(struct ui *ui, const struct order_choice *choice, bool show)
{
    struct arranging *arranging = &ui->arranging;
    struct error error = {0};
    char key[KEY_TEXT];
    if (arranging->running || work_alone(&ui->work)) {
        explorer_say(&ui->explorer, "%s: %s cancels that",
                     arranging->running ? "an order is being computed" : "that would disturb what is timed",
                     everywhere_key(DEMAND_CANCEL, key));
        return;
    }
    enum status status = reorder_begin(&ui->session, choice, &arranging->reorder, &error);
    if (status == STATUS_OK) status = job_start(&arranging->job, make, &arranging->reorder, &error);
    arranging->running = status == STATUS_OK;
    arranging->show = show;
    if (status == STATUS_OK) return;
    reorder_free(&arranging->reorder);
    say_error(ui, &error);
}

void ui_start_order(struct ui *ui, const char *text)
{
    struct order_choice choice;
    struct error error = {0};
    char name[ORDER_NAME];
    enum status status = order_choice_read(text, &choice, &error);
    if (status != STATUS_OK) {
        say_error(ui, &error);
    } else {
        struct matrix_case *held = orders_held(&ui->session, order_choice_name(&choice, name, sizeof name));
        if (held)
            ui_show_case(ui, held);
        else
            begin(ui, &choice, true);
    }
    order_choice_free(&choice);
}

void ui_end_order(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    struct session *session = &ui->session;
    struct error error = {0};
    enum status status = job_join(&arranging->job);
    arranging->running = false;
    ui->dirty = true;
    if (status == STATUS_CANCELLED) {
        explorer_say(&ui->explorer, "order %s: cancelled", arranging->reorder.reordering.asked);
    } else if (status != STATUS_OK) {
        say_error(ui, &arranging->job.error);
    } else {
        /* With its parameters chosen it may be one that is there. */
        struct matrix_case *made = orders_held(session, arranging->reorder.reordering.name);
        if (!made) made = reorder_publish(session, &arranging->reorder, &error);
        if (made) status = conversions_want_all(&made->conversions, PRECISION_F64, &error);
        if (made && arranging->show) ui_show_case(ui, made);
        if (!made || status != STATUS_OK) say_error(ui, &error);
        if (made && !ui->explorer.beside) ui->explorer.beside = made;
    }
    reorder_free(&arranging->reorder);
}

void ui_arrange(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    if (arranging->running && job_finished(&arranging->job)) ui_end_order(ui);
    if (arranging->running || arranging->next >= arranging->count || work_alone(&ui->work)) return;
    int k = arranging->next++;
    const struct order_choice *choice = &arranging->wanted[k];
    if (strcmp(choice->order->name, "natural") != 0) begin(ui, choice, ui->session.case_count == 1);
}

void ui_cancel_orders(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    if (!arranging->running) return;
    progress_cancel(&arranging->job.progress);
    job_join(&arranging->job);
    arranging->running = false;
    reorder_free(&arranging->reorder);
}

/* Ask for the parameters of the order in this row; a file has to be named. */
static void edit(struct ui *ui, int row)
{
    const struct matrix_case *held = orders_case(&ui->session, row);
    const struct order *order = orders_order(&ui->session, row);
    char text[ORDER_NAME];
    if (held && held == ui->session.cases) {
        explorer_say(&ui->explorer, "the natural order has no parameters");
        return;
    }
    if (held)
        snprintf(text, sizeof text, "%s", held->order);
    else
        orders_text(&ui->orders, &ui->session, row, text, sizeof text);
    if (order && strcmp(order->name, "file") == 0 && !strchr(text, ':'))
        snprintf(text, sizeof text, "file:path=");
    ui->prompt = PROMPT_ORDER;
    prompt_open_with(&ui->prompts[PROMPT_ORDER], "Order", text);
    ui->prompts[PROMPT_ORDER].empty = false;
}

void ui_serve_orders(struct ui *ui)
{
    enum order_wish wish = ui->orders.wish;
    int row = ui->orders.row;
    struct matrix_case *held = orders_case(&ui->session, row);
    const struct order *order = orders_order(&ui->session, row);
    char text[ORDER_NAME];
    ui->orders.wish = ORDER_NOTHING;
    if (wish == ORDER_SHOW && held) {
        ui_show_case(ui, held);
    } else if (wish == ORDER_SHOW && order && strcmp(order->name, "file") != 0) {
        ui_start_order(ui, orders_text(&ui->orders, &ui->session, row, text, sizeof text));
    } else if (wish == ORDER_SHOW || wish == ORDER_EDIT) {
        edit(ui, row);
    }
}
