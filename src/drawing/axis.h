/* Ticks of an axis: which rows or columns have a label. */
#ifndef SPARSIGHT_DRAWING_AXIS_H
#define SPARSIGHT_DRAWING_AXIS_H

#include <stdint.h>

struct tick {
    int64_t label; /* the row or column, counted from 1 as Matrix Market files do */
    int dot;       /* the number of the dot that it is in, counted from the first that is shown */
};

/* The smallest of 1, 2, 5, 10, 20, 50, ... that is not below x; 1 for x <= 1. */
int64_t axis_nice(double x);

/* Choose ticks for an axis of `dots` dots, each of `dot` rows or columns, that begins at row or column
 * `start`, counted from 0, of `size`. They are label 1 and the multiples of the smallest nice step for which
 * ticks are at least `gap` dots apart. Returns how many there are, at most `max`. */
int axis_ticks(int64_t start, int64_t dot, int dots, int64_t size, int gap, struct tick *ticks, int max);

#endif
