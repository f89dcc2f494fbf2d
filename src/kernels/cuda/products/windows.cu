/* Y = A X by windows of eight rows. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/products/products.cuh"

extern "C" {
#include "kernels/cuda/products/windows.h"
}

/* d += a b by a tensor core: the warp has a, 8 x 4, b, 4 x 8, and d, 8 x 8. Lane l has a(l / 4, l % 4), b(l %
 * 4, l / 4), and d(l / 4, 2 (l % 4)) with its right neighbour. */
__device__ __forceinline__ void multiply_add(double (&d)[2], double a, double b)
{
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
        : "+d"(d[0]), "+d"(d[1])
        : "d"(a), "d"(b));
#endif
}

/* The arrays of struct product_windows. */
template <class real> struct window_arrays {
    int64_t windows, rows;
    const int64_t *first;
    const int32_t *col;
    const real *val;
};

/* Rotate the loads of lanes with row k of b: load i has the part (i + k) mod COUNT, of one or two. */
template <int COUNT, class T> __device__ __forceinline__ void rotate(T (&part)[COUNT], int k)
{
    if constexpr (COUNT > 1) {
        const T last = part[COUNT - 1];
#pragma unroll
        for (int c = COUNT - 1; c > 0; c--)
            part[c] = k & 1 ? part[c - 1] : part[c];
        part[0] = k & 1 ? last : part[0];
    }
}

/* Double precision: a warp has a window and 8 TILES vectors. b is a part of X, 4 rows and 8 vectors. If there
 * are two parts or more, a lane loads two neighbouring vectors at once, of which one belongs to one part, and
 * the other to the next. The parts of vectors of a lane are neighbours, and lanes with different rows load
 * them in different order: so the rows, which are 128 bytes apart or a multiple of that, are in different
 * banks of L1. */
template <int TILES>
__global__ void __launch_bounds__(WINDOW_THREADS)
    windows_tensor(const window_arrays<double> a, int passes, int columns, const product_places at,
                   const double *x, double *y, bool accumulate)
{
    constexpr int TWO = TILES > 1 ? 2 : 1, COUNT = TILES / TWO, AHEAD = 2;
    let_next_begin();
    const int64_t warp = (static_cast<int64_t>(blockIdx.x) * WINDOW_THREADS + threadIdx.x) / WARP;
    const int64_t w = warp / passes;
    const int base = static_cast<int>(warp - w * passes) * 8 * TILES;
    const int lane = threadIdx.x % WARP, k = lane % 4, r = lane / 4;
    if (w >= a.windows) return;
    int64_t t = __ldg(reinterpret_cast<const long long *>(a.first) + w);
    const int64_t end = __ldg(reinterpret_cast<const long long *>(a.first) + w + 1);
    double sum[TILES][2] = {};
    int32_t j[AHEAD];
    double value[AHEAD];
    x += base + TILES * r;
    const auto load = [&](int64_t from) {
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const bool there = from + u < end;
            j[u] = there ? load_entry(a.col + (from + u) * WINDOW_COLUMNS + k) : -1;
            value[u] = there ? load_entry(a.val + (from + u) * WINDOW_SLOTS + lane) : 0;
        }
    };
    load(t);
    await_previous();
#pragma unroll 1
    while (t < end) {
        packed<double, TWO> b[AHEAD][COUNT];
        double now[AHEAD];
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            const double *from = x + static_cast<int64_t>(j[u]) * columns;
            now[u] = value[u];
#pragma unroll
            for (int i = 0; i < COUNT; i++) {
                const double *part = from + TWO * ((i + k) % COUNT);
                b[u][i] = load_packed_if<double, TWO>(j[u] >= 0, part);
            }
        }
        t += AHEAD;
        load(t);
#pragma unroll
        for (int u = 0; u < AHEAD; u++) {
            rotate(b[u], k);
#pragma unroll
            for (int c = 0; c < COUNT; c++)
#pragma unroll
                for (int v = 0; v < TWO; v++)
                    multiply_add(sum[TWO * c + v], now[u], b[u][c].element[v]);
        }
    }
    const int64_t row = w * WINDOW_ROWS + r;
    if (row >= a.rows) return;
    /* The lane has columns 2 k and 2 k + 1 of d, which are TILES neighbouring vectors each. */
    const int first = base + 2 * k * TILES;
#pragma unroll
    for (int d = 0; d < 2; d++)
#pragma unroll
        for (int n = 0; n < TILES; n++)
            if (at.y_vector != 1) put(y, (first + d * TILES + n) * at.y_vector + row, sum[n][d], accumulate);
    if (at.y_vector != 1) return;
    double *to = y + row * columns + first;
#pragma unroll
    for (int n = 0; n < 2 * TILES; n += 2)
        put_packed(to + n,
                   packed<double, 2>{sum[n % TILES][n / TILES], sum[(n + 1) % TILES][(n + 1) / TILES]},
                   accumulate);
}

/* Single precision: a warp has a window. Its lanes share the vectors, V each, and the window's columns by
 * slices. */
template <int V>
__global__ void __launch_bounds__(WINDOW_THREADS)
    windows_times(const window_arrays<float> a, const product_cut cut, int columns, const product_places at,
                  const float *x, float *y, bool accumulate)
{
    let_next_begin();
    const int64_t warp = (static_cast<int64_t>(blockIdx.x) * WINDOW_THREADS + threadIdx.x) / WARP;
    const int64_t w = warp / cut.passes;
    const int lane = threadIdx.x % WARP, slice = lane / cut.lanes;
    const int first = (static_cast<int>(warp - w * cut.passes) * cut.lanes + (lane & (cut.lanes - 1))) * V;
    if (w >= a.windows) return;
    int64_t c = WINDOW_COLUMNS * __ldg(reinterpret_cast<const long long *>(a.first) + w) + slice;
    const int64_t end = WINDOW_COLUMNS * __ldg(reinterpret_cast<const long long *>(a.first) + w + 1);
    packed<float, V> sum[WINDOW_ROWS] = {};
    const bool some = first < columns;
    x += first;
    await_previous();
    int32_t j = some && c < end ? load_entry(a.col + c) : -1;
#pragma unroll 1
    while (j >= 0) {
        const packed<float, V> element = load_packed<float, V>(x + static_cast<int64_t>(j) * columns);
        const int64_t now = c;
        c += cut.slices;
        j = c < end ? load_entry(a.col + c) : -1;
        float value[WINDOW_ROWS];
        *reinterpret_cast<float4 *>(value) =
            __ldcs(reinterpret_cast<const float4 *>(a.val + now * WINDOW_ROWS));
        *reinterpret_cast<float4 *>(value + 4) =
            __ldcs(reinterpret_cast<const float4 *>(a.val + now * WINDOW_ROWS) + 1);
#pragma unroll
        for (int r = 0; r < WINDOW_ROWS; r++)
#pragma unroll
            for (int v = 0; v < V; v++)
                sum[r].element[v] += value[r] * element.element[v];
    }
    for (int distance = WARP / 2; distance >= cut.lanes; distance /= 2)
#pragma unroll
        for (int r = 0; r < WINDOW_ROWS; r++)
#pragma unroll
            for (int v = 0; v < V; v++)
                sum[r].element[v] += __shfl_down_sync(WHOLE_WARP, sum[r].element[v], distance);
    if (!some || slice != 0) return;
#pragma unroll
    for (int r = 0; r < WINDOW_ROWS; r++) {
        const int64_t row = w * WINDOW_ROWS + r;
        if (row >= a.rows) return;
        if (at.y_vector == 1)
            put_packed(y + row * columns + first, sum[r], accumulate);
        else
#pragma unroll
            for (int v = 0; v < V; v++)
                put(y, (first + v) * at.y_vector + row, sum[r].element[v], accumulate);
    }
}

/* Y += A^T X in double precision: a warp has a window and eight vectors. The tensor core computes d = a b,
 * where a has the eight rows of X, transposed, and b has two tiles. d has the sums over all rows of the
 * window for eight columns, so that each element of Y needs one addition. Lanes that add to neighbouring
 * columns lie beside each other: an even column of d belongs to the first tile, and an odd one to the second.
 */
__global__ void __launch_bounds__(WINDOW_THREADS)
    windows_scatter(const window_arrays<double> a, int passes, const product_places at, const double *x,
                    double *y)
{
    let_next_begin();
    const int64_t warp = (static_cast<int64_t>(blockIdx.x) * WINDOW_THREADS + threadIdx.x) / WARP;
    const int64_t w = warp / passes;
    const int lane = threadIdx.x % WARP, k = lane % 4, r = lane / 4;
    const int64_t vector = (warp - w * passes) * WINDOW_ADDED + r;
    if (w >= a.windows) return;
    int64_t t = __ldg(reinterpret_cast<const long long *>(a.first) + w);
    const int64_t end = __ldg(reinterpret_cast<const long long *>(a.first) + w + 1);
    int32_t j[2];
    double value[2], element[2];
    const auto load = [&]() {
#pragma unroll
        for (int h = 0; h < 2; h++) {
            j[h] = t + h < end ? load_entry(a.col + (t + h) * WINDOW_COLUMNS + k) : -1;
            value[h] = t + (r & 1) < end ? load_entry(a.val + (t + (r & 1)) * WINDOW_SLOTS +
                                                      (k + 4 * h) * WINDOW_COLUMNS + (r >> 1))
                                         : 0;
        }
    };
    load();
    await_previous();
#pragma unroll
    for (int h = 0; h < 2; h++) {
        const int64_t row = w * WINDOW_ROWS + k + 4 * h;
        element[h] = row < a.rows
                         ? load_packed<double, 1>(x + row * at.x_element + vector * at.x_vector).element[0]
                         : 0;
    }
    y += vector * at.y_vector;
#pragma unroll 1
    while (t < end) {
        double sum[2] = {};
        const int32_t to[2] = {j[0], j[1]};
        const double now[2] = {value[0], value[1]};
        t += 2;
        load();
        multiply_add(sum, element[0], now[0]);
        multiply_add(sum, element[1], now[1]);
        /* The last column is repeated in its tile, with zeros. */
#pragma unroll
        for (int h = 0; h < 2; h++)
            if (to[h] >= 0 && sum[h] != 0) atomicAdd(y + static_cast<int64_t>(to[h]) * at.y_element, sum[h]);
    }
}

/* The same in single precision: two lanes share a column and the eight vectors, so that a warp adds four
 * tiles at a time. `together`: four neighbouring vectors are added at once. */
__global__ void __launch_bounds__(WINDOW_THREADS)
    windows_scatter_single(const window_arrays<float> a, int passes, const product_places at, const float *x,
                           float *y, bool together)
{
    constexpr int V = WINDOW_ADDED / 2;
    let_next_begin();
    const int64_t warp = (static_cast<int64_t>(blockIdx.x) * WINDOW_THREADS + threadIdx.x) / WARP;
    const int64_t w = warp / passes;
    const int lane = threadIdx.x % WARP;
    const int64_t vector = (warp - w * passes) * WINDOW_ADDED + lane % 2 * V;
    if (w >= a.windows) return;
    int64_t c = WINDOW_COLUMNS * __ldg(reinterpret_cast<const long long *>(a.first) + w) + lane / 2;
    const int64_t end = WINDOW_COLUMNS * __ldg(reinterpret_cast<const long long *>(a.first) + w + 1);
    float element[WINDOW_ROWS][V];
    int32_t j = c < end ? load_entry(a.col + c) : -1;
    await_previous();
    x += vector * at.x_vector;
    y += vector * at.y_vector;
#pragma unroll
    for (int r = 0; r < WINDOW_ROWS; r++)
#pragma unroll
        for (int v = 0; v < V; v++) {
            const int64_t row = w * WINDOW_ROWS + r;
            const float *from = x + row * at.x_element + v * at.x_vector;
            element[r][v] = row < a.rows ? load_packed<float, 1>(from).element[0] : 0;
        }
#pragma unroll 1
    while (j >= 0) {
        const float *from = a.val + c * WINDOW_ROWS;
        float value[WINDOW_ROWS];
        *reinterpret_cast<float4 *>(value) = __ldcs(reinterpret_cast<const float4 *>(from));
        *reinterpret_cast<float4 *>(value + V) = __ldcs(reinterpret_cast<const float4 *>(from) + 1);
        float *to = y + static_cast<int64_t>(j) * at.y_element;
        c += WARP / 2;
        j = c < end ? load_entry(a.col + c) : -1;
        packed<float, V> sum = packed_zero<float, V>();
        bool some = false;
#pragma unroll
        for (int r = 0; r < WINDOW_ROWS; r++) {
            some |= value[r] != 0;
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += value[r] * element[r][v];
        }
        /* The last column is repeated in its tile, with zeros. */
        if (!some) continue;
        if (together) {
            add_packed<float, V>(to, sum);
            continue;
        }
#pragma unroll
        for (int v = 0; v < V; v++)
            atomicAdd(to + v * at.y_vector, sum.element[v]);
    }
}

template <class real> static window_arrays<real> arrays_of(const struct launch *launch)
{
    const product_windows &windows = static_cast<const product_state *>(launch->state)->windows;
    return {windows.windows, launch->storage->rows, windows.first, windows.col,
            static_cast<const real *>(windows.val)};
}

static struct grid windows_grid(const struct launch *launch, int passes)
{
    const product_windows &windows = static_cast<const product_state *>(launch->state)->windows;
    return grid_for(windows.windows * passes, WARP, WINDOW_THREADS);
}

template <int TILES> static void tensor_with(const struct launch *launch, int passes, bool early)
{
    enqueue_early(launch, windows_grid(launch, passes), early, "windows_tensor", windows_tensor<TILES>,
                  arrays_of<double>(launch), passes, product_columns(launch->product),
                  product_places_of(launch), turned_x<double>(launch), y_of<double>(launch),
                  launch->product.accumulate);
}

static void tensor(const struct launch *launch, bool early)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    const int columns = product_columns(launch->product);
    const int passes = product_windows_passes(state->windows.windows, columns, sizeof(double),
                                              launch->device->facts.multiprocessors);
    switch (columns / passes) {
    case 32:
        return tensor_with<4>(launch, passes, early);
    case 16:
        return tensor_with<2>(launch, passes, early);
    default:
        return tensor_with<1>(launch, passes, early);
    }
}

static void scatter(const struct launch *launch)
{
    const int passes = product_columns(launch->product) / WINDOW_ADDED;
    const bool early = enqueue_before(launch, true);
    const product_places at = product_places_of(launch);
    const struct grid grid = windows_grid(launch, passes);
    if (launch->storage->precision == PRECISION_F64) {
        enqueue_early(launch, grid, early, "windows_scatter", windows_scatter, arrays_of<double>(launch),
                      passes, at, turned_x<double>(launch), turned_y<double>(launch));
    } else {
        float *y = turned_y<float>(launch);
        enqueue_early(launch, grid, early, "windows_scatter_single", windows_scatter_single,
                      arrays_of<float>(launch), passes, at, turned_x<float>(launch), y,
                      at.y_vector == 1 && bits_of(y) % sizeof(int4) == 0);
    }
    enqueue_turn_y(launch);
}

bool cuda_windows_product(const struct launch *launch)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    if (state->windows.windows == 0) return false;
    if (launch->product.transposed) {
        scatter(launch);
        return true;
    }
    if ((bits_of(state->x ? state->x : launch->x) | bits_of(launch->y)) % sizeof(int4) != 0) return false;
    const bool early = enqueue_before(launch, false);
    if (launch->storage->precision == PRECISION_F64) {
        tensor(launch, early);
        return true;
    }
    const product_places at = product_places_of(launch);
    const int columns = product_columns(launch->product);
    const product_cut cut = product_cut_of(columns, sizeof(float), 4, 0, WARP);
    by_vector<float>(cut, [&](auto vector) {
        enqueue_early(launch, windows_grid(launch, cut.passes), early, "windows_times", windows_times<vector>,
                      arrays_of<float>(launch), cut, columns, at, turned_x<float>(launch),
                      y_of<float>(launch), launch->product.accumulate);
    });
    return true;
}
