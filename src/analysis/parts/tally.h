/* The elements of x that the parts of a partition need, counted in the rows of one slab: all rows, or those
 * of one process. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_TALLY_H
#define SPARSIGHT_ANALYSIS_PARTS_TALLY_H

#include <stdint.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/partition.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

/* The rows of each part: part p has row[ptr[p]] .. row[ptr[p+1]-1], ascending, which are rows of the slab.
 * Owned; free with groups_free, which takes {0}. */
struct groups {
    int64_t *ptr;
    int32_t *row;
};

/* STATUS_MEMORY; groups_free accepts the result then, too. */
enum status groups_make(const struct slab *slab, const struct partition *partition, struct groups *groups,
                        struct error *error);
void groups_free(struct groups *groups);

/* The counters of a thread. Owned; free with tally_free, which accepts {0}. */
struct tally {
    int32_t *seen;     /* for each column, the last part that needed it */
    int64_t *elements; /* for each part, the number of its elements that the current part needs */
    int32_t *senders;  /* the parts whose `elements` are not 0; `count` of them */
    int64_t count;
};

enum status tally_start(struct tally *tally, int64_t cols, int64_t parts, struct error *error);
void tally_free(struct tally *tally);

/* Count one more element that the current part needs of `sender`. */
static inline void tally_add(struct tally *tally, int32_t sender)
{
    if (tally->elements[sender]++ == 0) tally->senders[tally->count++] = sender;
}

/* Count the needs of the slab's rows of part p: rows, entries, remote, boundary, and as `receives` the
 * distinct elements, which are written into `found` unless that is NULL, in the order of their first use. The
 * tally, which must be empty, then has the number of elements for each sender. */
void tally_part(const struct slab *slab, const struct partition *partition, const struct groups *groups,
                int64_t p, struct tally *tally, struct halo_part *part, int32_t *found);

/* Append the tally's messages to part p, by ascending senders, and leave it empty. `pairs` has room for
 * tally->count of them. */
void tally_empty(struct tally *tally, int64_t p, struct halo_pair *pairs);

/* A function that is called for a part with an empty tally. It must leave the tally empty unless it fails. */
typedef enum status tally_visit(void *self, int64_t p, struct tally *tally, struct error *error);

/* Call `visit` for each part, in parallel; each thread has its own tally. Returns the error of the first part
 * that fails, STATUS_MEMORY, or STATUS_CANCELLED. */
enum status tally_all(const struct slab *slab, int64_t parts, tally_visit *visit, void *self,
                      struct progress *progress, struct error *error);

#endif
