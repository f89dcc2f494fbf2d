/* Sorting the lines of the table. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ui/kernels/kernels.h"

/* Lines with a value come first. When lines are sorted by time, lines with only a forecast follow: first
 * kernels that can run here, then the others. */
enum rank { RANK_KNOWN, RANK_FORECAST, RANK_FORECAST_ELSEWHERE, RANK_UNKNOWN };

/* The value by which a line is sorted. It is computed once per line, not in each comparison. */
struct sort_key {
    struct line line;
    enum rank rank;
    bool descending;
    double number;
    char text[160]; /* "" if the value is a number */
};

static int compare_known_keys(const struct sort_key *a, const struct sort_key *b)
{
    int order = strcmp(a->text, b->text);
    if (order == 0) order = (a->number > b->number) - (a->number < b->number);
    return a->descending ? -order : order;
}

static int compare_keys(const void *a, const void *b)
{
    const struct sort_key *left = a, *right = b;
    int order = 0;
    if (left->rank != right->rank)
        order = left->rank < right->rank ? -1 : 1;
    else if (left->rank != RANK_UNKNOWN)
        order = compare_known_keys(left, right);
    return order ? order : left->line.order - right->line.order;
}

static void set_value(struct sort_key *key, struct value value)
{
    key->rank = value.type != VALUE_NULL ? RANK_KNOWN : RANK_UNKNOWN;
    if (value.type == VALUE_INTEGER)
        key->number = (double)value.integer;
    else if (value.type == VALUE_REAL)
        key->number = value.real;
    else if (value.type == VALUE_BOOLEAN)
        key->number = value.boolean;
    else
        value_text(value, key->text, sizeof key->text);
}

/* Sort a line without a time by its forecast, if it has one. */
static void use_forecast(const struct explorer *explorer, const struct kernels_screen *screen,
                         const struct line *line, const struct result *result, struct sort_key *key)
{
    const struct results *results = kernels_results(line);
    const struct prediction *prediction = &result->predicted[results->options.cold];
    if (key->rank != RANK_UNKNOWN || screen->sort != kernels_column("time_us") || !prediction->there) return;
    if (result->status == STATUS_OK)
        key->rank = RANK_FORECAST;
    else if (kernels_awaits_gpu(explorer, screen, line, result) && results_estimate_of(results, result))
        key->rank = RANK_FORECAST_ELSEWHERE;
    else
        return;
    key->number = prediction->seconds;
}

static struct sort_key key_of(const struct explorer *explorer, const struct kernels_screen *screen,
                              const struct line *line)
{
    struct sort_key key = {.line = *line, .descending = screen->descending};
    struct result unrun;
    const struct result *result = kernels_result(explorer, screen, line, &unrun);
    if (screen->sort == NAME_COLUMN) {
        key.rank = RANK_KNOWN;
        snprintf(key.text, sizeof key.text, "%s", result->name);
    } else {
        set_value(&key, kernel_value(&kernel_columns[screen->sort], kernels_results(line), result));
        use_forecast(explorer, screen, line, result, &key);
    }
    return key;
}

enum status kernels_sort(const struct explorer *explorer, struct kernels_screen *screen, struct error *error)
{
    if (screen->line_count == 0) return STATUS_OK;
    struct sort_key *keys = memory_array((size_t)screen->line_count, sizeof *keys, error);
    if (!keys) return STATUS_MEMORY;
    for (int k = 0; k < screen->line_count; k++)
        keys[k] = key_of(explorer, screen, &screen->lines[k]);
    qsort(keys, (size_t)screen->line_count, sizeof *keys, compare_keys);
    for (int k = 0; k < screen->line_count; k++)
        screen->lines[k] = keys[k].line;
    free(keys);
    return STATUS_OK;
}
