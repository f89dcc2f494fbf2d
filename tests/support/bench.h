/* Shared by the tests of timing: kernels and a format made for them, which count their calls, and fail on
 * request. */
#ifndef SPARSIGHT_TESTS_SUPPORT_BENCH_H
#define SPARSIGHT_TESTS_SUPPORT_BENCH_H

#include "kernels/timing/bench.h"
#include "matrix/csr.h"

/* The counts, and the requested failures; forget_bench before each test. */
extern struct bench_told {
    int fills;        /* conversions */
    int runs;         /* products of the kernels below */
    char order[4096]; /* of these, by their letters */
    double largest_y;
    struct progress *to_cancel; /* cancelled in product number cancel_at */
    int cancel_at, wrong_from, skips_from;
    int damages_at; /* in this product row_ptr is written to: it no longer ascends, but leads nowhere else */
    long pause_for; /* kernel_slow takes at least this number of nanoseconds */
} bench_told;

/* csr-seq that counts, with a format whose conversions are counted; one that takes long; one that this
 * machine has not; one that takes no storage. */
extern struct kernel kernel_counting, kernel_slow, kernel_absent, kernel_refusing;

/* To be called before the group, and before each test. */
int make_bench_kernels(void **state);
int forget_bench(void **state);

/* A result to be filled in, and the end of several. */
struct result ask_result(const struct kernel *kernel, const char *parameters, enum precision precision,
                         int threads);

/* A few samples, quickly: cold, so that each is one product; without a buffer to flush by. */
struct bench_options few_samples(int repeat);

/* It was run; the test fails otherwise. */
void expect_result(const struct result *result);

/* 60 x 50, its values from 1 to 7. */
struct csr bench_example(void);

#endif
