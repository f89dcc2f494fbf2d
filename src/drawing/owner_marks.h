/* How owners of dots look (analysis/parts/owners.h): the colours of processes in turn, paler where a dot is
 * remote, and letters where there are no colours for that. */
#ifndef SPARSIGHT_DRAWING_OWNER_MARKS_H
#define SPARSIGHT_DRAWING_OWNER_MARKS_H

#include "analysis/parts/owners.h"
#include "drawing/surface.h"

/* Return the colour of a mark: grey where several parts are, COLOUR_TEXT where there is no entry. */
static inline enum colour owner_colour(int32_t mark)
{
    if (mark == OWNER_NONE) return COLOUR_TEXT;
    if (mark == OWNER_SEVERAL) return (enum colour)(COLOUR_PART + PART_BETWEEN);
    return (enum colour)((owner_is_remote(mark) ? COLOUR_REMOTE : COLOUR_OWNER) +
                         owner_part(mark) % OWNER_COLOURS);
}

/* Return a letter for each colour in turn, small where the dot is remote; '.' where several parts are. */
static inline unsigned owner_letter(int32_t mark)
{
    if (mark < 0) return mark == OWNER_NONE ? ' ' : '.';
    return (unsigned)((owner_is_remote(mark) ? 'a' : 'A') + owner_part(mark) % OWNER_COLOURS);
}

#endif
