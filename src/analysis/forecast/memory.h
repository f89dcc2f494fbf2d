/* The traffic of a product between the caches and the memory of a GPU: forecast from the requests of some
 * warps, without running it. */
#ifndef SPARSIGHT_ANALYSIS_FORECAST_MEMORY_H
#define SPARSIGHT_ANALYSIS_FORECAST_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/forecast/excerpt.h"
#include "analysis/forecast/reuse.h"
#include "analysis/warps/coalescing.h"
#include "base/error.h"
#include "base/job.h"
#include "kernels/gpu/profile.h"
#include "kernels/gpu/trace.h"
#include "kernels/kernel.h"

/* The forecast of one product. Only its launches are counted, not clearing y before them. */
struct memory_traffic {
    bool there;                  /* false if there is no forecast: then nothing below is meaningful */
    double misses[OPERANDS];     /* sectors that loads request from L2 because L1 lacks them */
    double served;               /* of the requests that warps wait for, the share of which L1 has all
                                    sectors */
    double sectors[OPERANDS];    /* sectors requested from L2: `misses`, stores, reductions and atomics */
    double reads[OPERANDS];      /* bytes read from the GPU's memory if L2 is empty at first */
    double writes;               /* bytes written to that memory until the product ends, if L2 is empty at
                                    first */
    double warm_reads[OPERANDS]; /* bytes read and written after a run of the same product, whose data may
                                    remain in L2 */
    double warm_writes;
    double stays; /* L2 keeps touched data for this share of the product's time; 1: throughout */
};

/* The reuse of x and y, shared by kernels with the same order of rows. Start with {.a = the matrix}; for a
 * matrix with only an excerpt `a` has the offsets of its rows. Free with memory_reuse_free. */
struct memory_reuse {
    const struct csr *a;
    const struct excerpt *excerpt; /* the caller's; NULL: `a` has all entries */
    bool there[2]; /* the reuse of x in the order of the rows is known, for elements of 4 and of 8 bytes */
    struct reuse x[2];
    int32_t *order; /* the last other order of the rows; NULL if there was none */
    int size;       /* of the elements in this order */
    struct reuse ordered_x, ordered_y;
    /* For products other than y = A x (analysis/forecast/products.h), in the order of the rows: the reuse of
     * elements of this number of bytes; 0: unknown yet. */
    int several_size;
    struct reuse several;
    int added_wide;       /* the width in bytes of elements of the transposed Y in added_most */
    int64_t added_padded; /* padding up to this row length is added, too; 0: none */
    double added_most;    /* the largest number of additions to a line of the transposed Y */
};

void memory_reuse_free(struct memory_reuse *reuse);

struct memory_options {
    const struct gpu *gpu;
    const struct coalescing *coalescing; /* the requests of the launch */
    struct memory_reuse *reuse;          /* the caller's */
    uint64_t seed;
    double budget; /* see struct windows_options */
    double times;  /* the number of equal parts of the product of which the launch computes one, because its
                      matrix is an excerpt; 0 means 1. `coalescing` is that of the product */
};

/* Forecast a launch that was prepared for an estimate. The model:
 *
 * L1       Windows of some multiprocessors (analysis/forecast/windows.h) give, for each operand, the share of
 *          its load sectors that hit L1. Stores, reductions and atomics bypass it.
 * L2       keeps the data touched within the last T. T is the largest time for which the data touched within
 *          T fits, on average (analysis/forecast/reuse.h). L2 fetches 64 bytes at a time. Loads that advise
 *          it to evict their data first occupy nothing.
 * arrays   are known from the windows: a line of 128 bytes occupies L2 from its first touch until T after its
 *          last one. L2 has a copy of data that a multiprocessor reads in its home partition and one in the
 *          partition of that multiprocessor; with p partitions these are 2 - 1/p copies on average. If the
 *          data in use exceeds L2, not all of it is lost (`lost` in memory.c).
 * x        is known from the whole matrix: all partitions have a copy of it.
 * y        is known from the windows if rows are processed in order, and else from the whole matrix. It is
 *          read if it is added to, and if a part of a granule is written that L2 no longer has. Written data
 *          goes to memory T later, if the product still runs then.
 *
 * If the same product ran before and everything fits, nothing is read. Otherwise arrays are read as if L2
 * were empty, and of x the part that was not touched within T.
 *
 * If the launch does a part of the product, its windows use correspondingly fewer multiprocessors: each has
 * as many warps at a time as in the whole product. x, and y in another order of the rows, are known for the
 * whole matrix from the columns of the excerpt.
 *
 * Only L1_DRAWN was fitted, and the choice among models of lost lines; data/README.md names the counters.
 * O(nnz) once for each order of the rows, and the windows: all kernels of a matrix together take some ten
 * products on the processor. STATUS_MEMORY, STATUS_CANCELLED. */
enum status memory_forecast(const struct launch *launch, const struct memory_options *options,
                            struct memory_traffic *traffic, struct progress *progress, struct error *error);

/* The sum over all operands. */
double memory_sum(const double of[OPERANDS]);

#endif
