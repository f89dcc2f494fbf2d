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

/* The same for vectors that are stored column by column: each lane has an entry and V
 * vectors. Neighbouring lanes then read and add to neighbouring elements of a vector if their entries have
 * neighbouring rows and columns. The last lanes may have fewer than V vectors. */
template <class real, int V>
__global__ void entries_apart(int64_t count, int passes, int columns, const product_places at,
                              const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                              const real *__restrict__ val, const real *x, real *y)
{
    let_next_begin();
    const int64_t block = blockIdx.x / passes, e = block * PRODUCT_THREADS + threadIdx.x;
    const int first = static_cast<int>(blockIdx.x - block * passes) * V;
    if (e >= count) return;
    const int32_t i = __ldcs(row + e), j = __ldcs(col + e);
    const real value = load_entry(val + e);
    await_previous();
    x += j * static_cast<int64_t>(at.x_element) + first * at.x_vector;
    y += i * static_cast<int64_t>(at.y_element) + first * at.y_vector;
    real element[V];
#pragma unroll
    for (int v = 0; v < V; v++)
        element[v] = first + v < columns ? load_packed<real, 1>(x + v * at.x_vector).element[0] : real(0);
#pragma unroll
    for (int v = 0; v < V; v++)
        if (first + v < columns) atomicAdd(y + v * at.y_vector, value * element[v]);
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
 * threads. All threads of the block call this; `sums` is in shared memory. */
template <class real, int V>
__device__ __forceinline__ packed<real, V> block_sum(packed<real, V> *sums, packed<real, V> sum, int lanes)
{
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
    __shared__ packed<real, V> sums[PRODUCT_THREADS];
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
        sum = block_sum<real, V>(sums, sum, cut.lanes);
        if (threadIdx.x >= cut.lanes) return;
    }
    if (mine.some) add_strided<real, V>(y + row * at.y_element, at.y_vector, sum);
}

/* The place of 16 bytes among those of an array, such that lanes that read pieces MASK + 1 apart find them in
 * different banks. */
template <int MASK> __device__ __forceinline__ int staged_place(int piece)
{
    return piece ^ (piece >> 3 & MASK);
}

/* Load the warp's entries of an array into shared memory by neighbouring addresses; its groups of lanes would
 * read addresses far apart. Entries count .. room-1 become `other`. */
template <class T, int MASK>
__device__ __forceinline__ void stage(int4 *there, const T *from, int count, int room, T other)
{
    constexpr int EACH = sizeof(int4) / sizeof(T), MOST = PRODUCT_STAGED / EACH / WARP;
    const int lane = threadIdx.x % WARP;
    if (count == room) {
        int4 bits[MOST];
#pragma unroll
        for (int u = 0; u < MOST; u++)
            if ((u * WARP + lane) * EACH < room)
                bits[u] = __ldcs(reinterpret_cast<const int4 *>(from) + u * WARP + lane);
#pragma unroll
        for (int u = 0; u < MOST; u++)
            if ((u * WARP + lane) * EACH < room) there[staged_place<MASK>(u * WARP + lane)] = bits[u];
    } else {
        for (int k = lane; k < room; k += WARP)
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

/* Load V elements of a row of X, which are `stride` apart if APART. */
template <bool APART, class real, int V>
__device__ __forceinline__ packed<real, V> load_spread(const real *from, int64_t stride)
{
    if constexpr (APART) {
        packed<real, V> out;
#pragma unroll
        for (int v = 0; v < V; v++)
            out.element[v] = load_packed<real, 1>(from + v * stride).element[0];
        return out;
    } else {
        return load_packed<real, V>(from);
    }
}

/* The sums of a group of lanes over its entries. */
template <class real, int V> struct group_sums {
    packed<real, V> head, sum; /* of its first row if that differs from its last one, and of its last row */
    int32_t before, now;       /* these rows; -1 if it has no entries */
    bool broke;                /* they differ */
};

/* Join the sums of the rows that several groups of a warp share. Only the warp's first and last rows are
 * added atomically: other warps may have entries of them. */
template <class real, int V>
__device__ __forceinline__ void join_groups(const group_sums<real, V> &mine, int lanes, bool works, real *y,
                                            const product_places &at, bool accumulate)
{
    const int lane = threadIdx.x % WARP;
    const int32_t first = __shfl_sync(WHOLE_WARP, mine.before, 0);
    packed<real, V> sum = mine.sum, carried;
    for (int distance = lanes; distance < WARP; distance *= 2) {
        const int32_t row = __shfl_up_sync(WHOLE_WARP, mine.now, distance);
#pragma unroll
        for (int v = 0; v < V; v++) {
            const real other = __shfl_up_sync(WHOLE_WARP, sum.element[v], distance);
            if (lane >= distance && row == mine.now) sum.element[v] += other;
        }
    }
    const int32_t previous = __shfl_up_sync(WHOLE_WARP, mine.now, lanes);
    const int32_t following = __shfl_down_sync(WHOLE_WARP, mine.before, lanes);
#pragma unroll
    for (int v = 0; v < V; v++)
        carried.element[v] = __shfl_up_sync(WHOLE_WARP, sum.element[v], lanes);
    if (!works) return;
    if (mine.broke) {
        real *to = y + static_cast<int64_t>(mine.before) * at.y_element;
        packed<real, V> head = mine.head;
        if (lane >= lanes && previous == mine.before)
#pragma unroll
            for (int v = 0; v < V; v++)
                head.element[v] += carried.element[v];
        if (mine.before == first)
            add_strided<real, V>(to, at.y_vector, head);
        else
            put_strided<real, V>(to, at.y_vector, head, accumulate);
    }
    const bool last = lane + lanes >= WARP || following < 0;
    real *to = y + static_cast<int64_t>(mine.now) * at.y_element;
    if (last || (following != mine.now && mine.now == first))
        add_strided<real, V>(to, at.y_vector, sum);
    else if (following != mine.now)
        put_strided<real, V>(to, at.y_vector, sum, accumulate);
}

/* As entries_walk, for few vectors, which few lanes share. A warp first loads all of its entries, `each` for
 * a group of lanes. At the end it joins the sums of groups that share a row. If all entries of a block are in
 * one row, the block joins all of its sums. */
template <class real, int V, bool APART>
__global__ void __launch_bounds__(PRODUCT_THREADS, sizeof(real) > 8 ? 3 : 4)
    entries_staged(int64_t count, int lanes, int each, int columns, const product_places at,
                   const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                   const real *__restrict__ val, const real *x, real *y, bool accumulate)
{
    constexpr int MASK = sizeof(real) / 2 - 1, INDICES = PRODUCT_STAGED / 4,
                  PIECES = 2 * INDICES + PRODUCT_STAGED * sizeof(real) / sizeof(int4);
    __shared__ int4 room[PRODUCT_THREADS / WARP][PIECES];
    let_next_begin();
    int4 *staged = room[threadIdx.x / WARP];
    const int lane = threadIdx.x % WARP, first = (lane & (lanes - 1)) * V, all = WARP / lanes * each;
    const int64_t base =
        (static_cast<int64_t>(blockIdx.x) * (PRODUCT_THREADS / WARP) + threadIdx.x / WARP) * all;
    const int some = static_cast<int>(max(min(count - base, static_cast<int64_t>(all)), int64_t{0}));
    if (some > 0) {
        stage<int32_t, 1>(staged, row + base, some, all, -1);
        stage<int32_t, 1>(staged + INDICES, col + base, some, all, 0);
        stage<real, MASK>(staged + 2 * INDICES, val + base, some, all, real(0));
    }
    __syncwarp();
    await_previous();
    const int begin = lane / lanes * each, end = min(begin + each, some);
    const bool works = begin < end && first < columns;
    group_sums<real, V> mine = {packed_zero<real, V>(), packed_zero<real, V>(), -1, -1, false};
    x += first * at.x_vector;
    y += first * at.y_vector;
#pragma unroll 1
    for (int e = begin; works && e < end; e += PRODUCT_AHEAD) {
        int32_t i[PRODUCT_AHEAD], j[PRODUCT_AHEAD];
        real value[PRODUCT_AHEAD];
        packed<real, V> element[PRODUCT_AHEAD];
        unstage<int32_t, 1>(i, staged, e);
        unstage<int32_t, 1>(j, staged + INDICES, e);
        unstage<real, MASK>(value, staged + 2 * INDICES, e);
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++)
            element[u] =
                load_spread<APART, real, V>(x + static_cast<int64_t>(j[u]) * at.x_element, at.x_vector);
#pragma unroll
        for (int u = 0; u < PRODUCT_AHEAD; u++) {
            if (e + u >= end) continue;
            if (i[u] != mine.now && mine.now >= 0) {
                if (mine.broke)
                    put_strided<real, V>(y + static_cast<int64_t>(mine.now) * at.y_element, at.y_vector,
                                         mine.sum, accumulate);
                else
                    mine.head = mine.sum;
                mine.broke = true;
                mine.sum = packed_zero<real, V>();
            }
            if (mine.now < 0) mine.before = i[u];
            mine.now = i[u];
#pragma unroll
            for (int v = 0; v < V; v++)
                mine.sum.element[v] += value[u] * element[u].element[v];
        }
    }
    __syncthreads();
    const int32_t row_of_block = reinterpret_cast<const int32_t *>(room)[0];
    if (!__syncthreads_and(mine.now < 0 || mine.now == row_of_block))
        return join_groups<real, V>(mine, lanes, works, y, at, accumulate);
    mine.sum = block_sum<real, V>(reinterpret_cast<packed<real, V> *>(room), mine.sum, lanes);
    if (threadIdx.x < lanes && works)
        add_strided<real, V>(y + static_cast<int64_t>(row_of_block) * at.y_element, at.y_vector, mine.sum);
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

/* Enqueue entries_apart. */
template <class real> static void adds_apart(const struct launch *launch, bool early)
{
    const int columns = product_columns(launch->product), each = product_apart_vectors(columns),
              passes = (columns + each - 1) / each;
    const int32_t *row = array_of<int32_t>(launch, COO_ROW), *col = array_of<int32_t>(launch, COO_COL);
    const bool transposed = launch->product.transposed;
    struct grid grid = grid_for(launch->storage->nnz, 1, PRODUCT_THREADS);
    grid.blocks *= passes;
    enqueue_early(launch, grid, early, "entries_apart",
                  each == 8 ? entries_apart<real, 8> : entries_apart<real, 4>, launch->storage->nnz, passes,
                  columns, product_places_of(launch), transposed ? col : row, transposed ? row : col,
                  array_of<real>(launch, COO_VAL), x_of<real>(launch), y_of<real>(launch));
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
        if (static_cast<const product_state *>(launch->state)->straight)
            return adds_apart<real>(launch, early);
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
    const int columns = product_columns(launch->product);
    const product_places at = product_places_of(launch);
    const int64_t count = launch->storage->nnz;
    const bool apart = at.x_vector != 1;
    const uintptr_t addresses =
        bits_of(turned_x<real>(launch)) | (at.y_vector == 1 ? bits_of(y_of<real>(launch)) : 0);
    const product_cut cut = product_staged_cut(columns, sizeof(real), apart, addresses);
    const int each = product_staged(count, cut, grid_resident_threads(launch));
    if (each == 0) return false;
    const bool early = enqueue_before(launch, true);
    const int64_t warps = product_staged_warps(count, cut, each);
    by_vector<real>(cut, [&](auto vector) {
        enqueue_early(launch, grid_for(warps, WARP, PRODUCT_THREADS), early, "entries_staged",
                      apart ? entries_staged<real, vector, (vector > 1)>
                            : entries_staged<real, vector, false>,
                      count, cut.lanes, each, columns, at, array_of<int32_t>(launch, COO_ROW),
                      array_of<int32_t>(launch, COO_COL), array_of<real>(launch, COO_VAL),
                      turned_x<real>(launch), y_of<real>(launch), launch->product.accumulate);
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
