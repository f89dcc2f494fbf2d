/* Memory that is used again for one large array after the other: the system clears each page that it gives,
 * which takes about as long as writing an array once. */
#ifndef SPARSIGHT_BASE_PAGES_H
#define SPARSIGHT_BASE_PAGES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

#define PAGES_BLOCKS 8

/* Start with {0}. For one thread at a time. */
struct pages {
    struct {
        void *data;
        size_t bytes;
        bool taken;
    } block[PAGES_BLOCKS];
    int count;
};

/* Return `bytes` bytes of any content, from a returned block if one is large enough. NULL without memory.
 * Before a new large block is allocated, unused blocks that are too small are freed, so that the cache does
 * not exceed the needs of two consecutive users. The caller gives it back with pages_give. */
void *pages_take(struct pages *pages, size_t bytes, struct error *error);

/* Give the pages back. Takes NULL. */
void pages_give(struct pages *pages, void *data);

/* Free all blocks that are not taken; if all were given back, no block remains. */
void pages_rest(struct pages *pages);

#endif
