/* Y = A X and Y += A^T X for formats that store rows separately. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/products/rows.cuh"

/* The work of a lane, by the cut of the product. */
struct share {
    int width;      /* the lanes of a row */
    int slice;      /* the lane's slice of the row's entries */
    int place;      /* its first vector, counted from the first of the pass */
    int first;      /* its first vector */
    int64_t block;  /* its block, counted from the first of the pass */
    int64_t stride; /* how far its next slot is */
    bool some;      /* it has vectors at all */
};

template <int V>
__device__ __forceinline__ share share_of(const product_cut &cut, const product_blocks &blocks, int columns,
                                          int64_t step)
{
    const int width = cut.lanes * cut.slices, lane = threadIdx.x & (width - 1);
    const int pass = cut.passes > 1 ? static_cast<int>(blockIdx.x / blocks.passing) : 0;
    share out;
    out.width = width;
    out.slice = lane / cut.lanes;
    out.place = (lane & (cut.lanes - 1)) * V;
    out.first = pass * cut.lanes * V + out.place;
    out.block = blockIdx.x - pass * blocks.passing;
    out.stride = step * cut.slices;
    out.some = out.first < columns;
    return out;
}

/* Return a lane's sums of row p over its slice of the entries. Missing ones add 0 times 0. */
template <class real, int V, bool MASKED, bool AHEAD>
__device__ __forceinline__ packed<real, V> slice_sums(const row_source<real> &a, const share &mine,
                                                      const product_places &at, const real *x, int64_t p)
{
    packed<real, V> sum = packed_zero<real, V>();
    const real *from = x + mine.first * at.x_vector;
    each_slots<AHEAD, PRODUCT_AHEAD>(
        a, mine.slice, mine.stride, p, [&](const int32_t *j, const real *value, auto all) {
            packed<real, V> element[PRODUCT_AHEAD];
#pragma unroll
            for (int u = 0; u < PRODUCT_AHEAD; u++) {
                const real *there = from + static_cast<int64_t>(j[u]) * at.x_element;
                if constexpr (decltype(all)::value && !MASKED)
                    element[u] = load_packed<real, V>(there);
                else
                    element[u] = load_packed_if<real, V>(j[u] >= 0, there);
            }
#pragma unroll
            for (int u = 0; u < PRODUCT_AHEAD; u++)
#pragma unroll
                for (int v = 0; v < V; v++)
                    sum.element[v] += value[u] * element[u].element[v];
        });
    return sum;
}

/* Y = A X. Each row has the lanes of the cut, and each of them the sums of V vectors; finally the first
 * slice's lanes have the totals. For column-major Y, a block's sums are collected in shared memory, so that
 * each vector's neighbouring elements are stored together. */
template <class real, int V, bool MASKED, bool AHEAD>
__global__ void rows_times(const row_source<real> a, const product_cut cut, const product_blocks blocks,
                           int columns, const product_places at, const real *x, real *y, bool by_columns,
                           bool accumulate)
{
    const share mine = share_of<V>(cut, blocks, columns, a.step);
    const int groups = PRODUCT_THREADS / mine.width;
    const int64_t base = mine.block * blocks.rows;
    real *tile = shared_memory<real>();
    int32_t *row_of = reinterpret_cast<int32_t *>(tile + cut.lanes * V * (blocks.rows + 1));
    let_next_begin();
    await_previous();
#pragma unroll 1
    for (int r = threadIdx.x / mine.width; r < blocks.rows; r += groups) {
        const int64_t p = base + r;
        const bool inside = p < a.rows;
        packed<real, V> sum = packed_zero<real, V>();
        if (inside && mine.some) sum = slice_sums<real, V, MASKED, AHEAD>(a, mine, at, x, p);
        for (int distance = mine.width / 2; distance >= cut.lanes; distance /= 2)
#pragma unroll
            for (int v = 0; v < V; v++)
                sum.element[v] += __shfl_down_sync(WHOLE_WARP, sum.element[v], distance, mine.width);
        if (!inside || !mine.some || mine.slice != 0) continue;
        const int32_t i = a.perm ? __ldg(a.perm + p) : static_cast<int32_t>(p);
        if (by_columns) {
            if (mine.place == 0) row_of[r] = i;
#pragma unroll
            for (int v = 0; v < V; v++)
                tile[(mine.place + v) * (blocks.rows + 1) + r] = sum.element[v];
        } else {
            put_packed(y + static_cast<int64_t>(i) * columns + mine.first, sum, accumulate);
        }
    }
    if (!by_columns) return;
    __syncthreads();
    const int first = mine.first - mine.place, wide = min(cut.lanes * V, columns - first);
    for (int k = threadIdx.x; k < wide * blocks.rows; k += PRODUCT_THREADS) {
        int r = k & (blocks.rows - 1), c = k / blocks.rows;
        if (base + r < a.rows)
            put(y, (first + c) * a.rows + row_of[r], tile[c * (blocks.rows + 1) + r], accumulate);
    }
}

/* Y += A^T X. The lanes of a row have its elements of X, and add them, times each entry, to the elements of Y
 * that belong to the entry's column. */
template <class real, int V, bool MASKED>
__global__ void rows_scatter(const row_source<real> a, const product_cut cut, const product_blocks blocks,
                             int columns, const product_places at, const real *x, real *y)
{
    const share mine = share_of<V>(cut, blocks, columns, a.step);
    let_next_begin();
    await_previous();
    if (!mine.some) return;
    const int64_t base = mine.block * blocks.rows;
#pragma unroll 1
    for (int r = threadIdx.x / mine.width; r < blocks.rows && base + r < a.rows;
         r += PRODUCT_THREADS / mine.width) {
        const int64_t p = base + r, i = a.perm ? __ldg(a.perm + p) : p;
        const packed<real, V> element = load_packed<real, V>(x + i * at.x_element + mine.first * at.x_vector);
        each_slots<false, PRODUCT_AHEAD>(
            a, mine.slice, mine.stride, p, [&](const int32_t *j, const real *value, auto all) {
#pragma unroll
                for (int u = 0; u < PRODUCT_AHEAD; u++) {
                    if (!(decltype(all)::value && !MASKED) && j[u] < 0) continue;
                    packed<real, V> product;
#pragma unroll
                    for (int v = 0; v < V; v++)
                        product.element[v] = value[u] * element.element[v];
                    add_packed<real, V>(
                        y + static_cast<int64_t>(j[u]) * at.y_element + mine.first * at.y_vector, product);
                }
            });
    }
}

template <class real>
static void times(const struct launch *launch, const row_source<real> &a, bool masked, int threads,
                  bool early)
{
    const int columns = product_columns(launch->product);
    const bool by_columns = product_by_columns(launch);
    const product_places at = product_places_of(launch);
    const real *x = turned_x<real>(launch);
    real *y = y_of<real>(launch);
    const uintptr_t addresses = bits_of(x) | (by_columns ? 0 : bits_of(y));
    const int most = at.x_vector == 1 ? 16 / sizeof(real) : 1;
    const auto *state = static_cast<const product_state *>(launch->state);
    const product_cut cut = product_cut_within(columns, state->width, sizeof(real), most, addresses, threads);
    const product_blocks blocks =
        product_blocks_of(a.rows, cut, by_columns, launch->device->facts.multiprocessors);
    const bool ahead = product_ahead(launch->storage->slots[0], a.rows, cut);
    by_vector<real>(cut, [&](auto vector) {
        enqueue_early(launch, product_rows_grid(blocks, cut, by_columns, sizeof(real)), early, "rows_times",
                      masked  ? rows_times<real, vector, true, false>
                      : ahead ? rows_times<real, vector, false, true>
                              : rows_times<real, vector, false, false>,
                      a, cut, blocks, columns, at, x, y, by_columns, launch->product.accumulate);
    });
}

template <class real>
static void scatter(const struct launch *launch, const row_source<real> &a, bool masked, int threads,
                    bool early)
{
    const int columns = product_columns(launch->product);
    const real *x = turned_x<real>(launch);
    real *y = turned_y<real>(launch);
    const product_places at = product_places_of(launch);
    const int most = at.x_vector == 1 && at.y_vector == 1 ? adds_at_once<real>() : 1;
    const product_cut cut = product_cut_of(columns, sizeof(real), most, bits_of(x) | bits_of(y), threads);
    const product_blocks blocks =
        product_blocks_of(a.rows, cut, false, launch->device->facts.multiprocessors);
    by_vector<real>(cut, [&](auto vector) {
        enqueue_early(launch, product_rows_grid(blocks, cut, false, sizeof(real)), early, "rows_scatter",
                      masked ? rows_scatter<real, vector, true> : rows_scatter<real, vector, false>, a, cut,
                      blocks, columns, at, x, y);
    });
}

template <class real>
void enqueue_rows_product(const struct launch *launch, const row_source<real> &a, bool masked, int threads)
{
    if (static_cast<const product_state *>(launch->state)->straight)
        return enqueue_straight_product(launch, a, masked);
    const bool early = enqueue_before(launch, launch->product.transposed);
    if (!launch->product.transposed) return times(launch, a, masked, threads, early);
    scatter(launch, a, masked, threads, early);
    enqueue_turn_y(launch);
}

template void enqueue_rows_product(const struct launch *, const row_source<float> &, bool, int);
template void enqueue_rows_product(const struct launch *, const row_source<double> &, bool, int);
template void enqueue_rows_product(const struct launch *, const row_source<pair<float>> &, bool, int);
template void enqueue_rows_product(const struct launch *, const row_source<pair<double>> &, bool, int);
