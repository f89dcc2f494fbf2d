/* The logarithmic scale of densities (entries / positions), and the characters of its levels. */
#ifndef SPARSIGHT_DRAWING_SHADE_H
#define SPARSIGHT_DRAWING_SHADE_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/owners.h"
#include "drawing/surface.h"

#define SHADE_LEVELS 16

/* The densities of the lowest and the highest level, 0 < low < high; all numbers are 0 if there are no
 * entries.
 */
struct shade {
    double low, high;
    double log_low; /* log(low) */
    double levels;  /* levels a unit of the logarithm */
};

/* The scale for densities from min to max. Both ends are moved outwards to powers of two. The lower one is
 * moved further until the scale has four octaves, so that a picture of nearly equal densities is bright
 * throughout. */
struct shade shade_scale(double min, double max);

/* round(15 log(density / low) / log(high / low)), held within 0 .. 15; -1 for density 0. */
int shade_level(const struct shade *shade, double density);

/* The density in the middle of a level: low (high / low)^(level / 15), the inverse of shade_level. */
double shade_density(const struct shade *shade, int level);

/* Return a character with more ink for higher levels, for terminals without shades of colour; ' ' for -1. */
uint32_t shade_character(int level, bool ascii);

/* The look of the owners of dots (analysis/parts/owners.h): colours of processes in turn, paler for remote
 * dots, and letters if there are too few colours. */

/* Return the colour of a mark: grey for several parts, COLOUR_TEXT for no entry. */
static inline enum colour owner_colour(int32_t mark)
{
    if (mark == OWNER_NONE) return COLOUR_TEXT;
    if (mark == OWNER_SEVERAL) return (enum colour)(COLOUR_PART + PART_BETWEEN);
    return (enum colour)((owner_is_remote(mark) ? COLOUR_REMOTE : COLOUR_OWNER) +
                         owner_part(mark) % OWNER_COLOURS);
}

/* Write two letters for a mark: AA to ZZ for parts 0 to 25, then AB, AC, ... AZ, BA and so on for further
 * ones, so that 676 parts differ. They are small for remote dots, and ".." for several parts. Returns out. */
char *owner_letters(int32_t mark, char out[3]);

#endif
