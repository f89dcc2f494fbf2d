#include "formats/list.h"

#include <fnmatch.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/items.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"

static struct format_choice *find(const struct format_list *list, const struct format_choice *choice)
{
    for (int k = 0; k < list->count; k++)
        if (format_choice_same(&list->choices[k], choice)) return &list->choices[k];
    return NULL;
}

static enum status add_choice(struct format_list *list, const struct format *format, const char *parameters,
                              bool by_pattern, struct error *error)
{
    struct format_choice choice;
    enum status status = format_choice_read(format, parameters, PRECISION_F64, &choice, error);
    if (status != STATUS_OK) return status;
    choice.by_pattern = by_pattern;
    struct format_choice *listed = find(list, &choice);
    if (listed) {
        listed->by_pattern = listed->by_pattern && by_pattern;
        return STATUS_OK;
    }
    struct format_choice *choices =
        memory_resize(list->choices, (size_t)list->count + 1, sizeof *choices, error);
    if (!choices) return STATUS_MEMORY;
    list->choices = choices;
    choices[list->count++] = choice;
    return STATUS_OK;
}

static const char *format_name(int k)
{
    return formats[k] ? formats[k]->name : NULL;
}

static enum status misplaced_parameters(const char *item, struct error *error)
{
    int name = (int)strcspn(item, ",=");
    if (item[name] == '=') return error_set(error, STATUS_USAGE, "'%.40s' names no format", item);
    return error_set(error, STATUS_USAGE, "'%.40s': parameters come after a colon: %.*s:%.40s", item,
                     name < 40 ? name : 40, item, item + name + 1);
}

static enum status add_all(struct format_list *list, struct error *error)
{
    enum status status = STATUS_OK;
    for (int k = 0; formats[k]; k++)
        for (int v = 0; formats[k]->variants[v] && status == STATUS_OK; v++)
            status = add_choice(list, formats[k], formats[k]->variants[v], true, error);
    return status;
}

static enum status add_item(struct format_list *list, char *item, struct error *error)
{
    char *colon = strchr(item, ':');
    const char *parameters = colon ? colon + 1 : "";
    bool found = false;
    enum status status = STATUS_OK;
    if (colon) *colon = 0;
    if (strchr(item, '=')) return misplaced_parameters(item, error);
    if (strcmp(item, "all") == 0 && !colon) return add_all(list, error);
    if (strcmp(item, "all") == 0) return error_set(error, STATUS_USAGE, "all takes no parameters");
    for (int k = 0; formats[k] && status == STATUS_OK; k++) {
        if (fnmatch(item, formats[k]->name, 0) != 0) continue;
        found = true;
        status = add_choice(list, formats[k], parameters, strcmp(item, formats[k]->name) != 0, error);
    }
    return found ? status : guess_refuse("no format is called", item, strlen(item), format_name, error);
}

enum status format_list_add(struct format_list *list, const char *text, struct error *error)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK) {
        bool end;
        char *item = list_item(&text, &end, error);
        if (!item) return end ? STATUS_OK : STATUS_MEMORY;
        status = add_item(list, item, error);
        free(item);
    }
    return status;
}

void format_list_name(struct format_list *list)
{
    for (int k = 0; k < list->count; k++)
        list->choices[k].by_pattern = false;
}

void format_list_free(struct format_list *list)
{
    free(list->choices);
    *list = (struct format_list){0};
}
