#include "formats/choice.h"

#include <stdio.h>

#include "formats/format.h"

const char *precision_name(enum precision precision)
{
    return precision == PRECISION_F32 ? "f32" : "f64";
}

const char *value_name(enum precision precision, bool complex)
{
    if (!complex) return precision_name(precision);
    return precision == PRECISION_F32 ? "c32" : "c64";
}

int value_width(enum precision precision, bool complex)
{
    return (precision == PRECISION_F32 ? 4 : 8) * (complex ? 2 : 1);
}

enum status format_choice_read(const struct format *format, const char *parameters, enum precision precision,
                               struct format_choice *choice, struct error *error)
{
    *choice = (struct format_choice){.format = format, .precision = precision};
    return parameters_read(format->name, format->parameters, parameters, &choice->values, error);
}

struct format_choice format_choice_default(const struct format *format, enum precision precision)
{
    struct format_choice choice;
    format_choice_read(format, "", precision, &choice, NULL);
    return choice;
}

/* Compare formats by address: any order suffices to distinguish them. */
static int compare_formats(const struct format *a, const struct format *b)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;
    return (left > right) - (left < right);
}

int format_choice_compare(const struct format_choice *a, const struct format_choice *b)
{
    int order = compare_formats(a->format, b->format);
    if (order == 0) order = (a->precision > b->precision) - (a->precision < b->precision);
    return order ? order : parameters_compare(a->format->parameters, &a->values, &b->values);
}

bool format_choice_same(const struct format_choice *a, const struct format_choice *b)
{
    return format_choice_compare(a, b) == 0;
}

bool format_choice_listed(const struct format_choice *choice)
{
    struct format_choice variant;
    for (int v = 0; choice->format->variants[v]; v++)
        if (format_choice_read(choice->format, choice->format->variants[v], choice->precision, &variant,
                               NULL) == STATUS_OK &&
            format_choice_same(choice, &variant))
            return true;
    return false;
}

char *format_choice_name(const struct format_choice *choice, char *out, size_t size)
{
    snprintf(out, size, "%s", choice->format->name);
    parameters_write(choice->format->parameters, &choice->values, ":", out, size);
    return out;
}

char *format_choice_parameters(const struct format_choice *choice, char *out, size_t size)
{
    out[0] = 0;
    parameters_write(choice->format->parameters, &choice->values, "", out, size);
    return out;
}
