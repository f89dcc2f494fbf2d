/* Owners of the elements of a vector among the parts that hold entries of their line: of a column for x, of a
 * row for y. The owner of line j of a partition into P parts is the first of these parts among j mod P,
 * j mod P + 1, ..., cyclically. So the elements are spread over the parts, and of the lambda parts that have
 * entries of a line only lambda - 1 exchange its element. A line without entries is owned as in equal runs.
 */
#ifndef SPARSIGHT_ANALYSIS_PARTS_HOLDERS_H
#define SPARSIGHT_ANALYSIS_PARTS_HOLDERS_H

#include <stdint.h>

#include "analysis/parts/partition.h"
#include "base/error.h"
#include "matrix/slab.h"

/* ahead[j] becomes the distance from j mod P to the owner of column j among the parts that have entries in
 * the slab, or P if none has. The minimum over all slabs counts. */
void holders_of_columns(const struct slab *slab, const struct partition *partition, int64_t *ahead);

/* The same for row i of the slab, into ahead[i]. */
void holders_of_rows(const struct slab *slab, const struct partition *partition, int64_t *ahead);

/* Turn the distances of lines first .. first + count - 1 of all `lines` into their owners. */
void holders_take(const int64_t *ahead, int64_t first, int64_t count, int64_t lines, int64_t parts,
                  int32_t *owner);

/* Find the owners of all elements of x, and if the entries are partitioned those of y, in one process.
 * STATUS_MEMORY. */
enum status holders_find(const struct csr *a, struct partition *partition, struct error *error);

#endif
