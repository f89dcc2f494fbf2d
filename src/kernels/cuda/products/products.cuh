/* Device code shared by the kernels for several vectors, and their launch. */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_PRODUCTS_CUH
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_PRODUCTS_CUH

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/products/products.h"
}

/* The position of the entries of rows, in formats that store rows separately. p is the number of a row in the
 * storage; it is row perm[p] of the matrix. */
template <class real> struct row_source {
    int64_t rows;
    const int32_t *perm; /* NULL: rows are in their own order */
    /* With pointers, rows p of chunks of `chunk` rows: the slots of row p begin at pointer[p / chunk] + p %
     * chunk and end before pointer[p / chunk + 1]. CSR has chunks of one row. */
    const void *pointer; /* NULL in a rectangle */
    bool wide;           /* pointers have 64 bits */
    uint32_t chunk;
    int64_t width; /* in a rectangle, row p begins at slot p, and has this number of slots */
    int64_t step;  /* distance between the slots of a row */
    const int32_t *col;
    const real *val;
};

/* Enqueue the product of a launch. `masked`: slots with column -1 are skipped. `threads` is a power of two:
 * the minimum number of lanes that process a row's entries together. */
template <class real>
void enqueue_rows_product(const struct launch *launch, const row_source<real> &a, bool masked, int threads);

/* X and Y for the loops, in row-major order. */
template <class real> inline const real *turned_x(const struct launch *launch)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    return state->x ? static_cast<const real *>(state->x) : x_of<real>(launch);
}

template <class real> inline real *turned_y(const struct launch *launch)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    return state->y ? static_cast<real *>(state->y) : y_of<real>(launch);
}

inline uintptr_t bits_of(const void *address)
{
    return reinterpret_cast<uintptr_t>(address);
}

/* Enqueue what precedes a product: if the vectors are transposed, the transposition of X; if the product adds
 * to Y, Y = 0, unless the launch accumulates. Both are one kernel, which begins early as well. Returns true
 * if the next kernel may begin early (early.cuh): it must await the previous before it reads X. */
bool enqueue_before(const struct launch *launch, bool adds);

/* Enqueue the transposition of Y after a product that leaves Y in row-major order, if the launch has it by
 * columns. */
void enqueue_turn_y(const struct launch *launch);

/* V neighbouring elements, loaded at once; their address is a multiple of their size. */
template <class real, int V> struct alignas(V * sizeof(real)) packed {
    real element[V];
};

template <class real, int V> __device__ __forceinline__ packed<real, V> packed_zero()
{
    packed<real, V> out;
#pragma unroll
    for (int v = 0; v < V; v++)
        out.element[v] = real(0);
    return out;
}

/* Load neighbouring elements of X. X may have been transposed by the previous kernel, during which this one
 * began (early.cuh): so not through the read-only cache, and after the loads that precede in the code. */
template <class real, int V> __device__ __forceinline__ packed<real, V> load_packed(const real *from)
{
    uint32_t bits[sizeof(packed<real, V>) / sizeof(uint32_t)];
    packed<real, V> out;
    if constexpr (sizeof out == 16)
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(bits[0]), "=r"(bits[1]), "=r"(bits[2]), "=r"(bits[3])
                     : "l"(from)
                     : "memory");
    else if constexpr (sizeof out == 8)
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];"
                     : "=r"(bits[0]), "=r"(bits[1])
                     : "l"(from)
                     : "memory");
    else
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(bits[0]) : "l"(from) : "memory");
    memcpy(&out, bits, sizeof out);
    return out;
}

/* Load neighbouring elements of X if `wanted`, else return 0. The loads are predicated, so that those of
 * several entries need no branch. */
template <class real, int V>
__device__ __forceinline__ packed<real, V> load_packed_if(bool wanted, const real *from)
{
    uint32_t bits[sizeof(packed<real, V>) / sizeof(uint32_t)] = {};
    packed<real, V> out;
    const int want = wanted;
    if constexpr (sizeof out == 16)
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %5, 0; @p ld.global.v4.u32 {%0, %1, %2, %3}, [%4]; }"
                     : "+r"(bits[0]), "+r"(bits[1]), "+r"(bits[2]), "+r"(bits[3])
                     : "l"(from), "r"(want)
                     : "memory");
    else if constexpr (sizeof out == 8)
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %3, 0; @p ld.global.v2.u32 {%0, %1}, [%2]; }"
                     : "+r"(bits[0]), "+r"(bits[1])
                     : "l"(from), "r"(want)
                     : "memory");
    else
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %2, 0; @p ld.global.u32 %0, [%1]; }"
                     : "+r"(bits[0])
                     : "l"(from), "r"(want)
                     : "memory");
    memcpy(&out, bits, sizeof out);
    return out;
}

/* Store neighbouring elements at once, past the caches: Y is not read again, and with many vectors it would
 * displace X from L2. */
template <class real, int V>
__device__ __forceinline__ void store_packed(real *to, const packed<real, V> &value)
{
    if constexpr (sizeof value == 16) {
        int4 bits;
        memcpy(&bits, &value, sizeof bits);
        __stcs(reinterpret_cast<int4 *>(to), bits);
    } else if constexpr (sizeof value == 8) {
        int2 bits;
        memcpy(&bits, &value, sizeof bits);
        __stcs(reinterpret_cast<int2 *>(to), bits);
    } else {
        int bits;
        memcpy(&bits, &value, sizeof bits);
        __stcs(reinterpret_cast<int *>(to), bits);
    }
}

/* Store neighbouring elements at once, or add to elements to which no other thread adds. */
template <class real, int V>
__device__ __forceinline__ void put_packed(real *to, packed<real, V> value, bool accumulate)
{
    if (accumulate) {
        const packed<real, V> before = *reinterpret_cast<packed<real, V> *>(to);
#pragma unroll
        for (int v = 0; v < V; v++)
            value.element[v] = before.element[v] + value.element[v];
    }
    store_packed<real, V>(to, value);
}

/* Load a value, a column or a row of the matrix. Only this warp reads it, but with all of its lanes and
 * together with its neighbours, so that L1 should keep it for a while. */
__device__ __forceinline__ int32_t load_entry(const int32_t *from)
{
    return __ldcs(from);
}

__device__ __forceinline__ float load_entry(const float *from)
{
    return __ldcs(from);
}

__device__ __forceinline__ double load_entry(const double *from)
{
    return __ldcs(from);
}

__device__ __forceinline__ pair<float> load_entry(const pair<float> *from)
{
    const float2 both = __ldcs(reinterpret_cast<const float2 *>(from));
    return {both.x, both.y};
}

__device__ __forceinline__ pair<double> load_entry(const pair<double> *from)
{
    const double2 both = __ldcs(reinterpret_cast<const double2 *>(from));
    return {both.x, both.y};
}

/* Load PRODUCT_AHEAD elements of an array by loads of 16 bytes. The number of the first is a multiple of
 * PRODUCT_AHEAD. */
template <class T> __device__ __forceinline__ void load_ahead(T (&out)[PRODUCT_AHEAD], const T *from)
{
    int4 bits[sizeof out / sizeof(int4)];
    static_assert(sizeof bits == sizeof out, "whole loads");
#pragma unroll
    for (size_t k = 0; k < sizeof bits / sizeof *bits; k++)
        bits[k] = __ldcs(reinterpret_cast<const int4 *>(from) + k);
    memcpy(out, bits, sizeof out);
}

/* Add to neighbouring elements, each atomically by itself. Numbers of 32 bits are added two or four at a time
 * from compute capability 9.0 on. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 900
template <int BYTES> __device__ __forceinline__ void add_singles(float *to, const void *value)
{
    if constexpr (BYTES == 16) {
        float4 four;
        memcpy(&four, value, sizeof four);
        atomicAdd(reinterpret_cast<float4 *>(to), four);
    } else {
        float2 two;
        memcpy(&two, value, sizeof two);
        atomicAdd(reinterpret_cast<float2 *>(to), two);
    }
}
#else
template <int BYTES> __device__ __forceinline__ void add_singles(float *to, const void *value)
{
    float single[BYTES / sizeof(float)];
    memcpy(single, value, sizeof single);
#    pragma unroll
    for (size_t v = 0; v < BYTES / sizeof(float); v++)
        atomicAdd(to + v, single[v]);
}
#endif

template <class real, int V>
__device__ __forceinline__ void add_packed(real *to, const packed<real, V> &value)
{
    constexpr bool single = std::is_same_v<real, float> || std::is_same_v<real, pair<float>>;
    if constexpr (single && sizeof value >= 8) {
        add_singles<sizeof value>(reinterpret_cast<float *>(to), &value);
    } else {
#pragma unroll
        for (int v = 0; v < V; v++)
            atomicAdd(to + v, value.element[v]);
    }
}

/* The largest number of elements that a lane adds to atomically at once; with one request for each, every
 * request would touch each 32-byte sector again. */
template <class real> constexpr int adds_at_once()
{
    return std::is_same_v<real, float> || std::is_same_v<real, pair<float>> ? 16 / sizeof(real) : 1;
}

/* Call f(vector) with the number of a cut that is a compile-time constant of kernels. */
template <class real, class Function> inline void by_vector(struct product_cut cut, Function f)
{
    if constexpr (sizeof(real) <= 4)
        if (cut.vector == 4) return f(std::integral_constant<int, 4>{});
    if constexpr (sizeof(real) <= 8)
        if (cut.vector == 2) return f(std::integral_constant<int, 2>{});
    f(std::integral_constant<int, 1>{});
}

#endif
