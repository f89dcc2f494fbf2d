/* Shared by the readers of HDF5 files: gathers the data of a matrix in a child process, and makes views of
 * its datasets. The library crashes on some damaged files and never returns from others, so only a child
 * calls it (base/apart.h). Only files/hdf5 uses this, and only in a build with HDF5. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_H5_H
#define SPARSIGHT_MATRIX_FILES_HDF5_H5_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/spill.h"
#include "matrix/about.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/container.h"
#include "matrix/files/hdf5/library.h"

#define H5_PIECES 16 /* datasets of one file that are unpacked */
#define H5_NAME 256  /* bytes of a name with the 0 behind it */

/* A dataset that the child has unpacked into a file that both processes share. */
struct h5_piece {
    const void *at; /* its address in the child */
    int64_t offset; /* in the file */
    size_t bytes;
    bool spilled; /* the file is on a disk: `spill`, not `shared` */
};

/* The data that a child gathers, in memory that it shares with its parent. Texts and paths that were made
 * before the child have the same addresses in both. */
struct h5_found {
    enum status status; /* of gathering, and its error */
    struct error error;
    struct arrays arrays; /* the matrix */
    struct arrays zeros;  /* its explicit zeros, if `has_zeros` and `sparse_zeros` */
    bool has_zeros, sparse_zeros;
    struct about about;
    char notes[2048];       /* lines */
    char name[H5_NAME];     /* of the matrix within the file; "" if it has none */
    volatile int64_t steps; /* number of objects examined */
    int pieces;
    struct h5_piece piece[H5_PIECES];
};

/* A file that the child has open. */
struct h5 {
    const struct container *container;
    hid_t file;
    size_t limit;
    bool always;        /* entries are streamed even if there is memory for them */
    struct spill spill; /* if entries may be streamed: the file for large datasets; else its fd is -1 */
    int shared;         /* the shared file in memory with the other unpacked data */
    int64_t length;     /* and its length */
    struct h5_found *found;
};

/* Gather the data of a matrix: set found->arrays and other members. It runs in the child, with the file open.
 * `name` is the object that the user named, or NULL. */
typedef enum status h5_gather(struct h5 *h5, const char *name, struct error *error);

/* The parent's data of a file. Start with {0}, and end with h5_end in any case. */
struct h5_reading {
    struct h5_found *found;
    void *memory[H5_PIECES];
};

/* Make the container's text plain, and let a child open the file and gather. Datasets that need unpacking
 * take memory. If options->taker may stream the entries, large datasets that exceed the limit are unpacked
 * piece by piece into a temporary file (base/spill.h); if it takes all entries, all large datasets are.
 * reading->found->about begins as `about`. Fails with the child's error; with STATUS_INPUT if the library
 * crashes or does not return; STATUS_MEMORY, STATUS_LIMIT, STATUS_IO, STATUS_CANCELLED. */
enum status h5_begin(struct container *container, const struct load_options *options, h5_gather *gather,
                     const struct about *about, struct progress *progress, struct h5_reading *reading,
                     struct error *error);
void h5_end(struct h5_reading *reading);

/* Make a view of the numbers of a dataset: the parent reads plain numbers from the file; the library converts
 * and unpacks others. `size` gets the dimensions, the slowest first, of which there may be two; if it is
 * NULL, there must be one. Complex numbers are pairs of floats called r and i, re and im, or real and
 * imag. */
enum status h5_view(struct h5 *h5, hid_t group, const char *name, struct view *view, int64_t size[2],
                    struct error *error);

bool h5_has(hid_t group, const char *name);

/* Return true if this object is not yet among the `count` in `seen`, which has room for H5_SEEN, and add it.
 * Links may lead to an object by many names, and in circles. */
#define H5_SEEN 4096
struct h5_seen {
    int count;
    unsigned char token[H5_SEEN][16];
};
bool h5_is_new(hid_t object, struct h5_seen *seen);

/* Read an attribute: a single text, whose copy the caller frees, NULL if there is none; or a single integer,
 * false if there is none. h5_text fails with STATUS_MEMORY. */
enum status h5_text(hid_t object, const char *name, char **text, struct error *error);
bool h5_number(hid_t object, const char *name, int64_t *value);

#endif
