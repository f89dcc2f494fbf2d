/* Products by shares of equal numbers of entries, for COO and CSR. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "formats/coo.h"
#include "formats/csr.h"
#include "kernels/cuda/products/entries.h"
}

/* Store the sums of V vectors whose elements are `stride` apart, or add to them atomically. */
template <class real, int V>
__device__ __forceinline__ void add_strided(real *to, int64_t stride, const packed<real, V> &value)
{
    if (stride == 1) return add_packed<real, V>(to, value);
#pragma unroll
    for (int v = 0; v < V; v++)
        atomicAdd(to + v * stride, value.element[v]);
}

template <class real, int V>
__device__ __forceinline__ void put_strided(real *to, int64_t stride, const packed<real, V> &value,
                                            bool accumulate)
{
    if (stride == 1) return put_packed(to, value, accumulate);
#pragma unroll
    for (int v = 0; v < V; v++)
        put(to, v * stride, value.element[v], accumulate);
}

/* The work of a lane: the entries of its group of lanes, for V vectors from `first` on. */
struct stretch {
    int64_t begin, end;
    int first;
    bool some; /* it has entries and vectors */
};

template <int V>
__device__ __forceinline__ stretch stretch_of(const product_cut &cut, int64_t passing, int64_t interval,
                                              int64_t count, int columns)
{
    const int pass = cut.passes > 1 ? static_cast<int>(blockIdx.x / passing) : 0;
    const int64_t thread = (blockIdx.x - pass * passing) * PRODUCT_THREADS + threadIdx.x;
    stretch out;
    out.begin = thread / cut.lanes * interval;
    out.end = min(out.begin + interval, count);
    out.first = (pass * cut.lanes + (threadIdx.x & (cut.lanes - 1))) * V;
    out.some = out.begin < count && out.first < columns;
    return out;
}

/* Load `count` elements, fewer than PRODUCT_AHEAD; `other` stands for the rest. */
template <class T>
__device__ __forceinline__ void load_rest(T (&out)[PRODUCT_AHEAD], const T *from, int count, T other)
{
#pragma unroll
    for (int u = 0; u < PRODUCT_AHEAD; u++)
        out[u] = u < count ? load_entry(from + u) : other;
}

/* The products of PRODUCT_AHEAD entries from entry e on with the lane's vectors. */
template <class real, int V> struct entries_ahead {
    int32_t j[PRODUCT_AHEAD];
    real value[PRODUCT_AHEAD];
    packed<real, V> product[PRODUCT_AHEAD];

    __device__ __forceinline__ void multiply(const real *x, int x_element)
    {
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++)
            product[u] = load_packed<real, V>(x + static_cast<int64_t>(j[u]) * x_element);
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                product[u].element[v] *= value[u];
    }
};

/* Each entry is added to Y by an atomic addition. Entries of a group of lanes lie a warp apart, so that
 * neighbouring groups load neighbouring entries. */
template <class real, int V>
__global__ void entries_atomic(int64_t count, const product_cut cut, int64_t passing, int columns,
                               const product_places at, const int32_t *__restrict__ row,
                               const int32_t *__restrict__ col, const real *__restrict__ val, const real *x,
                               real *y)
{
    let_next_begin();
    const int room = WARP / cut.lanes, place = threadIdx.x % WARP / cut.lanes;
    const stretch mine = stretch_of<V>(cut, passing, 1, INT64_MAX, columns);
    int64_t e = (mine.begin - place) * PRODUCT_AHEAD + place;
    int32_t i[PRODUCT_AHEAD], j[PRODUCT_AHEAD];
    real value[PRODUCT_AHEAD];
    packed<real, V> element[PRODUCT_AHEAD];
    if (!mine.some) return;
    x += mine.first * at.x_vector;
    y += mine.first * at.y_vector;
#pragma unroll
    for (int u = 0; u < PRODUCT_AHEAD; u++) {
        bool there = e + u * room < count;
        i[u] = there ? __ldcs(row + e + u * room) : -1;
        j[u] = there ? __ldcs(col + e + u * room) : -1;
        value[u] = there ? load_entry(val + e + u * room) : real(0);
    }
    await_previous();
#pragma unroll
    for (int u = 0; u < PRODUCT_AHEAD; u++)
        element[u] = j[u] >= 0 ? load_packed<real, V>(x + static_cast<int64_t>(j[u]) * at.x_element)
                               : packed_zero<real, V>();
#pragma unroll
    for (int u = 0; u < PRODUCT_AHEAD; u++) {
        if (i[u] < 0) continue;
#pragma unroll
        for (int v = 0; v < V; v++)
            element[u].element[v] *= value[u];
        add_packed<real, V>(y + static_cast<int64_t>(i[u]) * at.y_element, element[u]);
    }
}

/* The rows of entries: of COO, they are loaded PRODUCT_AHEAD at a time. */
struct rows_of_coo {
    const int32_t *row;
    int32_t ahead[PRODUCT_AHEAD];

    __device__ __forceinline__ int64_t start(int64_t e)
    {
        return __ldg(row + e);
    }

    __device__ __forceinline__ void load(int64_t e)
    {
        load_ahead(ahead, row + e);
    }

    __device__ __forceinline__ void load(int64_t e, int count)
    {
        load_rest(ahead, row + e, count, -1);
    }

    /* The row of entry e + u, which `load` was called for; `before` is the row of the entry before. */
    __device__ __forceinline__ int64_t at(int64_t, int u, int64_t)
    {
        return ahead[u];
    }
};

/* For CSR, the first row is searched, and the others follow from the ends of rows. */
template <class offset> struct rows_of_csr {
    const offset *row_ptr;
    int64_t rows, end_of_row;

    /* Return the row of entry e, which is >= `low`. */
    __device__ __forceinline__ int64_t search(int64_t e, int64_t low)
    {
        int64_t high = rows - 1;
        while (low < high) {
            int64_t middle = low + (high - low) / 2;
            if (__ldg(row_ptr + middle + 1) > e)
                high = middle;
            else
                low = middle + 1;
        }
        end_of_row = __ldg(row_ptr + low + 1);
        return low;
    }

    __device__ __forceinline__ int64_t start(int64_t e)
    {
        return search(e, 0);
    }

    __device__ __forceinline__ void load(int64_t)
    {
    }

    __device__ __forceinline__ void load(int64_t, int)
    {
    }

    __device__ __forceinline__ int64_t at(int64_t e, int, int64_t before)
    {
        if (e < end_of_row) return before;
        end_of_row = __ldg(row_ptr + before + 2);
        return e < end_of_row ? before + 1 : search(e, before + 1);
    }
};

/* Add up the sums of all threads of the block for the same vectors, and return them in the first `lanes`
 * threads. All threads of the block call this. */
template <class real, int V>
__device__ __forceinline__ packed<real, V> block_sum(packed<real, V> sum, int lanes)
{
    __shared__ packed<real, V> sums[PRODUCT_THREADS];
    const int thread = static_cast<int>(threadIdx.x);
    sums[thread] = sum;
    for (int half = PRODUCT_THREADS / 2; half >= lanes; half /= 2) {
        __syncthreads();
        if (thread >= half) continue;
#pragma unroll
        for (int v = 0; v < V; v++)
            sums[thread].element[v] += sums[thread + half].element[v];
    }
    return sums[thread];
}

/* Y += A X, in the order of rows. The lanes that share the vectors process an interval of entries and sum up
 * each row. The sums of rows that lie within the interval are stored; those of its first and its last row are
 * added atomically, since other lanes may have parts of these rows as well (after the nonzero split of
 * Baxter's Modern GPU, which Yang et al., cited in products.h, compare with theirs; with lanes that share
 * vectors it needs no segmented sum):
 *
 *     row     3 3 3 4 4 4 4 6 | 6 6 7 7 7 8 8 8       intervals of 8 entries
 *             added   stored  +
 *                           added
 *
 * If all entries of a block are of one row, they are added up in the block first: otherwise long rows would
 * have too many atomic additions to one element for L2. Y is 0 before, unless the product accumulates. */
template <class real, int V, class Rows>
__global__ void entries_walk(int64_t count, int64_t interval, const product_cut cut, int64_t passing,
                             int columns, const product_places at, Rows rows, const int32_t *__restrict__ col,
                             const real *__restrict__ val, const real *x, real *y, bool accumulate)
{
    let_next_begin();
    __shared__ int64_t row_of_block;
    const stretch mine = stretch_of<V>(cut, passing, interval, count, columns);
    packed<real, V> sum = packed_zero<real, V>();
    int64_t first = -1, row = -1;
    x += mine.first * at.x_vector;
    y += mine.first * at.y_vector;
    if (mine.some) {
        entries_ahead<real, V> ahead;
        int64_t e = mine.begin;
        first = row = rows.start(e);
        await_previous();
        if (threadIdx.x == 0) row_of_block = first;
        const auto take = [&](int u) {
            const int64_t next = rows.at(e + u, u, row);
            if (next != row) {
                if (row == first)
                    add_strided<real, V>(y + row * at.y_element, at.y_vector, sum);
                else
                    put_strided<real, V>(y + row * at.y_element, at.y_vector, sum, accumulate);
                sum = packed_zero<real, V>();
                row = next;
            }
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += ahead.product[u].element[v];
        };
#pragma unroll 1
        for (; e + PRODUCT_AHEAD <= mine.end; e += PRODUCT_AHEAD) {
            rows.load(e);
            load_ahead(ahead.j, col + e);
            load_ahead(ahead.value, val + e);
            ahead.multiply(x, at.x_element);
#pragma unroll
            for (int u = 0; u < PRODUCT_AHEAD; u++)
                take(u);
        }
        const int rest = static_cast<int>(mine.end - e);
        if (rest > 0) {
            rows.load(e, rest);
            load_rest(ahead.j, col + e, rest, 0);
            load_rest(ahead.value, val + e, rest, real(0));
            ahead.multiply(x, at.x_element);
#pragma unroll
            for (int u = 0; u < PRODUCT_AHEAD; u++)
                if (u < rest) take(u);
        }
    }
    __syncthreads();
    const bool alike = !mine.some || (first == row_of_block && row == row_of_block);
    if (__syncthreads_and(alike)) {
        row = row_of_block;
        sum = block_sum<real, V>(sum, cut.lanes);
        if (threadIdx.x >= cut.lanes) return;
    }
    if (mine.some) add_strided<real, V>(y + row * at.y_element, at.y_vector, sum);
}

/* The entries of a warp in entries_staged. */
constexpr int STAGED_ENTRIES = PRODUCT_STAGED;

/* The place of 16 bytes among those of an array, such that lanes that read pieces MASK + 1 apart find them in
 * different banks. */
template <int MASK> __device__ __forceinline__ int staged_place(int piece)
{
    return piece ^ (piece >> 3 & MASK);
}

/* Load the warp's entries of an array into shared memory, so that it reads neighbouring addresses, which its
 * lanes would not. `other` stands for those beyond the last. */
template <class T, int MASK>
__device__ __forceinline__ void stage(int4 *there, const T *from, int count, T other)
{
    constexpr int EACH = sizeof(int4) / sizeof(T), PIECES = STAGED_ENTRIES / EACH;
    const int lane = threadIdx.x % WARP;
    if (count == STAGED_ENTRIES) {
        int4 bits[PIECES / WARP];
#pragma unroll
        for (int u = 0; u < PIECES / WARP; u++)
            bits[u] = __ldcs(reinterpret_cast<const int4 *>(from) + u * WARP + lane);
#pragma unroll
        for (int u = 0; u < PIECES / WARP; u++)
            there[staged_place<MASK>(u * WARP + lane)] = bits[u];
    } else {
        for (int k = lane; k < STAGED_ENTRIES; k += WARP)
            reinterpret_cast<T *>(there + staged_place<MASK>(k / EACH))[k % EACH] =
                k < count ? from[k] : other;
    }
}

template <class T, int MASK>
__device__ __forceinline__ void unstage(T (&out)[PRODUCT_AHEAD], const int4 *there, int e)
{
    constexpr int PIECES = sizeof out / sizeof(int4);
    int4 bits[PIECES];
#pragma unroll
    for (int k = 0; k < PIECES; k++)
        bits[k] =
            there[staged_place<MASK>(e * static_cast<int>(sizeof(T)) / static_cast<int>(sizeof(int4)) + k)];
    memcpy(out, bits, sizeof out);
}

/* As entries_walk, for few vectors, which few lanes share: a warp first loads all of its entries. */
template <class real, int V>
__global__ void __launch_bounds__(PRODUCT_THREADS, 4)
    entries_staged(int64_t count, int lanes, int columns, const product_places at,
                   const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                   const real *__restrict__ val, const real *x, real *y, bool accumulate)
{
    constexpr int MASK = sizeof(real) / 2 - 1, INDICES = STAGED_ENTRIES / 4,
                  PIECES = 2 * INDICES + STAGED_ENTRIES * sizeof(real) / sizeof(int4);
    __shared__ int4 room[PRODUCT_THREADS / WARP][PIECES];
    let_next_begin();
    int4 *mine = room[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, each = STAGED_ENTRIES / WARP * lanes,
              first = (lane & (lanes - 1)) * V;
    const int64_t base =
        (static_cast<int64_t>(blockIdx.x) * (PRODUCT_THREADS / WARP) + threadIdx.x / WARP) * STAGED_ENTRIES;
    if (base >= count) return;
    const int some = static_cast<int>(min(count - base, static_cast<int64_t>(STAGED_ENTRIES)));
    stage<int32_t, 1>(mine, row + base, some, -1);
    stage<int32_t, 1>(mine + INDICES, col + base, some, 0);
    stage<real, MASK>(mine + 2 * INDICES, val + base, some, real(0));
    __syncwarp();
    await_previous();
    const int begin = lane / lanes * each, end = min(begin + each, some);
    const bool works = begin < end && first < columns;
    packed<real, V> sum = packed_zero<real, V>();
    int32_t before = -1, now = -1;
    x += first * at.x_vector;
    y += first * at.y_vector;
#pragma unroll 1
    for (int e = begin; works && e < end; e += PRODUCT_AHEAD) {
        int32_t i[PRODUCT_AHEAD];
        entries_ahead<real, V> ahead;
        unstage<int32_t, 1>(i, mine, e);
        unstage<int32_t, 1>(ahead.j, mine + INDICES, e);
        unstage<real, MASK>(ahead.value, mine + 2 * INDICES, e);
        ahead.multiply(x, at.x_element);
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++) {
            if (e + u >= end) continue;
            if (i[u] != now && now >= 0) {
                if (now == before)
                    add_strided<real, V>(y + static_cast<int64_t>(now) * at.y_element, at.y_vector, sum);
                else
                    put_strided<real, V>(y + static_cast<int64_t>(now) * at.y_element, at.y_vector, sum,
                                         accumulate);
                sum = packed_zero<real, V>();
            }
            if (now < 0) before = i[u];
            now = i[u];
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += ahead.product[u].element[v];
        }
    }
    const int32_t *rows = reinterpret_cast<const int32_t *>(mine);
    if (some == STAGED_ENTRIES &&
        rows[0] == reinterpret_cast<const int32_t *>(mine + staged_place<1>(INDICES - 1))[3]) {
        for (int distance = WARP / 2; distance >= lanes; distance /= 2)
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += __shfl_down_sync(WHOLE_WARP, sum.element[v], distance);
        if (lane >= lanes) return;
    }
    if (works) add_strided<real, V>(y + static_cast<int64_t>(now) * at.y_element, at.y_vector, sum);
}

/* The cut for at most this number of elements of X that a lane loads at once, and of Y that it adds at once.
 */
template <class real> static struct product_cut entries_cut(const struct launch *launch, int most)
{
    const product_places at = product_places_of(launch);
    const uintptr_t addresses =
        bits_of(turned_x<real>(launch)) | (at.y_vector == 1 ? bits_of(turned_y<real>(launch)) : 0);
    if (at.x_vector != 1) most = 1;
    return product_cut_of(product_columns(launch->product), sizeof(real), most, addresses, 1);
}

void cuda_entries_atomic(const struct launch *launch)
{
    const bool early = enqueue_before(launch, true);
    by_precision(launch, [launch, early](auto value) {
        using real = decltype(value);
        const bool together = product_places_of(launch).y_vector == 1;
        const product_cut cut = entries_cut<real>(launch, together ? adds_at_once<real>() : 1);
        const int64_t count = launch->storage->nnz,
                      passing = product_entries_passing(count, cut, PRODUCT_AHEAD);
        const int32_t *row = array_of<int32_t>(launch, COO_ROW), *col = array_of<int32_t>(launch, COO_COL);
        const bool transposed = launch->product.transposed;
        by_vector<real>(cut, [&](auto vector) {
            enqueue_early(launch, product_entries_grid(passing, cut), early, "entries_atomic",
                          entries_atomic<real, vector>, count, cut, passing, product_columns(launch->product),
                          product_places_of(launch), transposed ? col : row, transposed ? row : col,
                          array_of<real>(launch, COO_VAL), turned_x<real>(launch), turned_y<real>(launch));
        });
    });
    enqueue_turn_y(launch);
}

template <class real, class Rows>
static void walk(const struct launch *launch, const Rows &rows, int q_col, int q_val)
{
    const product_cut cut = entries_cut<real>(launch, 16 / sizeof(real));
    const int64_t count = launch->storage->nnz;
    const int64_t interval = product_interval(count, cut, grid_resident_threads(launch));
    const int64_t passing = product_entries_passing(count, cut, interval);
    const bool early = enqueue_before(launch, true);
    by_vector<real>(cut, [&](auto vector) {
        enqueue_early(launch, product_entries_grid(passing, cut), early, "entries_walk",
                      entries_walk<real, vector, Rows>, count, interval, cut, passing,
                      product_columns(launch->product), product_places_of(launch), rows,
                      array_of<int32_t>(launch, q_col), array_of<real>(launch, q_val), turned_x<real>(launch),
                      y_of<real>(launch), launch->product.accumulate);
    });
}

/* Enqueue entries_staged if it is faster; otherwise return false. */
template <class real> static bool walk_staged(const struct launch *launch)
{
    const product_cut cut = entries_cut<real>(launch, 16 / sizeof(real));
    const int64_t count = launch->storage->nnz;
    if (!product_staged(count, cut, grid_resident_threads(launch))) return false;
    const bool early = enqueue_before(launch, true);
    by_vector<real>(cut, [&](auto vector) {
        enqueue_early(launch, grid_for((count + STAGED_ENTRIES - 1) / STAGED_ENTRIES, WARP, PRODUCT_THREADS),
                      early, "entries_staged", entries_staged<real, vector>, count, cut.lanes,
                      product_columns(launch->product), product_places_of(launch),
                      array_of<int32_t>(launch, COO_ROW), array_of<int32_t>(launch, COO_COL),
                      array_of<real>(launch, COO_VAL), turned_x<real>(launch), y_of<real>(launch),
                      launch->product.accumulate);
    });
    return true;
}

void cuda_entries_by_row(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        rows_of_coo rows = {};
        if (walk_staged<decltype(value)>(launch)) return;
        rows.row = array_of<int32_t>(launch, COO_ROW);
        walk<decltype(value)>(launch, rows, COO_COL, COO_VAL);
    });
}

void cuda_entries_of_csr(const struct launch *launch)
{
    by_types(launch, [launch](auto value, auto index) {
        using offset = std::conditional_t<sizeof index == 8, long, int>;
        rows_of_csr<offset> rows = {};
        rows.row_ptr = array_of<offset>(launch, CSR_ROW_PTR);
        rows.rows = launch->storage->rows;
        walk<decltype(value)>(launch, rows, CSR_COL, CSR_VAL);
    });
}
