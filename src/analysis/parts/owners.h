/* The owners of a picture's dots: the part that owns their entries, and whether these entries need elements
 * of x that other parts own. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_OWNERS_H
#define SPARSIGHT_ANALYSIS_PARTS_OWNERS_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/partition.h"
#include "analysis/sizes.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"
#include "matrix/slab.h"

/* The owner of a dot: OWNER_NONE if it has no entry, OWNER_SEVERAL if no part owns more than half
 * of its entries, and else owner_mark of that part. */
enum { OWNER_NONE = -1, OWNER_SEVERAL = -2 };

/* `remote`: at least half of the entries of the dot multiply an element of x that belongs to another part
 * than they. */
static inline int32_t owner_mark(int32_t part, bool remote)
{
    return 2 * part + remote;
}

/* Decode a mark >= 0: its part, and whether it is remote. */
static inline int32_t owner_part(int32_t mark)
{
    return mark / 2;
}

static inline bool owner_is_remote(int32_t mark)
{
    return mark % 2 == 1;
}

/* marks[y wide + x] becomes the mark of dot (y, x). Parallel over rows of dots; O(entries in the picture +
 * rows in it log len), twice, and 32 bytes a dot of a row for each thread. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status owners_of_dots(const struct csr *a, const struct partition *partition,
                           const struct size_dots *dots, struct progress *progress, int32_t *marks,
                           struct error *error);

/* The entries of a dot while they are counted. Entries of different parts are removed in pairs. If one part
 * has more than half of the entries, its entries remain (Boyer and Moore, "MJRTY: a fast majority vote
 * algorithm", 1991). A second pass counts them, since the remaining part need not have the majority. */
struct owner_vote {
    int32_t part;
    int64_t left;   /* entries of `part` that were not removed */
    int64_t own;    /* entries of `part` in the second pass */
    int64_t all;    /* entries */
    int64_t remote; /* those that need an element of another part */
};

/* Count the slab's entries in row y of dots into votes[0 .. wide-1], which start at 0; `again` in the second
 * pass. Between the passes the votes of all slabs are joined, so that they agree on `part`; afterwards their
 * `own` are added. It stops early if the progress is cancelled. */
void owners_vote(const struct slab *slab, const struct partition *partition, const struct size_dots *dots,
                 int y, bool again, struct progress *progress, struct owner_vote *votes);

/* Join the votes of two slabs for a dot after the first pass: entries of different parts are removed in
 * pairs. */
void owner_vote_join(struct owner_vote *vote, const struct owner_vote *other);

/* Return the mark of a dot after the second pass. */
int32_t owner_vote_mark(const struct owner_vote *vote);

#endif
