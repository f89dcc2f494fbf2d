/* The keys of a JSON report that are not columns: those of the document, the machine, timing, lists and
 * advice. The schema takes these keys from here, and all others from the tables of columns. */
#ifndef SPARSIGHT_REPORT_JSON_SCHEMA_KEYS_H
#define SPARSIGHT_REPORT_JSON_SCHEMA_KEYS_H

#include <stdbool.h>

/* The types of a value; several bits are alternatives. */
enum schema_type {
    SCHEMA_TEXT = 1,
    SCHEMA_INTEGER = 2,
    SCHEMA_REAL = 4,
    SCHEMA_BOOLEAN = 8,
    SCHEMA_OBJECT = 16, /* of the definition `of` */
    SCHEMA_LIST = 32,   /* of such objects, or of texts without an `of` */
    SCHEMA_NULL = 64
};

struct schema_key {
    const char *in;  /* the definition whose object has the key: "host" */
    const char *key; /* NULL is behind the last */
    unsigned types;
    const char *of;   /* a definition; NULL: none */
    const char *unit; /* NULL for a dimensionless number and for words */
    const char *help; /* one line */
};

/* The keys of one definition are consecutive. All of them are always written. */
extern const struct schema_key schema_keys[];

#endif
