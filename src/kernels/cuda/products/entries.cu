/* Y = A X and Y = A^T X for COO, entry by entry or by a segmented sum. */
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "formats/coo.h"
#include "kernels/cuda/coo.h"
#include "kernels/cuda/products/entries.h"
}

/* The vectors that a lane has: the first of its first tile, and how far the next tile is. */
struct vectors {
    int first, apart, columns;

    __device__ __forceinline__ bool has(int t) const
    {
        return first + t * apart < columns;
    }
};

template <class real, int V, int T>
__device__ __forceinline__ void add_tiles(real *y, int64_t i, const vectors &mine,
                                          const packed<real, V> (&value)[T])
{
#pragma unroll
    for (int t = 0; t < T; t++)
        if (mine.has(t)) add_packed<real, V>(y + i * mine.columns + mine.first + t * mine.apart, value[t]);
}

/* Entries that are loaded together: those of PRODUCT_AHEAD steps. An entry that is not there has row -1. */
template <class real, int V, int T> struct entries_ahead {
    int32_t i[PRODUCT_AHEAD], j[PRODUCT_AHEAD];
    real value[PRODUCT_AHEAD];
    packed<real, V> element[PRODUCT_AHEAD][T];

    __device__ __forceinline__ void load(int64_t e, int64_t end, int64_t step, const int32_t *row,
                                         const int32_t *col, const real *val, const real *x,
                                         const vectors &mine)
    {
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++) {
            int64_t k = e + u * step;
            i[u] = k < end ? __ldcs(row + k) : -1;
            j[u] = k < end ? __ldcs(col + k) : -1;
            value[u] = k < end ? load_entry(val + k) : real(0);
        }
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++)
#pragma unroll
            for (int t = 0; t < T; t++)
                element[u][t] = j[u] >= 0 && mine.has(t)
                                    ? load_packed<real, V>(x + static_cast<int64_t>(j[u]) * mine.columns +
                                                           mine.first + t * mine.apart)
                                    : packed_zero<real, V>();
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++)
#pragma unroll
            for (int t = 0; t < T; t++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    element[u][t].element[v] *= value[u];
    }
};

/* Each entry has the lanes of the cut, which add its products to y. A warp takes PRODUCT_AHEAD times as many
 * entries as it has room for, one after another. Rows and columns change places if A is transposed. */
template <class real, int V, int T>
__global__ void entries_atomic(int64_t count, int lanes, int columns, const int32_t *__restrict__ row,
                               const int32_t *__restrict__ col, const real *__restrict__ val,
                               const real *__restrict__ x, real *y)
{
    const int room = WARP / lanes, lane = threadIdx.x % WARP;
    const vectors mine = {(lane & (lanes - 1)) * V, lanes * V, columns};
    int64_t e = thread_of_grid() / WARP * (room * PRODUCT_AHEAD) + lane / lanes;
    entries_ahead<real, V, T> ahead;
    ahead.load(e, count, room, row, col, val, x, mine);
#pragma unroll
    for (int u = 0; u < PRODUCT_AHEAD; u++)
        if (ahead.i[u] >= 0) add_tiles<real, V, T>(y, ahead.i[u], mine, ahead.element[u]);
}

/* Row i has ended within an interval, with these sums. If it began before the interval, other warps add to
 * it, too. */
template <class real, int V, int T>
__device__ __forceinline__ void finish_tiles(real *y, int64_t i, const vectors &mine,
                                             const packed<real, V> (&sum)[T], bool began_before,
                                             bool accumulate)
{
    if (began_before) return add_tiles<real, V, T>(y, i, mine, sum);
#pragma unroll
    for (int t = 0; t < T; t++) {
        if (!mine.has(t)) continue;
        real *to = y + i * mine.columns + mine.first + t * mine.apart;
        packed<real, V> out = sum[t];
        if (accumulate) {
            const packed<real, V> before = *reinterpret_cast<const packed<real, V> *>(to);
#pragma unroll
            for (int v = 0; v < V; v++)
                out.element[v] = before.element[v] + sum[t].element[v];
        }
        *reinterpret_cast<packed<real, V> *>(to) = out;
    }
}

/* Each warp goes through an interval of entries, as many at a time as it has room for, and adds the products
 * of a row by a segmented sum, as coo_segmented does (kernels/cuda/coo.cu) with one vector. A place of the
 * warp is the lanes that share an entry; a sum is carried on in the lanes of the first place. Entries are
 * loaded PRODUCT_AHEAD steps at once. */
template <class real, int V, int T>
__global__ void entries_segmented(int64_t count, int64_t interval, int lanes, int columns,
                                  const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                                  const real *__restrict__ val, const real *__restrict__ x, real *y,
                                  bool accumulate)
{
    const int room = WARP / lanes, lane = threadIdx.x % WARP, place = lane / lanes;
    const vectors mine = {(lane & (lanes - 1)) * V, lanes * V, columns};
    const int64_t begin = thread_of_grid() / WARP * interval;
    if (begin >= count) return;
    const int64_t end = begin + interval < count ? begin + interval : count;
    const int32_t first = __ldg(row + begin), last = __ldg(row + end - 1);
    int32_t carried = first;
    packed<real, V> carry[T];
#pragma unroll
    for (int t = 0; t < T; t++)
        carry[t] = packed_zero<real, V>();
#pragma unroll 1
    for (int64_t e = begin + place; e - place < end; e += PRODUCT_AHEAD * room) {
        entries_ahead<real, V, T> ahead;
        ahead.load(e, end, room, row, col, val, x, mine);
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++) {
            /* What lies behind the interval adds 0 to its last row. */
            int32_t i = ahead.i[u] >= 0 ? ahead.i[u] : last;
            packed<real, V>(&sum)[T] = ahead.element[u];
            if (place == 0 && i == carried) {
#pragma unroll
                for (int t = 0; t < T; t++)
#pragma unroll
                    for (int v = 0; v < V; v++)
                        sum[t].element[v] += carry[t].element[v];
            }
            if (place == 0 && i != carried)
                finish_tiles<real, V, T>(y, carried, mine, carry, carried == first, accumulate);
            for (int distance = lanes; distance < WARP; distance *= 2) {
                bool same = __shfl_up_sync(WHOLE_WARP, i, distance) == i && lane >= distance;
#pragma unroll
                for (int t = 0; t < T; t++)
#pragma unroll
                    for (int v = 0; v < V; v++) {
                        real other = __shfl_up_sync(WHOLE_WARP, sum[t].element[v], distance);
                        if (same) sum[t].element[v] += other;
                    }
            }
            int32_t next = __shfl_down_sync(WHOLE_WARP, i, lanes & (WARP - 1));
            if (place < room - 1 && next != i)
                finish_tiles<real, V, T>(y, i, mine, sum, i == first, accumulate);
            int from = WARP - lanes + (lane & (lanes - 1));
            carried = __shfl_sync(WHOLE_WARP, i, from);
#pragma unroll
            for (int t = 0; t < T; t++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    carry[t].element[v] = __shfl_sync(WHOLE_WARP, sum[t].element[v], from);
        }
    }
    if (place == 0) add_tiles<real, V, T>(y, carried, mine, carry);
}

/* X and Y as the loops take them, and how many vectors a lane adds to at once. */
template <class real> static struct product_cut entries_cut(const struct launch *launch, int most)
{
    uintptr_t addresses = bits_of(turned_x<real>(launch)) | bits_of(turned_y<real>(launch));
    return product_cut_of(product_columns(launch->product), sizeof(real), most, addresses, 1);
}

void cuda_entries_atomic(const struct launch *launch)
{
    enqueue_turn_x(launch);
    clear_turned_y(launch);
    by_precision(launch, [launch](auto value) {
        using real = decltype(value);
        const product_cut cut = entries_cut<real>(launch, adds_at_once<real>());
        const int32_t *row = array_of<int32_t>(launch, COO_ROW), *col = array_of<int32_t>(launch, COO_COL);
        const bool transposed = launch->product.transposed;
        by_cut<real>(cut, [&](auto vector, auto tiles) {
            enqueue(launch, entries_atomic_grid(launch->storage->nnz, cut), "entries_atomic",
                    entries_atomic<real, vector, tiles>, launch->storage->nnz, cut.lanes,
                    product_columns(launch->product), transposed ? col : row, transposed ? row : col,
                    array_of<real>(launch, COO_VAL), turned_x<real>(launch), turned_y<real>(launch));
        });
    });
    enqueue_turn_y(launch);
}

void cuda_entries_segmented(const struct launch *launch)
{
    enqueue_turn_x(launch);
    clear_turned_y(launch);
    const bool accumulate = launch->product.accumulate && !product_turned(launch);
    by_precision(launch, [=](auto value) {
        using real = decltype(value);
        const product_cut cut = entries_cut<real>(launch, 16 / sizeof(real));
        by_cut<real>(cut, [&](auto vector, auto tiles) {
            enqueue(launch, coo_segmented_grid(launch), "entries_segmented",
                    entries_segmented<real, vector, tiles>, launch->storage->nnz,
                    coo_segmented_interval(launch), cut.lanes, product_columns(launch->product),
                    array_of<int32_t>(launch, COO_ROW), array_of<int32_t>(launch, COO_COL),
                    array_of<real>(launch, COO_VAL), turned_x<real>(launch), turned_y<real>(launch), accumulate);
        });
    });
    enqueue_turn_y(launch);
}
