#include "kernels/list.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/items.h"
#include "base/memory.h"

/* The value * of a parameter is refused if it would stand for more whole numbers than this. */
#define STAR_MAX 64

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_MEMORY, "out of memory: no room for a list of kernels");
}

int kernel_list_find(const struct kernel_list *list, const struct kernel_choice *choice)
{
    const struct kernel_choice listed = kernel_choice_with(choice, PRECISION_F64, 0);
    for (int k = 0; k < list->count; k++)
        if (kernel_choice_same(&list->choices[k], &listed)) return k;
    return -1;
}

/* If an item names one kernel of a storage, that storage is built, so that its other kernels run, too. Mark
 * those in the list, and return whether the new choice is requested only by a pattern. */
static bool share_naming(struct kernel_list *list, const struct kernel_choice *choice, bool by_pattern)
{
    for (int k = 0; k < list->count; k++) {
        struct format_choice *listed = &list->choices[k].format;
        if (!format_choice_same(listed, &choice->format)) continue;
        by_pattern = by_pattern && listed->by_pattern;
        listed->by_pattern = by_pattern;
    }
    return by_pattern;
}

/* Add a kernel with parameters without the value *. */
static enum status add_plain(struct kernel_list *list, const struct kernel *kernel, const char *parameters,
                             bool by_pattern, struct error *error)
{
    struct kernel_choice choice;
    enum status status = kernel_choice_read(kernel, parameters, &choice, error);
    if (status != STATUS_OK) return status;
    choice.format.by_pattern = share_naming(list, &choice, by_pattern);
    if (kernel_list_find(list, &choice) >= 0) return STATUS_OK;
    if (list->count == KERNEL_LIST_MAX)
        return error_set(error, STATUS_USAGE, "the list has more than %d kernels", KERNEL_LIST_MAX);
    struct kernel_choice *choices =
        memory_resize(list->choices, (size_t)list->count + 1, sizeof *choices, error);
    if (!choices) return STATUS_MEMORY;
    list->choices = choices;
    choices[list->count++] = choice;
    return STATUS_OK;
}

/* Returns the first "name=*" of the parameters; NULL if there is none. */
static const char *find_star(const char *parameters)
{
    const char *at = parameters;
    while (*at) {
        size_t length = strcspn(at, ","), name = strcspn(at, ",=");
        if (length == name + 2 && at[name + 1] == '*') return at;
        at += length + (at[length] == ',');
    }
    return NULL;
}

/* Returns the number of values of a parameter's *; 0 if it is refused. */
static int count_values(const struct parameter *p)
{
    int count = parameter_options(p);
    if (p->type == PARAMETER_INTEGER) return p->max - p->min < STAR_MAX ? (int)(p->max - p->min) + 1 : 0;
    for (double value = 1; p->type == PARAMETER_POWER && value <= p->max; value *= 2)
        count += value >= p->min;
    return count;
}

static double value_number(const struct parameter *p, int k)
{
    double value = 1;
    if (parameter_options(p) > 0) return k;
    if (p->type == PARAMETER_INTEGER) return p->min + k;
    while (value < p->min)
        value *= 2;
    return ldexp(value, k);
}

/* Add the kernel once for each value of the first *. The calls that add these handle another *. */
static enum status add_values(struct kernel_list *list, const struct kernel *kernel, const char *parameters,
                              bool by_pattern, struct error *error)
{
    const char *star = find_star(parameters);
    if (!star) return add_plain(list, kernel, parameters, by_pattern, error);
    const struct parameter *p;
    enum status status = kernel_choice_parameter(kernel, star, &p, error);
    if (status != STATUS_OK) return status;
    int count = count_values(p);
    char value[64];
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "%s=* would be too many values (%s): name those that are wanted", p->name,
                         parameter_range(p, value, sizeof value));
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        struct text text = {0};
        text_append(&text, "%.*s%s=%s%s", (int)(star - parameters), parameters, p->name,
                    parameter_value(p, value_number(p, k), value, sizeof value), star + strcspn(star, ","));
        status = text.failed ? out_of_memory(error) : add_values(list, kernel, text.data, by_pattern, error);
        text_free(&text);
    }
    return status;
}

enum status kernel_list_add_kernel(struct kernel_list *list, const struct kernel *kernel,
                                   const char *parameters, struct error *error)
{
    return add_values(list, kernel, parameters, false, error);
}

/* Append suggestions: all kernels of a format if the name is a format's, else the kernels or a backend with
 * the most similar names. */
static void append_meant(const struct kernel *const *table, const char *name, struct text *text)
{
    const char *slash = strchr(name, '/'), *word = slash ? slash + 1 : name;
    struct guess guess;
    char meant[GUESS_TEXT], full[GUESS_WORD];
    for (int k = 0; table[k]; k++)
        if (strcmp(table[k]->format->name, word) == 0) {
            text_append(text, "; did you mean %s/%s-*", table[k]->backend->name, word);
            return;
        }
    guess_start(&guess, word, strlen(word));
    for (int k = 0; table[k]; k++) {
        snprintf(full, sizeof full, "%s/%s", table[k]->backend->name, table[k]->name);
        guess_offer(&guess, table[k]->name, full);
        guess_offer(&guess, table[k]->backend->name, table[k]->backend->name);
    }
    text_append(text, "%s", guess_text(&guess, meant));
}

static enum status unknown_kernel(const struct kernel *const *table, const char *name, struct error *error)
{
    struct text text = {0};
    append_meant(table, name, &text);
    if (text.length) text_append(&text, "? 'sparsight kernels' lists all");
    for (int k = 0; table[k] && (k > 0 || !text.length); k++) {
        text_append(&text, "%s", k ? ", " : "; there are ");
        kernel_name(table[k], &text);
    }
    enum status status =
        text.failed ? out_of_memory(error)
                    : error_set(error, STATUS_USAGE, "no kernel is called '%.40s'%s", name, text.data);
    text_free(&text);
    return status;
}

/* True if an item with this name includes the kernel. */
static bool means(const char *name, const struct kernel *kernel)
{
    const char *backend = kernel->backend->name, *slash = strchr(name, '/');
    if (strcmp(name, "all") == 0 || strcmp(name, backend) == 0) return true;
    if (!slash) return fnmatch(name, kernel->name, 0) == 0;
    char full[128];
    snprintf(full, sizeof full, "%s/%s", backend, kernel->name);
    return fnmatch(name, full, 0) == 0;
}

/* True if an item with this name includes the kernel without naming it. */
static bool is_pattern(const char *name, const struct kernel *kernel)
{
    const char *slash = strchr(name, '/');
    return strpbrk(name, "*?[") || strcmp(slash ? slash + 1 : name, kernel->name) != 0;
}

static enum status misplaced_parameters(const char *item, struct error *error)
{
    int name = (int)strcspn(item, ",=");
    if (item[name] == '=') return error_set(error, STATUS_USAGE, "'%.40s' names no kernel", item);
    return error_set(error, STATUS_USAGE, "'%.40s': parameters come after a colon: %.*s:%.40s", item,
                     name < 40 ? name : 40, item, item + name + 1);
}

static enum status add_item(struct kernel_list *list, const struct kernel *const *table, char *item,
                            struct error *error)
{
    char *colon = strchr(item, ':');
    const char *parameters = colon ? colon + 1 : "";
    bool found = false;
    enum status status = STATUS_OK;
    if (colon) *colon = 0;
    if (strchr(item, '=')) return misplaced_parameters(item, error);
    if (strcmp(item, "none") == 0 && !colon) return STATUS_OK;
    for (int k = 0; table[k] && status == STATUS_OK; k++) {
        if (!means(item, table[k])) continue;
        found = true;
        status = add_values(list, table[k], parameters, is_pattern(item, table[k]), error);
    }
    return found ? status : unknown_kernel(table, item, error);
}

enum status kernel_list_add(struct kernel_list *list, const char *text, struct error *error)
{
    return kernel_list_add_from(list, kernels, text, error);
}

enum status kernel_list_add_from(struct kernel_list *list, const struct kernel *const *table,
                                 const char *text, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        bool end;
        char *item = list_item(&text, &end, error);
        if (!item) return end ? STATUS_OK : STATUS_MEMORY;
        status = add_item(list, table, item, error);
        free(item);
    }
    return status;
}

void kernel_list_name(struct kernel_list *list)
{
    for (int k = 0; k < list->count; k++)
        list->choices[k].format.by_pattern = false;
}

void kernel_list_free(struct kernel_list *list)
{
    free(list->choices);
    *list = (struct kernel_list){0};
}
