/* Access to single elements of a storage's arrays of any type. */
#ifndef SPARSIGHT_FORMATS_ARRAY_H
#define SPARSIGHT_FORMATS_ARRAY_H

#include "formats/format.h"

/* Return the bytes of an element. */
size_t element_size(enum element element);

/* Return "int32", "float64", ... */
const char *element_name(enum element element);

/* Return element e of an array of integers. */
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

/* Write element e of an array of signed integers of 32 or 64 bits. */
static inline void array_set(struct array *array, int64_t e, int64_t value)
{
    if (array->element == ELEMENT_I32)
        ((int32_t *)array->data)[e] = (int32_t)value;
    else
        ((int64_t *)array->data)[e] = value;
}

/* Return true if value e is 0; a complex value is 0 if its real and its imaginary part are. */
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

/* Return storage_padding of slot e of part 0. The storage must have padding, and `values` must be those of
 * its part 0; loops check this once. */
static inline bool slot_padding(const struct storage *storage, const struct array *values, int64_t e)
{
    if (storage->entry) return !storage->entry[e];
    return array_zero(values, e) && !(storage->kept && storage->kept[e >> 6] >> (e & 63) & 1);
}

/* Return element e as a real number, and write its imaginary part into *imaginary, which is 0 if the array is
 * not complex. */
double array_value(const struct array *array, int64_t e, double *imaginary);

/* Write element e for people into out (size bytes; 64 suffice), and return out. Indices count from 0; values
 * have the fewest digits that read back to the same number in their own precision; complex values are written
 * as 1+2i. */
char *array_text(const struct array *array, int64_t e, char *out, size_t size);

#endif
