/* Memory for work that is only faster with more of it. */
#ifndef SPARSIGHT_BASE_MEMORY_SHARE_H
#define SPARSIGHT_BASE_MEMORY_SHARE_H

#include <stddef.h>

/* Return `bytes`, or this part of the limit of memory_hold (base/memory.h) if that is less. */
size_t memory_share(size_t bytes, size_t part);

#endif
