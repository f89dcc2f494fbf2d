/* Blocks of memory whose neighbours nobody may touch: an element read or written beyond the end of an array,
 * or before its beginning, ends the test with a segmentation fault, and so does one of a block that was
 * freed. For programs that are linked with --wrap for malloc and its sisters (count_allocations in
 * Makefile.am), and for allocations of the program itself. Shared libraries get ordinary blocks. */
#ifndef SPARSIGHT_TESTS_SUPPORT_GUARD_H
#define SPARSIGHT_TESTS_SUPPORT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum guard {
    GUARD_NONE,
    GUARD_BEHIND, /* the last byte of a block is followed by a page without access */
    GUARD_BEFORE, /* the first byte is preceded by one */
};

/* From now on blocks are made so, until the next call. A block may be freed at any time. Not thread-safe. */
void guard_blocks(enum guard guard);

/* For allocations.c. guard_take returns NULL unless blocks are guarded now; its block is filled with zeros.
 */
bool guard_is_on(void);
void *guard_take(size_t size);
bool guard_owns(const void *block);
size_t guard_size(const void *block);
void guard_give_back(void *block);

#endif
