/* Reads JSON objects whose shape is not trusted. */
#ifndef SPARSIGHT_REPORT_SAVED_READING_H
#define SPARSIGHT_REPORT_SAVED_READING_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "columns/column.h"

/* An object being read. The first thing that is wrong is kept in `status` and `error`, as STATUS_INPUT, and
 * what is read afterwards is of no account. Start with all but the status. */
struct reading {
    const json_t *object; /* NULL: everything is missing */
    const char *path;     /* of the file */
    const char *where;    /* the object within it, for errors: "row 3 of kernels" */
    enum status status;
    struct error *error;
};

#define READING_WHERE 64

/* Say that what the key has is not what is wanted: "a number". */
void reading_wrong(struct reading *reading, const char *key, const char *wanted);

/* The key's value; NULL if it is missing or null. In all keys a dot leads into an object. */
const json_t *reading_get(struct reading *reading, const char *key);

/* The object of this key, in which everything is missing if it is missing or null. The outer object takes
 * over from it what was wrong when it is left. */
struct reading reading_inner(struct reading *outer, const char *key);
void reading_leave(struct reading *outer, const struct reading *inner);

/* Row k of a list of this name, which is an object. `where` gets what the row is called, and stays the
 * caller's. */
struct reading reading_row(const json_t *list, size_t k, const char *name, char where[READING_WHERE],
                           const char *path, struct error *error);

/* A whole number in this range, also one that some program wrote with a point or an exponent. */
int64_t reading_integer(struct reading *reading, const char *key, int64_t min, int64_t max, int64_t missing);

/* A number, or NaN if it is missing. An amount must not be negative. */
double reading_real(struct reading *reading, const char *key);
double reading_amount(struct reading *reading, const char *key);

/* A text, which belongs to the object, or `missing` if it is missing. */
const char *reading_text(struct reading *reading, const char *key, const char *missing);

/* Let an error of this status tell the reason that the key has. Returns the status, or STATUS_OK if there is
 * no reason. */
enum status reading_reason(struct reading *reading, const char *key, enum status status,
                           struct error *reason);

/* True or false; false if it is missing. */
bool reading_boolean(struct reading *reading, const char *key);

/* Read the numbers and words of a table's columns that are stored in this owner's struct into one; what is
 * missing is made unknown (column_put). No whole number may be larger than `most`. Returns the session parts
 * of the columns that are there. */
unsigned reading_columns(struct reading *reading, const struct column *table, column_owner *owner,
                         void *place, int64_t most);

#endif
