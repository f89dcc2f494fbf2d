/* Datasets that the library unpacks or converts, in the child, into memory or into a temporary file. Only
 * h5.c uses this, and only in a build with HDF5. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_UNPACK_H
#define SPARSIGHT_MATRIX_FILES_HDF5_UNPACK_H

#include "matrix/files/hdf5/h5.h"

/* Unpack the elements of a dataset with this type, converted to `wanted`, the library's type for view->type,
 * and make the view refer to them. If h5->spill is open, a large dataset goes to that file, in slabs of whole
 * chunks: if it exceeds the limit, or if h5->always. Others take memory. STATUS_LIMIT, STATUS_MEMORY;
 * STATUS_IO if the disk is full; STATUS_INPUT if the library cannot read it. */
enum status h5_unpack(struct h5 *h5, hid_t dataset, hid_t type, hid_t wanted, struct view *view,
                      struct error *error);

#endif
