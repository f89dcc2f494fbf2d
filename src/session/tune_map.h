/* The map of a tuning: times of a kernel's variants by two of the parameters in which they differ. It is made
 * only from results, so that saved ones have a map too. */
#ifndef SPARSIGHT_SESSION_TUNE_MAP_H
#define SPARSIGHT_SESSION_TUNE_MAP_H

#include "session/results.h"

#define TUNE_MAP_AXES 8
#define TUNE_MAP_VALUES 64

/* A parameter that has several values among the results. */
struct tune_axis {
    const struct parameter *parameter;
    bool of_format;                 /* it is one of the format's, not of the kernel's own */
    int index;                      /* its place in that table */
    double values[TUNE_MAP_VALUES]; /* ascending */
    int count;
};

/* The variants of one kernel, in one precision and with one number of threads. */
struct tune_map {
    const struct results *results;
    const struct result *first; /* the first of them, which says which kernel it is */
    const struct result *best;  /* the fastest, or that with the best forecast; NULL if no time is known */
    struct tune_axis axes[TUNE_MAP_AXES]; /* those with most values first */
    int axis_count;
    double worst; /* the largest tune_map_ratio of all variants */
};

/* Write the first result of each kernel that was tuned, `most` at most. Returns how many. */
int tune_map_firsts(const struct results *results, const struct result **firsts, int most);

/* Make the map of the kernel of one of these results. Values beyond TUNE_MAP_VALUES, and parameters beyond
 * TUNE_MAP_AXES, are left out. */
void tune_map_make(struct tune_map *map, const struct results *results, const struct result *first);

/* The fastest variant that has these values, counted from 0, on two axes, of which either may be -1: it is
 * not looked at then. NULL if no such variant was run. */
const struct result *tune_map_at(const struct tune_map *map, int across, int x, int down, int y);

/* The time of a variant as a share of the best one's, T / T(best); NaN if it is not known. */
double tune_map_ratio(const struct tune_map *map, const struct result *result);

/* Which value a result has on an axis, counted from 0; -1 if it has none of them. */
int tune_map_value(const struct tune_map *map, int axis, const struct result *result);

/* 0 for the slowest variant to `levels` - 1 for the best, by the logarithm of its ratio; -1 if that is not
 * known. Where all are within a tenth of the best, a tenth is the lowest level. */
int tune_map_level(const struct tune_map *map, const struct result *result, int levels);

#endif
