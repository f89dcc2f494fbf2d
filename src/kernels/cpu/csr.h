/* CPU kernels for CSR. */
#ifndef SPARSIGHT_KERNELS_CPU_CSR_H
#define SPARSIGHT_KERNELS_CPU_CSR_H

#include "kernels/kernel.h"

/* Return true if it pays to ask for elements of x before they are needed: columns_scattered of all entries.
 */
bool csr_is_scattered(const struct storage *storage);

#endif
