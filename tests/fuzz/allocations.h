/* Allocations while a fuzz target runs. */
#ifndef SPARSIGHT_TESTS_FUZZ_ALLOCATIONS_H
#define SPARSIGHT_TESTS_FUZZ_ALLOCATIONS_H

#include <stdbool.h>

/* While this is on, an allocation of much more than targets need ends the process. */
void allocations_watch(bool on);

#endif
