/* Entries of a symmetric file that are given together with their mirror image. Used by build.c and rows.c
 * only.
 *
 * After expansion a true duplicate (the same place twice) and a mirror image given explicitly look the same:
 * two entries in one row with the same column. Only going through the source again tells which it is; that is
 * done only if the source gives entries on both sides of the diagonal and duplicates exist. */
#ifndef SPARSIGHT_MATRIX_MIRRORS_H
#define SPARSIGHT_MATRIX_MIRRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/csr.h"

enum { MIRROR_LOWER = 1, MIRROR_UPPER = 2 };

/* A place (i, j), i > j, that several stored entries lead to: how many of them on each side of the diagonal,
 * and the first of each (block << 32 | number within it; UINT64_MAX: none). */
struct mirror {
    int32_t i, j;
    uint32_t lower, upper;
    uint64_t first_lower, first_upper;
};

struct mirrors {
    struct mirror *list; /* ascending by (i, j); owned */
    int64_t count;
};

struct source;

/* List the duplicated places below the diagonal of sorted, unmerged rows. */
enum status mirrors_collect(struct mirrors *mirrors, const struct csr *a, struct error *error);

/* Note which side entries (row[k], col[k]) are on, for those that lead to a listed place. The k-th is number
 * before + k of `block`. Called by several threads at once. */
void mirrors_match(struct mirrors *mirrors, const int32_t *row, const int32_t *col, int count, int64_t block,
                   int64_t before);

/* Afterwards: STATUS_INPUT naming both lines for the first entry in the source whose mirror image came before
 * it, unless the source allows it, there is exactly one of each, and they agree. */
enum status mirrors_judge(const struct mirrors *mirrors, const struct csr *a, const struct source *source,
                          struct error *error);

/* True if the duplicate at (i, j) of the expanded matrix is an entry and its mirror image. */
bool mirrors_agree(const struct mirrors *mirrors, int64_t i, int64_t j);

void mirrors_free(struct mirrors *mirrors);

#endif
