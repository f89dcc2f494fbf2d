/* Allocations of the program's objects, but not of other libraries: one that is far beyond the limit of fuzz
 * targets is a fault. The linker replaces the C library's functions by these (--wrap). */
#include "fuzz/allocations.h"

#include <stdint.h>
#include <stdlib.h>

#include "fuzz/targets.h"

/* Targets limit memory to 4 MiB at most, up to 16 MiB need not be asked for (MEMORY_SLACK), and buffers are
 * smaller than that. */
#define BYTES_MAX ((size_t)64 << 20)

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *array, size_t size);
int __real_posix_memalign(void **array, size_t alignment, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *array, size_t size);
int __wrap_posix_memalign(void **array, size_t alignment, size_t size);

static bool counted;

void allocations_watch(bool on)
{
    counted = on;
}

static void check(size_t size)
{
    if (!counted || size <= BYTES_MAX) return;
    counted = false;
    fuzz_wrong("asks for %zu bytes", size);
}

void *__wrap_malloc(size_t size)
{
    check(size);
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
    check(size && count > SIZE_MAX / size ? SIZE_MAX : count * size);
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *array, size_t size)
{
    check(size);
    return __real_realloc(array, size);
}

int __wrap_posix_memalign(void **array, size_t alignment, size_t size)
{
    check(size);
    return __real_posix_memalign(array, alignment, size);
}
