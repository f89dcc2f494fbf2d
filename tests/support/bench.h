/* Shared by the tests of timing: kernels and a format that count their calls and fail on request. */
#ifndef SPARSIGHT_TESTS_SUPPORT_BENCH_H
#define SPARSIGHT_TESTS_SUPPORT_BENCH_H

#include "kernels/timing/bench.h"
#include "matrix/csr.h"

/* The counts, and the requested failures; forget_bench before each test. */
extern struct bench_told {
    int fills;        /* conversions */
    int runs;         /* products of the kernels below */
    char order[4096]; /* the order of these products, by the letters of the kernels */
    double largest_y;
    struct progress *to_cancel; /* cancelled in product number cancel_at */
    int cancel_at, wrong_from, skips_from;
    int damages_at; /* this product overwrites row_ptr, which then does not ascend but stays within the
                       arrays */
    long pause_for; /* kernel_slow takes at least this number of nanoseconds */
} bench_told;

/* Kernels: csr-seq with counted calls and conversions; a slow one; one that is unavailable on this machine;
 * one that refuses every storage. */
extern struct kernel kernel_counting, kernel_slow, kernel_absent, kernel_refusing;

/* Call the first before the group of tests, the second before each test. */
int make_bench_kernels(void **state);
int forget_bench(void **state);

/* A result to fill in, and the element that ends a list of results. */
struct result ask_result(const struct kernel *kernel, const char *parameters, enum precision precision,
                         int threads);

/* Options for a few short samples: cold, so that each is one product, and without a buffer to flush the
 * caches. */
struct bench_options few_samples(int repeat);

/* Fail the test unless the result was run. */
void expect_result(const struct result *result);

/* A 60 x 50 matrix with values from 1 to 7. */
struct csr bench_example(void);

#endif
