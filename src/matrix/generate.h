/* Synthetic matrices: a table of generators, each a formula for the entries of a row or of a block. */
#ifndef SPARSIGHT_MATRIX_GENERATE_H
#define SPARSIGHT_MATRIX_GENERATE_H

#include "base/error.h"
#include "base/job.h"
#include "matrix/matrix.h"

/* One parameter: its name, its range and its default, all as written in a specification. */
struct generator_parameter {
    const char *name;
    const char *help;
    double least, most, standard;
    bool integer;
    bool text; /* a file name; the numbers do not apply */
};

struct generator {
    const char *name;
    const char *summary;
    const char *source;                           /* where the definition comes from */
    const struct generator_parameter *parameters; /* ends with a NULL name */
};

/* The table; the last one has a NULL name. */
extern const struct generator *const generators;

/* Build the matrix of "NAME,parameter=value,..." (without the "gen:"). Fills *matrix as matrix_load does, but
 * for path. The same specification and seed give the same matrix whatever the number of threads.
 * Errors: STATUS_USAGE for an unknown name or parameter or a value out of range, saying what there is. */
enum status generate_matrix(const char *specification, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error);

#endif
