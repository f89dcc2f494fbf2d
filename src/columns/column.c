#include "columns/column.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/words.h"

/* Tables */

/* Write the pattern, with each '@' replaced by `words`, into out, and return out; NULL for NULL. The result
 * is cut to fit. */
static const char *fill_in(const char *pattern, const char *words, char *out, size_t size)
{
    size_t length = 0;
    if (!pattern) return NULL;
    for (const char *c = pattern; *c; c++) {
        size_t more = *c == '@' ? strlen(words) : 1;
        if (length + more >= size) break;
        memcpy(out + length, *c == '@' ? words : c, more);
        length += more;
    }
    out[length] = 0;
    return out;
}

/* Append a column of a list as it is. */
static void append_plain(struct column_table *table, const struct column *column,
                         const struct column_list *list)
{
    if (table->count == COLUMNS_MAX) return;
    struct column *added = &table->columns[table->count++];
    *added = *column;
    added->part = list->part;
    added->needs |= list->needs;
}

/* Append instance k of a column of a list, whose words are kept in the table. */
static void append_instance(struct column_table *table, const struct column *column,
                            const struct column_list *list, int k)
{
    const struct column_instance *instance = &list->instances[k];
    if (table->count == COLUMNS_MAX || table->instances == INSTANCES_MAX) return;
    int n = table->instances++;
    bool headed = !column->headed || (column->headed >> k & 1);
    append_plain(table, column, list);
    struct column *added = &table->columns[table->count - 1];
    if (instance->part) added->part = instance->part;
    if (instance->owner) added->owner = instance->owner;
    added->index = instance->index;
    added->key = fill_in(column->key, instance->key, table->words[n].key, sizeof table->words[n].key);
    added->title =
        fill_in(column->title, instance->words, table->words[n].title, sizeof table->words[n].title);
    added->heading = fill_in(headed ? column->heading : NULL, instance->words, table->words[n].heading,
                             sizeof table->words[n].heading);
    added->help = fill_in(column->help, instance->words, table->words[n].help, sizeof table->words[n].help);
    added->needs |= instance->needs;
}

static void append_list(struct column_table *table, const struct column_list *list)
{
    const struct column *column = list->columns;
    for (; !list->instances && column->key; column++)
        append_plain(table, column, list);
    if (!list->instances) return;
    for (int k = 0; list->by_instance && list->instances[k].key; k++)
        for (column = list->columns; column->key; column++)
            append_instance(table, column, list, k);
    for (column = list->columns; !list->by_instance && column->key; column++)
        for (int k = 0; list->instances[k].key; k++)
            append_instance(table, column, list, k);
}

void column_table_build(struct column_table *table, const struct column_list *lists)
{
    for (; lists->columns; lists++)
        append_list(table, lists);
}

/* Numbers that are stored */

static struct value integer_or_null(int64_t integer)
{
    return integer < 0 ? null_value() : integer_value(integer);
}

/* A whole number may be stored as a double; no struct has one of 2^62 or more. */
static struct value double_value(const struct column *column, double number)
{
    double scaled = column->scale != 0 ? number * column->scale : number;
    if (column->type == VALUE_REAL) return real_value(scaled);
    return scaled < 0x1p62 ? integer_or_null(llround(scaled)) : null_value();
}

static struct value stored_value(const struct column *column, const void *place)
{
    switch (column->stored) {
    case STORED_INT64:
        return integer_or_null(*(const int64_t *)place);
    case STORED_INT:
        return integer_or_null(*(const int *)place);
    case STORED_SIZE:
        return integer_value(*(const size_t *)place > INT64_MAX ? INT64_MAX
                                                                : (int64_t) * (const size_t *)place);
    case STORED_DOUBLE:
        return double_value(column, *(const double *)place);
    case STORED_BOOLEAN:
        return boolean_value(*(const bool *)place);
    case STORED_TEXT:
        return text_value(*(const char *)place ? place : NULL);
    case STORED_POINTER:
        return text_value(*(char *const *)place);
    case STORED_NOWHERE:
        break;
    }
    return null_value();
}

struct value column_get(const struct column *column, const struct subject *subject)
{
    if (column->needs && !case_has(subject->matrix_case, column->needs)) return null_value();
    if (column->get) return column->get(column, subject);
    if (column->known && !column->known(subject)) return null_value();
    const char *owner = column->owner(subject);
    if (!owner) return null_value();
    return stored_value(column, owner + column->offset + (size_t)column->index * column->size);
}

double value_number(struct value value)
{
    return value.type == VALUE_REAL ? value.real : value.type == VALUE_INTEGER ? (double)value.integer : NAN;
}

void column_put(const struct column *column, void *owner, struct value value)
{
    void *place = (char *)owner + column->offset + (size_t)column->index * column->size;
    const int64_t integer = value.type == VALUE_INTEGER ? value.integer : 0;
    switch (column->stored) {
    case STORED_INT64:
        *(int64_t *)place = integer;
        break;
    case STORED_INT:
        *(int *)place = (int)integer;
        break;
    case STORED_SIZE:
        *(size_t *)place = (size_t)integer;
        break;
    case STORED_DOUBLE:
        *(double *)place = column->scale != 0 ? value_number(value) / column->scale : value_number(value);
        break;
    case STORED_BOOLEAN:
        *(bool *)place = value.type == VALUE_BOOLEAN && value.boolean;
        break;
    case STORED_TEXT:
        snprintf(place, column->size, "%s", value.type == VALUE_TEXT ? value.text : "");
        text_visible(place);
        break;
    case STORED_POINTER:
    case STORED_NOWHERE:
        break;
    }
}

/* Values */

/* Write the parameters of a value as "k=12,rule=bytes". Parameters not chosen yet are omitted. */
static void write_parameters(struct value value, char *out, size_t size)
{
    out[0] = 0;
    bool some = parameters_write_all(value.parameters, value.numbers, "", out, size);
    if (value.further) parameters_write_all(value.further, value.further_numbers, some ? "," : "", out, size);
}

char *value_text(struct value value, char *out, size_t size)
{
    switch (value.type) {
    case VALUE_TEXT:
        snprintf(out, size, "%s", value.text);
        break;
    case VALUE_INTEGER:
        format_count(out, size, value.integer);
        break;
    case VALUE_REAL:
        format_real(out, size, value.real);
        break;
    case VALUE_PARAMETERS:
        write_parameters(value, out, size);
        break;
    case VALUE_BOOLEAN:
        snprintf(out, size, "%s", value.boolean ? "yes" : "no");
        break;
    case VALUE_NULL:
        snprintf(out, size, "-");
        break;
    }
    return out;
}

void value_csv(struct value value, struct text *text)
{
    char written[160];
    switch (value.type) {
    case VALUE_NULL:
        return;
    case VALUE_TEXT:
        words_append(text, MEDIUM_CSV, value.text);
        return;
    case VALUE_INTEGER:
        text_append(text, "%lld", (long long)value.integer);
        return;
    case VALUE_REAL:
        text_append(text, "%s", format_exact(written, sizeof written, value.real));
        return;
    case VALUE_BOOLEAN:
        text_append(text, value.boolean ? "true" : "false");
        return;
    case VALUE_PARAMETERS:
        words_append(text, MEDIUM_CSV, value_text(value, written, sizeof written));
        return;
    }
}

char *value_shown(const struct column *column, struct value value, char *out, size_t size)
{
    const bool share = column->role == COLUMN_SHARE || column->role == COLUMN_PERCENT;
    if (!share || value.type != VALUE_REAL) return value_text(value, out, size);
    snprintf(out, size, "%.4g%%", 100 * value.real);
    return out;
}

/* Write a time as "12.3us". */
static char *write_close(double us, char *out, size_t size)
{
    format_seconds(out, size, us * 1e-6);
    char *blank = strchr(out, ' ');
    if (blank) memmove(blank, blank + 1, strlen(blank));
    return out;
}

/* A spread as large as its value is written by its ends, "12.3us..4.56ms", if there is room. */
static char *write_ends(struct value value, int wide, char *out, size_t size)
{
    char low[32], high[32];
    int length = snprintf(out, size, "%s..%s", write_close(value.low, low, sizeof low),
                          write_close(value.high, high, sizeof high));
    if (length > wide) snprintf(out, size, ">100%%");
    return out;
}

char *value_brief(const struct column *column, struct value value, int wide, char *out, size_t size)
{
    if (value.type == VALUE_INTEGER && strcmp(column_unit(column), "bytes") == 0) {
        format_count(out, size, value.integer);
        return (int)strlen(out) <= wide ? out : format_bytes(out, size, (double)value.integer);
    }
    if (value.type == VALUE_INTEGER) return format_fitting(out, size, value.integer, wide);
    if (value.type != VALUE_REAL) return value_text(value, out, size);
    if (column->role == COLUMN_TIME) return format_seconds(out, size, value.real * 1e-6);
    if (column->role == COLUMN_SHARE) return format_percent(out, size, value.real);
    if (column->role == COLUMN_PERCENT && value.real >= 0.995 && value.high > 0)
        return write_ends(value, wide, out, size);
    if (column->role == COLUMN_PERCENT) return format_rough(out, size, value.real);
    return format_digits(out, size, value.real, column->digits ? column->digits : 4);
}
