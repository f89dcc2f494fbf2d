/* Curves of convergence, for the figure and for the section of Advice. */
#ifndef SPARSIGHT_REPORT_FIGURES_CONVERGENCE_H
#define SPARSIGHT_REPORT_FIGURES_CONVERGENCE_H

#include "analysis/solvers/solver.h"
#include "drawing/chart.h"

#define CONVERGENCE_CURVES 30

/* The solves that were run, in their order. */
struct convergence {
    const struct solve *curves[CONVERGENCE_CURVES];
    int count;
    double tolerance;
    double most; /* iterations of the longest */
};

struct convergence convergence_of(const struct solving *solving);

/* The colour of curve k, which is that of its preconditioner. */
enum colour convergence_colour(const struct convergence *convergence, int k);

/* Place the chart as chart_place does, and draw residuals over iterations, both logarithmic, with a line at
 * the tolerance. */
void convergence_draw(const struct convergence *convergence, struct chart *chart, double top, double bottom);

/* Write the letter of each curve at its end. */
void convergence_mark(const struct convergence *convergence, const struct chart *chart);

#endif
