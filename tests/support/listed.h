/* A source for build_csr that reads its entries from an array. */
#ifndef SPARSIGHT_TESTS_SUPPORT_LISTED_H
#define SPARSIGHT_TESTS_SUPPORT_LISTED_H

#include "matrix/build.h"

#define LISTED_SIDE 60 /* the rows and columns of the matrix */

/* A source that reads its entries from an array, `per_block` of them a block; line k + 1 is entry k. */
struct listed {
    int count, per_block;
    int32_t row[8000], col[8000];
    double val[8000], imaginary[8000];
    int bad_place; /* the entry that fails in both passes, or -1 */
    int bad_value; /* the entry that fails only when values are read, or -1 */
    int released;
};

/* Make a list without entries, which the caller frees with free. */
struct listed *listed_new(int per_block);

/* Append an entry to the list. */
void listed_put(struct listed *list, int i, int j, double val, double imaginary);

/* Random entries, in one triangle for symmetric kinds (the upper one for odd seeds), many given repeatedly.
 */
struct listed *listed_random(unsigned seed, enum symmetry symmetry, int count, int per_block);

/* The symmetries. */
extern const enum symmetry listed_kinds[4];

/* Return a source that reads this list, which must outlive it. */
struct source listed_source(struct listed *list, enum symmetry symmetry, bool complex);

#endif
