/* A loaded matrix: the canonical CSR and the metadata of its source. */
#ifndef SPARSIGHT_MATRIX_MATRIX_H
#define SPARSIGHT_MATRIX_MATRIX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "base/text.h"
#include "matrix/about.h"
#include "matrix/build.h"
#include "matrix/csr.h"

struct reader;

enum field { FIELD_REAL, FIELD_INTEGER, FIELD_COMPLEX, FIELD_PATTERN };

struct matrix {
    char *name;         /* "cant" for cant.tar.gz, "laplace2d,n=100" for gen:laplace2d,n=100, "stdin" for - */
    char *path;         /* as the user gave it */
    const char *format; /* of the file, as its reader calls it; "generated" */
    char *variable;     /* the name of the matrix in its file; NULL: none */
    enum field field;
    enum symmetry symmetry; /* symmetry stated by the file; csr has the mirror images in any case */
    bool transposed;    /* it is the transposed matrix of the source; sizes, entries and `summed` are those of
                           A^T */
    bool coordinate;    /* false if it was read from an array file */
    int64_t stored;     /* entries that the file lists */
    int64_t duplicates; /* those of them that were added to another one; -1 if unknown */
    int64_t explicit_zeros; /* entries of csr whose value is zero */
    bool zeros_counted;     /* the reader has counted them; else matrix_load counts them */
    struct csr csr;
    struct text notes;    /* a line for each fault that lenient reading tolerated, for each deviation from the
                             source, and for other contents of the archive */
    struct summed summed; /* positions that the file lists more than once, whose entries were added */
    struct about about;   /* metadata from the comments of the file */
};

/* Options of loading. {0} is the default. */
struct load_options {
    bool lenient;
    bool drop_zeros;
    bool transpose;   /* load A^T; not allowed with `taker` or `builder` */
    bool from_zero;   /* the indices of a file count from 0 */
    bool from_one;    /* they count from 1, also in formats where they count from 0 by default */
    bool names;       /* the vertices of an edge list have names */
    const char *name; /* the matrix's name, and its path if it is read from a stream; NULL: those of the
                         file */
    const struct reader *from; /* the reader of the file; NULL: determined by its contents */
    const char *kind;          /* the kind of the file, for the reader; NULL: determined by its contents */
    size_t limit;              /* bytes; 0: the default of memory_check */
    matrix_beside *beside;     /* memory needed in addition to the matrix; NULL: none */
    bool stream;               /* a session keeps no entries, even if there is memory for them */
    bool keep;                 /* a session is of no use without entries */
    struct taker *taker;       /* takes the entries of a matrix that is larger than the limit; csr then has
                                    only rows and columns. NULL: such a matrix is refused */
    struct glimpse *glimpse;   /* becomes a coarse picture of the matrix while it is read; NULL: none. It must
                                  stay until loading ends */
    /* Builds the matrix in parts, so that csr has only a contiguous range of its rows, and explicit zeros are
     * those of the range; NULL: csr is the whole matrix. */
    const struct builder *builder;
};

const char *field_name(enum field field);          /* "real", "integer", "complex", "pattern" */
const char *symmetry_name(enum symmetry symmetry); /* "general", "symmetric", "skew-symmetric", "hermitian" */

/* The symmetry that a file with one triangle states of the matrix. A skew-symmetric matrix with entries on
 * its diagonal, which are zeros, is written as general, since such files have no diagonal. Row 0 of the
 * CSR is row `first_row` of the matrix. O(rows log len) of a skew-symmetric matrix. */
enum symmetry matrix_symmetry_written(const struct matrix *matrix, int64_t first_row);

/* Load a MATRIX of the command line: gen:SPEC, a path, ARCHIVE:MEMBER, or "-" for standard input. On failure
 * *matrix is {0}. The caller frees it with matrix_free. */
enum status matrix_load(const char *name, const struct load_options *options, struct progress *progress,
                        struct matrix *matrix, struct error *error);

void matrix_free(struct matrix *matrix);

#endif
