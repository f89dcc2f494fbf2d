/* Lines sorted by class: components, blocks, levels or colours. */
#ifndef SPARSIGHT_MATRIX_ORDERS_CLASSES_H
#define SPARSIGHT_MATRIX_ORDERS_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Sort line i by class_of[i], 0 .. classes - 1, stably: from[k] is the line that becomes line k. O(lines +
 * classes). STATUS_MEMORY. */
enum status classes_order(const int32_t *class_of, int64_t lines, int64_t classes, int32_t *from,
                          struct error *error);

/* Return the bytes that it takes for a while for at most this number of classes. */
static inline size_t classes_bytes(int64_t classes)
{
    return ((size_t)classes + 1) * sizeof(int64_t);
}

/* Sort likewise where the caller knows the first index of each class: place[c], which moves on by the lines
 * of the class. */
void classes_place(const int32_t *class_of, int64_t lines, int64_t *place, int32_t *from);

#endif
