/* Timing kernels: those of one run are timed together, in rounds, which makes them comparable. */
#ifndef SPARSIGHT_KERNELS_TIMING_BENCH_H
#define SPARSIGHT_KERNELS_TIMING_BENCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/pool.h"
#include "kernels/energy/energy.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"
#include "kernels/timing/machine.h"
#include "kernels/timing/samples.h"
#include "matrix/vector.h"

struct outlook;

/* Options of timing kernels. {0} is a valid choice: members that are 0 get the defaults given here. */
struct bench_options {
    enum protocol protocol;
    int repeat; /* minimum number of samples of a kernel; 0: 30, or the number of the protocol's source */
    int warmup; /* products run before the samples; -1: none; 0: 3, or none if the protocol is that of a
                   source */
    double min_seconds; /* minimum seconds of sampling a kernel, including the time before each sample, such
                           as a flush; 0: 0.2. The protocols of the sources ignore it */
    double max_seconds; /* seconds after which a kernel with a sample gets no further one; 0: 5 */
    bool cold;          /* the caches are flushed before each sample */
    struct product product; /* the product */
    uint64_t seed;          /* of the random numbers for x, y and the order of kernels; 0 means 1 */
    const struct vector
        *x; /* product_x_size finite elements; NULL for random ones, and always with several vectors. With a
               complex matrix the vector may be real; with a real one it must be */
    const struct vector *b; /* product_y_size finite elements, with which A x or A^T x is compared; NULL
                               without b, and always with several vectors */
    const struct natural *natural; /* the natural matrix, whose products are compared with those of the
                                      reordered one; NULL if the matrix is in its natural order */
    size_t limit; /* limit in bytes for all stored matrices together, for the vectors, and for each table that
                     a kernel makes; 0: the default of memory_check */
    double energy; /* maximum seconds of measuring the energy of a kernel, after all are timed; 0: not
                      measured */
    int device; /* the number of the GPU for kernels, from 0. bench_run does not use it: the caller opens that
                   GPU for `machines` */
    struct outlook *outlooks; /* one for each result, {0} before, which other threads may read while kernels
                                 are timed; the caller's. NULL without such threads */
};

/* Preliminary times of a kernel while samples are taken. Each member may be read at any time; 0: nothing
 * yet. */
struct outlook {
    _Atomic double seconds; /* the time of a product: the median of the samples so far, for any protocol */
    _Atomic int count;      /* number of samples */
};

/* The outcome of tuning for a result that is a variant; {0} for others. */
struct tuned {
    int space;       /* number of variants; 0: no tuning */
    int runs;        /* number of variants measured, or forecast if none could be run */
    bool best;       /* it is the fastest of these */
    bool forecast;   /* none could be run here: `best` and `speedup` are from forecasts */
    double speedup;  /* the time of the kernel before tuning / this time; NaN if one is unknown */
    int search_runs; /* if all variants were run: the number of runs of a search, and its loss, its best time
                        / the best of all - 1; else 0 and NaN */
    double search_loss;
};

/* Times of a distributed product; {0}: one process computed it. Unknown numbers are NaN. The three times are
 * those of the slowest process, and add up to its time of a product. */
struct ranked {
    int ranks;               /* the processes */
    double exchange_seconds; /* packing, and starting sends and receives */
    double wait_seconds;     /* waiting for data of other processes after the local part */
    double compute_seconds;  /* of multiplying, and adding up */
    double imbalance;        /* the longest computing time of a process / the mean over all processes */
    char partition[64];      /* the partition of the rows: "entries", "metis:objective=volume" */
    char params[64]; /* the parameters for which processes have chosen different values, with the least
                        and the largest: "k=3..12"; their numbers in `resolved` are NaN. "": none */
    char link[16];   /* the path of elements: "mpi", "nccl"; "" if the kernel decides */
};

/* The result of a kernel: the requested choice, and its timings. It owns nothing. Unknown numbers are NaN. */
struct result {
    struct kernel_choice choice;   /* the requested choice */
    struct kernel_choice resolved; /* the choice that was run. Once the kernel is prepared it has the
                                      parameters chosen by the kernel and its format, and the number of
                                      threads, 0 on a device; before, it is `choice` */

    enum status status; /* STATUS_OK if the numbers below are valid; else `error` has the reason */
    struct error error;
    char name[128];     /* kernel_choice_name of `resolved`: "cpu/cmrs-omp:height=8" */
    char full_name[64]; /* the name of the kernel without parameters: "cpu/cmrs-omp" */
    char library[64];   /* the version of the kernel's library; "" if the kernel is our own, or if unknown */
    bool sized;         /* `size` is known, also for a storage that was refused for its size */
    struct format_size size; /* the size of the storage */
    struct samples samples;
    bool complex;              /* the matrix is complex */
    double flops;              /* operations of one product: product_flops */
    double flops_cmrs;         /* the same by the count of Koza et al.: product_flops_cmrs */
    struct kernel_bytes bytes; /* the traffic of one product */
    double max_error;          /* the maximum of reference_check over all checked products */
    double residual; /* max abs(A x - b) / max abs(b), even if the product is y = y + A x; if b is 0, max
                        abs(A x); infinite if A x is not finite; NaN without b. Readers choose their own
                        tolerance; the Cranfield report takes 1e-5 */
    double convert_seconds;        /* the time of converting to the format, and of preparing the kernel */
    double upload_seconds;         /* the time of copying the storage to the device; NaN on the host */
    double device_convert_seconds; /* the time of converting to the format on the device, from CSR on the
                                      device, and of making the kernel's additional tables there; tables that
                                      only the host can make count with their time on the host. NaN on the
                                      host, and if the device could not convert */
    struct error device_convert_refused; /* the reason if the device cannot convert; else {0} */
    double transfer_seconds; /* the time in each product for copying vectors between host and device; NaN if
                                it copies none */
    double
        graph_seconds; /* the time of a product in a graph of several (struct device_type); NaN on the host,
                          if the samples are cold, and if the product cannot be recorded in a graph */
    struct prediction predicted[2]; /* its forecast time: with warm caches, and flushed */
    double least; /* if the forecast was left incomplete: the least seconds of a product by it; else 0 */
    struct tuned tuned; /* the caller's, which timing does not change */
    struct ranked ranked;
    struct energy energy; /* of a product */
    bool cached;          /* the data of a product fit in the last-level cache, and the samples are warm */
};

/* Run the kernels of all results on the pool's matrix. The storages that they need are taken, a product of
 * each kernel is checked, the kernels are timed, and a product of each is checked again. Kernels are timed in
 * rounds over all of them, in an order that is random in every round, so that a drift of the machine affects
 * all alike. Storages that do not fit together in the limit, or on the device, are divided into groups, each
 * with its own rounds.
 *
 * An error of one kernel is kept in its result, and the others continue. The function itself fails only with
 * STATUS_CANCELLED or STATUS_MEMORY; then only the choices of the results are valid.
 *
 * Before each sample the threads of the kernel's team are woken, and the caches are brought into a defined
 * state. A cold sample comes after a flush. A warm sample comes after an untimed product of the same kernel
 * if its data fit in the cache; otherwise the previous kernel of the round would have left its own data
 * there. If the product takes more than 0.2 s, this product is omitted, and the samples themselves are
 * checked instead of a further product at the end.
 *
 * With options->energy the kernels of a group then run one after another, each for some time, between two
 * readings of the counter of its machine (kernels/energy). A machine without such a counter, and a kernel
 * that fails there, have a reason in their energies instead of numbers.
 *
 * `machines` are the host and the devices of the kernels (machines_of). The caller has measured them, the
 * host with the largest number of threads of any result. They are measured again between rounds, so that
 * their lowest bandwidths show a drift. If the host is {0}, nothing is compared with it, and its caches are
 * not flushed. A kernel runs on the device of its machine; if there is none, or if the device has failed
 * (device_check), the kernel's result has this error. */
enum status bench_run(struct pool *pool, struct result *results, int count,
                      const struct bench_options *options, struct machines *machines,
                      struct progress *progress, struct error *error);

/* Return the operations of a product: 2 nnz, a multiplication and an addition per entry, for each vector. A
 * complex multiplication is six real operations and an addition two: 8 nnz. */
double product_flops(double nnz, bool complex, int columns);

/* Return the same by the count of Koza et al., section 6: the first product of an element of y needs no
 * addition, so that each of the y_size elements of a vector has one addition less. */
double product_flops_cmrs(double nnz, double y_size, bool complex, int columns);

/* Reset a result except its choice, its tuning and its forecast. The matrix has this number of entries, and y
 * this number of elements; NaN if unknown. */
void result_clear(struct result *result, bool complex, struct product product, double nnz, double y_size);

/* Write the result's names, which are those of `resolved`. */
void result_name(struct result *result);

/* The break-even point: the number of products after which converting the matrix and running this kernel has
 * taken no longer than running `other`, whose storage exists on the host. On a device both storages are
 * uploaded. It is the smallest n with
 *
 *     convert + upload + n time <= other_upload + n other_time,
 *     n = ceil((convert + upload - other_upload) / (other_time - time)),
 *
 * and -1 if this kernel is not faster. Uploads count as 0 unless both are known. */
int64_t break_even(const struct result *result, const struct result *other);

/* The same with device_convert_seconds instead of convert_seconds, where both upload CSR; -1 also if these
 * are unknown. */
int64_t device_break_even(const struct result *result, const struct result *other);

#endif
