/* y = A x for CMRS, by a warp for each strip (Koza, Matyka, Szkoda and Mirosław, "Compressed multirow storage
 * format for sparse matrices on graphics processing units", SIAM J. Sci. Comput. 36, 2014). */
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/cmrs.h"
}

/* The column of a slot, and its row within the strip. */
struct spot_in_strip {
    uint32_t col;
    uint32_t row;
};

template <bool PACKED, class slot>
__device__ inline spot_in_strip spot_at(const uint32_t *__restrict__ col_ind,
                                        const uint8_t *__restrict__ row_in_strip, slot e)
{
    uint32_t index = col_ind[e];
    if constexpr (PACKED) return {index >> CMRS_ROW_BITS, index & ((1u << CMRS_ROW_BITS) - 1)};
    return {index, row_in_strip[e]};
}

/* Return the sum of each row's 32 cells, in a strip of `height` <= ROWS rows. LANES = 32 / ROWS neighbouring
 * lanes share a row, and the first of them gets its sum. In step k each lane reads column lane xor (k LANES)
 * of its row. For fixed k this maps the 32 lanes one to one onto the 32 columns, so that there are no bank
 * conflicts; and over all k a row's lanes read each of its columns once. */
template <int ROWS, class real> __device__ inline real sum_of_row(const real *cell, int height)
{
    constexpr int LANES = WARP / ROWS;
    int lane = threadIdx.x % WARP, r = lane / LANES;
    real sum = 0;
    if (r < height) {
#pragma unroll
        for (int k = 0; k < ROWS; k++)
            sum += cell[r * WARP + (lane ^ k * LANES)];
    }
    return sum_over<LANES>(sum);
}

/* Algorithm 1 of the paper. Each lane adds the products of its slots to cells of its own, one for each row of
 * the strip; then the warp adds up the cells of each row:
 *
 *                      lane  0  1  2  3 ...
 *     cells of row 0         .  .  .  .     -> y[s height]
 *     cells of row 1         .  .  .  .     -> y[s height + 1]
 *
 * ROWS is cmrs_rows(height). aligned: strips of more than 32 slots are read from a multiple of 32 on, and in
 * the first step the lanes before the strip wait. */
template <int ROWS, bool PACKED, class real, class offset>
__global__ void cmrs_basic(int64_t rows, int64_t strips, int height, const offset *__restrict__ strip_ptr,
                           const uint32_t *__restrict__ col_ind, const uint8_t *__restrict__ row_in_strip,
                           const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                           bool aligned, bool accumulate)
{
    int64_t s = thread_of_grid() / WARP;
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    if (s >= strips) return;
    slot_of<offset> begin = strip_ptr[s], end = strip_ptr[s + 1], e = begin + lane;
    real *cell = shared_memory<real>() + warp * height * WARP;
#pragma unroll
    for (int r = 0; r < ROWS; r++)
        if (r < height) cell[r * WARP + lane] = 0;
    auto add = [&](slot_of<offset> e) {
        spot_in_strip spot = spot_at<PACKED>(col_ind, row_in_strip, e);
        cell[spot.row * WARP + lane] += val[e] * x[spot.col];
    };
    if (aligned && end - begin > WARP) {
        e = begin / WARP * WARP + lane;
        if (e >= begin) add(e);
        e += WARP;
    }
#pragma unroll 1
    for (; e < end; e += WARP)
        add(e);
    __syncwarp();
    real sum = sum_of_row<ROWS>(cell, height);
    constexpr int LANES = WARP / ROWS;
    int r = lane / LANES;
    int64_t i = s * height + r;
    if (lane % LANES == 0 && r < height && i < rows) put(y, i, sum, accumulate);
}

/* Section 6.7 of the paper. A group of 32 slots has runs of one row, in each of which no more than the first
 * MODULO slots have entries. So log2 MODULO rounds add each run up into its first lane, and only that one
 * adds to the row's cell:
 *
 *     row          0 0 0 0 2 2 3 3      MODULO 4
 *     distance 1   lane l adds lane l + 1, if that is in the same run
 *     distance 2   lane l adds lane l + 2, if that is in the same run
 */
template <int MODULO, bool PACKED, class real, class offset>
__global__ void cmrs_padded(int64_t rows, int64_t strips, const offset *__restrict__ strip_ptr,
                            const uint32_t *__restrict__ col_ind, const uint8_t *__restrict__ row_in_strip,
                            const real *__restrict__ val, const real *__restrict__ x, real *__restrict__ y,
                            bool accumulate)
{
    int64_t s = thread_of_grid() / WARP;
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    if (s >= strips) return;
    slot_of<offset> end = strip_ptr[s + 1];
    real *cell = shared_memory<real>() + warp * CMRS_HEIGHT_MAX;
    if (lane < CMRS_HEIGHT_MAX) cell[lane] = 0;
#pragma unroll 1
    for (slot_of<offset> group = strip_ptr[s]; group < end; group += WARP) {
        spot_in_strip spot = spot_at<PACKED>(col_ind, row_in_strip, group + lane);
        real sum = val[group + lane] * x[spot.col];
        uint32_t before = __shfl_up_sync(WHOLE_WARP, spot.row, 1);
        unsigned heads = __ballot_sync(WHOLE_WARP, lane == 0 || before != spot.row);
        unsigned above = heads >> 1 >> lane;
        int left = above ? __ffs(above) : WARP - lane; /* lanes of the run from this one on */
#pragma unroll
        for (int distance = 1; distance < MODULO; distance *= 2) {
            real other = __shfl_down_sync(WHOLE_WARP, sum, distance);
            if (distance < left) sum += other;
        }
        __syncwarp(); /* makes the additions of other lanes to the cells visible */
        if (heads >> lane & 1) cell[spot.row] += sum;
    }
    __syncwarp();
    int64_t i = s * CMRS_HEIGHT_MAX + lane;
    if (lane < CMRS_HEIGHT_MAX && i < rows) put(y, i, cell[lane], accumulate);
}

/* Each of the following calls use(kernel) with the instance of a kernel that is for the storage of the
 * launch. */

template <int ROWS, class Use> static void basic_with(const struct launch *launch, Use use)
{
    by_types(launch, [launch, use](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        if (launch->storage->number[CMRS_PACKED])
            use(cmrs_basic<ROWS, true, real, offset>);
        else
            use(cmrs_basic<ROWS, false, real, offset>);
    });
}

template <class Use> static void choose_basic(const struct launch *launch, Use use)
{
    int64_t height = launch->storage->number[CMRS_HEIGHT];
    if (height == 1)
        basic_with<1>(launch, use);
    else if (height == 2)
        basic_with<2>(launch, use);
    else if (height <= 4)
        basic_with<4>(launch, use);
    else if (height <= 8)
        basic_with<8>(launch, use);
    else
        basic_with<16>(launch, use);
}

template <int MODULO, class Use> static void padded_with(const struct launch *launch, Use use)
{
    by_types(launch, [launch, use](auto value, auto index) {
        using real = decltype(value);
        using offset = decltype(index);
        if (launch->storage->number[CMRS_PACKED])
            use(cmrs_padded<MODULO, true, real, offset>);
        else
            use(cmrs_padded<MODULO, false, real, offset>);
    });
}

template <class Use> static void choose_padded(const struct launch *launch, Use use)
{
    switch (launch->storage->number[CMRS_MODULO]) {
    case 1:
        return padded_with<1>(launch, use);
    case 2:
        return padded_with<2>(launch, use);
    case 4:
        return padded_with<4>(launch, use);
    case 8:
        return padded_with<8>(launch, use);
    case 16:
        return padded_with<16>(launch, use);
    default:
        return padded_with<32>(launch, use);
    }
}

enum status cuda_cmrs_allow(const struct launch *launch, struct error *error)
{
    cudaError_t code = cudaSuccess;
    choose_basic(launch, [launch, &code](auto kernel) {
        code = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                    static_cast<int>(launch->device->facts.shared));
    });
    if (code == cudaSuccess) return STATUS_OK;
    cudaGetLastError();
    return error_set(error, STATUS_UNAVAILABLE, "more shared memory for cmrs: %s (%s)",
                     cudaGetErrorString(code), cudaGetErrorName(code));
}

void cuda_cmrs(const struct launch *launch)
{
    const int64_t *number = launch->storage->number;
    choose_basic(launch, [launch, number](auto kernel) {
        enqueue(launch, cmrs_basic_grid(launch), "cmrs", kernel, launch->storage->rows, number[CMRS_STRIPS],
                number[CMRS_HEIGHT], array_of<void>(launch, CMRS_STRIP_PTR),
                array_of<void>(launch, CMRS_COL_IND), array_of<void>(launch, CMRS_ROW_IN_STRIP),
                array_of<void>(launch, CMRS_VAL), launch->x, launch->y,
                number_of(launch, CMRS_BASIC_ALIGNED) != 0, launch->product.accumulate);
    });
}

void cuda_cmrs_padded(const struct launch *launch)
{
    const int64_t *number = launch->storage->number;
    choose_padded(launch, [launch, number](auto kernel) {
        enqueue(launch, cmrs_padded_grid(launch), "cmrs_padded", kernel, launch->storage->rows,
                number[CMRS_STRIPS], array_of<void>(launch, CMRS_STRIP_PTR),
                array_of<void>(launch, CMRS_COL_IND), array_of<void>(launch, CMRS_ROW_IN_STRIP),
                array_of<void>(launch, CMRS_VAL), launch->x, launch->y, launch->product.accumulate);
    });
}
