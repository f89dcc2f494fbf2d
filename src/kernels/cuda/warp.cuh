/* Device code shared by kernels: numbers of threads, sums over the threads of a warp, loads. */
#ifndef SPARSIGHT_KERNELS_CUDA_WARP_CUH
#define SPARSIGHT_KERNELS_CUDA_WARP_CUH

#include <cstdint>
#include <cstring>
#include <type_traits>

#define WHOLE_WARP 0xffffffffu

/* Return the number of this thread among all threads of the grid. */
__device__ inline int64_t thread_of_grid()
{
    return static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}

/* Return the sum over WIDE neighbouring threads, a power of two, in a tree: in each round a thread adds the
 * value of the thread `distance` above it.
 *
 *     value          a    b    c    d         WIDE 4
 *     distance 2     a+c  b+d
 *     distance 1     a+c+b+d
 *
 * The first of the threads has the sum. All threads of the warp take part. */
template <int WIDE, class real> __device__ inline real sum_over(real value)
{
#pragma unroll
    for (int distance = WIDE / 2; distance > 0; distance /= 2)
        value += __shfl_down_sync(WHOLE_WARP, value, distance, WIDE);
    return value;
}

/* Return the dynamic shared memory of the block. */
template <class T> __device__ inline T *shared_memory()
{
    extern __shared__ int4 shared_sixteens[];
    return reinterpret_cast<T *>(shared_sixteens);
}

/* The type of the counter of a loop over slots. It is unsigned, since its final value may exceed the largest
 * offset. */
template <class offset> using slot_of = std::make_unsigned_t<offset>;

/* Compute y[i] = sum, or y[i] += sum if the product accumulates. */
template <class real> __device__ inline void put(real *y, int64_t i, real sum, bool accumulate)
{
    y[i] = accumulate ? y[i] + sum : sum;
}

/* Load data that are read once, without displacing x from the caches. */
template <class T> __device__ inline T load_once(const T *address)
{
    return __ldcs(address);
}

/* 16 bytes loaded at once; their address is a multiple of 16. */
template <class T> struct alignas(16) sixteen {
    T element[16 / sizeof(T)];
};

template <class T> __device__ inline sixteen<T> load_sixteen(const T *address)
{
    int4 bits = __ldcs(reinterpret_cast<const int4 *>(address));
    sixteen<T> out;
    static_assert(sizeof out == sizeof bits, "16 bytes");
    memcpy(&out, &bits, sizeof out);
    return out;
}

#endif
