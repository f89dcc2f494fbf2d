/* Blocks of memory beside pages without access. An access beyond the end of an array, before its beginning,
 * or to a freed block ends the test with a segmentation fault. For programs that are linked with --wrap for
 * malloc and its sisters (count_allocations in Makefile.am), and for allocations of the program itself.
 * Shared libraries get ordinary blocks. */
#ifndef SPARSIGHT_TESTS_SUPPORT_GUARD_H
#define SPARSIGHT_TESTS_SUPPORT_GUARD_H

#include <stdbool.h>
#include <stddef.h>

enum guard {
    GUARD_NONE,
    GUARD_BEHIND, /* the last byte of a block is followed by a page without access */
    GUARD_BEFORE, /* the first byte of a block is preceded by one */
};

/* Make blocks in this way until the next call. A block may be freed at any time. Not thread-safe. */
void guard_blocks(enum guard guard);

/* For allocations.c. guard_take returns a block of zeros, or NULL if blocks are not guarded.
 */
bool guard_is_on(void);
void *guard_take(size_t size);
bool guard_owns(const void *block);
size_t guard_size(const void *block);
void guard_give_back(void *block);

#endif
