/* The map of a tuning: times of a kernel's variants over two of the parameters in which they differ. It is
 * made only from results, so saved ones have a map, too. */
#ifndef SPARSIGHT_SESSION_TUNE_MAP_H
#define SPARSIGHT_SESSION_TUNE_MAP_H

#include "session/results.h"

#define TUNE_MAP_AXES 8
#define TUNE_MAP_VALUES 64

/* A parameter with several values among the results. */
struct tune_axis {
    const struct parameter *parameter;
    bool of_format;                 /* it belongs to the format, not to the kernel */
    int index;                      /* its index in that table */
    double values[TUNE_MAP_VALUES]; /* ascending */
    int count;
};

/* The variants of one kernel, in one precision and with one number of threads. */
struct tune_map {
    const struct results *results;
    const struct result *first; /* the first of them, which names the kernel */
    const struct result *best;  /* the fastest, or the one with the best forecast; NULL if no time is known */
    struct tune_axis axes[TUNE_MAP_AXES]; /* those with most values first */
    int axis_count;
    double worst; /* the largest tune_map_ratio of all variants */
};

/* Write the first result of each tuned kernel, at most `most`. Returns their number. */
int tune_map_firsts(const struct results *results, const struct result **firsts, int most);

/* Make the map of the kernel of one of these results. Values beyond TUNE_MAP_VALUES, and parameters beyond
 * TUNE_MAP_AXES, are left out. */
void tune_map_make(struct tune_map *map, const struct results *results, const struct result *first);

/* The fastest variant with these values, counted from 0, on two axes. An axis of -1 is ignored. NULL if no
 * such variant was run. */
const struct result *tune_map_at(const struct tune_map *map, int across, int x, int down, int y);

/* The time of a variant as a share of the best one's, T / T(best); NaN if it is not known. */
double tune_map_ratio(const struct tune_map *map, const struct result *result);

/* The index of a result's value on an axis; -1 if it has none of them. */
int tune_map_value(const struct tune_map *map, int axis, const struct result *result);

/* The level of a variant: 0 for the slowest to `levels` - 1 for the best, by the logarithm of its ratio; -1
 * if that is unknown. If all are within a tenth of the best, level 0 is a tenth. */
int tune_map_level(const struct tune_map *map, const struct result *result, int levels);

#endif
