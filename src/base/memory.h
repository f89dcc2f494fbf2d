/* Memory: allocation with checked sizes, the limit that large requests are held against, and a way for tests
 * to make the k-th allocation fail. Whatever these functions return is freed with free(). */
#ifndef SPARSIGHT_BASE_MEMORY_H
#define SPARSIGHT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

/* *product = a * b; false (and *product = SIZE_MAX) on overflow. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* *sum = a + b; false (and *sum = SIZE_MAX) on overflow. */
bool size_add(size_t a, size_t b, size_t *sum);

/* count * size bytes, uninitialised (memory_zeroed: all bytes 0). At least one byte is asked for, so that
 * NULL always means failure. Large arrays are advised for huge pages. On failure NULL, and `error` says how
 * much was wanted; `error` may be NULL. */
void *memory_array(size_t count, size_t size, struct error *error);
void *memory_zeroed(size_t count, size_t size, struct error *error);

/* realloc with a checked size; on failure NULL, and `array` stays as it was. */
void *memory_resize(void *array, size_t count, size_t size, struct error *error);

/* strdup. */
char *memory_string(const char *text, struct error *error);

/* Bytes that can be taken now without swapping: the least of the system's available memory, what is left
 * under the control group's limit, and the address-space limit. */
size_t memory_available(void);

/* The bytes that large requests are held against: limit, or nine tenths of memory_available() if it is 0. */
size_t memory_limit(size_t limit);

/* STATUS_LIMIT, with `what`, the size and the limit in the message, if bytes > memory_limit(limit). Call it
 * before allocating what an input asks for. */
enum status memory_check(size_t bytes, size_t limit, const char *what, struct error *error);

/* For tests: let `count` more allocations succeed, then fail one, then go on as usual; -1 turns it off.
 * memory_failures() tells how many were made to fail since the last call of memory_fail_after. */
void memory_fail_after(long count);
long memory_failures(void);

#endif
