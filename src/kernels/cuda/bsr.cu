/* y = A x for BSR, by a group of lanes for each block row. */
#include <cstring>
#include <type_traits>

#include "kernels/cuda/copies.cuh"
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/partials.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "kernels/cuda/bsr.h"
}

/* The kernel's arguments beside x and y. */
template <class real> struct bsr_arguments {
    int64_t rows, cols, block_rows, blocks;
    int shift;  /* a block row has 1 << shift lanes */
    bool wide;  /* row_ptr has 64 bits */
    bool whole; /* all blocks lie in the matrix, and x is aligned: lanes load neighbouring elements at once */
    bool accumulate, stays;
    const void *row_ptr;
    const int32_t *col;
    const real *val;
    int32_t longest; /* a block row with more blocks is cut into pieces */
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

/* Load the column of a block. L1 should keep it, because neighbouring lanes and the next steps load the same
 * sector. */
__device__ __forceinline__ uint32_t block_column(const int32_t *from)
{
    uint32_t out;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(out) : "l"(from));
    return out;
}

constexpr uint32_t ABSENT = ~0u; /* there is no column */

/* A lane's share of the blocks of its block row: numbers `slot`, `slot` + `slots`, ... */
template <int SIZE, class real> struct block_lane {
    static constexpr int VALUE = sizeof(real), WIDE = BSR_WIDE(SIZE, VALUE), ACROSS = BSR_ACROSS(SIZE, VALUE),
                         TIMES = BSR_TIMES(SIZE, VALUE), HIGH = BSR_HIGH(SIZE, VALUE),
                         LANES = BSR_SHARE(SIZE, VALUE), AHEAD = BSR_AHEAD(VALUE), BLOCK = SIZE * SIZE;
    static constexpr bool POWER = (LANES & (LANES - 1)) == 0;
    /* A lane loads a whole block in one request. */
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

    /* Add the products of this lane's blocks to the sums. `left` is the number of blocks from its first one
     * to the end of the row. AHEAD blocks are requested before the first arrives. PLAIN: all elements of x
     * exist. */
    template <bool PLAIN>
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

    /* Return the sum over the lanes with the same row, for the first of these lanes. */
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

/* Number of words of a partial sum. */
template <class real> constexpr int WORDS = std::is_floating_point<real>::value ? 2 : 4;

/* Load 16 bytes of a piece: its first four members, or the others. */
__device__ __forceinline__ int4 half_of(const bsr_piece *piece, int half)
{
    return __ldg(reinterpret_cast<const int4 *>(piece) + half);
}

/* Record that the sums of a piece of this block row are stored. The warp that records the last piece adds up
 * the sums of all pieces, in their order, so that the result does not depend on which warp that is. */
template <int SIZE, class real>
__device__ __forceinline__ void end_piece(const bsr_arguments<real> &a, int64_t number, int32_t row, int lane,
                                          real *y)
{
    const int4 half = half_of(a.piece + number, 1);
    const int from = half.x, pieces = half.y, which = half.z;
    uint32_t came = 0;
    __syncwarp();
    if (lane == 0) came = atomicAdd(a.arrived + which, 1u);
    if (__shfl_sync(WHOLE_WARP, came, 0) != static_cast<uint32_t>(pieces - 1)) return;
#pragma unroll 1
    for (int i = 0; i < SIZE; i++) {
        wide_of<real> sum(0);
#pragma unroll 1
        for (int p = lane; p < pieces; p += WARP)
            sum += take_of<real>(a.partials + (static_cast<int64_t>(from + p) * SIZE + i) * WORDS<real>);
        sum = sum_over<WARP>(sum);
        const int64_t at = static_cast<int64_t>(row) * SIZE + i;
        if (lane == 0 && at < a.rows) put(y, at, narrowed<real>(sum), a.accumulate);
    }
    if (lane == 0) a.arrived[which] = 0;
}

/* The blocks that a group of lanes processes: those of a block row, or of a piece. */
struct block_work {
    int64_t first;
    int32_t row, count;
    bool some; /* there is such a row, and it is not cut into pieces */
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

/* The minimum number of the largest blocks of threads on a multiprocessor; 0: any. With 1, ptxas does not
 * spill registers to keep more threads resident. */
#if defined __CUDA_ARCH__ && (__CUDA_ARCH__ < 800 || __CUDA_ARCH__ >= 1000)
template <int SIZE, class real> constexpr int ROOMY = 1;
#else
template <int SIZE, class real> constexpr int ROOMY = SIZE == 7 || !std::is_floating_point<real>::value;
#endif

/* Each block row has a group of lanes, and each piece of a long block row has a warp. */
template <int SIZE, class real>
__global__ void __launch_bounds__(BSR_THREADS_MAX, (ROOMY<SIZE, real>))
    bsr(const bsr_arguments<real> a, const real *x, real *y)
{
    const int64_t thread = thread_of_grid(), behind = thread - static_cast<int64_t>(a.pieces) * WARP;
    const int lane = threadIdx.x % WARP;
    const bool in_piece = behind < 0;
    block_work work;
    let_next_begin();
    if (in_piece) {
        const int4 half = half_of(a.piece + thread / WARP, 0);
        work.first =
            static_cast<int64_t>(static_cast<uint32_t>(half.y)) << 32 | static_cast<uint32_t>(half.x);
        work.count = half.z;
        work.row = half.w;
        work.some = true;
    } else {
        work = work_of(a, behind >> a.shift);
    }
    const int lanes = in_piece ? WARP : 1 << a.shift;
    const block_lane<SIZE, real> mine(lane & (lanes - 1), lanes);
    const once_policy policy = make_once_policy(a.stays);
    real sum[mine.TIMES];
#pragma unroll
    for (int q = 0; q < mine.TIMES; q++)
        sum[q] = real(0);
    const int32_t left = mine.slot < mine.slots ? work.count - mine.slot : 0;
    const int64_t first = work.first + mine.slot;
    const int32_t *col = a.col + first;
    const real *val = a.val + first * mine.BLOCK + mine.row * SIZE + mine.column;
    if (a.whole)
        mine.template add<true>(sum, left, col, val, x + mine.column, a.cols, policy);
    else
        mine.template add<false>(sum, left, col, val, x + mine.column, a.cols, policy);
    await_previous();
#pragma unroll
    for (int q = 0; q < mine.TIMES; q++) {
        const real row_sum = mine.reduce(sum[q]);
        const int row = mine.row + q * mine.HIGH;
        if (mine.slot != 0 || mine.column != 0 || row >= SIZE) continue;
        const int64_t at = static_cast<int64_t>(work.row) * SIZE + row;
        if (in_piece)
            give(a.partials + (thread / WARP * SIZE + row) * WORDS<real>, widened(row_sum));
        else if (work.some && at < a.rows)
            put(y, at, row_sum, a.accumulate);
    }
    if (in_piece) end_piece<SIZE>(a, thread / WARP, work.row, lane, y);
}

/* By copies */

/* Load neighbouring values from shared memory. */
template <class real, int COUNT>
__device__ __forceinline__ void load_copied(real (&out)[COUNT], const real *from)
{
    if constexpr (sizeof out == 16) {
        const uint4 bits = *reinterpret_cast<const uint4 *>(from);
        memcpy(&out, &bits, sizeof out);
    } else if constexpr (COUNT > 1) {
        const uint2 bits = *reinterpret_cast<const uint2 *>(from);
        memcpy(&out, &bits, sizeof out);
    } else {
        out[0] = *from;
    }
}

/* A thread multiplies row `row` of a block row. Its blocks are k .. stop - 1, counted from the tile's first.
 * A row of a block has PIECES parts, and a lane begins with part `turn`, so that lanes read different banks
 * of shared memory at once (BSR_COPIED_TURN). */
template <int SIZE, class real> struct copied_row {
    static constexpr int VALUE = sizeof(real), WIDE = BSR_WIDE(SIZE, VALUE), PIECES = SIZE / WIDE,
                         BLOCK = SIZE * SIZE, AHEAD = BSR_COPIED_AHEAD(VALUE);
    /* Rows of at most 16 bytes, and rows whose number of parts is no power of two, lie in different banks
     * anyway. */
    static constexpr bool TURNS = PIECES > 1 && (PIECES & (PIECES - 1)) == 0;
    int row, turn, k, stop;

    __device__ __forceinline__ int part(int p) const
    {
        return TURNS ? ((p + turn) & (PIECES - 1)) * WIDE : p * WIDE;
    }

    template <bool PLAIN>
    __device__ __forceinline__ void load(real (&out)[PIECES][WIDE], int32_t column, const real *x,
                                         int64_t cols) const
    {
        const int64_t j = static_cast<int64_t>(column) * SIZE;
#pragma unroll
        for (int p = 0; p < PIECES; p++)
            if constexpr (PLAIN) {
                load_elements(out[p], x + j + part(p));
            } else {
#pragma unroll
                for (int w = 0; w < WIDE; w++) {
                    out[p][w] = real(0);
                    if (j + part(p) + w < cols) out[p][w] = element_of(x + j + part(p) + w);
                }
            }
    }

    /* Add the products of the blocks before `end`; `col` and `val` are those of block `begin`. */
    template <bool PLAIN>
    __device__ __forceinline__ void add(real &sum, int begin, int end, const int32_t *col, const real *val,
                                        const real *x, int64_t cols, copy_barrier values, uint32_t parity)
    {
        bool waits = true;
        end = min(end, stop);
#pragma unroll 1
        for (; k < end; k = min(k + AHEAD, end)) {
            real element[AHEAD][PIECES][WIDE];
#pragma unroll
            for (int d = 0; d < AHEAD; d++)
                if (k + d < end) load<PLAIN>(element[d], col[k + d - begin], x, cols);
            if (waits) values.await(parity);
            waits = false;
#pragma unroll
            for (int d = 0; d < AHEAD; d++) {
                if (k + d >= end) continue;
                const real *from = val + (k + d - begin) * BLOCK + row * SIZE;
#pragma unroll
                for (int p = 0; p < PIECES; p++) {
                    real held[WIDE];
                    load_copied(held, from + part(p));
#pragma unroll
                    for (int w = 0; w < WIDE; w++)
                        sum += held[w] * element[d][p][w];
                }
            }
        }
        if (waits) values.await(parity);
    }
};

/* Store the numbers of the blocks at which the tile's block rows begin, counted from the first, which is
 * returned. */
template <class offset>
__device__ __forceinline__ int64_t tile_begins(int *begins, const void *row_ptr, int64_t base, int rows)
{
    const offset *from = static_cast<const offset *>(row_ptr) + base;
    const int64_t first = __ldg(from);
    for (int r = threadIdx.x; r <= rows; r += blockDim.x)
        begins[r] = static_cast<int>(__ldg(from + r) - first);
    return first;
}

/* The number of blocks of BSR_THREADS_MAX threads that a multiprocessor holds at least, for the loop with
 * copies. With 2, a thread has 64 registers. */
#if defined __CUDA_ARCH__ && __CUDA_ARCH__ >= 1000
template <int SIZE, class real> constexpr int COPIED_HELD = 1;
#else
template <int SIZE, class real>
constexpr int COPIED_HELD = SIZE <= 6 && std::is_floating_point<real>::value ? 2 : 1;
#endif

/* A block of threads has a tile of block rows (bsr.h). */
template <int SIZE, class real>
__global__ void __launch_bounds__(BSR_THREADS_MAX, (COPIED_HELD<SIZE, real>))
    bsr_copied(const bsr_arguments<real> a, int tile, int most, const bsr_room at, const real *x, real *y)
{
    extern __shared__ int4 shared_room[];
    constexpr int BLOCK = SIZE * SIZE, HELD = WARP / SIZE;
    char *room = reinterpret_cast<char *>(shared_room);
    const copy_barrier columns = {reinterpret_cast<uint64_t *>(room)},
                       values = {reinterpret_cast<uint64_t *>(room) + 1};
    int *begins = reinterpret_cast<int *>(room + 16);
    const int64_t base = static_cast<int64_t>(blockIdx.x) * tile;
    const int rows = static_cast<int>(min(a.block_rows - base, static_cast<int64_t>(tile)));
    let_next_begin();
    if (threadIdx.x == 0) {
        columns.make();
        values.make();
    }
    const int64_t first = a.wide ? tile_begins<int64_t>(begins, a.row_ptr, base, rows)
                                 : tile_begins<int32_t>(begins, a.row_ptr, base, rows);
    __syncthreads();
    const int lane = threadIdx.x % WARP, held = lane / SIZE, end = begins[rows],
              r = static_cast<int>(threadIdx.x / WARP) * HELD + held;
    const bool works = held < HELD && r < rows;
    copied_row<SIZE, real> mine = {lane % SIZE, 0, works ? begins[r] : 0, works ? begins[r + 1] : 0};
    mine.turn = BSR_COPIED_TURN(SIZE, mine.VALUE, mine.row, held);
    const once_policy policy = make_once_policy(a.stays);
    real sum = real(0);
    uint32_t parity = 0;
#pragma unroll 1
    for (int begin = 0; begin < end; begin += most, parity ^= 1) {
        const int64_t from = first + begin, to = first + min(begin + most, end);
        const copy_part col(a.col, from * static_cast<int64_t>(sizeof(int32_t)),
                            to * static_cast<int64_t>(sizeof(int32_t)),
                            a.blocks * static_cast<int64_t>(sizeof(int32_t)));
        const copy_part val(a.val, from * BLOCK * static_cast<int64_t>(sizeof(real)),
                            to * BLOCK * static_cast<int64_t>(sizeof(real)),
                            a.blocks * BLOCK * static_cast<int64_t>(sizeof(real)));
        col.begin(room + at.columns, columns, policy);
        val.begin(room + at.values, values, policy);
        __syncthreads();
        columns.await(parity);
        await_previous();
        const auto *col_there = reinterpret_cast<const int32_t *>(room + at.columns + col.skipped);
        const auto *val_there = reinterpret_cast<const real *>(room + at.values + val.skipped);
        if (a.whole)
            mine.template add<true>(sum, begin, begin + most, col_there, val_there, x, a.cols, values,
                                    parity);
        else
            mine.template add<false>(sum, begin, begin + most, col_there, val_there, x, a.cols, values,
                                     parity);
        __syncthreads();
    }
    await_previous();
    const int64_t row = (base + r) * SIZE + mine.row;
    if (works && row < a.rows) put(y, row, sum, a.accumulate);
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
    a.blocks = storage->number[BSR_BLOCKS];
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

template <int SIZE, class real> static void enqueue_bsr(const struct launch *launch)
{
    const auto *state = static_cast<const bsr_state *>(launch->state);
    if (state->tile > 0)
        return enqueue_early(launch, bsr_grid(launch), number_of(launch, BSR_EARLY) != 0, "bsr_copied",
                             bsr_copied<SIZE, real>, arguments_of<real>(launch), state->tile, state->copied,
                             bsr_room_of(state->tile, state->copied, SIZE * SIZE * (int)sizeof(real)),
                             x_of<real>(launch), y_of<real>(launch));
    enqueue_early(launch, bsr_grid(launch), number_of(launch, BSR_EARLY) != 0, "bsr", bsr<SIZE, real>,
                  arguments_of<real>(launch), x_of<real>(launch), y_of<real>(launch));
}

void cuda_bsr(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        switch (launch->storage->number[BSR_SIZE]) {
        case 2:
            return enqueue_bsr<2, real>(launch);
        case 3:
            return enqueue_bsr<3, real>(launch);
        case 4:
            return enqueue_bsr<4, real>(launch);
        case 5:
            return enqueue_bsr<5, real>(launch);
        case 6:
            return enqueue_bsr<6, real>(launch);
        case 7:
            return enqueue_bsr<7, real>(launch);
        default:
            return enqueue_bsr<8, real>(launch);
        }
    });
}
