#include "analysis/forecast/time.h"

#include <math.h>
#include <stdio.h>

#define SECTOR 32

/* Fitted to measured times (data/README.md): how the terms overlap; */
#define OVERLAP 3.02
/* how much of what L1 saves, and of what memory adds, a request sees that others are under way beside; */
#define L1_SEEN 0.372
#define MEMORY_SEEN 1.62
/* what of the measured bandwidths products reach in these terms, the overlap of which is told above; */
#define L1_REACHED 0.826
#define L2_REACHED 1.05
#define DRAM_REACHED 1.14
#define REDUCTIONS_REACHED 0.603
/* and the times of an empty launch that a launch takes which depends on the one before. */
#define NEXT_LAUNCHES 1.48

static double sum_sectors(const struct estimate *estimate, enum access a, enum access b)
{
    return (double)(estimate->accesses[a].sectors + estimate->accesses[b].sectors);
}

static double clamp(double share)
{
    return fmin(fmax(share, 0), 1);
}

/* The seconds that a warp waits for a request on average, were there no other. */
static double latency_of(const struct gpu_pace *pace, double sectors, double misses, double read_sectors)
{
    double loads = fmax(1, sectors);
    double l1 = clamp(1 - misses / loads) * L1_SEEN * (1 - pace->l1_latency / pace->l2_latency);
    double memory = clamp(read_sectors / loads) * MEMORY_SEEN * (pace->memory_latency / pace->l2_latency - 1);
    return pace->l2_latency * (1 - l1 + memory);
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
    term[BOUND_LONGEST] =
        (own->turn * (double)steps->launches + own->request * (double)steps->longest) * latency +
        own->shared * (double)steps->longest_shared * pace->shared_latency;
    term[BOUND_LATENCY] = (own->turn * steps->turns + own->request * steps->requests) * latency;
    term[BOUND_SHARED] = own->shared * steps->shared * pace->shared_latency;
    term[BOUND_L1] = loads * SECTOR / (L1_REACHED * pace->l1);
    term[BOUND_L2] = memory_sum(memory->sectors) * SECTOR / (L2_REACHED * pace->l2);
    term[BOUND_DRAM] = (reads / pace->read + writes / pace->write) / DRAM_REACHED;
    term[BOUND_REDUCTIONS] = sum_sectors(estimate, ACCESS_REDUCTION, ACCESS_ATOMIC) * SECTOR /
                             (REDUCTIONS_REACHED * pace->reductions);
    term[BOUND_HOTTEST] = (double)steps->hottest * pace->meeting;
    term[BOUND_ARITHMETIC] = slots / gpu_arithmetic(gpu, estimate->value_bytes);
}

/* What the terms take together: latency and shared memory follow each other in a warp. */
static double overlap(const double term[BOUNDS])
{
    double sum = 0;
    for (int b = 0; b < BOUNDS; b++) {
        double one = b == BOUND_LATENCY ? term[b] + term[BOUND_SHARED] : term[b];
        if (b != BOUND_LAUNCH && b != BOUND_SHARED) sum += pow(one, OVERLAP);
    }
    return pow(sum, 1 / OVERLAP);
}

void time_forecast(const struct gpu *gpu, const struct kernel *kernel, const struct estimate *estimate,
                   bool cold, struct prediction *prediction)
{
    const struct kernel_pace *own = &kernel->pace;
    *prediction = (struct prediction){.there = false};
    if (!estimate->there || !estimate->memory.there || own->request <= 0) return;
    set_terms(gpu, own, estimate, cold, prediction->term);
    double further = fmax(0, (double)estimate->steps.launches - 1);
    prediction->term[BOUND_LAUNCH] =
        gpu->pace.launch + (NEXT_LAUNCHES * further + own->start) * gpu->pace.next;
    prediction->seconds = prediction->term[BOUND_LAUNCH] + overlap(prediction->term);
    prediction->there = isfinite(prediction->seconds);
    snprintf(prediction->machine, sizeof prediction->machine, "%s", gpu->name);
    prediction_bound(prediction);
}
