/* Arrays of numbers in a binary file, or copied from it into memory: of any width, sign and byte order. They
 * are read in pieces, by several threads, and become indices or doubles. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_VIEW_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/files/container.h"

enum number {
    NUMBER_BOOL,
    NUMBER_I8,
    NUMBER_U8,
    NUMBER_I16,
    NUMBER_U16,
    NUMBER_I32,
    NUMBER_U32,
    NUMBER_I64,
    NUMBER_U64,
    NUMBER_F32,
    NUMBER_F64,
    NUMBER_C64,  /* complex, two floats */
    NUMBER_C128, /* complex, two doubles */
};

/* Copy `count` bytes from byte `at` on. Several threads call it at once. */
typedef enum status view_read(void *self, int64_t at, void *out, size_t count, struct error *error);

/* {0} stands for a missing array. */
struct view {
    const char *name;                  /* for messages */
    const struct container *container; /* a plain one; NULL if the elements are in memory */
    int64_t offset;                    /* of the first element in the file */
    const void *memory;                /* the elements themselves, instead of those at the offset; or NULL */
    view_read *read; /* copies elements from the offset on, which is not in a file; or NULL */
    void *self;      /* its argument */
    enum number type;
    bool big; /* the most significant byte comes first */
    int64_t count;
};

size_t number_bytes(enum number type);
bool number_is_integer(enum number type);
bool number_is_complex(enum number type);

/* Fail with STATUS_INPUT if the elements do not lie within the file. For an array in memory, do nothing. */
enum status view_check(const struct view *view, struct error *error);

/* Copy `count` elements from number `from` on, without converting them. STATUS_IO, or STATUS_INPUT if the
 * file has become shorter. */
enum status view_copy(const struct view *view, int64_t from, int64_t count, void *out, struct error *error);

/* The same in this machine's byte order. */
enum status view_copy_native(const struct view *view, int64_t from, int64_t count, void *out,
                             struct error *error);

/* Read elements as integers. STATUS_INPUT names the first that is not an integer, or does not fit in a signed
 * integer of 64 bits. */
enum status view_integers(const struct view *view, int64_t from, int64_t count, int64_t *out,
                          struct error *error);

/* Read elements as doubles; their imaginary parts, 0 for real numbers, are written to `imaginary` unless that
 * is NULL. *rounded is increased by the number of integers that no double represents. */
enum status view_reals(const struct view *view, int64_t from, int64_t count, double *real, double *imaginary,
                       int64_t *rounded, struct error *error);

#endif
