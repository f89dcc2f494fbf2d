/* The list of orders: existing ones, which can be shown at once, and possible ones. The explorer's loop
 * executes the user's choice. */
#ifndef SPARSIGHT_UI_ORDERS_ORDERS_H
#define SPARSIGHT_UI_ORDERS_ORDERS_H

#include "ui/orders/order_table.h"

/* The user's request for the order under the cursor. */
enum order_wish {
    ORDER_NOTHING,
    ORDER_SHOW, /* show the matrix in it; make the order if necessary */
    ORDER_EDIT, /* type its parameters */
    ORDER_SAVE, /* write the matrix in it, and its permutation */
};

/* Start with {0}; free with orders_free. */
struct orders_list {
    struct list list;
    enum order_wish wish;     /* the loop executes it, and resets it to ORDER_NOTHING */
    int row;                  /* the row of the list that it concerns */
    struct order_table table; /* the effects of the held orders */
    int apply;                /* the enum order_apply for new orders; -1: the default */
};

/* Open the list, with the shown order under the cursor. */
void orders_open(struct explorer *explorer, struct orders_list *orders);

void orders_free(struct orders_list *orders);

/* Return the case of a row, NULL if there is none in its order yet. */
struct matrix_case *orders_case(const struct session *session, int row);

/* Return the order of a row without a case; NULL if there is none. */
const struct order *orders_order(const struct session *session, int row);

/* Write the text of such a row for order_choice_read: "rcm", or "rcm:apply=rows" if the user wants that.
 * Returns out. */
char *orders_text(const struct orders_list *orders, const struct session *session, int row, char *out,
                  size_t size);

/* Return the case in this order. The name is as requested, or with all resolved parameters. NULL if there is
 * none. */
struct matrix_case *orders_held(struct session *session, const char *name);

/* Write the cost of an order, such as "found in 2.1 ms, x and y permuted in 31 us a product". Returns out. */
char *orders_cost(const struct matrix_case *matrix_case, char *out, size_t size);

/* The list's own keys, beside those of all lists. */
extern const struct action orders_actions[];

#endif
