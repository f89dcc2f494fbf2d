/* How fast the processors read memory, and how soon threads begin. Each thread times itself, by the fastest
 * of some rounds: where other work has a processor for a while, those that wait for each other would all be
 * slow. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/placement.h"
#include "base/range.h"
#include "base/threads.h"
#include "kernels/cpu/cpu.h"
#include "kernels/timing/processor_parts.h"

#define WAKES 200
#define LOADS 262144 /* loads at random that are timed at once */
#define READ_ROUNDS 6
#define FAR_ROUNDS 4

/* Read `bytes` in order, as often as makes a megabyte; returns the seconds of the fastest round. */
static double read_seconds(const char *from, size_t bytes, int times, double *sum)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double best = INFINITY;
    for (int round = 0; round < READ_ROUNDS; round++) {
        double start = clock_seconds();
        for (int k = 0; k < times; k++)
            *sum += loops->memory_read(from, (int64_t)bytes);
        if (round > 0) best = fmin(best, clock_seconds() - start);
    }
    return best;
}

/* Each thread reads its part of the memory, of which the first `bytes`; returns bytes/s of all together. */
static double read_speed(const char *memory, size_t bytes, int threads, double *sum)
{
    const int times = (int)max(1, (int64_t)1 << 20) / (int)max(1, min((int64_t)bytes, (int64_t)1 << 20));
    double speed = 0, checksum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : speed, checksum)
    for (int t = 0; t < threads; t++)
        speed += (double)bytes * times / read_seconds(memory + (size_t)t * bytes, bytes, times, &checksum);
    *sum += checksum;
    return speed;
}

/* Load at random from the first `bytes`, a power of two; returns the seconds of a load, on the mean of the
 * threads. The places follow from a linear congruential sequence (Knuth, volume 2, section 3.3.4), so that no
 * load waits for the one before it. */
static double far_seconds(const char *memory, size_t bytes, int threads, double *sum)
{
    const uint64_t mask = bytes / sizeof(double) - 1;
    double seconds = 0, checksum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : seconds, checksum)
    for (int t = 0; t < threads; t++) {
        const double *from = (const double *)(const void *)memory;
        double best = INFINITY;
        for (int round = 0; round < FAR_ROUNDS; round++) {
            uint64_t at = (uint64_t)(FAR_ROUNDS * t + round + 1) * UINT64_C(0x9E3779B97F4A7C15);
            double start = clock_seconds();
            for (int k = 0; k < LOADS; k++) {
                at = at * UINT64_C(6364136223846793005) + 1;
                checksum += from[at >> 33 & mask];
            }
            if (round > 0) best = fmin(best, clock_seconds() - start);
        }
        seconds += best / LOADS;
    }
    *sum += checksum;
    return seconds / threads;
}

enum status processor_measure_memory(const struct measuring *measuring, struct error *error)
{
    struct processor *processor = measuring->processor;
    int sizes = measuring->completely ? PROCESSOR_SIZES : PROCESSOR_SIZES - 1;
    while (sizes > 1 && PROCESSOR_FIRST << 2 * (sizes - 1) > memory_limit(measuring->limit) / 2)
        sizes--;
    const size_t all = PROCESSOR_FIRST << 2 * (sizes - 1);
    double sum = 0;
    char *memory = memory_array(all, 1, error);
    if (!memory) return STATUS_MEMORY;
    threads_place(memory, all);
    memset(memory, 0, all);
    for (int k = 0; k < sizes && !progress_cancelled(measuring->progress); k++) {
        const size_t bytes = PROCESSOR_FIRST << 2 * k;
        for (int many = 0; many < 2; many++) {
            const int threads = many ? processor->threads : 1;
            const size_t each = bytes / (size_t)threads / MEMORY_BLOCK * MEMORY_BLOCK;
            struct placement placement;
            placement_begin(&placement, threads);
            processor->read[many][k] = read_speed(memory, each, threads, &sum);
            processor->far[many][k] = far_seconds(memory, bytes, threads, &sum);
            placement_end(&placement);
        }
        progress_add(measuring->progress, 1);
    }
    for (int k = sizes; k < PROCESSOR_SIZES; k++)
        for (int many = 0; many < 2; many++) {
            processor->read[many][k] = processor->read[many][k - 1];
            processor->far[many][k] = processor->far[many][k - 1];
        }
    measuring->y[0] = sum;
    free(memory);
    return progress_status(measuring->progress, error);
}

/* An empty region, by the fastest of many: kernels are timed after a team was gathered, so that it has not
 * slept. */
double processor_region_seconds(int threads)
{
    double best = INFINITY;
    threads_gather(threads);
    for (int k = 0; k < WAKES; k++) {
        double start = clock_seconds();
        threads_gather(threads);
        best = fmin(best, clock_seconds() - start);
    }
    return best;
}
