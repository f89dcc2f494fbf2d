/* The choice of the replayed warps of a product if not all are replayed. */
#ifndef SPARSIGHT_ANALYSIS_WARPS_SAMPLE_H
#define SPARSIGHT_ANALYSIS_WARPS_SAMPLE_H

#include <stdint.h>

#include "base/error.h"
#include "kernels/kernel.h"

/* Number of neighbouring warps of a launch in a block; the last block may have fewer. A block is replayed as
 * a whole or left out as a whole. */
#define COALESCING_BLOCK 16

/* A product may consist of several launches, which are called stages here. */
struct sample_stage {
    int64_t number, warps;
    int64_t blocks_before, warps_before; /* the numbers of blocks and warps of all earlier stages */
};

/* Blocks are counted through all stages. Two blocks of each stratum are replayed, and all certain blocks. */
struct sample {
    struct sample_stage *stages;
    int64_t count;         /* of stages */
    int64_t blocks, warps; /* of all stages */
    int64_t strata;        /* 0 if all blocks are replayed; the members below are then empty */
    int64_t *certain;      /* the blocks that are replayed for certain, in order */
    int64_t certain_count;
    int64_t *rest; /* the other blocks, in order: stratum h has those from rest[sample_first(h)] on */
    int64_t rest_count;
};

/* Choose the blocks of a launch that was prepared and has a trace; `share` is in (0, 1]. If n blocks are
 * drawn, a block is certain if its weight, by the kernel's trace, is at least twice the n-th part of the
 * total weight. A sample by size always takes such units (Cochran, Sampling Techniques, 3rd edition, 1977,
 * section 9A.7), because their excess would be the largest part of the variance. The heaviest are taken
 * first, until their total weight equals that of a sample without them. The block with the heaviest warp of
 * each stage is certain in any case, because the stage may wait for that warp. Neighbouring blocks of the
 * rest make strata of about 2 / share blocks. STATUS_MEMORY. O(warps), parallel, and memory proportional to
 * the number of blocks. */
enum status sample_make(const struct launch *launch, double share, struct sample *sample,
                        struct error *error);
void sample_free(struct sample *sample);

/* Return the stage of block b. */
const struct sample_stage *sample_stage_of(const struct sample *sample, int64_t b);

/* Return the number of warps of block b. */
int64_t sample_warps(const struct sample *sample, int64_t b);

/* Return the index in `rest` where stratum h begins. All strata have the same number of blocks, except that
 * the first ones may have one more. */
int64_t sample_first(const struct sample *sample, int64_t h);

#endif
