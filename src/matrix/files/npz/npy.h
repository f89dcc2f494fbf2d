/* The header of an array in NumPy's format. Only files/npz uses this. The format is NEP 1, versions 1.0
 * to 3.0. */
#ifndef SPARSIGHT_MATRIX_FILES_NPZ_NPY_H
#define SPARSIGHT_MATRIX_FILES_NPZ_NPY_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/files/arrays/view.h"

#define NPY_DIMENSIONS 3

/* Maximum bytes of the header of an array of numbers. */
#define NPY_HEADER_MAX 4096

struct npy {
    int64_t bytes; /* length of the header; the elements follow it */
    bool text;     /* number and size in bytes of the characters, if the elements are texts */
    int64_t characters;
    int width;
    enum number type; /* of numbers */
    bool big;
    bool fortran; /* the first index varies fastest */
    int dimensions;
    int64_t shape[NPY_DIMENSIONS];
    int64_t count; /* of all elements */
};

/* Read the header at the beginning of `count` bytes. Returns NULL, or the fault as text. */
const char *npy_read(const char *bytes, int64_t count, struct npy *npy);

#endif
