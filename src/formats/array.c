#include "formats/array.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"

static const struct {
    const char *name;
    size_t size;
} elements[] = {
    [ELEMENT_U8] = {"uint8", 1},      [ELEMENT_I32] = {"int32", 4},       [ELEMENT_U32] = {"uint32", 4},
    [ELEMENT_I64] = {"int64", 8},     [ELEMENT_F32] = {"float32", 4},     [ELEMENT_F64] = {"float64", 8},
    [ELEMENT_C32] = {"complex64", 8}, [ELEMENT_C64] = {"complex128", 16},
};

size_t element_size(enum element element)
{
    return elements[element].size;
}

const char *element_name(enum element element)
{
    return elements[element].name;
}

double array_value(const struct array *array, int64_t e, double *imaginary)
{
    *imaginary = 0;
    switch (array->element) {
    case ELEMENT_F64:
        return ((const double *)array->data)[e];
    case ELEMENT_F32:
        return ((const float *)array->data)[e];
    case ELEMENT_C64:
        *imaginary = ((const double *)array->data)[2 * e + 1];
        return ((const double *)array->data)[2 * e];
    case ELEMENT_C32:
        *imaginary = ((const float *)array->data)[2 * e + 1];
        return ((const float *)array->data)[2 * e];
    default:
        return (double)array_integer(array, e);
    }
}

/* Write a value with the fewest digits that read back to the same float. Any decimal of 6 digits survives the
 * way to a normal float and back, and %g drops zeros at the end; subnormal numbers have fewer bits. */
static void write_single(char *out, size_t size, double value)
{
    for (int digits = fabs(value) < FLT_MIN ? 1 : 6; digits <= 9; digits++) {
        snprintf(out, size, "%.*g", digits, value);
        if (strtof(out, NULL) == (float)value) return;
    }
}

static void write_value(char *out, size_t size, double value, bool single)
{
    if (single && isfinite(value))
        write_single(out, size, value);
    else
        format_exact(out, size, value);
}

char *array_text(const struct array *array, int64_t e, char *out, size_t size)
{
    bool single = array->element == ELEMENT_F32 || array->element == ELEMENT_C32;
    bool complex = array->element == ELEMENT_C32 || array->element == ELEMENT_C64;
    if (array->role != ROLE_VALUES) {
        snprintf(out, size, "%lld", (long long)array_integer(array, e));
        return out;
    }
    double imaginary, real = array_value(array, e, &imaginary);
    if (!complex) {
        write_value(out, size, real, single);
        return out;
    }
    char first[32], second[32];
    write_value(first, sizeof first, real, single);
    write_value(second, sizeof second, imaginary, single);
    snprintf(out, size, "%s%s%si", first, signbit(imaginary) ? "" : "+", second);
    return out;
}
