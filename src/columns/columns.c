#include "columns/columns.h"

#include <string.h>

bool part_applies(const struct column_part *part, const struct subject *subject)
{
    return !part->applies || part->applies(subject);
}

const struct column *column_find(const char *key)
{
    for (const struct column *column = columns; column->key; column++)
        if (strcmp(column->key, key) == 0) return column;
    return NULL;
}

const struct column *column_first(const struct column *table, const struct column_part *part)
{
    for (const struct column *column = table; column->key; column++)
        if (column->part == part) return column;
    return NULL;
}

const struct column *column_next(const struct column *column)
{
    return column_first(column + 1, column->part);
}

struct value column_value(const struct column *column, const struct matrix_case *matrix_case)
{
    if (!matrix_case || !case_has(matrix_case, SESSION_MATRIX)) return null_value();
    return column_get(column, &(struct subject){.matrix_case = matrix_case});
}

struct value format_value(const struct column *column, const struct conversion *conversion)
{
    return column_get(column, &(struct subject){.conversion = conversion});
}

struct value kernel_value(const struct column *column, const struct results *results,
                          const struct result *result)
{
    return column_get(column, &(struct subject){.results = results, .result = result});
}
