/* What a partition looks like (src/analysis/parts/sketch.h), drawn by the ranks that hold the matrix. */
#ifndef SPARSIGHT_RANKS_PARTS_PICTURES_H
#define SPARSIGHT_RANKS_PARTS_PICTURES_H

#include "analysis/parts/partition.h"
#include "analysis/parts/sketch.h"
#include "base/error.h"
#include "ranks/ranks.h"
#include "ranks/share.h"

/* Make on rank 0 the sketch that sketch_make makes of the whole matrix, of this halo, which rank 0 has; on
 * the others *sketch becomes {0}. A rank takes 1 MiB. STATUS_MEMORY on all ranks. Collective. */
enum status ranks_sketch(const struct ranks *ranks, const struct share *share,
                         const struct partition *partition, const struct halo *halo, struct sketch *sketch,
                         struct error *error);

#endif
