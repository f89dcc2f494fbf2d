/* The map of a tuning: the times of a kernel's variants over two of its parameters, with a cursor. */
#ifndef SPARSIGHT_UI_WIDGETS_TUNE_CHART_H
#define SPARSIGHT_UI_WIDGETS_TUNE_CHART_H

#include "session/runs.h"
#include "session/tune_map.h"
#include "ui/view.h"

#define TUNE_CHART_KERNELS 64 /* kernels of a run that have maps */

/* Start with {0}. */
struct tune_chart {
    int run;             /* the number of its run; 0 before there is one */
    int kernel, kernels; /* the index and number of the run's tuned kernels */
    struct tune_map map;
    int pair, across, down; /* the two shown axes, and the number of their pair */
    int x, y;               /* the values under the cursor */
};

/* The newest run in which kernels were tuned; NULL if there is none. */
const struct run *tune_chart_newest(const struct runs *runs);

/* Make the map of a run's tuned kernel again; for another kernel the cursor moves to its best variant.
 * Returns false without a map if the run is NULL or has no tuned kernel. */
bool tune_chart_make(struct tune_chart *chart, const struct run *run);

/* The variant under the cursor; NULL if none was run there. This and the following functions need a map. */
const struct result *tune_chart_result(const struct tune_chart *chart);

/* Move the cursor by this number of values. */
void tune_chart_move(struct tune_chart *chart, int x, int y);

/* Show the map of another kernel of the run; show two other parameters. */
void tune_chart_turn(struct tune_chart *chart, const struct run *run, int step);
void tune_chart_pair(struct tune_chart *chart);

/* Return true if the map has more parameters than the two that it shows. */
bool tune_chart_has_pairs(const struct tune_chart *chart);

/* Draw it. `hint` is the last text: the actions of keys on the variant under the cursor. */
void tune_chart_draw(const struct explorer *explorer, const struct tune_chart *chart, const char *hint,
                     struct surface *surface, struct rect rect);

#endif
