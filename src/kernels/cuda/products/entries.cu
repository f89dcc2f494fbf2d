/* Products by shares of as many entries each: of COO and of CSR. */
#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "formats/coo.h"
#include "formats/csr.h"
#include "kernels/cuda/products/entries.h"
}

#define AHEAD PRODUCT_ENTRIES_AHEAD

/* What a lane does: the entries of its group of lanes, of which it has V vectors from the `first` on. */
struct stretch {
    int64_t begin, end;
    int first;
    bool some; /* there are entries and vectors for it */
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

/* The products of AHEAD entries from entry e on with the lane's vectors. Entries from `end` on are not there.
 */
template <class real, int V> struct entries_ahead {
    packed<real, V> product[AHEAD];

    __device__ __forceinline__ void load(int64_t e, int64_t end, const int32_t *col, const real *val,
                                         const real *x, int columns)
    {
        int32_t j[AHEAD];
        real value[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            j[u] = e + u < end ? __ldcs(col + e + u) : -1;
            value[u] = e + u < end ? load_entry(val + e + u) : real(0);
        }
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            product[u] = j[u] >= 0 ? load_packed<real, V>(x + static_cast<int64_t>(j[u]) * columns)
                                   : packed_zero<real, V>();
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                product[u].element[v] *= value[u];
    }
};

/* Each entry is added to Y by an atomic addition. Entries of a group of lanes lie a warp apart, so that
 * neighbouring groups load neighbouring entries. */
template <class real, int V>
__global__ void entries_atomic(int64_t count, const product_cut cut, int64_t passing, int columns,
                               const int32_t *__restrict__ row, const int32_t *__restrict__ col,
                               const real *__restrict__ val, const real *__restrict__ x, real *y)
{
    const int room = WARP / cut.lanes, place = threadIdx.x % WARP / cut.lanes;
    const stretch mine = stretch_of<V>(cut, passing, 1, INT64_MAX, columns);
    int64_t e = (mine.begin - place) * AHEAD + place;
    int32_t i[AHEAD], j[AHEAD];
    real value[AHEAD];
    packed<real, V> element[AHEAD];
    if (!mine.some) return;
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        bool there = e + u * room < count;
        i[u] = there ? __ldcs(row + e + u * room) : -1;
        j[u] = there ? __ldcs(col + e + u * room) : -1;
        value[u] = there ? load_entry(val + e + u * room) : real(0);
    }
#pragma unroll
    for (int u = 0; u < AHEAD; u++)
        element[u] = j[u] >= 0 ? load_packed<real, V>(x + static_cast<int64_t>(j[u]) * columns + mine.first)
                               : packed_zero<real, V>();
#pragma unroll
    for (int u = 0; u < AHEAD; u++) {
        if (i[u] < 0) continue;
#pragma unroll
        for (int v = 0; v < V; v++)
            element[u].element[v] *= value[u];
        add_packed<real, V>(y + static_cast<int64_t>(i[u]) * columns + mine.first, element[u]);
    }
}

/* The rows of entries: of COO, they are loaded AHEAD at a time. */
struct rows_of_coo {
    const int32_t *row;
    int32_t ahead[AHEAD];

    __device__ __forceinline__ int64_t start(int64_t e)
    {
        return __ldg(row + e);
    }

    __device__ __forceinline__ void load(int64_t e, int64_t end)
    {
#pragma unroll
        for (int u = 0; u < AHEAD; u++)
            ahead[u] = e + u < end ? __ldcs(row + e + u) : -1;
    }

    /* The row of entry e + u, which `load` was called for; `before` is the row of the entry before. */
    __device__ __forceinline__ int64_t at(int64_t, int u, int64_t)
    {
        return ahead[u];
    }
};

/* Of CSR, the first is searched for, and the others follow from where rows end. */
template <class offset> struct rows_of_csr {
    const offset *row_ptr;
    int64_t rows, end_of_row;

    /* Return the row of entry e, which is `low` or a later one. */
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

    __device__ __forceinline__ void load(int64_t, int64_t)
    {
    }

    __device__ __forceinline__ int64_t at(int64_t e, int, int64_t before)
    {
        if (e < end_of_row) return before;
        end_of_row = __ldg(row_ptr + before + 2);
        return e < end_of_row ? before + 1 : search(e, before + 1);
    }
};

/* Y += A X, in the order of rows. The lanes that share the vectors go through an interval of entries and add
 * up those of each row. The sums of rows that lie within the interval are stored; those of its first and its
 * last row are added atomically, since other lanes may have parts of these rows as well (after the nonzero
 * split of Baxter's Modern GPU, which Yang et al., cited in products.h, compare with theirs; with lanes that
 * share vectors it needs no segmented sum):
 *
 *     row     3 3 3 4 4 4 4 6 | 6 6 7 7 7 8 8 8       intervals of 8 entries
 *             added   stored  +
 *                           added
 *
 * Y is 0 before, or what is added to. */
template <class real, int V, class Rows>
__global__ void entries_walk(int64_t count, int64_t interval, const product_cut cut, int64_t passing,
                             int columns, Rows rows, const int32_t *__restrict__ col,
                             const real *__restrict__ val, const real *__restrict__ x, real *y,
                             bool accumulate)
{
    const stretch mine = stretch_of<V>(cut, passing, interval, count, columns);
    if (!mine.some) return;
    const int64_t first = rows.start(mine.begin);
    int64_t row = first;
    packed<real, V> sum = packed_zero<real, V>();
    x += mine.first;
    y += mine.first;
#pragma unroll 1
    for (int64_t e = mine.begin; e < mine.end; e += AHEAD) {
        entries_ahead<real, V> ahead;
        rows.load(e, mine.end);
        ahead.load(e, mine.end, col, val, x, columns);
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            if (e + u >= mine.end) break;
            const int64_t next = rows.at(e + u, u, row);
            if (next != row) {
                if (row == first)
                    add_packed<real, V>(y + row * columns, sum);
                else
                    put_packed(y + row * columns, sum, accumulate);
                sum = packed_zero<real, V>();
                row = next;
            }
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += ahead.product[u].element[v];
        }
    }
    add_packed<real, V>(y + row * columns, sum);
}

/* How X and Y, as the loops take them, are shared. */
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
        const int64_t count = launch->storage->nnz, passing = product_entries_passing(count, cut, AHEAD);
        const int32_t *row = array_of<int32_t>(launch, COO_ROW), *col = array_of<int32_t>(launch, COO_COL);
        const bool transposed = launch->product.transposed;
        by_vector<real>(cut, [&](auto vector) {
            enqueue(launch, product_entries_grid(passing, cut), "entries_atomic",
                    entries_atomic<real, vector>, count, cut, passing, product_columns(launch->product),
                    transposed ? col : row, transposed ? row : col, array_of<real>(launch, COO_VAL),
                    turned_x<real>(launch), turned_y<real>(launch));
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
    enqueue_turn_x(launch);
    clear_turned_y(launch);
    by_vector<real>(cut, [&](auto vector) {
        enqueue(launch, product_entries_grid(passing, cut), "entries_walk", entries_walk<real, vector, Rows>,
                count, interval, cut, passing, product_columns(launch->product), rows,
                array_of<int32_t>(launch, q_col), array_of<real>(launch, q_val), turned_x<real>(launch),
                turned_y<real>(launch), launch->product.accumulate && !product_turned(launch));
    });
    enqueue_turn_y(launch);
}

void cuda_entries_by_row(const struct launch *launch)
{
    by_precision(launch, [launch](auto value) {
        rows_of_coo rows = {};
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
