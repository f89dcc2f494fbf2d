/* Files in memory, so that what opens files by their paths reads what a fuzz target has in hand. The linker
 * puts these functions in the places of the C library's (--wrap), for the program's objects alone. */
#ifndef SPARSIGHT_TESTS_FUZZ_MEMORY_FILE_H
#define SPARSIGHT_TESTS_FUZZ_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The path of the file. */
#define MEMORY_FILE "/fuzz/input"

/* Let the file have these bytes, which stay the caller's. It is one on a disk, or a stream, which is read
 * once and not found out the size of. */
void memory_file_set(const void *bytes, size_t size, bool stream);

/* While `all`, no other file can be opened for reading, but those of /proc and /sys, and no folder be listed:
 * what a target does depends on its input alone. */
void memory_file_hide(bool all);

/* How many descriptors and streams of the file are open. */
int memory_file_open(void);

#endif
