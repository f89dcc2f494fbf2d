#include "analysis/warps/estimate.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/forecast/time.h"
#include "analysis/forecast/windows.h"
#include "base/memory.h"
#include "base/range.h"

/* Number of requests replayed for the caches; fewer if the kernel makes fewer. They take about 0.01 s. Three
 * times this number changes forecast times by less than 0.1% in the median, half of it by up to 5%. */
#define WINDOWS_REQUESTS 5e4

/* Factor on the slots read if neighbouring warps add to the same lines. Leaving out warps overestimates the
 * additions to the hottest line by the same factor. */
#define MEETING_SLOTS 4

static int64_t warps_of(const struct trace_stage *stage)
{
    return stage->blocks * ((stage->threads + TRACE_LANES - 1) / TRACE_LANES);
}

/* The number of warps of a launch that a multiprocessor holds. Returns false if it is unknown. */
static bool find_occupancy(const struct launch *launch, const struct trace_stage *stage,
                           const struct gpu *gpu, struct occupancy *occupancy)
{
    struct trace_resources resources;
    if (stage->blocks == 0 || !trace_resources(launch, stage, 10 * gpu->major + gpu->minor, &resources))
        return false;
    *occupancy =
        occupancy_of(gpu, resources.registers, stage->threads, (size_t)resources.shared + stage->shared);
    return true;
}

/* The occupancy is that of the launch with the most warps. */
static void set_occupancy(const struct launch *launch, const struct gpu *gpu, struct estimate *estimate)
{
    struct trace_stage largest = {.blocks = 0};
    struct occupancy occupancy;
    int64_t stages = trace_stages(launch);
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        if (s == 0 || warps_of(&stage) > warps_of(&largest)) largest = stage;
    }
    estimate->occupancy = NAN;
    if (!find_occupancy(launch, &largest, gpu, &occupancy)) return;
    estimate->occupancy = occupancy.share;
    estimate->limit = occupancy.limit;
}

/* The number of warps of each launch that run at a time; 0 if unknown. */
static void set_places(const struct launch *launch, const struct gpu *gpu, double times, int64_t *places)
{
    int64_t stages = trace_stages(launch);
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage stage;
        struct occupancy occupancy;
        trace_stage(launch, s, &stage);
        bool known = stage.blocks > 0 && find_occupancy(launch, &stage, gpu, &occupancy);
        const double warps = times * (double)warps_of(&stage);
        places[s] = known ? (int64_t)fmin(warps, (double)gpu->multiprocessors * occupancy.warps) : 0;
    }
}

static void set_steps(const struct launch *launch, const struct coalescing_launch *launches, double times,
                      const int64_t *places, struct estimate_steps *steps)
{
    int64_t stages = trace_stages(launch);
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        if (stage.blocks == 0) continue;
        steps->launches++;
        steps->early += stage.early;
        steps->longest += launches[s].longest;
        steps->longest_shared += launches[s].longest_shared;
        if (places[s] > 0) {
            steps->requests += times * (double)launches[s].requests / (double)places[s];
            steps->shared += times * (double)launches[s].shared / (double)places[s];
            steps->turns += times * (double)launches[s].warps / (double)places[s];
        } else {
            steps->requests = steps->shared = steps->turns = NAN;
        }
    }
}

/* Replay the longest warps alone. */
static enum status set_alone(const struct launch *launch, const struct coalescing_launch *launches,
                             const struct gpu *gpu, struct estimate_steps *steps, struct error *error)
{
    int64_t stages = trace_stages(launch);
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage stage;
        struct window_alone alone;
        trace_stage(launch, s, &stage);
        if (stage.blocks == 0) continue;
        enum status status = windows_alone(launch, gpu, s, launches[s].longest_warp, &alone, error);
        if (status != STATUS_OK) return status;
        const double longest = (double)launches[s].longest;
        steps->longest_hits += llround(alone.hits * longest);
        steps->longest_missed += llround(alone.missed * longest);
    }
    return STATUS_OK;
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

/* The share of the warps to replay. */
static double sample_of(const struct launch *launch, const struct estimate_options *options)
{
    double slots = (double)storage_slots(launch->storage), share = options->share > 0 ? options->share : 1;
    double most = options->most_slots * (launch->kernel->trace->meets ? MEETING_SLOTS : 1);
    return most > 0 && share * slots > most ? most / slots : share;
}

static int64_t stands_for(int64_t count, double times)
{
    return llround((double)count * times);
}

/* Scale the counts of a part of the product to the whole. */
static void multiply(struct coalescing *coalescing, double times)
{
    for (int a = 0; a < ACCESSES; a++)
        for (int o = 0; o < OPERANDS; o++) {
            struct trace_counts *count = &coalescing->count[a][o];
            *count = (struct trace_counts){.requests = stands_for(count->requests, times),
                                           .sectors = stands_for(count->sectors, times),
                                           .lines = stands_for(count->lines, times),
                                           .bytes = stands_for(count->bytes, times),
                                           .useful = stands_for(count->useful, times),
                                           .lanes = stands_for(count->lanes, times),
                                           .padding = stands_for(count->padding, times),
                                           .conflicts = stands_for(count->conflicts, times)};
        }
    coalescing->share /= times;
    coalescing->error = NAN;
}

/* Return the pace of the launch's loop if it differs from the kernel's; else NULL. A library's kernel, which
 * this launch stands for, keeps its own. */
static const struct kernel_pace *pace_of(const struct launch *launch)
{
    return launch->kernel->pace_of && !launch->stands_for ? launch->kernel->pace_of(launch) : NULL;
}

/* Return whether the kernel is so slow that its estimate may stay incomplete: by the time for these lower
 * bounds of its counts, if L1 and L2 serve all requests. */
static bool is_enough(const struct launch *launch, const struct estimate_options *options,
                      struct estimate least)
{
    const struct kernel *kernel = launch->stands_for ? launch->stands_for : launch->kernel;
    struct estimate_bar *bar = options->bar;
    least.there = true;
    least.pace = pace_of(launch);
    least.memory = (struct memory_traffic){.there = true, .served = 1};
    least.steps.longest_hits = least.steps.longest;
    least.steps.longest_missed = 0;
    const double seconds = time_at_least(options->gpu, kernel, &least);
    if (!(seconds >= bar->enough)) return false;
    bar->least = seconds;
    return true;
}

/* Number of warps that are weighed to find a long one. */
#define WEIGHED 1024

/* Return a warp of a launch that has about the most requests. */
static int64_t long_warp(const struct launch *launch, int64_t s, int64_t warps)
{
    const int64_t step = 1 + (warps - 1) / WEIGHED;
    int64_t longest = warps / 2, most = -1;
    if (!launch->kernel->trace->weight) return longest;
    for (int64_t warp = 0; warp < warps; warp += step) {
        const int64_t weight = trace_weight(launch, s, warp);
        if (weight <= most) continue;
        most = weight;
        longest = warp;
    }
    return longest;
}

/* The same before the warps are replayed: the bounds are the number of launches, and the requests of one long
 * warp of each. */
static bool is_enough_alone(const struct launch *launch, const struct estimate_options *options)
{
    const double hardly = 1e-9; /* share of the time in which other warps run */
    struct estimate least = {.steps.turns = hardly};
    int64_t stages = trace_stages(launch);
    for (int64_t s = 0; s < stages; s++) {
        struct trace_stage stage;
        trace_stage(launch, s, &stage);
        if (stage.blocks == 0) continue;
        least.steps.launches++;
        least.steps.early += stage.early;
        if (stage.warps == 0) continue;
        least.steps.longest += coalescing_warp_requests(launch, s, long_warp(launch, s, stage.warps));
    }
    least.value_bytes = value_width(launch->storage->precision, launch->storage->complex);
    return least.steps.longest > 0 && is_enough(launch, options, least);
}

enum status estimate_make(const struct launch *launch, const struct estimate_options *options,
                          struct estimate *estimate, struct progress *progress, struct error *error)
{
    struct coalescing coalescing;
    size_t stages = (size_t)trace_stages(launch);
    const double times = fmax(options->times, 1);
    struct coalescing_launch *launches = memory_array(stages, sizeof *launches, error);
    int64_t *places = launches ? memory_array(2 * stages, sizeof *places, error) : NULL,
            *turns = places + stages;
    enum status status = STATUS_MEMORY;
    *estimate = (struct estimate){0};
    if (!places) goto out;
    status = STATUS_OK;
    /* If only some warps are replayed, the longest one of all may not be among them. */
    if (options->bar && sample_of(launch, options) >= 1 && is_enough_alone(launch, options)) goto out;
    set_places(launch, options->gpu, times, places);
    /* A part of the product has as many turns as the whole, but smaller ones. The additions to the hottest
     * line of a turn depend on the rows there, and are not scaled. */
    for (size_t s = 0; s < stages && times > 1; s++)
        turns[s] = places[s] > 0 ? max(1, llround((double)places[s] / times)) : 0;
    status = coalescing_count_turns(launch, sample_of(launch, options), options->seed,
                                    times > 1 ? turns : places, &coalescing, launches, progress, error);
    if (status != STATUS_OK) goto out;
    if (times > 1) multiply(&coalescing, times);
    *estimate =
        (struct estimate){.there = true,
                          .granule = options->gpu->granule,
                          .value_bytes = value_width(launch->storage->precision, launch->storage->complex),
                          .complex = launch->storage->complex,
                          .pace = pace_of(launch),
                          .sampled = coalescing.share,
                          .error = coalescing.error,
                          .lane_utilisation = coalescing_lane_utilisation(&coalescing)};
    snprintf(estimate->gpu, sizeof estimate->gpu, "%s", options->gpu->name);
    for (int a = 0; a < ACCESSES; a++)
        estimate->accesses[a] = coalescing_sum(&coalescing, (enum access)a);
    set_operands(&coalescing, estimate);
    set_occupancy(launch, options->gpu, estimate);
    estimate->steps.hottest = coalescing.hottest;
    set_steps(launch, launches, times, places, &estimate->steps);
    if (options->bar && is_enough(launch, options, *estimate)) {
        *estimate = (struct estimate){0};
        goto out;
    }
    status = set_alone(launch, launches, options->gpu, &estimate->steps, error);
    const struct memory_options memory = {.gpu = options->gpu,
                                          .coalescing = &coalescing,
                                          .reuse = options->reuse,
                                          .seed = options->seed,
                                          .budget = WINDOWS_REQUESTS,
                                          .times = times};
    if (status == STATUS_OK) status = memory_forecast(launch, &memory, &estimate->memory, progress, error);
    if (status != STATUS_OK) *estimate = (struct estimate){0};
out:
    free(places);
    free(launches);
    return status;
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
