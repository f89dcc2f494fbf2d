/* Deciding whether prefetching the elements of x pays. */
#ifndef SPARSIGHT_KERNELS_CPU_SCATTERED_H
#define SPARSIGHT_KERNELS_CPU_SCATTERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Return true if the columns of `count` entries, taken in order, often lead to elements of x that are in no
 * cache of the core and that the processor does not prefetch itself. This is so if x, which has `cols`
 * elements of `size` bytes, is large, and if among samples of the entries more than one in twenty needs a
 * line of x that was not used recently and whose predecessor was not used either. Reads at most 2^20
 * entries. */
bool columns_scattered(const int32_t *col, int64_t count, int64_t cols, size_t size);

#endif
