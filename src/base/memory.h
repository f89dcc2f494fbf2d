/* Memory: allocation with checked sizes, the limit that large requests are held against, and a way for tests
 * to make the k-th allocation fail. What these functions allocate is freed with free(). */
#ifndef SPARSIGHT_BASE_MEMORY_H
#define SPARSIGHT_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

/* Hold all that this process has allocated to so many bytes and MEMORY_SLACK: memory_array and its sisters
 * then refuse what would pass them, with the limit in the message and STATUS_LIMIT in *error, while they
 * return NULL as ever. 0: no limit but the system's. Where the C library does not tell how much is allocated,
 * nothing is held. Not for threads at once. */
void memory_hold(size_t limit);

/* How often the limit of memory_hold has refused something. Callers of memory_array return STATUS_MEMORY
 * then, too. */
long memory_refusals(void);

/* Bytes that this process has allocated; 0 where the C library does not tell. */
size_t memory_held(void);

/* For json_set_alloc_funcs: as malloc, but within the limit of memory_hold. */
void *memory_for_json(size_t bytes);

/* *product = a * b. On overflow returns false, and *product is SIZE_MAX. */
bool size_multiply(size_t a, size_t b, size_t *product);

/* *sum = a + b. On overflow returns false, and *sum is SIZE_MAX. */
bool size_add(size_t a, size_t b, size_t *sum);

/* Allocate count * size bytes, which memory_zeroed sets to 0 and memory_array leaves as they are. At least
 * one byte is asked for, so that NULL always means failure; then `error`, which may be NULL, says how much
 * was wanted. For large arrays the system is advised to use huge pages. */
void *memory_array(size_t count, size_t size, struct error *error);
void *memory_zeroed(size_t count, size_t size, struct error *error);

/* realloc to count * size bytes. On failure returns NULL, and `array` stays as it was. */
void *memory_resize(void *array, size_t count, size_t size, struct error *error);

/* Returns a copy of a string; NULL if there is no memory for it. */
char *memory_string(const char *text, struct error *error);

/* Bytes that can be taken now without swapping: the minimum of what the system calls available, what is left
 * under the limits of the control groups that this process is in, both as they were at most 10 ms ago, and
 * what is left under the limit of the address space. */
size_t memory_available(void);

/* The bytes that large requests are held against: `limit`, or nine tenths of memory_available() if that is 0.
 */
size_t memory_limit(size_t limit);

/* STATUS_LIMIT if bytes > memory_limit(limit), with `what`, the size and the limit in the message. To be
 * called before a size is allocated that an input asks for. */
enum status memory_check(size_t bytes, size_t limit, const char *what, struct error *error);

/* The same for bytes that are needed beside `held` bytes that are allocated already, and that the user's
 * limit covers as well. Up to MEMORY_SLACK bytes are not looked at. */
#define MEMORY_SLACK ((size_t)16 << 20)
enum status memory_check_beside(size_t bytes, size_t held, size_t limit, const char *what,
                                struct error *error);

/* For tests: let `count` more allocations succeed, make the next one fail, and go on as usual; with -1 none
 * fails. memory_failures() tells how many were made to fail since the last call of memory_fail_after. */
void memory_fail_after(long count);
long memory_failures(void);

#endif
