/* The kernels that measure the elementary costs of a GPU (calibrate.c). */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/calibrate.h"
}

#define AHEAD 4 /* number of loads in flight of a thread */

static const struct calibrate_work *work_of(const struct launch *launch)
{
    return static_cast<const struct calibrate_work *>(launch->state);
}

/* Return the successor of element k in a ring of n; n is a power of two. */
__device__ uint32_t place_after(uint32_t k, uint32_t n)
{
    return (CALIBRATE_RING_FACTOR * k + CALIBRATE_RING_STEP) & (n - 1);
}

/* Launches */

__global__ void do_nothing()
{
}

void cuda_calibrate_nothing(const struct launch *launch)
{
    for (int k = 0; k < work_of(launch)->launches; k++)
        enqueue(launch, grid{1, WARP, 0}, "do_nothing", do_nothing);
}

__global__ void await_alone()
{
    let_next_begin();
    await_previous();
}

void cuda_calibrate_early(const struct launch *launch)
{
    for (int k = 0; k < work_of(launch)->launches; k++)
        enqueue_early(launch, grid{1, WARP, 0}, true, "await_alone", await_alone);
}

/* Latencies: one thread follows a chain of addresses, each loaded from the previous one. */

/* Write into each line the address of the next one. */
__global__ void make_ring(char *data, uint32_t lines)
{
    for (auto k = static_cast<uint32_t>(thread_of_grid()); k < lines; k += gridDim.x * blockDim.x) {
        char *next = data + static_cast<size_t>(place_after(k, lines)) * CALIBRATE_LINE;
        *reinterpret_cast<char **>(data + static_cast<size_t>(k) * CALIBRATE_LINE) = next;
    }
}

void cuda_calibrate_ring(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_BLOCK, 0}, "make_ring", make_ring, work->data,
            work->bytes / CALIBRATE_LINE);
}

/* Continue at the end of the last chase, which is in the slot, through L1 or bypassing it. */
template <bool through_l1> __global__ void chase(char **slot)
{
    char *at = *slot;
    for (int k = 0; k < CALIBRATE_CHASE_STEPS; k++)
        if (through_l1)
            asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(at) : "l"(at) : "memory");
        else
            asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(at) : "l"(at) : "memory");
    *slot = at;
}

void cuda_calibrate_chase_l1(const struct launch *launch)
{
    enqueue(launch, grid{1, 1, 0}, "chase", chase<true>, reinterpret_cast<char **>(work_of(launch)->slot));
}

void cuda_calibrate_chase(const struct launch *launch)
{
    enqueue(launch, grid{1, 1, 0}, "chase", chase<false>, reinterpret_cast<char **>(work_of(launch)->slot));
}

/* The same in shared memory, whose addresses have 32 bits. */
__global__ void chase_shared(uint32_t *slot)
{
    __shared__ uint32_t ring[CALIBRATE_SHARED_WORDS];
    for (uint32_t k = threadIdx.x; k < CALIBRATE_SHARED_WORDS; k += WARP)
        ring[k] =
            static_cast<uint32_t>(__cvta_generic_to_shared(&ring[place_after(k, CALIBRATE_SHARED_WORDS)]));
    __syncthreads();
    if (threadIdx.x > 0) return;
    uint32_t at = ring[0];
    for (int k = 0; k < CALIBRATE_SHARED_STEPS; k++)
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(at) : "r"(at) : "memory");
    *slot = at;
}

void cuda_calibrate_chase_shared(const struct launch *launch)
{
    enqueue(launch, grid{1, WARP, 0}, "chase_shared", chase_shared,
            reinterpret_cast<uint32_t *>(work_of(launch)->slot));
}

/* Bandwidths of scattered sectors: in each request the lanes of a warp ask for sectors in different lines,
 * and the next request begins at an unrelated sector. */
struct scatter {
    uint32_t sectors, stride, base, lane;

    __device__ scatter(uint32_t count, uint32_t lanes_apart)
        : sectors(count), stride(lanes_apart),
          base(static_cast<uint32_t>(thread_of_grid() / WARP) * 2654435761u), lane(threadIdx.x % WARP)
    {
    }

    /* Return the index of the next double of this lane. */
    __device__ uint32_t next()
    {
        base = CALIBRATE_RING_FACTOR * base + CALIBRATE_RING_STEP;
        uint32_t sector = ((base >> 8) + lane * stride) & (sectors - 1);
        return sector * (CALIBRATE_SECTOR / 8) + lane % (CALIBRATE_SECTOR / 8);
    }
};

/* Loads have the size of a double, but their bits are combined: adding doubles is slow on some GPUs. All are
 * 0, so that nothing is written, which the compiler cannot know. */
using bits = unsigned long long;

__device__ void use_bits(bits all, bits *slot)
{
    if (all) *slot = all;
}

/* Each block gathers from its own CALIBRATE_L1 bytes, which are in L1 after their first loads. */
__global__ void __launch_bounds__(CALIBRATE_BLOCK)
    gather_l1(const bits *__restrict__ data, uint32_t stride, bits *slot)
{
    const bits *mine = data + static_cast<size_t>(blockIdx.x) * (CALIBRATE_L1 / sizeof(bits));
    scatter places(CALIBRATE_L1 / CALIBRATE_SECTOR, stride);
    bits all = 0;
    for (int k = 0; k < CALIBRATE_L1_STEPS; k += AHEAD) {
        bits value[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            value[a] = __ldg(&mine[places.next()]);
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            all |= value[a];
    }
    use_bits(all, slot);
}

/* All blocks gather from the same sectors, bypassing L1. */
__global__ void __launch_bounds__(CALIBRATE_BLOCK)
    gather_l2(const bits *__restrict__ data, uint32_t sectors, uint32_t stride, bits *slot)
{
    scatter places(sectors, stride);
    bits all = 0;
    for (int k = 0; k < CALIBRATE_L2_STEPS; k += AHEAD) {
        bits value[AHEAD];
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            value[a] = __ldcg(&data[places.next()]);
#pragma unroll
        for (int a = 0; a < AHEAD; a++)
            all |= value[a];
    }
    use_bits(all, slot);
}

/* Add without asking for the sum. */
__device__ void reduce(double *place, double value)
{
    asm volatile("red.global.add.f64 [%0], %1;" : : "l"(place), "d"(value) : "memory");
}

__global__ void __launch_bounds__(CALIBRATE_BLOCK)
    scatter_reductions(double *data, uint32_t sectors, uint32_t stride, double value)
{
    scatter places(sectors, stride);
    for (int k = 0; k < CALIBRATE_REDUCTION_STEPS; k++)
        reduce(&data[places.next()], value);
}

/* All lanes of all warps add to one element. */
__global__ void meet(double *place, double value)
{
    for (int k = 0; k < CALIBRATE_MEETING_STEPS; k++)
        reduce(place, value);
}

void cuda_calibrate_gather_l1(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_BLOCK, 0}, "gather_l1", gather_l1,
            reinterpret_cast<const bits *>(work->data), calibrate_stride(CALIBRATE_L1 / CALIBRATE_SECTOR),
            reinterpret_cast<bits *>(work->slot));
}

static uint32_t sectors_of(const struct calibrate_work *work)
{
    return static_cast<uint32_t>(work->bytes / CALIBRATE_SECTOR);
}

void cuda_calibrate_gather_l2(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_BLOCK, 0}, "gather_l2", gather_l2,
            reinterpret_cast<const bits *>(work->data), sectors_of(work), calibrate_stride(sectors_of(work)),
            reinterpret_cast<bits *>(work->slot));
}

void cuda_calibrate_reductions(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_BLOCK, 0}, "scatter_reductions", scatter_reductions,
            reinterpret_cast<double *>(work->data), sectors_of(work), calibrate_stride(sectors_of(work)),
            0.0);
}

void cuda_calibrate_meet(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_MEETING_BLOCK, 0}, "meet", meet,
            reinterpret_cast<double *>(work->slot), 0.0);
}

/* The bandwidth of writing: the warps store 512 contiguous bytes each, next to each other. */
__global__ void write_whole(int4 *to, int64_t count)
{
    int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int64_t e = thread_of_grid(); e < count; e += step)
        __stcs(&to[e], make_int4(0, 0, 0, 0));
}

void cuda_calibrate_write(const struct launch *launch)
{
    const struct calibrate_work *work = work_of(launch);
    enqueue(launch, grid{work->blocks, CALIBRATE_BLOCK, 0}, "write_whole", write_whole,
            reinterpret_cast<int4 *>(work->data), static_cast<int64_t>(work->bytes / sizeof(int4)));
}
