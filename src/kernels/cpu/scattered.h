/* Where a matrix's columns lead: whether x should be asked for before it is needed. */
#ifndef SPARSIGHT_KERNELS_CPU_SCATTERED_H
#define SPARSIGHT_KERNELS_CPU_SCATTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether the columns of `count` entries, taken one after the other, lead to elements of x that the caches of
 * a core do not hold: x, of `cols` elements of `size` bytes, is larger, and of samples of the entries many
 * hit a line that was not used lately and does not follow one that was. Looks at a million entries at most.
 */
bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size);

#endif
