/* Arrays of a stored matrix, element by element, whatever their element is. */
#ifndef SPARSIGHT_FORMATS_ARRAY_H
#define SPARSIGHT_FORMATS_ARRAY_H

#include "formats/format.h"

/* Bytes of an element. */
size_t element_size(enum element element);

/* "int32", "float64", ... */
const char *element_name(enum element element);

/* Element e as a number: an integer as such, the real part of a complex value. */
static inline int64_t array_integer(const struct array *array, int64_t e)
{
    switch (array->element) {
    case ELEMENT_U8:
        return ((const uint8_t *)array->data)[e];
    case ELEMENT_I32:
        return ((const int32_t *)array->data)[e];
    case ELEMENT_U32:
        return ((const uint32_t *)array->data)[e];
    default:
        return ((const int64_t *)array->data)[e];
    }
}

/* Write an offset or index; the array is of 32 or 64 bits. */
static inline void array_set(struct array *array, int64_t e, int64_t value)
{
    if (array->element == ELEMENT_I32)
        ((int32_t *)array->data)[e] = (int32_t)value;
    else
        ((int64_t *)array->data)[e] = value;
}

/* True if value e is 0, in both its parts. */
static inline bool array_zero(const struct array *values, int64_t e)
{
    switch (values->element) {
    case ELEMENT_F64:
        return ((const double *)values->data)[e] == 0;
    case ELEMENT_F32:
        return ((const float *)values->data)[e] == 0;
    case ELEMENT_C64:
        return ((const double *)values->data)[2 * e] == 0 && ((const double *)values->data)[2 * e + 1] == 0;
    default:
        return ((const float *)values->data)[2 * e] == 0 && ((const float *)values->data)[2 * e + 1] == 0;
    }
}

/* storage_padding of slot e of part 0 for a storage that has padding, whose values these are: for loops. */
static inline bool slot_padding(const struct storage *storage, const struct array *values, int64_t e)
{
    return array_zero(values, e) && !(storage->kept && storage->kept[e >> 6] >> (e & 63) & 1);
}

/* Value e, its imaginary part in *imaginary (0 if it is real). */
double array_value(const struct array *array, int64_t e, double *imaginary);

/* Element e as people read it: integers counted from 0, values with the fewest digits that read back to the
 * same number of their own precision, complex ones as 1+2i. Writes into out (size bytes; 64 suffice) and
 * returns it. */
char *array_text(const struct array *array, int64_t e, char *out, size_t size);

#endif
