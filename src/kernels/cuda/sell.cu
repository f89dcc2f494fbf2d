/* y = A x for SELL-C-sigma, by a warp for each 32 rows of a chunk. */
#include <type_traits>

#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/products/products.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/sell.h"
}

/* Load a column of 32 bits, or one of 16 bits, which is counted from the smallest of its slice. */
__device__ __forceinline__ uint32_t column_at(const int32_t *from, once_policy policy)
{
    return once_4(from, policy);
}

__device__ __forceinline__ uint32_t column_at(const uint16_t *from, once_policy policy)
{
    return once_2(from, policy);
}

/* The values of slots: those of the format, of which a load brings the number itself, */
template <class real> struct own_values {
    using held = real;
    const real *__restrict__ val;
    __device__ __forceinline__ held load(once_policy policy) const
    {
        return once(val, policy);
    }
    __device__ __forceinline__ real value(held number) const
    {
        return number;
    }
    template <class count> __device__ __forceinline__ own_values operator+(count step) const
    {
        return {val + step};
    }
};

/* or those that differ, of which a load brings the index (struct unique). Their table stays in L1. */
template <class real> struct unique_values {
    using held = uint32_t;
    const uint8_t *__restrict__ index;
    const real *__restrict__ table;
    __device__ __forceinline__ held load(once_policy policy) const
    {
        return once_1(index, policy);
    }
    __device__ __forceinline__ real value(held number) const
    {
        return again(table + number);
    }
    template <class count> __device__ __forceinline__ unique_values operator+(count step) const
    {
        return {index + step, table};
    }
};

/* Return the sum over the slots e = 0, step, 2 step, ... below `left` of val[e] x[col[e]]. AHEAD slots are
 * requested before the first arrives. THEN: the compiler must request these slots before await_previous. All
 * rows of a slice have the same number of slots, so the lanes of a warp do not diverge. */
template <int AHEAD, bool THEN, class column, class values, class real, class count>
__device__ __forceinline__ real slots_sum(count left, count step, const column *col, values val,
                                          const real *x, once_policy policy)
{
    real sum = 0;
#pragma unroll 1
    for (; left > (AHEAD - 1) * step; left -= AHEAD * step, col += AHEAD * step, val = val + AHEAD * step) {
        uint32_t j[AHEAD];
        typename values::held held[AHEAD];
#pragma unroll
        for (int d = 0; d < AHEAD; d++) {
            j[d] = column_at(col + d * step, policy);
            held[d] = (val + d * step).load(policy);
        }
        THEN ? await_previous_then(j[0]) : await_previous();
#pragma unroll
        for (int d = 0; d < AHEAD; d++)
            sum += val.value(held[d]) * element_of(x + j[d]);
    }
    /* The remaining slots, up to AHEAD - 1, are requested together, too. No column is ABSENT. */
    constexpr uint32_t ABSENT = ~0u;
    uint32_t j[AHEAD];
    typename values::held held[AHEAD];
#pragma unroll
    for (int d = 0; d < AHEAD - 1; d++) {
        j[d] = ABSENT;
        held[d] = 0;
        if (left > d * step) {
            j[d] = column_at(col + d * step, policy);
            held[d] = (val + d * step).load(policy);
        }
    }
    THEN ? await_previous_then(j[0]) : await_previous();
#pragma unroll
    for (int d = 0; d < AHEAD - 1; d++)
        if (j[d] != ABSENT) sum += val.value(held[d]) * element_of(x + j[d]);
    return sum;
}

/* The kernel's arguments beside x and y. The arrays are those of the format and of struct sell_columns. */
template <class real, class offset> struct sell_arguments {
    int32_t slices, chunk_slices; /* numbers of slices of the matrix and of a chunk */
    int64_t rows;
    const offset *chunk_ptr;
    const int32_t *col;
    const uint16_t *narrow;
    const int32_t *base;
    const real *val;
    const uint8_t *index; /* only with BYTES; `val` is then the table of distinct values */
    const int32_t *perm;  /* NULL if rows are in their own order */
    bool accumulate, stays;
};

/* Whether registers suffice for requesting the first slots before await_previous. */
template <bool ONE, class real> constexpr bool THEN = ONE &&std::is_floating_point<real>::value;

/* The minimum number of the largest blocks on a multiprocessor; 0: any. With 1 a thread may have 64
 * registers, or 128 with complex values in double precision. With fewer, ptxas keeps more threads resident
 * and requests half of eight slots after the others have arrived: on an H200, matrices with long rows in L2
 * then take 1.1 to 1.7 times as long. With four slots fewer registers suffice, and more threads hide more. */
template <int AHEAD, bool ONE, class real>
constexpr int DEEP = sizeof(real) > 8 || (std::is_floating_point<real>::value && (AHEAD > 4 || !ONE)) ? 1 : 0;

/* Each slice has a warp, and each of its rows a thread (Kreutzer et al., SIAM J. Sci. Comput. 36, 2014, where
 * a thread has a row of a chunk). BYTES: values are encoded by bytes. ONE: a chunk is one slice. */
template <int AHEAD, bool NARROW, bool BYTES, bool ONE, class real, class offset>
__global__ void __launch_bounds__(SELL_THREADS_MAX(sizeof(real)), (DEEP<AHEAD, ONE, real>))
    sell(const sell_arguments<real, offset> a, const real *x, real *y)
{
    const int s = static_cast<int>(thread_of_grid() / SELL_SLICE), lane = threadIdx.x % WARP;
    let_next_begin();
    if (s >= a.slices) return;
    const once_policy policy = make_once_policy(a.stays);
    const int chunk = ONE ? s : s / a.chunk_slices;
    const offset step = ONE ? SELL_SLICE : SELL_SLICE * a.chunk_slices;
    const offset first =
        __ldg(a.chunk_ptr + chunk) + (ONE ? 0 : (s - chunk * a.chunk_slices) * SELL_SLICE) + lane;
    const offset left = __ldg(a.chunk_ptr + chunk + 1) - first;
    const int64_t place = static_cast<int64_t>(s) * SELL_SLICE + lane;
    int64_t row = place;
    if (a.perm && place < a.rows) row = static_cast<int32_t>(once_4(a.perm + place, policy));
    const int32_t base = NARROW ? __ldg(a.base + s) : -1;
    auto sum_of = [&](auto val) {
        constexpr bool SOON = THEN<ONE, real>;
        return NARROW && base >= 0
                   ? slots_sum<AHEAD, SOON>(left, step, a.narrow + first, val, x + base, policy)
                   : slots_sum<AHEAD, SOON>(left, step, a.col + first, val, x, policy);
    };
    real sum;
    if constexpr (BYTES)
        sum = sum_of(unique_values<real>{a.index + first, a.val});
    else
        sum = sum_of(own_values<real>{a.val + first});
    if (place < a.rows) put(y, row, sum, a.accumulate);
}

template <int AHEAD, bool NARROW, bool BYTES, bool ONE> static void sell_of(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        constexpr bool TOLD = BYTES && std::is_floating_point<real>::value;
        const auto *state = static_cast<const sell_state *>(launch->state);
        const struct storage *storage = launch->storage;
        bool sorted = storage->values.number[SELL_SIGMA] > 1;
        const sell_arguments<real, offset> arguments = {
            static_cast<int32_t>(sell_slices(storage)),
            sell_chunk_slices(storage),
            storage->rows,
            array_of<offset>(launch, SELL_CHUNK_PTR),
            array_of<int32_t>(launch, SELL_COL),
            state->columns.narrow,
            state->columns.base,
            TOLD ? static_cast<const real *>(state->unique.value) : array_of<real>(launch, SELL_VAL),
            state->unique.index,
            sorted ? array_of<int32_t>(launch, SELL_PERM) : nullptr,
            launch->product.accumulate,
            matrix_stays(launch)};
        enqueue_early(launch, sell_grid(launch), number_of(launch, SELL_EARLY) != 0, "sell",
                      sell<AHEAD, NARROW, TOLD, ONE, real, offset>, arguments, x_of<real>(launch),
                      y_of<real>(launch));
    });
}

template <int AHEAD, bool BYTES> static void sell_with(const struct launch *launch)
{
    bool narrow = static_cast<const sell_state *>(launch->state)->columns.narrow != nullptr;
    if (sell_chunk_slices(launch->storage) > 1)
        narrow ? sell_of<AHEAD, true, BYTES, false>(launch) : sell_of<AHEAD, false, BYTES, false>(launch);
    else
        narrow ? sell_of<AHEAD, true, BYTES, true>(launch) : sell_of<AHEAD, false, BYTES, true>(launch);
}

template <int AHEAD> static void sell_ahead(const struct launch *launch)
{
    bool unique = static_cast<const sell_state *>(launch->state)->unique.index != nullptr;
    unique ? sell_with<AHEAD, true>(launch) : sell_with<AHEAD, false>(launch);
}

static void sell_product(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        const struct storage *storage = launch->storage;
        row_source<real> a = {};
        a.rows = storage->rows;
        a.perm = storage->values.number[SELL_SIGMA] > 1 ? array_of<int32_t>(launch, SELL_PERM) : nullptr;
        a.pointer = launch->resident->array[SELL_CHUNK_PTR].data;
        a.wide = storage->wide;
        a.chunk = static_cast<uint32_t>(storage->values.number[SELL_C]);
        a.step = a.chunk;
        a.col = array_of<int32_t>(launch, SELL_COL);
        a.val = array_of<real>(launch, SELL_VAL);
        enqueue_rows_product(launch, a, false, 1);
    });
}

void cuda_sell(const struct launch *launch)
{
    if (!product_plain(launch->product)) return sell_product(launch);
    switch (number_of(launch, SELL_AHEAD)) {
    case 4:
        return sell_ahead<4>(launch);
    default:
        return sell_ahead<8>(launch);
    }
}
