/* One run of kernels on a matrix: the requested choices, the result of each, and the figures of the
 * machines. */
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
#include "session/forecasts.h"

/* Start with {0}; free with results_free. */
#define RESULTS_NAME 120

struct results {
    char name[RESULTS_NAME]; /* that the user has given the run; "": none */
    struct result *items;    /* in the order of the requests; owned */
    int count;
    int64_t rows, cols, nnz;     /* of the matrix; 0 before the run, or if a saved report lacks it */
    struct processor *processor; /* profile for forecasts of CPU kernels, found or measured when first needed;
                                    owned by the caller. NULL: they are not forecast */
    struct estimated *estimated; /* earlier estimates of the matrix; new ones are added (session/estimates.h);
                                    the caller's. NULL: none */
    struct sharing
        *sharing; /* data shared by forecasts of several results; owned by the caller. NULL: none */
    /* results_run sets the fields below. */
    struct bench_options options; /* the options of the run, without the vectors */
    bool held;                    /* A x was compared with a vector b */
    struct machines machines;   /* the machines of the run: figures without memory and device; the host's are
                                   {0} if no kernel could run there */
    struct estimates estimates; /* set by results_estimate */
    struct foreign *foreign;    /* kernels of saved results of another build; owned */
};

/* Data for forecasts of a matrix's kernels, computed once for all storages. Free with sharing_free, which
 * takes {0}. */
struct sharing {
    struct memory_reuse reuse;
    struct cpu_matrix cpu;
    struct pool *pool; /* of the storages to plan; the caller's, or `own` */
    struct pool own;
    bool brief;     /* forecasts of slow GPU kernels may be left out (struct result, `least`) */
    double fastest; /* the least forecast seconds of a GPU kernel so far */
};

/* Start *sharing for the matrix of the pool's storages. If its entries are not in memory, forecasts use the
 * excerpt; the caller owns it, and it may be {0}. *sharing must not be moved. */
void sharing_start(struct pool *pool, const struct excerpt *excerpt, struct sharing *sharing);
void sharing_free(struct sharing *sharing);

/* A x agrees with b if max abs(A x - b) / max abs(b) is at most this. The tests of the Cranfield report use
 * the same value. */
#define RESULTS_AGREE 1e-5

/* The number of threads of a kernel for a request of `threads` (0: one per processor): 1 for a sequential
 * kernel, 0 for a kernel of a device. */
int results_threads(const struct kernel *kernel, int threads);

/* Request a choice of a kernel, with the number of threads from results_threads. A choice that was requested
 * already is not added again. STATUS_MEMORY. */
enum status results_want(struct results *results, const struct kernel_choice *choice, struct error *error);

/* Keep the storages that results_estimate will need after results_run (pool_keep). STATUS_MEMORY. */
enum status results_keep(const struct results *results, struct pool *pool, struct error *error);

/* The machines for runs of kernels, open and measured. Start with {0}; end with workbench_close. It must not
 * be moved while open. */
struct workbench {
    struct machines machines;
    struct device devices[DEVICES_MAX];
};

/* Measure the host, open and measure the device (options->device), if kernels of `results` run there on a
 * matrix that is complex or not. A device that cannot be opened is not a failure: its error becomes the
 * reason of its kernels. STATUS_CANCELLED, STATUS_MEMORY. */
enum status workbench_open(struct workbench *bench, const struct results *results, bool complex,
                           const struct bench_options *options, struct progress *progress,
                           struct error *error);
void workbench_close(struct workbench *bench);

/* The same as results_run, on open machines. */
enum status results_run_on(struct workbench *bench, struct results *results, struct pool *pool,
                           const struct bench_options *options, struct progress *progress,
                           struct error *error);

/* Measure the host, open and measure the device (options->device), if kernels run there, and run all
 * requested kernels on the pool's matrix (see bench_run). A kernel that cannot run is a result with an error,
 * not a failure; the same holds for a device that cannot be opened. Fails with STATUS_CANCELLED or
 * STATUS_MEMORY, and then there are no results. */
enum status results_run(struct results *results, struct pool *pool, const struct bench_options *options,
                        struct progress *progress, struct error *error);

/* Estimate the kernels' GPU memory requests, even if they could not run here (see estimates_make). Call it
 * after results_run. */
enum status results_estimate(struct results *results, struct pool *pool,
                             const struct estimate_options *options, struct progress *progress,
                             struct error *error);

/* Compute the figures that need no run: the size of each storage, and the estimates of kernels with a trace
 * (results_estimate). Each result becomes one that was not run (result_unrun), or says that the storage is
 * refused for its size. options->limit bounds the storages that are built only for this. A kernel whose
 * storage is larger has no estimate. `limit` is that of results_run. STATUS_CANCELLED, STATUS_MEMORY. */
enum status results_foresee(struct results *results, struct pool *pool,
                            const struct estimate_options *options, size_t limit, struct progress *progress,
                            struct error *error);

/* True if a kernel among the results has a trace and so can be estimated. */
bool results_traced(const struct results *results);

/* The estimate of a result; NULL if there is none. */
const struct estimate *results_estimate_of(const struct results *results, const struct result *result);

/* The forecast time of a result, for the caches of the run (options.cold); NULL if there is
 * none. */
const struct prediction *results_prediction_of(const struct results *results, const struct result *result);

/* The figures of the machine that the result's kernel runs on; {0} if they are unknown, as for foreign
 * backends. */
const struct machine *results_machine(const struct results *results, const struct result *result);

/* True if the result has times: its kernel was run, and its products were right. */
bool result_timed(const struct result *result);

/* The fastest result in this precision; NULL if none was timed. */
const struct result *results_fastest(const struct results *results, enum precision precision);

/* The fastest result in this precision of CSR with a warp a row on a GPU (kernel->warp_a_row), which the CMRS
 * paper compares with; NULL if none was timed. */
const struct result *results_warp_a_row(const struct results *results, enum precision precision);

/* True if the result is not known to be slower than the fastest of its precision: the intervals of their
 * medians overlap. The fastest itself is tied if another result is tied with it. */
bool results_tied(const struct results *results, const struct result *result);

/* The number of products after which converting to the result's format pays off (see break_even). It is
 * compared with the fastest CSR kernel of the same backend, precision and threads. -1 if there is no such
 * kernel, or if it is not slower. */
int64_t results_break_even(const struct results *results, const struct result *result);

/* The same for converting on the device (device_break_even); -1 also if that is impossible. */
int64_t results_device_break_even(const struct results *results, const struct result *result);

/* The result of a choice that was not run: all its numbers are unknown. `status` and `error` give the reason
 * if its kernel cannot run here, cannot take this complex matrix, or cannot compute this product. */
struct result result_unrun(const struct kernel_choice *choice, bool complex, struct product product);

/* The index of the fastest among `count` results of any runs, of which some may be NULL; -1 if none was
 * timed. */
int results_fastest_of(const struct result *const *items, int count);

/* The time of a product as a share of the base's, T / T(base); NaN if one of them was not timed. */
double result_ratio(const struct result *result, const struct result *base);

/* The speedup of the result over the base, T(base) / T; NaN if one of them was not timed. */
double result_speedup(const struct result *result, const struct result *base);

/* The speed of a product in FLOP/s, 2 nnz / T; NaN if it was not timed. */
double result_speed(const struct result *result);

/* The arithmetic intensity of a product in FLOP/byte: 2 nnz / beta-plus, the operations for each byte that
 * must be moved; NaN if it was not timed, or if these bytes are not known. */
double result_intensity(const struct result *result);

/* The speed in FLOP/s at which the result's kernel would read each of its arrays once at the read bandwidth
 * measured in the run. NaN if that bandwidth is not known, or if the kernel reads from the cache. */
double results_ceiling(const struct results *results, const struct result *result);

/* Estimate the seconds of a run, for a user who is about to start it. It consists of measuring the machine,
 * converting to storages of `stored` bytes in all, the samples of `count` kernels, and checks. The kernels'
 * products take `seconds` (NaN: unknown) on a quiet machine. On this one, where others run, they take
 * `slower` times as long, and threads wait for their turns: of slow products there are fewer samples in the
 * seconds that the options allow. Bytes are converted at 0.4 GB/s, and flushes and unknown products read 10
 * GB/s. */
double results_duration(const struct csr *a, const double *seconds, int count, double stored, double slower,
                        const struct bench_options *options);

void results_free(struct results *results);

#endif
