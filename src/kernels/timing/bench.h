/* Timing kernels: those of one run are timed together, in rounds, so that they can be compared. */
#ifndef SPARSIGHT_KERNELS_TIMING_BENCH_H
#define SPARSIGHT_KERNELS_TIMING_BENCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/pool.h"
#include "kernels/kernel.h"
#include "kernels/prediction.h"
#include "kernels/timing/machine.h"
#include "kernels/timing/samples.h"
#include "matrix/vector.h"

struct outlook;

/* How kernels are timed. {0} is a useful choice: members that are 0 stand for the defaults given here. */
struct bench_options {
    enum protocol protocol;
    int repeat;         /* each kernel has at least so many samples; 0 stands for 30, or for the number that
                           the protocol's source took */
    int warmup;         /* so many products are run before them; -1 stands for none, 0 for 3, or for none if
                           the protocol is that of a source */
    double min_seconds; /* sampling a kernel goes on for at least so long, which includes what comes before
                           each sample, such as a flush; 0 stands for 0.2. The protocols of the sources
                           ignore it */
    double
        max_seconds; /* after so long no further sample is taken of a kernel that has one; 0 stands for 5 */
    bool cold;       /* the caches are flushed before each sample */
    struct product product; /* what is computed */
    uint64_t seed;          /* of the random numbers for x, y and the order of kernels; 0 stands for 1 */
    const struct vector *x; /* product_x_size finite elements; NULL for random ones, as it is if there are
                               several vectors. A vector of a complex matrix may be real, that of a real one
                               has to be */
    const struct vector *b; /* product_y_size finite elements, with which A x or A^T x is compared; NULL if
                               there is no b, as it is if there are several vectors */
    const struct natural *natural; /* the natural matrix, which the products of a reordered one are held
                                    against; NULL if the matrix is in its natural order */
    size_t limit; /* so many bytes may be taken by all stored matrices together, by the vectors, and by each
                     table that a kernel makes; 0 stands for the limit that memory_check finds by itself */
    int device;   /* the number of the GPU that kernels run on, which counts from 0. bench_run does not
                     use it: the caller opens that GPU for `machines` */
    struct outlook *outlooks; /* one for each result, {0} before, which other threads may read while kernels
                                 are timed; the caller's. NULL if nobody watches */
};

/* What the samples of a kernel say so far, while more of them are taken. Each member may be read at any time;
 * 0 stands for nothing yet. */
struct outlook {
    _Atomic double seconds; /* the time of a product: the median of the samples so far, whatever the protocol
                               will report */
    _Atomic int count;      /* of how many samples */
};

/* What tuning says of a result that is one of the variants it chose among; {0} of others. */
struct tuned {
    int space;       /* the variants that there are; 0: the result is of no tuning */
    int runs;        /* so many of them were measured, or if none could be run, forecast */
    bool best;       /* it is the fastest of these */
    bool forecast;   /* none of them could be run here: `best` and `speedup` are of forecasts */
    double speedup;  /* the time of the kernel as it was before tuning / this time; NaN if one is not known */
    int search_runs; /* if all variants were run: so many would a search have run, and it would have lost so
                        much, its best time / the best of all - 1; else 0 and NaN */
    double search_loss;
};

/* What a product over several processes takes of them; {0}: one process computed it by itself. Numbers that
 * are not known are NaN. The three times are those of the slowest process, and add up to what a product takes
 * it. */
struct ranked {
    int ranks;               /* the processes */
    double exchange_seconds; /* of packing and starting what is sent and received */
    double wait_seconds;     /* of waiting for what others send, with nothing else left to compute */
    double compute_seconds;  /* of multiplying, and adding up */
    double imbalance;        /* the longest time of computing of a process / the mean over all of them */
    char partition[64];      /* what cut the rows among them: "entries", "metis:objective=volume" */
    char link[16]; /* what elements went through: "mpi", "nccl"; "" if that is the kernel's own matter */
};

/* The result of a kernel: the choice that was asked for, and what timing it has found. It owns nothing.
 * Numbers that are not known are NaN. */
struct result {
    struct kernel_choice choice;   /* what was asked for */
    struct kernel_choice resolved; /* what was run: once the kernel is prepared it has the parameters that the
                                      kernel and its format chose themselves, and the number of threads, 0 on
                                      a device; before, it is `choice` */

    enum status status; /* STATUS_OK if the numbers below are there; else `error` says why they are not */
    struct error error;
    char name[128];     /* kernel_choice_name of `resolved`: "cpu/cmrs-omp:height=8" */
    char full_name[64]; /* the name of the kernel alone: "cpu/cmrs-omp" */
    char library[64]; /* the version of the library that the kernel is of; "" if it is our own, or if that is
                         not known */
    bool sized;       /* `size` is known, which it also is of a storage that was refused for its size */
    struct format_size size; /* the size of the storage */
    struct samples samples;
    bool complex;              /* the matrix is complex */
    double flops;              /* operations of one product: product_flops */
    double flops_cmrs;         /* the same as Koza et al. count them: product_flops_cmrs */
    struct kernel_bytes bytes; /* what one product moves */
    double max_error;          /* reference_check has found this in all products that were checked */
    double residual;        /* max abs(A x - b) / max abs(b), even if the product is y = y + A x; if b is 0,
                               max abs(A x); infinite if A x is not finite; NaN if there is no b. Readers have
                               to say what is close enough; the Cranfield report takes 1e-5 */
    double convert_seconds; /* the time of converting to the format, and of preparing the kernel */
    double upload_seconds;  /* the time of copying the storage to the device; NaN on the host */
    double device_convert_seconds; /* the time of converting to the format on the device, from CSR that is
                                      there, and of making there what the kernel reads beside it; what the
                                      host alone makes of that counts as it took there. NaN on the host, and
                                      if the device could not */
    struct error device_convert_refused; /* why not; {0} otherwise */
    double transfer_seconds; /* the time in each product of copying vectors between host and device; NaN if it
                                copies none */
    double
        graph_seconds; /* the time of a product in a graph of several (struct device_type); NaN on the
                          host,    if the samples are cold, and if the product cannot be put into a graph */
    struct prediction predicted[2]; /* its forecast time: with warm caches, and flushed */
    struct tuned tuned;             /* the caller's, which timing leaves as it is */
    struct ranked ranked;
    bool cached; /* what a product reads fits in the last-level cache, and the samples are warm */
};

/* Run the kernels of all results on the pool's matrix. The storages that they need are taken, a product of
 * each kernel is checked, the kernels are timed, and a product of each is checked again. Kernels are timed in
 * rounds over all of them, in an order that is random in every round, so that a drift of the machine affects
 * all alike. Storages that do not fit together in the limit, or on the device, are dealt with in several
 * groups, each with rounds of its own.
 *
 * An error of one kernel is kept in its result, and the others go on. The function itself fails only with
 * STATUS_CANCELLED or STATUS_MEMORY; of the results only the choices are valid then.
 *
 * Before each sample the threads of the kernel's team are woken, and the caches are brought into a defined
 * state. A cold sample comes after a flush. A warm sample comes after a product of the same kernel that is
 * not timed, if what it reads fits in the cache: else the kernel before it in the round would have left its
 * own data there. If the product takes more than 0.2 s, none is run only for that, and the samples themselves
 * are checked instead of a further product at the end.
 *
 * `machines` are what the kernels run on (machines_of). They have been measured before, the host with the
 * largest number of threads that a result asks for, and are measured again between rounds, so that their
 * lowest bandwidths show a drift. If the host is {0}, nothing is compared with it, and its caches are not
 * flushed. A kernel runs on the device of its machine; if there is none, or if it can do nothing more
 * (device_check), the kernel's result says so. */
enum status bench_run(struct pool *pool, struct result *results, int count,
                      const struct bench_options *options, struct machines *machines,
                      struct progress *progress, struct error *error);

/* Return the operations of a product: 2 nnz, a multiplication and an addition an entry, for each of so many
 * vectors. Of complex numbers a multiplication is six operations with real ones and an addition two: 8 nnz.
 */
double product_flops(double nnz, bool complex, int columns);

/* Return the same as Koza et al. count them, section 6: the first product of an element of y is not added to
 * anything, so that it is an addition less for each of the y_size elements of a vector. */
double product_flops_cmrs(double nnz, double y_size, bool complex, int columns);

/* Reset all of a result but what was asked for, what tuning says and its forecast: of a product with a matrix
 * of so many entries, and vectors y of so many elements; NaN if these are not known. */
void result_clear(struct result *result, bool complex, struct product product, double nnz, double y_size);

/* Write the result's names, which are those of `resolved`. */
void result_name(struct result *result);

/* The break-even point: after so many products, converting the matrix and running this kernel has taken no
 * longer than running `other`, whose storage is there already on the host. On a device both are uploaded,
 * what was converted and what the other one reads. It is the smallest n with
 *
 *     convert + upload + n time <= other_upload + n other_time,
 *     n = ceil((convert + upload - other_upload) / (other_time - time)),
 *
 * and -1 if this kernel is not faster. Uploads count as 0 unless both are known. */
int64_t break_even(const struct result *result, const struct result *other);

/* The same with device_convert_seconds for convert_seconds, where both upload CSR; -1 also if these are not
 * known. */
int64_t device_break_even(const struct result *result, const struct result *other);

#endif
