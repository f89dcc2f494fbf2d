/* Measuring the elementary costs of a GPU: the benchmark kernels and their data. They run like the kernels of
 * the table, but without a matrix. */
#ifndef SPARSIGHT_KERNELS_CUDA_CALIBRATE_H
#define SPARSIGHT_KERNELS_CUDA_CALIBRATE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/gpu/device.h"

#define CALIBRATE_LINE 128             /* bytes of a line */
#define CALIBRATE_SECTOR 32            /* bytes of a sector */
#define CALIBRATE_L1 32768             /* bytes that a block gathers from L1 */
#define CALIBRATE_L1_CHASE 8192        /* bytes of a chase through L1 */
#define CALIBRATE_L2_CHASE (8u << 20)  /* bytes of a chase through L2 */
#define CALIBRATE_MEMORY_CHASE 16      /* bytes of a chase through memory: the maximum, in sizes of L2 */
#define CALIBRATE_MEMORY_CHASE_LEAST 4 /* the minimum: a quarter of the lines may be in L2 by chance */

#define CALIBRATE_BLOCK 1024    /* threads of a block of launches that fill the GPU */
#define CALIBRATE_L1_STEPS 2048 /* loads of each thread */
#define CALIBRATE_L2_STEPS 1024
#define CALIBRATE_REDUCTION_STEPS 256 /* reductions of each thread */
#define CALIBRATE_MEETING_BLOCK 256
#define CALIBRATE_MEETING_STEPS 16
#define CALIBRATE_CHASE_STEPS 16384   /* loads of a chase through L1, L2 or memory */
#define CALIBRATE_SHARED_STEPS 131072 /* loads of a chase through shared memory */
#define CALIBRATE_SHARED_WORDS 1024   /* number of words of shared memory that are read */

/* The data of a benchmark kernel: launch->state points to it. */
struct calibrate_work {
    char *slot, *data; /* in the device's memory: the end of a chase, and the data read or written */
    size_t bytes;      /* bytes of the data */
    int64_t blocks;    /* blocks of a launch */
    int launches;
};

/* Returns the largest power of two that is at most `bytes`; 0 if that is 0. */
static inline size_t power_at_most(size_t bytes)
{
    size_t power = bytes > 0;
    while (power && power <= bytes / 2)
        power *= 2;
    return power;
}

static inline size_t lesser(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Returns a quarter of L2, the bytes that certainly fit in it. */
static inline size_t calibrate_slice(size_t cache)
{
    return power_at_most(cache / 4);
}

/* Returns the bytes of the lines that are chased in L2. */
static inline size_t calibrate_l2_chase(size_t cache)
{
    return lesser(CALIBRATE_L2_CHASE, calibrate_slice(cache));
}

/* Returns the bytes of the lines that are chased in memory, in a buffer of this number of bytes: 8 to 16
 * times L2 if the buffer is twice as large; 0 if the buffer is so small that L2 would hold a relevant
 * part. */
static inline size_t calibrate_memory_chase(size_t cache, size_t buffer)
{
    size_t bytes = power_at_most(lesser(buffer / 2, CALIBRATE_MEMORY_CHASE * cache));
    return bytes >= CALIBRATE_MEMORY_CHASE_LEAST * cache ? bytes : 0;
}

/* A chase through n lines visits line (FACTOR k + STEP) mod n after line k. With n a power of two, a factor
 * that is 1 mod 4 and an odd step it goes through all lines before it comes back (Hull and Dobell, SIAM
 * Review 4, 1962), in an order without a pattern that hardware could see. */
#define CALIBRATE_RING_FACTOR 1664525u
#define CALIBRATE_RING_STEP 1013904223u

/* Returns the distance in sectors between neighbouring lanes of a warp that gathers from this number of
 * sectors (a power of two, from 1024 on). It is odd and near the golden section, so that the sectors of all
 * lanes are in different lines. */
static inline uint32_t calibrate_stride(uint32_t sectors)
{
    return sectors / 8 * 5 - sectors / 128 - 1;
}

/* The kernels (calibrate.cu), as `run` of struct kernel: a number of empty launches; the same number that
 * begin early, as far as the GPU can (early.cuh), and wait for the one before; making the ring of a chase;
 * chases through the ring, from the address in the slot on, by way of L1 or past it; one in shared memory;
 * gathers from L1 and from L2; reductions on separate sectors, and on one element; writing all of the
 * data. */
void cuda_calibrate_nothing(const struct launch *launch);
void cuda_calibrate_early(const struct launch *launch);
void cuda_calibrate_ring(const struct launch *launch);
void cuda_calibrate_chase_l1(const struct launch *launch);
void cuda_calibrate_chase(const struct launch *launch);
void cuda_calibrate_chase_shared(const struct launch *launch);
void cuda_calibrate_gather_l1(const struct launch *launch);
void cuda_calibrate_gather_l2(const struct launch *launch);
void cuda_calibrate_reductions(const struct launch *launch);
void cuda_calibrate_meet(const struct launch *launch);
void cuda_calibrate_write(const struct launch *launch);

/* Measure all of *pace except the read bandwidth, in `bytes` of the device's memory at `buffer`. This is
 * `pace` of struct device_type (kernels/gpu/device.h). */
enum status cuda_pace(struct device *device, void *buffer, size_t bytes, struct gpu_pace *pace,
                      struct progress *progress, struct error *error);

#endif
