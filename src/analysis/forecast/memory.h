/* What a product moves between the caches and the memory of a GPU: forecast from the requests of some warps,
 * without running it. */
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

/* The forecast of one product. Its launches alone are counted, not what clears y before them. */
struct memory_traffic {
    bool there;                  /* false if there is no forecast, and nothing below means anything */
    double misses[OPERANDS];     /* sectors that loads ask of L2, since L1 does not have them */
    double sectors[OPERANDS];    /* sectors that are asked of L2: these, stores, reductions and atomics */
    double reads[OPERANDS];      /* bytes that are read from the GPU's memory if L2 is empty at first */
    double writes;               /* bytes that are written to it until the product ends, then */
    double warm_reads[OPERANDS]; /* the same two if the same product came before: what is left of it in L2 */
    double warm_writes;
    double stays; /* the share of the product's time for which L2 keeps what was touched; 1 if that is all */
};

/* What is known of how soon x and y are touched again, which kernels that go through the rows in the same
 * order share. Start with {.a = the matrix}; of one that is known by an excerpt `a` has the offsets of its
 * rows. Free with memory_reuse_free. */
struct memory_reuse {
    const struct csr *a;
    const struct excerpt *excerpt; /* the caller's; NULL: `a` has all entries */
    bool there[2];                 /* that of x in the order of the rows, for elements of 4 and of 8 bytes */
    struct reuse x[2];
    int32_t *order; /* another order of the rows, which was looked at last; NULL if there was none */
    int size;       /* of the elements that were looked at in this order */
    struct reuse ordered_x, ordered_y;
    /* For products other than y = A x (analysis/forecast/products.h), in the order of the rows: how soon
     * elements of so many bytes are touched again; 0: nothing is known yet. */
    int several_size;
    struct reuse several;
    int added_wide;       /* lines of the transposed Y whose elements have so many bytes are added to */
    int64_t added_padded; /* by the entries, and by padding up to this length of rows (0: by none), */
    double added_most;    /* so often, the most of them */
};

void memory_reuse_free(struct memory_reuse *reuse);

struct memory_options {
    const struct gpu *gpu;
    const struct coalescing *coalescing; /* what the launch asks for */
    struct memory_reuse *reuse;          /* the caller's */
    uint64_t seed;
    double budget; /* see struct windows_options */
    double times;  /* number of equal parts of the product, one of which the launch does, since its matrix is
                      an excerpt; 0: 1. What `coalescing` has is that of the product. */
};

/* Forecast a launch that was prepared for an estimate. The model:
 *
 * L1       is looked at in windows of some multiprocessors (analysis/forecast/windows.h), which say for each
 *          operand what share of its load sectors L1 has. Stores, reductions and atomics pass it by.
 * L2       keeps what was touched within the last T, the largest T for which what is touched within T, on
 *          average, has room (analysis/forecast/reuse.h). It fetches 64 bytes at a time. Loads that advise it
 *          to let their data go first take no room.
 * arrays   are known from the windows: a line of 128 bytes takes room from its first touch on, until T after
 *          its last one. Of what a multiprocessor reads, L2 has a copy where it belongs and one in the
 *          partition of that multiprocessor; with p partitions these are 2 - 1/p on average. If more is in
 *          use at a time than has room, not all of it is lost (`lost` in memory.c).
 * x        is known from the whole matrix: all partitions have a copy of it.
 * y        is known from the windows if rows take their turn, and else from the whole matrix. It is read
 *          where it is added to, and where a part of a granule is written that L2 has no more. What is
 *          written goes to memory T later, if the product still lasts then.
 *
 * If the same product came before and all has room, nothing is read; else arrays are, as far as they were
 * without it, and of x what was not touched within T.
 *
 * If the launch does a part of the product, its windows are those of so many multiprocessors fewer, so that
 * each of these has as many warps at a time as in the whole product; x, and y in another order of the rows,
 * are known of the whole matrix by the columns of the excerpt.
 *
 * Nothing of this was fitted but L1_DRAWN, and the choice among models of what is lost; data/README.md names
 * the counters. O(nnz) once for each order of the rows, and the windows: all kernels of a matrix together
 * take some ten products on the processor. STATUS_MEMORY, STATUS_CANCELLED. */
enum status memory_forecast(const struct launch *launch, const struct memory_options *options,
                            struct memory_traffic *traffic, struct progress *progress, struct error *error);

/* The sum over all operands. */
double memory_sum(const double of[OPERANDS]);

#endif
