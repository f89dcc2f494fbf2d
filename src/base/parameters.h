/* Parameters as they are written everywhere: "height=8,sorted=1". A table says which there are; what is not
 * given has its default. Generators, formats and kernels are all asked for this way. */
#ifndef SPARSIGHT_BASE_PARAMETERS_H
#define SPARSIGHT_BASE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define PARAMETERS_MAX 16

/* One parameter: its name, its range and its default, all as they are written. */
struct parameter {
    const char *name;
    const char *help;
    double min, max, standard;
    bool integer;
    bool doubles;          /* goes by powers of two: steps double and halve it */
    bool text;             /* a file name, without a default; the numbers do not apply */
    const char *like;      /* the parameter before this one whose value is the default, or NULL */
    const char *automatic; /* how its owner chooses the default ("by rule"), or NULL: `standard` */
    const char *const
        *choices; /* words, the value being the index of one; ends with NULL. Or NULL: a number */
};

/* A value for every parameter of a table. Start with {0}; free with parameters_free. */
struct parameter_values {
    double number[PARAMETERS_MAX]; /* NaN for an automatic one that was not given, until its owner resolves
                                       it */
    bool given[PARAMETERS_MAX];    /* false: the default */
    char *text;                    /* the value of the text parameter, if there is one; owned */
};

/* Read "a=1,b=2" ("" for all defaults) after the table `parameters`, which ends with a NULL name; `owner` is
 * whose parameters they are, for messages. A text value reaches to the next ",NAME=" that is a parameter of
 * the same table, so that a file name may hold commas. STATUS_USAGE for an unknown name or a value out of
 * range, saying what there is. */
enum status parameters_read(const char *owner, const struct parameter *parameters, const char *text,
                            struct parameter_values *values, struct error *error);

void parameters_free(struct parameter_values *values);

/* True if two sets of values ask for the same, however they were written: numbers are equal, or both left to
 * the owner; text is not compared. */
bool parameters_same(const struct parameter *parameters, const struct parameter_values *a,
                     const struct parameter_values *b);

/* Number of parameters in a table. */
int parameters_count(const struct parameter *parameters);

/* How a parameter's default and range are written: "100", "as n", "by rule", "" for text; "1..2147483647",
 * "rows|transposed". Each writes into out (size bytes; 64 suffice) and returns it. */
char *parameter_default(const struct parameter *parameter, char *out, size_t size);
char *parameter_range(const struct parameter *parameter, char *out, size_t size);

/* How a value of it is written: "12", "0.95", "sentinel". */
char *parameter_value(const struct parameter *parameter, double value, char *out, size_t size);

/* Append a line for each parameter: its name, help, range and default. */
void parameters_describe(const struct parameter *parameters, struct text *text);

#endif
