/* libarchive, which unpacks files and archives and writes compressed ones. It is loaded when the first of
 * them is met, since loading it with the libraries that it needs takes 3 ms. */
#ifndef SPARSIGHT_MATRIX_FILES_ARCHIVE_LIBRARY_H
#define SPARSIGHT_MATRIX_FILES_ARCHIVE_LIBRARY_H

#include <archive.h>
#include <archive_entry.h>

#include "base/error.h"

/* The functions; all NULL until the library is loaded. */
extern struct libarchive {
#define SYMBOL(name) __typeof__(name) *name;
#include "matrix/files/archive.def"
#undef SYMBOL
} libarchive;

/* Load the library, unless it is. STATUS_UNAVAILABLE says how to get it. */
enum status libarchive_load(struct error *error);

#endif
