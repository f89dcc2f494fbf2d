/* Memory: allocation with checked sizes, the limit for large requests, and a way for tests to make the k-th
 * allocation fail. Free the memory with free(). */
#ifndef SPARSIGHT_BASE_MEMORY_H
#define SPARSIGHT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

/* Limit all allocations of this process to `limit` + MEMORY_SLACK: memory_array and the like then refuse
 * requests beyond it, with the limit in the message and STATUS_LIMIT in *error, and return NULL. 0: no limit
 * but the system's. Has no effect if the C library does not report the allocated bytes. Not thread-safe. */
void memory_hold(size_t limit);

/* Return the number of requests that the limit of memory_hold has refused. Callers of memory_array return
 * STATUS_MEMORY then, too. */
long memory_refusals(void);

/* Bytes that this process has allocated; 0 if the C library does not report them. */
size_t memory_held(void);

/* Give freed memory back to the system, if the C library can: it keeps freed arrays of up to 32 MB for later
 * ones, for each thread apart. */
void memory_trim(void);

/* For json_set_alloc_funcs: as malloc, but within the limit of memory_hold. */
void *memory_for_json(size_t bytes);

/* *product = a * b. On overflow returns false, and *product is SIZE_MAX. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* *sum = a + b. On overflow returns false, and *sum is SIZE_MAX. */
bool size_add(size_t a, size_t b, size_t *sum);

/* Allocate count size bytes, at least one, so that NULL always means failure; `error`, which may be NULL,
 * then states the requested size. memory_zeroed sets them to 0. memory_array does not; its arrays of 512
 * bytes or more begin at a cache line. For large arrays the system is advised to use huge pages. */
void *memory_array(size_t count, size_t size, struct error *error);
void *memory_zeroed(size_t count, size_t size, struct error *error);

/* realloc to count * size bytes. On failure returns NULL, and `array` stays as it was. */
void *memory_resize(void *array, size_t count, size_t size, struct error *error);

/* Returns a copy of a string; NULL if there is no memory for it. */
char *memory_string(const char *text, struct error *error);

/* Bytes that can be taken now without swapping: the minimum of the memory that the system calls available and
 * the rest under the limits of this process's control groups, both at most 10 ms old, and the rest under the
 * limit of the address space. */
size_t memory_available(void);

/* The limit for large requests in bytes: `limit`, or nine tenths of memory_available() if that is
 * 0. */
size_t memory_limit(size_t limit);

/* STATUS_LIMIT if bytes > memory_limit(limit), with `what`, the size and the limit in the message. Call it
 * before allocating a size that comes from an input. */
enum status memory_check(size_t bytes, size_t limit, const char *what, struct error *error);

/* The same for bytes that are needed beside `held` bytes that are allocated already, and that the user's
 * limit covers as well. Up to MEMORY_SLACK bytes are not checked. */
#define MEMORY_SLACK ((size_t)16 << 20)
enum status memory_check_beside(size_t bytes, size_t held, size_t limit, const char *what,
                                struct error *error);

/* For tests: let `count` more allocations succeed, make the next one fail, and let the following ones
 * succeed; with -1 none fails. memory_failures() returns the number of forced failures since the last call of
 * memory_fail_after. */
void memory_fail_after(long count);
long memory_failures(void);

#endif
