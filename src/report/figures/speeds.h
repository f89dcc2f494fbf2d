/* The kernels that figures compare: those of a run, or where nothing was run, those that are forecast; and
 * their roofline, of the figure and of the panes of screens: the speed of each kernel over its arithmetic
 * intensity, below the speed that the memory of its machine allows (Williams, Waterman and Patterson,
 * Roofline, CACM 52(4), 2009). The flat part of a roof, the speed of the arithmetic, is far above any product
 * with a sparse matrix, and is not drawn. */
#ifndef SPARSIGHT_REPORT_FIGURES_SPEEDS_H
#define SPARSIGHT_REPORT_FIGURES_SPEEDS_H

#include <stdbool.h>

#include "drawing/chart.h"
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
    bool forecast;           /* it was not measured */
    int item;                /* the caller's number for it */
};

struct speeds {
    struct speed items[SPEEDS_MAX]; /* the fastest first */
    int count, left_out;            /* how many there are, and how many more there would be */
    bool forecast;                  /* nothing was timed: they are forecasts, */
    bool derived;                   /* some for a GPU whose constants are derived */
    struct {
        char name[128];   /* of the machine; "" of the processor */
        double bandwidth; /* bytes/s */
    } roofs[SPEEDS_ROOFS];
    int roof_count;
};

/* Add a kernel in its place; the slowest is left out if there is no room. */
void speeds_add(struct speeds *speeds, const struct speed *speed);

/* Return the roof of this bandwidth, which is added if it is not there; -1 if it is not known. */
int speeds_roof(struct speeds *speeds, const char *name, double bandwidth);

/* The operations of a candidate for each byte that must be moved. A kernel that was not run reads its storage
 * and x once and writes y. */
double speeds_intensity(const struct advice_candidate *candidate, double flops);

/* Find the kernels of the subject's case: its results as far as they were timed, or if none was, the
 * candidates of the advice in double precision. STATUS_MEMORY. */
enum status speeds_find(const struct figure_subject *subject, struct speeds *speeds, struct error *error);

/* Fail with STATUS_UNAVAILABLE if there are none. */
enum status speeds_check(const struct figure_subject *subject, struct error *error);

/* The colour of a kernel, which is that of its machine. */
enum colour speed_colour(const struct speed *speed);

/* Place the chart as chart_place does, with axes that hold all kernels and the part of each roof that is
 * above these, and draw it with the roofs. */
void roofline_draw(const struct speeds *speeds, struct chart *chart, double top, double bottom, int label);

/* Write the letters of the first `shown` kernels: in characters they are the points, else they stand beside
 * these, each where it hides the least. `cursor` is the one under the cursor, -1 for none. */
void roofline_letters(const struct speeds *speeds, const struct chart *chart, int shown, int cursor);

#endif
