/* Counting the blocks of all sizes with entries in some rows, by stamps. For dense_blocks.c. */
#ifndef SPARSIGHT_ANALYSIS_BLOCK_STAMPS_H
#define SPARSIGHT_ANALYSIS_BLOCK_STAMPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/dense_blocks.h"
#include "matrix/csr.h"

/* A multiple of 1 .. DENSE_BLOCK_MAX: blocks of any size begin at its multiples. */
#define BLOCK_STRETCH 840

/* Element [r][c] is the number of blocks of r x c positions. */
typedef int64_t block_counts[DENSE_BLOCK_MAX + 1][DENSE_BLOCK_MAX + 1];

/* Return the bytes of the stamps for a matrix with this number of columns. They are at most 0.6 MB. */
size_t block_stamps_bytes(int64_t cols);

/* The stamps of a thread. Start with block_stamps_begin. */
struct block_stamps {
    void *table;   /* the caller's: zeroed, of block_stamps_bytes */
    int64_t width; /* columns of the table */
    int64_t used;  /* the largest stamp in the table */
};

struct block_stamps block_stamps_begin(void *table, int64_t cols);

/* Return true if stamps are the fastest way to count the blocks of rows first .. end-1. */
bool block_stamps_help(const struct block_stamps *stamps, const struct csr *a, int64_t first, int64_t end);

/* Add the blocks of rows first .. end-1, at most BLOCK_STRETCH from a multiple of it on, to the counts. O(8
 * entries + rows x columns that they span / 13440). */
void block_stamps_count(struct block_stamps *stamps, const struct csr *a, int64_t first, int64_t end,
                        block_counts counts);

#endif
