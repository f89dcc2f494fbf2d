/* Files in memory: code that opens files by their paths reads the input of a fuzz target. The linker replaces
 * the C library's functions by these (--wrap), for the program's objects alone. */
#ifndef SPARSIGHT_TESTS_FUZZ_MEMORY_FILE_H
#define SPARSIGHT_TESTS_FUZZ_MEMORY_FILE_H

#include <stdbool.h>
#include <stddef.h>

/* The path of the file. */
#define MEMORY_FILE "/fuzz/input"

/* Let the file have these bytes, which stay the caller's. It is one on a disk, or a stream, which is read
 * once and not found out the size of. */
void memory_file_set(const void *bytes, size_t size, bool stream);

/* While `all`, no other file can be opened for reading, except those of /proc and /sys, and no folder be
 * listed: a target depends on its input alone. */
void memory_file_hide(bool all);

/* How many descriptors and streams of the file are open. */
int memory_file_open(void);

#endif
