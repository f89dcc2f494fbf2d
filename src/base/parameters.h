/* Parameters of generators, formats and kernels, which are written in one way everywhere:
 * "height=8,sorted=1". A table lists the parameters; a parameter that is not given has its default. */
#ifndef SPARSIGHT_BASE_PARAMETERS_H
#define SPARSIGHT_BASE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define PARAMETERS_MAX 16

/* The values of a parameter, and how they are written. */
enum parameter_type {
    PARAMETER_INTEGER, /* a whole number: "12" */
    PARAMETER_POWER,   /* a whole number whose steps are powers of two: one step doubles or halves it */
    PARAMETER_REAL,    /* a real number: "0.95" */
    PARAMETER_WORD,    /* one of `words`: "sentinel" */
    PARAMETER_YES_NO,  /* "1" or "0"; "yes" and "no" are read too */
    PARAMETER_TEXT,    /* a file name, which has no default */
};

/* One parameter. Its value is a number: one of a range, the index of a word among `words`, or 0 or 1. A text
 * parameter has a string instead. */
struct parameter {
    const char *name;
    const char *help;
    double min, max, standard; /* the range of numbers, and the default of all but text, unless `like` or
                                  `automatic` gives it */
    enum parameter_type type;
    const char *like;         /* a parameter before this one whose value is the default; or NULL */
    const char *automatic;    /* a phrase for the owner's choice of the default ("by rule"); or NULL */
    const char *const *words; /* of PARAMETER_WORD, ended by NULL */
};

/* The seed of generators and orders that draw random numbers. */
#define SEED_OF(of)                                                                                    \
    {                                                                                                  \
        .name = "seed", .help = "seed of " of, .type = PARAMETER_INTEGER, .min = 1, .max = 2147483647, \
        .standard = 1                                                                                  \
    }

/* A value for every parameter of a table. Start with {0}; free with parameters_free. */
struct parameter_values {
    double number[PARAMETERS_MAX]; /* NaN if `automatic` gives the default, until the owner resolves it */
    bool given[PARAMETERS_MAX];    /* false if the value is the default */
    char *text;                    /* the value of the text parameter, if there is one; owned */
};

/* Read text such as "a=1,b=2", where "" leaves all defaults, by the table `parameters`, which ends with a
 * NULL name. `owner` names the owner of these parameters in messages. A text value reaches to the next
 * ",NAME=" that names a parameter of the table, so that a file name may hold commas. STATUS_USAGE for an
 * unknown name or a value out of range; the message lists the valid ones. */
enum status parameters_read(const char *owner, const struct parameter *parameters, const char *text,
                            struct parameter_values *values, struct error *error);

void parameters_free(struct parameter_values *values);

/* Compare two sets of values of a table by the first parameter in which they differ: negative, 0 or positive,
 * however they were written. NaN, which leaves the value to its owner, comes after every number; text is not
 * compared. */
int parameters_compare(const struct parameter *parameters, const struct parameter_values *a,
                       const struct parameter_values *b);

/* True if two sets of values request the same: parameters_compare is 0. */
bool parameters_same(const struct parameter *parameters, const struct parameter_values *a,
                     const struct parameter_values *b);

/* Return the number of values of a parameter of words, or of yes or no: the values are 0 .. count - 1, and
 * parameter_value writes each. 0 for numbers and text. */
int parameter_options(const struct parameter *parameter);

/* Return the value that is written as `text`; "no" and "yes" are 0 and 1 too. NaN if there is none. */
double parameter_option(const struct parameter *parameter, const char *text);

/* Give parameter k a number, as if it had been written. Parameters that were not given and whose default is
 * the value of another one follow it. */
void parameters_set(const struct parameter *parameters, struct parameter_values *values, int k,
                    double number);

/* Append parameters, as "a=1,b=2", to the string in out, which has `size` bytes; text beyond that is cut off.
 * These are the parameters that were given and those that their owner has chosen, in the order of the table,
 * without text parameters. `separator` comes before the first of them. Returns true if there was any. */
bool parameters_write(const struct parameter *parameters, const struct parameter_values *values,
                      const char *separator, char *out, size_t size);

/* The same for all parameters whose number is known, that is, not NaN. */
bool parameters_write_all(const struct parameter *parameters, const double *numbers, const char *separator,
                          char *out, size_t size);

/* Returns the number of parameters in a table. */
int parameters_count(const struct parameter *parameters);

/* A parameter's default in words ("100", "as n", "by rule", and "" for text), and its range ("1..2147483647",
 * "rows|transposed", "0|1"). Each is written into out, which has `size` bytes, of which 64 suffice, and
 * returned. */
char *parameter_default(const struct parameter *parameter, char *out, size_t size);
char *parameter_range(const struct parameter *parameter, char *out, size_t size);

/* A value of a parameter as it is written: "12", "0.95", "sentinel". Returns out. */
char *parameter_value(const struct parameter *parameter, double value, char *out, size_t size);

/* Append a line for each parameter of a table, with its name, help, range and default. */
void parameters_describe(const struct parameter *parameters, struct text *text);

#endif
