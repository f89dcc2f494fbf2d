/* The kernels that figures compare: those of a run, or without a run the forecast ones. Also their roofline,
 * for the figure and for the panes of screens: the speed of each kernel over its arithmetic intensity, below
 * the speed that the memory of its machine allows (Williams, Waterman and Patterson, Roofline, CACM 52(4),
 * 2009). The flat part of a roof, the speed of the arithmetic, is far above any product with a sparse matrix,
 * and is not drawn. */
#ifndef SPARSIGHT_REPORT_FIGURES_SPEEDS_H
#define SPARSIGHT_REPORT_FIGURES_SPEEDS_H

#include <stdbool.h>

#include "drawing/chart.h"
#include "report/figures/figure.h"
#include "session/advice.h"

#define SPEEDS_MAX 256
#define SPEEDS_ROOFS 9
#define SPEEDS_CACHES 4

struct speed {
    char name[160];
    double speed, low, high; /* FLOP/s, and its interval */
    double intensity;        /* FLOP/byte; NaN if unknown */
    int roof;                /* of the machine; -1 if its bandwidth is unknown */
    bool cached;             /* its data are in the cache, so that memory does not limit it */
    bool forecast;           /* it was not measured */
    double memory;           /* bytes of its storage, x and y; 0: unknown */
    const char *bound;       /* the term that bounds its forecast (prediction_bound_label); NULL: unknown */
    int item;                /* the caller's number for it */
};

struct speeds {
    struct speed items[SPEEDS_MAX]; /* the fastest first */
    int count, left_out;            /* number of speeds, and of those left out for lack of room */
    bool forecast;                  /* nothing was timed: they are forecasts, */
    bool derived;                   /* some are for a GPU whose constants are derived */
    struct {
        char name[160];   /* of the machine; "" for the processor */
        double bandwidth; /* bytes/s */
        struct {
            char name[16]; /* "L2"; "~L2" if its bandwidth is assumed */
            double bandwidth;
            double bytes;        /* of all of them together */
        } caches[SPEEDS_CACHES]; /* of its caches, where they are known, the fastest first */
        int cache_count;
    } roofs[SPEEDS_ROOFS];
    int roof_count;
};

/* Insert a kernel by its speed; without room the slowest is left out. */
void speeds_add(struct speeds *speeds, const struct speed *speed);

/* Return the roof of this bandwidth, adding it if it is new; -1 if the bandwidth is unknown. */
int speeds_roof(struct speeds *speeds, const char *name, double bandwidth);

/* Give a roof the bandwidths of its machine's caches: of a processor, those measured for the sizes that its
 * caches have; of a GPU, those of its profile. The ceilings of caches have the intensities of the memory's
 * (Ilic, Pratas and Sousa, Cache-aware Roofline model, IEEE Computer Architecture Letters 13(1), 2014). */
void speeds_caches(struct speeds *speeds, int roof, const struct session *session, enum advice_place place);

/* Return the bandwidth of the ceiling that limits a speed: the memory's, or of data in the cache that of the
 * nearest cache that holds them. *name becomes its name, "" of the memory. */
double speeds_ceiling(const struct speeds *speeds, const struct speed *speed, const char **name);

/* Find the speeds of the candidates of an advice for this product, with the roof of its machine: its read
 * bandwidth if that was measured, else that of the profile. `foretold`: the profile of the processor was
 * used. */
void speeds_of_advice(const struct session *session, const struct advice *advice, struct product product,
                      bool foretold, struct speeds *speeds);

/* The arithmetic intensity of a candidate that was not run: operations / bytes. It reads its storage and x
 * once and writes y. */
double speeds_intensity(const struct advice_candidate *candidate, double flops);

/* Find the kernels of the subject's case: its results as far as they were timed, or if none was timed, the
 * candidates of the advice in double precision. STATUS_MEMORY. */
enum status speeds_find(const struct figure_subject *subject, struct speeds *speeds, struct error *error);

/* Fail with STATUS_UNAVAILABLE if there are none. */
enum status speeds_check(const struct figure_subject *subject, struct error *error);

/* The colour of a kernel, which is that of its machine. */
enum colour speed_colour(const struct speed *speed);

/* Place the chart as chart_place does, with axes that contain all kernels and the roofs above them, and draw
 * it with the roofs. */
void roofline_draw(const struct speeds *speeds, struct chart *chart, double top, double bottom, int label);

/* Write the letters of the first `shown` kernels: on a character canvas they are the points, else they stand
 * beside the points, where they hide the least. `cursor` is the one under the cursor, -1 for none. */
void roofline_letters(const struct speeds *speeds, const struct chart *chart, int shown, int cursor);

#endif
