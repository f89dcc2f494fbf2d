/* y = A x for CSR, by blocks that take runs of rows (csr_segmented.h). */
#include <type_traits>

#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/partials.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/csr.h"
#include "kernels/cuda/csr_segmented.h"
}

/* The kernel's arguments beside x and y. */
template <class real, class offset> struct segmented_arguments {
    const segmented_run *runs;
    const offset *row_ptr;
    const int32_t *col;
    const real *val;
    uint64_t *partials;
    uint32_t *arrived;
    bool accumulate, stays;
};

/* K row numbers, loaded and stored at once. */
template <int K> struct alignas(2 * K) row_ends {
    int16_t row[K];
};

/* The shared memory of a block. */
template <int K, class real> struct segmented_shared {
    real *sum;      /* for each warp, its sum of the row open at its end, */
    int *ended;     /* and whether a row has ended in it */
    int16_t *ends;  /* element e: the row that ends with entry e of the run, counted from its first; -1 if
                       none does */
    real *products; /* of entry e at segmented_place(e), if K > 1 */

    __device__ __forceinline__ segmented_shared()
    {
        constexpr bool COMPLEX = !std::is_floating_point<real>::value;
        char *at = shared_memory<char>();
        const int warps = blockDim.x / WARP;
        sum = reinterpret_cast<real *>(at);
        ended = reinterpret_cast<int *>(at + warps * segmented_unit(COMPLEX));
        ends = reinterpret_cast<int16_t *>(at + warps * 2 * segmented_unit(COMPLEX));
        products = reinterpret_cast<real *>(at + segmented_front(blockDim.x, K, COMPLEX));
    }
};

/* Return the sum over a block, which thread 0 has. Each warp has a word of `sums`. */
template <class number> __device__ __forceinline__ number sum_over_block(number value, number *sums)
{
    const int lane = threadIdx.x % WARP, warps = blockDim.x / WARP;
    value = sum_over<WARP>(value);
    if (lane == 0) sums[threadIdx.x / WARP] = value;
    __syncthreads();
    if (threadIdx.x >= WARP) return 0;
    return sum_over<WARP>(lane < warps ? sums[lane] : 0);
}

/* Add up the parts of a row: the block stores its sum, and the last block to arrive adds up all sums, in
 * their order, so that the result does not depend on which block is last. */
template <int K, class real, class offset>
__device__ __forceinline__ void sum_part(const segmented_arguments<real, offset> &a, const segmented_run &run,
                                         const segmented_shared<K, real> &shared, real sum, real *y)
{
    constexpr int WORDS = 2 * sizeof(wide_of<real>) / sizeof(double);
    sum = sum_over_block(sum, shared.sum);
    if (threadIdx.x == 0) {
        give(a.partials + WORDS * static_cast<size_t>(blockIdx.x), widened(sum));
        *shared.ended = static_cast<int>(atomicAdd(a.arrived + run.from, 1u));
    }
    __syncthreads();
    if (*shared.ended + 1 < run.parts) return;
    wide_of<real> all = 0;
#pragma unroll 1
    for (int part = threadIdx.x; part < run.parts; part += blockDim.x)
        all += take_of<real>(a.partials + WORDS * (static_cast<size_t>(run.from) + part));
    all = sum_over_block(all, reinterpret_cast<wide_of<real> *>(shared.sum));
    if (threadIdx.x == 0) {
        put(y, run.row, narrowed<real>(all), a.accumulate);
        a.arrived[run.from] = 0;
    }
}

/* Write the sums of the rows that end in a run. Each thread adds up K consecutive products, and writes each
 * sum except the first at the row's end. The sum after its last end is passed to higher threads, up to the
 * first in which a row ends: by a segmented scan within the warp, and between warps through shared memory.
 *
 *     entry     0 1 2 3 | 4 5 6 7 | 8 9 ...          K = 4
 *     ends      . 0 . . | . . . . | . 1 . .          row 1 has entries 2 .. 9
 *     thread       0    |    1    |    2             threads 0 and 1 hand on what they have of row 1 */
template <int K, class real, class offset>
__device__ __forceinline__ void sum_rows(const segmented_arguments<real, offset> &a, const segmented_run &run,
                                         const segmented_shared<K, real> &shared, const real (&product)[K],
                                         real *y)
{
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    const row_ends<K> ends = reinterpret_cast<const row_ends<K> *>(shared.ends)[threadIdx.x];
    int first = -1;
    real head = 0, sum = 0;
#pragma unroll
    for (int j = 0; j < K; j++) {
        sum += product[j];
        if (ends.row[j] >= 0) {
            if (first < 0) {
                first = ends.row[j];
                head = sum;
            } else {
                put(y, run.row + ends.row[j], sum, a.accumulate);
            }
            sum = 0;
        }
    }
    const uint32_t has = __ballot_sync(WHOLE_WARP, first >= 0), below = has & ((1u << lane) - 1);
    const int from = first >= 0 ? lane : below ? 31 - __clz(below) : 0;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        const real other = __shfl_up_sync(WHOLE_WARP, sum, distance);
        if (lane - distance >= from) sum += other;
    }
    const real handed = __shfl_up_sync(WHOLE_WARP, sum, 1);
    if (lane == WARP - 1) {
        shared.sum[warp] = sum;
        shared.ended[warp] = has != 0;
    }
    __syncthreads();
    if (first < 0) return;
    if (lane > 0) head += handed;
    if (!below) {
#pragma unroll 1
        for (int w = warp - 1; w >= 0; w--) {
            head += shared.sum[w];
            if (shared.ended[w]) break;
        }
    }
    put(y, run.row + first, head, a.accumulate);
}

/* Each run has a block. Columns and values are loaded 32 consecutive ones at a time, and move between threads
 * through shared memory. */
template <int K, class real, class offset>
__global__ void __launch_bounds__(1024, 1)
    csr_segmented(const segmented_arguments<real, offset> a, const real *x, real *y)
{
    const segmented_shared<K, real> shared;
    const int threads = blockDim.x, thread = threadIdx.x;
    const once_policy policy = make_once_policy(a.stays);
    let_next_begin();
    segmented_run run;
    {
        const int4 *from = reinterpret_cast<const int4 *>(a.runs + blockIdx.x);
        const int4 half[2] = {__ldg(from), __ldg(from + 1)};
        memcpy(&run, half, sizeof run);
    }
    row_ends<K> none;
#pragma unroll
    for (int j = 0; j < K; j++)
        none.row[j] = -1;
    reinterpret_cast<row_ends<K> *>(shared.ends)[thread] = none;
    __syncthreads();
    const int count = static_cast<int>(run.end - run.begin);
    uint32_t column[K];
    real product[K];
#pragma unroll
    for (int j = 0; j < K; j++) {
        const int e = j * threads + thread;
        column[j] = 0;
        product[j] = 0;
        if (e < count) {
            column[j] = once_4(a.col + run.begin + e, policy);
            product[j] = once(a.val + run.begin + e, policy);
        }
    }
    if (run.parts == 0) {
#pragma unroll 1
        for (int i = thread; i < run.rows; i += threads) {
            const offset begin = a.row_ptr[run.row + i], end = a.row_ptr[run.row + i + 1];
            if (end > begin) shared.ends[static_cast<int>(end - run.begin) - 1] = static_cast<int16_t>(i);
        }
    }
    await_previous();
#pragma unroll
    for (int j = 0; j < K; j++)
        if (j * threads + thread < count) product[j] *= element_of(x + column[j]);
    if (run.parts > 0) {
        real sum = 0;
#pragma unroll
        for (int j = 0; j < K; j++)
            sum += product[j];
        sum_part<K>(a, run, shared, sum, y);
        return;
    }
    if (run.from > 0 && !a.accumulate) {
#pragma unroll 1
        for (int i = thread; i < run.rows; i += threads)
            if (a.row_ptr[run.row + i] == a.row_ptr[run.row + i + 1]) y[run.row + i] = 0;
    }
    if constexpr (K > 1) {
#pragma unroll
        for (int j = 0; j < K; j++)
            shared.products[segmented_place(j * threads + thread, sizeof(real))] = product[j];
    }
    __syncthreads();
    if constexpr (K > 1) {
#pragma unroll
        for (int j = 0; j < K; j++)
            product[j] = shared.products[segmented_place(thread * K + j, sizeof(real))];
    }
    sum_rows<K>(a, run, shared, product, y);
}

template <int K> static void segmented_with(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        const auto *segmented = static_cast<const struct segmented *>(launch->state);
        const segmented_arguments<real, offset> arguments = {segmented->runs,
                                                             array_of<offset>(launch, CSR_ROW_PTR),
                                                             array_of<int32_t>(launch, CSR_COL),
                                                             array_of<real>(launch, CSR_VAL),
                                                             segmented->partials,
                                                             segmented->arrived,
                                                             launch->product.accumulate,
                                                             matrix_stays(launch)};
        enqueue_early(launch, segmented_grid(launch), number_of(launch, SEGMENTED_EARLY) != 0,
                      "csr_segmented", csr_segmented<K, real, offset>, arguments, x_of<real>(launch),
                      y_of<real>(launch));
    });
}

void cuda_csr_segmented(const struct launch *launch)
{
    switch (number_of(launch, SEGMENTED_ENTRIES)) {
    case 1:
        return segmented_with<1>(launch);
    case 2:
        return segmented_with<2>(launch);
    default:
        return segmented_with<4>(launch);
    }
}
