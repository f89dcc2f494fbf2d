/* A choice of a format: the format, its parameters, and the precision. The choice identifies and names
 * requests, stored matrices and all results for them. */
#ifndef SPARSIGHT_FORMATS_CHOICE_H
#define SPARSIGHT_FORMATS_CHOICE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/parameters.h"

struct format;

enum precision { PRECISION_F64, PRECISION_F32 };

/* Return "f64" or "f32". */
const char *precision_name(enum precision precision);

/* Return the name of the type that values have in a precision: "f64" or "f32", and for a complex matrix "c64"
 * or "c32", with real and imaginary parts of 64 or 32 bits each. */
const char *value_name(enum precision precision, bool complex);

/* Return the bytes of such a value: 8 or 4, and for a complex matrix 16 or 8. */
int value_width(enum precision precision, bool complex);

/* A choice owns nothing, so it may be copied; no format has a parameter that is text. */
struct format_choice {
    const struct format *format;
    struct parameter_values values; /* NaN if the format chooses the value */
    enum precision precision;
    bool by_pattern; /* only a pattern such as "all" requested it, so that a storage of great size is left out
                        (pool_leaves_out). Choices that differ only in this are the same */
};

/* Read the choice that is written as FORMAT:PARAMETERS; "" leaves all parameters at their defaults. Returns
 * STATUS_USAGE with the parameters of the format. */
enum status format_choice_read(const struct format *format, const char *parameters, enum precision precision,
                               struct format_choice *choice, struct error *error);

/* Return the choice with all parameters at their defaults. */
struct format_choice format_choice_default(const struct format *format, enum precision precision);

/* Compare two choices: the result is negative, 0 or positive. It is 0 if both request the same, however they
 * were written. A value that the format would choose differs from a requested one. */
int format_choice_compare(const struct format_choice *a, const struct format_choice *b);
bool format_choice_same(const struct format_choice *a, const struct format_choice *b);

/* Return true if reports list the choice by default, since it is one of the format's variants. */
bool format_choice_listed(const struct format_choice *choice);

/* Write the name of the choice, "hyb:k=12", or its parameters alone, "k=12", into out (size bytes;
 * CHOICE_NAME suffice), and return out. Neither includes the precision. */
#define CHOICE_NAME 256
char *format_choice_name(const struct format_choice *choice, char *out, size_t size);
char *format_choice_parameters(const struct format_choice *choice, char *out, size_t size);

#endif
