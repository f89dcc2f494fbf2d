/* Loads with cache hints. A product reads the matrix once, so that it bypasses L1. It is evicted first from
 * L2, unless it fits there with x and y and the next product reads it there (matrix_stays, grid.h). x is read
 * repeatedly, and cached in both. */
#ifndef SPARSIGHT_KERNELS_CUDA_LOADS_CUH
#define SPARSIGHT_KERNELS_CUDA_LOADS_CUH

#include <cstdint>

#include "kernels/cuda/pair.cuh"

/* The cache policy of L2 for data that a product reads once. Before compute capability 8.0 there is none. */
struct once_policy {
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    uint64_t bits;
#endif
};

/* `stays`: the matrix stays in L2 from one product to the next. */
__device__ __forceinline__ once_policy make_once_policy(bool stays)
{
    once_policy policy;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    uint64_t first, normal;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(first));
    asm("createpolicy.fractional.L2::evict_normal.b64 %0, 1.0;" : "=l"(normal));
    policy.bits = stays ? normal : first;
#else
    static_cast<void>(stays);
#endif
    return policy;
}

/* Load 1, 2, 4, 8 or 16 bytes that are read once. The instructions are volatile, so that the compiler keeps
 * the loads before the sums of previous loads, as in the source. */
__device__ __forceinline__ uint32_t once_1(const void *from, once_policy policy)
{
    uint32_t out; /* wider than the load, as in once_2 */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.u8 %0, [%1], %2;"
                 : "=r"(out)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.u8 %0, [%1];" : "=r"(out) : "l"(from));
#endif
    return out;
}

__device__ __forceinline__ uint32_t once_2(const void *from, once_policy policy)
{
    /* The register is wider than the load, so that no conversion follows, which would wait for the load. */
    uint32_t out;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.u16 %0, [%1], %2;"
                 : "=r"(out)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.u16 %0, [%1];" : "=r"(out) : "l"(from));
#endif
    return out;
}

__device__ __forceinline__ uint32_t once_4(const void *from, once_policy policy)
{
    uint32_t out;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;"
                 : "=r"(out)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.u32 %0, [%1];" : "=r"(out) : "l"(from));
#endif
    return out;
}

__device__ __forceinline__ uint2 once_8(const void *from, once_policy policy)
{
    uint2 out;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v2.u32 {%0, %1}, [%2], %3;"
                 : "=r"(out.x), "=r"(out.y)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.v2.u32 {%0, %1}, [%2];"
                 : "=r"(out.x), "=r"(out.y)
                 : "l"(from));
#endif
    return out;
}

__device__ __forceinline__ uint4 once_16(const void *from, once_policy policy)
{
    uint4 out;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.u32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=r"(out.x), "=r"(out.y), "=r"(out.z), "=r"(out.w)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(out.x), "=r"(out.y), "=r"(out.z), "=r"(out.w)
                 : "l"(from));
#endif
    return out;
}

/* Load a value that is read once. */
__device__ __forceinline__ double once(const double *from, once_policy policy)
{
    double out;
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.f64 %0, [%1], %2;"
                 : "=d"(out)
                 : "l"(from), "l"(policy.bits));
#else
    asm volatile("ld.global.nc.L1::no_allocate.f64 %0, [%1];" : "=d"(out) : "l"(from));
#endif
    return out;
}

__device__ __forceinline__ float once(const float *from, once_policy policy)
{
    return __uint_as_float(once_4(from, policy));
}

__device__ __forceinline__ pair<double> once(const pair<double> *from, once_policy policy)
{
    const uint4 bits = once_16(from, policy);
    return {__hiloint2double(static_cast<int>(bits.y), static_cast<int>(bits.x)),
            __hiloint2double(static_cast<int>(bits.w), static_cast<int>(bits.z))};
}

__device__ __forceinline__ pair<float> once(const pair<float> *from, once_policy policy)
{
    const double both = once(reinterpret_cast<const double *>(from), policy);
    return {__int_as_float(__double2loint(both)), __int_as_float(__double2hiint(both))};
}

/* Load an element of x, which is read again. */
__device__ __forceinline__ double again(const double *from)
{
    double out;
    asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(out) : "l"(from));
    return out;
}

__device__ __forceinline__ float again(const float *from)
{
    float out;
    asm volatile("ld.global.nc.f32 %0, [%1];" : "=f"(out) : "l"(from));
    return out;
}

__device__ __forceinline__ pair<double> again(const pair<double> *from)
{
    pair<double> out;
    asm volatile("ld.global.nc.v2.f64 {%0, %1}, [%2];" : "=d"(out.real), "=d"(out.imaginary) : "l"(from));
    return out;
}

__device__ __forceinline__ pair<float> again(const pair<float> *from)
{
    pair<float> out;
    asm volatile("ld.global.nc.v2.f32 {%0, %1}, [%2];" : "=f"(out.real), "=f"(out.imaginary) : "l"(from));
    return out;
}

#endif
