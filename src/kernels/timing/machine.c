#include "kernels/timing/machine.h"

#include <math.h>
#include <omp.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/placement.h"
#include "base/range.h"
#include "base/topology.h"
#include "kernels/cpu/cpu.h"

/* Bytes of a stretch, which is read or copied, and timed, separately. Cancellation is checked after each
 * stretch. */
#define STRETCH ((size_t)1 << 22)
#define STRETCHES_MAX 256 /* maximum number of stretches timed in a row */

#define SWEEP_FIRST ((size_t)1 << 18) /* the sweep's smallest size, */
#define SWEEP_LAST ((size_t)1 << 30)  /* and its largest; a cache larger than half of it is not found */
#define SWEEP_STEPS 13                /* the number of sizes, each twice the one before */
#define SWEEP_TIMES 3                 /* the number of sweeps */
#define SWEEP_BYTES ((size_t)1 << 25) /* minimum bytes that each thread reads for a size */
#define SWEEP_BEYOND 8 /* sizes up to this multiple of the caches that the topology knows come first */
#define LEVEL 1.25     /* a size fits in a cache if it is read this many times as fast as the largest size */

#define BUFFER_MIN ((size_t)1 << 28)
#define REPETITIONS 5 /* number of measurements of the bandwidths before kernels are timed */

/* If the common bandwidth of the threads is below this share of the sum of their own, they have not run at
 * the same time. */
#define BUSY 0.5

#define DEVICE_MEMORY ((size_t)1 << 31) /* bytes of a device's memory that are read and copied */
#define DEVICE_FLUSH 4                  /* bytes read to flush a device / its L2 */

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns the share of thread t, which that thread touched first. */
static char *part_of(const struct machine *machine, int t)
{
    uintptr_t first = ((uintptr_t)machine->memory + MEMORY_BLOCK - 1) / MEMORY_BLOCK * MEMORY_BLOCK;
    return (char *)first + machine->share * (size_t)t;
}

/* Every thread reads `length` bytes of its share from `at` on, or copies them to the other half of it. */
static void run_stretch(struct machine *machine, bool copy, size_t at, size_t length)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t half = machine->share / 2 / MEMORY_BLOCK * MEMORY_BLOCK;
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

/* Returns the bytes/s that all threads reach together in reading, or in copying, by the first quartile of the
 * times of all stretches. A stretch takes as long as the slowest thread, so that other work on a few
 * processors makes more than half of the stretches slower, and the median with them. */
static double bandwidth(struct machine *machine, bool copy, struct progress *progress)
{
    double seconds[STRETCHES_MAX];
    size_t bytes = copy ? machine->share / 2 : machine->share,
           stretch = smaller(STRETCH, bytes / MEMORY_BLOCK * MEMORY_BLOCK);
    int count = 0;
    run_stretch(machine, false, 0, 0); /* start the threads of the team, so that it is not timed */
    for (size_t at = 0; stretch > 0 && at + stretch <= bytes && count < STRETCHES_MAX; at += stretch) {
        if (progress_cancelled(progress)) return 0;
        double start = clock_seconds();
        run_stretch(machine, copy, at, stretch);
        seconds[count++] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return (copy ? 2.0 : 1.0) * (double)stretch * machine->threads / seconds[count / 4];
}

/* Returns the bytes/s that one thread reaches in its share, by the median of its stretches. */
static double stretch_speed(const struct machine *machine, int t, bool copy, double *sum,
                            struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t half = machine->share / 2 / MEMORY_BLOCK * MEMORY_BLOCK, bytes = copy ? half : machine->share,
           stretch = smaller(STRETCH, bytes / MEMORY_BLOCK * MEMORY_BLOCK);
    double seconds[STRETCHES_MAX];
    int count = 0;
    for (size_t at = 0; stretch > 0 && at + stretch <= bytes && count < STRETCHES_MAX; at += stretch) {
        if (progress_cancelled(progress)) return 0;
        char *from = part_of(machine, t) + at;
        double start = clock_seconds();
        if (copy)
            loops->memory_copy(from + half, from, (int64_t)stretch);
        else
            *sum += loops->memory_read(from, (int64_t)stretch);
        seconds[count++] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return (copy ? 2.0 : 1.0) * (double)stretch / seconds[count / 2];
}

/* Returns the sum of the bytes/s that the threads reach if none waits for the others. It is more than they
 * reach together if they do not all run at the same time, but other work does not spoil it either. More
 * threads than processors share those: each of them runs for that share of the time only. */
static double bandwidth_apart(struct machine *machine, bool copy, struct progress *progress)
{
    double speed = 0, sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : speed, sum)
    for (int t = 0; t < machine->threads; t++)
        speed += stretch_speed(machine, t, copy, &sum, progress);
    machine->checksum += sum;
    const int processors = machine->processors;
    return machine->threads > processors ? speed * processors / machine->threads : speed;
}

double machine_mended(double common, double apart)
{
    return common < BUSY * apart ? apart : common;
}

/* read_low and copy_low still show the common bandwidths. */
static void mend(struct machine *machine, struct progress *progress)
{
    struct placement placement;
    placement_begin(&placement, machine->threads);
    double read = bandwidth_apart(machine, false, progress), copy = bandwidth_apart(machine, true, progress);
    placement_end(&placement);
    if (progress_cancelled(progress)) return;
    machine->read = machine_mended(machine->read, read);
    machine->copy = machine_mended(machine->copy, copy);
}

/* Measure both bandwidths now. Returns false, and leaves them undefined, if it was cancelled or the device
 * failed. */
static bool bandwidths(struct machine *machine, double *read, double *copy, struct progress *progress)
{
    struct device *device = machine->device;
    if (device)
        return device_check(device, NULL) == STATUS_OK &&
               device->type->bandwidth(device, machine->memory, machine->share, read, copy, NULL) ==
                   STATUS_OK;
    *read = bandwidth(machine, false, progress);
    *copy = bandwidth(machine, true, progress);
    return !progress_cancelled(progress);
}

/* The same by threads pinned where they touched the memory first. */
static bool bandwidths_in_place(struct machine *machine, double *read, double *copy,
                                struct progress *progress)
{
    struct placement placement = {0};
    if (!machine->device) placement_begin(&placement, machine->threads);
    bool done = bandwidths(machine, read, copy, progress);
    placement_end(&placement);
    return done;
}

void machine_again(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    double start = clock_seconds(), read, copy;
    if (!bandwidths_in_place(machine, &read, &copy, progress)) return;
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

/* Each thread reads its share of the buffer from the first byte to the last without waiting for the others,
 * since waiting takes long if other work uses the processors. */
void machine_flush(struct machine *machine, struct progress *progress)
{
    if (!machine->memory) return;
    if (machine->device) {
        flush_device(machine);
        return;
    }
    const struct loops *loops = loops_for(PRECISION_F64);
    size_t each = machine->buffer / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    size_t bytes = smaller(each, machine->share);
    double sum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads) reduction(+ : sum)
    for (int t = 0; t < machine->threads; t++)
        for (size_t at = 0; at < bytes && !progress_cancelled(progress); at += STRETCH)
            sum += loops->memory_read(part_of(machine, t) + at, (int64_t)smaller(STRETCH, bytes - at));
    machine->checksum += sum;
}

/* Allocate `bytes` of memory. Each thread touches its share, so that the system puts the share's pages next
 * to the thread's processor. */
static enum status take_memory(struct machine *machine, size_t bytes, struct progress *progress,
                               struct error *error)
{
    free(machine->memory);
    machine->memory = NULL;
    machine->share = bytes / (size_t)machine->threads / MEMORY_BLOCK * MEMORY_BLOCK;
    if (machine->share == 0) machine->share = MEMORY_BLOCK;
    size_t all = (machine->share + MEMORY_BLOCK) * (size_t)machine->threads;
    machine->memory = memory_array(all, 1, error);
    if (!machine->memory) return STATUS_MEMORY;
#pragma omp parallel for schedule(static, 1) num_threads(machine->threads)
    for (int t = 0; t < machine->threads; t++)
        for (size_t at = 0; at < machine->share && !progress_cancelled(progress); at += STRETCH)
            memset(part_of(machine, t) + at, 0, smaller(STRETCH, machine->share - at));
    return progress_status(progress, error);
}

/* Read the first `bytes` of thread t's share again and again until SWEEP_BYTES are read, but at least once as
 * a whole, and time each stretch. Returns the bytes/s of the median stretch: a thread that loses its
 * processor for a while loses only a few stretches. */
static double read_stretches(const struct machine *machine, int t, size_t bytes, double *sum,
                             struct progress *progress)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double seconds[STRETCHES_MAX];
    int count = 0;
    size_t all = bytes > SWEEP_BYTES ? bytes : SWEEP_BYTES, at = 0;
    for (size_t done = 0; done < all && count < STRETCHES_MAX && !progress_cancelled(progress); count++) {
        double start = clock_seconds();
        for (size_t end = done + STRETCH; done < end;) {
            size_t length = smaller(bytes - at, end - done);
            *sum += loops->memory_read(part_of(machine, t) + at, (int64_t)length);
            at = at + length < bytes ? at + length : 0;
            done += length;
        }
        seconds[count] = clock_seconds() - start;
    }
    if (count == 0) return 0;
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return (double)STRETCH / seconds[count / 2];
}

/* Returns the bytes/s of all threads at once, each of which reads an equal share of this number of bytes. */
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

/* Read sizes number `from` to `to` - 1 of the sweep in turn, so that a slow second does not fall on one size
 * alone. */
static void sweep(struct machine *machine, double *speed, int from, int to, struct progress *progress)
{
    for (int times = 0; times < SWEEP_TIMES; times++)
        for (int k = from; k < to && !progress_cancelled(progress); k++) {
            speed[k] = fmax(speed[k], sweep_speed(machine, SWEEP_FIRST << k, progress));
            progress_add(progress, 1);
        }
}

/* Return the cache: the largest size that is read clearly faster than the largest size of the sweep is.
 *
 *     speed  | *  *  *  *
 *            |             *                   the cache is the last size above the line
 *            | - - - - - - - - - - - - - - -   LEVEL * speed of the largest size
 *            |                *  *  *  *
 *            +---------------------------- size
 *             256 KiB            ...  1 GiB
 *
 * Other work on the machine only slows reading down. A size is therefore as fast as in its best sweep, and at
 * least as fast as any larger size. */
static size_t cache_of(const double *speeds, int steps)
{
    double speed[SWEEP_STEPS];
    int last = steps - 1, cached = last - 1;
    memcpy(speed, speeds, (size_t)steps * sizeof *speed);
    for (int k = last; k > 0; k--)
        speed[k - 1] = fmax(speed[k - 1], speed[k]);
    while (cached > 0 && speed[cached] < LEVEL * speed[last])
        cached--;
    return SWEEP_FIRST << (cached > 0 ? cached : 0);
}

/* Return the number of sizes of the sweep that are at most `max`. */
static int steps_within(size_t max)
{
    int steps = 0;
    while (steps < SWEEP_STEPS && SWEEP_FIRST << steps <= max)
        steps++;
    return steps;
}

/* Return the bytes of all caches of the last level by the topology; 0 if it has none. */
static size_t known_cache(void)
{
    const struct topology *topology = topology_here();
    size_t bytes = 0;
    int level = 0;
    for (int k = 0; k < topology->caches && topology->here; k++) {
        const struct topology_cache *cache = &topology->cache[k];
        if (cache->kind == 'i' || cache->level < level) continue;
        level = cache->level;
        bytes = (size_t)cache->bytes * (size_t)cache->count;
    }
    return bytes;
}

/* The cache that this process found last, with the number of threads and the size of memory: a cache does not
 * change, and the sweep dominates the time of measuring a machine. They are stored in one number, so that
 * every thread reads a consistent set; 0: none. */
static atomic_uint found_last;

static unsigned found_by(int threads, size_t max)
{
    return ((unsigned)threads << 16) | ((unsigned)__builtin_ctzll(max) << 8);
}

/* Allocate the memory for flushes and for measuring bandwidths. It is 4 times the cache, or less if `max` is
 * less. `taken` bytes are already allocated. */
static enum status keep_memory(struct machine *machine, size_t taken, size_t max, struct progress *progress,
                               struct error *error)
{
    size_t wanted = 4 * machine->cache;
    machine->buffer = smaller(wanted > BUFFER_MIN ? wanted : BUFFER_MIN, max);
    if (machine->memory && machine->buffer == taken) return STATUS_OK;
    return take_memory(machine, machine->buffer, progress, error);
}

/* Find the cache by a sweep. *taken becomes the size of the memory allocated for this. If the topology knows
 * the caches, sizes up to several times theirs come first. They suffice if they show a cache of about the
 * known size. Otherwise either the topology, which virtual machines invent, or the sweep is unreliable, and
 * the other sizes follow. */
static enum status find_cache(struct machine *machine, size_t max, size_t *taken, struct progress *progress,
                              struct error *error)
{
    const size_t known = known_cache(), beyond = SWEEP_BEYOND * known;
    const int steps = steps_within(max);
    double speed[SWEEP_STEPS] = {0};
    *taken = max;
    if (known > 0 && beyond < max)
        for (*taken = smaller(BUFFER_MIN, max); *taken < beyond;)
            *taken *= 2;
    enum status status = take_memory(machine, *taken, progress, error);
    const int first = steps_within(*taken);
    if (status == STATUS_OK) sweep(machine, speed, 0, first, progress);
    machine->cache = first > 0 ? cache_of(speed, first) : max;
    if (first < steps && status == STATUS_OK && (machine->cache < known / 2 || machine->cache > 2 * known)) {
        *taken = max;
        status = take_memory(machine, max, progress, error);
        if (status == STATUS_OK) sweep(machine, speed, first, steps, progress);
        machine->cache = cache_of(speed, steps);
    } else
        progress_add(progress, SWEEP_TIMES * (steps - first));
    return status == STATUS_OK ? progress_status(progress, error) : status;
}

/* Find the size of the cache, unless it was found before, and allocate the memory for all other
 * measurements. */
static enum status take_buffer(struct machine *machine, size_t max, struct progress *progress,
                               struct error *error)
{
    static const char measuring[] = "measuring memory";
    const unsigned by = found_by(machine->threads, max), last = atomic_load(&found_last);
    enum status status = STATUS_OK;
    size_t taken = 0;
    if (last && (last & ~0xffu) == by) {
        machine->cache = (size_t)1 << (last & 0xff);
        progress_phase(progress, measuring, REPETITIONS);
    } else {
        progress_phase(progress, measuring, SWEEP_TIMES * steps_within(max) + REPETITIONS);
        status = find_cache(machine, max, &taken, progress, error);
        if (status == STATUS_OK) atomic_store(&found_last, by | (unsigned)__builtin_ctzll(machine->cache));
    }
    return status == STATUS_OK ? keep_memory(machine, taken, max, progress, error) : status;
}

static enum status measure(struct machine *machine, size_t limit, struct progress *progress,
                           struct error *error)
{
    struct placement placement;
    size_t max = SWEEP_LAST, allowed = memory_limit(limit) / 2;
    while (max > allowed && max > SWEEP_FIRST)
        max /= 2;
    placement_begin(&placement, machine->threads);
    enum status status = take_buffer(machine, max, progress, error);
    placement_end(&placement);
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
    *machine = (struct machine){.threads = threads > 0 ? threads : 1, .processors = omp_get_num_procs()};
    enum status status = measure(machine, limit, progress, error);
    if (status != STATUS_OK) machine_free(machine);
    return status;
}

bool machine_narrow(const struct machine *machine)
{
    return machine->share * (size_t)machine->threads < BUFFER_MIN / 2;
}

/* Allocate memory of the device: DEVICE_MEMORY or a quarter of the free memory, whichever is less, but at
 * least twice the bytes of a flush, and at most half of the free memory, since the rest is for matrices. Half
 * of it must exceed L2, too, since a copy reads one half and writes the other. */
static enum status take_device_memory(struct machine *machine, struct error *error)
{
    struct device *device = machine->device;
    size_t available;
    enum status status = device->type->available(device, &available, error);
    if (status != STATUS_OK) return status;
    machine->buffer = DEVICE_FLUSH * machine->cache;
    machine->share = smaller(DEVICE_MEMORY, available / 4);
    if (machine->share < 2 * machine->buffer) machine->share = 2 * machine->buffer;
    machine->share = smaller(machine->share, available / 2) / MEMORY_BLOCK * MEMORY_BLOCK;
    machine->buffer = smaller(machine->buffer, machine->share);
    struct error reason = {0};
    machine->memory = device_array(device, machine->share, 1, "measuring the memory", &reason);
    if (machine->memory) return device->type->fill(device, machine->memory, 0, machine->share, error);
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
