/* Steps that conversions on the device share: sums over an array, sorting, counting of row lengths. */
#include "kernels/cuda/convert/work.cuh"

/* Sums */

#define SCAN_ALONE 8192 /* one block adds up so many elements sooner than three kernels can be launched */
#define SCAN_EACH 8
#define SCAN_TILE (WORK_BLOCK * SCAN_EACH)

/* Return the sum of the values of all threads before this one in the block, and in *all that of all threads.
 * Every thread of the block takes part. */
__device__ static int64_t sum_before(int64_t value, int64_t *all)
{
    __shared__ int64_t warp_sum[WARP];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP, warps = blockDim.x / WARP;
    int64_t sum = value;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        int64_t other = __shfl_up_sync(WHOLE_WARP, sum, distance);
        if (lane >= distance) sum += other;
    }
    __syncthreads(); /* the sums of an earlier call may still be read */
    if (lane == WARP - 1) warp_sum[warp] = sum;
    __syncthreads();
    int64_t own = lane < warps ? warp_sum[lane] : 0, before = own; /* each warp adds up the sums of all */
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        int64_t other = __shfl_up_sync(WHOLE_WARP, before, distance);
        if (lane >= distance) before += other;
    }
    *all = __shfl_sync(WHOLE_WARP, before, WARP - 1);
    return __shfl_sync(WHOLE_WARP, before - own, warp) + sum - value;
}

/* sums[b] becomes the sum of tile b. */
__global__ void scan_tiles(const int64_t *__restrict__ data, int64_t count, int64_t *__restrict__ sums)
{
    int64_t first = static_cast<int64_t>(blockIdx.x) * SCAN_TILE, sum = 0, all;
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        int64_t e = first + k * WORK_BLOCK + threadIdx.x;
        if (e < count) sum += data[e];
    }
    sum_before(sum, &all);
    if (threadIdx.x == 0) sums[blockIdx.x] = all;
}

/* One block: replace sums[b] by the sum of those before it. */
__global__ void scan_sums(int64_t *sums, int64_t count)
{
    int64_t before = 0, all;
    for (int64_t first = 0; first < count; first += blockDim.x) {
        int64_t b = first + threadIdx.x, value = b < count ? sums[b] : 0;
        int64_t sum = sum_before(value, &all);
        if (b < count) sums[b] = before + sum;
        before += all;
    }
}

/* Each thread adds up SCAN_EACH elements that follow each other. */
__global__ void scan_within(int64_t *__restrict__ data, int64_t count, const int64_t *__restrict__ sums)
{
    int64_t first = static_cast<int64_t>(blockIdx.x) * SCAN_TILE + threadIdx.x * SCAN_EACH;
    int64_t value[SCAN_EACH], sum = 0, all;
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        value[k] = first + k < count ? data[first + k] : 0;
        sum += value[k];
    }
    int64_t before = sums[blockIdx.x] + sum_before(sum, &all);
#pragma unroll
    for (int k = 0; k < SCAN_EACH; k++) {
        if (first + k < count) data[first + k] = before;
        before += value[k];
    }
}

static int64_t scan_blocks(int64_t count)
{
    return (count + SCAN_TILE - 1) / SCAN_TILE;
}

scan take_scan(work *w, int64_t count)
{
    scan scan = {take<int64_t>(w, scan_blocks(count))};
    return scan;
}

void put_scan(work *w, const scan &scan, int64_t *data, int64_t count)
{
    int64_t blocks = scan_blocks(count);
    if (count <= SCAN_ALONE) {
        put_blocks(w, "scan_sums", 1, 1024, scan_sums, data, count);
        return;
    }
    put_blocks(w, "scan_tiles", blocks, WORK_BLOCK, scan_tiles, data, count, scan.sums);
    put_blocks(w, "scan_sums", 1, 1024, scan_sums, scan.sums, blocks);
    put_blocks(w, "scan_within", blocks, WORK_BLOCK, scan_within, data, count, scan.sums);
}

/* Sorting
 *
 * The key of a row is (row / window, longest - length), which ascends in the order that is wanted. As on the
 * host (src/formats/sorted.c), a pass is a counting sort by a digit of the key: each block counts its rows
 * with each digit; the counts become the positions at which the blocks' rows go, digit by digit, and for each
 * digit block by block; then each block puts its rows from these positions on. */

#define DIGIT_BITS 8
#define DIGITS (1 << DIGIT_BITS)
#define SORT_EACH 8 /* rows a thread */
#define SORT_TILE (WORK_BLOCK * SORT_EACH)
#define SORT_WARPS (WORK_BLOCK / WARP)

template <class offset>
__global__ void sort_keys(const offset *__restrict__ row_ptr, int64_t rows, int64_t longest, int64_t window,
                          int length_bits, uint64_t *__restrict__ key, int32_t *__restrict__ row)
{
    int64_t i = thread_of_grid();
    if (i >= rows) return;
    int64_t length = row_ptr[i + 1] - row_ptr[i];
    key[i] = static_cast<uint64_t>(i / window) << length_bits | static_cast<uint64_t>(longest - length);
    row[i] = static_cast<int32_t>(i);
}

/* counts[digit * blocks + b] becomes the number of rows of block b with that digit. */
__global__ void sort_count(const uint64_t *__restrict__ key, int64_t rows, int shift,
                           int64_t *__restrict__ counts)
{
    __shared__ int count[DIGITS];
    int64_t first = static_cast<int64_t>(blockIdx.x) * SORT_TILE;
    count[threadIdx.x] = 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SORT_EACH; k++) {
        int64_t e = first + k * WORK_BLOCK + threadIdx.x;
        if (e < rows) atomicAdd(&count[key[e] >> shift & (DIGITS - 1)], 1);
    }
    __syncthreads();
    counts[static_cast<int64_t>(threadIdx.x) * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

/* Each warp has SORT_EACH times 32 rows that follow each other. It counts those of each digit in order, so
 * that each row learns how many rows of its warp with the same digit come before it. */
__global__ void sort_place(const uint64_t *__restrict__ key, const int32_t *__restrict__ row, int64_t rows,
                           int shift, const int64_t *__restrict__ position, uint64_t *__restrict__ key_to,
                           int32_t *__restrict__ row_to)
{
    __shared__ int count[SORT_WARPS][DIGITS];
    __shared__ int64_t start[DIGITS];
    int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    int64_t first = static_cast<int64_t>(blockIdx.x) * SORT_TILE + warp * SORT_EACH * WARP + lane;
    uint64_t keys[SORT_EACH];
    int rank[SORT_EACH];
    for (int digit = lane; digit < DIGITS; digit += WARP)
        count[warp][digit] = 0;
    start[threadIdx.x] = position[static_cast<int64_t>(threadIdx.x) * gridDim.x + blockIdx.x];
    __syncwarp();
#pragma unroll
    for (int k = 0; k < SORT_EACH; k++) {
        int64_t e = first + k * WARP;
        bool there = e < rows;
        keys[k] = there ? key[e] : 0;
        int digit = there ? static_cast<int>(keys[k] >> shift & (DIGITS - 1)) : DIGITS;
        unsigned same = __match_any_sync(WHOLE_WARP, digit);
        int before = there ? count[warp][digit] : 0;
        rank[k] = before + __popc(same & ((1u << lane) - 1));
        __syncwarp();
        if (there && lane == __ffs(static_cast<int>(same)) - 1) count[warp][digit] = before + __popc(same);
        __syncwarp();
    }
    __syncthreads();
    int sum =
        0; /* from here on count[k][digit] is how many rows with that digit the warps before warp k have */
    for (int k = 0; k < SORT_WARPS; k++) {
        int own = count[k][threadIdx.x];
        count[k][threadIdx.x] = sum;
        sum += own;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < SORT_EACH; k++) {
        int64_t e = first + k * WARP;
        if (e >= rows) continue;
        int digit = static_cast<int>(keys[k] >> shift & (DIGITS - 1));
        int64_t to = start[digit] + count[warp][digit] + rank[k];
        key_to[to] = keys[k];
        row_to[to] = row[e];
    }
}

static int64_t sort_blocks(const work *w)
{
    return (w->csr->rows + SORT_TILE - 1) / SORT_TILE;
}

sorting take_sorting(work *w)
{
    sorting sorting = {};
    for (int k = 0; k < 2; k++) {
        sorting.key[k] = take<uint64_t>(w, w->csr->rows);
        sorting.row[k] = take<int32_t>(w, w->csr->rows);
    }
    sorting.counts = take<int64_t>(w, sort_blocks(w) * DIGITS);
    sorting.scan = take_scan(w, sort_blocks(w) * DIGITS);
    return sorting;
}

/* Return how many bits the numbers 0 .. max take. */
static int bits_of(int64_t max)
{
    int bits = 0;
    while (bits < 63 && max >> bits)
        bits++;
    return bits;
}

const int32_t *put_sorting(work *w, const sorting &sorting, int64_t window)
{
    int64_t rows = w->csr->rows, longest = longest_of(w), blocks = sort_blocks(w);
    int length_bits = bits_of(longest), bits = length_bits, from = 0;
    if (rows == 0) return sorting.row[0];
    if (window > rows) window = rows;
    bits += bits_of((rows - 1) / window);
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        put_threads(w, "sort_keys", rows, sort_keys<offset>, csr_array<offset>(w, CSR_ROW_PTR), rows, longest,
                    window, length_bits, sorting.key[0], sorting.row[0]);
    });
    for (int shift = 0; shift < bits; shift += DIGIT_BITS, from = 1 - from) {
        put_blocks(w, "sort_count", blocks, WORK_BLOCK, sort_count, sorting.key[from], rows, shift,
                   sorting.counts);
        put_scan(w, sorting.scan, sorting.counts, blocks * DIGITS);
        put_blocks(w, "sort_place", blocks, WORK_BLOCK, sort_place, sorting.key[from], sorting.row[from],
                   rows, shift, sorting.counts, sorting.key[1 - from], sorting.row[1 - from]);
    }
    return sorting.row[from];
}

/* Row lengths */

#define SHORT 1024 /* most rows are shorter: a block counts these by itself */

template <class offset>
__global__ void count_lengths(const offset *__restrict__ row_ptr, int64_t rows, int64_t max,
                              unsigned long long *__restrict__ counts)
{
    __shared__ int brief[SHORT];
    int64_t step = static_cast<int64_t>(gridDim.x) * blockDim.x;
    for (int k = threadIdx.x; k < SHORT; k += blockDim.x)
        brief[k] = 0;
    __syncthreads();
    for (int64_t i = thread_of_grid(); i < rows; i += step) {
        int64_t length = row_ptr[i + 1] - row_ptr[i];
        if (length > max) continue;
        if (length < SHORT)
            atomicAdd(&brief[length], 1);
        else
            atomicAdd(&counts[length], 1ull);
    }
    __syncthreads();
    for (int k = threadIdx.x; k < SHORT; k += blockDim.x)
        if (brief[k]) atomicAdd(&counts[k], static_cast<unsigned long long>(brief[k]));
}

/* kept[d] becomes the number of rows longer than d, of all rows that are counted, d = 0 .. longest; after a
 * further scan it is what struct heights says. */
__global__ void count_longer(const int64_t *__restrict__ below, int64_t longest, int64_t *__restrict__ kept)
{
    int64_t d = thread_of_grid();
    if (d <= longest) kept[d] = below[longest + 1] - below[d + 1];
}

heights take_heights(work *w)
{
    int64_t count = longest_of(w) + 2;
    heights heights = {take<int64_t>(w, count), take<int64_t>(w, count), take<int64_t>(w, count),
                       take_scan(w, count)};
    return heights;
}

void put_heights(work *w, const heights &heights, int64_t max)
{
    int64_t rows = w->csr->rows, longest = longest_of(w);
    int64_t blocks = (rows + WORK_BLOCK - 1) / WORK_BLOCK, most = 4 * w->context->multiprocessors;
    put_zeros(w, heights.counts, longest + 2);
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        put_blocks(w, "count_lengths", blocks < most ? blocks : most, WORK_BLOCK, count_lengths<offset>,
                   csr_array<offset>(w, CSR_ROW_PTR), rows, max,
                   reinterpret_cast<unsigned long long *>(heights.counts));
    });
    put_copy(w, heights.below, heights.counts, longest + 2);
    put_scan(w, heights.scan, heights.below, longest + 2);
    put_threads(w, "count_longer", longest + 1, count_longer, heights.below, longest, heights.kept);
    put_scan(w, heights.scan, heights.kept, longest + 1);
}

/* Offsets */

template <class offset>
__global__ void write_offsets(const int64_t *__restrict__ data, int64_t times, int64_t count,
                              offset *__restrict__ to)
{
    int64_t e = thread_of_grid();
    if (e < count) to[e] = static_cast<offset>(data[e] * times);
}

void put_offsets(work *w, int q, const int64_t *data, int64_t times, int64_t count)
{
    by_offset(w->to, [&](auto index) {
        using offset = decltype(index);
        put_threads(w, "write_offsets", count, write_offsets<offset>, data, times, count,
                    to_array<offset>(w, q));
    });
}
