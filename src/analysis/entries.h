/* Finding entries in parts of a matrix, with the pyramid's cells to skip what is empty. */
#ifndef SPARSIGHT_ANALYSIS_ENTRIES_H
#define SPARSIGHT_ANALYSIS_ENTRIES_H

#include <stdint.h>

#include "analysis/pyramid.h"
#include "matrix/csr.h"

/* Rows [r0, r1) x columns [c0, c1). */
struct range {
    int64_t r0, r1, c0, c1;
};

struct entry_place {
    int64_t row, col, entry;
};

/* The first `max` entries of the range, row by row; returns how many there are up to `most`. Cost: the rows
 * of those cells that are not empty, each log2 of its length, until `max` are found; it gives up after
 * `rows` of them and then returns what was found so far with *complete false. complete may be NULL. */
int entries_first(const struct pyramid *pyramid, const struct csr *a, struct range range, int64_t rows,
                  struct entry_place *places, int max, int *complete);

/* The nearest entry above row `row` (down: below it) in column col. Returns 1 if found, 0 if there is none,
 * -1 if `rows` rows were looked at in vain. */
int entries_in_column(const struct pyramid *pyramid, const struct csr *a, int64_t row, int64_t col, int down,
                      int64_t rows, struct entry_place *place);

#endif
