#include "ui/definitions.h"

#include <string.h>

struct definition definition_of(const struct column *column)
{
    return (struct definition){.title = column->title, .text = column->help};
}

bool definition_listed(const struct column *table, const char *const *keys, int k,
                       struct definition *definition)
{
    for (; *keys; keys++)
        for (const struct column *column = table; column->key; column++) {
            if (strncmp(column->key, *keys, strlen(*keys)) != 0 || k-- > 0) continue;
            *definition = definition_of(column);
            return true;
        }
    return false;
}

bool definition_of_tables(const struct definition *own, int count, const struct column *table,
                          const char *const *keys, int k, struct definition *definition)
{
    if (k >= count) return definition_listed(table, keys, k - count, definition);
    *definition = own[k];
    return true;
}
