/* Steps that conversions on the device share: sums over an array and sorting, both by CUB, and counting of
 * row lengths. */
#include <cub/block/block_scan.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "kernels/cuda/convert/work.cuh"

/* Sums */

#define SCAN_ALONE 8192 /* up to this number of elements one block is faster than launching CUB's kernels */
#define SCAN_THREADS 1024

/* One block: replace data[e] by the sum of the elements before it. */
__global__ void __launch_bounds__(SCAN_THREADS) scan_alone(int64_t *data, int64_t count)
{
    using block_scan = cub::BlockScan<int64_t, SCAN_THREADS, cub::BLOCK_SCAN_WARP_SCANS>;
    __shared__ typename block_scan::TempStorage shared;
    int64_t before = 0;
    for (int64_t first = 0; first < count; first += SCAN_THREADS) {
        int64_t e = first + threadIdx.x, sum, all;
        block_scan(shared).ExclusiveSum(e < count ? data[e] : 0, sum, all);
        if (e < count) data[e] = before + sum;
        before += all;
        __syncthreads(); /* the next pass uses the same shared memory */
    }
}

scan take_scan(work *w, int64_t count)
{
    scan scan = {};
    if (count <= SCAN_ALONE) return scan;
    int64_t *data = nullptr;
    note(w, "planning a scan",
         cub::DeviceScan::ExclusiveSum(nullptr, scan.bytes, data, data, count, w->context->stream));
    scan.memory = take<char>(w, static_cast<int64_t>(scan.bytes));
    return scan;
}

void put_scan(work *w, const scan &scan, int64_t *data, int64_t count)
{
    size_t bytes = scan.bytes;
    if (count <= 0 || w->code != cudaSuccess) return;
    if (count <= SCAN_ALONE)
        put_blocks(w, "scan_alone", 1, SCAN_THREADS, scan_alone, data, count);
    else
        note(w, "scan",
             cub::DeviceScan::ExclusiveSum(scan.memory, bytes, data, data, count, w->context->stream));
}

/* Sorting
 *
 * The key of a row is (row / window, longest - length), ascending; a radix sort is stable, like the host's
 * counting sort (src/formats/sorted.c). */

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

sorting take_sorting(work *w)
{
    const int64_t rows = w->csr->rows;
    sorting sorting = {};
    for (int k = 0; k < 2; k++) {
        sorting.key[k] = take<uint64_t>(w, rows);
        sorting.row[k] = take<int32_t>(w, rows);
    }
    cub::DoubleBuffer<uint64_t> key;
    cub::DoubleBuffer<int32_t> row;
    note(w, "planning a sort",
         cub::DeviceRadixSort::SortPairs(nullptr, sorting.bytes, key, row, rows, 0, 64, w->context->stream));
    sorting.memory = take<char>(w, static_cast<int64_t>(sorting.bytes));
    return sorting;
}

/* Return the number of bits of the numbers 0 .. max. */
static int bits_of(int64_t max)
{
    int bits = 0;
    while (bits < 63 && max >> bits)
        bits++;
    return bits;
}

const int32_t *put_sorting(work *w, const sorting &sorting, int64_t window)
{
    int64_t rows = w->csr->rows, longest = longest_of(w);
    if (rows == 0) return sorting.row[0];
    if (window > rows) window = rows;
    const int length_bits = bits_of(longest), bits = length_bits + bits_of((rows - 1) / window);
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        put_threads(w, "sort_keys", rows, sort_keys<offset>, csr_array<offset>(w, CSR_ROW_PTR), rows, longest,
                    window, length_bits, sorting.key[0], sorting.row[0]);
    });
    cub::DoubleBuffer<uint64_t> key(sorting.key[0], sorting.key[1]);
    cub::DoubleBuffer<int32_t> row(sorting.row[0], sorting.row[1]);
    size_t bytes = sorting.bytes;
    if (bits > 0 && w->code == cudaSuccess)
        note(w, "sort",
             cub::DeviceRadixSort::SortPairs(sorting.memory, bytes, key, row, rows, 0, bits,
                                             w->context->stream));
    return row.Current();
}

/* Row lengths */

#define SHORT 1024 /* most rows are shorter, and are counted within a block */

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

/* kept[d] becomes the number of rows longer than d, among the counted rows, d = 0 .. longest; after a further
 * scan it is that of struct heights. */
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
