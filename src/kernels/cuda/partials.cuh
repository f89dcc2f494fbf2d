/* Partial sums that blocks of threads leave for each other within a launch, without waiting for a block that
 * has not begun. */
#ifndef SPARSIGHT_KERNELS_CUDA_PARTIALS_CUH
#define SPARSIGHT_KERNELS_CUDA_PARTIALS_CUH

#include <cstdint>
#include <type_traits>

#include "kernels/cuda/pair.cuh"

/* Partial sums are stored in double precision; a complex one takes twice the words, its real part first. */
template <class real>
using wide_of = typename std::conditional<std::is_floating_point<real>::value, double, pair<double>>::type;

template <class real> __device__ __forceinline__ wide_of<real> widened(const real &value)
{
    if constexpr (std::is_floating_point<real>::value)
        return static_cast<double>(value);
    else
        return {static_cast<double>(value.real), static_cast<double>(value.imaginary)};
}

template <class real> __device__ __forceinline__ real narrowed(const wide_of<real> &value)
{
    if constexpr (std::is_floating_point<real>::value) {
        return static_cast<real>(value);
    } else {
        using part = decltype(real::real);
        return {static_cast<part>(value.real), static_cast<part>(value.imaginary)};
    }
}

/* Store a partial sum for another warp in two words, whose upper halves flag that the lower ones are valid.
 * So no fence is needed between this and the counter of finished warps. A fence would flush L1, including the
 * cached elements of x. */
__device__ __forceinline__ void give(uint64_t *partial, double value)
{
    const uint64_t bits = static_cast<uint64_t>(__double_as_longlong(value)), there = 1ull << 32;
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial), "l"(there | (bits & 0xffffffffu))
                 : "memory");
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(partial + 1), "l"(there | bits >> 32)
                 : "memory");
}

/* Take a partial sum, and store 0 for the next product. It was stored before it was counted, so it is visible
 * or will become so without any action of this warp. */
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

__device__ __forceinline__ void give(uint64_t *partial, const pair<double> &value)
{
    give(partial, value.real);
    give(partial + 2, value.imaginary);
}

/* Take a partial sum of values of this type. */
template <class real> __device__ __forceinline__ wide_of<real> take_of(uint64_t *partial)
{
    if constexpr (std::is_floating_point<real>::value) {
        return take(partial);
    } else {
        const double first = take(partial);
        return {first, take(partial + 2)};
    }
}

#endif
