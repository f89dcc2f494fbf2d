/* The table of columns: every number of a matrix that is shown, once: its key (a dotted JSON path), title,
 * unit, help and getter. The Summary screen, the reports and the manual's table all walk this list. */
#ifndef SPARSIGHT_COLUMNS_H
#define SPARSIGHT_COLUMNS_H

#include <stdint.h>

#include "session.h"

enum value_type {
    VALUE_NULL, /* undefined */
    VALUE_TEXT,
    VALUE_INTEGER,
    VALUE_REAL,
};

struct value {
    enum value_type type;
    union {
        const char *text; /* owned by the session */
        int64_t integer;
        double real;
    };
};

struct column {
    const char *key;   /* "structure.lower_bandwidth" */
    const char *title; /* "Lower bandwidth" */
    const char *unit;  /* "rows", "entries", "%"...; "" if it is a pure number. A ratio says of what. */
    const char *help;  /* one line: the definition */
    unsigned needs;    /* session parts the getter reads */
    struct value (*get)(const struct session *session);
};

/* In the order of the JSON report; the last one has a NULL key. */
extern const struct column columns[];

/* The column with this key, or NULL. */
const struct column *column_find(const char *key);

/* How a value is written for people: integers with thousands separators, reals with 6 significant digits,
 * null as "-". Writes into out and returns it. */
char *value_text(struct value value, char *out, size_t size);

#endif
