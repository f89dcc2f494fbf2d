/* The plan of a triangular solve on a GPU: the rows in the order of their levels, in arrays that warps read.
 * It is made on the host, without a GPU.
 *
 * Each row has a place, and the kernels number x by places. Place 0 has no row, and its x is always 0;
 * padding refers to it. A warp takes a slice of 32 / lanes rows, and `lanes` threads add the terms of one:
 * few for short rows, and many for long ones. The entries of a slice lie in steps of 32, one for each thread
 * (SELL; Kreutzer and others, SIAM J. Sci. Comput. 36, 2014):
 *
 *     entry k of the row of group g      step k / lanes, thread g * lanes + k % lanes
 *
 * The levels are divided into phases, which follow each other. In a wide phase each level begins with a slice
 * of its own, so that the rows of a warp never need each other. In a narrow phase, whose levels have few
 * rows, a block solves a segment of successive levels in its shared memory.
 *
 * A row with more than TRIPLAN_STEPS steps is cut: pieces of it have places of their own, where x is a sum of
 * terms, and the row adds their x. Pieces have the terms of the first levels, so that the row waits no
 * longer. */
#ifndef SPARSIGHT_KERNELS_CUDA_TRISOLVE_PLAN_H
#define SPARSIGHT_KERNELS_CUDA_TRISOLVE_PLAN_H

#include "kernels/trisolve/trisolve.h"

#define TRIPLAN_STEPS 32

/* The value of `row` at a place without a row: padding, or a piece of a row. */
#define TRIPLAN_PADDING (-1)
#define TRIPLAN_PIECE (-2)

struct triplan_options {
    enum triangle triangle;
    bool both;   /* rows also add the terms of the other triangle, with the old x: the first half of SymGS */
    int lanes;   /* threads per row: a power of two up to 32; 0: by the terms of each row */
    int terms;   /* maximum terms per thread, for rows with less than 32 times as many; 0: by the rows of a
                    level */
    int threads; /* of a block that solves a segment: a multiple of 32 */
    size_t narrow; /* maximum bytes of a narrow level as a segment of its own; 0: no level is narrow */
    size_t shared; /* maximum bytes of shared memory of a segment; at least `narrow` */
};

/* A slice has 32 >> shift rows, at successive places. */
struct triplan_slice {
    int32_t place, shift; /* the first place; lanes = 1 << shift */
    int32_t begin, end;   /* steps of its fresh entries */
};

/* The entries of slices. Those of slice s are col[32 * ptr[s]] .. col[32 * ptr[s + 1] - 1]. */
struct triplan_entries {
    int32_t *ptr; /* slices + 1 */
    int32_t *col;
    double *val;
};

/* Successive narrow levels. Shared memory holds x and 1 / diagonal of the segment's rows, and its own
 * entries, whose columns are rows of the segment. The entries of its slices are all others. */
struct triplan_segment {
    int32_t slice, slices; /* the first slice, and the number of slices */
    int32_t place, rows, levels, entries;
    int32_t shift;       /* 1 << shift threads add the own entries of a row */
    int32_t threads;     /* number of threads that solve; a multiple of 32 */
    int64_t first_start; /* it has rows + 1 elements of `start` from here on, */
    int64_t first_level; /* levels + 1 elements of `level`, */
    int64_t first_entry; /* and `entries` elements of own_col and own_val */
};

struct triplan_phase {
    bool narrow;
    int64_t first, end;             /* slices; of a narrow phase segments */
    int64_t first_level, end_level; /* elements of level_slice; of a wide phase only */
};

/* The caller frees the arrays by triplan_free, which accepts {0}. */
struct triplan {
    int threads; /* as in the options */
    int64_t rows, pieces, levels;
    int64_t slices, places;
    struct triplan_slice *slice; /* slices */
    int32_t *row;                /* for each place the row, or TRIPLAN_PADDING, or TRIPLAN_PIECE */
    double *inverse;             /* for each place 1 / diagonal; -1 for a piece, so that its x is the sum */
    double *diagonal;            /* for each place; only with `both` */
    /* Columns are the places of new x. With `both`, the column ~p is place p, a piece of old terms. */
    struct triplan_entries fresh;
    /* With `both`, the entries of the other triangle. Columns are those of the matrix; -1 is padding. */
    struct triplan_entries old;
    struct triplan_phase *phases;
    int64_t *level_slice; /* the first slice of each wide level; then the end of its phase */
    struct triplan_segment *segments;
    uint16_t *start;   /* for each row of a segment its first own entry; then the number of own entries */
    uint16_t *level;   /* for each level of a segment its first row; then the number of rows */
    uint16_t *own_col; /* a row of the segment */
    double *own_val;
    int64_t phase_count, segment_count, level_slices;
    int64_t starts, level_starts, own_entries;
    size_t shared; /* bytes of the largest segment */
};

/* Return the bytes of shared memory of a segment: x of its rows, values, columns, and the beginnings of rows
 * and levels. */
static inline size_t triplan_segment_bytes(int64_t rows, int64_t entries, int64_t levels)
{
    return (size_t)(8 * rows + 8 * entries + 2 * (entries + rows + levels + 2));
}

/* Make the plan. STATUS_UNAVAILABLE if it has too many places for 32-bit numbers; STATUS_MEMORY,
 * STATUS_CANCELLED. O(nnz + rows). */
enum status triplan_make(const struct trisolve_parts *parts, const struct triplan_options *options,
                         struct progress *progress, struct triplan *plan, struct error *error);
void triplan_free(struct triplan *plan);
/* Set the arrays to NULL without freeing them, after another owner has taken them. */
void triplan_forget(struct triplan *plan);

#endif
