#include "ui/orders/order_table.h"

#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "drawing/flow.h"
#include "ui/view.h"

/* The columns that names of kernels, and of orders, take at most beyond their widths. */
#define KERNEL_MORE 16
#define NAME_MORE 12

static const struct list_column columns[] = ORDER_TABLE_COLUMNS(" best kernel");

void order_table_find(const struct explorer *explorer, struct order_table *table)
{
    const struct session *session = explorer->session;
    const struct advice_question question = {
        .precision = explorer->advised_precision, .product = explorer->product, .cold = explorer->cold};
    const int64_t state = order_effects_state(session, question);
    if (table->found && table->state == state && table->precision == question.precision &&
        table->place == explorer->advised_place && product_same(table->product, question.product) &&
        table->cold == question.cold)
        return;
    *table = (struct order_table){.state = state,
                                  .precision = question.precision,
                                  .place = explorer->advised_place,
                                  .product = question.product,
                                  .cold = question.cold};
    table->found =
        order_effects_find(session, question, explorer->advised_place, &table->effects, NULL) == STATUS_OK;
}

static void write_count(int64_t count, struct list_row *row, int cell)
{
    char text[32];
    if (count >= 0)
        list_write(row, cell, "%s", format_fitting(text, sizeof text, count, 11));
    else
        list_write(row, cell, "-");
}

void order_table_fill(const struct order_effect *effect, struct list_row *row)
{
    const struct reordering *reordering = &effect->of->reordering;
    char text[32];
    list_write(row, ORDER_CELL_NAME, "%s", effect->of->order);
    list_write(row, ORDER_CELL_KIND, "%s",
               reordering->choice.order ? order_apply_words[reordering->permutation.apply] : "");
    write_count(effect->bandwidth, row, ORDER_CELL_BANDWIDTH);
    write_count(effect->profile, row, ORDER_CELL_PROFILE);
    list_write(row, ORDER_CELL_PERMUTE, "%s",
               effect->natural ? "0" : format_seconds(text, sizeof text, effect->permute));
    list_write(row, ORDER_CELL_KERNEL, " %s", effect->there ? effect->kernel : "-");
    list_write(row, ORDER_CELL_TIME, "%s%s", effect->there && !effect->measured ? "~" : "",
               effect->there ? format_seconds(text, sizeof text, effect->seconds) : "-");
    list_write(row, ORDER_CELL_TIMES, "%s",
               isnan(effect->times) ? "-" : format_digits(text, sizeof text, effect->times, 3));
    if (effect->break_even >= 0)
        write_count(effect->break_even, row, ORDER_CELL_EVEN);
    else
        list_write(row, ORDER_CELL_EVEN, effect->natural || isnan(effect->times) ? "-" : "never");
}

static int clip_wide(int spare, int most)
{
    return spare < 0 ? 0 : spare < most ? spare : most;
}

/* Draw a line of the table: a row, or the titles if `row` is NULL. Spare columns go to the name of the
 * kernel, then to that of the order, which otherwise would be far from its numbers. */
static void draw_line(const struct explorer *explorer, const struct list_row *row, bool shown_order,
                      struct surface *surface, int y, struct rect rect)
{
    const unsigned shown = list_columns_fit(columns, rect.wide);
    int spare = rect.wide;
    for (int c = 0; c < ORDER_CELLS; c++)
        spare -= shown & (1U << c) ? columns[c].wide : 0;
    const int kernel = clip_wide(spare, KERNEL_MORE), name = clip_wide(spare - kernel, NAME_MORE);
    int right = rect.left + rect.wide - (spare > 0 ? spare - kernel - name : 0);
    for (int c = ORDER_CELLS - 1; c >= 0; c--) {
        const struct list_column *column = &columns[c];
        const char *text = row ? row->cells[c] : column->title;
        const enum colour colour = row ? (shown_order ? COLOUR_ACCENT : COLOUR_TEXT) : COLOUR_DIM;
        if (!(shown & (1U << c))) continue;
        const int wide = column->wide + (c == ORDER_CELL_KERNEL ? kernel : 0);
        const int left = c == 0 ? rect.left : right - wide;
        if (column->numbers)
            surface_text_right(surface, y, left, right - left, colour, 0, "%s", text);
        else
            surface_text_short(surface, y, left, right - left, explorer->ascii, colour, 0, text);
        right = left;
    }
}

int order_table_draw(const struct explorer *explorer, const struct order_table *table,
                     struct surface *surface, struct rect rect)
{
    char sentence[ORDER_SENTENCE];
    int line = 0;
    draw_line(explorer, NULL, false, surface, rect.top + line++, rect);
    for (int k = 0; k < table->effects.count; k++) {
        const struct order_effect *effect = &table->effects.items[k];
        struct list_row row = {.marked = false};
        order_table_fill(effect, &row);
        draw_line(explorer, &row, effect->of == explorer->session->shown, surface, rect.top + line++, rect);
    }
    struct flow flow = {.surface = surface,
                        .rect = {rect.top + line, rect.left, rect.high - line, rect.wide}};
    for (int k = 0; k < table->effects.count; k++) {
        flow_break(&flow);
        if (order_effect_say(&table->effects.items[k], sentence)[0]) flow_words(&flow, COLOUR_TEXT, sentence);
    }
    return line + flow_lines(&flow);
}
