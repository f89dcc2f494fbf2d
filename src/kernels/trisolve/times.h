/* Timing the kernels of triangular solves on one matrix, by turns. */
#ifndef SPARSIGHT_KERNELS_TRISOLVE_TIMES_H
#define SPARSIGHT_KERNELS_TRISOLVE_TIMES_H

#include "kernels/timing/samples.h"
#include "kernels/trisolve/trisolve.h"

#define TRISOLVE_REASON 240

/* A kernel with an operation. */
struct trisolve_run {
    char name[32]; /* of the kernel: "cpu/levels" */
    enum trisolve_operation operation;
    int threads;
    char reason[TRISOLVE_REASON]; /* the reason why it was not run, or the error of its result; "": neither */
    char device[64];              /* the GPU, where `threads` is 0; "" on the host */
    bool checked;                 /* its result was checked by bounds up to TRISOLVE_BOUND_MAX */
    double prepare;               /* seconds for making its data from the three parts of the matrix */
    struct samples samples;       /* times of one operation; the count is 0 if there are none */
    double flops;                 /* operations: 2 per entry of the triangle, or 4 per entry of the matrix for
                                     SymGS, as in HPCG */
    double speedup;               /* time of cpu/seq / time of this kernel; NaN if unknown */
    struct trisolve_facts facts;  /* {0} if unknown */
};

/* All runs, by operation. Free with trisolves_free; takes {0}. */
struct trisolves {
    struct trisolve_run *runs; /* owned */
    int count;
    int threads;
    int64_t ones;     /* rows without a diagonal entry, or with a zero there: a 1 replaced it */
    double reduction; /* ||b - A x|| / ||b|| after one step of SymGS from x0 = 0; NaN if it was not run */
};

/* Read names of operations, "lower,symgs", as bits 1 << operation; "" means all. STATUS_USAGE. */
enum status trisolves_read(const char *text, unsigned *operations, struct error *error);

struct trisolves_options {
    unsigned operations; /* bits 1 << operation */
    int threads;
    int device;                                   /* the GPU, counted from 0 */
    size_t limit;                                 /* bytes of host memory, as memory_limit takes it */
    const struct trisolve_kernel *const *kernels; /* ends with NULL. NULL: trisolve_kernels */
};

/* Run and time each kernel with each of these operations. b is the product of A, or of the triangle, with
 * random numbers from (-1, 1); x0 = 0. A kernel that cannot run, or needs more threads, has a reason. Kernels
 * of a GPU are timed by its events, without the copies of b and x. STATUS_UNAVAILABLE as trisolve_parts_make;
 * STATUS_LIMIT if the matrix and the arrays exceed `limit`. STATUS_MEMORY, STATUS_CANCELLED. */
enum status trisolves_run_with(const struct csr *a, const struct trisolves_options *options,
                               struct progress *progress, struct trisolves *trisolves, struct error *error);

/* The same with all kernels, on the first GPU. */
enum status trisolves_run(const struct csr *a, unsigned operations, int threads, size_t limit,
                          struct progress *progress, struct trisolves *trisolves, struct error *error);
void trisolves_free(struct trisolves *trisolves);

/* Return the reason of run k, or "" if an earlier run of its kernel has the same one. */
const char *trisolves_reason(const struct trisolves *trisolves, int k);

#endif
