/* y = A x for COO, entry by entry or by a segmented sum. */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/coo.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/products/entries.h"
}

/* Each entry has a thread, which adds its product to y. y is 0 before, unless the product accumulates. */
template <class real>
__global__ void coo_atomic(int64_t count, const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y)
{
    int64_t e = thread_of_grid();
    if (e < count) atomicAdd(&y[row[e]], val[e] * x[col[e]]);
}

void cuda_coo_atomic(const struct launch *launch)
{
    if (!product_plain(launch->product)) return cuda_entries_atomic(launch);
    clear_y(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, coo_atomic_grid(launch), "coo_atomic", coo_atomic<real>, launch->storage->nnz,
                array_of<int32_t>(launch, COO_ROW), array_of<int32_t>(launch, COO_COL),
                array_of<real>(launch, COO_VAL), x_of<real>(launch), y_of<real>(launch));
    });
}

/* Return the sum over the lanes of a warp from `head` to this one: in the round of each distance a lane adds
 * the value of the lane `distance` below, unless that is below `head`. */
template <class real> __device__ inline real sum_from(int head, real value)
{
    int lane = threadIdx.x % WARP;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        real other = __shfl_up_sync(WHOLE_WARP, value, distance);
        if (lane - distance >= head) value += other;
    }
    return value;
}

/* Row i has ended within an interval, with this sum. If it began before the interval, other warps add to it,
 * too. */
template <class real>
__device__ inline void finish_row(real *y, int32_t i, real sum, bool began_before, bool accumulate)
{
    if (began_before)
        atomicAdd(&y[i], sum);
    else
        put(y, i, sum, accumulate);
}

/* Each warp goes through an interval of entries, 32 at a time. Products of one row are adjacent and are added
 * by a segmented sum, and the sum of the last row is carried on to the next 32 (Bell and Garland, SC 2009,
 * section 4.4, who keep the last rows for a second kernel):
 *
 *     row     3 3 3 4 4 4 4 6 | 6 6 7 7 7 8 8 8       8 entries a step, interval of 16
 *     heads   * . . * . . . * | * . * . . * . .
 *
 * Row 3 is added atomically, since it may have begun before the interval; 4, 6 and 7 are stored; 8 is added,
 * since it may continue after it. y is 0 before, unless the product accumulates. */
template <class real>
__global__ void coo_segmented(int64_t count, int64_t interval, const int32_t *__restrict__ row,
                              const int32_t *__restrict__ col, const real *__restrict__ val,
                              const real *__restrict__ x, real *__restrict__ y, bool accumulate, bool stays)
{
    int lane = threadIdx.x % WARP;
    int64_t begin = thread_of_grid() / WARP * interval;
    if (begin >= count) return;
    int64_t end = begin + interval < count ? begin + interval : count;
    const once_policy policy = make_once_policy(stays);
    int32_t first = row[begin], carried = first;
    real carry = 0;
#pragma unroll 1
    for (int64_t e = begin + lane; e - lane < end; e += WARP) {
        int32_t i = static_cast<int32_t>(once_4(row + (e < end ? e : end - 1), policy));
        real value = 0;
        if (e < end) {
            uint32_t j = once_4(col + e, policy);
            value = once(val + e, policy);
            value *= x[j];
        }
        if (lane == 0 && i == carried) value += carry;
        if (lane == 0 && i != carried) finish_row(y, carried, carry, carried == first, accumulate);
        int32_t before = __shfl_up_sync(WHOLE_WARP, i, 1);
        unsigned heads = __ballot_sync(WHOLE_WARP, lane == 0 || before != i);
        value = sum_from(WARP - 1 - __clz(heads & ((2u << lane) - 1)), value);
        bool ends = lane < WARP - 1 && (heads >> 1 >> lane & 1);
        if (ends) finish_row(y, i, value, i == first, accumulate);
        carried = __shfl_sync(WHOLE_WARP, i, WARP - 1);
        carry = __shfl_sync(WHOLE_WARP, value, WARP - 1);
    }
    if (lane == 0) atomicAdd(&y[carried], carry);
}

void cuda_coo_segmented(const struct launch *launch)
{
    if (!product_plain(launch->product)) return cuda_entries_by_row(launch);
    clear_y(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        enqueue(launch, coo_segmented_grid(launch), "coo_segmented", coo_segmented<real>,
                launch->storage->nnz, coo_segmented_interval(launch), array_of<int32_t>(launch, COO_ROW),
                array_of<int32_t>(launch, COO_COL), array_of<real>(launch, COO_VAL), x_of<real>(launch),
                y_of<real>(launch), launch->product.accumulate, matrix_stays(launch));
    });
}
