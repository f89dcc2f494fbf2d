/* Reads JSON objects whose shape is not trusted. */
#ifndef SPARSIGHT_REPORT_SAVED_READING_H
#define SPARSIGHT_REPORT_SAVED_READING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "columns/column.h"

/* An object being read. The first fault is stored in `status` and `error`, as STATUS_INPUT; values read
 * afterwards are undefined. Start with all members but the status. */
struct reading {
    const json_t *object; /* NULL: everything is missing */
    const char *path;     /* of the file */
    const char *where;    /* the name of the object within the file, for errors: "row 3 of kernels" */
    enum status status;
    struct error *error;
};

#define READING_WHERE 64

/* Set the error: the key's value is not `wanted`, for instance "a number". */
void reading_wrong(struct reading *reading, const char *key, const char *wanted);

/* The key's value; NULL if it is missing or null. In all keys a dot means a member of an object. */
const json_t *reading_get(struct reading *reading, const char *key);

/* The object of this key. If it is missing or null, all its members are missing. Leaving it passes its error
 * to the outer object. */
struct reading reading_inner(struct reading *outer, const char *key);
void reading_leave(struct reading *outer, const struct reading *inner);

/* Row k of a list of this name, which is an object. `where`, the caller's, gets the name of the row. */
struct reading reading_row(const json_t *list, size_t k, const char *name, char where[READING_WHERE],
                           const char *path, struct error *error);

/* An integer in this range, also if written with a point or an exponent. */
int64_t reading_integer(struct reading *reading, const char *key, int64_t min, int64_t max, int64_t missing);

/* A number, or NaN if it is missing. reading_amount refuses negative numbers. */
double reading_real(struct reading *reading, const char *key);
double reading_amount(struct reading *reading, const char *key);

/* A text, which belongs to the object, or `missing` if it is missing. */
const char *reading_text(struct reading *reading, const char *key, const char *missing);

/* Set an error of this status with the key's text as the reason. Returns the status, or STATUS_OK without a
 * reason. */
enum status reading_reason(struct reading *reading, const char *key, enum status status,
                           struct error *reason);

/* True or false; false if it is missing. */
bool reading_boolean(struct reading *reading, const char *key);

/* Read the columns of a table into the struct of this owner; missing values become unknown (column_put). No
 * integer may be larger than `most`. Returns the session parts of the columns that were present. */
unsigned reading_columns(struct reading *reading, const struct column *table, column_owner *owner,
                         void *place, int64_t most);

#endif
