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
    int64_t blocks_before, warps_before; /* those of all stages before it */
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

/* Choose the blocks of a launch that was prepared and has a trace; `share` is in (0, 1]. A block is certain
 * if it has twice the weight, by the kernel's trace, that one of n equal parts of all would have, where n
 * blocks are drawn: a sample by size always takes such units (Cochran, Sampling Techniques, 3rd edition,
 * 1977, section 9A.7, on units drawn by size), whose excess over others would be the largest part of the
 * variance. The heaviest are taken first, until their total weight equals that of a sample without them. The
 * block with the heaviest warp of each stage is certain in any case, as that warp may be what the stage waits
 * for. Neighbouring blocks of the rest make strata of about 2 / share blocks. STATUS_MEMORY. O(warps),
 * parallel, and memory proportional to the number of blocks. */
enum status sample_make(const struct launch *launch, double share, struct sample *sample,
                        struct error *error);
void sample_free(struct sample *sample);

/* The stage that has block b. */
const struct sample_stage *sample_stage_of(const struct sample *sample, int64_t b);

/* The warps that block b has. */
int64_t sample_warps(const struct sample *sample, int64_t b);

/* Where stratum h begins in `rest`. All strata have the same number of blocks, but for the first ones, which
 * may have one more. */
int64_t sample_first(const struct sample *sample, int64_t h);

#endif
