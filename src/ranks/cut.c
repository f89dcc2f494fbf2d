#include "ranks/cut.h"

#include <stdlib.h>

#include "base/memory.h"

/* Maximum number of elements of the table. */
#define TABLE_MAX 65536

enum status cut_make(struct cut *cut, int parts, struct error *error)
{
    *cut = (struct cut){.parts = parts};
    cut->begin = memory_zeroed((size_t)parts + 1, sizeof *cut->begin, error);
    return cut->begin ? STATUS_OK : STATUS_MEMORY;
}

enum status cut_index(struct cut *cut, struct error *error)
{
    int64_t rows = cut->begin[cut->parts];
    while (rows >> cut->shift >= TABLE_MAX)
        cut->shift++;
    int64_t count = (rows >> cut->shift) + 1;
    cut->table = memory_array((size_t)count, sizeof *cut->table, error);
    if (!cut->table) return STATUS_MEMORY;
    int32_t owner = 0;
    for (int64_t k = 0; k < count; k++) {
        while (owner < cut->parts - 1 && k << cut->shift >= cut->begin[owner + 1])
            owner++;
        cut->table[k] = owner;
    }
    return STATUS_OK;
}

enum status cut_evenly(struct cut *cut, int parts, int64_t rows, struct error *error)
{
    enum status status = cut_make(cut, parts, error);
    if (status != STATUS_OK) return status;
    for (int p = 0; p <= parts; p++)
        cut->begin[p] = rows / parts * p + rows % parts * p / parts;
    return cut_index(cut, error);
}

void cut_free(struct cut *cut)
{
    free(cut->begin);
    free(cut->table);
    *cut = (struct cut){0};
}
