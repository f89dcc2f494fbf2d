/* The fragments of rows in a partition of entries (2D): the entries of a row that one part owns. A part
 * multiplies each of its fragments, and sends the sum to the owner of the element of y. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_FRAGMENTS_H
#define SPARSIGHT_ANALYSIS_PARTS_FRAGMENTS_H

#include <stdint.h>

#include "analysis/parts/partition.h"
#include "analysis/parts/tally.h"
#include "base/error.h"
#include "matrix/slab.h"

/* Owned; free with fragments_free, which takes {0}. */
struct fragments {
    struct csr a;   /* row f is fragment f; without values */
    int32_t *owner; /* the owner of each fragment */
    int64_t *first; /* row i of the slab has fragments first[i] .. first[i + 1] - 1, by ascending owner */
    struct groups groups; /* the rows of the slab by the owners of their elements of y */
};

/* Split the rows of a slab, whose entries partition->entry gives to parts. STATUS_LIMIT if there are more
 * than 2^31 - 1 fragments, STATUS_MEMORY; fragments_free accepts the result then, too. */
enum status fragments_make(const struct slab *slab, const struct partition *partition,
                           struct fragments *fragments, struct error *error);
void fragments_free(struct fragments *fragments);

/* Return the fragments as a slab, and in *flat, which borrows, the partition of these rows: the elements of x
 * that its parts need are those of the partition. */
struct slab fragments_slab(const struct fragments *fragments, const struct slab *slab,
                           const struct partition *partition, struct partition *flat);

/* Count the sums that part p receives in the fold: part->folds, and they are added to part->receives;
 * part->rows becomes the number of its elements of y. The tally, which must be empty, then has the number of
 * sums for each sender. */
void fragments_fold(const struct fragments *fragments, int64_t p, struct tally *tally,
                    struct halo_part *part);

#endif
