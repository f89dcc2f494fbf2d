#include "support/allocations.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/guard.h"

/* The value of each byte of a new guarded block. An index of such bytes is outside of every array. */
#define UNSET 0xa5

static atomic_llong bytes, blocks, peak, guarded;

void allocations_begin(void)
{
    bytes = blocks = peak = guarded = 0;
}

struct allocations allocations_now(void)
{
    return (struct allocations){bytes, blocks, peak, guarded};
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *data, size_t size);
int __real_posix_memalign(void **data, size_t alignment, size_t size);
void __real_free(void *data);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *data, size_t size);
int __wrap_posix_memalign(void **data, size_t alignment, size_t size);
void __wrap_free(void *data);

size_t __real_malloc_usable_size(void *data);
size_t __wrap_malloc_usable_size(void *data);

size_t __wrap_malloc_usable_size(void *data)
{
    return guard_owns(data) ? guard_size(data) : __real_malloc_usable_size(data);
}

/* Note a new block. */
static void *note(void *data)
{
    if (!data) return NULL;
    long long size = (long long)__wrap_malloc_usable_size(data), now = atomic_fetch_add(&bytes, size) + size;
    atomic_fetch_add(&blocks, 1);
    atomic_fetch_add(&guarded, guard_owns(data));
    for (long long before = peak; now > before && !atomic_compare_exchange_weak(&peak, &before, now);)
        ;
    return data;
}

/* Note that a block is freed. */
static void forget(void *data)
{
    if (!data) return;
    atomic_fetch_sub(&bytes, (long long)__wrap_malloc_usable_size(data));
    atomic_fetch_sub(&blocks, 1);
    atomic_fetch_sub(&guarded, guard_owns(data));
}

void *__wrap_malloc(size_t size)
{
    void *data = guard_take(size);
    if (data) memset(data, UNSET, size);
    return note(data ? data : __real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    size_t all;
    void *data = __builtin_mul_overflow(count, size, &all) ? NULL : guard_take(all);
    return note(data ? data : __real_calloc(count, size));
}

/* The end of a guarded block is fixed. Its size therefore decides where it begins, whatever the alignment. */
int __wrap_posix_memalign(void **data, size_t alignment, size_t size)
{
    void *guarded_block = guard_take(size);
    if (guarded_block) {
        *data = note(memset(guarded_block, UNSET, size));
        return 0;
    }
    int code = __real_posix_memalign(data, alignment, size);
    if (code == 0) note(*data);
    return code;
}

/* Guarded blocks always move when they are resized. A block becomes guarded when it grows. */
static void *move(void *data, size_t size)
{
    size_t before = data ? __wrap_malloc_usable_size(data) : 0;
    void *moved = __wrap_malloc(size);
    if (!moved || !data) return moved;
    memcpy(moved, data, before < size ? before : size);
    __wrap_free(data);
    return moved;
}

/* A block that could not grow stays unchanged. */
void *__wrap_realloc(void *data, size_t size)
{
    if (guard_is_on() || guard_owns(data)) return move(data, size);
    long long before = data ? (long long)__wrap_malloc_usable_size(data) : 0;
    void *moved = __real_realloc(data, size);
    if (!moved) return NULL;
    atomic_fetch_sub(&bytes, before);
    if (before) atomic_fetch_sub(&blocks, 1);
    return note(moved);
}

void __wrap_free(void *data)
{
    forget(data);
    if (guard_owns(data))
        guard_give_back(data);
    else
        __real_free(data);
}
