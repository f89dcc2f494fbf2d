/* Writing arrays of numbers to binary files, of any type and byte order: they are made piece by piece, by all
 * threads, and written in their order, so that a file may be a pipe or be compressed. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_PUT_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/view.h"

/* An array that is to be written. Its elements are in memory, just as this machine has numbers of that type,
 * or `fill` makes them. */
struct put {
    enum number type;
    bool big; /* the most significant byte comes first in the file */
    int64_t count;
    const void *memory; /* NULL if `fill` makes the elements */
    /* Make elements from .. from+count-1 as this machine has them. Several threads call this at once. */
    void (*fill)(const struct put *array, int64_t from, int64_t count, void *out);
    const void *self; /* the argument of `fill` */
    int kind;         /* the same */
};

/* Return the bytes that the array takes in the file; INT64_MAX if that is more than 63 bits hold. */
int64_t put_size(const struct put *array);

/* Write the array. Progress counts bytes. STATUS_IO with the text of errno if not all could be written,
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status put_array(FILE *file, const struct put *array, struct progress *progress, struct error *error);

/* Write bytes as they are. STATUS_IO. */
enum status put_bytes(FILE *file, const void *bytes, size_t count, struct error *error);

/* Put a number of `width` bytes at `at`, the least significant byte first. Returns the byte after it. */
unsigned char *put_little(unsigned char *at, uint64_t number, int width);

#endif
