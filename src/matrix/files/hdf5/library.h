/* libhdf5, loaded when the first of its files is read: with its dependencies it takes longer to load than the
 * rest of the program. Its functions are called as hdf5.H5Fopen, and its variables are *hdf5.H5T_C_S1_g. Only
 * files/hdf5 uses this, and only in a build with HDF5. */
#ifndef SPARSIGHT_MATRIX_FILES_HDF5_LIBRARY_H
#define SPARSIGHT_MATRIX_FILES_HDF5_LIBRARY_H

#include <hdf5.h>

#include "base/error.h"

/* 1 if the library can read without locking the file, else 0. */
#define HDF5_LOCKS (H5_VERSION_GE(1, 12, 1) || (H5_VERS_MINOR == 10 && H5_VERS_RELEASE >= 7))

struct hdf5 {
#define SYMBOL(name) __typeof__(name) *name;
#include "matrix/files/hdf5/library.def"
#undef SYMBOL
};
extern struct hdf5 hdf5;

/* The header's constants start the library by functions that are not linked; hdf5_start starts it instead. */
#undef H5CHECK
#undef H5OPEN
#define H5CHECK
#define H5OPEN

/* Load the library, unless it is loaded. STATUS_UNAVAILABLE. */
enum status hdf5_load(struct error *error);

/* Start the loaded library, in the child process. STATUS_UNAVAILABLE if its version differs from that of the
 * header, since types and constants may differ. */
enum status hdf5_start(struct error *error);

#endif
