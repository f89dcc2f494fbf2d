#include "base/pages.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"

/* Smaller arrays use the C library, which itself reuses its pages. */
#define LARGE ((size_t)128 << 10)

/* Return the smallest free block that is large enough, or -1. */
static int find_room(const struct pages *pages, size_t bytes)
{
    int best = -1;
    for (int k = 0; k < pages->count; k++)
        if (!pages->block[k].taken && pages->block[k].bytes >= bytes &&
            (best < 0 || pages->block[k].bytes < pages->block[best].bytes))
            best = k;
    return best;
}

void pages_rest(struct pages *pages)
{
    int kept = 0;
    for (int k = 0; k < pages->count; k++) {
        if (pages->block[k].taken)
            pages->block[kept++] = pages->block[k];
        else
            free(pages->block[k].data);
    }
    pages->count = kept;
}

void *pages_take(struct pages *pages, size_t bytes, struct error *error)
{
    if (bytes < LARGE) return memory_array(bytes, 1, error);
    int k = find_room(pages, bytes);
    if (k >= 0) {
        pages->block[k].taken = true;
        return pages->block[k].data;
    }
    pages_rest(pages);
    void *data = memory_array(bytes, 1, error);
    if (!data) return NULL;
    threads_place(data, bytes);
    if (pages->count < PAGES_BLOCKS) {
        pages->block[pages->count].data = data;
        pages->block[pages->count].bytes = bytes;
        pages->block[pages->count++].taken = true;
    }
    return data;
}

void pages_give(struct pages *pages, void *data)
{
    for (int k = 0; k < pages->count && data; k++)
        if (pages->block[k].data == data) {
            pages->block[k].taken = false;
            return;
        }
    free(data);
}
