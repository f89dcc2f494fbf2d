/* The communication of a distributed product y = A x. Each part owns rows of A, and the elements of x and y
 * that belong to them (partition_column_owner). Before it multiplies, it receives its halo: the elements of x
 * that its entries need and other parts own, each element once.
 *
 * If the entries are partitioned (2D), this is the expand phase. The fold phase follows the multiplication:
 * each part sends, for each of its rows with an element of y that another part owns, its sum to that part
 * (Hendrickson, Leland and Plimpton, Int. J. High Speed Comput. 7, 1995; Catalyurek and Aykanat, Proc. IPDPS
 * 2001). So if lambda parts have entries of a column, its element of x is sent to lambda - 1 of them if its
 * owner is one of them, and to lambda otherwise; for rows and y alike. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_HALO_H
#define SPARSIGHT_ANALYSIS_PARTS_HALO_H

#include <stddef.h>
#include <stdint.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

/* The messages of a part with other parts of its node. */
struct halo_near {
    int64_t receives, sends; /* elements */
    int32_t from, to;        /* parts */
};

/* One part. */
struct halo_part {
    int64_t rows, entries; /* its rows are those whose elements of y it owns */
    int64_t remote;        /* entries that multiply an element of x that another part owns */
    int64_t boundary;      /* rows with such an entry */
    int64_t receives;      /* elements of x in its halo, and sums of elements of y */
    int64_t folds;         /* these sums */
    int64_t sends;         /* elements that others receive from it, counted once for each receiver */
    int32_t from, to;      /* messages that it receives, and that it sends */
    int64_t first, last;   /* the messages to it: pairs first .. last - 1 of the halo */
    int64_t middle;        /* those from here on fold; in 1D it is `last` */
    struct halo_near near; /* its messages within its node (halo_nodes) */
};

/* A message: this number of elements of x, or of y, goes from one part to another. */
struct halo_pair {
    int32_t from, to;
    int64_t elements;
};

/* All parts. Owned; free with halo_free, which takes {0}. */
struct halo {
    int64_t parts;
    struct halo_part *part;
    struct halo_pair *pairs; /* by receiver, then x before y, then by sender; `messages` of them */
    int64_t messages;
    int node;                        /* parts of a node, for which `near` was counted; 0: it was not */
    int64_t volume;                  /* elements that all parts receive: expand + fold */
    int64_t expand, fold;            /* those of x, and those of y */
    int64_t cut;                     /* entries of all that multiply an element of another part */
    int64_t largest_halo;            /* maximum of the elements that one part receives */
    int64_t largest_send;            /* maximum of the elements that one part sends */
    int64_t most_messages;           /* maximum of the messages that one part sends */
    int64_t most_neighbours;         /* maximum of the parts that one part receives from or sends to */
    int64_t most_rows, most_entries; /* maximum of one part */
    double imbalance;                /* most_entries / (entries / parts); 1 without entries */
};

/* Count the halo of each part. Parallel over parts; O(nnz + rows + parts), and 4 bytes a column and 8 a part
 * for each thread; in 2D another 8 bytes an entry, and O(nnz log row length). The result does not depend on
 * the number of threads. STATUS_LIMIT if the messages take more memory than `limit` (0: the default of
 * memory_check) leaves, STATUS_MEMORY, STATUS_CANCELLED; on failure *halo is {0}. */
enum status halo_count(const struct csr *a, const struct partition *partition, size_t limit,
                       struct progress *progress, struct halo *halo, struct error *error);
void halo_free(struct halo *halo);

/* Complete a halo whose parts were counted one by one: `messages`, and of each part the rows, entries, remote
 * entries, boundary rows, received elements and sums, senders and the range of its messages. This computes
 * the numbers of sent elements and the totals, which were 0; the matrix has nnz entries. STATUS_MEMORY. */
enum status halo_add_up(struct halo *halo, int64_t nnz, struct error *error);

/* Count the messages, `pairs`, within nodes, if part p is on node p / node: `near` of all parts. O(messages).
 */
void halo_nodes(struct halo *halo, const struct halo_pair *pairs, int node);

/* Add up the messages of tiles of `step` parts: elements[t tiles + f] becomes the number of elements that
 * parts t step .. (t + 1) step - 1 receive from parts f step .. (f + 1) step - 1. tiles x tiles elements
 * cover all parts. O(messages + tiles^2). */
void halo_tiles(const struct halo_pair *pairs, int64_t messages, int64_t step, int tiles, int64_t *elements);

#endif
