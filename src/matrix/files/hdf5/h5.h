/* What readers of HDF5 files have in common: opening them, and making views of their datasets. Only
 * files/hdf5 uses this, and only in a build with HDF5. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_H5_H
#define SPARSIGHT_MATRIX_FILES_HDF5_H5_H

#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/container.h"

#define H5_ARRAYS 4

/* An open file. Start with h5_open, end with h5_close in any case. */
struct h5 {
    const struct container *container;
    hid_t file;
    size_t limit;
    void *memory[H5_ARRAYS]; /* of datasets that had to be unpacked; owned */
    int memories;
    bool locked;
};

/* Open the file in a container, which becomes plain. The library is not made for several threads: until
 * h5_close, others that open a file wait. */
enum status h5_open(struct container *container, size_t limit, struct progress *progress, struct h5 *h5,
                    struct error *error);
void h5_close(struct h5 *h5);

/* Free what was unpacked for views, none of which may be used any more, so that there may be H5_ARRAYS
 * others. */
void h5_forget(struct h5 *h5);

/* Make a view of the numbers of a dataset, at most H5_ARRAYS in all: those that lie in the file as they are,
 * are read from there, others are unpacked. The two dimensions, slowest first, are put into `size` unless
 * that is NULL; then there may be one or two, else one. Complex numbers are pairs. */
enum status h5_view(struct h5 *h5, hid_t group, const char *name, struct view *view, int64_t size[2],
                    struct error *error);

bool h5_has(hid_t group, const char *name);

/* Read an attribute: a text, of which the caller frees the copy, and which is NULL if there is none; or a
 * whole number, with false if there is none. h5_text fails with STATUS_MEMORY. */
enum status h5_text(hid_t object, const char *name, char **text, struct error *error);
bool h5_number(hid_t object, const char *name, int64_t *value);

#endif
