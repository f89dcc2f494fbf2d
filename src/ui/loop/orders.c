/* The matrix in other orders. They are made in the background; one of them is shown. */
#include <stdio.h>
#include <string.h>

#include "ui/loop/loop.h"

static enum status make(void *argument, struct progress *progress, struct error *error)
{
    return reorder_run(argument, progress, error);
}

/* Store the state of the screens of one case, and restore that of another. */
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
    row_list_close(&ui->entries); /* its entries are numbered as in the previous case */
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
        explorer_say(&ui->explorer, "the matrix has only its natural order: %s lists others",
                     everywhere_key(DEMAND_ORDERS, key));
}

/* True if another job for orders may begin; else a message gives the reason. */
static bool may_begin(struct ui *ui)
{
    const struct arranging *arranging = &ui->arranging;
    char key[KEY_TEXT];
    if (!arranging->running && work_make_way(&ui->work)) return true;
    explorer_say(&ui->explorer, "%s: %s cancels that",
                 !arranging->running ? "this would disturb the timing"
                 : arranging->writes ? "a matrix is being written"
                                     : "an order is being computed",
                 everywhere_key(DEMAND_CANCEL, key));
    return false;
}

/* Begin to reorder the matrix. */
static void begin(struct ui *ui, const struct order_choice *choice, bool show)
{
    struct arranging *arranging = &ui->arranging;
    struct error error = {0};
    if (!may_begin(ui)) return;
    enum status status = reorder_begin(&ui->session, choice, &arranging->reorder, &error);
    if (status == STATUS_OK) status = job_start(&arranging->job, make, &arranging->reorder, &error);
    arranging->running = status == STATUS_OK;
    arranging->show = show;
    arranging->writes = false;
    if (status == STATUS_OK) return;
    reorder_free(&arranging->reorder);
    explorer_say_error(&ui->explorer, &error);
}

void ui_start_order(struct ui *ui, const char *text)
{
    struct order_choice choice;
    struct error error = {0};
    char name[ORDER_NAME];
    enum status status = order_choice_read(text, &choice, &error);
    if (status != STATUS_OK) {
        explorer_say_error(&ui->explorer, &error);
    } else {
        struct matrix_case *held = orders_held(&ui->session, order_choice_name(&choice, name, sizeof name));
        if (held)
            ui_show_case(ui, held);
        else
            begin(ui, &choice, true);
    }
    order_choice_free(&choice);
}

/* Report the result of writing a case. */
static void end_writing(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    char permutation[ORDER_SAVE_PATH];
    enum status status = job_join(&arranging->job);
    arranging->running = false;
    if (status == STATUS_OK)
        explorer_say(&ui->explorer, "order %s is written to %s, its permutation to %s",
                     arranging->save.of->order, arranging->save.path,
                     order_save_permutation(arranging->save.path, permutation));
    else if (status == STATUS_CANCELLED)
        explorer_say(&ui->explorer, "cancelled: the file is not written");
    else
        explorer_say_error(&ui->explorer, &arranging->job.error);
}

void ui_end_order(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    struct session *session = &ui->session;
    struct error error = {0};
    enum status status = job_join(&arranging->job);
    arranging->running = false;
    if (status == STATUS_CANCELLED) {
        explorer_say(&ui->explorer, "order %s: cancelled", arranging->reorder.reordering.asked);
    } else if (status != STATUS_OK) {
        explorer_say_error(&ui->explorer, &arranging->job.error);
    } else {
        /* Its chosen parameters may make it equal to an existing order. */
        struct matrix_case *made = orders_held(session, arranging->reorder.reordering.name);
        if (!made) made = reorder_publish(session, &arranging->reorder, &error);
        if (made) status = conversions_want_all(&made->conversions, PRECISION_F64, &error);
        if (made && arranging->show) ui_show_case(ui, made);
        if (!made || status != STATUS_OK) explorer_say_error(&ui->explorer, &error);
        if (made && !ui->explorer.beside) ui->explorer.beside = made;
    }
    reorder_free(&arranging->reorder);
}

void ui_arrange(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    if (arranging->running && job_finished(&arranging->job)) {
        ui->dirty = true;
        (arranging->writes ? end_writing : ui_end_order)(ui);
    }
    if (arranging->running || arranging->next >= arranging->count || work_guarded(&ui->work)) return;
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

/* Return the name of the order's text parameter, which it has. */
static const char *text_name(const struct order *order)
{
    const struct parameter *p = order->parameters;
    while (p->type != PARAMETER_TEXT)
        p++;
    return p->name;
}

/* Ask for the parameters of the order in this row; some orders need the name of something. */
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
    if (order && order->wants && !strchr(text, ':'))
        snprintf(text, sizeof text, "%s:%s=", order->name, text_name(order));
    ui_propose(ui, PROMPT_ORDER, "Order", text);
}

void ui_accept_order_file(struct ui *ui)
{
    struct arranging *arranging = &ui->arranging;
    char path[PROMPT_SIZE];
    const char *label;
    struct error error = {0};
    snprintf(path, sizeof path, "%s", ui->prompts[PROMPT_ORDER_FILE].text);
    if (!may_begin(ui)) return;
    if (order_save_clashes(path)) {
        char permutation[ORDER_SAVE_PATH];
        explorer_say(&ui->explorer, "%s exists already: choose another name",
                     order_save_permutation(path, permutation));
        return;
    }
    if (!save_accept(&arranging->saving, path, &label)) {
        ui_propose(ui, PROMPT_ORDER_FILE, label, path);
        return;
    }
    memcpy(arranging->save.path, arranging->saving.path, sizeof arranging->save.path);
    arranging->writes = true;
    arranging->running = job_start(&arranging->job, order_save_run, &arranging->save, &error) == STATUS_OK;
    if (!arranging->running) explorer_say_error(&ui->explorer, &error);
}

/* Ask for a file for the case. */
static void ask_file(struct ui *ui, const struct matrix_case *of)
{
    char name[PROMPT_SIZE];
    if (!may_begin(ui)) return;
    if (!of || !of->reordering.choice.order) {
        explorer_say(&ui->explorer, of ? "the natural order is that of the matrix's own file"
                                       : "the matrix is not reordered yet");
        return;
    }
    ui->arranging.save.of = of;
    ui->arranging.saving = (struct saving){0};
    order_save_propose(of, name);
    ui_propose(ui, PROMPT_ORDER_FILE, "Write the matrix in this order to", name);
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
    } else if (wish == ORDER_SHOW && order && !order->wants) {
        ui_start_order(ui, orders_text(&ui->orders, &ui->session, row, text, sizeof text));
    } else if (wish == ORDER_SHOW || wish == ORDER_EDIT) {
        edit(ui, row);
    } else if (wish == ORDER_SAVE) {
        ask_file(ui, held);
    }
}
