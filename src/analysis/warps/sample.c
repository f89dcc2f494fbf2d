#include "analysis/warps/sample.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/range.h"
#include "base/threads.h"
#include "kernels/gpu/trace.h"

/* The weight of a block, known before any block is replayed. */
struct weight {
    int64_t block;
    int64_t sum;     /* sum over its warps */
    int64_t largest; /* weight of its heaviest warp */
};

static int64_t blocks_of(int64_t warps)
{
    return (warps + COALESCING_BLOCK - 1) / COALESCING_BLOCK;
}

static enum status make_stages(const struct launch *launch, struct sample *sample, struct error *error)
{
    sample->count = trace_stages(launch);
    sample->stages = memory_array((size_t)sample->count, sizeof *sample->stages, error);
    if (!sample->stages) return STATUS_MEMORY;
    for (int64_t s = 0; s < sample->count; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        sample->stages[s] = (struct sample_stage){s, stage.warps, sample->blocks, sample->warps};
        sample->blocks += blocks_of(stage.warps);
        sample->warps += stage.warps;
    }
    return STATUS_OK;
}

const struct sample_stage *sample_stage_of(const struct sample *sample, int64_t b)
{
    int64_t low = 0, high = sample->count - 1;
    while (low < high) {
        int64_t middle = (low + high + 1) / 2;
        if (sample->stages[middle].blocks_before <= b)
            low = middle;
        else
            high = middle - 1;
    }
    return &sample->stages[low];
}

int64_t sample_warps(const struct sample *sample, int64_t b)
{
    const struct sample_stage *stage = sample_stage_of(sample, b);
    return min(COALESCING_BLOCK, stage->warps - (b - stage->blocks_before) * COALESCING_BLOCK);
}

int64_t sample_first(const struct sample *sample, int64_t h)
{
    return h * (sample->rest_count / sample->strata) + min(h, sample->rest_count % sample->strata);
}

static void weigh(const struct launch *launch, const struct sample *sample, struct weight *weight)
{
#pragma omp parallel for schedule(static) if (sample->warps > PARALLEL_MIN / TRACE_LANES)
    for (int64_t b = 0; b < sample->blocks; b++) {
        const struct sample_stage *stage = sample_stage_of(sample, b);
        int64_t first = (b - stage->blocks_before) * COALESCING_BLOCK;
        int64_t end = min(first + COALESCING_BLOCK, stage->warps);
        weight[b] = (struct weight){.block = b};
        for (int64_t warp = first; warp < end; warp++) {
            int64_t one = trace_weight(launch, stage->number, warp);
            weight[b].sum += one;
            weight[b].largest = max(weight[b].largest, one);
        }
    }
}

/* Return the first block of a stage that contains the stage's heaviest warp. */
static int64_t heaviest_of(const struct sample_stage *stage, const struct weight *weight)
{
    int64_t heaviest = stage->blocks_before;
    for (int64_t b = heaviest; b < stage->blocks_before + blocks_of(stage->warps); b++)
        if (weight[b].largest > weight[heaviest].largest) heaviest = b;
    return heaviest;
}

/* By descending weight, then by number. */
static int by_weight(const void *left, const void *right)
{
    const struct weight *a = left, *b = right;
    if (a->sum != b->sum) return a->sum > b->sum ? -1 : 1;
    return (a->block > b->block) - (a->block < b->block);
}

/* Mark the blocks that are certain. `heavy` has room for all blocks. */
static void mark(const struct sample *sample, double share, const struct weight *weight, struct weight *heavy,
                 bool *certain)
{
    double all = 0, taken = 0;
    int64_t count = 0;
    for (int64_t b = 0; b < sample->blocks; b++)
        all += (double)weight[b].sum;
    for (int64_t s = 0; s < sample->count; s++)
        if (sample->stages[s].warps > 0) certain[heaviest_of(&sample->stages[s], weight)] = true;
    for (int64_t b = 0; b < sample->blocks && all > 0; b++)
        if ((double)weight[b].sum * share * (double)sample->blocks >= 2 * all) heavy[count++] = weight[b];
    qsort(heavy, (size_t)count, sizeof *heavy, by_weight);
    for (int64_t k = 0; k < count && taken + (double)heavy[k].sum <= share * all; k++) {
        certain[heavy[k].block] = true;
        taken += (double)heavy[k].sum;
    }
}

static enum status choose_certain(const struct launch *launch, const struct sample *sample, double share,
                                  bool *certain, struct error *error)
{
    size_t blocks = (size_t)sample->blocks;
    if (!launch->kernel->trace->weight) return STATUS_OK;
    struct weight *weight = memory_array(blocks, sizeof *weight, error);
    struct weight *heavy = weight ? memory_array(blocks, sizeof *heavy, error) : NULL;
    if (heavy) {
        weigh(launch, sample, weight);
        mark(sample, share, weight, heavy, certain);
    }
    free(weight);
    free(heavy);
    return heavy ? STATUS_OK : STATUS_MEMORY;
}

/* Divide the blocks into the certain ones and the rest, and find the number of strata of the rest. */
static void divide(struct sample *sample, double share, const bool *certain)
{
    for (int64_t b = 0; b < sample->blocks; b++) {
        if (certain[b])
            sample->certain[sample->certain_count++] = b;
        else
            sample->rest[sample->rest_count++] = b;
    }
    sample->strata = (int64_t)ceil((double)sample->rest_count * share / 2);
    if (2 * sample->strata >= sample->rest_count) sample->strata = 0;
}

enum status sample_make(const struct launch *launch, double share, struct sample *sample, struct error *error)
{
    *sample = (struct sample){0};
    enum status status = make_stages(launch, sample, error);
    if (status != STATUS_OK || share >= 1) return status;
    size_t blocks = (size_t)sample->blocks;
    bool *certain = memory_zeroed(blocks, sizeof *certain, error);
    sample->certain = memory_array(blocks, sizeof *sample->certain, error);
    sample->rest = memory_array(blocks, sizeof *sample->rest, error);
    if (!certain || !sample->certain || !sample->rest) status = STATUS_MEMORY;
    if (status == STATUS_OK) status = choose_certain(launch, sample, share, certain, error);
    if (status == STATUS_OK) divide(sample, share, certain);
    free(certain);
    if (status != STATUS_OK) sample_free(sample);
    return status;
}

void sample_free(struct sample *sample)
{
    free(sample->stages);
    free(sample->certain);
    free(sample->rest);
    *sample = (struct sample){0};
}
