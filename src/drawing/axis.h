/* Ticks of an axis: which rows or columns are labelled. */
#ifndef SPARSIGHT_DRAWING_AXIS_H
#define SPARSIGHT_DRAWING_AXIS_H

#include <stdint.h>

struct tick {
    int64_t label; /* counted from 1, as Matrix Market does */
    int dot;       /* the dot, from the first one shown, that holds it */
};

/* The least of 1, 2, 5, 10, 20, 50, ... that is at least x; 1 for x <= 1. */
int64_t axis_nice(double x);

/* Ticks for `dots` dots of `dot` places each from place `start` (0-based) of `size`: the multiples of the
 * smallest nice step for which they are at least `gap` dots apart, and label 1. Returns how many, at most
 * `max`. */
int axis_ticks(int64_t start, int64_t dot, int dots, int64_t size, int gap, struct tick *ticks, int max);

#endif
