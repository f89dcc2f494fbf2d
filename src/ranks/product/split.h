/* A distributed matrix, ready for products: the plan of the exchange, and this rank's rows as two matrices.
 * The local one has the entries that multiply the rank's own elements of x, the remote one those that
 * multiply its halo. */
#ifndef SPARSIGHT_RANKS_PRODUCT_SPLIT_H
#define SPARSIGHT_RANKS_PRODUCT_SPLIT_H

#include <stdint.h>

#include "base/error.h"
#include "formats/pool.h"
#include "matrix/csr.h"
#include "ranks/product/plan.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Free with split_free, which takes {0}. It must not be moved: the pools point to its matrices. */
struct split {
    const struct ranks *ranks; /* the caller's, like the share */
    const struct share *share;
    struct plan plan;
    struct csr local;   /* all own rows; column 0 is the first own element of x */
    struct csr remote;  /* the own rows with such entries, or all rows; column h is element h of the halo */
    int32_t *row;       /* the own row of each row of `remote`; NULL if it has all */
    struct pool stored; /* the storages of `local` */
    struct pool beyond; /* those of `remote` */
};

/* Make the split. Collective. Beside the result it temporarily takes 4 bytes an entry; STATUS_LIMIT on all
 * ranks if that is more than `limit` bytes on one of them (0: the default of memory_check), STATUS_MEMORY.
 * *split is {0} then. O(entries). */
enum status split_make(const struct ranks *ranks, const struct share *share, size_t limit,
                       struct split *split, struct error *error);

/* Write the columns of the share's entries, renumbered among the own elements of x followed by the halo, to
 * col[0 .. own entries - 1]. STATUS_MEMORY. */
enum status split_columns(const struct split *split, int32_t *col, struct error *error);

/* The elements of x that this rank owns. */
static inline int64_t split_own(const struct split *split)
{
    return split->plan.last - split->plan.first;
}

void split_free(struct split *split);

#endif
