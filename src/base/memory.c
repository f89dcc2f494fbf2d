#include "base/memory.h"

#include "config.h"

#if defined HAVE_MALLINFO2 || defined HAVE_MALLOC_TRIM
#    include <malloc.h>
#endif
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/cgroup.h"
#include "base/text.h"

/* Minimum size for huge pages, which cause fewer faults while an array is filled. At least one fits into an
 * array of this size. */
#define LARGE_BYTES ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

/* Arrays of at least this size begin at a cache line, since otherwise each load of 64 bytes would need two
 * lines. */
#define ALIGNED_BYTES ((size_t)512)
#define CACHE_LINE ((size_t)64)

/* Allocations of at least this size check the memory in use; smaller ones only when their sum reaches it. */
#define ASKING_BYTES ((size_t)1 << 20)

static atomic_size_t held_to; /* the limit of memory_hold, or 0 */
static atomic_size_t unasked; /* bytes allocated since the last check */
static atomic_long refusals;

static atomic_long countdown = -1;
static atomic_long failures;

void memory_fail_after(long count)
{
    atomic_store(&failures, 0);
    atomic_store(&countdown, count);
}

long memory_failures(void)
{
    return atomic_load(&failures);
}

static bool must_fail(void)
{
    if (atomic_load_explicit(&countdown, memory_order_relaxed) < 0) return false;
    if (atomic_fetch_sub(&countdown, 1) != 0) return false;
    atomic_fetch_add(&failures, 1);
    return true;
}

bool size_multiply(size_t a, size_t b, size_t *product)
{
    if (!__builtin_mul_overflow(a, b, product)) return true;
    *product = SIZE_MAX;
    return false;
}

bool size_add(size_t a, size_t b, size_t *sum)
{
    if (!__builtin_add_overflow(a, b, sum)) return true;
    *sum = SIZE_MAX;
    return false;
}

void memory_hold(size_t limit)
{
    atomic_store(&held_to, limit);
}

long memory_refusals(void)
{
    return atomic_load(&refusals);
}

size_t memory_held(void)
{
#ifdef HAVE_MALLINFO2
    const struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

void memory_trim(void)
{
#ifdef HAVE_MALLOC_TRIM
    malloc_trim(0);
#endif
}

/* True if this number of further bytes exceeds the limit. */
static bool passes_limit(size_t bytes)
{
    size_t limit = atomic_load_explicit(&held_to, memory_order_relaxed), all;
    if (limit == 0) return false;
    if (bytes < ASKING_BYTES) {
        if (atomic_fetch_add_explicit(&unasked, bytes, memory_order_relaxed) < ASKING_BYTES) return false;
    }
    atomic_store_explicit(&unasked, 0, memory_order_relaxed);
    size_add(memory_held(), bytes, &all);
    if (all <= limit || all - limit <= MEMORY_SLACK) return false;
    atomic_fetch_add(&refusals, 1);
    return true;
}

static void refused(size_t count, size_t size, struct error *error)
{
    size_t bytes, limit = atomic_load(&held_to);
    char text[32], allowed[32];
    size_multiply(count, size, &bytes);
    if (limit && passes_limit(bytes < ASKING_BYTES ? ASKING_BYTES : bytes)) {
        error_set(error, STATUS_LIMIT, "%s more would pass the limit of %s; --limit=BYTES sets it",
                  format_bytes(text, sizeof text, (double)bytes),
                  format_bytes(allowed, sizeof allowed, (double)limit));
        return;
    }
    error_set(error, STATUS_MEMORY, "out of memory: no room for %s more",
              format_bytes(text, sizeof text, (double)bytes));
}

static void advise(void *array, size_t bytes)
{
    if (bytes < LARGE_BYTES) return;
    uintptr_t first = ((uintptr_t)array + HUGE_PAGE - 1) & ~(uintptr_t)(HUGE_PAGE - 1);
    uintptr_t last = ((uintptr_t)array + bytes) & ~(uintptr_t)(HUGE_PAGE - 1);
    if (last > first) madvise((void *)first, last - first, MADV_HUGEPAGE);
}

static void *allocate(size_t bytes)
{
    void *array;
    if (bytes < ALIGNED_BYTES) return malloc(bytes ? bytes : 1);
    return posix_memalign(&array, CACHE_LINE, bytes) == 0 ? array : NULL;
}

void *memory_array(size_t count, size_t size, struct error *error)
{
    size_t bytes;
    void *array = NULL;
    if (size_multiply(count, size, &bytes) && !must_fail() && !passes_limit(bytes)) array = allocate(bytes);
    if (!array)
        refused(count, size, error);
    else
        advise(array, bytes);
    return array;
}

void *memory_zeroed(size_t count, size_t size, struct error *error)
{
    size_t bytes;
    void *array = NULL;
    if (size_multiply(count, size, &bytes) && !must_fail() && !passes_limit(bytes))
        array = calloc(bytes ? bytes : 1, 1);
    if (!array)
        refused(count, size, error);
    else
        advise(array, bytes);
    return array;
}

void *memory_for_json(size_t bytes)
{
    return passes_limit(bytes) ? NULL : malloc(bytes);
}

/* The minimum bytes by which an array grows; all of them if the C library does not report its size. */
static size_t more_than(void *array, size_t bytes)
{
#ifdef HAVE_MALLINFO2
    size_t before = array ? malloc_usable_size(array) : 0;
    return bytes > before ? bytes - before : 0;
#else
    return bytes;
#endif
}

void *memory_resize(void *array, size_t count, size_t size, struct error *error)
{
    size_t bytes;
    void *resized = NULL;
    if (size_multiply(count, size, &bytes) && !must_fail() && !passes_limit(more_than(array, bytes)))
        resized = realloc(array, bytes ? bytes : 1);
    if (!resized) refused(count, size, error);
    return resized;
}

char *memory_string(const char *text, struct error *error)
{
    size_t length = strlen(text) + 1;
    char *copy = memory_array(length, 1, error);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static size_t min(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t system_available(void)
{
    char line[256];
    unsigned long long kilobytes;
    FILE *file = fopen("/proc/meminfo", "r");
    if (file) {
        while (fgets(line, sizeof line, file))
            if (sscanf(line, "MemAvailable: %llu kB", &kilobytes) == 1) {
                fclose(file);
                return (size_t)kilobytes * 1024;
            }
        fclose(file);
    }
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    return pages > 0 && page > 0 ? (size_t)pages * (size_t)page : SIZE_MAX;
}

/* Bytes of address space of this process; 0 if unknown. */
static size_t space_used(void)
{
    size_t pages, bytes;
    long page = sysconf(_SC_PAGESIZE);
    FILE *file = fopen("/proc/self/statm", "r");
    if (!file) return 0;
    int read = fscanf(file, "%zu", &pages);
    fclose(file);
    return read == 1 && page > 0 && size_multiply(pages, (size_t)page, &bytes) ? bytes : 0;
}

/* Reading these files takes longer than planning a small storage, which each of many kernels does. In this
 * number of nanoseconds the available memory hardly changes. */
#define FRESH 10000000

/* The memory available from the system and its control groups, at most FRESH nanoseconds old. */
static size_t left_lately(void)
{
    static atomic_llong read_at;
    static atomic_size_t left;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const long long at = now.tv_sec * 1000000000LL + now.tv_nsec;
    const long long before = atomic_load_explicit(&read_at, memory_order_acquire);
    if (before && at - before < FRESH) return atomic_load_explicit(&left, memory_order_relaxed);
    const size_t found = min(system_available(), cgroup_memory_left(""));
    atomic_store_explicit(&left, found, memory_order_relaxed);
    atomic_store_explicit(&read_at, at, memory_order_release);
    return found;
}

size_t memory_available(void)
{
    size_t available = left_lately();
    struct rlimit space;
    if (getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY)
        available = min(available, space.rlim_cur > space_used() ? space.rlim_cur - space_used() : 0);
    return available;
}

size_t memory_limit(size_t limit)
{
    return limit ? limit : memory_available() / 10 * 9;
}

enum status memory_check(size_t bytes, size_t limit, const char *what, struct error *error)
{
    char wanted[32], allowed[32];
    limit = memory_limit(limit);
    if (bytes <= limit) return STATUS_OK;
    return error_set(error, STATUS_LIMIT, "%s needs %s of memory, more than the limit of %s", what,
                     format_bytes(wanted, sizeof wanted, (double)bytes),
                     format_bytes(allowed, sizeof allowed, (double)limit));
}

enum status memory_check_beside(size_t bytes, size_t held, size_t limit, const char *what,
                                struct error *error)
{
    char both[64];
    size_t all;
    if (bytes <= MEMORY_SLACK) return STATUS_OK;
    if (limit == 0) return memory_check(bytes, limit, what, error);
    size_add(bytes, held, &all);
    snprintf(both, sizeof both, "%s, with the matrix,", what);
    return memory_check(all, limit, both, error);
}
