#include "ui/orders/orders.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "columns/columns.h"

struct matrix_case *orders_case(const struct session *session, int row)
{
    /* The session owns the cases. */
    return row >= 0 && row < session->case_count ? (struct matrix_case *)&session->cases[row] : NULL;
}

/* The natural order is always the first case, so no further row offers it. */
const struct order *orders_order(const struct session *session, int row)
{
    int at = row - session->case_count;
    for (int k = 0; orders[k]; k++) {
        if (strcmp(orders[k]->name, "natural") == 0) continue;
        if (at-- == 0) return orders[k];
    }
    return NULL;
}

char *orders_text(const struct orders_list *list, const struct session *session, int row, char *out,
                  size_t size)
{
    const struct order *order = orders_order(session, row);
    bool usual = list->apply < 0;
    snprintf(out, size, "%s%s%s", order ? order->name : "",
             usual ? "" : ":apply=", usual ? "" : order_apply_words[list->apply]);
    return out;
}

struct matrix_case *orders_held(struct session *session, const char *name)
{
    for (int k = 0; k < session->case_count; k++) {
        const struct matrix_case *held = &session->cases[k];
        if (strcmp(held->order, name) == 0 || strcmp(held->reordering.asked, name) == 0)
            return &session->cases[k];
    }
    return NULL;
}

/* Write a number of a case's order in the format of its column. */
static const char *cost(const struct matrix_case *of, const char *key, char *out, size_t size)
{
    const struct subject subject = {.matrix_case = of};
    for (const struct column *column = order_columns; column->key; column++) {
        const char *word = strchr(column->key, '.');
        if (strcmp(word ? word + 1 : column->key, key) == 0)
            return value_brief(column, column_get(column, &subject), 12, out, size);
    }
    return "-";
}

char *orders_cost(const struct matrix_case *of, char *out, size_t size)
{
    char found[64], made[64], permuted[64];
    if (!of->reordering.choice.order) {
        snprintf(out, size, "x and y are not permuted");
        return out;
    }
    snprintf(out, size, "found in %s, matrix reordered in %s, x and y permuted in %s per product",
             cost(of, "order_us", found, sizeof found), cost(of, "reorder_us", made, sizeof made),
             cost(of, "permute_us", permuted, sizeof permuted));
    return out;
}

/* Write the parameters of an order with their defaults. The first parameter is omitted: it says whether rows
 * or columns are ordered, and has a column of its own. */
static void write_parameters(const struct order *order, struct list_row *row)
{
    char all[LIST_TEXT] = "", value[64];
    for (int k = 1; order->parameters[0].name && order->parameters[k].name; k++) {
        size_t length = strlen(all);
        const char *standard = parameter_default(&order->parameters[k], value, sizeof value);
        snprintf(all + length, sizeof all - length, "%s%s%s%s", length ? "," : "", order->parameters[k].name,
                 standard[0] ? "=" : "", standard);
    }
    list_write(row, ORDER_CELL_KERNEL, " %s", all);
}

static void fill_case(const struct orders_list *list, const struct session *session, int number,
                      struct list_row *row)
{
    const struct matrix_case *held = &session->cases[number];
    row->marked = held == session->shown;
    if (number < list->table.effects.count) order_table_fill(&list->table.effects.items[number], row);
    list_write(row, ORDER_CELL_NAME, "%s%s", held->order, row->marked ? " (shown)" : "");
}

static void fill_order(const struct orders_list *list, const struct session *session, int number,
                       struct list_row *row)
{
    const struct order *order = orders_order(session, number);
    char text[ORDER_NAME];
    const struct csr *a = &session->cases[0].matrix.csr;
    struct error error = {0};
    enum order_apply apply = order_apply_of(order, list->apply, a);
    list_write(row, ORDER_CELL_NAME, "%s", order->name);
    list_write(row, ORDER_CELL_KIND, "%s", order_apply_words[apply]);
    write_parameters(order, row);
    orders_text(list, session, number, text, sizeof text);
    for (int k = 0; k < session->case_count; k++)
        if (strcmp(session->cases[k].reordering.asked, text) == 0)
            list_write(row, ORDER_CELL_PERMUTE, "held");
    if (session->case_count >= SESSION_CASES)
        error_set(&error, STATUS_USAGE, "the matrix is kept in %d orders, which is the maximum",
                  SESSION_CASES);
    else if (order_check_alone(order, &error) == STATUS_OK)
        order_check_shape(order, apply, a, &error);
    snprintf(row->reason, sizeof row->reason, "%s", error.message);
}

static void fill(struct explorer *explorer, void *state, struct list *list)
{
    const struct session *session = explorer->session;
    struct orders_list *own = state;
    order_table_find(explorer, &own->table);
    for (int k = 0; k < session->case_count; k++) {
        struct list_row *row = list_add(list);
        if (row) fill_case(own, session, k, row);
    }
    for (int k = session->case_count; orders_order(session, k); k++) {
        struct list_row *row = list_add(list);
        if (row) fill_order(state, session, k, row);
    }
}

static void choose(struct explorer *explorer, void *state, int row)
{
    struct orders_list *list = state;
    if (list->list.rows[row].reason[0]) {
        explorer_say(explorer, "%s", list->list.rows[row].reason);
        return;
    }
    list->wish = ORDER_SHOW;
    list->row = row;
}

/* Write the parameters, the effect and the cost of the held order under the cursor. The column may be too
 * narrow for the parameters. */
static void about_held(const struct orders_list *own, const struct matrix_case *held, int row,
                       struct flow *flow)
{
    char sentence[ORDER_SENTENCE] = "", text[256] = "", resolved[LIST_TEXT] = "";
    const struct reordering *reordering = &held->reordering;
    if (reordering->choice.order)
        parameters_write_all(reordering->choice.order->parameters + 1, reordering->choice.values.number + 1,
                             "", resolved, sizeof resolved);
    if (resolved[0]) {
        flow_words(flow, COLOUR_ACCENT, resolved);
        flow_break(flow);
    }
    if (row < own->table.effects.count) order_effect_say(&own->table.effects.items[row], sentence);
    if (sentence[0]) {
        flow_words(flow, COLOUR_TEXT, sentence);
        flow_break(flow);
    }
    flow_words(flow, COLOUR_ACCENT, orders_cost(held, text, sizeof text));
    flow_break(flow);
    if (reordering->choice.order)
        flow_words(flow, COLOUR_DIM, "y comes back in the natural order; kernel times exclude permuting");
}

/* Describe the order under the cursor, or the reason why it is unavailable. */
static void about(struct explorer *explorer, void *state, const struct list *list, struct flow *flow)
{
    const struct matrix_case *held = orders_case(explorer->session, list->selected);
    const struct order *order = orders_order(explorer->session, list->selected);
    const char *parameters = list->rows[list->selected].cells[ORDER_CELL_KERNEL];
    if (held) order = held->reordering.choice.order;
    flow_words(flow, COLOUR_TEXT, order ? order->summary : "the order of the source");
    flow_break(flow);
    if (held) {
        about_held(state, held, list->selected, flow);
        return;
    }
    if (parameters[0]) {
        flow_words(flow, COLOUR_ACCENT, parameters);
        flow_break(flow);
    }
    if (list->rows[list->selected].reason[0])
        flow_words(flow, COLOUR_BAD, list->rows[list->selected].reason);
    else if (order && order->source[0])
        flow_words(flow, COLOUR_DIM, order->source);
}

static void wish(struct explorer *explorer, void *state, int what)
{
    struct orders_list *list = state;
    list->wish = (enum order_wish)what;
    list->row = list->list.selected;
    list_close(&list->list);
}

/* Select the next kind of new orders: the default, rows and columns alike, rows, columns, each. */
static void change_apply(struct explorer *explorer, void *state, int unused)
{
    struct orders_list *list = state;
    list->apply = list->apply == APPLY_EACH ? -1 : list->apply + 1;
}

const struct action orders_actions[] = {
    {.keys = {'a'},
     .run = change_apply,
     .name = "change kind",
     .help = "new orders of rows and columns alike, of rows, of columns, of each, or the default"},
    {.keys = {'p'}, .run = wish, .argument = ORDER_EDIT, .name = "edit", .help = "edit its parameters"},
    {.keys = {'w'},
     .run = wish,
     .argument = ORDER_SAVE,
     .name = "save",
     .help = "write the matrix in this order, and its permutation"},
    {.run = NULL},
};

/* The columns are those of the table of effects. If an order is not held, its parameters are in the column of
 * the kernel. */
static const struct list_kind orders_of_matrix = {
    .title = "Orders of rows and columns",
    .wide = 126,
    .foot_high = 6,
    .bare = true,
    .columns = ORDER_TABLE_COLUMNS(" parameters, kernel"),
    .actions = orders_actions,
    .fill = fill,
    .choose = choose,
    .about = about,
};

/* Return the row that is selected first. It is the shown order. If a square matrix has no other order yet, it
 * is reverse Cuthill-McKee, the order that users request most. */
static int first_row(const struct session *session)
{
    const struct csr *a = &session->shown->matrix.csr;
    const bool first = session->case_count == 1 && a->rows == a->cols;
    for (int row = session->case_count; first && orders_order(session, row); row++)
        if (strcmp(orders_order(session, row)->name, "rcm") == 0) return row;
    return (int)(session->shown - session->cases);
}

void orders_open(struct explorer *explorer, struct orders_list *list)
{
    list->apply = -1;
    list->wish = ORDER_NOTHING;
    list_open(explorer, &list->list, &orders_of_matrix, list, first_row(explorer->session));
}

void orders_free(struct orders_list *list)
{
    list_free(&list->list);
    *list = (struct orders_list){0};
}
