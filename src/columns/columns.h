/* The tables of columns: every number that is shown, once: its key (a dotted JSON path), title, unit, help
 * and getter. There is one for the matrix and one for each list of the report. The screens, the reports and
 * the manual's tables all walk them. */
#ifndef SPARSIGHT_COLUMNS_COLUMNS_H
#define SPARSIGHT_COLUMNS_COLUMNS_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "session/session.h"

enum value_type {
    VALUE_NULL, /* undefined */
    VALUE_TEXT,
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_PARAMETERS, /* an object in JSON */
    VALUE_BOOLEAN,
};

struct value {
    enum value_type type;
    union {
        const char *text; /* owned by the session, as are parameters */
        int64_t integer;
        double real;
        bool boolean;
        struct {
            const struct parameter *parameters; /* ends with a NULL name */
            const double *numbers;              /* one for each; NaN: not chosen yet */
            const struct parameter *further;    /* another table, or NULL, with its numbers */
            const double *further_numbers;
        };
    };
};

static inline struct value integer_value(int64_t integer)
{
    return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* Null for NaN and infinities. */
static inline struct value real_value(double real)
{
    if (!isfinite(real)) return (struct value){.type = VALUE_NULL};
    return (struct value){.type = VALUE_REAL, .real = real};
}

/* Null for NULL. */
static inline struct value text_value(const char *text)
{
    if (!text) return (struct value){.type = VALUE_NULL};
    return (struct value){.type = VALUE_TEXT, .text = text};
}

static inline struct value boolean_value(bool boolean)
{
    return (struct value){.type = VALUE_BOOLEAN, .boolean = boolean};
}

/* What a number is of: a matrix, or a row of one of its lists. What does not apply is NULL. */
struct subject {
    const struct matrix_case *matrix_case;
    const struct conversion *conversion;
    const struct results *results; /* the run that the result is of */
    const struct result *result;
};

struct column {
    const char *key;      /* "structure.lower_bandwidth" */
    const char *title;    /* "Lower bandwidth" */
    const char *unit;     /* "rows", "entries", "%"...; "" if it is a pure number. A ratio says of what. */
    const char *help;     /* one line: the definition */
    enum value_type type; /* what it is where it is defined */
    const char *heading; /* in tables for people: title and unit in one or two short words; NULL: not there */
    unsigned needs;      /* session parts the getter reads; 0 means the matrix itself */
    struct value (*get)(const struct column *column, const struct subject *subject);
    size_t offset; /* of the number in what it is of, for getters that read it from there */
};

/* Of a matrix. In the order of the JSON report; the last one has a NULL key. */
extern const struct column columns[];

/* The same of a row of the report's list `formats`, which is a conversion (src/columns/formats.c). */
extern const struct column format_columns[];

/* And of its list `kernels`, which is a result (src/columns/kernels.c). */
extern const struct column kernel_columns[];

/* What a column of a kernel is about: columns of the same part are an object in JSON, null where the part
 * does not apply, and a table of their own in reports for people. */
enum kernel_part {
    PART_RUN,      /* what came out of running it */
    PART_ESTIMATE, /* what it would ask of a GPU: keys begin with "estimate." */
    PART_CMRS,     /* the CMRS paper's model: "cmrs." */
    KERNEL_PARTS
};
enum kernel_part kernel_part_of(const struct column *column);

/* "estimate", "cmrs"; "" for PART_RUN. */
const char *kernel_part_key(enum kernel_part part);

/* True if the part applies to a result: the run always, an estimate if there is one, the model to CMRS on a
 * GPU. */
bool kernel_part_applies(enum kernel_part part, const struct results *results, const struct result *result);

/* True for those that a table of kernels shows unless others are asked for: what has a heading, but of
 * estimates only the two that sum them up, and of the CMRS model none. */
bool column_leading(const struct column *column);

/* The column of a matrix with this key, or NULL. */
const struct column *column_find(const char *key);

/* The heading of the group that the column's key begins with: "Structure" for "structure.diagonals", "Matrix"
 * for keys without a dot. */
const char *column_group(const struct column *column);

/* The column's number of this case, which may be NULL: null where it is undefined (also NaN and infinities),
 * and where the parts it needs are not there yet. */
struct value column_value(const struct column *column, const struct matrix_case *matrix_case);

/* A format column's number of this conversion: null where it is undefined or not known yet. */
struct value format_value(const struct column *column, const struct conversion *conversion);

/* A kernel column's number of this result: null where it is undefined, or the kernel was not run. */
struct value kernel_value(const struct column *column, const struct results *results,
                          const struct result *result);

/* How a value is written for people: integers with thousands separators, reals with 6 significant digits,
 * parameters as "k=12,rule=bytes", yes and no, null as "-". Writes into out (size bytes; 160 suffice but for
 * texts) and returns it. */
char *value_text(struct value value, char *out, size_t size);

/* The same for a column among others: integers in full if that takes at most `wide` characters, else with
 * three digits, reals with four, times with their unit. */
char *value_brief(const struct column *column, struct value value, int wide, char *out, size_t size);

#endif
