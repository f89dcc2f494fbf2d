/* Timing kernels: all that were chosen in one run, beside each other. */
#ifndef SPARSIGHT_KERNELS_BENCH_H
#define SPARSIGHT_KERNELS_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "formats/format.h"
#include "kernels/kernel.h"
#include "kernels/machine.h"
#include "kernels/samples.h"

struct bench_options {
    enum protocol protocol;
    int repeat;           /* samples of each kernel at least; 0: 30 */
    int warmup;           /* runs before them; -1: none; 0: 3 */
    double least_seconds; /* of samples of each kernel, if that takes more than `repeat`; 0: 0.2 */
    double most_seconds;  /* no more samples after that, if there is one; 0: 5 */
    bool cold;            /* flush the caches before each sample */
    bool accumulate;      /* y += A x */
    uint64_t seed;        /* of x, of y, and of the order of kernels; 0: 1 */
    const double *x;      /* cols elements, or NULL: random in [-1, 1] */
    const double *b;      /* rows elements that A x is held against, or NULL */
    size_t limit;         /* bytes for all stored matrices together; 0: what memory_check takes by itself */
};

/* One kernel with parameters, precision and threads: what is asked for, and what came out. Owned strings;
 * free with result_free. */
struct result {
    const struct kernel *kernel;
    char *parameters;        /* the kernel's own */
    char *format_parameters; /* of the storage */
    enum precision precision;
    int threads; /* 0: one per processor; afterwards, how many it was */

    enum status status; /* STATUS_OK: the numbers below are there; else `error` says why not */
    struct error error;
    char name[128];                        /* with all parameters as resolved: "cpu/cmrs-omp:height=8" */
    struct parameter_values values;        /* of the kernel, resolved */
    struct parameter_values format_values; /* of the format, resolved */
    struct samples samples;
    double flops;      /* 2 nnz: of one product */
    double flops_cmrs; /* 2 nnz - m: as Koza et al. count, section 6 */
    struct kernel_bytes bytes;
    double max_error;
    double residual; /* max abs(A x - b) / max abs(b), if a b was given; else NaN */
    double convert_seconds;
    bool cached; /* what it reads fits in the last-level cache, and it was not run cold */
};

/* Run all results' kernels on `a`: convert what they need, check each product, time them in rounds over all
 * of them in random order, so that a machine's drift falls on all alike, and check once more. What fails is
 * in its result; the function itself fails with STATUS_CANCELLED or STATUS_MEMORY only, and then nothing of
 * the results is valid. Stored matrices that do not fit in the limit together are run in several groups of
 * rounds, one after another. `machine` was measured before. */
enum status bench_run(const struct csr *a, struct result *results, int count,
                      const struct bench_options *options, struct machine *machine, struct progress *progress,
                      struct error *error);

void result_free(struct result *result);

/* Runs after which converting and running this kernel takes no longer than running `other`, which needs no
 * conversion or whose matrix is there: convert / (other - this), rounded up; -1 if never. */
int64_t break_even(const struct result *result, const struct result *other);

#endif
