/* y = A x for CSR, by tiles with equal numbers of entries (csr_tiles.h). */
#include <cstring>
#include <type_traits>

#include "kernels/cuda/launch.cuh"
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/partials.cuh"
#include "kernels/cuda/warp.cuh"

extern "C" {
#include "formats/csr.h"
#include "kernels/cuda/csr_balanced.h"
#include "kernels/cuda/products/entries.h"
}

/* Return the index of product i of a tile in shared memory. Lanes write consecutive products, and each reads
 * K of them in units of 16 bytes. Reading lanes are then 64 bytes apart, so that the eight lanes served
 * together would conflict in the banks of two units. So unit u of the n-th 128 bytes is stored at u xor (n
 * mod 8), and neither writes nor reads have bank conflicts. */
template <class real> __device__ __forceinline__ int swizzle(int i)
{
    return sizeof(real) == 16  ? i ^ (i >> 3 & 7)
           : sizeof(real) == 8 ? i ^ (i >> 4 & 7) << 1
                               : i ^ (i >> 5 & 7) << 2;
}

/* Return the sum over the warp; every lane has it. */
template <class real> __device__ __forceinline__ real sum_for_all(real value)
{
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_xor_sync(WHOLE_WARP, value, distance);
    return value;
}

__device__ __forceinline__ int largest_of_all(int value)
{
#if __CUDA_ARCH__ >= 800
    return __reduce_max_sync(WHOLE_WARP, value);
#else
#    pragma unroll
    for (int distance = 16; distance > 0; distance /= 2)
        value = max(value, __shfl_xor_sync(WHOLE_WARP, value, distance));
    return value;
#endif
}

/* The kernel's arguments beside val, x and y. */
struct balanced_arguments {
    csr_tiles tiles;
    const int32_t *col;
    const uint8_t *index; /* NULL unless values are encoded by bytes; val is then their table */
    unsigned long long *partials;
    uint32_t *arrived;
    bool stays;
};

/* One warp on its way through its tiles. Loads are in flight for two tiles ahead, since the address of x
 * depends on the columns:
 *
 *     tile t      summed
 *     tile t1     values, x and marks are under way, its columns have arrived
 *     tile t2     columns are under way
 *
 * All members are registers. NARROW: columns have 16 bits. VALUES: the encoding of values (told_values.h);
 * bytes are loaded together with the columns. ADDED: y += A x. */
template <class real, int K, bool NARROW, int VALUES, bool ADDED> struct balanced_warp {
    static constexpr int ENTRIES = TILE_LANES * K;
    static constexpr bool COMPLEX = !std::is_floating_point<real>::value;
    static constexpr int WORDS = COMPLEX ? 8 : 4; /* of a chunk's partial sums */
    using mark_word = typename std::conditional<K == 16, uint32_t, uint16_t>::type;

    const balanced_arguments &a;
    const real *__restrict__ val;
    const real *__restrict__ x;
    real *__restrict__ y;
    real *products;  /* those of a tile, in shared memory; later the sums of its rows */
    uint32_t *taken; /* number of chunks taken by the block's warps, in shared memory */
    const int lane;
    const once_policy policy;

    /* The last tile found by next(). */
    int at;
    /* Data loaded for later tiles. */
    uint32_t columns[NARROW ? K / 2 : K];
    uint32_t index[VALUES == TOLD_BYTE ? K / 4 : 1]; /* four bytes in each */
    int32_t base;
    real value[K], element[K];
    uint32_t mark;
    int32_t first;
    /* Lane l has word l of a chunk's span (struct tile_span): of the current tile, and of the next. */
    int span, next_span;
    /* The sum so far of the row that is open at the tile's end. If `spread`, each lane has some of it, else
     * lane 0 has all. */
    real open;
    bool spread;
    /* `begins`: no row has ended yet in this chunk. `head` becomes the sum over this chunk of the row that
     * was open at its start. */
    bool begins;
    real head;
    /* In lanes 0 and 1, data of the row of this warp's last partial sum: the chunk in which it ends (-1:
     * none), the chunk in which it begins, its number, and the number of partial sums that had arrived
     * before. */
    int due, due_from, due_row;
    uint32_t came;

    __device__ __forceinline__ balanced_warp(const balanced_arguments &arguments, const real *values,
                                             const real *vector, real *result, real *buffer, uint32_t *count)
        : a(arguments), val(values), x(vector), y(result), products(buffer), taken(count),
          lane(threadIdx.x % WARP), policy(make_once_policy(arguments.stays)), at(-1), base(0), mark(0),
          first(0), span(-1), next_span(-1), open(0), spread(false), begins(false), head(0), due(-1),
          due_from(0), due_row(0), came(0)
    {
    }

    /* Return the warp's tile after `at`, or the number of tiles if there is none. After the last tile of a
     * chunk the warp draws a ticket k, the number of chunks that its block has taken before. Blocks take runs
     * of chunks cyclically, so that run number k / run of this block is run number k / run * gridDim.x +
     * blockIdx.x of all. */
    __device__ __forceinline__ int next()
    {
        const int tiles = a.tiles.tiles, inner = (1 << a.tiles.shift) - 1;
        if (at >= tiles) return tiles;
        if ((++at & inner) && at < tiles) return at;
        uint32_t k = 0;
        if (lane == 0) k = atomicAdd(taken, 1u);
        k = __shfl_sync(WHOLE_WARP, k, 0);
        const uint32_t run = static_cast<uint32_t>(a.tiles.run);
        const uint32_t round = a.tiles.inverse ? __umulhi(k, a.tiles.inverse) : k; /* k / run */
        const uint32_t chunk = (round * gridDim.x + blockIdx.x) * run + (k - round * run);
        at = chunk < static_cast<uint32_t>(a.tiles.chunks) ? static_cast<int>(chunk << a.tiles.shift) : tiles;
        return at;
    }

    /* Load the columns of tile t, which have 32 bits. */
    __device__ __forceinline__ void load_wide(int t, uint32_t (&to)[K])
    {
        const int32_t *from =
            t == a.tiles.tiles - 1 ? a.tiles.last_col : a.col + static_cast<size_t>(t) * ENTRIES;
#pragma unroll
        for (int j = 0; j < K; j++)
            to[j] = once_4(from + j * WARP + lane, policy);
    }

    /* Load the indices of tile t's values: with the columns, unless registers are short. */
    static constexpr bool LATE = !NARROW && K == 16;
    __device__ __forceinline__ void load_indices(int t)
    {
        const uint8_t *from = a.index + static_cast<size_t>(t) * ENTRIES + lane * 8;
#pragma unroll
        for (int q = 0; q < K / 8; q++) {
            const uint2 eight = once_8(from + q * 8 * WARP, policy);
            index[2 * q] = eight.x;
            index[2 * q + 1] = eight.y;
        }
    }

    /* Load the columns of tile t. 16-bit columns are two in a register; if 16 bits do not suffice, base is -1
     * and load_elements reads the columns of CSR. */
    __device__ __forceinline__ void load_columns(int t)
    {
        if constexpr (VALUES == TOLD_BYTE && !LATE) load_indices(t);
        if constexpr (NARROW) {
            base = __ldg(a.tiles.base + t);
            if (base < 0) return;
            const uint16_t *from = a.tiles.col16 + static_cast<size_t>(t) * ENTRIES + lane * (K < 8 ? K : 8);
            if constexpr (K < 8) {
                const uint2 four = once_8(from, policy);
                columns[0] = four.x;
                columns[1] = four.y;
            } else {
#pragma unroll
                for (int q = 0; q < K / 8; q++) {
                    const uint4 eight = once_16(from + q * 8 * WARP, policy);
                    columns[4 * q] = eight.x;
                    columns[4 * q + 1] = eight.y;
                    columns[4 * q + 2] = eight.z;
                    columns[4 * q + 3] = eight.w;
                }
            }
        } else {
            load_wide(t, columns);
        }
    }

    /* Load the elements of x for tile t, whose columns have arrived. */
    __device__ __forceinline__ void load_elements(int t)
    {
        if constexpr (NARROW) {
            if (base >= 0) {
                const real *from = x + base;
#pragma unroll
                for (int j = 0; j < K; j++)
                    element[j] = again(from + (j % 2 ? columns[j / 2] >> 16 : columns[j / 2] & 0xffff));
            } else {
                uint32_t wide[K];
                load_wide(t, wide);
#pragma unroll
                for (int j = 0; j < K; j++)
                    element[j] = again(x + wide[j]);
            }
        } else {
#pragma unroll
            for (int j = 0; j < K; j++)
                element[j] = again(x + columns[j]);
        }
    }

    /* Load all data of tile t except its columns, which have arrived. */
    __device__ __forceinline__ void load(int t)
    {
        if constexpr (VALUES == TOLD_BYTE) {
            if constexpr (LATE) load_indices(t);
#pragma unroll
            for (int j = 0; j < K; j++)
                value[j] = again(val + (index[j / 4] >> 8 * (j % 4) & 0xff));
        } else if constexpr (VALUES == TOLD_FULL) {
            const real *from = t == a.tiles.tiles - 1 ? static_cast<const real *>(a.tiles.last_val)
                                                      : val + static_cast<size_t>(t) * ENTRIES;
#pragma unroll
            for (int j = 0; j < K; j++)
                value[j] = once(from + j * WARP + lane, policy);
        }
        load_elements(t);
        const mark_word *marks =
            static_cast<const mark_word *>(a.tiles.mark) + static_cast<size_t>(t) * WARP + lane;
        mark = sizeof(mark_word) == 4 ? once_4(marks, policy) : once_2(marks, policy);
        first = __ldg(a.tiles.first + t);
        if ((t & ((1 << a.tiles.shift) - 1)) == 0 && lane < 5)
            next_span = __ldg(reinterpret_cast<const int *>(a.tiles.spans + (t >> a.tiles.shift)) + lane);
    }

    /* If this warp's partial sum of a row was the last to come, add all of them in the order of the matrix,
     * so that the result does not depend on which warp is last. The check is made a chunk later, when the
     * count has arrived, so that no warp waits for it. */
    __device__ __forceinline__ void complete()
    {
        uint32_t last = __ballot_sync(WHOLE_WARP, due >= 0 && came == static_cast<uint32_t>(due - due_from));
        while (last) {
            const int l = __ffs(last) - 1;
            last &= last - 1;
            const int to = __shfl_sync(WHOLE_WARP, due, l), from = __shfl_sync(WHOLE_WARP, due_from, l);
            real sum = 0;
            for (int c = from + lane; c < to; c += WARP)
                sum += narrowed<real>(take_of<real>(partials_of(c)));
            sum = sum_for_all(sum);
            if (lane == l) {
                put(y, due_row, sum + narrowed<real>(take_of<real>(partials_of(to) + WORDS / 2)), ADDED);
                a.arrived[to] = 0;
            }
        }
        due = -1;
    }

    __device__ __forceinline__ uint64_t *partials_of(int chunk)
    {
        return reinterpret_cast<uint64_t *>(a.partials) + WORDS * static_cast<size_t>(chunk);
    }

    /* Set rows without entries to 0: this chunk's share of all of them. */
    __device__ __forceinline__ void clear_empty(int chunk)
    {
        const long long words = a.tiles.words, chunks = a.tiles.chunks;
        const int last = static_cast<int>(words * (chunk + 1) / chunks);
        for (int w = static_cast<int>(words * chunk / chunks); w < last; w += WARP) {
            const uint32_t bits = w + lane < last ? once_4(a.tiles.empty + w + lane, policy) : 0;
            if (!__any_sync(WHOLE_WARP, bits != 0)) continue;
            for (int i = 0; i < WARP; i++)
                if (__shfl_sync(WHOLE_WARP, bits, i) >> lane & 1)
                    y[static_cast<size_t>(w + i) * 32 + lane] = 0;
        }
    }

    /* Tile t was the last of its chunk. Lane 0 stores the partial sum of the row that is open at the chunk's
     * end, and lane 1 that of the row that was open at its start, if it has ended. */
    __device__ __forceinline__ void end_chunk(int t)
    {
        const real rest = spread ? sum_for_all(open) : open;
        const int chunk = t >> a.tiles.shift;
        complete();
        const int to = __shfl_sync(WHOLE_WARP, span, lane == 0 ? 2 : 0);
        const int from = __shfl_sync(WHOLE_WARP, span, lane == 0 ? 3 : 0);
        const int row = __shfl_sync(WHOLE_WARP, span, lane == 0 ? 4 : 1);
        if (lane < 2 && to >= 0 && (lane == 0 || !begins)) {
            give(partials_of(chunk) + WORDS / 2 * lane, widened(lane == 0 ? rest : head));
            due = lane == 0 ? to : chunk;
            due_from = from;
            due_row = row;
        }
        if (due >= 0) came = atomicAdd(a.arrived + due, 1u);
        if (!ADDED && a.tiles.empty) clear_empty(chunk);
    }

    /* Each lane l reads K consecutive products, l K .. l K + K-1, from those that all lanes have stored. */
    __device__ __forceinline__ void turn(real (&product)[K])
    {
        constexpr int UNIT = 16 / sizeof(real);
#pragma unroll
        for (int j = 0; j < K / UNIT; j++) {
            const int4 some = *reinterpret_cast<const int4 *>(products + swizzle<real>(lane * K + UNIT * j));
            memcpy(product + UNIT * j, &some, sizeof some);
        }
    }

    /* Write the sums of the rows that end in the tile into `products`, one after the other. Bit j of `ends`
     * is set if a row ends with the lane's entry j; `before` rows end in lower lanes.
     *
     * Each lane adds up its products; at each end of a row it writes the sum and starts again. The remaining
     * sum belongs to a row that ends in a later lane. Lane `from` is the last one up to this lane in which a
     * row ends, or 0: the loop over distances makes `sum` that of lanes from .. lane, with the rounds of the
     * longest such stretch. The sum passed to the next lane belongs to the first row that ends there. */
    __device__ __forceinline__ void scan(uint32_t ends, int before)
    {
        real product[K];
        turn(product);
        __syncwarp();
        real sum = open;
        real *out = products + before;
#pragma unroll
        for (int j = 0; j < K; j++) {
            sum += product[j];
            if (ends >> j & 1) {
                *out++ = sum;
                sum = 0;
            }
        }
        const uint32_t has = __ballot_sync(WHOLE_WARP, ends != 0);
        if (has != WHOLE_WARP) {
            const uint32_t below = has & (WHOLE_WARP >> (31 - lane));
            const int from = below ? 31 - __clz(below) : 0, far = largest_of_all(lane - from);
            for (int distance = 1; distance <= far; distance *= 2) {
                const real other = __shfl_up_sync(WHOLE_WARP, sum, distance);
                if (lane - distance >= from) sum += other;
            }
        }
        const real handed = __shfl_up_sync(WHOLE_WARP, sum, 1);
        open = __shfl_sync(WHOLE_WARP, sum, 31);
        if (lane) open = 0;
        if (lane && ends) products[before] += handed;
        __syncwarp();
    }

    /* Write the sums of the `count` rows that end in the tile to y. If `row` is negative, the rows are
     * listed. The sum of a row that began in an earlier chunk becomes `head` instead. */
    __device__ __forceinline__ void store(int count, int32_t row)
    {
        bool inside = false;
        if (begins) {
            inside = __shfl_sync(WHOLE_WARP, span, 0) >= 0;
            begins = false;
            if (inside) head = products[0];
        }
        if constexpr (COMPLEX) {
            /* Not unrolled; the compiler unrolls the other loops in its own way. */
#pragma unroll 1
            for (int i = lane; i < count; i += WARP)
                if (!(inside && i == 0))
                    put(y, row >= 0 ? row + i : __ldg(a.tiles.rows + ~row + i), products[i], ADDED);
        } else if (row >= 0) {
            for (int i = lane; i < count; i += WARP)
                if (!(inside && i == 0)) put(y, row + i, products[i], ADDED);
        } else {
            const int32_t *rows = a.tiles.rows + ~row;
            for (int i = lane; i < count; i += WARP)
                if (!(inside && i == 0)) put(y, __ldg(rows + i), products[i], ADDED);
        }
        __syncwarp();
    }

    /* Process all tiles of this warp. A tile in which no row ends only adds to `open`, in each lane
     * separately. */
    __device__ __forceinline__ void go()
    {
        const int tiles = a.tiles.tiles, inner = (1 << a.tiles.shift) - 1;
        const real same = VALUES == TOLD_ONE ? again(val) : 0;
        int t = next(), t1 = tiles;
        if (t < tiles) {
            load_columns(t);
            load(t);
            t1 = next();
            if (t1 < tiles) load_columns(t1);
        }
        while (t < tiles) {
            real product[K];
#pragma unroll
            for (int j = 0; j < K; j++)
                product[j] = (VALUES == TOLD_ONE ? same : value[j]) * element[j];
            const uint32_t ends = mark & ((1u << K) - 1);
            const int before = static_cast<int>(mark >> K);
            const int32_t row = first;
            if ((t & inner) == 0) {
                span = next_span;
                begins = true;
                open = 0;
                spread = false;
            }
            const int count = __shfl_sync(WHOLE_WARP, before + __popc(ends), 31);
            if (count == 0) {
#pragma unroll
                for (int j = 0; j < K; j++)
                    open += product[j];
                spread = true;
            } else {
#pragma unroll
                for (int j = 0; j < K; j++)
                    products[swizzle<real>(j * WARP + lane)] = product[j];
            }
            int t2 = tiles;
            if (t1 < tiles) {
                load(t1);
                t2 = next();
                if (t2 < tiles) load_columns(t2);
            }
            if (count) {
                if (spread) {
                    open = sum_for_all(open);
                    if (lane) open = 0;
                    spread = false;
                }
                __syncwarp();
                scan(ends, before);
                store(count, row);
            }
            if ((t & inner) == inner || t + 1 == tiles) end_chunk(t);
            t = t1;
            t1 = t2;
        }
        complete();
    }
};

/* The warps of a block for values of this type. */
template <class real>
constexpr int WARPS_FOR = std::is_floating_point<real>::value ? BALANCED_WARPS : BALANCED_WARPS_COMPLEX;

/* There is one block for each multiprocessor, so that its warps share x in L1. */
template <class real, int K, bool NARROW, int VALUES, bool ADDED>
__global__ void __launch_bounds__(WARPS_FOR<real> *WARP, 1)
    csr_balanced(const balanced_arguments a, const real *__restrict__ val, const real *__restrict__ x,
                 real *__restrict__ y)
{
    __shared__ __align__(16) real products[WARPS_FOR<real>][TILE_LANES * K];
    __shared__ uint32_t taken;
    if (threadIdx.x == 0) taken = 0;
    __syncthreads();
    balanced_warp<real, K, NARROW, VALUES, ADDED> warp(a, val, x, y, products[threadIdx.x / WARP], &taken);
    warp.go();
}

template <class real, int K, bool NARROW, int VALUES, bool ADDED>
static void launch_balanced(const struct launch *launch)
{
    const auto *balanced = static_cast<const struct balanced *>(launch->state);
    const real *val = VALUES != TOLD_FULL ? static_cast<const real *>(balanced->unique.value)
                                          : array_of<real>(launch, CSR_VAL);
    balanced_arguments arguments = {
        balanced->tiles,        array_of<int32_t>(launch, CSR_COL),
        balanced->unique.index, reinterpret_cast<unsigned long long *>(balanced->partials),
        balanced->arrived,      matrix_stays(launch)};
    enqueue(launch, balanced_grid(launch), "csr_balanced", csr_balanced<real, K, NARROW, VALUES, ADDED>,
            arguments, val, x_of<real>(launch), y_of<real>(launch));
}

template <class real, int K, bool NARROW, int VALUES> static void balanced_as(const struct launch *launch)
{
    launch->product.accumulate ? launch_balanced<real, K, NARROW, VALUES, true>(launch)
                               : launch_balanced<real, K, NARROW, VALUES, false>(launch);
}

template <class real, int K, int VALUES> static void balanced_by(const struct launch *launch)
{
    bool narrow = static_cast<const struct balanced *>(launch->state)->tiles.col16 != nullptr;
    narrow ? balanced_as<real, K, true, VALUES>(launch) : balanced_as<real, K, false, VALUES>(launch);
}

template <class real, int K> static void balanced_of(const struct launch *launch)
{
    if constexpr (std::is_floating_point<real>::value)
        switch (values_told(&static_cast<const struct balanced *>(launch->state)->unique)) {
        case TOLD_BYTE:
            return balanced_by<real, K, TOLD_BYTE>(launch);
        case TOLD_ONE:
            return balanced_by<real, K, TOLD_ONE>(launch);
        }
    balanced_by<real, K, TOLD_FULL>(launch);
}

void cuda_csr_balanced(const struct launch *launch)
{
    if (!product_plain(launch->product)) return cuda_entries_of_csr(launch);
    if (static_cast<const struct balanced *>(launch->state)->tiles.tiles == 0) return clear_y(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        balanced_of<real, TILE_LANE_BYTES / sizeof(real)>(launch);
    });
}
