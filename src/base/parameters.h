/* Parameters of generators, formats and kernels, which are written in one way everywhere:
 * "height=8,sorted=1". A table says which parameters there are; one that is not given has its default. */
#ifndef SPARSIGHT_BASE_PARAMETERS_H
#define SPARSIGHT_BASE_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/text.h"

#define PARAMETERS_MAX 16

/* One parameter. Its value is a number: one of a range, or the index of a word among `choices`. A text
 * parameter has a string instead. */
struct parameter {
    const char *name;
    const char *help;
    double min, max, standard;  /* the range, and the default unless `like` or `automatic` gives it */
    bool integer;               /* only whole numbers */
    bool doubles;               /* powers of two are its steps: one step doubles or halves it */
    bool text;                  /* a file name, without a default; the numbers above do not apply */
    const char *like;           /* a parameter before this one whose value is the default; or NULL */
    const char *automatic;      /* in words, how the owner chooses the default ("by rule"); or NULL */
    const char *const *choices; /* the words, ended by NULL; or NULL if the value is written as a number */
};

/* A value for every parameter of a table. Start with {0}; free with parameters_free. */
struct parameter_values {
    double number[PARAMETERS_MAX]; /* NaN where `automatic` gives the default, until the owner resolves it */
    bool given[PARAMETERS_MAX];    /* false where the value is the default */
    char *text;                    /* the value of the text parameter, if there is one; owned */
};

/* Read text such as "a=1,b=2", where "" leaves all defaults, by the table `parameters`, which ends with a
 * NULL name. `owner` is the name for messages of what has these parameters. A text value reaches to the next
 * ",NAME=" that names a parameter of the table, so that a file name may hold commas. STATUS_USAGE for an
 * unknown name or a value out of range; the message says what there is. */
enum status parameters_read(const char *owner, const struct parameter *parameters, const char *text,
                            struct parameter_values *values, struct error *error);

void parameters_free(struct parameter_values *values);

/* True if two sets of values ask for the same, however they were written: each two numbers are equal, or both
 * NaN. Text is not compared. */
bool parameters_same(const struct parameter *parameters, const struct parameter_values *a,
                     const struct parameter_values *b);

/* Number of parameters in a table. */
int parameters_count(const struct parameter *parameters);

/* A parameter's default in words ("100", "as n", "by rule", and "" for text), and its range ("1..2147483647",
 * "rows|transposed"). Each is written into out, which has `size` bytes, of which 64 suffice, and returned. */
char *parameter_default(const struct parameter *parameter, char *out, size_t size);
char *parameter_range(const struct parameter *parameter, char *out, size_t size);

/* A value of a parameter as it is written: "12", "0.95", "sentinel". Returns out. */
char *parameter_value(const struct parameter *parameter, double value, char *out, size_t size);

/* Append a line for each parameter of a table, with its name, help, range and default. */
void parameters_describe(const struct parameter *parameters, struct text *text);

#endif
