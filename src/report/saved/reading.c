#include "report/saved/reading.h"

#include <math.h>
#include <stdio.h>

void reading_wrong(struct reading *reading, const char *key, const char *wanted)
{
    if (reading->status != STATUS_OK) return;
    reading->status = error_at(reading->error, STATUS_INPUT, reading->path, 0, 0, "%s: %s is not %s",
                               reading->where, key, wanted);
}

const json_t *reading_get(const struct reading *reading, const char *key)
{
    const json_t *value = json_object_get(reading->object, key);
    return value && !json_is_null(value) ? value : NULL;
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

bool reading_boolean(struct reading *reading, const char *key)
{
    const json_t *value = reading_get(reading, key);
    if (value && !json_is_boolean(value)) reading_wrong(reading, key, "true or false");
    return json_is_true(value);
}
