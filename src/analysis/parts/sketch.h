/* Pictures of a partition in little memory, to show it without the matrix and the owners of its rows:
 * pictures of the owners, the volumes between parts, and, if they are few, the owners as runs of rows. */
#ifndef SPARSIGHT_ANALYSIS_PARTS_SKETCH_H
#define SPARSIGHT_ANALYSIS_PARTS_SKETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "analysis/parts/halo.h"
#include "analysis/parts/owners.h"
#include "analysis/parts/partition.h"
#include "base/error.h"
#include "base/job.h"
#include "matrix/csr.h"

#define SKETCH_SIDE 96      /* maximum of dots along a side of the finest picture */
#define SKETCH_PICTURES 6   /* each has fewer dots than the one before, down to 16 along a side */
#define SKETCH_TILES 64     /* maximum of tiles along a side of the table of volumes */
#define SKETCH_RUNS 16384   /* runs of rows, at most */
#define SKETCH_OBLONG_MAX 8 /* beyond this ratio of the sides, rows and columns have different steps */

/* The whole matrix as dots; marks[y wide + x] is that of owners_of_dots. */
struct sketch_picture {
    struct size_dots dots;
    int32_t *marks;
};

/* Rows that follow each other and have one owner, up to the next run or the end. */
struct owner_run {
    int64_t first;
    int32_t owner;
};

/* Owned; free with sketch_free, which accepts {0}. Missing data, for instance in a saved report, are 0. */
struct sketch {
    int pictures;
    struct sketch_picture picture[SKETCH_PICTURES]; /* the finest first */
    int64_t step;                                   /* parts of a tile; a power of two */
    int tiles;
    int64_t *elements; /* tiles x tiles: the result of halo_tiles */
    int64_t run_count; /* 0 also if there are more than SKETCH_RUNS */
    struct owner_run *runs;
};

/* Make the sketch from a partition and its messages. O(nnz) for each picture, parallel over rows of dots. It
 * does not depend on the number of threads. STATUS_MEMORY, STATUS_CANCELLED: *sketch is {0} then. */
enum status sketch_make(const struct csr *a, const struct partition *partition, const struct halo_pair *pairs,
                        int64_t messages, struct progress *progress, struct sketch *sketch,
                        struct error *error);

/* The steps of sketch_make, for a matrix whose rows several processes have. sketch_choose sets the dots of
 * picture number k, from 0 to SKETCH_PICTURES - 1; false: there is none, since the one before is as fine, or
 * the matrix has no rows or no columns. sketch_complete adds all except the pictures. */
bool sketch_choose(int64_t rows, int64_t cols, int k, struct size_dots *dots);
enum status sketch_complete(const struct partition *partition, const struct halo_pair *pairs,
                            int64_t messages, struct sketch *sketch, struct error *error);

/* Set the dots of the whole matrix that have these steps. */
void sketch_dots(int64_t rows, int64_t cols, int64_t row_step, int64_t col_step, struct size_dots *dots);

/* Return the step of the finest table of volumes for this number of parts, and the number of tiles for a
 * step. */
int64_t sketch_step(int64_t parts);
int sketch_tiles_of(int64_t parts, int64_t step);

/* Merge tiles, `times` of them along each side, into[t tiles + f], where `tiles` is the resulting number
 * along a side, which is returned. */
int sketch_fold(const int64_t *elements, int tiles, int64_t times, int64_t *into);

/* Return the owner of a row; -1 if unknown. O(log runs). */
int32_t sketch_owner(const struct sketch *sketch, int64_t row);

void sketch_free(struct sketch *sketch);

#endif
