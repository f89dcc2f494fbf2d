/* The table of columns: every number of a matrix that is shown, once: its key (a dotted JSON path), title,
 * unit, help and getter. The Summary screen, the reports and the manual's table all walk this list. */
#ifndef SPARSIGHT_COLUMNS_H
#define SPARSIGHT_COLUMNS_H

#include <stddef.h>
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
    const char *key;      /* "structure.lower_bandwidth" */
    const char *title;    /* "Lower bandwidth" */
    const char *unit;     /* "rows", "entries", "%"...; "" if it is a pure number. A ratio says of what. */
    const char *help;     /* one line: the definition */
    enum value_type type; /* what it is where it is defined */
    unsigned needs;       /* session parts the getter reads; 0 means the matrix itself */
    struct value (*get)(const struct column *column, const struct session *session);
    size_t offset; /* of the number in struct session, for getters that read it from there */
};

/* In the order of the JSON report; the last one has a NULL key. */
extern const struct column columns[];

/* The column with this key, or NULL. */
const struct column *column_find(const char *key);

/* The heading of the group that the column's key begins with: "Structure" for "structure.diagonals", "Matrix"
 * for keys without a dot. */
const char *column_group(const struct column *column);

/* The column's number of this session: null where it is undefined (also NaN and infinities), and where the
 * parts it needs are not there yet. */
struct value column_value(const struct column *column, const struct session *session);

/* How a value is written for people: integers with thousands separators, reals with 6 significant digits,
 * null as "-". Writes into out and returns it. */
char *value_text(struct value value, char *out, size_t size);

#endif
