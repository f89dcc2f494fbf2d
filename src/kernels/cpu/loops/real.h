/* For loops only: the type that they are compiled for, and offsets of either width. `real` is the type of
 * values and of the elements of x and y; in the loops of complex matrices, whose files define COMPLEX, it is
 * complex, and `scalar` is the type of its two parts. Without vectors the loops of all formats are the same
 * for both, since complex numbers also use + and *. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_REAL_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_REAL_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/cpu/loops/loops.h"

#define INLINE static inline __attribute__((always_inline))

typedef REAL scalar;
#ifdef COMPLEX
typedef REAL _Complex real;
#else
typedef REAL real;
#endif

/* Element e of an array of 64-bit offsets if `wide`, else of 32-bit ones. If called for every row, `wide` is
 * a constant, so that there is no branch. */
static inline __attribute__((always_inline)) int64_t offset_at(const void *offsets, bool wide, int64_t e)
{
    return wide ? ((const int64_t *)offsets)[e] : ((const int32_t *)offsets)[e];
}

/* Returns element e of an array of offsets, which have 32 or 64 bits. */
static inline int64_t offset_of(const struct array *offsets, int64_t e)
{
    return offset_at(offsets->data, offsets->element == ELEMENT_I64, e);
}

#endif
