/* Choices of orders as the user writes them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/items.h"
#include "base/memory.h"
#include "matrix/orders/order.h"

static const char *name_of(int k)
{
    return orders[k] ? orders[k]->name : NULL;
}

/* The index of the text parameter, or -1. Its number is unused, and NaN. */
static int text_parameter(const struct order *order)
{
    for (int k = 0; order->parameters[k].name; k++)
        if (order->parameters[k].type == PARAMETER_TEXT) return k;
    return -1;
}

enum status order_choice_read(const char *text, struct order_choice *choice, struct error *error)
{
    size_t length = strcspn(text, ":");
    *choice = (struct order_choice){0};
    for (int k = 0; orders[k]; k++)
        if (strlen(orders[k]->name) == length && memcmp(orders[k]->name, text, length) == 0)
            choice->order = orders[k];
    if (!choice->order) return guess_refuse("no order is called", text, strcspn(text, ":="), name_of, error);
    const char *parameters = text + length + (text[length] == ':');
    enum status status =
        parameters_read(choice->order->name, choice->order->parameters, parameters, &choice->values, error);
    int file = text_parameter(choice->order);
    if (status != STATUS_OK) return status;
    if (file >= 0 && !choice->values.text)
        return error_set(error, STATUS_USAGE, "%s needs %s: %s:%s=%s", choice->order->name,
                         choice->order->wants, choice->order->name, choice->order->parameters[file].name,
                         choice->order->check ? "NAME" : "FILE");
    if (file >= 0) choice->values.number[file] = NAN;
    return choice->order->check ? choice->order->check(&choice->values, error) : STATUS_OK;
}

void order_choice_free(struct order_choice *choice)
{
    parameters_free(&choice->values);
    *choice = (struct order_choice){0};
}

enum status order_choice_copy(const struct order_choice *choice, struct order_choice *copy,
                              struct error *error)
{
    *copy = *choice;
    if (!choice->values.text) return STATUS_OK;
    copy->values.text = memory_string(choice->values.text, error);
    return copy->values.text ? STATUS_OK : STATUS_MEMORY;
}

char *order_choice_name(const struct order_choice *choice, char *out, size_t size)
{
    const struct order *order = choice->order;
    struct parameter_values values = choice->values;
    int file = text_parameter(order);
    if (!values.given[0]) values.number[0] = NAN; /* the default is not written */
    snprintf(out, size, "%s", order->name);
    bool some = parameters_write(order->parameters, &values, ":", out, size);
    size_t length = strlen(out);
    if (file >= 0 && choice->values.text)
        snprintf(out + length, size - length, "%s%s=%s", some ? "," : ":", order->parameters[file].name,
                 choice->values.text);
    return out;
}

static bool same_text(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool is_there(const struct order_list *list, const struct order_choice *choice)
{
    for (int k = 0; k < list->count; k++) {
        const struct order_choice *listed = &list->choices[k];
        if (listed->order == choice->order && same_text(listed->values.text, choice->values.text) &&
            parameters_same(choice->order->parameters, &listed->values, &choice->values))
            return true;
    }
    return false;
}

enum status order_list_add_one(struct order_list *list, const char *text, struct error *error)
{
    struct order_choice choice;
    enum status status = order_choice_read(text, &choice, error);
    if (status != STATUS_OK || is_there(list, &choice)) {
        order_choice_free(&choice);
        return status;
    }
    struct order_choice *choices =
        memory_resize(list->choices, (size_t)list->count + 1, sizeof *choices, error);
    if (!choices) {
        order_choice_free(&choice);
        return STATUS_MEMORY;
    }
    list->choices = choices;
    choices[list->count++] = choice;
    return STATUS_OK;
}

enum status order_list_add(struct order_list *list, const char *text, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        bool end;
        char *item = list_item(&text, &end, error);
        if (!item) return end ? STATUS_OK : STATUS_MEMORY;
        status = order_list_add_one(list, item, error);
        free(item);
    }
    return status;
}

void order_list_free(struct order_list *list)
{
    for (int k = 0; k < list->count; k++)
        order_choice_free(&list->choices[k]);
    free(list->choices);
    *list = (struct order_list){0};
}
