/* Building the canonical CSR from entries that come in any order, in two passes and without a copy of them.
 *
 * A source is asked for its entries block by block, by several threads at once: first for the places alone,
 * which are counted, then for places and values, which are put where they belong. So the only memory needed
 * is the CSR arrays themselves; sources compute (generators) or parse (files) every block twice. */
#ifndef SPARSIGHT_MATRIX_BUILD_H
#define SPARSIGHT_MATRIX_BUILD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

enum symmetry { SYMMETRY_GENERAL, SYMMETRY_SYMMETRIC, SYMMETRY_SKEW, SYMMETRY_HERMITIAN };

/* What to do when an entry is given more than once. */
enum duplicates {
    DUPLICATES_SUM,  /* add them up; three or more in the order of their values, so that the sum is the same
                        for  any number of threads */
    DUPLICATES_KEEP, /* all of them have the same value by construction (generators): keep one */
};

#define SINK_ENTRIES 512

struct build; /* the builder's own state */

/* Where a source puts its entries. One sink a thread; the arrays are the builder's. */
struct sink {
    int count;
    bool values;  /* false in the first pass: then only row is looked at, and col unless general */
    bool complex; /* imaginary is looked at */
    int32_t row[SINK_ENTRIES];
    int32_t col[SINK_ENTRIES];
    double val[SINK_ENTRIES];
    double imaginary[SINK_ENTRIES];
    struct build *build;
    int64_t block;  /* the block being produced */
    int64_t before; /* entries of this block already flushed */
};

void sink_flush(struct sink *sink);

/* Put entry (i, j), 0-based and in range (the source has checked), into the sink. */
static inline void sink_put(struct sink *sink, int32_t i, int32_t j, double val, double imaginary)
{
    if (sink->count == SINK_ENTRIES) sink_flush(sink);
    int k = sink->count++;
    sink->row[k] = i;
    sink->col[k] = j;
    if (sink->values) {
        sink->val[k] = val;
        if (sink->complex) sink->imaginary[k] = imaginary;
    }
}

/* A source of entries. `block` must give the same entries in the same order each time it is called for the
 * same k; it is called by several threads at once, for different k. It may fail only in what it says in
 * *error. */
struct source {
    int64_t rows, cols; /* at most INT32_MAX each */
    int64_t blocks;
    bool complex;
    enum symmetry symmetry; /* other than general: each off-diagonal entry also stands for its mirror image */
    enum duplicates duplicates;
    bool agreeing_mirrors; /* --lenient: an entry and its mirror both given count as one if they agree */
    size_t limit;          /* bytes, for memory_check */
    const char *path;      /* for messages */
    void *self;
    enum status (*block)(void *self, int64_t k, struct sink *sink, struct error *error);
    /* A line of the input for entry number `ordinal` of block k, or 0 if there are no lines. May be NULL. */
    int64_t (*line)(void *self, int64_t k, int64_t ordinal);
    /* Called when block k will not be asked for again, so that a source in memory can free it. May be NULL.
     */
    void (*release)(void *self, int64_t k);
};

/* What building found out. */
struct build_result {
    int64_t stored;     /* entries the source gave */
    int64_t duplicates; /* stored entries that were merged into another (DUPLICATES_SUM only) */
    int64_t
        agreeing_mirrors; /* mirror images given a second time and agreeing (only if the source allows it) */
};

/* Build the canonical CSR of what the source gives. Symmetric sources are expanded. Errors: whatever the
 * source says, first in block order; STATUS_LIMIT before allocating too much; STATUS_INPUT for an entry given
 * together with its mirror image, naming both lines; STATUS_CANCELLED. On failure *a is {0}. Progress: done
 * of total counts blocks, both passes. Cost O(nnz + rows), O(len log len) for an unsorted row. Memory: the
 * CSR arrays of expanded, unmerged entries; no more. */
enum status build_csr(const struct source *source, struct progress *progress, struct csr *a,
                      struct build_result *result, struct error *error);

#endif
