/* The speed-ups of a kernel over others on several matrices: the data of the figure of speed-ups. */
#ifndef SPARSIGHT_REPORT_FIGURES_POINTS_H
#define SPARSIGHT_REPORT_FIGURES_POINTS_H

#include <stdbool.h>

#include "base/error.h"
#include "kernels/list.h"
#include "session/results.h"

/* The speed-up of the first kernel over another one on a matrix. */
struct figure_point {
    char name[64];    /* of the matrix */
    double mean;      /* of its row lengths */
    int base;         /* the number of the other kernel in the list, from 1 */
    double speedup;   /* the other kernel's time / the first one's */
    double low, high; /* the ends of the interval that follows from those of both times */
    bool forecast;    /* both times are forecasts; else both were measured */
    bool derived;     /* a forecast is for a GPU whose constants are derived */
};

/* Start with {.kernels = the list}, which is the caller's; free with figure_points_free. */
struct figure_points {
    const struct kernel_list *kernels; /* the first is compared with each of the others */
    struct figure_point *items;        /* owned */
    int count, room;
    int matrices;  /* that were added */
    double height; /* rows of a strip, if the first kernel is one of CMRS and all matrices have the same; 0
                      before the first; NaN if they differ, or for other formats */
};

/* Add the results of a matrix: for each kernel of the list the fastest result, by measured times or, unless
 * both compared kernels were measured, by forecasts of both. Kernels that cannot be compared are left out.
 * STATUS_MEMORY. */
enum status figure_points_add(struct figure_points *points, const char *name, double mean,
                              const struct results *results, struct error *error);

void figure_points_free(struct figure_points *points);

#endif
