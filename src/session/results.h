/* One run of kernels on a session's matrix: what was asked for, what came out, and what the machine could do
 * meanwhile. */
#ifndef SPARSIGHT_SESSION_RESULTS_H
#define SPARSIGHT_SESSION_RESULTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "kernels/foreign.h"
#include "kernels/list.h"
#include "kernels/timing/bench.h"
#include "session/estimates.h"

/* Start with {0}; free with results_free. */
struct results {
    struct result *items; /* in the order they were asked for; owned */
    int count;
    int64_t rows, cols, nnz; /* of the matrix; 0 before it was run, or if a saved report does not say */
    /* After results_run: */
    struct bench_options options; /* how they were run; without the vectors */
    bool held;                    /* A x was held against a b */
    struct machines machines; /* what they ran on: the figures, without memory and device; a host of {0} if no
                                 kernel could run there */
    struct estimates estimates; /* after results_estimate */
    struct foreign *foreign;    /* kernels of results that were saved by another build; owned */
};

/* A x agrees with b if max abs(A x - b) / max abs(b) is at most this, as in the tests of the Cranfield
 * report. */
#define RESULTS_AGREE 1e-5

/* The threads that a kernel gets where so many are asked for; 0: one per processor. Sequential kernels have
 * one, those of devices none: 0. */
int results_threads(const struct kernel *kernel, int threads);

/* Ask for a choice of a kernel with the threads that results_threads makes of the choice's; what is there
 * already is not added again. STATUS_MEMORY. */
enum status results_want(struct results *results, const struct kernel_choice *choice, struct error *error);

/* Keep the storages that results_estimate will take after results_run (pool_keep). STATUS_MEMORY. */
enum status results_keep(const struct results *results, struct pool *pool, struct error *error);

/* Measure the host, open and measure the device (options->device), as far as kernels run there, and run all
 * that was asked for on the pool's matrix (see bench_run). A kernel that cannot run is a result with its
 * error and no failure, and so is a device that cannot be opened. Fails with STATUS_CANCELLED or
 * STATUS_MEMORY, and then nothing has come out. */
enum status results_run(struct results *results, struct pool *pool, const struct bench_options *options,
                        struct progress *progress, struct error *error);

/* Estimate on paper what the kernels ask of a GPU's memory, whether they could run here or not (see
 * estimates_make). After results_run. */
enum status results_estimate(struct results *results, struct pool *pool,
                             const struct estimate_options *options, struct progress *progress,
                             struct error *error);

/* True if a kernel among the results has a trace, so that it can be estimated. */
bool results_traced(const struct results *results);

/* The result's estimate, NULL if there is none. */
const struct estimate *results_estimate_of(const struct results *results, const struct result *result);

/* The figures of what the result's kernel runs on; of a foreign backend nothing is known. */
const struct machine *results_machine(const struct results *results, const struct result *result);

/* True if the result has numbers: its kernel was run and is right. */
bool result_timed(const struct result *result);

/* The fastest of those that were run in this precision, NULL if there is none. */
const struct result *results_fastest(const struct results *results, enum precision precision);

/* CSR with a warp a row on a GPU (csr-vector with threads=32), the fastest such that was run in this
 * precision; NULL if there is none. What the CMRS paper compares with. */
const struct result *results_warp_a_row(const struct results *results, enum precision precision);

/* True for results that nothing says are slower than the fastest of their precision: the intervals of their
 * medians overlap. Of the fastest itself: if there is such another. */
bool results_tied(const struct results *results, const struct result *result);

/* Products after which converting to the result's format has paid off against the fastest CSR kernel of the
 * same backend, precision and threads; -1 if there is none, or it is not slower. */
int64_t results_break_even(const struct results *results, const struct result *result);

/* The result of a choice that was not run: all its numbers are unknown, and `status` and `error` say why if
 * its kernel cannot run here, on no complex matrix if this is one, or not compute this product. */
struct result result_unrun(const struct kernel_choice *choice, bool complex, struct product product);

/* The fastest of `count` results of any runs, of which some may be NULL: its index, -1 if none was timed. */
int results_fastest_of(const struct result *const *items, int count);

/* T / T of the base; NaN if one of them was not timed. */
double result_ratio(const struct result *result, const struct result *base);

/* How much faster than the base: T of the base / T; NaN if one of them was not timed. */
double result_speedup(const struct result *result, const struct result *base);

/* 2 nnz / T in FLOP/s; NaN if it was not timed. */
double result_speed(const struct result *result);

/* The speed in FLOP/s at which the result's kernel would read each of its arrays once at the read bandwidth
 * that was measured in the run; NaN if that is not known, or if it reads from the cache. */
double results_ceiling(const struct results *results, const struct result *result);

/* About how many seconds it takes to run `count` kernels on `a`: the machine is measured, each kernel's
 * matrix is converted, and 30 samples take 0.2 s at least. For people who are about to start it; a machine
 * that reads 10 GB/s is assumed. */
double results_forecast(const struct csr *a, int count);

void results_free(struct results *results);

#endif
