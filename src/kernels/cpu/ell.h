/* CPU kernels for ELL, and what HYB's need for its ELL part. */
#ifndef SPARSIGHT_KERNELS_CPU_ELL_H
#define SPARSIGHT_KERNELS_CPU_ELL_H

#include "formats/ell_part.h"
#include "kernels/kernel.h"

/* The rectangle of a storage whose parameters `layout` and `pad` are these. */
struct ell_part ell_part_of(const struct storage *storage, int layout, int pad);

/* Elements of x that it loads: padding with column -1 loads none. */
int64_t ell_loads(const struct storage *storage, const struct ell_part *part);

#endif
