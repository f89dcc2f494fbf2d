/* Structure: bandwidths, profile, symmetry, diagonals. */
#ifndef SPARSIGHT_ANALYSIS_STRUCTURE_H
#define SPARSIGHT_ANALYSIS_STRUCTURE_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "base/job.h"
#include "matrix/slab.h"

struct structure {
    int64_t lower_bandwidth;   /* maximum over entries (i, j) of max(0, i - j) */
    int64_t upper_bandwidth;   /* maximum over entries (i, j) of max(0, j - i) */
    int64_t profile;           /* sum over nonempty rows i of max(0, i - min j) */
    int64_t diagonal_nonzeros; /* entries with i = j, explicit zeros included */
    int64_t diagonals;         /* number of distinct j - i of entries */
    int64_t empty_rows, empty_cols;
    double pattern_symmetry;   /* share of the off-diagonal entries (i, j) for which there is an entry (j, i);
                                  NaN if the matrix is not square or has no off-diagonal entry */
    double numeric_symmetry;   /* share of the same entries for which (j, i) has an equal value, too */
    double conjugate_symmetry; /* share of the same entries for which (j, i) has the conjugate value; equal to
                                  numeric_symmetry if the matrix is real */
    double symmetry_error;     /* half the 95% interval of these shares if they are estimated from a sample;
                                  NaN if they are exact or unknown */
};

/* The findings in a slab; {0}: none. Free with structure_part_free. */
struct structure_part {
    int64_t lower_bandwidth, upper_bandwidth, profile, diagonal_nonzeros, empty_rows; /* as above */
    int64_t both;        /* pairs of positions (i, j) and (j, i), i < j, that both have an entry, */
    int64_t equal;       /* pairs of them with equal values, */
    int64_t conjugate;   /* and those whose values are conjugate; only pairs within slabs that were joined */
    uint64_t *columns;   /* the set of columns with an entry; owned */
    uint64_t *diagonals; /* the set of diagonals: number j - i + rows - 1 of rows + cols; owned */
};

/* An entry above the diagonal whose mirror image may lie in another slab, the one with row `col`. */
struct mirror {
    int32_t row, col;
    double real, imaginary;
};

/* Return the bytes that structure_scan takes: a bit for each column and for each diagonal. */
size_t structure_bytes(int64_t rows, int64_t cols);

/* Scan a slab. Parallel; O(nnz log len), since the mirror image of each entry above the diagonal is looked up
 * in its row. STATUS_MEMORY, STATUS_CANCELLED; the caller frees *part in any case. */
enum status structure_scan(const struct slab *slab, struct progress *progress, struct structure_part *part,
                           struct error *error);

/* List entries whose mirror images lie in later slabs, from row *row and entry *entry of the slab on. Both
 * start at 0, and advance with each call. Lists `most` entries, or the remaining ones if they are fewer.
 * Returns their number. A matrix that is not square has none. */
int64_t structure_beyond(const struct slab *slab, int64_t *row, int64_t *entry, struct mirror *mirrors,
                         int64_t most);

/* Add the pairs of entries of earlier slabs, whose `col` are rows of this slab, with entries of this slab. */
void structure_meet(const struct slab *slab, const struct mirror *mirrors, int64_t count,
                    struct structure_part *part);

/* Add the findings of another slab to *to, except the sets. */
void structure_join(struct structure_part *to, const struct structure_part *from);

/* Compute the numbers of the whole matrix from the joined slabs, whose pairs have been added and whose sets
 * have been united. */
void structure_finish(const struct structure_part *part, int64_t rows, int64_t cols, int64_t nnz,
                      struct structure *structure);

void structure_part_free(struct structure_part *part);

/* Compute all numbers of a matrix as one slab, as structure_scan does. STATUS_MEMORY, STATUS_CANCELLED. */
enum status structure_of(const struct csr *a, struct progress *progress, struct structure *structure,
                         struct error *error);

#endif
