/* A column: one number of a matrix, of a matrix in a format or of a kernel, defined once. Its key, title,
 * unit and help are defined only here; screens, reports and the manual read them from the tables of columns
 * (columns/columns.h). The files with the tables share this header. */
#ifndef SPARSIGHT_COLUMNS_COLUMN_H
#define SPARSIGHT_COLUMNS_COLUMN_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
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
        const char *text; /* owned by the session, like the parameters */
        int64_t integer;
        struct {
            double real;
            double low, high; /* the ends of a spread in microseconds; else 0 */
        };
        bool boolean;
        struct {
            const struct parameter *parameters; /* ends with a NULL name */
            const double *numbers;              /* one for each parameter; NaN: not chosen yet */
            const struct parameter *further;    /* another table, or NULL, with its numbers */
            const double *further_numbers;
        };
    };
};

static inline struct value null_value(void)
{
    return (struct value){.type = VALUE_NULL};
}

static inline struct value integer_value(int64_t integer)
{
    return (struct value){.type = VALUE_INTEGER, .integer = integer};
}

/* NaN and infinities become null. */
static inline struct value real_value(double real)
{
    if (!isfinite(real)) return null_value();
    return (struct value){.type = VALUE_REAL, .real = real};
}

/* NULL becomes null. */
static inline struct value text_value(const char *text)
{
    if (!text) return null_value();
    return (struct value){.type = VALUE_TEXT, .text = text};
}

static inline struct value boolean_value(bool boolean)
{
    return (struct value){.type = VALUE_BOOLEAN, .boolean = boolean};
}

/* The subject of a number: a matrix, or a row of one of its lists. Members that do not apply are NULL. */
struct subject {
    const struct matrix_case *matrix_case;
    const struct conversion *conversion;
    const struct results *results; /* the run of the result */
    const struct result *result;
    const struct distributed *division;
    const struct cost *cost;
    const struct spgemm *spgemm;         /* an item of matrix_case->spgemm */
    const struct precision_loss *loss;   /* an item of matrix_case->precisions.type */
    const struct solve_outlook *outlook; /* a solve */
    const struct solve_kernel *in_solve; /* a kernel in a solve (session/solve_advice.h) */
    const struct trisolve_run *trisolve; /* an item of matrix_case->trisolves.runs */
};

/* A group of columns on one subject, such as the structure of a matrix or the memory requests of a kernel.
 * Screens and reports show the columns of a part together under its title. */
struct column_part {
    const char *key;   /* the key of its object in JSON, which is also the first word of its columns' keys;
                          "": its columns have no separate object */
    const char *title; /* "Structure" */
    bool (*applies)(const struct subject *subject); /* NULL: always. If a part does not apply, its object is
                                                       null in JSON, and its columns are null */
};

/* The type of a column's numbers, and their use. */
enum column_role {
    COLUMN_PLAIN,
    COLUMN_TIME, /* microseconds, written as ns, us, ms or s */
    /* Shares are 0 to 1 for programs, and percents with the sign for people: in tables with one digit behind
     * the point below 10, since it is a measurement's, */
    COLUMN_PERCENT,
    COLUMN_SHARE,  /* or with three significant digits */
    COLUMN_REASON, /* words: why a row has no numbers */
};

/* Find the struct that a column's number is stored in; NULL if the subject has none, and the number is null.
 */
typedef const void *column_owner(const struct subject *subject);

/* The type of a number where it is stored. */
enum column_store {
    STORED_NOWHERE, /* it is derived */
    STORED_INT64,   /* below 0: not known */
    STORED_INT,     /* likewise */
    STORED_SIZE,
    STORED_DOUBLE, /* not finite: not known */
    STORED_BOOLEAN,
    STORED_TEXT, /* an array of characters; empty: not known */
    STORED_POINTER,
};

struct column {
    const char *key;   /* "structure.lower_bandwidth" */
    const char *title; /* "Lower bandwidth" */
    const char *
        unit; /* "rows", "entries", "%"...; NULL: a pure number. The unit of a ratio names its denominator. */
    const char *help;     /* one line: the definition */
    enum value_type type; /* the type of the number */
    enum column_role role;
    int digits;          /* significant digits of a real number in a table; 0: four */
    const char *heading; /* in tables for people: title and unit in one or two short words; NULL: it is in no
                            such table */
    bool leading;        /* a table of kernels shows it by default */
    bool largest_first;  /* tables sorted by it have the largest number first, which is the best or the most
                            interesting */
    bool of_memory; /* it measures the use of memory bandwidth, which is meaningless for data in the cache */
    const struct column_part *part;    /* the part of its list */
    const struct column_part *instead; /* reports show it in the table of this part; NULL: in that of
                                          `part` */
    unsigned needs;                    /* session parts from which the number comes; 0 means the matrix
                                          itself */
    column_owner *owner;               /* finds the struct that stores the number */
    size_t offset, size; /* bytes to the number in that struct, and of the number; with an index it is that
                            item of an array */
    enum column_store stored; /* its type there */
    double scale;             /* the displayed number / the stored number; 0: both are equal */
    bool negative;            /* it may be below 0 */
    /* The number is null if this returns false. NULL: it is always known. */
    bool (*known)(const struct subject *subject);
    struct value (*get)(const struct column *column, const struct subject *subject); /* for derived numbers */
    int index;       /* the index of the instance, or an index for a getter that several columns share */
    unsigned headed; /* in a list with instances, bit k: instance k has the heading; 0: all have it */
};

/* Where a column's number is stored: the member of the struct of this type that the owner finds. */
#define COLUMN_PLACE(found_by, type, member) \
    .owner = (found_by), .offset = offsetof(type, member), .size = sizeof(((type *)NULL)->member),           \
    .stored = _Generic(((type *)NULL)->member,                                                               \
        int64_t: STORED_INT64,                                                                               \
        int: STORED_INT,                                                                                     \
        size_t: STORED_SIZE,                                                                                 \
        double: STORED_DOUBLE,                                                                               \
        bool: STORED_BOOLEAN,                                                                                \
        char *: _Generic(&((type *)NULL)->member, char **: STORED_POINTER, default: STORED_TEXT))

/* A number that is shown with the type that it is stored with, */
#define COLUMN_STORED(found_by, of, member) \
    COLUMN_PLACE(found_by, of, member),                                                                      \
        .type = _Generic(((of *)NULL)->member,                                                               \
            int64_t: VALUE_INTEGER,                                                                          \
            int: VALUE_INTEGER,                                                                              \
            size_t: VALUE_INTEGER,                                                                           \
            double: VALUE_REAL,                                                                              \
            bool: VALUE_BOOLEAN,                                                                             \
            char *: VALUE_TEXT)

/* a whole number that is stored as a double, */
#define COLUMN_WHOLE(found_by, of, member) COLUMN_PLACE(found_by, of, member), .type = VALUE_INTEGER

/* and a time, which is stored in seconds. */
#define COLUMN_SECONDS(found_by, of, member) \
    COLUMN_STORED(found_by, of, member), .scale = 1e6, .unit = "us", .role = COLUMN_TIME

/* The column's number of this subject, stored or derived: null if it is undefined (also NaN and infinities),
 * or if the session parts that it needs are not computed yet. */
struct value column_get(const struct column *column, const struct subject *subject);

/* Store a value of the column in a struct as its owner finds it: the inverse of column_get. Null makes it
 * unknown, which for a whole number is 0. Texts are cut to fit, without control characters. Numbers that are
 * derived, or stored by a pointer, stay unchanged. */
void column_put(const struct column *column, void *owner, struct value value);

/* The unit, "" for a pure number. */
static inline const char *column_unit(const struct column *column)
{
    return column->unit ? column->unit : "";
}

/* True if each cell of the column has its unit beside the number, so that a heading needs none. */
static inline bool column_unit_in_cells(const struct column *column)
{
    return !column->unit || column->role == COLUMN_TIME || column->role == COLUMN_PERCENT;
}

/* An instance of a list of columns: rows and columns, the operands of a product, sizes of memory
 * transactions. In the columns' keys '@' stands for its key, in titles, headings and helps for its words. */
struct column_instance {
    const char *key, *words;
    const struct column_part *part; /* NULL: that of the list */
    unsigned needs;                 /* the columns have this, and the two below, from here */
    column_owner *owner;            /* NULL: that of the column */
    int index;
};

/* A list: columns that follow each other in a table. */
struct column_list {
    const struct column *columns; /* ends with a NULL key; NULL ends the lists */
    const struct column_part *part;
    unsigned needs;                          /* session parts that all of its columns have */
    const struct column_instance *instances; /* ends with a NULL key; NULL: the columns as they are */
    bool by_instance; /* all columns of the first instance, then all of the next; else the other way round */
};

/* The maximum number of columns of a table, and of those that are instances. Columns beyond it are left out,
 * so that arrays of COLUMNS_MAX fit any table; the tests of the keys would fail. */
#define COLUMNS_MAX 192
#define INSTANCES_MAX 48

/* A table: the columns of its lists one after another, and the words of those that are instances. */
struct column_table {
    struct column columns[COLUMNS_MAX + 1]; /* ends with a NULL key */
    int count;
    struct {
        char key[64], title[64], heading[16], help[224];
    } words[INSTANCES_MAX]; /* of the columns that are instances */
    int instances;
};

/* Put a table together. The table must be {0}, and is constant afterwards. Functions with the attribute
 * `constructor` call this before main begins, so that all other code sees constants. */
void column_table_build(struct column_table *table, const struct column_list *lists);

/* Define the array `name` of the columns of `lists`. */
#define COLUMN_TABLE(name, lists)                              \
    static struct column_table name##_table;                   \
    const struct column *const name = name##_table.columns;    \
    __attribute__((constructor)) static void name##_made(void) \
    {                                                          \
        column_table_build(&name##_table, lists);              \
    }

/* The number of a value, real or whole; NaN if it is not a number. */
double value_number(struct value value);

/* Append a value as a field of CSV: numbers with the fewest digits that read back as the same, null as
 * nothing. */
void value_csv(struct value value, struct text *text);

/* Write a value for people: integers with thousands separators, reals with 6 significant digits, parameters
 * as "k=12,rule=bytes", yes and no, null as "-". Writes into out (size bytes; 160 suffice but for texts) and
 * returns it. */
char *value_text(struct value value, char *out, size_t size);

/* Write a value of this column for people: as value_text does, but shares as percents. Returns out. */
char *value_shown(const struct column *column, struct value value, char *out, size_t size);

/* The same in a table: integers in full if that takes at most `wide` characters, else with three digits;
 * reals with the digits of the column; times with their unit; bytes in KiB, MiB, ...; a spread of 100% and
 * more by its ends. */
char *value_brief(const struct column *column, struct value value, int wide, char *out, size_t size);

#endif
