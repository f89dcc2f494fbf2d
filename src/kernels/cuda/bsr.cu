/* y = A x for BSR, by a group of lanes for each block row. */
#include <cstring>
#include <type_traits>

#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/partials.cuh"
#include "kernels/cuda/products/blocks.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/bsr.h"
}

/* The kernel's arguments beside x and y. */
template <class real> struct bsr_arguments {
    int64_t rows, cols, block_rows;
    int shift;  /* a block row has 1 << shift lanes */
    bool wide;  /* row_ptr has 64 bits */
    bool whole; /* all blocks lie in the matrix, and x is aligned: lanes load neighbouring elements at once */
    bool accumulate, stays;
    const void *row_ptr;
    const int32_t *col;
    const real *val;
    int32_t longest; /* a block row with more blocks is in pieces */
    int32_t pieces;
    const bsr_piece *piece;
    uint64_t *partials;
    uint32_t *arrived;
};

/* Load neighbouring values, which are read once. */
template <class real, int COUNT>
__device__ __forceinline__ void load_values(real (&out)[COUNT], const real *from, once_policy policy)
{
    if constexpr (sizeof out == 16) {
        const uint4 bits = once_16(from, policy);
        memcpy(&out, &bits, sizeof out);
    } else if constexpr (sizeof out == 8) {
        const uint2 bits = once_8(from, policy);
        memcpy(&out, &bits, sizeof out);
    } else {
        const uint32_t bits = once_4(from, policy);
        memcpy(&out, &bits, sizeof out);
    }
}

/* Load neighbouring elements of x after await_previous. */
template <class real, int COUNT>
__device__ __forceinline__ void load_elements(real (&out)[COUNT], const real *from)
{
    if constexpr (sizeof out == 16) {
        uint4 bits;
        asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
                     : "l"(from)
                     : "memory");
        memcpy(&out, &bits, sizeof out);
    } else if constexpr (sizeof out == 8) {
        uint2 bits;
        asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(bits.x), "=r"(bits.y) : "l"(from) : "memory");
        memcpy(&out, &bits, sizeof out);
    } else {
        uint32_t bits;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(bits) : "l"(from) : "memory");
        memcpy(&out, &bits, sizeof out);
    }
}

/* Load the column of a block. Neighbouring lanes and the next steps load the same sector, so that L1 keeps
 * it. */
__device__ __forceinline__ uint32_t block_column(const int32_t *from)
{
    uint32_t out;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(out) : "l"(from));
    return out;
}

constexpr uint32_t ABSENT = ~0u; /* no column */

/* How a lane goes through the blocks of its block row: those of numbers `slot`, `slot` + `slots`, ... */
template <int SIZE, int TIMES, class real> struct block_lane {
    static constexpr int VALUE = sizeof(real), WIDE = BSR_WIDE(SIZE, VALUE), ACROSS = SIZE / WIDE,
                         HIGH = BSR_HIGH(SIZE, TIMES), LANES = HIGH * ACROSS, BLOCK = SIZE * SIZE;
    static constexpr bool POWER = (LANES & (LANES - 1)) == 0;
    /* A lane has a whole block, in a request. */
    static constexpr bool ALONE = LANES == 1 && TIMES * WIDE * VALUE == 16;
    int lanes, slot, slots, row, column;

    __device__ __forceinline__ block_lane(int lane, int lanes)
        : lanes(lanes), slot(lane / LANES), slots(lanes / LANES), row(lane % LANES / ACROSS),
          column(lane % ACROSS * WIDE)
    {
    }

    __device__ __forceinline__ bool has(int q) const
    {
        return SIZE % TIMES == 0 || row + q * HIGH < SIZE;
    }

    __device__ __forceinline__ void load(real (&out)[TIMES][WIDE], const real *from, once_policy policy) const
    {
        if constexpr (ALONE) {
            real all[TIMES * WIDE];
            load_values(all, from, policy);
            memcpy(&out, &all, sizeof out);
        } else {
#pragma unroll
            for (int q = 0; q < TIMES; q++)
                if (has(q)) load_values(out[q], from + q * HIGH * SIZE, policy);
        }
    }

    /* Add the products of `left` blocks and every further one of this lane to the sums. AHEAD blocks are
     * requested before the first arrives. PLAIN: all elements of x exist. */
    template <int AHEAD, bool PLAIN>
    __device__ __forceinline__ void add(real (&sum)[TIMES], int32_t left, const int32_t *col, const real *val,
                                        const real *x, int64_t cols, once_policy policy) const
    {
        const int step = slots * BLOCK;
#pragma unroll 1
        for (; left > 0; left -= AHEAD * slots) {
            uint32_t j[AHEAD];
            real held[AHEAD][TIMES][WIDE], element[AHEAD][WIDE];
#pragma unroll
            for (int d = 0; d < AHEAD; d++, col += slots) {
                j[d] = ABSENT;
                if (left > d * slots) j[d] = block_column(col);
            }
#pragma unroll
            for (int d = 0; d < AHEAD; d++, val += step)
                if (left > d * slots) load(held[d], val, policy);
            await_previous_then(j[0]);
#pragma unroll
            for (int d = 0; d < AHEAD; d++) {
                const real *from = x + static_cast<uint64_t>(j[d]) * SIZE;
                if constexpr (PLAIN) {
                    if (j[d] != ABSENT) load_elements(element[d], from);
                } else {
#pragma unroll
                    for (int w = 0; w < WIDE; w++) {
                        element[d][w] = real(0);
                        if (j[d] != ABSENT && static_cast<int64_t>(j[d]) * SIZE + column + w < cols)
                            element[d][w] = element_of(from + w);
                    }
                }
            }
#pragma unroll
            for (int d = 0; d < AHEAD; d++)
                if (j[d] != ABSENT)
#pragma unroll
                    for (int q = 0; q < TIMES; q++)
#pragma unroll
                        for (int w = 0; w < WIDE; w++)
                            if (has(q)) sum[q] += held[d][q][w] * element[d][w];
        }
    }

    /* Return the sum over the lanes that have the same row, in the first of them. */
    __device__ __forceinline__ real reduce(real sum) const
    {
        if constexpr (POWER) {
#pragma unroll
            for (int distance = WARP / 2; distance >= LANES; distance /= 2)
                if (distance < lanes) sum += __shfl_xor_sync(WHOLE_WARP, sum, distance);
#pragma unroll
            for (int distance = ACROSS / 2; distance > 0; distance /= 2)
                sum += __shfl_xor_sync(WHOLE_WARP, sum, distance);
            return sum;
        } else {
            real all = sum;
#pragma unroll
            for (int s = 1; s < WARP / LANES; s++)
                all += __shfl_down_sync(WHOLE_WARP, sum, s * LANES);
            real row_sum = all;
#pragma unroll
            for (int c = 1; c < ACROSS; c++)
                row_sum += __shfl_down_sync(WHOLE_WARP, all, c);
            return row_sum;
        }
    }
};

/* Words of a partial sum. */
template <class real> constexpr int WORDS = std::is_floating_point<real>::value ? 2 : 4;

/* Note that this piece's sums are stored. The warp whose piece comes last adds up those of all pieces, in
 * their order, so that the result does not depend on who comes last. */
template <int SIZE, class real>
__device__ __forceinline__ void end_piece(const bsr_arguments<real> &a, const bsr_piece &piece, int lane,
                                          real *y)
{
    uint32_t came = 0;
    __syncwarp();
    if (lane == 0) came = atomicAdd(a.arrived + piece.which, 1u);
    if (__shfl_sync(WHOLE_WARP, came, 0) != static_cast<uint32_t>(piece.pieces - 1)) return;
#pragma unroll 1
    for (int i = 0; i < SIZE; i++) {
        wide_of<real> sum(0);
        for (int p = lane; p < piece.pieces; p += WARP)
            sum +=
                take_of<real>(a.partials + (static_cast<int64_t>(piece.from + p) * SIZE + i) * WORDS<real>);
        sum = sum_over<WARP>(sum);
        const int64_t at = static_cast<int64_t>(piece.row) * SIZE + i;
        if (lane == 0 && at < a.rows) put(y, at, narrowed<real>(sum), a.accumulate);
    }
    if (lane == 0) a.arrived[piece.which] = 0;
}

/* The work of a thread's group: blocks of a block row. */
struct block_work {
    int64_t first;
    int32_t row, count;
    bool some; /* there is such a row, and it is not in pieces */
};

template <class real> __device__ __forceinline__ block_work work_of(const bsr_arguments<real> &a, int64_t row)
{
    block_work work = {0, static_cast<int32_t>(row), 0, row < a.block_rows};
    if (!work.some) return work;
    int64_t end;
    if (a.wide) {
        work.first = __ldg(static_cast<const int64_t *>(a.row_ptr) + row);
        end = __ldg(static_cast<const int64_t *>(a.row_ptr) + row + 1);
    } else {
        work.first = __ldg(static_cast<const int32_t *>(a.row_ptr) + row);
        end = __ldg(static_cast<const int32_t *>(a.row_ptr) + row + 1);
    }
    work.count = static_cast<int32_t>(end - work.first);
    work.some = work.count <= a.longest;
    if (!work.some) work.count = 0;
    return work;
}

/* Each block row has a group of lanes, and each piece of a long one a warp. */
template <int SIZE, int TIMES, int AHEAD, class real>
__global__ void __launch_bounds__(BSR_THREADS_MAX) bsr(const bsr_arguments<real> a, const real *x, real *y)
{
    const int64_t thread = thread_of_grid(), behind = thread - static_cast<int64_t>(a.pieces) * WARP;
    const int lane = threadIdx.x % WARP;
    const bool in_piece = behind < 0;
    block_work work;
    let_next_begin();
    if (in_piece) {
        const bsr_piece *piece = a.piece + thread / WARP;
        work = {__ldg(&piece->first), __ldg(&piece->row), __ldg(&piece->count), true};
    } else {
        work = work_of(a, behind >> a.shift);
    }
    const int lanes = in_piece ? WARP : 1 << a.shift;
    const block_lane<SIZE, TIMES, real> mine(lane & (lanes - 1), lanes);
    const once_policy policy = make_once_policy(a.stays);
    real sum[TIMES];
#pragma unroll
    for (int q = 0; q < TIMES; q++)
        sum[q] = real(0);
    const int32_t left = mine.slot < mine.slots ? work.count - mine.slot : 0;
    const int64_t first = work.first + mine.slot;
    const int32_t *col = a.col + first;
    const real *val = a.val + first * mine.BLOCK + mine.row * SIZE + mine.column;
    if (a.whole)
        mine.template add<AHEAD, true>(sum, left, col, val, x + mine.column, a.cols, policy);
    else
        mine.template add<AHEAD, false>(sum, left, col, val, x + mine.column, a.cols, policy);
    await_previous();
#pragma unroll
    for (int q = 0; q < TIMES; q++) {
        const real row_sum = mine.reduce(sum[q]);
        const int row = mine.row + q * mine.HIGH;
        if (mine.slot != 0 || mine.column != 0 || row >= SIZE) continue;
        const int64_t at = static_cast<int64_t>(work.row) * SIZE + row;
        if (in_piece)
            give(a.partials + (thread / WARP * SIZE + row) * WORDS<real>, widened(row_sum));
        else if (work.some && at < a.rows)
            put(y, at, row_sum, a.accumulate);
    }
    if (in_piece) end_piece<SIZE>(a, a.piece[thread / WARP], lane, y);
}

/* d += a b by a tensor core: the warp has a, 8 x 4, b, 4 x 8, and d, 8 x 8. Lane l has a(l / 4, l % 4), b(l %
 * 4, l / 4), and d(l / 4, 2 (l % 4)) with its right neighbour. */
__device__ __forceinline__ void multiply_add(double (&d)[2], double a, double b)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                 : "+d"(d[0]), "+d"(d[1])
                 : "d"(a), "d"(b));
#endif
}

/* The same by tensor cores. A lane loads two neighbouring values; a first instruction multiplies the left
 * ones of all lanes, a second one the right ones.
 *
 * Size 8: a warp has a block row, and a step one of its blocks; all columns of b are the same.
 * Size 4: a warp has two block rows, and a step two blocks of each. Row l / 4 of a belongs to block row l /
 * 16, even columns of b to the first one, odd ones to the second. */
template <int SIZE, int AHEAD>
__global__ void __launch_bounds__(BSR_THREADS_MAX)
    bsr_tensor(const bsr_arguments<double> a, const double *x, double *y)
{
    constexpr int BLOCK = SIZE * SIZE, ROWS = 8 / SIZE;
    const int64_t warp = thread_of_grid() / WARP;
    const int lane = threadIdx.x % WARP, t = lane % 4, i = lane / 4;
    let_next_begin();
    const once_policy policy = make_once_policy(a.stays);
    const block_work work = work_of(a, warp * ROWS + (ROWS == 2 ? i / 4 : 0)),
                     other = ROWS == 2 ? work_of(a, warp * ROWS + i % 2) : work;
    const int slot = ROWS == 2 ? t / 2 : 0;
    const int32_t *col = a.col + other.first + slot;
    const double *val =
        a.val + (work.first + slot) * BLOCK + (ROWS == 2 ? i % 4 * SIZE + t % 2 * 2 : i * SIZE + t * 2);
    const double *from = x + (ROWS == 2 ? t % 2 * 2 : t * 2);
    int32_t left = work.count - slot, left_x = other.count - slot;
    double sum[2] = {0, 0};
#pragma unroll 1
    while (__any_sync(WHOLE_WARP, left > 0)) {
        uint32_t j[AHEAD];
        double held[AHEAD][2], element[AHEAD][2];
#pragma unroll
        for (int d = 0; d < AHEAD; d++) {
            j[d] = ABSENT;
            if (left_x > d * ROWS) j[d] = block_column(col + d * ROWS);
        }
#pragma unroll
        for (int d = 0; d < AHEAD; d++) {
            held[d][0] = held[d][1] = 0;
            if (left > d * ROWS) load_values(held[d], val + d * ROWS * BLOCK, policy);
        }
        await_previous_then(j[0]);
#pragma unroll
        for (int d = 0; d < AHEAD; d++) {
            element[d][0] = element[d][1] = 0;
            if (left_x > d * ROWS) load_elements(element[d], from + static_cast<uint64_t>(j[d]) * SIZE);
        }
#pragma unroll
        for (int d = 0; d < AHEAD; d++)
#pragma unroll
            for (int w = 0; w < 2; w++)
                multiply_add(sum, held[d][w], element[d][w]);
        left -= AHEAD * ROWS;
        left_x -= AHEAD * ROWS;
        col += AHEAD * ROWS;
        val += AHEAD * ROWS * BLOCK;
    }
    await_previous();
    if (t == 0 && work.some)
        put(y, work.row * SIZE + i % SIZE, ROWS == 2 && i >= 4 ? sum[1] : sum[0], a.accumulate);
}

template <class real> static bsr_arguments<real> arguments_of(const struct launch *launch)
{
    const auto *state = static_cast<const bsr_state *>(launch->state);
    const struct storage *storage = launch->storage;
    const int64_t size = storage->number[BSR_SIZE];
    bsr_arguments<real> a = {};
    a.rows = storage->rows;
    a.cols = storage->cols;
    a.block_rows = storage->number[BSR_BLOCK_ROWS];
    while (1 << a.shift < number_of(launch, BSR_LANES))
        a.shift++;
    a.wide = storage->wide;
    a.whole = storage->cols % size == 0 && reinterpret_cast<uintptr_t>(launch->x) % 16 == 0;
    a.accumulate = launch->product.accumulate;
    a.stays = matrix_stays(launch);
    a.row_ptr = launch->resident->array[BSR_ROW_PTR].data;
    a.col = array_of<int32_t>(launch, BSR_COL);
    a.val = array_of<real>(launch, BSR_VAL);
    a.longest = state->whole;
    a.pieces = state->pieces;
    a.piece = state->piece;
    a.partials = state->partials;
    a.arrived = state->arrived;
    return a;
}

template <int SIZE, int TIMES, int AHEAD, class real> static void enqueue_bsr(const struct launch *launch)
{
    enqueue_early(launch, bsr_grid(launch), number_of(launch, BSR_EARLY) != 0, "bsr",
                  bsr<SIZE, TIMES, AHEAD, real>, arguments_of<real>(launch), x_of<real>(launch),
                  y_of<real>(launch));
}

template <int SIZE, int TIMES, class real> static void bsr_by_ahead(const struct launch *launch)
{
    if constexpr (std::is_floating_point<real>::value) {
        if (number_of(launch, BSR_AHEAD) == 2) return enqueue_bsr<SIZE, TIMES, 2, real>(launch);
        if constexpr (TIMES == 1)
            if (number_of(launch, BSR_AHEAD) == 8) return enqueue_bsr<SIZE, TIMES, 8, real>(launch);
    }
    enqueue_bsr<SIZE, TIMES, 4, real>(launch);
}

template <int SIZE, class real> static void bsr_of_size(const struct launch *launch)
{
    constexpr int USUAL =
        SIZE == 6 || SIZE == 7 || (SIZE == 8 && sizeof(real) == 16) || (SIZE == 2 && sizeof(real) == 4) ? 2
                                                                                                        : 1;
    if constexpr ((SIZE == 4 || SIZE == 8) && std::is_floating_point<real>::value) {
        if (number_of(launch, BSR_TIMES) == 2) return bsr_by_ahead<SIZE, 2, real>(launch);
    }
    bsr_by_ahead<SIZE, USUAL, real>(launch);
}

static void run_tensor(const struct launch *launch)
{
    struct grid grid =
        grid_for(launch->storage->number[BSR_BLOCK_ROWS], launch->storage->number[BSR_SIZE] == 4 ? 16 : 32,
                 number_of(launch, BSR_BLOCK));
    const bool eight = launch->storage->number[BSR_SIZE] == 8, early = number_of(launch, BSR_EARLY) != 0;
    const int ahead = number_of(launch, BSR_AHEAD);
    enqueue_early(launch, grid, early, "bsr_tensor",
                  eight ? (ahead == 8   ? bsr_tensor<8, 8>
                           : ahead == 4 ? bsr_tensor<8, 4>
                                        : bsr_tensor<8, 2>)
                        : (ahead == 8   ? bsr_tensor<4, 8>
                           : ahead == 4 ? bsr_tensor<4, 4>
                                        : bsr_tensor<4, 2>),
                  arguments_of<double>(launch), x_of<double>(launch), y_of<double>(launch));
}

static void bsr_product(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        const struct storage *storage = launch->storage;
        block_source<real> a = {};
        a.rows = storage->rows;
        a.cols = storage->cols;
        a.block_rows = storage->number[BSR_BLOCK_ROWS];
        a.row_ptr = launch->resident->array[BSR_ROW_PTR].data;
        a.wide = storage->wide;
        a.col = array_of<int32_t>(launch, BSR_COL);
        a.val = array_of<real>(launch, BSR_VAL);
        enqueue_blocks_product(launch, a);
    });
}

void cuda_bsr(const struct launch *launch)
{
    if (!product_plain(launch->product)) return bsr_product(launch);
    if (number_of(launch, BSR_TENSOR)) return run_tensor(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        switch (launch->storage->number[BSR_SIZE]) {
        case 2:
            return bsr_of_size<2, real>(launch);
        case 3:
            return bsr_of_size<3, real>(launch);
        case 4:
            return bsr_of_size<4, real>(launch);
        case 5:
            return bsr_of_size<5, real>(launch);
        case 6:
            return bsr_of_size<6, real>(launch);
        case 7:
            return bsr_of_size<7, real>(launch);
        default:
            return bsr_of_size<8, real>(launch);
        }
    });
}
