/* Batches of entries on their way from a source to the rows of CSR. All builders of a matrix use them: one
 * process (build.c), each of several (src/ranks), and the relay of entries (relay.c). */
#ifndef SPARSIGHT_MATRIX_BATCH_H
#define SPARSIGHT_MATRIX_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/build.h"
#include "matrix/csr.h"

enum pass {
    PASS_COUNT, /* reads positions, and counts the entries of each row */
    PASS_PLACE, /* reads positions and values, and puts every entry into its row */
    PASS_CHECK, /* reads values only to find errors in them, since PASS_COUNT does not read values */
    PASS_MATCH, /* reads positions, and finds the duplicates that are mirror images of each other */
};

/* Entries as plain arrays: those of a sink, or their mirror images. */
struct batch {
    int count;
    const int32_t *row, *col;
    const double *val, *imaginary;
    int64_t block, before; /* as of a sink */
};

struct batch batch_of(const struct sink *sink);

/* Take the entries of a batch into rows `first` and after of a matrix, in PASS_COUNT or PASS_PLACE. row_ptr
 * is first the number of entries of each row, and then the next free position of each row; both are changed
 * by atomic additions. Several threads at once. */
void batch_take(const struct batch *batch, enum pass pass, int64_t first, struct csr *a);

/* Room for the mirror images of a batch. */
struct batch_room {
    int32_t row[SINK_ENTRIES], col[SINK_ENTRIES];
    double val[SINK_ENTRIES], imaginary[SINK_ENTRIES];
};

/* Return the mirror images of off-diagonal entries (i, j, v), which are (j, i, v) of symmetric matrices, (j,
 * i, -v) of skew-symmetric and (j, i, conj v) of hermitian ones. *orientations becomes the triangles that the
 * entries are in, MIRROR_LOWER and MIRROR_UPPER. */
struct batch batch_mirror(const struct sink *sink, enum symmetry symmetry, struct batch_room *room,
                          unsigned *orientations);

/* Ask a source for block k, with a new sink, whose entries `flush` takes for `owner`. *stored becomes the
 * number of entries. */
enum status batch_produce(const struct source *source, int64_t k, bool values,
                          void (*flush)(struct sink *sink), void *owner, int64_t *stored,
                          struct error *error);

#endif
