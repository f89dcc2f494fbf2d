/* Finding entries in a range of a matrix. The pyramid's cells show empty regions, which are skipped. */
#ifndef SPARSIGHT_ANALYSIS_ENTRIES_H
#define SPARSIGHT_ANALYSIS_ENTRIES_H

#include <stdint.h>

#include "analysis/pyramid.h"
#include "matrix/csr.h"

/* A range of a matrix: rows r0 to r1-1 and columns c0 to c1-1. */
struct range {
    int64_t r0, r1, c0, c1;
};

struct entry_place {
    int64_t row, col, entry;
};

/* Find the first entries of a range, row by row, at most `max` of them; returns how many were found. Rows of
 * cells that are empty in the range are skipped; each other row takes O(log len). The search stops after
 * `rows` of these, and *complete is then false; complete may be NULL. */
int entries_first(const struct pyramid *pyramid, const struct csr *a, struct range range, int64_t rows,
                  struct entry_place *places, int max, int *complete);

/* Find the nearest entry in column col above row `row`, or if `down` below it. Returns 1 if it was found, 0
 * if there is none, -1 if the first `rows` rows had none. */
int entries_in_column(const struct pyramid *pyramid, const struct csr *a, int64_t row, int64_t col, int down,
                      int64_t rows, struct entry_place *place);

#endif
