#include "session/tune_map.h"

#include <math.h>
#include <string.h>

#include "kernels/tuning/space.h"

/* The scale of levels ends at the worst ratio, but not below this one. */
#define WORST_LEAST 1.1

static bool is_alike(const struct result *a, const struct result *b)
{
    return a->choice.kernel == b->choice.kernel && a->choice.format.precision == b->choice.format.precision &&
           a->choice.threads == b->choice.threads;
}

int tune_map_firsts(const struct results *results, const struct result **firsts, int most)
{
    int count = 0;
    for (int k = 0; k < results->count && count < most; k++) {
        bool known = results->items[k].tuned.space == 0;
        for (int f = 0; f < count && !known; f++)
            known = is_alike(firsts[f], &results->items[k]);
        if (!known) firsts[count++] = &results->items[k];
    }
    return count;
}

static bool is_of(const struct tune_map *map, const struct result *result)
{
    return result->tuned.space > 0 && is_alike(map->first, result);
}

static double value_of(const struct tune_axis *axis, const struct result *result)
{
    const struct kernel_choice *choice = &result->resolved;
    return axis->of_format ? choice->format.values.number[axis->index] : choice->values.number[axis->index];
}

int tune_map_value(const struct tune_map *map, int axis, const struct result *result)
{
    const struct tune_axis *a = &map->axes[axis];
    for (int k = 0; k < a->count; k++)
        if (a->values[k] == value_of(a, result)) return k;
    return -1;
}

/* Return the time of a product for comparing variants: measured, or else forecast. */
static double time_of(const struct result *result)
{
    if (result->tuned.forecast) return 1 / result->tuned.speedup;
    return result_timed(result) ? result->samples.time : NAN;
}

double tune_map_ratio(const struct tune_map *map, const struct result *result)
{
    return map->best ? time_of(result) / time_of(map->best) : NAN;
}

/* Add the axis of a parameter that has several values. Axes are sorted by descending number of values,
 * stably. */
static void add_axis(struct tune_map *map, const struct parameter *parameter, bool of_format, int index)
{
    struct tune_axis axis = {.parameter = parameter, .of_format = of_format, .index = index};
    int at = map->axis_count;
    for (int k = 0; k < map->results->count; k++)
        if (is_of(map, &map->results->items[k]))
            axis.count = tuning_add_value(axis.values, axis.count, TUNE_MAP_VALUES,
                                          value_of(&axis, &map->results->items[k]));
    if (axis.count < 2 || map->axis_count == TUNE_MAP_AXES) return;
    for (; at > 0 && map->axes[at - 1].count < axis.count; at--)
        map->axes[at] = map->axes[at - 1];
    map->axes[at] = axis;
    map->axis_count++;
}

void tune_map_make(struct tune_map *map, const struct results *results, const struct result *first)
{
    const struct parameter *stored = first->choice.kernel->format->parameters;
    const struct parameter *own = first->choice.kernel->parameters;
    *map = (struct tune_map){.results = results, .first = first, .worst = WORST_LEAST};
    for (int k = 0; stored[k].name; k++)
        add_axis(map, &stored[k], true, k);
    for (int k = 0; own[k].name; k++)
        add_axis(map, &own[k], false, k);
    map->best = tune_map_at(map, 0, -1, 0, -1);
    for (int k = 0; k < results->count; k++)
        if (is_of(map, &results->items[k]))
            map->worst = fmax(map->worst, tune_map_ratio(map, &results->items[k]));
}

const struct result *tune_map_at(const struct tune_map *map, int across, int x, int down, int y)
{
    const struct result *best = NULL;
    for (int k = 0; k < map->results->count; k++) {
        const struct result *result = &map->results->items[k];
        if (!is_of(map, result) || isnan(time_of(result))) continue;
        if (x >= 0 && tune_map_value(map, across, result) != x) continue;
        if (y >= 0 && tune_map_value(map, down, result) != y) continue;
        if (!best || time_of(result) < time_of(best)) best = result;
    }
    return best;
}

int tune_map_level(const struct tune_map *map, const struct result *result, int levels)
{
    double ratio = result ? tune_map_ratio(map, result) : NAN;
    if (isnan(ratio)) return -1;
    int level = (int)lround((levels - 1) * (1 - log(ratio) / log(map->worst)));
    return level < 0 ? 0 : level >= levels ? levels - 1 : level;
}
