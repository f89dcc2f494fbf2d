#include "report/figures/points.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/forecast/interval.h"
#include "base/memory.h"
#include "base/text.h"
#include "formats/format.h"

/* True if the result has all given values. */
static bool fits(const struct parameter *parameters, const struct parameter_values *asked,
                 const struct parameter_values *run)
{
    for (int k = 0; k < parameters_count(parameters); k++)
        if (asked->given[k] && asked->number[k] != run->number[k]) return false;
    return true;
}

/* Return the measured or the forecast time of a result; NaN if there is none. */
static double seconds_of(const struct results *results, const struct result *item, bool timed)
{
    const struct prediction *prediction = results_prediction_of(results, item);
    if (timed) return result_timed(item) ? item->samples.time : NAN;
    return prediction ? prediction->seconds : NAN;
}

/* Return the fastest result of a choice in double precision, by measured times, or by forecasts, which timed
 * results have, too; NULL if there is none. */
static const struct result *fastest(const struct results *results, const struct kernel_choice *choice,
                                    bool timed)
{
    const struct result *best = NULL;
    double least = INFINITY;
    for (int k = 0; k < results->count; k++) {
        const struct result *item = &results->items[k];
        if (item->choice.kernel != choice->kernel || item->choice.format.precision != PRECISION_F64) continue;
        if (!fits(choice->kernel->parameters, &choice->values, &item->resolved.values)) continue;
        if (!fits(choice->kernel->format->parameters, &choice->format.values, &item->resolved.format.values))
            continue;
        double seconds = seconds_of(results, item, timed);
        if (!(seconds < least)) continue;
        best = item;
        least = seconds;
    }
    return best;
}

/* Record the height of the strips, if the kernel's format is CMRS. */
static void note_height(struct figure_points *points, const struct result *result)
{
    const struct parameter *parameters = result->choice.kernel->format->parameters;
    double height = NAN;
    for (int k = 0; k < parameters_count(parameters); k++)
        if (strncmp(result->choice.kernel->format->name, "cmrs", 4) == 0 &&
            strcmp(parameters[k].name, "height") == 0)
            height = result->resolved.format.values.number[k];
    if (points->height == 0)
        points->height = height;
    else if (points->height != height)
        points->height = NAN;
}

static enum status append(struct figure_points *points, const struct figure_point *point, struct error *error)
{
    if (points->count == points->room) {
        int room = points->room ? 2 * points->room : 64;
        struct figure_point *items = memory_resize(points->items, (size_t)room, sizeof *items, error);
        if (!items) return STATUS_MEMORY;
        points->items = items;
        points->room = room;
    }
    points->items[points->count++] = *point;
    return STATUS_OK;
}

enum status figure_points_add(struct figure_points *points, const char *name, double mean,
                              const struct results *results, struct error *error)
{
    const struct kernel_list *list = points->kernels;
    points->matrices++;
    for (int base = 1; base < list->count; base++) {
        bool timed = true;
        const struct result *ours = fastest(results, &list->choices[0], true);
        const struct result *theirs = fastest(results, &list->choices[base], true);
        if (!ours || !theirs) {
            timed = false;
            ours = fastest(results, &list->choices[0], false);
            theirs = fastest(results, &list->choices[base], false);
        }
        if (!ours || !theirs || !(mean > 0)) continue;
        double speedup = seconds_of(results, theirs, timed) / seconds_of(results, ours, timed);
        struct figure_point point = {.mean = mean, .base = base, .speedup = speedup, .forecast = !timed};
        if (timed) {
            point.low = theirs->samples.low / ours->samples.high;
            point.high = theirs->samples.high / ours->samples.low;
        } else {
            const struct prediction *one = results_prediction_of(results, theirs),
                                    *two = results_prediction_of(results, ours);
            interval_of_ratio(one, two, &point.low, &point.high);
            point.derived = one->derived || two->derived;
        }
        snprintf(point.name, sizeof point.name, "%s", name);
        text_visible(point.name);
        if (!(speedup > 0) || !isfinite(speedup)) continue;
        note_height(points, ours);
        enum status status = append(points, &point, error);
        if (status != STATUS_OK) return status;
    }
    return STATUS_OK;
}

void figure_points_free(struct figure_points *points)
{
    free(points->items);
    *points = (struct figure_points){0};
}
