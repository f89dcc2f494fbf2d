/* Measuring memory bandwidth and latency, and the overhead of parallel regions. Each thread times itself, by
 * the fastest of some rounds: if other work takes a processor for a while, threads that wait for each other
 * would all be slow. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "base/placement.h"
#include "base/range.h"
#include "base/threads.h"
#include "formats/csr.h"
#include "kernels/cpu/cpu.h"
#include "kernels/cpu/csr.h"
#include "kernels/timing/processor_parts.h"

#define MEMORY_SHARE 0.6 /* share of memory in the remaining time */
#define WAKES 200        /* regions in a spurt; SPURTS is the maximum number of spurts */
#define SPURTS 16
#define WAKE_FAIR 3e-6 /* enough spurts if a region takes at most this, plus the next one for each thread */
#define WAKE_FAIR_THREAD 0.5e-6
#define WAKE_LONG 1e-4 /* while regions take longer than this, spurts are useless */
#define STORES 262144  /* random stores timed at once */
#define READ_ROUNDS 6
#define FAR_ROUNDS 4
#define STORES_QUICK 16384 /* the same if time is short */
#define FAR_ROUNDS_QUICK 4
#define FAR_ENTRIES 65536 /* for each thread, */
#define FAR_ENTRIES_QUICK 8192
#define FAR_SHIFT ((size_t)128)      /* processors fetch lines in pairs */
#define FAR_ENTRIES_MOST 524288      /* and the maximum for all threads together */
#define STRETCH ((size_t)1 << 18)    /* minimum bytes of a stretch; larger sizes are read in stretches, */
#define STRETCHES 256                /* at most this number of them, */
#define READ_ROUNDS_LARGE 2          /* after one untimed pass */
#define MOVE_BYTES ((size_t)1 << 17) /* for each thread; its core's caches hold them */
#define MOVE_ROUNDS 8
#define LINE_BYTES 64

/* Read `bytes`, more than a stretch, in order. Returns the first quartile of the times of stretches, scaled
 * to all of them: other work on the processor affects only a few stretches. */
static double read_stretches(const char *from, size_t bytes, double *sum)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double seconds[STRETCHES];
    size_t stretch = bytes / STRETCHES / MEMORY_BLOCK * MEMORY_BLOCK;
    if (stretch < STRETCH) stretch = STRETCH;
    int count = 0;
    for (size_t at = 0; at + stretch <= bytes && count < STRETCHES; at += stretch) {
        double start = clock_seconds();
        *sum += loops->memory_read(from + at, (int64_t)stretch);
        seconds[count++] = clock_seconds() - start;
    }
    qsort(seconds, (size_t)count, sizeof *seconds, compare_doubles);
    return seconds[count / 4] * (double)bytes / (double)stretch;
}

/* Read `bytes` in order, repeatedly up to a megabyte in all; returns the seconds of the fastest round. */
static double read_seconds(const char *from, size_t bytes, int times, double *sum)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    const bool large = bytes >= 4 * STRETCH;
    const int rounds = large ? READ_ROUNDS_LARGE : READ_ROUNDS;
    double best = INFINITY;
    for (int round = 0; round < rounds; round++) {
        double start = clock_seconds(), seconds = NAN;
        if (large) seconds = read_stretches(from, bytes, sum);
        for (int k = 0; k < times && !large; k++)
            *sum += loops->memory_read(from, (int64_t)bytes);
        if (!large) seconds = clock_seconds() - start;
        if (round > 0) best = fmin(best, seconds);
    }
    return best;
}

/* Each thread reads its share of the first `bytes` of memory; returns the bytes/s of all together. */
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

/* Return the seconds of the fastest of some products of csr-omp with memory as x. Each product loads other
 * lines than those before it; the first does not count. */
static double far_product(const struct storage *storage, const char *memory, int threads,
                          const struct measuring *measuring)
{
    const int rounds = measuring->completely ? FAR_ROUNDS : FAR_ROUNDS_QUICK;
    const struct launch_options options = {.limit = 0};
    struct kernel_choice choice = {
        .kernel = &kernel_cpu_csr_omp, .format = storage_choice(storage), .threads = threads};
    struct launch launch;
    double best = INFINITY;
    enum status status = kernel_prepare(&choice, storage, &options, &launch, NULL);
    for (int round = 0; round < rounds && status == STATUS_OK; round++) {
        double start = clock_seconds();
        kernel_run(&launch, memory + FAR_SHIFT * (size_t)round, measuring->y);
        if (round > 0) best = fmin(best, clock_seconds() - start);
    }
    kernel_release(&launch);
    return status == STATUS_OK ? best : NAN;
}

/* Multiply rows of PROCESSOR_FLIGHT entries with random columns in the first `bytes` of memory, with the same
 * number of rows in each thread. Returns the seconds of a load, and of the reads beside it, that computing
 * does not hide. A real loop waits in the same way: it sums up a row before it begins the next one, which
 * limits the loads in flight. NaN if it cannot be measured. */
static double far_seconds(const char *memory, size_t bytes, int threads, const struct measuring *measuring)
{
    const int64_t elements = (int64_t)((bytes - FAR_SHIFT * FAR_ROUNDS) / sizeof(double)),
                  each = measuring->completely ? FAR_ENTRIES : FAR_ENTRIES_QUICK,
                  rows = min(each * threads, FAR_ENTRIES_MOST) / PROCESSOR_FLIGHT;
    const struct shape_of shape = {SHAPE_SCATTERED, rows, elements, PROCESSOR_FLIGHT};
    const struct format_choice choice = format_choice_default(&format_csr, PRECISION_F64);
    const struct loop_pace *loop = processor_loop(measuring->processor, &kernel_cpu_csr_omp, &choice);
    const double share = (double)rows / threads;
    struct storage storage = {0};
    struct csr a;
    if (!loop) return NAN;
    double seconds = NAN;
    enum status status = processor_make_matrix(&shape, &a, NULL);
    if (status == STATUS_OK) status = processor_convert(measuring, &a, &choice, &storage, NULL);
    if (status == STATUS_OK) seconds = far_product(&storage, memory, threads, measuring);
    storage_free(&storage);
    csr_free(&a);
    return processor_rest(seconds, share * loop_row(loop, PROCESSOR_FLIGHT)) / (share * PROCESSOR_FLIGHT);
}

/* Store at random to the first `bytes`, a power of two. Each thread stores to every threads-th element, so
 * that lines move between cores. Returns the seconds of a store, averaged over the threads. */
static double store_seconds(char *memory, size_t bytes, int threads, bool thoroughly)
{
    const int stores = thoroughly ? STORES : STORES_QUICK,
              rounds = thoroughly ? FAR_ROUNDS : FAR_ROUNDS_QUICK;
    const uint64_t elements = bytes / sizeof(double) / (uint64_t)threads;
    double *to = (double *)(void *)memory, seconds = 0;
    uint64_t mask = 0;
    if (elements == 0) return 0;
    while (2 * (mask + 1) <= elements)
        mask = 2 * mask + 1;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : seconds)
    for (int t = 0; t < threads; t++) {
        double best = INFINITY;
        for (int round = 0; round < rounds; round++) {
            uint64_t at = (uint64_t)(FAR_ROUNDS * t + round + 1) * UINT64_C(0x9E3779B97F4A7C15);
            double start = clock_seconds();
            for (int k = 0; k < stores; k++) {
                at = at * UINT64_C(6364136223846793005) + 1;
                to[(at >> 33 & mask) * (uint64_t)threads + (uint64_t)t] = round;
            }
            if (round > 0) best = fmin(best, clock_seconds() - start);
        }
        seconds += best / stores;
    }
    return seconds / threads;
}

/* Each thread writes its share of memory (step 0), which another one has read, or reads the share that the
 * next one wrote (step 1). Returns the seconds of each thread, added up. */
static double move_step(char *memory, int step, int threads, double *sum)
{
    const struct loops *loops = loops_for(PRECISION_F64);
    double seconds = 0, checksum = 0;
#pragma omp parallel for schedule(static, 1) num_threads(threads) reduction(+ : seconds, checksum)
    for (int t = 0; t < threads; t++) {
        char *share = memory + (size_t)((t + step) % threads) * MOVE_BYTES;
        double start = clock_seconds();
        if (step == 0)
            memset(share, 0, MOVE_BYTES);
        else
            checksum += loops->memory_read(share, (int64_t)MOVE_BYTES);
        seconds += clock_seconds() - start;
    }
    *sum += checksum;
    return seconds;
}

/* Return the seconds of a line that moves from core to core, in order, and of writing it again. */
static double moved_seconds(char *memory, int threads, double *sum)
{
    double best = INFINITY;
    for (int round = 0; round < MOVE_ROUNDS; round++) {
        double seconds = move_step(memory, 0, threads, sum) + move_step(memory, 1, threads, sum);
        if (round > 0) best = fmin(best, seconds);
    }
    return best / threads / (double)(MOVE_BYTES / LINE_BYTES);
}

/* Measure this size of memory, with one thread and with all. */
static void measure_size(const struct measuring *measuring, char *memory, int k, double end, double *sum)
{
    struct processor *processor = measuring->processor;
    const size_t bytes = PROCESSOR_FIRST << 2 * k;
    for (int many = 0; many < 2 && (!many || clock_seconds() < end); many++) {
        const int threads = many ? processor->threads : 1;
        const size_t each = bytes / (size_t)threads / MEMORY_BLOCK * MEMORY_BLOCK;
        struct placement placement;
        placement_begin(&placement, threads);
        if (each > 0) processor->read[many][k] = read_speed(memory, each, threads, sum);
        processor->far[many][k] = far_seconds(memory, bytes, threads, measuring);
        if (many) processor->store[k] = store_seconds(memory, bytes, threads, measuring->completely);
        placement_end(&placement);
    }
}

/* The largest size comes first, since it costs most, and then the others from the smallest on, for as long as
 * time allows. */
enum status processor_measure_memory(const struct measuring *measuring, struct error *error)
{
    struct processor *processor = measuring->processor;
    const double end = clock_seconds() + (measuring->deadline - clock_seconds()) * MEMORY_SHARE;
    int sizes = measuring->completely ? PROCESSOR_SIZES : PROCESSOR_SIZES - 1;
    while (sizes > 1 && PROCESSOR_FIRST << 2 * (sizes - 1) > memory_limit(measuring->limit) / 2)
        sizes--;
    const size_t all = PROCESSOR_FIRST << 2 * (sizes - 1);
    double sum = 0;
    char *memory = memory_array(all, 1, error);
    if (!memory) return STATUS_MEMORY;
    threads_place(memory, all);
    memset(memory, 0, all);
    for (int n = 0; n < sizes && !progress_cancelled(measuring->progress) && clock_seconds() < end; n++) {
        measure_size(measuring, memory, n == 0 ? sizes - 1 : n - 1, end, &sum);
        progress_add(measuring->progress, 1);
    }
    if (processor->threads > 1 && all >= MOVE_BYTES * (size_t)processor->threads && clock_seconds() < end)
        processor->moved = moved_seconds(memory, processor->threads, &sum);
    for (int k = sizes; k < PROCESSOR_SIZES; k++)
        processor->store[k] = processor->store[k - 1];
    for (int k = sizes; k < PROCESSOR_SIZES; k++)
        for (int many = 0; many < 2; many++) {
            processor->read[many][k] = processor->read[many][k - 1];
            processor->far[many][k] = processor->far[many][k - 1];
        }
    /* Other work only slows down: a smaller size is read at least as fast as a larger one, and its loads take
     * at most as long. The smallest sizes, in a core's first-level cache, are left out, since the loop's own
     * overhead dominates there. */
    for (int many = 0; many < 2; many++)
        for (int k = PROCESSOR_SIZES - 1; k > 0; k--) {
            double *read = processor->read[many], *far = processor->far[many];
            if (k > 2) read[k - 1] = fmax(read[k - 1], read[k]);
            if (far[k] > 0 && far[k - 1] > far[k]) far[k - 1] = far[k];
        }
    measuring->y[0] = sum;
    free(memory);
    return progress_status(measuring->progress, error);
}

double processor_read_now(size_t bytes)
{
    double sum = 0, speed = NAN;
    char *memory = memory_zeroed(bytes, 1, NULL);
    if (memory) speed = read_speed(memory, bytes, 1, &sum);
    if (memory && sum != 0)
        speed = NAN; /* never true, but it prevents the compiler from removing the loops */
    free(memory);
    return speed;
}

/* The fastest of many empty regions, since kernels are timed after their team was woken. While other work
 * uses the processors, the threads seldom run at the same time. A spurt in which they did not is repeated
 * after a pause, in which the system gives each thread its processor back. */
double processor_region_seconds(int threads, double deadline)
{
    const struct timespec pause = {0, 1000000};
    double best = INFINITY;
    for (int spurt = 0; spurt < SPURTS && best > WAKE_FAIR + WAKE_FAIR_THREAD * threads; spurt++) {
        if (spurt > 0 && clock_seconds() > deadline) break;
        if (spurt > 0) nanosleep(&pause, NULL);
        threads_gather(threads);
        for (int k = 0; k < WAKES; k++) {
            double start = clock_seconds();
            threads_gather(threads);
            best = fmin(best, clock_seconds() - start);
            if (best > WAKE_LONG && (k > 2 || clock_seconds() > deadline))
                break; /* a thread waits for a processor */
        }
    }
    return best;
}
