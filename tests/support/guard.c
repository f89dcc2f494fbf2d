#include "support/guard.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* The address space. Addresses are used only once, so that a freed block never becomes another one. */
#define SPACE ((size_t)1 << 37)

static enum guard guarding;
static char *space;
static size_t *sizes; /* of the block that begins with this page */
static size_t page, pages;
static atomic_size_t used; /* pages */

static void *reserve(size_t bytes, int protection)
{
    void *there = mmap(NULL, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (there == MAP_FAILED) abort();
    return there;
}

void guard_blocks(enum guard guard)
{
    if (!space) {
        page = (size_t)sysconf(_SC_PAGESIZE);
        pages = SPACE / page;
        sizes = reserve(pages * sizeof *sizes, PROT_READ | PROT_WRITE);
        space = reserve(SPACE, PROT_NONE);
        used = 1;
    }
    /* cmocka's own handler would jump out of another thread, or of a child, and then hang. */
    signal(SIGSEGV, SIG_DFL);
    signal(SIGBUS, SIG_DFL);
    guarding = guard;
}

bool guard_is_on(void)
{
    return guarding != GUARD_NONE;
}

/* The pages of a block; one without access follows. */
static size_t pages_of(size_t size)
{
    return (size + page - 1) / page;
}

/* The block ends where its last page does, so that it is aligned as far as its size is divisible by powers
 * of 2: the elements of an array need no more. */
void *guard_take(size_t size)
{
    if (guarding == GUARD_NONE) return NULL;
    if (size == 0) size = 1;
    size_t needed = pages_of(size), first = atomic_fetch_add(&used, needed + 1);
    if (first + needed + 1 > pages) abort();
    char *begin = space + first * page;
    if (mprotect(begin, needed * page, PROT_READ | PROT_WRITE)) abort();
    sizes[first] = size;
    return guarding == GUARD_BEHIND ? begin + needed * page - size : begin;
}

bool guard_owns(const void *block)
{
    return space && (uintptr_t)block - (uintptr_t)space < SPACE;
}

static size_t page_of(const void *block)
{
    return (size_t)((const char *)block - space) / page;
}

size_t guard_size(const void *block)
{
    return sizes[page_of(block)];
}

void guard_give_back(void *block)
{
    size_t first = page_of(block), bytes = pages_of(sizes[first]) * page;
    if (sizes[first] == 0) abort(); /* freed twice, or not a block's beginning */
    sizes[first] = 0;
    if (mmap(space + first * page, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
             -1, 0) == MAP_FAILED)
        abort();
}
