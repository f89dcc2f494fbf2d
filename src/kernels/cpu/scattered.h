/* Finding out whether the elements of x should be asked for before they are needed. */
#ifndef SPARSIGHT_KERNELS_CPU_SCATTERED_H
#define SPARSIGHT_KERNELS_CPU_SCATTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return true if the columns of `count` entries, taken in order, often lead to elements of x that no cache of
 * the core holds and that the processor does not fetch by itself. That is so if x, which has `cols` elements
 * of `size` bytes, is large, and if among samples of the entries more than one in twenty needs a line of x
 * that was not used lately and whose predecessor was not either. Reads at most 2^20 entries. */
bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size);

#endif
