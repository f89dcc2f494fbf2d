/* Copies of parts of arrays into the shared memory of a block of threads, by the bulk copies of compute
 * capability 9.0 ("Asynchronous Data Copies", CUDA C++ Programming Guide): the data passes
 * through no registers, so that many bytes can be in flight. */
#ifndef SPARSIGHT_KERNELS_CUDA_COPIES_CUH
#define SPARSIGHT_KERNELS_CUDA_COPIES_CUH

#include <cstdint>

#include "kernels/cuda/loads.cuh"

/* Copies that a block of threads waits for by a barrier in shared memory. Before compute capability 9.0 its
 * threads load and store the data themselves. */
struct copy_barrier {
    uint64_t *bits;

    __device__ __forceinline__ uint32_t address() const
    {
        return static_cast<uint32_t>(__cvta_generic_to_shared(bits));
    }

    __device__ __forceinline__ void make() const
    {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" : : "r"(address()) : "memory");
        asm volatile("fence.mbarrier_init.release.cluster;" : : : "memory");
#endif
    }

    /* Begin to copy `bytes` bytes, a multiple of 16; one thread calls this. */
    __device__ __forceinline__ void copy(void *to, const void *from, uint32_t bytes, once_policy policy) const
    {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;"
                     :
                     : "r"(address()), "r"(bytes)
                     : "memory");
        if (bytes == 0) return;
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint [%0], "
                     "[%1], %2, [%3], %4;"
                     :
                     : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(to))), "l"(from), "r"(bytes),
                       "r"(address()), "l"(policy.bits)
                     : "memory");
#endif
    }

    /* Wait for the copies of a turn; turns alternate between the parities 0 and 1. */
    __device__ __forceinline__ void await(uint32_t parity) const
    {
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
        asm volatile("{\n\t.reg .pred p;\n\tagain:\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%0], %1;\n\t"
                     "@p bra done;\n\tbra again;\n\tdone:\n\t}"
                     :
                     : "r"(address()), "r"(parity)
                     : "memory");
#endif
    }
};

/* The part of an array that a turn copies. It begins and ends at multiples of 16 bytes. If the array ends
 * before the last multiple, threads load the `rest` bytes after the copy themselves. */
struct copy_part {
    const char *from;
    uint32_t skipped; /* bytes of the copy before the first element */
    uint32_t bytes, rest;

    __device__ __forceinline__ copy_part(const void *array, int64_t first, int64_t end, int64_t all)
    {
        const int64_t low = first & ~int64_t{15}, high = min((end + 15) & ~int64_t{15}, all & ~int64_t{15});
        from = static_cast<const char *>(array) + low;
        skipped = static_cast<uint32_t>(first - low);
        bytes = high > low ? static_cast<uint32_t>(high - low) : 0;
        rest = end > low + bytes ? static_cast<uint32_t>(end - low - bytes) : 0;
    }

    /* Begin the copy; all threads of the block call this. A barrier of the block follows. */
    __device__ __forceinline__ void begin(char *to, copy_barrier barrier, once_policy policy) const
    {
        uint32_t at = threadIdx.x * sizeof(int);
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
        if (threadIdx.x == 0) barrier.copy(to, from, bytes, policy);
        at += bytes;
        if (at < bytes + rest) *reinterpret_cast<int *>(to + at) = *reinterpret_cast<const int *>(from + at);
#else
        for (; at < bytes + rest; at += blockDim.x * sizeof(int))
            *reinterpret_cast<int *>(to + at) = *reinterpret_cast<const int *>(from + at);
#endif
    }
};

#endif
