/* The times of a saved report to the last bit. */
#include <math.h>
#include <string.h>

#include "columns.h"
#include "report/saved_rows.h"

#define PREIMAGES 5

/* Seconds that are written as these microseconds. Multiplying by 1e6 rounds, so that up to two neighbouring
 * numbers are, and dividing may give neither. Without any, what dividing gives. */
static int preimages(double seconds, double us, double *out)
{
    int count = 0;
    double at = nextafter(nextafter(seconds, -INFINITY), -INFINITY);
    for (int k = 0; k < PREIMAGES; k++, at = nextafter(at, INFINITY))
        if (at * 1e6 == us) out[count++] = at;
    if (count == 0) out[count++] = seconds;
    return count;
}

/* How many of the numbers that are computed from times come out as they are in the row. */
static int count_matches(const struct results *results, const struct result *result, const json_t *row)
{
    static const char *const keys[] = {"spread",   "gflops",     "gflops_cmrs", "eta_minus",
                                       "eta_plus", "read_share", NULL};
    int matches = 0;
    for (const struct column *column = kernel_columns; column->key; column++) {
        int k = 0;
        while (keys[k] && strcmp(keys[k], column->key) != 0)
            k++;
        struct value value = kernel_value(column, results, result);
        if (keys[k] && value.type == VALUE_REAL &&
            value.real == json_number_value(json_object_get(row, column->key)))
            matches++;
    }
    return matches;
}

/* A time, and the numbers that are written as it was. */
struct time {
    double *field;
    double values[PREIMAGES];
    int count;
};

/* Choose the combination from which most of the other numbers come out as they were: exactly those, unless
 * the file was written by something else. */
static void settle_together(const struct results *results, struct result *result, const json_t *row)
{
    static const char *const keys[] = {"time_us", "low_us", "high_us", "median_us"};
    struct samples *samples = &result->samples, best = *samples;
    bool same = samples->time == samples->median; /* then they are one number */
    struct time times[] = {{.field = &samples->time},
                           {.field = &samples->low},
                           {.field = &samples->high},
                           {.field = &samples->median}};
    int count = same ? 3 : 4, total = 1, most = -1;
    for (int k = 0; k < count; k++) {
        double us = json_number_value(json_object_get(row, keys[k]));
        times[k].count = preimages(*times[k].field, us, times[k].values);
        total *= times[k].count;
    }
    for (int choice = 0; choice < total; choice++) {
        for (int k = 0, rest = choice; k < count; rest /= times[k++].count)
            *times[k].field = times[k].values[rest % times[k].count];
        if (same) samples->median = samples->time;
        int matches = count_matches(results, result, row);
        if (matches <= most) continue;
        most = matches;
        best = *samples;
    }
    *samples = best;
}

void saved_settle_times(const struct results *results, struct result *result, const json_t *row)
{
    static const char *const keys[] = {"min_us", "mean_us", "stddev_us", "convert_us", "upload_us"};
    double *fields[] = {&result->samples.min, &result->samples.mean, &result->samples.stddev,
                        &result->convert_seconds, &result->upload_seconds};
    double values[PREIMAGES];
    for (int k = 0; k < 5; k++) {
        if (isnan(*fields[k])) continue;
        preimages(*fields[k], json_number_value(json_object_get(row, keys[k])), values);
        *fields[k] = values[0];
    }
    if (result_timed(result)) settle_together(results, result, row);
}
