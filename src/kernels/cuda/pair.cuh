/* Complex numbers on the device: the operations of kernels for pairs of real values. */
#ifndef SPARSIGHT_KERNELS_CUDA_PAIR_CUH
#define SPARSIGHT_KERNELS_CUDA_PAIR_CUH

#include <cuda_runtime.h>

/* A complex number as formats store it. Its alignment is its size, so that one instruction loads or stores
 * it. */
template <class part> struct alignas(2 * sizeof(part)) pair {
    part real, imaginary;

    pair() = default;

    __host__ __device__ __forceinline__ pair(part re, part im = 0) : real(re), imaginary(im)
    {
    }

    __host__ __device__ __forceinline__ pair &operator+=(const pair &other)
    {
        real += other.real;
        imaginary += other.imaginary;
        return *this;
    }

    __host__ __device__ __forceinline__ pair &operator*=(const pair &other)
    {
        return *this = {real * other.real - imaginary * other.imaginary,
                        real * other.imaginary + imaginary * other.real};
    }
};

template <class part>
__host__ __device__ __forceinline__ pair<part> operator+(const pair<part> &a, const pair<part> &b)
{
    return {a.real + b.real, a.imaginary + b.imaginary};
}

template <class part>
__host__ __device__ __forceinline__ pair<part> operator*(const pair<part> &a, const pair<part> &b)
{
    return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}

/* Add to a number in memory, each part atomically on its own. This suffices, since no sum is read before all
 * additions. */
template <class part> __device__ __forceinline__ void atomicAdd(pair<part> *to, const pair<part> &value)
{
    atomicAdd(&to->real, value.real);
    atomicAdd(&to->imaginary, value.imaginary);
}

template <class part>
__device__ __forceinline__ pair<part> __shfl_sync(unsigned mask, const pair<part> &value, int lane)
{
    return {__shfl_sync(mask, value.real, lane), __shfl_sync(mask, value.imaginary, lane)};
}

template <class part>
__device__ __forceinline__ pair<part> __shfl_xor_sync(unsigned mask, const pair<part> &value, int other)
{
    return {__shfl_xor_sync(mask, value.real, other), __shfl_xor_sync(mask, value.imaginary, other)};
}

template <class part>
__device__ __forceinline__ pair<part> __shfl_up_sync(unsigned mask, const pair<part> &value, int distance)
{
    return {__shfl_up_sync(mask, value.real, distance), __shfl_up_sync(mask, value.imaginary, distance)};
}

template <class part>
__device__ __forceinline__ pair<part> __shfl_down_sync(unsigned mask, const pair<part> &value, int distance,
                                                       int width = 32)
{
    return {__shfl_down_sync(mask, value.real, distance, width),
            __shfl_down_sync(mask, value.imaginary, distance, width)};
}

__device__ __forceinline__ pair<double> __ldg(const pair<double> *from)
{
    const double2 both = __ldg(reinterpret_cast<const double2 *>(from));
    return {both.x, both.y};
}

__device__ __forceinline__ pair<float> __ldg(const pair<float> *from)
{
    const float2 both = __ldg(reinterpret_cast<const float2 *>(from));
    return {both.x, both.y};
}

#endif
