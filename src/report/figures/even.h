/* Break-even curves, for the figure and for the pane of Advice. */
#ifndef SPARSIGHT_REPORT_FIGURES_EVEN_H
#define SPARSIGHT_REPORT_FIGURES_EVEN_H

#include "drawing/chart.h"
#include "session/advice.h"
#include "session/envelope.h"

#define EVEN_ITEMS (EVEN_CURVES + 1)

struct even {
    const struct advice *advice;
    bool each;                /* time per product, setup / n + time; else time of all n products */
    int items[EVEN_ITEMS];    /* candidates: */
    double from[EVEN_CURVES]; /* the first `best` are the best ones, each from this number of products on; */
    int best, count;          /* CSR and `cursor` follow them */
    int cursor;               /* the candidate under the cursor; -1: none */
};

/* Choose the curves. With a cursor there are at most EVEN_CURVES. */
struct even even_find(const struct advice *advice, bool each, int cursor);

/* Return the time of curve k at n products. */
double even_height(const struct even *even, int k, double products);

enum colour even_colour(int k);

/* Place the chart as chart_place does, with axes that contain all curves, and draw it. */
void even_draw(const struct even *even, struct chart *chart, double top, double bottom);

/* Write the letter of each curve at its end (side by side on a character canvas), and mark where a curve
 * becomes better than the one before. */
void even_mark(const struct even *even, const struct chart *chart);

/* The letter of the k-th mark of a diagram, counted from 0; '+' if there are more than letters. */
char figure_letter(int k);

#endif
