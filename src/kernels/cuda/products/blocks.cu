/* Y = A X for BSR, by a group of lanes for each block row. */
#include "kernels/cuda/loads.cuh"
#include "kernels/cuda/products/blocks.cuh"

/* Load a row of a block, for all lanes of the group: a lane has COUNT neighbouring values at once. */
template <class real, int COUNT> __device__ __forceinline__ void load_row(real *out, const real *from)
{
    const packed<real, COUNT> some = load_packed<real, COUNT>(from);
#pragma unroll
    for (int w = 0; w < COUNT; w++)
        out[w] = some.element[w];
}

/* A lane has V vectors and all rows of a block row, and an element of X is loaded once for a block. The lanes
 * of a block row load the same values, which L1 serves. */
template <class real, int SIZE, int V>
__global__ void __launch_bounds__(PRODUCT_THREADS, 2)
    blocks_times(const block_source<real> a, const product_cut cut, const product_blocks blocks, int columns,
                 const real *__restrict__ x, real *y, bool accumulate)
{
    constexpr int BLOCK = SIZE * SIZE, WIDE = BSR_WIDE(SIZE, static_cast<int>(sizeof(real)));
    /* Columns at a time, for which registers suffice. */
    constexpr int SOME = SIZE <= 4 ? SIZE : std::is_floating_point<real>::value ? 4 : 2;
    const int width = cut.lanes * cut.slices, lane = threadIdx.x & (width - 1), slice = lane / cut.lanes;
    const int pass = cut.passes > 1 ? static_cast<int>(blockIdx.x / blocks.passing) : 0;
    const int first = (pass * cut.lanes + (lane & (cut.lanes - 1))) * V;
    const bool some = first < columns;
    const int64_t base = (blockIdx.x - pass * blocks.passing) * blocks.rows;
#pragma unroll 1
    for (int r = threadIdx.x / width; r < blocks.rows; r += PRODUCT_THREADS / width) {
        const int64_t p = base + r;
        packed<real, V> sum[SIZE];
#pragma unroll
        for (int i = 0; i < SIZE; i++)
            sum[i] = packed_zero<real, V>();
        int64_t k = 0, end = 0;
        if (some && p < a.block_rows) {
            k = a.pointer(p) + slice;
            end = a.pointer(p + 1);
        }
        int32_t next = k < end ? load_entry(a.col + k) : 0;
#pragma unroll 1
        for (; k < end; k += cut.slices) {
            const int64_t j = static_cast<int64_t>(next) * SIZE;
            const real *from = x + j * columns + first, *val = a.val + k * BLOCK;
            if (k + cut.slices < end) next = load_entry(a.col + k + cut.slices);
#pragma unroll
            for (int c0 = 0; c0 < SIZE; c0 += SOME) {
                packed<real, V> element[SOME];
#pragma unroll
                for (int c = c0; c < c0 + SOME && c < SIZE; c++)
                    element[c - c0] = load_packed_if<real, V>(j + c < a.cols, from + c * columns);
#pragma unroll
                for (int i = 0; i < SIZE; i++) {
                    real value[SOME];
#pragma unroll
                    for (int c = c0; c < c0 + SOME && c < SIZE; c += WIDE)
                        load_row<real, WIDE>(value + c - c0, val + i * SIZE + c);
#pragma unroll
                    for (int c = c0; c < c0 + SOME && c < SIZE; c++)
#pragma unroll
                        for (int v = 0; v < V; v++)
                            sum[i].element[v] += value[c - c0] * element[c - c0].element[v];
                }
            }
        }
        for (int distance = width / 2; distance >= cut.lanes; distance /= 2)
#pragma unroll
            for (int i = 0; i < SIZE; i++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    sum[i].element[v] += __shfl_down_sync(WHOLE_WARP, sum[i].element[v], distance, width);
        if (!some || slice != 0) continue;
#pragma unroll
        for (int i = 0; i < SIZE; i++)
            if (p * SIZE + i < a.rows) put_packed(y + (p * SIZE + i) * columns + first, sum[i], accumulate);
    }
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

/* The same by tensor cores, for 8 TILES vectors of a warp. b is a part of X: 4 rows and 8 vectors. A lane
 * loads two neighbouring vectors at once, if there are two tiles, so that the first of these has the even
 * vectors, and the second the odd ones.
 *
 * Size 8: a is half a block, its even or its odd columns. Size 4: the rows of two blocks lie in a, one below
 * the other. X differs between them; each is multiplied with both, and half of each result is used. */
template <int SIZE, int TILES>
__global__ void __launch_bounds__(PRODUCT_THREADS, 2)
    blocks_tensor(const block_source<double> a, int64_t warps, int columns, const double *__restrict__ x,
                  double *y, bool accumulate)
{
    constexpr int BLOCK = SIZE * SIZE, SLOTS = SIZE == 4 ? 2 : 1, TWO = TILES > 1 ? 2 : 1;
    const int64_t warp = (static_cast<int64_t>(blockIdx.x) * PRODUCT_THREADS + threadIdx.x) / WARP;
    const int lane = threadIdx.x % WARP, t = lane % 4, i = lane / 4;
    const int pass = static_cast<int>(warp / warps), base = pass * 8 * TILES;
    const int64_t p = warp - pass * warps;
    double sum[2][TILES][2] = {};
    if (base >= columns || p >= a.block_rows) return;
    int64_t k = a.pointer(p);
    const int64_t end = a.pointer(p + 1);
    const double *from = x + base + TWO * i;
#pragma unroll 1
    for (; k < end; k += SLOTS) {
        double half[2] = {0, 0};
        if constexpr (SIZE == 8) {
            const packed<double, 2> two = load_packed<double, 2>(a.val + k * BLOCK + i * SIZE + 2 * t);
            half[0] = two.element[0];
            half[1] = two.element[1];
        } else if (k + i / SIZE < end) {
            half[0] = half[1] = __ldg(a.val + k * BLOCK + lane);
        }
#pragma unroll
        for (int s = 0; s < 2; s++) {
            const bool there = SIZE == 8 || k + s < end;
            const int64_t j = there ? static_cast<int64_t>(__ldg(a.col + k + (SIZE == 8 ? 0 : s))) * SIZE : 0;
            const double *row = from + (j + (SIZE == 8 ? 2 * t + s : t)) * columns;
#pragma unroll
            for (int n = 0; n < TILES; n += TWO) {
                const packed<double, TWO> b = load_packed_if<double, TWO>(there, row + 8 * n);
#pragma unroll
                for (int w = 0; w < TWO; w++)
                    multiply_add(sum[SIZE == 8 ? 0 : s][n + w], half[s], b.element[w]);
            }
        }
    }
#pragma unroll
    for (int n = 0; n < TILES; n++)
#pragma unroll
        for (int d = 0; d < 2; d++)
            if constexpr (SIZE == 4) sum[0][n][d] += __shfl_down_sync(WHOLE_WARP, sum[1][n][d], 16);
    const int64_t row = p * SIZE + i;
    if (i >= SIZE || row >= a.rows) return;
    double *to = y + row * columns + base;
#pragma unroll
    for (int n = 0; n < TILES; n += TWO)
#pragma unroll
        for (int d = 0; d < TWO; d++) {
            packed<double, 2> two = {sum[0][n][d], sum[0][n + TWO - 1][d]};
            if constexpr (TWO == 1) two.element[1] = sum[0][n][1];
            put_packed(to + 8 * n + TWO * 2 * t + 2 * d, two, accumulate);
        }
}

/* Enqueue a launch of it; the tiles of a warp are at most 4. */
template <int SIZE> static void times_tensor(const struct launch *launch, const block_source<double> &a)
{
    const int columns = product_columns(launch->product), tiles = columns % 32 == 0   ? 4
                                                                  : columns % 16 == 0 ? 2
                                                                                      : 1;
    double *y = turned_y<double>(launch);
    const int64_t warps = a.block_rows * (columns / (8 * tiles));
    const struct grid grid = {(warps * WARP + PRODUCT_THREADS - 1) / PRODUCT_THREADS, PRODUCT_THREADS, 0};
    enqueue(launch, grid, "blocks_tensor",
            tiles == 4   ? blocks_tensor<SIZE, 4>
            : tiles == 2 ? blocks_tensor<SIZE, 2>
                         : blocks_tensor<SIZE, 1>,
            a, a.block_rows, columns, turned_x<double>(launch), y,
            launch->product.accumulate && y == y_of<double>(launch));
}

template <class real, int SIZE> static void times(const struct launch *launch, const block_source<real> &a)
{
    if constexpr (std::is_same_v<real, double> && (SIZE == 4 || SIZE == 8))
        if (blocks_use_tensor(launch) &&
            (bits_of(turned_x<real>(launch)) | bits_of(turned_y<real>(launch))) % 16 == 0)
            return times_tensor<SIZE>(launch, a);
    const int columns = product_columns(launch->product);
    const real *x = turned_x<real>(launch);
    real *y = turned_y<real>(launch);
    const bool turned = y != y_of<real>(launch);
    const product_cut cut = product_cut_of(columns, sizeof(real), static_cast<int>(16 / sizeof(real)),
                                           bits_of(x) | bits_of(y), blocks_threads(launch));
    const product_blocks blocks =
        product_blocks_of(a.block_rows, cut, false, launch->device->facts.multiprocessors);
    by_vector<real>(cut, [&](auto vector) {
        enqueue(launch, product_rows_grid(blocks, cut, false, sizeof(real)), "blocks_times",
                blocks_times<real, SIZE, vector>, a, cut, blocks, columns, x, y,
                launch->product.accumulate && !turned);
    });
}

template <class real> void enqueue_blocks_product(const struct launch *launch, const block_source<real> &a)
{
    enqueue_turn_x(launch);
    switch (launch->storage->number[BSR_SIZE]) {
    case 2:
        times<real, 2>(launch, a);
        break;
    case 3:
        times<real, 3>(launch, a);
        break;
    case 4:
        times<real, 4>(launch, a);
        break;
    case 5:
        times<real, 5>(launch, a);
        break;
    case 6:
        times<real, 6>(launch, a);
        break;
    case 7:
        times<real, 7>(launch, a);
        break;
    default:
        times<real, 8>(launch, a);
    }
    enqueue_turn_y(launch);
}

template void enqueue_blocks_product(const struct launch *, const block_source<float> &);
template void enqueue_blocks_product(const struct launch *, const block_source<double> &);
template void enqueue_blocks_product(const struct launch *, const block_source<pair<float>> &);
template void enqueue_blocks_product(const struct launch *, const block_source<pair<double>> &);
