/* The kernels that figures compare: those of a run, or where nothing was run, those that are forecast. Only
 * for the files of this folder. */
#ifndef SPARSIGHT_REPORT_FIGURES_SPEEDS_H
#define SPARSIGHT_REPORT_FIGURES_SPEEDS_H

#include <stdbool.h>

#include "report/figures/figure.h"
#include "session/advice.h"

#define SPEEDS_MAX 256
#define SPEEDS_ROOFS 9

struct speed {
    char name[160];
    double speed, low, high; /* FLOP/s, and its interval */
    double intensity;        /* FLOP/byte; NaN if it is not known */
    int roof;                /* of the machine; -1 if its bandwidth is not known */
    bool cached;             /* what is read is in the cache, so that the memory does not limit it */
};

struct speeds {
    struct speed items[SPEEDS_MAX]; /* the fastest first */
    int count, left_out;            /* how many there are, and how many more there would be */
    bool forecast;                  /* nothing was timed: they are forecasts, */
    bool derived;                   /* some for a GPU whose constants are derived */
    struct {
        char name[128];   /* of the machine */
        double bandwidth; /* bytes/s */
    } roofs[SPEEDS_ROOFS];
    int roof_count;
};

/* Find the kernels of the subject's case: its results as far as they were timed, or if none was, the
 * candidates of the advice in double precision. STATUS_MEMORY. */
enum status speeds_find(const struct figure_subject *subject, struct speeds *speeds, struct error *error);

/* Fail with STATUS_UNAVAILABLE if there are none. */
enum status speeds_check(const struct figure_subject *subject, struct error *error);

#endif
