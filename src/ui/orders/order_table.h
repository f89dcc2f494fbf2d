/* The effect of each order in a table, one for Advice and for the list of orders. */
#ifndef SPARSIGHT_UI_ORDERS_ORDER_TABLE_H
#define SPARSIGHT_UI_ORDERS_ORDER_TABLE_H

#include "session/order_effects.h"
#include "ui/widgets/list.h"

/* The columns; ORDER_CELL_NAME and the next one are the list's own. */
enum order_cell {
    ORDER_CELL_NAME,
    ORDER_CELL_KIND, /* what it reorders: "symmetric" */
    ORDER_CELL_BANDWIDTH,
    ORDER_CELL_PROFILE,
    ORDER_CELL_KERNEL,
    ORDER_CELL_TIME,
    ORDER_CELL_TIMES,
    ORDER_CELL_PERMUTE,
    ORDER_CELL_EVEN,
    ORDER_CELLS
};
_Static_assert(ORDER_CELLS <= LIST_CELLS, "a row of a list has room for the table");

/* The columns; `kernel` is the title of the kernel's column. */
#define ORDER_TABLE_COLUMNS(kernel)                                                                 \
    {                                                                                               \
        [ORDER_CELL_NAME] = {.title = "order", .wide = 14},                                         \
        [ORDER_CELL_KIND] = {.title = "kind", .wide = 11, .spare = 2},                              \
        [ORDER_CELL_BANDWIDTH] = {.title = "bandwidth", .wide = 11, .numbers = true, .spare = 3},   \
        [ORDER_CELL_PROFILE] = {.title = "profile", .wide = 15, .numbers = true, .spare = 4},       \
        [ORDER_CELL_KERNEL] = {.title = kernel, .wide = 20, .spare = 1},                            \
        [ORDER_CELL_TIME] = {.title = "time", .wide = 9, .numbers = true},                          \
        [ORDER_CELL_TIMES] = {.title = "x natural", .wide = 10, .numbers = true},                   \
        [ORDER_CELL_PERMUTE] = {.title = "permuting", .wide = 10, .numbers = true},                 \
        [ORDER_CELL_EVEN] = {.title = "pays off at", .wide = 12, .numbers = true}, {.title = NULL}, \
    }

/* The effects, found again when something that they depend on has changed. Start with {0}. */
struct order_table {
    struct order_effects effects;
    int64_t state; /* of the session when they were found (order_effects_state), */
    enum precision precision;
    enum advice_place place;
    struct product product;
    bool cold, found;
};

/* Find the effects for the machine and the precision of Advice and for the product of Kernels. */
void order_table_find(const struct explorer *explorer, struct order_table *table);

/* Write the cells of a row. */
void order_table_fill(const struct order_effect *effect, struct list_row *row);

/* Draw the table, with a sentence for each order, from the top of rect on. Returns the number of lines. */
int order_table_draw(const struct explorer *explorer, const struct order_table *table,
                     struct surface *surface, struct rect rect);

#endif
