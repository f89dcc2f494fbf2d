/* Entries of a symmetric file that the file lists together with their mirror images. Only build.c and rows.c
 * use this.
 *
 * A symmetric file gives one of (i, j) and (j, i), and each stands for both. If it gives both, or one of them
 * twice, the result is the same in the expanded matrix: two entries in row i with column j, and two in row j
 * with column i. The first is a fault of the file, the second a duplicate to be added. Only another pass over
 * the source distinguishes them. It is made only if there are duplicates and the source gave entries on both
 * sides of the diagonal:
 *
 *     mirrors_collect   lists the positions below the diagonal that have more than one entry
 *     mirrors_match     counts, for each position, the stored entries below and above the diagonal
 *     mirrors_judge     finds the positions with both */
#ifndef SPARSIGHT_MATRIX_MIRRORS_H
#define SPARSIGHT_MATRIX_MIRRORS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "matrix/csr.h"

/* The triangles of a matrix, as bits. */
enum { MIRROR_LOWER = 1, MIRROR_UPPER = 2 };

/* A position (i, j), i > j, of several stored entries: the numbers of those below and above the diagonal, and
 * the first of each. An entry's name is block << 32 | number in the block; UINT64_MAX: none. */
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

/* List the positions below the diagonal that have more than one entry. Rows are sorted, and not merged yet;
 * row 0 of `a` is row first_row of the matrix. Returns STATUS_MEMORY if memory is short. */
enum status mirrors_collect(struct mirrors *mirrors, const struct csr *a, int64_t first_row,
                            struct error *error);

/* Count the stored entries (row[k], col[k]), k < count, that are at a listed position or its mirror image.
 * Entry k is number before + k of `block`. Several threads may call this at once. */
void mirrors_match(struct mirrors *mirrors, const int32_t *row, const int32_t *col, int count, int64_t block,
                   int64_t before);

/* Find the faults after all entries were counted. Returns STATUS_INPUT for the first entry of the source
 * whose mirror image came before it, with the lines of both. If source->agreeing_mirrors, a pair is accepted
 * if there is exactly one of each and their values agree. */
enum status mirrors_judge(const struct mirrors *mirrors, const struct csr *a, const struct source *source,
                          struct error *error);

/* The two steps of mirrors_judge. First, find the position with both kinds whose later entry comes first in
 * the source, and the name of that entry; NULL and UINT64_MAX if there is none. Second, return STATUS_INPUT
 * for it. */
const struct mirror *mirrors_worst(const struct mirrors *mirrors, const struct csr *a,
                                   const struct source *source, uint64_t *place);
enum status mirrors_refuse(const struct mirror *worst, const struct source *source, struct error *error);

/* Return true if the duplicates at (i, j) of the expanded matrix are an entry and its mirror image. */
bool mirrors_agree(const struct mirrors *mirrors, int64_t i, int64_t j);

void mirrors_free(struct mirrors *mirrors);

#endif
