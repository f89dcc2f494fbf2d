#include "kernels/timing/machine.h"

#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "kernels/cpu/cpu.h"

#define SWEEP_FIRST ((size_t)1 << 18)
#define SWEEP_LAST ((size_t)1 << 30)  /* caches beyond half of this are not found */
#define SWEEP_STEPS 13                /* sizes, each twice the one before */
#define SWEEP_TIMES 3                 /* each size is read so often, one sweep after another */
#define SWEEP_BYTES ((size_t)1 << 25) /* and at least so much by each thread */
#define STRETCHES 256                 /* timed in a row, at most */
#define BUFFER_MIN ((size_t)1 << 28)
#define REPETITIONS 5
#define BUSY 0.5                        /* threads that run together reach more of what they reach apart */
#define DEVICE_MEMORY ((size_t)1 << 31) /* of a device: read and copied to measure it */
#define DEVICE_FLUSH 4                  /* times L2: what a flush reads */
#define LEVEL 1.25              /* a size that is read this much faster than memory still fits in a cache */
#define SLICE ((size_t)1 << 22) /* of each thread: timed by itself, and so often whether to stop is asked */

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

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Every thread reads `length` bytes of its part from `at` on, or copies them to the other half of it. */
static void run_slice(struct machine *machine, bool copy, size_t at, size_t length)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t half = machine->part / 2 / MEMORY_BLOCK * MEMORY_BLOCK;
    double sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : sum)
    for (int t = 0; t < machine->threads; t++) {
        char *from = part_of(machine, t) + at;
        if (copy)
            loops->memory_copy(from + half, from, (int64_t)length);
        else
            sum += loops->memory_read(from, (int64_t)length);
    }
    machine->checksum += sum;
}

/* Bytes/s that all threads read, or read and write, in the first quarter of all slices by time: where other
 * work takes processors away, most slices are hit. */
static double bandwidth(struct machine *machine, bool copy, struct progress *progress)
{
    double seconds[STRETCHES];
    size_t bytes = copy ? machine->part / 2 : machine->part,
           slice = smaller(SLICE, bytes / MEMORY_BLOCK * MEMORY_BLOCK);
    int count = 0;
    run_slice(machine, false, 0, 0); /* gather the threads */
    for (size_t at = 0; slice > 0 && at + slice <= bytes && count < STRETCHES; at += slice) {
        if (progress_cancelled(progress)) return 0;
        double start = clock_seconds();
        run_slice(machine, copy, at, slice);
        seconds[count++] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return (copy ? 2.0 : 1.0) * (double)slice * machine->threads / seconds[count / 4];
}

/* One thread's part in slices, each timed: bytes/s by the median of them. */
static double slice_speed(const struct machine *machine, int t, bool copy, double *sum,
                          struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t half = machine->part / 2 / MEMORY_BLOCK * MEMORY_BLOCK, bytes = copy ? half : machine->part,
           slice = smaller(SLICE, bytes / MEMORY_BLOCK * MEMORY_BLOCK);
    double seconds[STRETCHES];
    int count = 0;
    for (size_t at = 0; slice > 0 && at + slice <= bytes && count < STRETCHES; at += slice) {
        if (progress_cancelled(progress)) return 0;
        char *from = part_of(machine, t) + at;
        double start = clock_seconds();
        if (copy)
            loops->memory_copy(from + half, from, (int64_t)slice);
        else
            *sum += loops->memory_read(from, (int64_t)slice);
        seconds[count++] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return (copy ? 2.0 : 1.0) * (double)slice / seconds[count / 2];
}

/* The same of all threads together, which do not wait for each other: more than `bandwidth` where they do not
 * all run at the same time, but not ruined by other work either. */
static double bandwidth_apart(struct machine *machine, bool copy, struct progress *progress)
{
    double speed = 0, sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : speed, sum)
    for (int t = 0; t < machine->threads; t++)
        speed += slice_speed(machine, t, copy, &sum, progress);
    machine->checksum += sum;
    int processors = omp_get_num_procs();
    return machine->threads > processors ? speed * processors / machine->threads : speed;
}

/* Where the threads hardly ever ran together, since other work had the processors, what was measured is how
 * long they wait: take the other figure, and leave the lowest to tell of it. */
static void mend(struct machine *machine, struct progress *progress)
{
    double read = bandwidth_apart(machine, false, progress), copy = bandwidth_apart(machine, true, progress);
    if (progress_cancelled(progress)) return;
    if (machine->read < BUSY * read) machine->read = read;
    if (machine->copy < BUSY * copy) machine->copy = copy;
}

/* Both bandwidths now; false, and nothing is known, if it was cancelled or the device failed. */
static bool bandwidths(struct machine *machine, double *read, double *copy, struct progress *progress)
{
    struct device *device = machine->device;
    if (device)
        return device_check(device, NULL) == STATUS_OK &&
               device->type->bandwidth(device, machine->memory, machine->part, read, copy, NULL) == STATUS_OK;
    *read = bandwidth(machine, false, progress);
    *copy = bandwidth(machine, true, progress);
    return !progress_cancelled(progress);
}

void machine_again(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    double start = clock_seconds(), read, copy;
    if (!bandwidths(machine, &read, &copy, progress)) return;
    machine->read = fmax(machine->read, read);
    machine->copy = fmax(machine->copy, copy);
    machine->read_low = machine->times ? fmin(machine->read_low, read) : read;
    machine->copy_low = machine->times ? fmin(machine->copy_low, copy) : copy;
    machine->times++;
    machine->cost = clock_seconds() - start;
}

static void flush_device(const struct machine *machine)
{
    struct device *device = machine->device;
    if (device_check(device, NULL) == STATUS_OK)
        device->type->flush(device, machine->memory, machine->buffer, NULL);
}

/* The threads do not wait for each other in between: where other work takes processors away, that is long. */
void machine_flush(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    if (machine->device) {
        flush_device(machine);
        return;
    }
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t each = machine->buffer / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    size_t bytes = smaller(each, machine->part);
    double sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : sum)
    for (int t = 0; t < machine->threads; t++)
        for (size_t at = 0; at < bytes && !progress_cancelled(progress); at += SLICE)
            sum += loops->memory_read(part_of(machine, t) + at, (int64_t)smaller(SLICE, bytes - at));
    machine->checksum += sum;
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

/* Read the first `bytes` of a part over and over, for SWEEP_BYTES or once, and time each stretch of a SLICE.
 * Returns bytes/s by the median stretch: a thread that is put off the processor for a while loses a few of
 * them. */
static double read_stretches(const struct machine *machine, int t, size_t bytes, double *sum,
                             struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double seconds[STRETCHES];
    int count = 0;
    size_t all = bytes > SWEEP_BYTES ? bytes : SWEEP_BYTES, at = 0;
    for (size_t done = 0; done < all && count < STRETCHES && !progress_cancelled(progress); count++) {
        double start = clock_seconds();
        for (size_t end = done + SLICE; done < end;) {
            size_t length = smaller(bytes - at, end - done);
            *sum += loops->memory_read(part_of(machine, t) + at, (int64_t)length);
            at = at + length < bytes ? at + length : 0;
            done += length;
        }
        seconds[count] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, ascending);
    return (double)SLICE / seconds[count / 2];
}

/* All threads at once, each in its part. */
static double sweep_speed(struct machine *machine, size_t bytes, struct progress *progress)
{
    size_t each = bytes / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    double speed = 0, sum = 0;
    if (each == 0) return 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : speed, sum)
    for (int t = 0; t < machine->threads; t++)
        speed += read_stretches(machine, t, each, &sum, progress);
    machine->checksum += sum;
    return speed;
}

/* The largest size of the sweep that is read clearly faster than the largest of all. Other work on the
 * machine only makes reading slower, so that a size is as fast as its best time, and at least as fast as any
 * larger one; the sizes take turns, so that a slow second does not fall on one alone. */
static size_t find_cache(struct machine *machine, size_t max, struct progress *progress)
{
    double speed[SWEEP_STEPS] = {0};
    int steps = 0;
    while (steps < SWEEP_STEPS && SWEEP_FIRST << steps <= max)
        steps++;
    if (steps == 0) return max;
    for (int k = 0; k < SWEEP_TIMES * steps && !progress_cancelled(progress); k++) {
        double now = sweep_speed(machine, SWEEP_FIRST << k % steps, progress);
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
    size_t max = SWEEP_LAST, allowed = memory_limit(limit) / 2;
    while (max > allowed && max > SWEEP_FIRST)
        max /= 2;
    progress_phase(progress, "measuring memory", SWEEP_TIMES * SWEEP_STEPS + REPETITIONS);
    enum status status = take_memory(machine, max, progress, error);
    if (status != STATUS_OK) return status;
    machine->cache = find_cache(machine, max, progress);
    size_t wanted = 4 * machine->cache;
    machine->buffer = smaller(wanted > BUFFER_MIN ? wanted : BUFFER_MIN, max);
    if (machine->buffer < max) status = take_memory(machine, machine->buffer, progress, error);
    for (int k = 0; k < REPETITIONS && status == STATUS_OK && !progress_cancelled(progress); k++) {
        machine_again(machine, progress);
        progress_add(progress, 1);
    }
    if (status == STATUS_OK) mend(machine, progress);
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

bool machine_narrow(const struct machine *machine)
{
    return machine->part * (size_t)machine->threads < BUFFER_MIN / 2;
}

/* Memory of the device, as much as wanted or a quarter of what is free, and not less than the flush takes,
 * but at most half of what is free: the rest is for matrices. */
static enum status take_device_memory(struct machine *machine, struct error *error)
{
    struct device *device = machine->device;
    size_t available;
    enum status status = device->type->available(device, &available, error);
    if (status != STATUS_OK) return status;
    machine->buffer = DEVICE_FLUSH * machine->cache;
    machine->part = smaller(DEVICE_MEMORY, available / 4);
    if (machine->part < 2 * machine->buffer) machine->part = 2 * machine->buffer;
    machine->part = smaller(machine->part, available / 2) / MEMORY_BLOCK * MEMORY_BLOCK;
    machine->buffer = smaller(machine->buffer, machine->part);
    struct error reason = {0};
    machine->memory = device_array(device, machine->part, 1, "measuring the memory", &reason);
    if (machine->memory) return device->type->fill(device, machine->memory, 0, machine->part, error);
    return error_set(error, reason.status, "%s", reason.message);
}

enum status machine_measure_device(struct machine *machine, struct device *device, struct progress *progress,
                                   struct error *error)
{
    *machine = (struct machine){.type = device->type,
                                .device = device,
                                .vendor = device->facts.bandwidth,
                                .cache = device->facts.cache};
    snprintf(machine->name, sizeof machine->name, "%.127s", device->facts.name);
    progress_phase(progress, "measuring the GPU's memory", REPETITIONS);
    enum status status = take_device_memory(machine, error);
    for (int k = 0; k < REPETITIONS && status == STATUS_OK && !progress_cancelled(progress); k++) {
        machine_again(machine, progress);
        progress_add(progress, 1);
    }
    if (status == STATUS_OK) status = progress_status(progress, error);
    if (status == STATUS_OK) status = device_check(device, error);
    if (status != STATUS_OK) machine_free(machine);
    return status;
}

struct machine *machines_of(const struct machines *machines, const struct device_type *type)
{
    if (!type) return (struct machine *)&machines->host;
    for (int k = 0; k < machines->devices; k++)
        if (machines->device[k].type == type) return (struct machine *)&machines->device[k];
    return NULL;
}

void machines_free(struct machines *machines)
{
    machine_free(&machines->host);
    for (int k = 0; k < machines->devices; k++)
        machine_free(&machines->device[k]);
    *machines = (struct machines){0};
}

void machine_free(struct machine *machine)
{
    if (machine->device)
        device_release(machine->device, machine->memory);
    else
        free(machine->memory);
    *machine = (struct machine){0};
}
