/* The data that sell-compact reads instead of the column indices of SELL. */
#ifndef SPARSIGHT_KERNELS_CPU_SELL_COMPACT_H
#define SPARSIGHT_KERNELS_CPU_SELL_COMPACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/cpu/cpu.h"

/* How the columns of a chunk of SELL are told: the slots of each of its lines, which are entries d of its c
 * rows, have columns base + difference, where base is the lowest of the line's. All lines of a chunk are told
 * alike, in the shortest way that all of them allow. */
enum sell_told {
    SELL_TOLD_IN_ORDER, /* the slots of each line have columns that follow each other: no differences */
    SELL_TOLD_BYTE,     /* differences of 8 bits, */
    SELL_TOLD_SHORT,    /* and of 16 */
    SELL_TOLD_WHOLE,    /* by the columns of SELL; there is no difference, and no base is read */
};
#define SELL_TOLD_KINDS 4

/* The counts of a storage's chunks. */
struct sell_told_counts {
    int64_t chunks[SELL_TOLD_KINDS], lines[SELL_TOLD_KINDS];
    int64_t bytes; /* of all differences; those of a chunk begin at an even one */
};

struct sell_compact {
    const struct loops *loops;
    struct division *division;
    struct sell_told_counts counts;
    int64_t *place; /* of chunk i the differences begin at byte place[i] / 4, and place[i] % 4 is how they are
                       told */
    int32_t *base;  /* of the line with slots e .. e + c-1: base[e / c] */
    uint8_t *difference;
};

/* Count the chunks and bytes of a storage of SELL. O(slots), parallel. */
struct sell_told_counts sell_told_count(const struct storage *storage);

/* Do the same for a storage that is only planned, from rows of the matrix: from all of them, or, where there
 * are many, from some hundred thousand in windows that are sorted as the storage sorts them. STATUS_MEMORY,
 * STATUS_CANCELLED. */
enum status sell_told_estimate(const struct storage *plan, const struct csr *a, struct progress *progress,
                               struct sell_told_counts *counts, struct error *error);

/* The bytes that sell-compact reads of a storage that comes to these counts, without x and y. */
size_t sell_compact_bytes(const struct storage *storage, const struct sell_told_counts *counts);

/* Of all kernels of SELL for the host: the slots of the longest chunk, which one thread does; and whether
 * sums are written around the caches, as they are where rows keep their order. */
int64_t sell_longest_chunk(const struct storage *storage);
bool sell_streams_y(const struct storage *storage);

extern const struct kernel kernel_cpu_sell_omp;

/* What all kernels of SELL for the host are tuned in. */
extern const struct tuning_line cpu_sell_tuning[];

#endif
