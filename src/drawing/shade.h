/* The logarithmic scale of densities (entries / places), and the characters of its levels. */
#ifndef SPARSIGHT_DRAWING_SHADE_H
#define SPARSIGHT_DRAWING_SHADE_H

#include <stdbool.h>
#include <stdint.h>

#define SHADE_LEVELS 16

/* The densities of the lowest and the highest level, 0 < low < high; all numbers are 0 if there are no
 * entries.
 */
struct shade {
    double low, high;
    double log_low; /* log(low) */
    double levels;  /* levels a unit of the logarithm */
};

/* The scale for densities from min to max. Both ends are moved outwards to powers of two, and the lower one
 * further until there are four octaves, so that a picture of nearly equal densities is bright throughout. */
struct shade shade_scale(double min, double max);

/* round(15 log(density / low) / log(high / low)), held within 0 .. 15; -1 for density 0. */
int shade_level(const struct shade *shade, double density);

/* The density in the middle of a level: low (high / low)^(level / 15), the inverse of shade_level. */
double shade_density(const struct shade *shade, int level);

/* A character that has more ink the higher the level, for terminals without shades of colour; ' ' for -1. */
uint32_t shade_character(int level, bool ascii);

#endif
