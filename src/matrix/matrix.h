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
    char *variable;     /* the name that the matrix has in its file; NULL if it has none */
    enum field field;
    enum symmetry symmetry; /* symmetry stated by the file; csr has the mirror images in any case */
    bool transposed; /* it is the transpose of the source's matrix; sizes, entries and `summed` are those of
                        A^T */
    bool coordinate; /* false if it was read from an array file */
    int64_t stored;  /* entries that the file lists */
    int64_t duplicates;     /* those of them that were added to another one; -1 if nobody knows */
    int64_t explicit_zeros; /* entries of csr whose value is zero */
    bool zeros_counted;     /* a reader has counted them already; matrix_load does if not */
    struct csr csr;
    struct text notes;    /* a line for each fault that lenient reading tolerated, for each deviation from the
                             source, and for other contents of the archive */
    struct summed summed; /* where entries that the file lists more than once were added up */
    struct about about;   /* metadata from the comments of the file */
};

/* Options of loading. {0} is the default. */
struct load_options {
    bool lenient;
    bool drop_zeros;
    bool transpose;   /* load A^T; neither goes with `taker` nor with `builder` */
    bool from_zero;   /* the indices of a file count from 0 */
    bool from_one;    /* they count from 1, also where they would by default count from 0 */
    bool names;       /* the vertices of an edge list have names */
    const char *name; /* of the matrix, and its path where it comes from a stream; NULL: the file's */
    const struct reader *from; /* the reader of the file; NULL: the one that its contents determine */
    const char *kind; /* the kind of the file, for the reader; NULL: the one that its contents determine */
    size_t limit;     /* bytes; 0 for the limit that memory_check takes by itself */
    matrix_beside *beside;   /* memory needed in addition to the matrix; NULL: none */
    bool stream;             /* a session keeps no entries, also if there is room for them */
    bool keep;               /* a session is of no use without entries */
    struct taker *taker;     /* takes the entries of a matrix that is larger than the limit, which is then
                                  loaded without them (csr has rows and columns alone); NULL: it is refused */
    struct glimpse *glimpse; /* becomes a coarse picture of the matrix while it is read; NULL: none. It must
                                stay until loading ends */
    /* Builds the matrix in parts, so that csr has only a contiguous range of its rows, and explicit zeros are
     * those of the range; NULL: csr is the whole matrix. */
    const struct builder *builder;
};

const char *field_name(enum field field);          /* "real", "integer", "complex", "pattern" */
const char *symmetry_name(enum symmetry symmetry); /* "general", "symmetric", "skew-symmetric", "hermitian" */

/* The symmetry that a file with one triangle states of the matrix. A skew-symmetric matrix with entries on
 * its diagonal, which are zeros, is written as general, since such files have no diagonal. O(rows log len) of
 * a skew-symmetric matrix. */
enum symmetry matrix_symmetry_written(const struct matrix *matrix);

/* Load what the command line calls a MATRIX: gen:SPEC, a path, ARCHIVE:MEMBER, or "-" for standard input.
 * On failure *matrix is {0}. The caller frees it with matrix_free. */
enum status matrix_load(const char *name, const struct load_options *options, struct progress *progress,
                        struct matrix *matrix, struct error *error);

void matrix_free(struct matrix *matrix);

#endif
