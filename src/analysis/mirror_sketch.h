/* The symmetry of a matrix whose entries are seen once, in any order, and are not kept.
 *
 *     sums      Each index i has a random 32-bit number u_i, and each value a random number w(a). The sum of
 *               u_i u_j over the entries above the diagonal, minus that over the entries below it, is a
 *               polynomial in the u_i, whose coefficients are all 0 if the pattern is symmetric. Otherwise it
 *               is 0 with a probability of at most some 2^-31 (Schwartz, J. ACM 27, 1980; the test of
 * products by Freivalds, IFIP 1977, is the same). A second sum has other random numbers of the pairs, and one
 * with the terms u_i u_j w(a) tests the values. sample    A pair of positions (i, j) and (j, i) is kept, with
 * its entries, if a hash of the pair ends in `level` zeros (Gibbons, "Distinct sampling", VLDB 2001). So
 * mirror images are kept together, and the shares of entries that have one are estimated from the sample,
 * with an interval.
 *
 * The random numbers are hashes of fixed seeds, so that all runs give the same results, with any number of
 * threads. */
#ifndef SPARSIGHT_ANALYSIS_MIRROR_SKETCH_H
#define SPARSIGHT_ANALYSIS_MIRROR_SKETCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/relay.h"

/* The standard number of entries that a sample keeps at most. Half the interval of a share is then at most
 * 0.009. */
#define MIRROR_SKETCH_KEPT ((int64_t)1 << 16)

/* The sums of a thread, modulo 2^64; {0} at the beginning. */
struct mirror_sums {
    uint64_t pattern[2], equal, conjugate;
};

/* Start with mirror_sketch_begin, end with mirror_sketch_end, or with mirror_sketch_drop, which takes {0}. */
struct mirror_sketch {
    bool valued, complex;
    atomic_int level; /* of the sample */
    int64_t count, room;
    int32_t *row, *col;      /* owned */
    double *val, *imaginary; /* NULL if they are not needed; owned */
    pthread_mutex_t lock;
    bool locked; /* the lock is initialised */
};

/* A share of the entries off the diagonal, and half its 95% interval; the latter is 0 if the share is
 * exact. */
struct mirror_share {
    double share, error;
};

struct mirror_found {
    struct mirror_share pattern, equal, conjugate; /* as in struct structure */
    int64_t sampled;                               /* entries of the sample */
    bool whole;                                    /* these are all entries off the diagonal */
};

/* Prepare for about `nnz` entries (0: unknown), of which at most `kept` stay in the sample. The values of a
 * pattern are not read. STATUS_MEMORY. */
enum status mirror_sketch_begin(int64_t nnz, int64_t kept, bool valued, bool complex,
                                struct mirror_sketch *sketch, struct error *error);

/* The bytes of the sample, and those for finding its pairs at the end. */
size_t mirror_sketch_bytes(int64_t kept, bool complex);

/* Take entries; each thread has its own sums. Several threads may call it at once. */
void mirror_sketch_take(struct mirror_sketch *sketch, struct mirror_sums *sums,
                        const struct entries *entries);

void mirror_sums_join(struct mirror_sums *to, const struct mirror_sums *from);

/* Find the shares from the sums of all entries, of which `off` are off the diagonal, and from the sample. If
 * a value is not a number, it equals nothing (`nan`). Then everything is freed. The shares are NaN without
 * entries off the diagonal. STATUS_MEMORY. */
enum status mirror_sketch_end(struct mirror_sketch *sketch, const struct mirror_sums *sums, int64_t off,
                              bool nan, struct mirror_found *found, struct error *error);
void mirror_sketch_drop(struct mirror_sketch *sketch);

#endif
