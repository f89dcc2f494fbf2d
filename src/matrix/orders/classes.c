#include "matrix/orders/classes.h"

#include <stdlib.h>

#include "base/memory.h"

void classes_place(const int32_t *class_of, int64_t lines, int64_t *place, int32_t *from)
{
    for (int64_t i = 0; i < lines; i++)
        from[place[class_of[i]]++] = (int32_t)i;
}

enum status classes_order(const int32_t *class_of, int64_t lines, int64_t classes, int32_t *from,
                          struct error *error)
{
    int64_t *place = memory_zeroed((size_t)classes + 1, sizeof *place, error);
    if (!place) return STATUS_MEMORY;
    for (int64_t i = 0; i < lines; i++)
        place[class_of[i] + 1]++;
    for (int64_t c = 0; c < classes; c++)
        place[c + 1] += place[c];
    classes_place(class_of, lines, place, from);
    free(place);
    return STATUS_OK;
}
