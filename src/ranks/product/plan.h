/* The plan of the ranks' exchange for a product y = A x. If the matrix is square, a rank owns the elements of
 * x that belong to its rows; else columns are cut into nearly equal runs (partition_column_owner). The other
 * elements that its entries multiply are its halo, which the owners send before each product. */
#ifndef SPARSIGHT_RANKS_PRODUCT_PLAN_H
#define SPARSIGHT_RANKS_PRODUCT_PLAN_H

#include <stdint.h>

#include "analysis/parts/halo.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* The message to, or from, one other rank: this number of elements, from `first` on in the send list, or in
 * the halo. */
struct message {
    int rank;
    int64_t first, count;
};

/* A rank's plan. Owned; free with plan_free, which takes {0}. */
struct plan {
    int64_t first, last; /* this rank owns the elements first .. last - 1 of x */
    int64_t halo;        /* elements that it receives */
    int32_t *col;        /* their columns, ascending, so that those of an owner are contiguous */
    struct message *from;
    int senders;
    int64_t sends; /* elements that it sends, counted once for each receiver */
    int32_t *sent; /* the indices of these among its own elements, counted from `first` */
    struct message *to;
    int receivers;
    int64_t remote;   /* entries of its rows that multiply an element of the halo */
    int64_t boundary; /* rows with such an entry */
};

/* Make the plan. Collective; O(entries + columns / 64) time, and 12 bytes for each 64 columns beside the
 * plan. STATUS_MEMORY on all ranks if it is short on one, and *plan is {0} then. */
enum status plan_make(const struct ranks *ranks, const struct share *share, struct plan *plan,
                      struct error *error);

/* Count the exchange of all ranks, with the numbers of halo_count for the whole matrix. Collective; free with
 * halo_free. STATUS_MEMORY on all ranks. */
enum status plan_halo(const struct ranks *ranks, const struct share *share, const struct plan *plan,
                      struct halo *halo, struct error *error);

/* Write the range of elements of x that rank r owns: *first to *last - 1. */
void plan_columns(const struct ranks *ranks, const struct share *share, int r, int64_t *first, int64_t *last);

void plan_free(struct plan *plan);

#endif
