#include "analysis/forecast/time.h"

#include <math.h>
#include <stdio.h>

#include "analysis/forecast/interval.h"

#define SECTOR 32
#define WAVE_FULL 0.2 /* of the places: a wave of so many takes as long as one of all */

/* tests/forecast/fit.py writes these. */
const struct time_constants time_constants = {
    .overlap = 3.85,
    .l1_seen = 0.267,
    .memory_seen = 1.62,
    .l1_reached = 0.97,
    .l1_lines = 1.4,
    .l2_reached = 1.08,
    .dram_reached = 1,
    .reductions_reached = 0.522,
    .shared_pass = 1.91e-09,
    .next_launches = 1.44,
    .early_launch = 0.715,
};

static double sum_sectors(const struct estimate *estimate, enum access a, enum access b)
{
    return (double)(estimate->accesses[a].sectors + estimate->accesses[b].sectors);
}

/* The passes of shared memory: one for each request, and those beyond. */
static double passes_of(const struct estimate *estimate)
{
    const struct trace_counts *shared = &estimate->operands[OPERAND_SHARED];
    return (double)(shared->requests + shared->conflicts);
}

static double clamp(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* The seconds that a warp waits for a request on average, were there no other. */
static double latency_of(const struct gpu_pace *pace, double sectors, double misses, double read_sectors)
{
    double loads = fmax(1, sectors);
    double l1 =
        clamp(1 - misses / loads) * time_constants.l1_seen * (1 - pace->l1_latency / pace->l2_latency);
    double memory = clamp(read_sectors / loads) * time_constants.memory_seen *
                    (pace->memory_latency / pace->l2_latency - 1);
    return pace->l2_latency * (1 - l1 + memory);
}

/* How many warps the fullest place has one after the other, by how many it has on average: there are
 * ceil(turns) waves. The first few warps of a further one find places that are free early, so that it counts
 * by the share that it has of WAVE_FULL places. The launches of a product that has several are short, and not
 * looked at one by one. */
static double waves_of(const struct estimate_steps *steps)
{
    if (steps->launches != 1 || !(steps->turns > 0)) return 1;
    const double whole = floor(steps->turns);
    const double waves = fmax(1, whole + fmin(1, (steps->turns - whole) / WAVE_FULL));
    return waves / steps->turns;
}

/* The seconds of the terms but that of launches. */
static void set_terms(const struct gpu *gpu, const struct kernel_pace *own, const struct estimate *estimate,
                      bool cold, double term[BOUNDS])
{
    const struct gpu_pace *pace = &gpu->pace;
    const struct estimate_steps *steps = &estimate->steps;
    const struct memory_traffic *memory = &estimate->memory;
    double loads = (double)estimate->accesses[ACCESS_LOAD].sectors;
    double reads = memory_sum(cold ? memory->reads : memory->warm_reads);
    double writes = cold ? memory->writes : memory->warm_writes;
    double latency = latency_of(pace, loads, memory_sum(memory->misses), reads / SECTOR);
    double slots = (double)estimate->operands[OPERAND_VALUES].bytes / (double)estimate->value_bytes;
    const bool hands = estimate->accesses[ACCESS_ATOMIC].requests > 0;
    const double waves = waves_of(steps), handover = hands ? own->handover * pace->l2_latency : 0;
    term[BOUND_LONGEST] =
        (own->turn * (double)steps->launches + own->request * (double)steps->longest) * latency +
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
    term[BOUND_REDUCTIONS] = sum_sectors(estimate, ACCESS_REDUCTION, ACCESS_ATOMIC) * SECTOR /
                             (time_constants.reductions_reached * pace->reductions);
    term[BOUND_HOTTEST] = (double)steps->hottest * pace->meeting;
    /* A complex product is four real ones, each of which is added to something. */
    double products = estimate->complex ? 4 * slots : slots;
    int part = estimate->complex ? estimate->value_bytes / 2 : estimate->value_bytes;
    term[BOUND_ARITHMETIC] = products / gpu_arithmetic(gpu, part) +
                             passes_of(estimate) * time_constants.shared_pass / gpu->multiprocessors;
}

struct combination time_combination(void)
{
    struct combination combination = {.q = time_constants.overlap};
    for (int b = 0; b < BOUNDS; b++)
        combination.group[b] = (unsigned char)b;
    combination.group[BOUND_LAUNCH] = 0;
    combination.group[BOUND_SHARED] = BOUND_LATENCY;
    return combination;
}

/* The seconds of the launches. One that begins early overlaps with the product before, if one comes right
 * before it, as none does where caches are flushed between. */
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
    const struct combination combination = time_combination();
    prediction->seconds = combination_seconds(&combination, prediction->term);
    prediction->there = isfinite(prediction->seconds);
    snprintf(prediction->machine, sizeof prediction->machine, "%s", gpu->name);
    prediction->derived = !gpu->pace.measured;
    prediction_bound(prediction);
}

void time_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                   bool cold, struct prediction *prediction)
{
    const struct kernel *paced = kernel_paced(kernel);
    time_forecast_at(gpu, &paced->pace, estimate, cold, prediction);
    prediction_borrows(prediction, kernel, paced);
    interval_set(kernel, prediction);
}
