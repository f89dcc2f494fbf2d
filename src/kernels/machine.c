#include "kernels/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/range.h"

#define SWEEP_FIRST ((size_t)1 << 18)
#define SWEEP_LAST ((size_t)1 << 30)  /* caches beyond a quarter of this are not looked for */
#define SWEEP_STEPS 13                /* doublings in between */
#define SWEEP_BYTES ((size_t)1 << 29) /* read at each size */
#define REPETITIONS 5
#define LEVEL 1.25 /* a size that is read this much faster than memory still fits in a cache */

/* The sum of `bytes` of doubles, read by `threads` threads, each its own stretch. */
static double read_all(const double *data, size_t bytes, int threads)
{
    int64_t n = (int64_t)(bytes / sizeof *data);
    double total = 0;
#pragma omp parallel num_threads(threads) reduction(+ : total)
    {
        double sums[16] = {0};
#pragma omp for schedule(static)
        for (int64_t block = 0; block < n / 16; block++)
            for (int64_t k = 0; k < 16; k++)
                sums[k] += data[16 * block + k];
        for (int k = 0; k < 16; k++)
            total += sums[k];
    }
    return total;
}

/* Copy the first half of the buffer to the second; bytes moved. */
static double copy_half(char *data, size_t bytes, int threads)
{
    size_t half = bytes / 2, part = half / (size_t)threads;
#pragma omp parallel for schedule(static, 1) num_threads(threads)
    for (int t = 0; t < threads; t++)
        memcpy(data + half + part * (size_t)t, data + part * (size_t)t, part);
    return 2.0 * (double)(part * (size_t)threads);
}

static double read_speed(struct machine *machine, size_t bytes, size_t least_bytes)
{
    size_t passes = least_bytes / bytes + 1;
    double start = clock_seconds();
    for (size_t pass = 0; pass < passes; pass++)
        machine->checksum += read_all(machine->memory, bytes, machine->threads);
    return (double)(bytes * passes) / (clock_seconds() - start);
}

void machine_again(struct machine *machine)
{
    double read = read_speed(machine, machine->buffer, 0), start = clock_seconds();
    double copy = copy_half(machine->memory, machine->buffer, machine->threads) / (clock_seconds() - start);
    machine->read = fmax(machine->read, read);
    machine->copy = fmax(machine->copy, copy);
}

void machine_flush(struct machine *machine)
{
    machine->checksum += read_all(machine->memory, machine->buffer, machine->threads);
}

/* The largest size of the sweep that is read clearly faster than the largest buffer. */
static size_t find_cache(struct machine *machine, size_t most, struct progress *progress)
{
    double slowest = read_speed(machine, most, SWEEP_BYTES);
    size_t cache = SWEEP_FIRST;
    for (size_t bytes = SWEEP_FIRST; bytes < most && !progress_cancelled(progress); bytes *= 2) {
        read_speed(machine, bytes, 0);
        if (read_speed(machine, bytes, SWEEP_BYTES / 4) > LEVEL * slowest) cache = bytes;
        progress_add(progress, 1);
    }
    return cache;
}

enum status machine_measure(struct machine *machine, int threads, size_t limit, struct progress *progress,
                            struct error *error)
{
    size_t most = SWEEP_LAST;
    *machine = (struct machine){.threads = threads};
    progress_phase(progress, "measuring memory", SWEEP_STEPS);
    while (most > memory_limit(limit) / 2 && most > SWEEP_FIRST)
        most /= 2;
    machine->memory = memory_array(most, 1, error);
    if (!machine->memory) return STATUS_MEMORY;
    machine->buffer = most;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int64_t block = 0; block < (int64_t)(most >> 12); block++)
        memset((char *)machine->memory + (block << 12), 0, 4096);
    machine->cache = find_cache(machine, most, progress);
    if (4 * machine->cache < most) machine->buffer = 4 * machine->cache;
    for (int k = 0; k < REPETITIONS && !progress_cancelled(progress); k++)
        machine_again(machine);
    enum status status = progress_status(progress, error);
    if (status != STATUS_OK) machine_free(machine);
    return status;
}

void machine_free(struct machine *machine)
{
    free(machine->memory);
    *machine = (struct machine){0};
}
