/* Timing kernels: all that were chosen in one run, beside each other. */
#ifndef SPARSIGHT_KERNELS_TIMING_BENCH_H
#define SPARSIGHT_KERNELS_TIMING_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/pool.h"
#include "kernels/kernel.h"
#include "kernels/timing/machine.h"
#include "kernels/timing/samples.h"

struct bench_options {
    enum protocol protocol;
    int repeat;         /* samples of each kernel at least; 0: 30, or what the protocol's source took */
    int warmup;         /* runs before them; -1: none; 0: 3, none with the protocols of the sources */
    double min_seconds; /* of samples of each kernel, if that takes more than `repeat`, with what comes
                             before each (a flush); 0: 0.2. Not with the protocols of the sources */
    double max_seconds; /* likewise: no more samples after that, if there is one; 0: 5 */
    bool cold;          /* flush the caches before each sample */
    struct product product;
    uint64_t seed;   /* of x, of y, and of the order of kernels; 0: 1 */
    const double *x; /* cols elements, all finite; or NULL: random in [-1, 1] */
    const double *b; /* rows elements, all finite, that A x is held against; or NULL */
    size_t limit;    /* bytes for all stored matrices together; 0: what memory_check takes by itself */
    int device;      /* the GPU that kernels run on, counted from 0; of interest to who opens it */
};

/* One choice of a kernel: what is asked for, and what came out. Nothing in it is owned. */
struct result {
    struct kernel_choice choice; /* as asked for */
    struct kernel_choice
        resolved; /* likewise; once the kernel was prepared, with what was left to it and to its
                     format as they chose it, and with the threads it ran on, 0 on a device */

    enum status status; /* STATUS_OK: the numbers below are there; else `error` says why not */
    struct error error;
    /* Numbers that are not known are NaN. */
    char name[128];          /* kernel_choice_name of `resolved`: "cpu/cmrs-omp:height=8" */
    char full_name[64];      /* the kernel's alone: "cpu/cmrs-omp" */
    bool sized;              /* `size` is known, also of what is refused for its size */
    struct format_size size; /* of the storage */
    struct samples samples;
    double flops;      /* 2 nnz: of one product */
    double flops_cmrs; /* 2 nnz - m: as Koza et al. count, section 6 */
    struct kernel_bytes bytes;
    double max_error;
    double residual; /* max abs(A x - b) / max abs(b), also if products are added to y; max abs(A x) if b is
                        0, infinite if A x is not finite; NaN if no b was given. What is close enough, such as
                        the Cranfield report's 1e-5, is for the reader to say */
    double convert_seconds;  /* to the format, and what the kernel prepares beside it, on the device too */
    double upload_seconds;   /* of the stored matrix to the device; NaN on the host */
    double transfer_seconds; /* of a product, in which it copies vectors to the host and back; NaN if it does
                                not */
    bool cached;             /* what it reads fits in the last-level cache, and it was not run cold */
};

/* Run all results' kernels on the pool's matrix: take the storages that they need, check each product, time
 * them in rounds over all of them in random order, so that a machine's drift falls on all alike, and check
 * once more. What fails is in its result, and the others go on; the function itself fails with
 * STATUS_CANCELLED or STATUS_MEMORY only, and then nothing of the results is valid but what was asked for.
 * Stored matrices that do not fit in the limit, or on the device, together are run in several groups of
 * rounds, one after another.
 *
 * Before each sample the threads of the kernel's team are gathered, and a product that is not timed is run if
 * what the kernel reads fits in the cache: so "warm" means that the kernel itself ran last, not the one
 * before it in the round. With `cold` the caches are flushed instead. A product of more than 0.2 s is not run
 * to warm up or to be checked: its samples are checked themselves.
 *
 * `machines` are what the results' kernels run on (machines_of). They were measured before, the host with
 * the most threads that a result asks for; they are measured again between rounds, so that their lowest
 * bandwidths tell of a drift. A host = {0} will do where nothing is held against it; cold samples are none
 * then. Kernels run on the device of their machine; if there is none, or one that can do nothing more
 * (device_check), they say why. */
enum status bench_run(struct pool *pool, struct result *results, int count,
                      const struct bench_options *options, struct machines *machines,
                      struct progress *progress, struct error *error);

/* Write the result's names after what its choice is resolved to. */
void result_name(struct result *result);

/* Runs after which converting and running this kernel takes no longer than running `other`, which needs no
 * conversion or whose matrix is there: convert / (other - this), rounded up; -1 if never. */
int64_t break_even(const struct result *result, const struct result *other);

#endif
