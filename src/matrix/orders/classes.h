/* Lines sorted by class: components, blocks, levels or colours. */
#ifndef SPARSIGHT_MATRIX_ORDERS_CLASSES_H
#define SPARSIGHT_MATRIX_ORDERS_CLASSES_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Sort the lines stably by class: line i is in class class_of[i], 0 .. classes - 1. Line from[k] becomes line
 * k. O(lines + classes). STATUS_MEMORY. */
enum status classes_order(const int32_t *class_of, int64_t lines, int64_t classes, int32_t *from,
                          struct error *error);

/* Return the most bytes that classes_order allocates and frees again for at most this number of classes. */
static inline size_t classes_bytes(int64_t classes)
{
    return ((size_t)classes + 1) * sizeof(int64_t);
}

/* Sort in the same way if the caller knows the first index of each class. Before the call, place[c] is the
 * first index of class c; afterwards, it is the index after the last line of class c. */
void classes_place(const int32_t *class_of, int64_t lines, int64_t *place, int32_t *from);

#endif
