/* Synthetic matrices: a table of generators, each a formula for the entries of a row or of a block. */
#ifndef SPARSIGHT_MATRIX_GENERATORS_GENERATE_H
#define SPARSIGHT_MATRIX_GENERATORS_GENERATE_H

#include <stdbool.h>

#include "base/error.h"
#include "base/job.h"
#include "base/parameters.h"
#include "base/text.h"
#include "matrix/build.h"
#include "matrix/matrix.h"

/* A specification that has been read; see generators/recipe.h. */
struct recipe;

struct generator {
    const char *name;
    const char *summary;
    const char *source;                 /* where the definition comes from */
    const struct parameter *parameters; /* ends with a NULL name */

    /* Sizes from parameters; what the ranges alone cannot rule out is refused here. */
    enum status (*plan)(struct recipe *recipe, struct error *error);
    /* Put row i into the sink, columns ascending. `scratch` has recipe->scratch bytes. NULL if block is not.
     */
    void (*row)(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink);
    /* Put block k of recipe->blocks into the sink, in any order. NULL if row is not. */
    void (*block)(const struct recipe *recipe, int64_t k, struct sink *sink);
    void (*release)(struct recipe *recipe); /* frees recipe->state; may be NULL */
};

/* The table; the last one is NULL. */
extern const struct generator *const generators[];

/* The generator called `name`, or NULL. */
const struct generator *generator_find(const char *name);

/* Append to `text` what `sparsight gen --help` and the manual say of a generator: its name and summary, then
 * a line for each parameter with its range and default, then its source. */
void generator_describe(const struct generator *generator, struct text *text);

/* Build the matrix of "NAME,parameter=value,..." (without the "gen:"). Fills *matrix as matrix_load does, but
 * for path; the matrix counts as a general one that lists all its entries, since that is what is produced.
 * The same specification and seed give the same matrix whatever the number of threads. A text value reaches
 * to the next ",NAME=" that is a parameter of the same generator, so that a file name may hold commas.
 * Errors: STATUS_USAGE for an unknown name or parameter or a value out of range, saying what there is;
 * STATUS_LIMIT, before anything is allocated, for a matrix that is too large. */
enum status generate_matrix(const char *specification, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error);

#endif
