#include "kernels/machine.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cpu/cpu.h"

#define SWEEP_FIRST ((size_t)1 << 18)
#define SWEEP_LAST ((size_t)1 << 30)  /* caches beyond half of this are not found */
#define SWEEP_STEPS 13                /* sizes, each twice the one before */
#define SWEEP_TIMES 3                 /* each size is read so often, one sweep after another */
#define SWEEP_BYTES ((size_t)1 << 25) /* and at least so much each time */
#define BUFFER_LEAST ((size_t)1 << 28)
#define REPETITIONS 5
#define LEVEL 1.25              /* a size that is read this much faster than memory still fits in a cache */
#define SLICE ((size_t)1 << 22) /* whether to stop is asked after reading so much */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Thread t's part, which it touched first. */
static char *part_of(const struct machine *machine, int t)
{
    uintptr_t first = ((uintptr_t)machine->memory + MEMORY_BLOCK - 1) / MEMORY_BLOCK * MEMORY_BLOCK;
    return (char *)first + machine->part * (size_t)t;
}

/* Every thread reads the first `bytes` of its part, `passes` times. */
static void read_parts(struct machine *machine, size_t bytes, size_t passes, struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : sum)
    for (int t = 0; t < machine->threads; t++)
        for (size_t pass = 0; pass < passes; pass++)
            for (size_t at = 0; at < bytes && !progress_cancelled(progress); at += SLICE)
                sum += loops->memory_read(part_of(machine, t) + at, (int64_t)smaller(SLICE, bytes - at));
    machine->checksum += sum;
}

/* Every thread copies one half of its part to the other; returns the bytes that were moved. */
static double copy_parts(struct machine *machine, struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t half = machine->part / 2 / MEMORY_BLOCK * MEMORY_BLOCK;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads)
    for (int t = 0; t < machine->threads; t++) {
        char *part = part_of(machine, t);
        for (size_t at = 0; at < half && !progress_cancelled(progress); at += SLICE)
            loops->memory_copy(part + half + at, part + at, (int64_t)smaller(SLICE, half - at));
    }
    return 2.0 * (double)half * machine->threads;
}

static double read_speed(struct machine *machine, size_t bytes, size_t passes, struct progress *progress)
{
    double start = clock_seconds();
    read_parts(machine, bytes, passes, progress);
    return (double)bytes * (double)passes * machine->threads / (clock_seconds() - start);
}

void machine_again(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    double start = clock_seconds(), read = read_speed(machine, machine->part, 1, progress);
    double middle = clock_seconds(), copied = copy_parts(machine, progress);
    double end = clock_seconds(), copy = copied / (end - middle);
    if (progress_cancelled(progress)) return;
    machine->read = fmax(machine->read, read);
    machine->copy = fmax(machine->copy, copy);
    machine->read_low = machine->times ? fmin(machine->read_low, read) : read;
    machine->copy_low = machine->times ? fmin(machine->copy_low, copy) : copy;
    machine->times++;
    machine->cost = end - start;
}

void machine_flush(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    size_t bytes = machine->buffer / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    read_parts(machine, smaller(bytes, machine->part), 1, progress);
}

/* Take memory of `bytes`, each part touched by its thread. */
static enum status take_memory(struct machine *machine, size_t bytes, struct progress *progress,
                               struct error *error)
{
    free(machine->memory);
    machine->memory = NULL;
    machine->part = bytes / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    if (machine->part == 0) machine->part = MEMORY_BLOCK;
    size_t all = (machine->part + MEMORY_BLOCK) * (size_t)machine->threads;
    machine->memory = memory_array(all, 1, error);
    if (!machine->memory) return STATUS_MEMORY;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads)
    for (int t = 0; t < machine->threads; t++)
        for (size_t at = 0; at < machine->part && !progress_cancelled(progress); at += SLICE)
            memset(part_of(machine, t) + at, 0, smaller(SLICE, machine->part - at));
    return progress_status(progress, error);
}

/* The largest size of the sweep that is read clearly faster than the largest of all. Other work on the
 * machine only makes reading slower, so that a size is as fast as its best time, and at least as fast as any
 * larger one; the sizes take turns, so that a slow second does not fall on one alone. */
static size_t find_cache(struct machine *machine, size_t most, struct progress *progress)
{
    double speed[SWEEP_STEPS] = {0};
    int steps = 0;
    while (steps < SWEEP_STEPS && SWEEP_FIRST << steps <= most)
        steps++;
    if (steps == 0) return most;
    for (int k = 0; k < SWEEP_TIMES * steps && !progress_cancelled(progress); k++) {
        size_t bytes = SWEEP_FIRST << k % steps;
        size_t each = bytes / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
        if (bytes < SWEEP_BYTES)
            read_parts(machine, each, 1, progress); /* what is timed finds it in its cache */
        double now = read_speed(machine, each, SWEEP_BYTES / bytes + 1, progress);
        speed[k % steps] = fmax(speed[k % steps], now);
        progress_add(progress, 1);
    }
    int last = steps - 1, cached = last - 1;
    for (int k = last; k > 0; k--)
        speed[k - 1] = fmax(speed[k - 1], speed[k]);
    while (cached > 0 && speed[cached] < LEVEL * speed[last])
        cached--;
    return SWEEP_FIRST << (cached > 0 ? cached : 0);
}

static enum status measure(struct machine *machine, size_t limit, struct progress *progress,
                           struct error *error)
{
    size_t most = SWEEP_LAST, allowed = memory_limit(limit) / 2;
    while (most > allowed && most > SWEEP_FIRST)
        most /= 2;
    progress_phase(progress, "measuring memory", SWEEP_TIMES * SWEEP_STEPS + REPETITIONS);
    enum status status = take_memory(machine, most, progress, error);
    if (status != STATUS_OK) return status;
    machine->cache = find_cache(machine, most, progress);
    machine->buffer = smaller(4 * machine->cache, most);
    size_t kept = smaller(machine->buffer > BUFFER_LEAST ? machine->buffer : BUFFER_LEAST, most);
    if (kept < most) status = take_memory(machine, kept, progress, error);
    for (int k = 0; k < REPETITIONS && status == STATUS_OK && !progress_cancelled(progress); k++) {
        machine_again(machine, progress);
        progress_add(progress, 1);
    }
    return status == STATUS_OK ? progress_status(progress, error) : status;
}

enum status machine_measure(struct machine *machine, int threads, size_t limit, struct progress *progress,
                            struct error *error)
{
    *machine = (struct machine){.threads = threads > 0 ? threads : 1};
    enum status status = measure(machine, limit, progress, error);
    if (status != STATUS_OK) machine_free(machine);
    return status;
}

void machine_free(struct machine *machine)
{
    free(machine->memory);
    *machine = (struct machine){0};
}
