/* A matrix that is split over ranks, ready for products: the plan of what they exchange, and this rank's
 * rows in two matrices, one of the entries that multiply its own elements of x, and one of those that
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
    const struct ranks *ranks; /* the caller's, and so is the share */
    const struct share *share;
    struct plan plan;
    struct csr local;   /* all own rows; column 0 is the first own element of x */
    struct csr remote;  /* the own rows that have such entries, or all; column h is element h of the halo */
    int32_t *row;       /* which own rows those of `remote` are; NULL if they are all */
    struct pool stored; /* the storages of `local` */
    struct pool beyond; /* those of `remote` */
};

/* Make it. Collective. Beside what it keeps it takes 4 bytes an entry for the time being; STATUS_LIMIT on all
 * ranks if that is more than `limit` bytes on one of them (0: what memory_check takes by itself),
 * STATUS_MEMORY. *split is {0} then. O(entries). */
enum status split_make(const struct ranks *ranks, const struct share *share, size_t limit,
                       struct split *split, struct error *error);

/* Write the columns of the share's entries as they are among own elements of x and, behind these, the halo's:
 * col[0 .. own entries - 1]. STATUS_MEMORY. */
enum status split_columns(const struct split *split, int32_t *col, struct error *error);

/* The elements of x that this rank owns. */
static inline int64_t split_own(const struct split *split)
{
    return split->plan.last - split->plan.first;
}

void split_free(struct split *split);

#endif
