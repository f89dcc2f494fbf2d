/* CSR cut into pieces, over each of which a block of threads sweeps: it keeps a sum for each row of a band in
 * shared memory, and processes the entries of these rows in the order of their columns. C and C++ both
 * include this.
 *
 *     rows a band: the number of rows whose sums fit in shared memory
 *     entries those of a band, sorted by column; cut into pieces of equal numbers of entries
 *     rounds a piece is processed in rounds; in each round each thread of a block takes an entry
 *
 * In a matrix whose columns are scattered, a warp that goes along rows loads a sector of x for each entry.
 * Here its 32 entries have columns near each other, and several of them share a sector: 32 entries of R-MAT
 * with 16 an edge lie in 5 sectors of 4 elements.
 *
 * No two entries of a round have the same sum, so that sums need no atomic addition, and their order is
 * always the same. An entry whose sum is already used in a round waits for a later one. A row with more
 * entries than rounds has several sums, its copies, which are added up at the end. If a band has several
 * pieces, each stores its sums of the band's rows in memory, and a second launch adds them.
 *
 * Ordering entries by blocks of columns for a cache is an old idea (Nishtala, Vuduc, Demmel, Yelick, "When
 * cache blocking of sparse matrix vector multiply works and why", AAECC 18, 2007); rounds are our own. */
#ifndef SPARSIGHT_KERNELS_CUDA_SWEEPS_H
#define SPARSIGHT_KERNELS_CUDA_SWEEPS_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "formats/format.h"

#define SWEEP_LANES 32     /* entries of a group, which a warp processes at once */
#define SWEEP_NONE 0xffffu /* the sum of a slot without an entry */
#define SWEEP_SUMS_MAX 0xffff
#define SWEEP_JOIN 256 /* number of rows whose sums a block adds */

/* The work of a block; a sector of 32 bytes. */
struct sweep_piece {
    int64_t group;    /* its groups begin with this one */
    int32_t rounds;   /* number of rounds; each warp of a block takes a group in each */
    int32_t row;      /* the first row of its band, and */
    int32_t rows;     /* number of rows of the band */
    int32_t copies;   /* its rows with copies begin with this element of `copies`, and */
    int32_t copied;   /* number of rows with copies */
    int32_t partials; /* index of its sums in the memory for bands with several pieces; -1: they go to y */
};

/* A row of a piece with several sums: its own, number `sum`, and `count` copies from number `first` on. */
struct sweep_copy {
    int32_t sum, first, count, unused;
};

/* Return the number of the sum of row r of a band. 32 consecutive rows have 32 consecutive sums, in an order
 * that changes from one 32 to the next. Rows a power of two apart, which have the most entries in generated
 * graphs, then have no bank conflicts. */
#ifdef __CUDACC__
__host__ __device__
#endif
    static inline int32_t
    sweep_sum(int32_t r)
{
    return r ^ ((r >> 5 ^ r >> 10) & 31);
}

/* Rows whose sums are in several pieces: element i < rows of y from `row` on is the sum of the elements
 * partials + i + k stride, k < pieces. The struct is a sector of 32 bytes. */
struct sweep_join {
    int32_t row, rows, partials, stride, pieces, unused[3];
};

/* The tables, on the host as they are made, or in the memory of a device. The struct owns those on the host.
 */
struct sweeps {
    /* Element 32 g + l is for lane l of group g: its lower 16 bits are the column of the entry, counted from
     * bases[g], its upper 16 bits the number of its sum, SWEEP_NONE without an entry. Row r of a band has sum
     * sweep_sum(r); copies come after the sums of all rows. Lanes whose sums share a bank of shared memory
     * are distributed over the halves or quarters of a warp that are served together. */
    uint32_t *places;
    int32_t *bases; /* the smallest column of each group */
    void *values;   /* element 32 g + l: the entry's value, 0 if there is none; NULL for an outline */
    struct sweep_piece *pieces; /* those with many entries first */
    struct sweep_copy *copies;
    struct sweep_join *joins;
    int64_t groups;
    int32_t count, copied, joined; /* numbers of pieces, of rows with copies, and of joins */
    int32_t sums;                  /* maximum sums of a piece */
    int64_t partials;              /* sums that pieces leave for joins */
};

/* Parameters of the tables. */
struct sweep_plan {
    int64_t sums;        /* maximum number of sums of a block, at most SWEEP_SUMS_MAX */
    int threads;         /* of a block; a multiple of 32 */
    int each;            /* pieces for each multiprocessor; 0 chooses among 1 to 4 */
    int multiprocessors; /* GPUs have at least one */
    size_t limit;        /* limit in bytes for all tables together; 0: the default of memory_check */
};

/* Make the tables of a matrix stored as CSR. Returns STATUS_MEMORY, STATUS_LIMIT, and STATUS_UNAVAILABLE if
 * slots would be mostly empty: if the entries of rows are close together, so that consecutive entries by
 * column share few sums, or if bands have few entries, whose distance exceeds 16 bits. Nothing is then
 * allocated. Parallel over bands, O(rows + entries). */
enum status sweeps_make(const struct storage *storage, const struct sweep_plan *plan, struct sweeps *sweeps,
                        struct error *error);

void sweeps_free(struct sweeps *sweeps); /* takes {0} */

#endif
