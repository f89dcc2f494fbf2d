/* Arrays and structs of MATLAB files of version 5 to 7, and the texts in a struct. Only files/mat uses
 * this. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_STRUCTS_H
#define SPARSIGHT_MATRIX_FILES_MAT_STRUCTS_H

#include <stdint.h>

#include "matrix/about.h"
#include "matrix/files/mat/elements.h"

#define FIELD_NAME 128

/* Classes of arrays. */
enum { MX_CELL = 1, MX_STRUCT = 2, MX_OBJECT = 3, MX_CHAR = 4, MX_SPARSE = 5, MX_DOUBLE = 6, MX_UINT64 = 15 };

/* The head of an array. */
struct head {
    uint32_t class, flags;
    int dimensions;
    int64_t size[2];
    char name[FIELD_NAME];
    int64_t next; /* the first byte of its content */
};

/* The fields of a struct of one element. */
struct fields {
    int64_t first; /* the first byte of the first field */
    int64_t count, width, names;
};

/* Read the head of the array at byte `at`. Errors of this and the next functions are STATUS_INPUT. */
enum status head_read(const struct span *span, int64_t at, struct head *head, struct error *error);

/* Find the fields of a struct whose head was read; and copy the name of field k. */
enum status fields_read(const struct span *span, const struct head *head, struct fields *fields,
                        struct error *error);
enum status fields_name(const struct span *span, const struct fields *fields, int64_t k,
                        char name[FIELD_NAME], struct error *error);

/* Read the texts of the struct at byte `at`, which the SuiteSparse collection stores beside a matrix.
 * Anything except a struct of one element has no texts. */
enum status struct_texts(const struct span *span, int64_t at, struct about *about, struct error *error);

#endif
