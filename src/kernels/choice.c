#include "kernels/choice.h"

#include <stdio.h>
#include <string.h>

#include "base/guess.h"
#include "base/text.h"
#include "kernels/kernel.h"

/* Returns the parameter of a table whose name begins the text "name=value..."; NULL if there is none. */
static const struct parameter *find_parameter(const struct parameter *table, const char *text)
{
    size_t length = strcspn(text, ",=");
    for (const struct parameter *p = table; p->name; p++)
        if (strlen(p->name) == length && memcmp(p->name, text, length) == 0) return p;
    return NULL;
}

static void offer_names(const struct parameter *table, struct guess *guess)
{
    for (const struct parameter *p = table; p->name; p++)
        guess_offer(guess, p->name, p->name);
}

static void append_names(const struct parameter *table, struct text *text)
{
    for (const struct parameter *p = table; p->name; p++)
        text_append(text, "%s%s", p == table ? "" : ", ", p->name);
    if (!table->name) text_append(text, "none");
}

static enum status out_of_memory(struct error *error)
{
    return error_set(error, STATUS_MEMORY, "out of memory: no room for a kernel's parameters");
}

static enum status unknown_parameter(const struct kernel *kernel, const char *name, struct error *error)
{
    struct text own = {0}, format = {0};
    int length = (int)strcspn(name, ",=");
    struct guess guess;
    char meant[GUESS_TEXT];
    guess_start(&guess, name, (size_t)length);
    offer_names(kernel->parameters, &guess);
    offer_names(kernel->format->parameters, &guess);
    append_names(kernel->parameters, &own);
    append_names(kernel->format->parameters, &format);
    enum status status =
        own.failed || format.failed
            ? out_of_memory(error)
            : error_set(error, STATUS_USAGE,
                        "%s has no parameter '%.*s'%s%s has %s, and its format %s has %s", kernel->name,
                        length < 40 ? length : 40, name, guess_text(&guess, meant),
                        guess.count ? "? It" : "; it", own.data, kernel->format->name, format.data);
    text_free(&own);
    text_free(&format);
    return status;
}

enum status kernel_choice_parameter(const struct kernel *kernel, const char *text,
                                    const struct parameter **parameter, struct error *error)
{
    *parameter = find_parameter(kernel->parameters, text);
    if (!*parameter) *parameter = find_parameter(kernel->format->parameters, text);
    return *parameter ? STATUS_OK : unknown_parameter(kernel, text, error);
}

/* Split parameters such as "a=1,x=2" into the kernel's own and those of its format. */
static enum status split_parameters(const struct kernel *kernel, const char *parameters, struct text *own,
                                    struct text *format, struct error *error)
{
    for (const char *at = parameters; *at;) {
        size_t length = strcspn(at, ",");
        struct text *side = find_parameter(kernel->parameters, at)           ? own
                            : find_parameter(kernel->format->parameters, at) ? format
                                                                             : NULL;
        if (!side) return unknown_parameter(kernel, at, error);
        text_append(side, "%s%.*s", side->length ? "," : "", (int)length, at);
        at += length;
        if (*at && at[1]) at++; /* a final comma stays, and is refused as a parameter without a name */
    }
    return own->failed || format->failed ? out_of_memory(error) : STATUS_OK;
}

/* Set the format's parameters to the kernel's own defaults, unless they were given. */
static enum status add_defaults(const struct kernel *kernel, struct format_choice *choice,
                                struct error *error)
{
    const struct parameter *table = kernel->format->parameters;
    struct parameter_values defaults;
    if (!kernel->format_defaults) return STATUS_OK;
    enum status status =
        parameters_read(kernel->format->name, table, kernel->format_defaults, &defaults, error);
    for (int k = 0; status == STATUS_OK && table[k].name; k++)
        if (defaults.given[k] && !choice->values.given[k])
            parameters_set(table, &choice->values, k, defaults.number[k]);
    return status;
}

enum status kernel_choice_read(const struct kernel *kernel, const char *parameters,
                               struct kernel_choice *choice, struct error *error)
{
    struct text own = {0}, format = {0};
    *choice = (struct kernel_choice){.kernel = kernel};
    enum status status = split_parameters(kernel, parameters, &own, &format, error);
    if (status == STATUS_OK)
        status = parameters_read(kernel->name, kernel->parameters, own.data ? own.data : "", &choice->values,
                                 error);
    if (status == STATUS_OK)
        status = format_choice_read(kernel->format, format.data ? format.data : "", PRECISION_F64,
                                    &choice->format, error);
    if (status == STATUS_OK) status = add_defaults(kernel, &choice->format, error);
    text_free(&own);
    text_free(&format);
    return status;
}

struct kernel_choice kernel_choice_with(const struct kernel_choice *choice, enum precision precision,
                                        int threads)
{
    struct kernel_choice other = *choice;
    other.format.precision = precision;
    other.threads = threads;
    return other;
}

/* Kernels have no natural order; the order of their addresses is as good as any. */
static int compare_kernels(const struct kernel *a, const struct kernel *b)
{
    uintptr_t left = (uintptr_t)a, right = (uintptr_t)b;
    return (left > right) - (left < right);
}

int kernel_choice_compare(const struct kernel_choice *a, const struct kernel_choice *b)
{
    int order = compare_kernels(a->kernel, b->kernel);
    if (order == 0) order = format_choice_compare(&a->format, &b->format);
    if (order == 0) order = parameters_compare(a->kernel->parameters, &a->values, &b->values);
    return order ? order : (a->threads > b->threads) - (a->threads < b->threads);
}

bool kernel_choice_same(const struct kernel_choice *a, const struct kernel_choice *b)
{
    return kernel_choice_compare(a, b) == 0;
}

bool kernel_choice_alike(const struct kernel_choice *a, const struct kernel_choice *b)
{
    const struct kernel_choice other = kernel_choice_with(b, b->format.precision, a->threads);
    return kernel_choice_same(a, &other);
}

/* Append the parameters to the string in out. If there are any, `separator` comes before them. */
static void write_parameters(const struct kernel_choice *choice, const char *separator, char *out,
                             size_t size)
{
    bool some =
        parameters_write(choice->kernel->format->parameters, &choice->format.values, separator, out, size);
    parameters_write(choice->kernel->parameters, &choice->values, some ? "," : separator, out, size);
}

char *kernel_choice_name(const struct kernel_choice *choice, char *out, size_t size)
{
    snprintf(out, size, "%s/%s", choice->kernel->backend->name, choice->kernel->name);
    write_parameters(choice, ":", out, size);
    return out;
}

char *kernel_choice_short_name(const struct kernel_choice *choice, char *out, size_t size)
{
    snprintf(out, size, "%s", choice->kernel->name);
    write_parameters(choice, ":", out, size);
    return out;
}

char *kernel_choice_parameters(const struct kernel_choice *choice, char *out, size_t size)
{
    out[0] = 0;
    write_parameters(choice, "", out, size);
    return out;
}
