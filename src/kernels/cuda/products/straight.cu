/* Y = A X for vectors that are stored column by column, read and stored as they lie. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/products/rows.cuh"

/* A thread has a row and V vectors. Neighbouring threads have neighbouring rows, whose slots lie beside each
 * other, so that all threads of a warp load neighbouring elements of a vector where neighbouring rows have
 * neighbouring columns. The blocks of all passes over the same rows are neighbours: they find columns and
 * values in L2. Where there are fewer than V vectors left, the last is computed several times. */
template <class real, int V, bool MASKED>
__global__ void __launch_bounds__(PRODUCT_THREADS)
    straight_times(const row_source<real> a, int columns, int passes, int64_t x_size, const real *x, real *y,
                   bool accumulate)
{
    let_next_begin();
    await_previous();
    constexpr int COUNT = V > 4 ? 2 : PRODUCT_AHEAD;
    const int block = blockIdx.x / passes, first = (blockIdx.x - block * passes) * V;
    const int64_t p = static_cast<int64_t>(block) * PRODUCT_THREADS + threadIdx.x;
    if (p >= a.rows) return;
    const real *from[V];
    real sum[V];
#pragma unroll
    for (int v = 0; v < V; v++) {
        from[v] = x + min(first + v, columns - 1) * x_size;
        sum[v] = real(0);
    }
    each_slots<!MASKED, COUNT>(a, 0, a.step, p, [&](const int32_t *j, const real *value, auto all) {
        real element[COUNT][V];
#pragma unroll
        for (int u = 0; u < COUNT; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                if constexpr (decltype(all)::value && !MASKED)
                    element[u][v] = load_packed<real, 1>(from[v] + j[u]).element[0];
                else
                    element[u][v] = load_packed_if<real, 1>(j[u] >= 0, from[v] + j[u]).element[0];
#pragma unroll
        for (int u = 0; u < COUNT; u++)
#pragma unroll
            for (int v = 0; v < V; v++)
                sum[v] += value[u] * element[u][v];
    });
    const int64_t i = a.perm ? __ldg(a.perm + p) : p;
#pragma unroll
    for (int v = 0; v < V; v++)
        if (first + v < columns) put(y, (first + v) * a.rows + i, sum[v], accumulate);
}

/* Call f with a number of vectors that is a compile-time constant of kernels. */
template <class real, class Function> static void by_count(int vectors, Function f)
{
    if constexpr (sizeof(real) <= 8)
        if (vectors == 8) return f(std::integral_constant<int, 8>{});
    if (vectors == 4) return f(std::integral_constant<int, 4>{});
    if (vectors == 2) return f(std::integral_constant<int, 2>{});
    f(std::integral_constant<int, 1>{});
}

template <class real>
void enqueue_straight_product(const struct launch *launch, const row_source<real> &a, bool masked)
{
    const int columns = product_columns(launch->product);
    const int each = product_straight_vectors(a.rows, columns, sizeof(real), grid_resident_threads(launch));
    by_count<real>(each, [&](auto vectors) {
        const int passes = (columns + vectors - 1) / vectors;
        struct grid grid = grid_for(a.rows, 1, PRODUCT_THREADS);
        grid.blocks *= passes;
        enqueue_early(launch, grid, true, "straight_times",
                      masked ? straight_times<real, vectors, true> : straight_times<real, vectors, false>, a,
                      columns, passes, launch->storage->cols, x_of<real>(launch), y_of<real>(launch),
                      launch->product.accumulate);
    });
}

template void enqueue_straight_product(const struct launch *, const row_source<float> &, bool);
template void enqueue_straight_product(const struct launch *, const row_source<double> &, bool);
template void enqueue_straight_product(const struct launch *, const row_source<pair<float>> &, bool);
template void enqueue_straight_product(const struct launch *, const row_source<pair<double>> &, bool);
