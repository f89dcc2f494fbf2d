/* The slots of rows, for the loops of formats that store rows separately (rows.cu, straight.cu). */
#ifndef SPARSIGHT_KERNELS_CUDA_PRODUCTS_ROWS_CUH
#define SPARSIGHT_KERNELS_CUDA_PRODUCTS_ROWS_CUH

#include "kernels/cuda/products/products.cuh"

/* A row's slots are first, first + step, ... before `end`. */
struct slots {
    int64_t first, end;
};

template <class real> __device__ __forceinline__ int64_t pointer_at(const row_source<real> &a, int64_t k)
{
    return a.wide ? __ldg(static_cast<const long *>(a.pointer) + k)
                  : __ldg(static_cast<const int *>(a.pointer) + k);
}

template <class real> __device__ __forceinline__ slots slots_of(const row_source<real> &a, int64_t p)
{
    if (!a.pointer) return {p, p + a.width * a.step};
    if (a.chunk == 1) return {pointer_at(a, p), pointer_at(a, p + 1)};
    uint32_t chunk = static_cast<uint32_t>(p) / a.chunk;
    return {pointer_at(a, chunk) + (p - static_cast<int64_t>(chunk) * a.chunk), pointer_at(a, chunk + 1)};
}

/* The columns and values of COUNT slots of a lane. */
template <class real, int COUNT> struct some_slots {
    int32_t j[COUNT];
    real value[COUNT];

    /* Load those from slot `at` on, all of which exist. */
    __device__ __forceinline__ void load_all(const row_source<real> &a, int64_t at, int64_t stride)
    {
#pragma unroll
        for (int u = 0; u < COUNT; u++) {
            j[u] = load_entry(a.col + at + u * stride);
            value[u] = load_entry(a.val + at + u * stride);
        }
    }

    /* Load those from slot `at` on, and return whether all of them exist. Missing ones have the column -1,
     * like masked padding. */
    __device__ __forceinline__ bool load(const row_source<real> &a, int64_t at, int64_t end, int64_t stride)
    {
        const bool all = at + (COUNT - 1) * stride < end;
#pragma unroll
        for (int u = 0; u < COUNT; u++) {
            const bool there = at + u * stride < end;
            j[u] = there ? load_entry(a.col + at + u * stride) : -1;
            value[u] = there ? load_entry(a.val + at + u * stride) : real(0);
        }
        return all;
    }
};

/* Call use(columns, values, all) with those of each COUNT slots of a lane in row p: every `slices`th of them,
 * from slot `slice` on. `all` is a type
 * that tells whether all of these exist. If AHEAD, those of the next call are loaded before: this is faster
 * for lanes with many slots, and costs registers. */
template <bool AHEAD, int COUNT, class real, class Use>
__device__ __forceinline__ void each_slots(const row_source<real> &a, int slice, int64_t stride, int64_t p,
                                           Use use)
{
    const slots s = slots_of(a, p);
    const int64_t end = s.end;
    int64_t at = s.first + slice * a.step;
    some_slots<real, COUNT> now;
    if constexpr (AHEAD) {
        bool all = now.load(a, at, end, stride);
#pragma unroll 1
        while (all) {
            some_slots<real, COUNT> next;
            at += COUNT * stride;
            all = next.load(a, at, end, stride);
            use(now.j, now.value, std::true_type{});
            now = next;
        }
    } else {
#pragma unroll 1
        for (; at + (COUNT - 1) * stride < end; at += COUNT * stride) {
            now.load_all(a, at, stride);
            use(now.j, now.value, std::true_type{});
        }
        if (at < end) now.load(a, at, end, stride);
    }
    if (at < end) use(now.j, now.value, std::false_type{});
}

/* Enqueue Y = A X, with vectors that are stored column by column and read and stored as they lie. */
template <class real>
void enqueue_straight_product(const struct launch *launch, const row_source<real> &a, bool masked);

#endif
