#include "analysis/warps/estimate.h"

#include <math.h>
#include <stdio.h>

/* The launch of the product with the most warps. */
static void largest_stage(const struct launch *launch, struct trace_stage *stage)
{
    int64_t stages = trace_stages(launch), max = -1;
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage other;
        trace_stage(launch, s, &other);
        int64_t warps = other.blocks * (other.threads / TRACE_LANES);
        if (warps <= max) continue;
        max = warps;
        *stage = other;
    }
}

static void set_occupancy(const struct launch *launch, const struct gpu *gpu, struct estimate *estimate)
{
    struct trace_stage stage = {.blocks = 0};
    largest_stage(launch, &stage);
    struct trace_resources resources;
    estimate->occupancy = NAN;
    if (stage.blocks == 0 || !trace_resources(launch, &stage, 10 * gpu->major + gpu->minor, &resources))
        return;
    const struct occupancy occupancy =
        occupancy_of(gpu, resources.registers, stage.threads, (size_t)resources.shared + stage.shared);
    estimate->occupancy = occupancy.share;
    estimate->limit = occupancy.limit;
}

/* The counts of each operand, summed over all kinds of access. */
static void set_operands(const struct coalescing *coalescing, struct estimate *estimate)
{
    for (int o = 0; o < OPERANDS; o++) {
        struct tracer sum = {0}, more = {0};
        for (int a = 0; a < ACCESSES; a++) {
            more.count[0][0] = coalescing->count[a][o];
            trace_add(&sum, &more);
        }
        estimate->operands[o] = sum.count[0][0];
    }
}

/* The share of the warps that is replayed. */
static double share_of(const struct launch *launch, const struct estimate_options *options)
{
    double slots = (double)storage_slots(launch->storage), share = options->share > 0 ? options->share : 1;
    return options->most_slots > 0 && share * slots > options->most_slots ? options->most_slots / slots
                                                                          : share;
}

enum status estimate_make(const struct launch *launch, const struct estimate_options *options,
                          struct estimate *estimate, struct progress *progress, struct error *error)
{
    struct coalescing coalescing;
    *estimate = (struct estimate){0};
    enum status status =
        coalescing_count(launch, share_of(launch, options), options->seed, &coalescing, progress, error);
    if (status != STATUS_OK) return status;
    *estimate = (struct estimate){.there = true,
                                  .granule = options->gpu->granule,
                                  .sampled = coalescing.share,
                                  .error = coalescing.error,
                                  .lane_utilisation = coalescing_lane_utilisation(&coalescing)};
    snprintf(estimate->gpu, sizeof estimate->gpu, "%s", options->gpu->name);
    for (int a = 0; a < ACCESSES; a++)
        estimate->accesses[a] = coalescing_sum(&coalescing, (enum access)a);
    set_operands(&coalescing, estimate);
    set_occupancy(launch, options->gpu, estimate);
    return STATUS_OK;
}

double estimate_efficiency(const struct estimate *estimate)
{
    struct tracer sum = {0}, more = {0};
    for (int a = 0; a < ACCESSES; a++) {
        more.count[0][0] = estimate->accesses[a];
        trace_add(&sum, &more);
    }
    return coalescing_efficiency(&sum.count[0][0], estimate->granule);
}

int64_t estimate_sectors(const struct estimate *estimate)
{
    int64_t sum = 0;
    for (int a = 0; a < ACCESSES; a++)
        sum += estimate->accesses[a].sectors;
    return sum;
}

int64_t estimate_bank_conflicts(const struct estimate *estimate)
{
    return estimate->operands[OPERAND_SHARED].conflicts;
}

int64_t estimate_atomic_conflicts(const struct estimate *estimate)
{
    return estimate->accesses[ACCESS_REDUCTION].conflicts + estimate->accesses[ACCESS_ATOMIC].conflicts;
}
