/* The matrices of the benchmark of kernels. */
#ifndef SPARSIGHT_TESTS_BENCH_PEERS_SUBJECTS_H
#define SPARSIGHT_TESTS_BENCH_PEERS_SUBJECTS_H

#include <stdbool.h>
#include <stddef.h>

#include "matrix/matrix.h"

enum making {
    MAKE_AS_IT_IS, /* of anything that sparsight opens */
    MAKE_STENCIL,  /* a generator; its size follows from the bytes wanted */
    MAKE_GRID,
    MAKE_BAND,
    MAKE_RANDOM_BAND, /* an eighth of a wider band is filled */
    MAKE_RANDOM,
    MAKE_POWERLAW,
    MAKE_BLOCKS,
    MAKE_HALF_BAND, /* a band of half the bytes */
    MAKE_FULL_ROWS, /* the same with a block of full rows in its middle, which hold over half of all entries
                     */
    MAKE_TILED,     /* a real matrix repeated down the diagonal */
};

struct subject {
    const char *name;
    enum making making;
    const char *file; /* of a real matrix: its name without endings */
    bool cold;        /* as it is, with caches flushed */
    bool streams;     /* compared with the bandwidth of the memory */
};

/* The table; ends with a NULL name. */
extern const struct subject subjects[];

/* The folder of real matrices, or NULL if there is none; path has `size` bytes. */
const char *subjects_folder(char *path, size_t size);

/* Make the matrix, of about this number of bytes in CSR. STATUS_UNAVAILABLE if it needs a real one that is
 * missing. */
enum status subject_make(const struct subject *subject, double bytes, struct matrix *matrix,
                         struct error *error);

#endif
