/* Partial sums that blocks of threads leave for each other within a launch, without waiting for a block that
 * has not begun. */
#ifndef SPARSIGHT_KERNELS_CUDA_PARTIALS_CUH
#define SPARSIGHT_KERNELS_CUDA_PARTIALS_CUH

#include <cstdint>

/* Leave a partial sum for another warp: in two words, whose upper halves say that the lower ones are there.
 * So no fence is needed between this and the count of arrivals. A fence would empty L1, and with it all that
 * is kept of x. */
__device__ __forceinline__ void give(uint64_t *partial, double value)
{
    const uint64_t bits = static_cast<uint64_t>(__double_as_longlong(value)), there = 1ull << 32;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial), "l"(there | (bits & 0xffffffffu))
                 : "memory");
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial + 1), "l"(there | bits >> 32)
                 : "memory");
}

/* Take a partial sum, and leave 0 for the next product. It was given before it was counted, so it is there,
 * or on its way and will arrive whatever this warp does. */
__device__ __forceinline__ double take(uint64_t *partial)
{
    uint64_t low, high;
    do {
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(low) : "l"(partial) : "memory");
        asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(high) : "l"(partial + 1) : "memory");
    } while (!(low >> 32) || !(high >> 32));
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial), "l"(0ull) : "memory");
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial + 1), "l"(0ull) : "memory");
    return __longlong_as_double(static_cast<long long>(high << 32 | (low & 0xffffffffu)));
}

#endif
