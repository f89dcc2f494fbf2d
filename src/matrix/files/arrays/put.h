/* Writing arrays of numbers, of any type and byte order, to binary files. All threads make pieces of an
 * array, which are written in order, so that the file may be a pipe or be compressed. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_PUT_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_PUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/files/arrays/view.h"
#include "matrix/files/rows_file.h"

/* An array that is to be written. Its elements are in memory, in this machine's representation of the type,
 * or `fill` makes them. */
struct put {
    enum number type;
    bool big; /* the most significant byte comes first in the file */
    int64_t count;
    const void *memory; /* NULL if `fill` makes the elements */
    /* Make elements from .. from+count-1 in this machine's representation. Several threads call this at
     * once. */
    void (*fill)(const struct put *array, int64_t from, int64_t count, void *out);
    const void *self; /* the argument of `fill` */
    int kind;         /* the same */
};

/* Return the bytes of the array in the file, at most INT64_MAX. */
int64_t put_size(const struct put *array);

/* Write the array. Progress counts bytes. STATUS_IO with the text of errno if not all could be written,
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status put_array(FILE *file, const struct put *array, struct progress *progress, struct error *error);

/* Write the array at an offset of a file that several processes write, in any order. STATUS_IO,
 * STATUS_MEMORY. Not collective. */
enum status put_array_at(const struct rows_file *file, int64_t offset, const struct put *array,
                         struct error *error);

/* Write bytes as they are. STATUS_IO. */
enum status put_bytes(FILE *file, const void *bytes, size_t count, struct error *error);

/* Put a number of `width` bytes at `at`, the least significant byte first. Returns the byte after it. */
unsigned char *put_little(unsigned char *at, uint64_t number, int width);

#endif
