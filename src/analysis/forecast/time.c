#include "analysis/forecast/time.h"

#include <math.h>
#include <stdio.h>

#include "analysis/forecast/interval.h"

#define SECTOR 32
#define WAVE_FULL 0.2 /* a wave with this share of the resident warps takes as long as a full one */

/* tests/forecast/fit.py writes these. */
const struct time_constants time_constants = {
    .overlap = 2.45,
    .l1_seen = 0.633,
    .memory_seen = 1.17,
    .l1_reached = 1.04,
    .l1_lines = 1.76,
    .l2_reached = 1.15,
    .dram_reached = 1,
    .reductions_reached = 0.981,
    .reductions_again = 1.12,
    .shared_pass = 1.8e-09,
    .next_launches = 1.16,
    .early_launch = 0.413,
    .alone_seen = 0.862,
    .alone_missed = 9.5,
};

/* The sectors of additions. Additions of a request to the same element follow each other. So sectors count
 * for more if several lanes add to one element. */
static double sectors_added(const struct trace_counts *added)
{
    const double meeting = added->lanes > 0 ? (double)added->conflicts / (double)added->lanes : 0;
    return (double)added->sectors * (1 + time_constants.reductions_again * meeting);
}

/* The passes of shared memory: one for each request, and one for each conflict. */
static double passes_of(const struct estimate *estimate)
{
    const struct trace_counts *shared = &estimate->operands[OPERAND_SHARED];
    return (double)(shared->requests + shared->conflicts);
}

static double clamp(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* The seconds that memory adds to the latency of a request that L1 does not serve. */
static double memory_adds(const struct gpu_pace *pace, double misses, double reads)
{
    return clamp(reads / SECTOR / fmax(1, misses)) * time_constants.memory_seen *
           (pace->memory_latency - pace->l2_latency);
}

/* The mean seconds that a warp waits for a request if it is the only warp. */
static double latency_of(const struct gpu_pace *pace, double served, double seen, double memory)
{
    return pace->l2_latency - served * seen * (pace->l2_latency - pace->l1_latency) + (1 - served) * memory;
}

/* The same for the longest warp. It has the latency of the others while they run, and then runs alone. */
static double latency_of_longest(const struct gpu *gpu, const struct estimate_steps *steps, double latency,
                                 double memory)
{
    if (steps->longest <= 0 || !(steps->turns > 0)) return latency;
    const double longest = (double)steps->longest, hits = (double)steps->longest_hits / longest;
    const double among = fmin(1, steps->requests / steps->turns / longest);
    const double sector = SECTOR * gpu->multiprocessors / gpu->pace.l2;
    const double alone = latency_of(&gpu->pace, hits, time_constants.alone_seen, memory) +
                         time_constants.alone_missed * sector * (double)steps->longest_missed / longest;
    return among * latency + (1 - among) * alone;
}

/* The ratio of the largest number of warps in sequence on a slot to the mean number. There are ceil(turns)
 * waves. The first warps of a further wave find slots that are free early. So this wave counts by its share
 * of WAVE_FULL of the slots. If a product has several launches, they are short, and the ratio is 1. */
static double waves_of(const struct estimate_steps *steps)
{
    if (steps->launches != 1 || !(steps->turns > 0)) return 1;
    const double whole = floor(steps->turns);
    const double waves = fmax(1, whole + fmin(1, (steps->turns - whole) / WAVE_FULL));
    return waves / steps->turns;
}

/* Set the seconds of all terms except the launches. */
static void set_terms(const struct gpu *gpu, const struct kernel_pace *own, const struct estimate *estimate,
                      bool cold, double term[BOUNDS])
{
    const struct gpu_pace *pace = &gpu->pace;
    const struct estimate_steps *steps = &estimate->steps;
    const struct memory_traffic *memory = &estimate->memory;
    double loads = (double)estimate->accesses[ACCESS_LOAD].sectors;
    double reads = memory_sum(cold ? memory->reads : memory->warm_reads);
    double writes = cold ? memory->writes : memory->warm_writes;
    const double added = memory_adds(pace, memory_sum(memory->misses), reads);
    const double latency = latency_of(pace, memory->served, time_constants.l1_seen, added);
    double slots = (double)estimate->operands[OPERAND_VALUES].bytes / (double)estimate->value_bytes;
    const bool hands = estimate->accesses[ACCESS_ATOMIC].requests > 0;
    const double waves = waves_of(steps), handover = hands ? own->handover * pace->l2_latency : 0;
    term[BOUND_LONGEST] = (own->turn * (double)steps->launches + own->request * (double)steps->longest) *
                              latency_of_longest(gpu, steps, latency, added) +
                          own->shared * (double)steps->longest_shared * pace->shared_latency + handover;
    term[BOUND_LATENCY] = waves * (own->turn * steps->turns + own->request * steps->requests) * latency;
    if (steps->launches == 1 && handover > 0) term[BOUND_LATENCY] += waves * steps->turns * handover;
    term[BOUND_SHARED] = waves * own->shared * steps->shared * pace->shared_latency;
    double moved = own->moved > 0 ? own->moved : 1;
    const double lines = (double)estimate->accesses[ACCESS_LOAD].lines;
    term[BOUND_L1] =
        moved * (loads / time_constants.l1_reached + lines / time_constants.l1_lines) * SECTOR / pace->l1;
    term[BOUND_L2] = moved * memory_sum(memory->sectors) * SECTOR / (time_constants.l2_reached * pace->l2);
    term[BOUND_DRAM] = (reads / pace->read + writes / pace->write) / time_constants.dram_reached;
    const double adding = sectors_added(&estimate->accesses[ACCESS_REDUCTION]) +
                          sectors_added(&estimate->accesses[ACCESS_ATOMIC]);
    term[BOUND_REDUCTIONS] = adding * SECTOR / (time_constants.reductions_reached * pace->reductions);
    term[BOUND_HOTTEST] = (double)steps->hottest * pace->meeting;
    /* A complex multiplication and addition takes four real ones. */
    double products = estimate->complex ? 4 * slots : slots;
    int part = estimate->complex ? estimate->value_bytes / 2 : estimate->value_bytes;
    term[BOUND_ARITHMETIC] = products / gpu_arithmetic(gpu, part) +
                             passes_of(estimate) * time_constants.shared_pass / gpu->multiprocessors;
}

struct combination time_combination(double overlap)
{
    struct combination combination = {.q = 1 + (time_constants.overlap - 1) * overlap};
    for (int b = 0; b < BOUNDS; b++)
        combination.group[b] = (unsigned char)b;
    combination.group[BOUND_LAUNCH] = 0;
    combination.group[BOUND_SHARED] = BOUND_LATENCY;
    return combination;
}

/* The seconds of the launches. A launch that begins early overlaps with the previous product. If caches are
 * flushed between products, none precedes it directly. */
static double launches_of(const struct gpu *gpu, const struct kernel_pace *own,
                          const struct estimate_steps *steps, bool cold)
{
    const struct gpu_pace *pace = &gpu->pace;
    const double early = pace->early > 0 ? pace->early : time_constants.early_launch * pace->launch;
    const double first = steps->early > 0 && !cold ? fmin(early, pace->launch) : pace->launch;
    const double further = fmax(0, (double)steps->launches - 1);
    return first + (time_constants.next_launches * further + own->start) * pace->next;
}

void time_forecast_at(const struct gpu *gpu, const struct kernel_pace *own, const struct estimate *estimate,
                      bool cold, struct prediction *prediction)
{
    *prediction = (struct prediction){.there = false};
    if (!estimate->there || !estimate->memory.there || own->request <= 0) return;
    set_terms(gpu, own, estimate, cold, prediction->term);
    prediction->term[BOUND_LAUNCH] = launches_of(gpu, own, &estimate->steps, cold);
    prediction->overlap = own->overlap > 0 ? own->overlap : 1;
    const struct combination combination = time_combination(prediction->overlap);
    prediction->seconds = combination_seconds(&combination, prediction->term);
    prediction->there = isfinite(prediction->seconds);
    snprintf(prediction->machine, sizeof prediction->machine, "%s", gpu->name);
    prediction->derived = !gpu->pace.measured;
    prediction_bound(prediction);
}

static const struct kernel_pace *pace_of(const struct kernel *paced, const struct estimate *estimate)
{
    return estimate->pace ? estimate->pace : &paced->pace;
}

void time_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                   bool cold, struct prediction *prediction)
{
    const struct kernel *paced = kernel_paced(kernel);
    time_forecast_at(gpu, pace_of(paced, estimate), estimate, cold, prediction);
    prediction_borrows(prediction, kernel, paced);
    interval_set(kernel, prediction);
}

#define ROUNDING 1e-9

double time_at_least(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate)
{
    struct prediction prediction;
    time_forecast_at(gpu, pace_of(kernel_paced(kernel), estimate), estimate, false, &prediction);
    return prediction.there ? prediction.seconds * (1 - ROUNDING) : 0;
}
