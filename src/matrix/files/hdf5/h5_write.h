/* Writing an HDF5 file from its beginning to its end, without the library: one group with datasets of one
 * dimension and one text as an attribute. The file can go into a pipe or a compressor, and needs no memory
 * beside the matrix. Only files/hdf5 uses this. The format is "HDF5 File Format Specification", version 3.0;
 * libraries from 1.8 on read the files. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_H5_WRITE_H
#define SPARSIGHT_MATRIX_FILES_HDF5_H5_WRITE_H

#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/put.h"

#define H5_WRITTEN_MAX 4
#define H5_WRITTEN_NAME 32 /* bytes of a name, with the final 0 */
#define H5_TEXT_MAX 60000  /* bytes of the attribute */

/* A dataset, of integers of 8, 32 or 64 bits or of doubles. Complex numbers are twice as many doubles. */
struct h5_written {
    char name[H5_WRITTEN_NAME];
    struct put array;
};

/* Write a file whose group / has these datasets, and an attribute of this name in UTF-8, of at most
 * H5_TEXT_MAX bytes. Progress counts bytes. STATUS_IO, STATUS_MEMORY, STATUS_CANCELLED. */
enum status h5_write(FILE *file, const struct h5_written *datasets, int count, const char *attribute,
                     const char *text, struct progress *progress, struct error *error);

#endif
