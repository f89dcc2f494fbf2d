/* Transposing several vectors from column-major to row-major order before a product, and back after it. */
#include "kernels/cuda/early.cuh"
#include "kernels/cuda/products/products.cuh"

/* Clear the block's share of `bytes` bytes, a multiple of 4, 16 bytes a thread at a time. They begin at a
 * multiple of 16. */
__device__ __forceinline__ void clear_share(char *y, size_t bytes)
{
    const size_t step = static_cast<size_t>(gridDim.x) * PRODUCT_THREADS * sizeof(int4);
    size_t at = (static_cast<size_t>(blockIdx.x) * PRODUCT_THREADS + threadIdx.x) * sizeof(int4);
    for (; at + sizeof(int4) <= bytes; at += step)
        *reinterpret_cast<int4 *>(y + at) = int4{0, 0, 0, 0};
    for (; at < bytes; at += sizeof(int))
        *reinterpret_cast<int *>(y + at) = 0;
}

/* A block turns 1 << shift neighbouring elements of each vector, by way of shared memory. There, and where
 * vectors are stored row by row, they are read or written in the order of their addresses. Before X is
 * turned, `clear` bytes of Y are set to 0. The next kernel may begin at once. */
template <class real, bool TO_ROWS>
__global__ void turn_vectors(int64_t size, int columns, int shift, const real *__restrict__ from, real *to,
                             bool accumulate, char *y, size_t clear)
{
    __shared__ int4 room[PRODUCT_TURN_ROOM * sizeof(real) / sizeof(int4)];
    real *tile = reinterpret_cast<real *>(room);
    const int high = 1 << shift, wide = columns | 1;
    const int64_t base = static_cast<int64_t>(blockIdx.x) << shift;
    const int rows = static_cast<int>(min(size - base, static_cast<int64_t>(high)));
    let_next_begin();
    await_previous();
    if constexpr (TO_ROWS) {
        clear_share(y, clear);
#pragma unroll 4
        for (int k = threadIdx.x; k < columns << shift; k += PRODUCT_THREADS) {
            const int r = k & (high - 1), c = k >> shift;
            if (r < rows) tile[r * wide + c] = from[c * size + base + r];
        }
        __syncthreads();
        for (int k = threadIdx.x; k < columns * rows; k += PRODUCT_THREADS)
            to[base * columns + k] = tile[k / columns * wide + k % columns];
    } else {
#pragma unroll 4
        for (int k = threadIdx.x; k < columns * rows; k += PRODUCT_THREADS)
            tile[k / columns * wide + k % columns] = from[base * columns + k];
        __syncthreads();
        for (int k = threadIdx.x; k < columns << shift; k += PRODUCT_THREADS) {
            const int r = k & (high - 1), c = k >> shift;
            if (r < rows) put(to, c * size + base + r, tile[r * wide + c], accumulate);
        }
    }
}

/* The exponent of the number of elements of each vector that a block turns. */
static int turn_shift(const struct launch *launch, int64_t size)
{
    const int rows =
        product_turn_rows(size, product_columns(launch->product), launch->device->facts.multiprocessors);
    int shift = 0;
    while (1 << shift < rows)
        shift++;
    return shift;
}

static struct grid turn_grid(int64_t size, int shift)
{
    struct grid grid = {(size + (1 << shift) - 1) >> shift, PRODUCT_THREADS, 0};
    return grid;
}

static void turn_x(const struct launch *launch, char *y, size_t clear)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    int64_t size = product_x_size(launch->product, launch->storage->rows, launch->storage->cols);
    const int shift = turn_shift(launch, size);
    by_precision(launch, [=](auto value) {
        using real = decltype(value);
        enqueue_early(launch, turn_grid(size, shift), true, "turn_vectors", turn_vectors<real, true>, size,
                      product_columns(launch->product), shift, x_of<real>(launch),
                      static_cast<real *>(state->x), false, y, clear);
    });
}

void enqueue_turn_y(const struct launch *launch)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    int64_t size = product_y_size(launch->product, launch->storage->rows, launch->storage->cols);
    if (!state->y) return;
    const int shift = turn_shift(launch, size);
    by_precision(launch, [=](auto value) {
        using real = decltype(value);
        enqueue_early(launch, turn_grid(size, shift), true, "turn_vectors", turn_vectors<real, false>, size,
                      product_columns(launch->product), shift, static_cast<const real *>(state->y),
                      y_of<real>(launch), launch->product.accumulate, nullptr, size_t{0});
    });
}

/* Y = 0, 16 bytes a thread. The next kernel may begin at once, which cudaMemsetAsync does not let it: on an
 * H200 this saves 1.1 to 1.5 us. */
__global__ void clear_bytes(char *y, size_t bytes)
{
    let_next_begin();
    await_previous();
    clear_share(y, bytes);
}

bool enqueue_before(const struct launch *launch, bool adds)
{
    const auto *state = static_cast<const product_state *>(launch->state);
    char *y = static_cast<char *>(state->y ? state->y : launch->y);
    const size_t block = PRODUCT_THREADS * sizeof(int4);
    size_t bytes = adds && (state->y || !launch->product.accumulate) ? y_bytes(launch) : 0;
    const bool aligned = bits_of(y) % sizeof(int4) == 0,
               x_cols = product_x_size(launch->product, launch->storage->rows, launch->storage->cols) > 0;
    bool cleared = false;
    if (bytes > 0 && !aligned) {
        note_error(launch, "clearing Y", cudaMemsetAsync(y, 0, bytes, context_of(launch)->stream));
        cleared = true;
        bytes = 0;
    }
    if (state->x && x_cols) {
        turn_x(launch, y, bytes);
        return true;
    }
    if (bytes == 0) return !cleared;
    const struct grid grid = {static_cast<int64_t>((bytes + block - 1) / block), PRODUCT_THREADS, 0};
    enqueue_early(launch, grid, true, "clear_bytes", clear_bytes, y, bytes);
    return true;
}
