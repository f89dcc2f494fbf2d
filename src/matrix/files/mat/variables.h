/* The contents of a MATLAB file of version 4 to 7: variables, and fields of structs in them, with the
 * positions of the numbers of matrices. Only files/mat uses this. The formats are MathWorks' "MAT-File
 * Format", 2020. */
#ifndef SPARSIGHT_MATRIX_FILES_MAT_VARIABLES_H
#define SPARSIGHT_MATRIX_FILES_MAT_VARIABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/about.h"
#include "matrix/files/arrays/arrays.h"
#include "matrix/files/mat/elements.h"

#define MAT_NAME 256 /* bytes of a name such as Problem.A, with the final 0 */

/* An open file. */
struct mat {
    struct span file;
    bool version4;
    size_t limit;
    const struct taker *taker; /* as of struct load_options */
    char *memory;              /* the variable that was unpacked last; owned */
    struct inflated *inflated; /* or, if its entries are streamed, the way to parts of it; owned */
    int64_t memory_from;       /* its offset in the file; -1: none */
    int64_t memory_bytes;
};

/* A matrix that was found. */
struct mat_matrix {
    char name[MAT_NAME];
    bool sparse;
    int64_t rows, cols;
    struct arrays arrays; /* complete, except for the path */
};

/* Called for each matrix of numbers; false ends the walk. */
typedef bool mat_visit(void *self, const struct mat_matrix *matrix);

/* Open a plain file. Compressed variables are unpacked into memory; if `taker` is not NULL and takes all
 * entries, or if a variable exceeds the limit, it is inflated where it is read. STATUS_INPUT if its version
 * is unknown. mat_close frees. */
enum status mat_open(const struct container *container, size_t limit, const struct taker *taker,
                     struct mat *mat, struct error *error);
void mat_close(struct mat *mat);

/* Call `visit` for all matrices of numbers with two dimensions: variables, and fields of structs. If `only`
 * is not NULL, variables with other names are skipped without being unpacked, except structs that may have
 * such a field. The arrays of a matrix stay valid until the next variable is unpacked. */
enum status mat_walk(struct mat *mat, const char *only, mat_visit *visit, void *self, struct error *error);

/* The name of the struct with the texts of a matrix that is not in a struct. */
#define MAT_ABOUT "about"

/* Read the texts of the SuiteSparse collection (title, author, ed, kind, date, name, id, notes) from the
 * struct with the field `name`, or from the struct MAT_ABOUT if the matrix is a separate variable. */
enum status mat_texts(struct mat *mat, const char *name, struct about *about, struct error *error);

#endif
