/* The allocations of a test's program: for programs that are linked with --wrap for malloc and its sisters
 * (count_allocations in Makefile.am). Memory that shared libraries take for themselves is not counted. */
#ifndef SPARSIGHT_TESTS_SUPPORT_ALLOCATIONS_H
#define SPARSIGHT_TESTS_SUPPORT_ALLOCATIONS_H

#include <stddef.h>

/* Bytes and blocks that are allocated now, counted from the last allocations_begin on (fewer than then: less
 * than 0), the most bytes that there were at once since, and those of the blocks that are guarded
 * (support/guard.h). */
struct allocations {
    long long bytes, blocks, peak, guarded;
};

/* Count from 0 again. */
void allocations_begin(void);
struct allocations allocations_now(void);

#endif
