/* Synthetic matrices: a table of generators, each a formula for the entries of a row or of a block. */
#ifndef SPARSIGHT_MATRIX_GENERATORS_GENERATE_H
#define SPARSIGHT_MATRIX_GENERATORS_GENERATE_H

#include "base/error.h"
#include "base/job.h"
#include "base/parameters.h"
#include "base/text.h"
#include "matrix/build.h"
#include "matrix/matrix.h"

/* A specification that has been read (generators/recipe.h). */
struct recipe;

struct generator {
    const char *name;
    const char *summary;
    const char *source;                 /* the publication that defines it; "" if it is our own */
    const struct parameter *parameters; /* the last one has a NULL name */

    /* Compute the sizes from the parameters, and refuse invalid values that lie within their ranges. */
    enum status (*plan)(struct recipe *recipe, struct error *error);
    /* A generator has one of two functions, and NULL for the other. Several threads may call it at once, and
     * call it again for the same k or i; it must then put the same entries. */
    /* Put row i into the sink, columns ascending. `scratch` has recipe->scratch bytes. */
    void (*row)(const struct recipe *recipe, int64_t i, void *scratch, struct sink *sink);
    /* Put block k of recipe->blocks into the sink, in any order. */
    void (*block)(const struct recipe *recipe, int64_t k, struct sink *sink);
    void (*release)(struct recipe *recipe); /* frees recipe->state; may be NULL */
};

/* The table of all generators, ended by NULL. */
extern const struct generator *const generators[];

/* Return the generator called `name`, or NULL. */
const struct generator *generator_find(const char *name);

/* Append the text on a generator for `sparsight gen --help` and the manual: its name and summary, a line for
 * each parameter with its range and default, and its source. */
void generator_describe(const struct generator *generator, struct text *text);

/* Build the matrix of a specification "NAME,parameter=value,..." (without the "gen:"). Fills in *matrix as
 * matrix_load does, except its path. The matrix counts as general with all its entries listed. It does not
 * depend on the number of threads. Returns STATUS_USAGE for an unknown name or parameter, or a value out of
 * range; the message lists the valid ones; STATUS_LIMIT, before anything is allocated, for a matrix that is
 * too large. */
enum status generate_matrix(const char *specification, const struct load_options *options,
                            struct progress *progress, struct matrix *matrix, struct error *error);

#endif
