/* The allocations of a test's program: for programs that are linked with --wrap for malloc and its sisters
 * (count_allocations in Makefile.am). Memory that shared libraries take for themselves is not counted. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ALLOCATIONS_H
#define SPARSIGHT_TESTS_SUPPORT_ALLOCATIONS_H

#include <stddef.h>

/* Allocated bytes and blocks, relative to the last allocations_begin (below 0 if more were freed than
 * allocated since then); the largest number of allocated bytes since then; and the guarded blocks
 * (support/guard.h). */
struct allocations {
    long long bytes, blocks, peak, guarded;
};

/* Count from 0 again. */
void allocations_begin(void);
struct allocations allocations_now(void);

#endif
