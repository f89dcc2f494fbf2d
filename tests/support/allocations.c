#include "support/allocations.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_llong bytes, blocks, peak;

void allocations_begin(void)
{
    bytes = blocks = peak = 0;
}

struct allocations allocations_now(void)
{
    return (struct allocations){bytes, blocks, peak};
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
void __real_free(void *data);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
void __wrap_free(void *data);

/* Note a block that is there now. */
static void *note(void *data)
{
    if (!data) return NULL;
    long long now =
        atomic_fetch_add(&bytes, (long long)malloc_usable_size(data)) + (long long)malloc_usable_size(data);
    atomic_fetch_add(&blocks, 1);
    for (long long before = peak; now > before && !atomic_compare_exchange_weak(&peak, &before, now);)
        ;
    return data;
}

/* Note that a block goes. */
static void forget(void *data)
{
    if (!data) return;
    atomic_fetch_sub(&bytes, (long long)malloc_usable_size(data));
    atomic_fetch_sub(&blocks, 1);
}

void *__wrap_malloc(size_t size)
{
    return note(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return note(__real_calloc(count, size));
}

/* A block that could not be made larger stays as it was. */
void *__wrap_realloc(void *data, size_t size)
{
    long long before = data ? (long long)malloc_usable_size(data) : 0;
    void *moved = __real_realloc(data, size);
    if (!moved) return NULL;
    atomic_fetch_sub(&bytes, before);
    if (before) atomic_fetch_sub(&blocks, 1);
    return note(moved);
}

void __wrap_free(void *data)
{
    forget(data);
    __real_free(data);
}
