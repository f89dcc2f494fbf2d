#include "base/parameters.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/guess.h"
#include "base/memory.h"

/* Maximum length of a number or a word of a choice; a message quotes at most this much of a longer value. */
#define VALUE_MAX 40

int parameters_count(const struct parameter *parameters)
{
    int count = 0;
    while (parameters[count].name)
        count++;
    return count;
}

/* Write a number as people do: 0.57, 1000, 2147483647. */
static void write_number(char *out, size_t size, double number)
{
    if (number == floor(number) && fabs(number) < 1e16)
        snprintf(out, size, "%.0f", number);
    else
        format_exact(out, size, number);
}

/* Append a name to a list such as "a, b, c", cut off at the end of text. */
static void append_name(char *text, size_t size, const char *separator, const char *name)
{
    size_t length = strlen(text);
    snprintf(text + length, size - length, "%s%s", length ? separator : "", name);
}

char *parameter_value(const struct parameter *parameter, double value, char *out, size_t size)
{
    if (isnan(value))
        snprintf(out, size, "%s", parameter->automatic ? parameter->automatic : "");
    else if (parameter->type == PARAMETER_WORD)
        snprintf(out, size, "%s", parameter->words[(int)value]);
    else
        write_number(out, size, value);
    return out;
}

int parameter_options(const struct parameter *parameter)
{
    int count = 0;
    if (parameter->type == PARAMETER_YES_NO) return 2;
    while (parameter->type == PARAMETER_WORD && parameter->words[count])
        count++;
    return count;
}

char *parameter_default(const struct parameter *parameter, char *out, size_t size)
{
    if (parameter->type == PARAMETER_TEXT)
        snprintf(out, size, "%s", "");
    else if (parameter->automatic)
        snprintf(out, size, "%s", parameter->automatic);
    else if (parameter->like)
        snprintf(out, size, "as %s", parameter->like);
    else
        parameter_value(parameter, parameter->standard, out, size);
    return out;
}

char *parameter_range(const struct parameter *parameter, char *out, size_t size)
{
    char min[24], max[24], option[VALUE_MAX];
    int options = parameter_options(parameter);
    out[0] = 0;
    for (int k = 0; k < options; k++)
        append_name(out, size, "|", parameter_value(parameter, k, option, sizeof option));
    if (options > 0) return out;
    write_number(min, sizeof min, parameter->min);
    write_number(max, sizeof max, parameter->max);
    if (parameter->type == PARAMETER_TEXT)
        snprintf(out, size, "text");
    else
        snprintf(out, size, "%s..%s", min, max);
    return out;
}

void parameters_describe(const struct parameter *parameters, struct text *text)
{
    int wide = 7;
    for (const struct parameter *p = parameters; p->name; p++)
        if ((int)strlen(p->name) > wide) wide = (int)strlen(p->name);
    for (const struct parameter *p = parameters; p->name; p++) {
        char range[64], standard[96];
        parameter_range(p, range, sizeof range);
        parameter_default(p, standard, sizeof standard);
        text_append(text, "    %-*s %s (%s%s%s)\n", wide, p->name, p->help, range,
                    standard[0] ? ", default " : "", standard);
    }
}

/* The state of reading a text, shared by the functions below. */
struct reading {
    const char *owner;
    const struct parameter *parameters;
    struct parameter_values *values;
    struct error *error;
};

static enum status unknown(const struct reading *reading, const char *name, size_t length)
{
    char names[1024] = "", meant[GUESS_TEXT];
    struct guess guess;
    guess_start(&guess, name, length);
    for (const struct parameter *p = reading->parameters; p->name; p++) {
        append_name(names, sizeof names, ", ", p->name);
        guess_offer(&guess, p->name, p->name);
    }
    return error_set(reading->error, STATUS_USAGE, "%s has no parameter '%.*s'%s%s has %s", reading->owner,
                     length < VALUE_MAX ? (int)length : VALUE_MAX, name, guess_text(&guess, meant),
                     guess.count ? "? It" : "; it", names[0] ? names : "none");
}

/* The number of the parameter whose name is text[0..length-1], or -1. */
static int find(const struct reading *reading, const char *text, size_t length)
{
    const struct parameter *p = reading->parameters;
    for (int k = 0; p[k].name; k++)
        if (strlen(p[k].name) == length && memcmp(p[k].name, text, length) == 0) return k;
    return -1;
}

/* The end of the value of parameter k: the next comma, or for text the next comma before another parameter's
 * name. */
static const char *value_end(const struct reading *reading, int k, const char *value)
{
    const char *end = value + strcspn(value, ",");
    while (reading->parameters[k].type == PARAMETER_TEXT && *end) {
        size_t name = strcspn(end + 1, ",=");
        if (end[1 + name] == '=' && find(reading, end + 1, name) >= 0) break;
        end += 1 + strcspn(end + 1, ",");
    }
    return end;
}

double parameter_option(const struct parameter *parameter, const char *text)
{
    static const char *const no_yes[] = {"no", "yes"};
    char option[VALUE_MAX + 1];
    for (int c = 0; c < parameter_options(parameter); c++)
        if (strcmp(parameter_value(parameter, c, option, sizeof option), text) == 0 ||
            (parameter->type == PARAMETER_YES_NO && strcmp(no_yes[c], text) == 0))
            return c;
    return NAN;
}

static enum status read_option(const struct reading *reading, int k, const char *value)
{
    const struct parameter *p = &reading->parameters[k];
    char range[64];
    double option = parameter_option(p, value);
    if (!isnan(option)) {
        reading->values->number[k] = option;
        return STATUS_OK;
    }
    struct guess guess;
    char option_name[VALUE_MAX + 1], meant[GUESS_TEXT];
    guess_start(&guess, value, strlen(value));
    for (int c = 0; c < parameter_options(p) && p->type == PARAMETER_WORD; c++)
        guess_offer(&guess, p->words[c], parameter_value(p, c, option_name, sizeof option_name));
    return error_set(reading->error, STATUS_USAGE, "%s=%s is none of %s%s%s", p->name, value,
                     parameter_range(p, range, sizeof range), guess_text(&guess, meant),
                     guess.count ? "?" : "");
}

static enum status read_number(const struct reading *reading, int k, const char *value)
{
    const struct parameter *p = &reading->parameters[k];
    char range[64], *end;
    double number = strtod(value, &end);
    if (!value[0] || *end || !isfinite(number))
        return error_set(reading->error, STATUS_USAGE, "%s=%s is not a number", p->name, value);
    if (p->type != PARAMETER_REAL && number != floor(number))
        return error_set(reading->error, STATUS_USAGE, "%s=%s is not a whole number", p->name, value);
    if (number < p->min || number > p->max)
        return error_set(reading->error, STATUS_USAGE, "%s=%s lies outside %s", p->name, value,
                         parameter_range(p, range, sizeof range));
    reading->values->number[k] = number;
    return STATUS_OK;
}

static enum status read_text(const struct reading *reading, int k, const char *value, size_t length)
{
    if (length == 0)
        return error_set(reading->error, STATUS_USAGE, "%s= names nothing", reading->parameters[k].name);
    reading->values->text = memory_array(length + 1, 1, reading->error);
    if (!reading->values->text) return STATUS_MEMORY;
    memcpy(reading->values->text, value, length);
    reading->values->text[length] = 0;
    return STATUS_OK;
}

/* Read "name=value" at `at`; *next becomes the comma after it, or the end of the text. */
static enum status read_one(const struct reading *reading, const char *at, const char **next)
{
    size_t name = strcspn(at, ",=");
    int k = find(reading, at, name);
    if (k < 0) return unknown(reading, at, name);
    const struct parameter *p = &reading->parameters[k];
    if (at[name] != '=')
        return error_set(reading->error, STATUS_USAGE, "%s needs a value: %s=...", p->name, p->name);
    if (reading->values->given[k])
        return error_set(reading->error, STATUS_USAGE, "%s is given twice", p->name);
    reading->values->given[k] = true;
    const char *value = at + name + 1;
    *next = value_end(reading, k, value);
    size_t length = (size_t)(*next - value);
    if (p->type == PARAMETER_TEXT) return read_text(reading, k, value, length);
    char word[VALUE_MAX + 1];
    snprintf(word, sizeof word, "%.*s", length < VALUE_MAX ? (int)length : VALUE_MAX, value);
    if (parameter_options(p) > 0) return read_option(reading, k, word);
    if (length >= VALUE_MAX)
        return error_set(reading->error, STATUS_USAGE, "%s=%s is not a number", p->name, word);
    return read_number(reading, k, word);
}

static void fill_in_defaults(const struct reading *reading)
{
    const struct parameter *p = reading->parameters;
    for (int k = 0; p[k].name; k++) {
        if (reading->values->given[k]) continue;
        double *number = &reading->values->number[k];
        if (p[k].like)
            *number = reading->values->number[find(reading, p[k].like, strlen(p[k].like))];
        else
            *number = p[k].automatic ? NAN : p[k].standard;
    }
}

enum status parameters_read(const char *owner, const struct parameter *parameters, const char *text,
                            struct parameter_values *values, struct error *error)
{
    const struct reading reading = {owner, parameters, values, error};
    *values = (struct parameter_values){0};
    if (parameters_count(parameters) > PARAMETERS_MAX)
        return error_set(error, STATUS_USAGE, "%s has more than %d parameters", owner, PARAMETERS_MAX);
    for (const char *at = text; *at;) {
        enum status status = read_one(&reading, at, &at);
        if (status != STATUS_OK) {
            parameters_free(values);
            return status;
        }
        if (*at && at[1]) at++; /* a comma at the end is a parameter without a name */
    }
    fill_in_defaults(&reading);
    return STATUS_OK;
}

void parameters_free(struct parameter_values *values)
{
    free(values->text);
    *values = (struct parameter_values){0};
}

int parameters_compare(const struct parameter *parameters, const struct parameter_values *a,
                       const struct parameter_values *b)
{
    for (int k = 0; parameters[k].name; k++) {
        double left = a->number[k], right = b->number[k];
        int order =
            isnan(left) || isnan(right) ? !!isnan(left) - !!isnan(right) : (left > right) - (left < right);
        if (order != 0) return order;
    }
    return 0;
}

bool parameters_same(const struct parameter *parameters, const struct parameter_values *a,
                     const struct parameter_values *b)
{
    return parameters_compare(parameters, a, b) == 0;
}

void parameters_set(const struct parameter *parameters, struct parameter_values *values, int k, double number)
{
    const struct reading reading = {.parameters = parameters, .values = values};
    values->number[k] = number;
    values->given[k] = true;
    for (int j = 0; parameters[j].name; j++)
        if (!values->given[j] && parameters[j].like)
            values->number[j] =
                values->number[find(&reading, parameters[j].like, strlen(parameters[j].like))];
}

/* Append the parameters that have a number and, unless `given` is NULL, were given or are automatic. */
static bool write_some(const struct parameter *parameters, const double *numbers, const bool *given,
                       const char *separator, char *out, size_t size)
{
    char value[64];
    bool some = false;
    for (int k = 0; parameters[k].name; k++) {
        const struct parameter *p = &parameters[k];
        if (p->type == PARAMETER_TEXT || isnan(numbers[k])) continue;
        if (given && !given[k] && !p->automatic) continue;
        size_t length = strlen(out);
        snprintf(out + length, size - length, "%s%s=%s", some ? "," : separator, p->name,
                 parameter_value(p, numbers[k], value, sizeof value));
        some = true;
    }
    return some;
}

bool parameters_write(const struct parameter *parameters, const struct parameter_values *values,
                      const char *separator, char *out, size_t size)
{
    return write_some(parameters, values->number, values->given, separator, out, size);
}

bool parameters_write_all(const struct parameter *parameters, const double *numbers, const char *separator,
                          char *out, size_t size)
{
    return write_some(parameters, numbers, NULL, separator, out, size);
}
