/* The part of a matrix that a file format stores: its rows or its columns in order, or one triangle of them,
 * as arrays to write. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_PART_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_PART_H

#include <stdbool.h>
#include <stdint.h>

#include "matrix/files/arrays/put.h"
#include "matrix/matrix.h"

/* Lines are rows or columns. A symmetric matrix need not be transposed: line j is row j, whose values off the
 * diagonal are negated if the matrix is skew-symmetric, and their imaginary parts if it is Hermitian. Start
 * with part_open, end with part_free in any case. */
struct part {
    const struct csr *a;     /* the source of the entries: the matrix's CSR, or `transposed` */
    enum field field;        /* integer if the sum of duplicates gave a pattern other values than 1 */
    enum symmetry symmetry;  /* symmetry of the part: general if it has both triangles */
    int64_t lines, count;    /* number of lines, and of the entries of all lines */
    const int64_t *pointers; /* the offset of each line, and the end; lines + 1 elements */
    bool from_diagonal;      /* the part has the end of each line of `a`, from the diagonal on; false: the
                                beginning */
    bool negate_real, negate_imaginary; /* off the diagonal */
    int64_t *owned;                     /* pointers of a triangle */
    struct csr transposed;
};

/* The kind of data in an array. */
enum part_kind {
    PART_POINTERS,  /* offsets of lines; an integer type */
    PART_LENGTHS,   /* number of entries of each line; an integer type */
    PART_PLACES,    /* the index within the line, from 0; an integer type */
    PART_LINES,     /* the line itself, from 0; an integer type */
    PART_VALUES,    /* real, complex or integer; with NUMBER_BOOL each is 1 */
    PART_IMAGINARY, /* the imaginary parts alone; NUMBER_F64 */
};

/* Take the matrix by rows, or by columns. With `triangle`, only the lower triangle of a symmetric,
 * skew-symmetric or Hermitian matrix is taken, of a skew-symmetric one without the diagonal. Columns of a
 * general matrix need its transpose, which takes csr_bytes; STATUS_LIMIT if this memory is not available,
 * STATUS_MEMORY, STATUS_CANCELLED. */
enum status part_open(struct part *part, const struct matrix *matrix, bool columns, bool triangle,
                      struct progress *progress, struct error *error);
void part_free(struct part *part);

/* Return the array of this kind. Its numbers are written as this type, little-endian unless the caller
 * requests otherwise. The part must outlive it. */
struct put part_array(const struct part *part, enum part_kind kind, enum number type);

/* Return the type in which all values are exact: integers of 64 bits for a field of integers that these hold,
 * NUMBER_BOOL for a pattern, else doubles, complex or real. */
enum number part_type(const struct part *part);

/* Return entry number e of the part: its index within the line, and its value. `line` is the line of the
 * entry; part_line finds it in O(log lines). */
int64_t part_line(const struct part *part, int64_t e);
int32_t part_entry(const struct part *part, int64_t line, int64_t e, double *real, double *imaginary);

#endif
