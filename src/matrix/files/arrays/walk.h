/* Reading the arrays of a matrix entry by entry. Only files/arrays uses this. */
#ifndef SPARSIGHT_MATRIX_FILES_ARRAYS_WALK_H
#define SPARSIGHT_MATRIX_FILES_ARRAYS_WALK_H

#include <stdatomic.h>

#include "matrix/build.h"
#include "matrix/files/arrays/arrays.h"

/* Number of entries that are read at once. */
#define WALK_PIECE 1024

/* A block of entries for the builder. The function that fills it reads it again while it is in the
 * second-level cache. */
#define WALK_BLOCK ((int64_t)1 << 16)

/* The arrays as a source of entries. */
struct walk {
    const struct arrays *arrays;
    int64_t *pointers; /* offsets, counted from 0, lines + 1 of them; NULL: none */
    int64_t *lines;    /* NULL for all */
    int64_t line_count;
    int64_t block;           /* entries of a block of the source */
    int64_t entries;         /* number of entries in the arrays: for BSR of blocks, for diagonals of all
                                elements */
    _Atomic int64_t rounded; /* number of integers that no double represents */
};

/* Return STATUS_INPUT, with the path of the file and the fault in its arrays. */
enum status walk_wrong(const struct arrays *arrays, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Return the line of entry k. O(log lines). */
int64_t walk_line(const struct walk *walk, int64_t k);

/* Return STATUS_INPUT if `index`, number k of an array, is not among 0 .. size-1. */
enum status walk_check_index(const struct walk *walk, const struct view *view, int64_t k, int64_t index,
                             int64_t size, struct error *error);

/* Read `count` indices from number k on, and count them from 0. All must be below `size`. */
enum status walk_indices(const struct walk *walk, const struct view *view, int64_t k, int64_t count,
                         int64_t size, int64_t *out, struct error *error);

/* The same as 32-bit integers. */
enum status walk_narrow_indices(const struct walk *walk, const struct view *view, int64_t k, int64_t count,
                                int64_t size, int32_t *out, struct error *error);

/* Read `count` values from number k on; `imaginary` may be NULL. With `counted`, integers that no double
 * represents are counted; callers that read values twice set it once. */
enum status walk_values(struct walk *walk, int64_t k, int64_t count, bool counted, double *real,
                        double *imaginary, struct error *error);

/* Fill in the entries of rows for build_rows; `self` is the walk. */
enum status walk_fill_rows(void *self, int64_t block, struct csr *a, struct rows_found *found,
                           struct error *error);

#endif
