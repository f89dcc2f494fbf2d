/* Reading objects of JSON whose shape is not to be trusted. */
#ifndef SPARSIGHT_REPORT_SAVED_READING_H
#define SPARSIGHT_REPORT_SAVED_READING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

/* An object being read. The first thing that is wrong is kept in `status` and `error`, as STATUS_INPUT, and
 * what is read afterwards is of no account. Start with all but the status. */
struct reading {
    const json_t *object; /* NULL: everything is missing */
    const char *path;     /* of the file */
    const char *where;    /* the object within it, for errors: "row 3 of kernels" */
    enum status status;
    struct error *error;
};

/* Say that what the key has is not what is wanted: "a number". */
void reading_wrong(struct reading *reading, const char *key, const char *wanted);

/* The key's value; NULL if it is missing or null. */
const json_t *reading_get(const struct reading *reading, const char *key);

/* A whole number in this range, also one that some program wrote with a point or an exponent. */
int64_t reading_integer(struct reading *reading, const char *key, int64_t min, int64_t max, int64_t missing);

/* A number, or NaN if it is missing. An amount must not be negative. */
double reading_real(struct reading *reading, const char *key);
double reading_amount(struct reading *reading, const char *key);

/* A text, which belongs to the object, or `missing` if it is missing. */
const char *reading_text(struct reading *reading, const char *key, const char *missing);

/* True or false; false if it is missing. */
bool reading_boolean(struct reading *reading, const char *key);

#endif
