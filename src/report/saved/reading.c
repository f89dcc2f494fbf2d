#include "report/saved/reading.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

void reading_wrong(struct reading *reading, const char *key, const char *wanted)
{
    if (reading->status != STATUS_OK) return;
    reading->status = error_at(reading->error, STATUS_INPUT, reading->path, 0, 0, "%s: %s is not %s",
                               reading->where, key, wanted);
}

/* The innermost object of a dotted key, and in *word the last word of the key; NULL if it is missing. */
static const json_t *object_of(struct reading *reading, const char *key, const char **word)
{
    const json_t *object = reading->object;
    const char *dot;
    for (*word = key; (dot = strchr(*word, '.')); *word = dot + 1) {
        const size_t length = (size_t)(dot - *word);
        char part[64];
        if (length >= sizeof part) return NULL;
        memcpy(part, *word, length);
        part[length] = 0;
        object = json_object_get(object, part);
        if (object && !json_is_object(object) && !json_is_null(object))
            reading_wrong(reading, part, "an object");
    }
    return object;
}

static const json_t *member_of(const json_t *object, const char *word)
{
    const json_t *value = json_object_get(object, word);
    return value && !json_is_null(value) ? value : NULL;
}

const json_t *reading_get(struct reading *reading, const char *key)
{
    const char *word;
    const json_t *object = object_of(reading, key, &word);
    return member_of(object, word);
}

struct reading reading_inner(struct reading *outer, const char *key)
{
    const json_t *object = reading_get(outer, key);
    if (object && !json_is_object(object)) reading_wrong(outer, key, "an object");
    return (struct reading){.object = json_is_object(object) ? object : NULL,
                            .path = outer->path,
                            .where = key,
                            .error = outer->error};
}

void reading_leave(struct reading *outer, const struct reading *inner)
{
    if (outer->status == STATUS_OK) outer->status = inner->status;
}

struct reading reading_row(const json_t *list, size_t k, const char *name, char where[READING_WHERE],
                           const char *path, struct error *error)
{
    snprintf(where, READING_WHERE, "row %zu of %s", k + 1, name);
    struct reading row = {.object = json_array_get(list, k), .path = path, .where = where, .error = error};
    if (!json_is_object(row.object)) reading_wrong(&row, "it", "an object");
    return row;
}

int64_t reading_integer(struct reading *reading, const char *key, int64_t min, int64_t max, int64_t missing)
{
    const json_t *value = reading_get(reading, key);
    char wanted[80];
    if (!value) return missing;
    int64_t number = json_integer_value(value);
    bool whole = json_is_integer(value);
    if (json_is_real(value)) {
        double real = json_real_value(value);
        whole = fabs(real) < 0x1p63 && real == floor(real);
        if (whole) number = (int64_t)real;
    }
    if (whole && number >= min && number <= max) return number;
    snprintf(wanted, sizeof wanted, "a whole number from %lld to %lld", (long long)min, (long long)max);
    reading_wrong(reading, key, wanted);
    return missing;
}

double reading_real(struct reading *reading, const char *key)
{
    const json_t *value = reading_get(reading, key);
    if (!value) return NAN;
    if (!json_is_number(value)) reading_wrong(reading, key, "a number");
    return json_number_value(value);
}

double reading_amount(struct reading *reading, const char *key)
{
    double value = reading_real(reading, key);
    if (value < 0) reading_wrong(reading, key, "0 or more");
    return value;
}

const char *reading_text(struct reading *reading, const char *key, const char *missing)
{
    const json_t *value = reading_get(reading, key);
    if (!value) return missing;
    if (!json_is_string(value)) reading_wrong(reading, key, "text");
    return json_is_string(value) ? json_string_value(value) : missing;
}

enum status reading_reason(struct reading *reading, const char *key, enum status status, struct error *reason)
{
    const char *words = reading_text(reading, key, NULL);
    if (!words) return STATUS_OK;
    error_set(reason, status, "%s", words);
    text_visible(reason->message);
    return status;
}

bool reading_boolean(struct reading *reading, const char *key)
{
    const json_t *value = reading_get(reading, key);
    if (value && !json_is_boolean(value)) reading_wrong(reading, key, "true or false");
    return json_is_true(value);
}

static struct value value_of(struct reading *reading, const char *key, const struct column *column,
                             int64_t most)
{
    switch (column->type) {
    case VALUE_INTEGER:
        if (column->stored == STORED_INT && most > INT_MAX) most = INT_MAX;
        return integer_value(reading_integer(reading, key, 0, most, 0));
    case VALUE_REAL:
        return real_value(column->negative ? reading_real(reading, key) : reading_amount(reading, key));
    case VALUE_TEXT:
        return text_value(reading_text(reading, key, NULL));
    case VALUE_BOOLEAN:
        return boolean_value(reading_boolean(reading, key));
    case VALUE_PARAMETERS:
    case VALUE_NULL:
        break;
    }
    return null_value();
}

/* Columns of an object are consecutive, so that one search finds it for all. */
unsigned reading_columns(struct reading *reading, const struct column *table, column_owner *owner,
                         void *place, int64_t most)
{
    struct reading within = {.object = NULL};
    const char *before = NULL;
    size_t length = 0;
    unsigned known = 0;
    for (const struct column *column = table; column->key; column++) {
        if (column->owner != owner || column->stored == STORED_NOWHERE) continue;
        const char *dot = strrchr(column->key, '.'), *word = dot ? dot + 1 : column->key;
        if (!before || length != (size_t)(word - column->key) || memcmp(before, column->key, length) != 0) {
            length = (size_t)(word - column->key);
            within.object = object_of(reading, column->key, &word);
        }
        before = column->key;
        struct value value = null_value();
        if (member_of(within.object, word)) {
            known |= column->needs;
            value = value_of(&within, word, column, most);
            if (within.status != STATUS_OK) value = value_of(reading, column->key, column, most);
            within.status = STATUS_OK;
        }
        column_put(column, place, value);
    }
    return known;
}
