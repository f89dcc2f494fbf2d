/* Finding the kernel of a row of a saved report. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "report/saved/rows.h"

static const struct kernel *find_kernel(const char *full_name)
{
    for (int k = 0; kernels[k]; k++) {
        const char *backend = kernels[k]->backend->name;
        size_t length = strlen(backend);
        if (strncmp(full_name, backend, length) == 0 && full_name[length] == '/' &&
            strcmp(full_name + length + 1, kernels[k]->name) == 0)
            return kernels[k];
    }
    return NULL;
}

/* The stored number of a parameter's value; NaN if the parameter refuses the value. */
static double number_of(const struct parameter *parameter, const json_t *value)
{
    char digits[32];
    if (parameter_options(parameter) == 0) {
        double number = json_is_number(value) ? json_number_value(value) : NAN;
        return number >= parameter->min && number <= parameter->max ? number : NAN;
    }
    snprintf(digits, sizeof digits, "%lld", (long long)json_integer_value(value));
    const char *word = json_is_integer(value) ? digits : json_string_value(value);
    return word ? parameter_option(parameter, word) : NAN;
}

bool saved_put(const struct parameter *table, const char *name, const json_t *value,
               struct parameter_values *values)
{
    for (int k = 0; table[k].name; k++) {
        if (strcmp(table[k].name, name) != 0) continue;
        double number = number_of(&table[k], value);
        if (isnan(number)) return false;
        values->number[k] = number;
        values->given[k] = true;
        return true;
    }
    return false;
}

static void clear(struct parameter_values *values)
{
    memset(values, 0, sizeof *values);
    for (int k = 0; k < PARAMETERS_MAX; k++)
        values->number[k] = NAN;
}

bool saved_put_all(const json_t *params, const struct parameter *table, struct parameter_values *values,
                   const struct parameter *further, struct parameter_values *further_values)
{
    const char *name;
    json_t *value;
    clear(values);
    if (further) clear(further_values);
    json_object_foreach((json_t *)params, name, value)
    {
        if (json_is_null(value) || saved_put(table, name, value, values) ||
            (further && saved_put(further, name, value, further_values)))
            continue;
        return false;
    }
    return true;
}

/* Room for each row's parameters. */
struct parameters {
    struct parameter_values own, format;
};

/* The object `params` of a row; NULL if it is missing. */
static const json_t *get_params(struct reading *row)
{
    const json_t *params = reading_get(row, "params");
    if (params && !json_is_object(params)) reading_wrong(row, "params", "an object");
    return params;
}

/* The row's kernel in this build, or NULL if its name, its format or its parameters are unknown. */
static const struct kernel *known_kernel(struct reading *row, struct parameters *parameters)
{
    const struct kernel *kernel = find_kernel(reading_text(row, "kernel", ""));
    if (!kernel || strcmp(kernel->format->name, reading_text(row, "format", "")) != 0 ||
        strcmp(kernel->backend->name, reading_text(row, "backend", "")) != 0)
        return NULL;
    bool taken = saved_put_all(get_params(row), kernel->format->parameters, &parameters->format,
                               kernel->parameters, &parameters->own);
    return taken ? kernel : NULL;
}

/* True for a name that is short enough and has no control characters for a terminal. */
static bool is_name(const char *text)
{
    char copy[sizeof((struct result *)0)->full_name];
    if (!text[0] || strlen(text) >= sizeof copy) return false;
    return strcmp(text_visible(strcpy(copy, text)), text) == 0;
}

/* Add the parameters of a row that do not belong to its format to a foreign kernel. */
static void declare(struct reading *row, struct foreign *foreign)
{
    const char *name;
    json_t *value;
    struct parameter_values scratch;
    clear(&scratch);
    json_object_foreach((json_t *)get_params(row), name, value)
    {
        if (json_is_null(value) || row->status != STATUS_OK ||
            saved_put(foreign->kernel.format->parameters, name, value, &scratch))
            continue;
        const char *word = json_string_value(value);
        if (!is_name(name) || (!json_is_number(value) && !(word && is_name(word)))) {
            reading_wrong(row, "a parameter", "a number or a word");
            return;
        }
        bool integer = json_is_integer(value) && fabs(json_number_value(value)) < 0x1p53;
        enum parameter_type type = word ? PARAMETER_WORD : integer ? PARAMETER_INTEGER : PARAMETER_REAL;
        row->status = foreign_declare(foreign, name, type, row->error);
    }
}

/* Read the names of a row's kernel, backend and format; false if one is invalid. */
static bool names_fit(struct reading *row, const char **names)
{
    static const char *const keys[] = {"kernel", "backend", "format"};
    for (int k = 0; k < 3; k++) {
        names[k] = reading_text(row, keys[k], "");
        if (!is_name(names[k])) reading_wrong(row, keys[k], "a name of 1 to 63 characters");
    }
    return row->status == STATUS_OK;
}

void saved_note_kernel(struct reading *row, struct results *results)
{
    struct parameters parameters;
    const char *names[3];
    if (!names_fit(row, names)) return;
    if (known_kernel(row, &parameters) || row->status != STATUS_OK) return;
    struct foreign *foreign = foreign_find(results->foreign, names[0]);
    if (!foreign) foreign = foreign_add(&results->foreign, names[0], names[1], names[2], row->error);
    if (!foreign) row->status = STATUS_MEMORY;
}

void saved_note_parameters(struct reading *row, struct results *results)
{
    struct foreign *foreign = foreign_find(results->foreign, reading_text(row, "kernel", ""));
    if (foreign) declare(row, foreign);
}

/* Set a foreign kernel's parameter. A number is stored as it is, a word as its index among the words so
 * far. */
static void put_foreign(struct reading *row, struct foreign *foreign, const char *name, const json_t *value,
                        struct parameter_values *values)
{
    char digits[40];
    int k = 0;
    while (foreign->parameters[k].name && strcmp(foreign->parameters[k].name, name) != 0)
        k++;
    if (!foreign->parameters[k].name) return;
    if (!foreign->words[k]) {
        values->number[k] = json_number_value(value);
        values->given[k] = true;
        return;
    }
    const char *word = json_string_value(value);
    if (!word) word = format_exact(digits, sizeof digits, json_number_value(value));
    int index = foreign_word(foreign, k, word, row->error);
    if (index < 0) {
        row->status = STATUS_MEMORY;
        return;
    }
    values->number[k] = index;
    values->given[k] = true;
}

static const struct kernel *foreign_kernel(struct reading *row, struct foreign *foreign,
                                           struct parameters *parameters)
{
    const char *name;
    json_t *value;
    clear(&parameters->own);
    clear(&parameters->format);
    json_object_foreach((json_t *)get_params(row), name, value)
    {
        if (json_is_null(value) || row->status != STATUS_OK) continue;
        if (!saved_put(foreign->kernel.format->parameters, name, value, &parameters->format))
            put_foreign(row, foreign, name, value, &parameters->own);
    }
    return &foreign->kernel;
}

/* A request that resolves to these values. A value equal to the default counts as not given, unless the
 * default is chosen automatically. */
static struct parameter_values asked_for(const struct parameter *table, const struct parameter_values *values)
{
    struct parameter_values asked;
    parameters_read("", table, "", &asked, NULL);
    for (int k = 0; table[k].name; k++)
        if (values->given[k] && values->number[k] != asked.number[k])
            parameters_set(table, &asked, k, values->number[k]);
    return asked;
}

static void set_names(struct reading *row, struct result *result)
{
    result_name(result);
    snprintf(result->full_name, sizeof result->full_name, "%s", reading_text(row, "kernel", ""));
    const char *label = reading_text(row, "label", result->name);
    if (label != result->name) snprintf(result->name, sizeof result->name, "%s", label);
    text_visible(result->name);
}

void saved_set_kernel(struct reading *row, struct results *results, struct result *result)
{
    struct parameters parameters;
    struct foreign *foreign = foreign_find(results->foreign, reading_text(row, "kernel", ""));
    struct kernel_choice *choice = &result->choice, *resolved = &result->resolved;
    choice->kernel = foreign ? foreign_kernel(row, foreign, &parameters) : known_kernel(row, &parameters);
    choice->format.format = choice->kernel->format;
    choice->values = asked_for(choice->kernel->parameters, &parameters.own);
    choice->format.values = asked_for(choice->format.format->parameters, &parameters.format);
    *resolved = *choice;
    memcpy(resolved->values.number, parameters.own.number, sizeof resolved->values.number);
    memcpy(resolved->format.values.number, parameters.format.number, sizeof resolved->format.values.number);
    set_names(row, result);
}
