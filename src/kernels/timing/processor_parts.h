/* Shared by the files that measure the processors (processor.h). */
#ifndef SPARSIGHT_KERNELS_TIMING_PROCESSOR_PARTS_H
#define SPARSIGHT_KERNELS_TIMING_PROCESSOR_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/timing/processor.h"

#define PROCESSOR_ENTRIES 8192 /* of a small matrix: 96 KiB, which fit in a core's second-level cache */

/* Entries of a matrix with too many rows for branch prediction to learn their ends: 1.5 MiB, which fit in a
 * core's second-level cache, at least mostly. */
#define PROCESSOR_UNEVEN_ENTRIES 131072

/* Repeatability of times: the next best samples / the best, for at most this number of samples. */
#define PROCESSOR_SPREADS 4096
struct spreads {
    double share[PROCESSOR_SPREADS];
    int count;
};

/* State of the measurement. */
struct measuring {
    struct processor *processor;
    bool completely;
    double deadline; /* by clock_seconds: no measurement begins after it */
    size_t limit;
    struct progress *progress;
    struct spreads *spreads;
    double *x, *y; /* as long as the largest matrix needs */
};

/* Note the ratio of the next best to the best time. */
void spreads_add(struct spreads *spreads, double best, double next);

/* Return the share that nine in ten spreads do not exceed; NaN without any. Sorts them. */
double spreads_most(struct spreads *spreads);

/* The shapes of the matrices that loops are timed on. */
enum shape_kind {
    SHAPE_BAND,      /* row i has columns i, i + 1, ... */
    SHAPE_BLOCKS,    /* GROUP rows have the same columns */
    SHAPE_UNEVEN,    /* as SHAPE_BAND, but lengths are random between 0 and twice the mean */
    SHAPE_SORTED,    /* and the same lengths in ascending order */
    SHAPE_SCATTERED, /* columns are random */
};

struct shape_of {
    enum shape_kind kind;
    int64_t rows, cols, length;
};

/* Limit the factors of loops to a range around their median over all published loops, or all others: a larger
 * distance is mostly the error of a difference of two times. */
void processor_limit_factors(struct processor *processor);

/* A loop that was not timed on larger matrices gets the factors of the same loop in double precision, or of
 * its kernel with other parameters. Otherwise the factors are 0, and are assumed later. */
void processor_share_factors(struct processor *processor);

/* Make a matrix of this shape; free with csr_free. STATUS_MEMORY. */
enum status processor_make_matrix(const struct shape_of *shape, struct csr *a, struct error *error);

/* Convert a matrix that is measured. The phases of the conversion are no steps of the measurement. Errors of
 * format_convert; the caller frees the storage. */
enum status processor_convert(const struct measuring *measuring, const struct csr *a,
                              const struct format_choice *choice, struct storage *storage,
                              struct error *error);

/* The shape of a matrix with about this number of entries in rows of this length. */
struct shape_of processor_shape(enum shape_kind kind, int64_t entries, int64_t length);

/* Fill in `read`, `far` and `store` of the measured processor. STATUS_CANCELLED, STATUS_MEMORY. */
enum status processor_measure_memory(const struct measuring *measuring, struct error *error);

/* The CPU kernels that read a format, in the order of the table, up to this number. */
#define KERNELS_OF 8
int processor_kernels(const struct format *format, const struct kernel *found[KERNELS_OF]);

/* Return the seconds of a product that are not hidden by computing. */
double processor_rest(double seconds, double computing);

/* Fill in `whole` of the measured processor, which needs its other measurements; the quick measurement uses
 * the smallest matrix only. STATUS_CANCELLED, STATUS_MEMORY. */
enum status processor_measure_whole(const struct measuring *measuring, struct error *error);

/* Return the seconds of a row with `length` entries in the loop of a kernel of CSR, in double precision and
 * on one thread: the fastest of some samples. NaN without memory. */
double processor_row_seconds(const struct kernel *kernel, int length);

/* Return the bytes/s at which one thread repeatedly reads this number of bytes; NaN without memory. */
double processor_read_now(size_t bytes);

/* Return the seconds of an empty parallel region of this number of threads; repeated until the deadline, by
 * clock_seconds, if other programs use the processors. */
double processor_region_seconds(int threads, double deadline);

/* Profiles that are compiled in: data/processors. */
struct processor_text {
    const char *name, *text;
};
extern const struct processor_text processor_texts[];

#endif
