/* What everyone does with bounds. */
#ifndef SPARSIGHT_BASE_RANGE_H
#define SPARSIGHT_BASE_RANGE_H

#include <stdint.h>

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* value, held within 0..most. */
static inline int64_t clip(int64_t value, int64_t most)
{
    return value < 0 ? 0 : least(value, most);
}

#endif
