#include "kernels/list.h"

#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "formats/list.h"

/* The value * stands for no more values than this. */
#define STAR_MAX 64

/* The parameter of a table that `text`, "name=value...", begins with, or NULL. */
static const struct parameter *find_parameter(const struct parameter *table, const char *text)
{
    size_t length = strcspn(text, ",=");
    for (const struct parameter *p = table; p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, text, length) == 0) return p;
    return NULL;
}

static void append_names(const struct parameter *table, struct text *text)
{
    for (const struct parameter *p = table; p->name; p++)
        text_append(text, "%s%s", p == table ? "" : ", ", p->name);
    if (!table->name) text_append(text, "none");
}

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_MEMORY, "out of memory: no room for a list of kernels");
}

static enum status unknown_parameter(const struct kernel *kernel, const char *name, struct error *error)
{
    struct text own = {0}, format = {0};
    int length = (int)strcspn(name, ",=");
    append_names(kernel->parameters, &own);
    append_names(kernel->format->parameters, &format);
    enum status status =
        own.failed || format.failed
            ? out_of_memory(error)
            : error_set(error, STATUS_USAGE,
                        "%s has no parameter '%.*s'; it has %.200s, and its format %s has %.200s",
                        kernel->name, length < 40 ? length : 40, name, own.data, kernel->format->name,
                        format.data);
    text_free(&own);
    text_free(&format);
    return status;
}

/* Part "a=1,x=2" into those of the kernel and those of its format. */
static enum status part_parameters(const struct kernel *kernel, const char *parameters, struct text *own,
                                   struct text *format, struct error *error)
{
    for (const char *at = parameters; *at;) {
        size_t length = strcspn(at, ",");
        struct text *side = find_parameter(kernel->parameters, at)           ? own
                            : find_parameter(kernel->format->parameters, at) ? format
                                                                             : NULL;
        if (!side) return unknown_parameter(kernel, at, error);
        text_append(side, "%s%.*s", side->length ? "," : "", (int)length, at);
        at += length;
        if (*at && at[1]) at++; /* a comma at the end is a parameter without a name */
    }
    return own->failed || format->failed ? out_of_memory(error) : STATUS_OK;
}

/* What the kernel has in the place of its format's defaults, where nothing else is given. */
static void add_defaults(const struct kernel *kernel, struct text *format)
{
    const struct parameter *table = kernel->format->parameters;
    const char *at = kernel->format_defaults ? kernel->format_defaults : "";
    while (*at) {
        size_t length = strcspn(at, ",");
        const struct parameter *p = find_parameter(table, at);
        bool given = false;
        for (const char *own = format->data ? format->data : ""; *own && !given;) {
            given = find_parameter(table, own) == p;
            own += strcspn(own, ",");
            own += *own == ',';
        }
        if (!given) text_append(format, "%s%.*s", format->length ? "," : "", (int)length, at);
        at += length + (at[length] == ',');
    }
}

/* True if two texts ask for the same values; both can be read. */
static bool same_values(const struct parameter *table, const char *a, const char *b)
{
    struct parameter_values left, right;
    bool same = parameters_read("", table, a, &left, NULL) == STATUS_OK;
    same = parameters_read("", table, b, &right, NULL) == STATUS_OK && same;
    same = same && parameters_same(table, &left, &right);
    parameters_free(&left);
    parameters_free(&right);
    return same;
}

static bool listed(const struct kernel_list *list, const struct kernel *kernel, const char *own,
                   const char *format)
{
    for (int k = 0; k < list->count; k++) {
        const struct kernel_choice *choice = &list->choices[k];
        if (choice->kernel == kernel && same_values(kernel->parameters, choice->parameters, own) &&
            same_values(kernel->format->parameters, choice->format_parameters, format))
            return true;
    }
    return false;
}

static enum status append(struct kernel_list *list, const struct kernel *kernel, const char *own,
                          const char *format, struct error *error)
{
    if (list->count == KERNEL_LIST_MAX)
        return error_set(error, STATUS_USAGE, "the list has more than %d kernels", KERNEL_LIST_MAX);
    struct kernel_choice *choices =
        memory_resize(list->choices, (size_t)list->count + 1, sizeof *choices, error);
    if (!choices) return STATUS_MEMORY;
    list->choices = choices;
    struct kernel_choice choice = {kernel, memory_string(own, error), memory_string(format, error)};
    if (!choice.parameters || !choice.format_parameters) {
        free(choice.parameters);
        free(choice.format_parameters);
        return STATUS_MEMORY;
    }
    choices[list->count++] = choice;
    return STATUS_OK;
}

static enum status check_parameters(const char *owner, const struct parameter *table, const char *text,
                                    struct error *error)
{
    struct parameter_values values;
    enum status status = parameters_read(owner, table, text, &values, error);
    parameters_free(&values);
    return status;
}

/* Add a kernel with parameters, of which none is a star. */
static enum status add_plain(struct kernel_list *list, const struct kernel *kernel, const char *parameters,
                             struct error *error)
{
    struct text own = {0}, format = {0};
    enum status status = part_parameters(kernel, parameters, &own, &format, error);
    if (status == STATUS_OK) add_defaults(kernel, &format);
    if (status == STATUS_OK && format.failed) status = out_of_memory(error);
    const char *own_text = own.data ? own.data : "", *format_text = format.data ? format.data : "";
    if (status == STATUS_OK) status = check_parameters(kernel->name, kernel->parameters, own_text, error);
    if (status == STATUS_OK)
        status = check_parameters(kernel->format->name, kernel->format->parameters, format_text, error);
    if (status == STATUS_OK && !listed(list, kernel, own_text, format_text))
        status = append(list, kernel, own_text, format_text, error);
    text_free(&own);
    text_free(&format);
    return status;
}

/* The first "name=*" of the parameters, or NULL. */
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

/* How many values the star stands for; 0 if they cannot be counted up. */
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

/* Add a kernel with parameters: once for each value that a star stands for. */
static enum status add_choice(struct kernel_list *list, const struct kernel *kernel, const char *parameters,
                              struct error *error)
{
    const char *star = find_star(parameters);
    if (!star) return add_plain(list, kernel, parameters, error);
    const struct parameter *p = find_parameter(kernel->parameters, star);
    if (!p) p = find_parameter(kernel->format->parameters, star);
    if (!p) return unknown_parameter(kernel, star, error);
    int count = count_values(p);
    char value[64];
    if (count == 0)
        return error_set(error, STATUS_USAGE,
                         "%s=* would be too many values (%s): name those that are wanted", p->name,
                         parameter_range(p, value, sizeof value));
    enum status status = STATUS_OK;
    for (int k = 0; k < count && status == STATUS_OK; k++) {
        struct text text = {0};
        text_append(&text, "%.*s%s=%s%s", (int)(star - parameters), parameters, p->name,
                    parameter_value(p, value_number(p, k), value, sizeof value), star + strcspn(star, ","));
        status = text.failed ? out_of_memory(error) : add_choice(list, kernel, text.data, error);
        text_free(&text);
    }
    return status;
}

/* What may have been meant: all kernels of a format if it is one's name, or those whose names are the fewest
 * letters away, at most a third of them. */
static void append_meant(const struct kernel *const *table, const char *name, struct text *text)
{
    const char *slash = strchr(name, '/'), *word = slash ? slash + 1 : name, *start = "; did you mean ";
    int fewest = (int)strlen(word) / 3;
    for (int k = 0; table[k]; k++)
        if (strcmp(table[k]->format->name, word) == 0) {
            text_append(text, "%s%s/%s-*", start, table[k]->backend->name, word);
            fewest = -1;
            break;
        }
    for (int k = 0; table[k]; k++)
        fewest = text_apart(word, table[k]->name) < fewest ? text_apart(word, table[k]->name) : fewest;
    for (int k = 0; table[k]; k++) {
        if (text_apart(word, table[k]->name) > fewest) continue;
        text_append(text, "%s", start);
        kernel_name(table[k], text);
        start = " or ";
    }
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

/* True if an item's name means the kernel. */
static bool means(const char *name, const struct kernel *kernel)
{
    const char *backend = kernel->backend->name, *slash = strchr(name, '/');
    if (strcmp(name, "all") == 0 || strcmp(name, backend) == 0) return true;
    if (!slash) return fnmatch(name, kernel->name, 0) == 0;
    char full[128];
    snprintf(full, sizeof full, "%s/%s", backend, kernel->name);
    return fnmatch(name, full, FNM_PATHNAME) == 0;
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
        status = add_choice(list, table[k], parameters, error);
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

void kernel_list_free(struct kernel_list *list)
{
    for (int k = 0; k < list->count; k++) {
        free(list->choices[k].parameters);
        free(list->choices[k].format_parameters);
    }
    free(list->choices);
    *list = (struct kernel_list){0};
}
