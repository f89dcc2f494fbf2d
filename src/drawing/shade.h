/* The logarithmic scale of densities, and what a level of it looks like. */
#ifndef SPARSIGHT_DRAWING_SHADE_H
#define SPARSIGHT_DRAWING_SHADE_H

#include <stdbool.h>
#include <stdint.h>

#define SHADE_LEVELS 16

/* Density (entries / places) of the lowest and the highest level; 0 < low < high. */
struct shade {
    double low, high;
    double log_low, levels; /* log(low), and levels a unit of the logarithm */
};

/* The scale that holds every density in [least, most]: both ends moved outwards to a power of two, and at
 * least four octaves, so that a picture of nearly equal densities is bright throughout. All 0 of nothing. */
struct shade shade_scale(double min, double max);

/* round(15 log(density / low) / log(high / low)), kept in 0..15; -1 for density 0. */
int shade_level(const struct shade *shade, double density);

/* The density in the middle of a level: the inverse of shade_level. */
double shade_density(const struct shade *shade, int level);

/* A character whose ink grows with the level, for terminals without shades of colour; ' ' for -1. */
uint32_t shade_character(int level, bool ascii);

#endif
