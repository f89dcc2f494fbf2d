/* CPU kernels for ELL, and functions for the ELL part of HYB. */
#ifndef SPARSIGHT_KERNELS_CPU_ELL_H
#define SPARSIGHT_KERNELS_CPU_ELL_H

#include "formats/ell_part.h"
#include "kernels/kernel.h"

/* Return the rectangle of a storage; `layout` and `pad` are the numbers of its format's parameters of these
 * names.
 */
struct ell_part ell_part_of(const struct storage *storage, int layout, int pad);

/* Elements of x that a product loads for the rectangle: one for each slot, except padding with column -1. */
int64_t ell_loads(const struct storage *storage, const struct ell_part *part);

#endif
