/* Repairing files that a fuzzer has changed: counts, lengths and checksums become those of the present bytes,
 * so that readers continue after them. Each function works in place and returns the new size, at most
 * `room`. */
#ifndef SPARSIGHT_TESTS_FUZZ_REPAIR_H
#define SPARSIGHT_TESTS_FUZZ_REPAIR_H

#include <stddef.h>
#include <stdint.h>

typedef size_t fuzz_repair(uint8_t *data, size_t size, size_t room);

fuzz_repair repair_nothing;
fuzz_repair repair_npz;    /* a zip archive: sizes, checksums, the directory */
fuzz_repair repair_mat;    /* MATLAB 5: the length of the last element */
fuzz_repair repair_petsc;  /* the number of entries, as the rows have them */
fuzz_repair repair_boeing; /* the numbers of lines, as the lists end at blank ones */

#endif
