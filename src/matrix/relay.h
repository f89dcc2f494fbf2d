/* Hands the entries of a matrix over block by block, for analyses that do not keep them: the matrix may be
 * larger than memory.
 *
 * Several threads gather the entries of one block each, and then hand them over:
 *
 *     any        several threads at once, for what does not depend on the order of entries: counts, maxima;
 *                a few entries at a time, while they are in the cache, and of blocks that fail later, too
 *     stage 0    one block at a time, in the order of the blocks, so that sums of reals are the same with
 *     stage 1    any number of threads. Each stage has its own turns: block k may be in stage 0 while block
 *     ...        k - 1 is in stage 1.
 *
 * Each block is read once. The mirror images of symmetric kinds are handed over, too. Duplicates are not
 * summed, since the positions are not stored: they are handed over as listed. In a list sorted by rows or by
 * columns they are adjacent, and are counted. */
#ifndef SPARSIGHT_MATRIX_RELAY_H
#define SPARSIGHT_MATRIX_RELAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/build.h"

/* Entries as plain arrays. */
struct entries {
    int64_t count;
    const int32_t *row, *col;
    const double *val, *imaginary; /* imaginary is NULL unless the matrix is complex */
    bool ascend; /* they are in order, row by row, and no two have the same position; false: unknown */
};

#define STREAM_STAGES 3

/* Facts on the list of entries, found while it is handed over. */
struct stream_found {
    int64_t stored;   /* entries that the source gave */
    int64_t entries;  /* entries that were handed over: with mirror images, without dropped zeros */
    int64_t dropped;  /* zeros that were not handed over */
    bool ascending;   /* the list ascends by rows or by columns */
    int64_t repeated; /* entries at the position of the one before them in the list; if it ascends, these are
                         all duplicates */
    bool both_sides;  /* a symmetric file has entries on both sides of the diagonal */
};

/* A receiver of entries that are not kept; its functions get `self`. */
struct taker {
    void *self;
    bool always;      /* it takes the entries of all matrices, also of those that fit in memory */
    bool drop_zeros;  /* zeros are not handed over */
    int64_t expected; /* number of entries that the source states, with or without mirror images; 0:
                         unknown */
    /* Prepare for a matrix of this source's size, whose entries this number of threads will hand over. It is
     * called once before all others. */
    enum status (*begin)(void *self, const struct source *source, int threads, struct error *error);
    /* Take some entries of any block on thread number `thread`; several threads call it at once. */
    void (*any)(void *self, int thread, const struct entries *entries);
    /* Take the entries of the next block. */
    void (*stage[STREAM_STAGES])(void *self, const struct entries *entries);
    /* These two are results. */
    bool chosen; /* the matrix is not kept */
    struct stream_found found;
};

/* Hand over all entries of the source that build_csr would keep. If several blocks fail, the error is that of
 * the first. Progress counts blocks. STATUS_MEMORY, STATUS_CANCELLED; the errors of begin. */
enum status stream_source(const struct source *source, struct progress *progress, struct error *error);

/* The same in single steps, for a source that cannot produce blocks on request. relay_open comes first; then
 * each of `threads` threads gathers the entries of a block by relay_gather, and hands them over by
 * relay_hand. All blocks from 0 on must be handed over, each once, and the blocks of one thread in ascending
 * order. A block with `whole` false has failed: neither it nor any later block is handed over. */
struct relay;
enum status relay_open(const struct source *source, int threads, struct relay **relay, struct error *error);
enum status relay_gather(struct relay *relay, int thread, const struct entries *entries, struct error *error);
void relay_hand(struct relay *relay, int thread, int64_t k, bool whole);

/* Fill in source->taker->found, and free everything. Takes NULL. */
void relay_close(struct relay *relay);

/* Fill in the results of building such a source after its entries were handed over: *a has only its sizes,
 * and *result the facts on the list. */
void stream_result(const struct source *source, struct csr *a, struct build_result *result);

#endif
