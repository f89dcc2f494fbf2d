/* The formats of a matrix as JSON, and their arrays. */
#include <math.h>

#include "formats/array.h"
#include "report/json/json.h"
#include "report/json/write.h"

static json_t *real_json(double real)
{
    return isfinite(real) ? json_real(real) : json_null();
}

/* A complex value is a list of its two parts. */
static json_t *element_json(const struct array *array, int64_t e)
{
    bool complex = array->element == ELEMENT_C32 || array->element == ELEMENT_C64;
    if (array->role != ROLE_VALUES) return json_integer((json_int_t)array_integer(array, e));
    double imaginary, real = array_value(array, e, &imaginary);
    return complex ? json_pack("[o, o]", real_json(real), real_json(imaginary)) : real_json(real);
}

static json_t *array_json(const struct array *array)
{
    json_t *list = json_array();
    for (int64_t e = 0; list && e < array->length; e++) {
        if (json_array_append_new(list, element_json(array, e)) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static json_t *arrays_json(const struct storage *storage)
{
    json_t *object = json_object();
    for (int q = 0; object && q < storage->count; q++) {
        if (json_object_set_new(object, storage->array[q].name, array_json(&storage->array[q])) == 0)
            continue;
        json_decref(object);
        return NULL;
    }
    return object;
}

static json_t *format_json(const struct conversion *conversion)
{
    json_t *object = columns_json(format_columns, &(struct subject){.conversion = conversion});
    bool failed = !object;
    if (!failed && conversion->keep) {
        bool built = conversion_state(conversion) == CONVERSION_BUILT;
        json_t *arrays = built ? arrays_json(conversion->storage) : json_null();
        failed = json_object_set_new(object, "arrays", arrays) != 0;
    }
    if (!failed) return object;
    json_decref(object);
    return NULL;
}

json_t *formats_json(const struct matrix_case *matrix_case)
{
    const struct conversions *conversions = &matrix_case->conversions;
    json_t *list = json_array();
    for (int k = 0; list && k < atomic_load(&conversions->count); k++) {
        if (json_array_append_new(list, format_json(conversions->items[k])) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}
