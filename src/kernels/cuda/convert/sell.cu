/* SELL-C-sigma on the device. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/sell.h"
}

/* The slots of chunks of 2^shift lines: chunk i begins at slot columns[i] << shift, and the positions of a line
 * are 2^shift slots apart. */
struct chunks {
    const int64_t *columns;
    int shift;
    __device__ int64_t wide(int64_t l, int64_t) const
    {
        return columns[(l >> shift) + 1] - columns[l >> shift];
    }
    __device__ int64_t base(int64_t l) const
    {
        return (columns[l >> shift] << shift) + (l & ((int64_t{1} << shift) - 1));
    }
    __device__ int64_t slot(int64_t base, int64_t d) const { return base + (d << shift); }
};

/* columns[i] becomes the length of chunk i's longest line; it is 0 before. */
template <class offset>
__global__ void widen_chunks(lines<offset> lines, int shift, unsigned long long *__restrict__ columns)
{
    int64_t l = thread_of_grid();
    int each = shift < 5 ? 1 << shift : WARP;
    unsigned long long wide = l < lines.count ? entries_of(lines, l).length : 0;
    for (int distance = each / 2; distance > 0; distance /= 2) {
        unsigned long long other = __shfl_xor_sync(WHOLE_WARP, wide, distance);
        if (other > wide) wide = other;
    }
    if (l >= lines.count || l % each) return;
    if (shift <= 5)
        columns[l >> shift] = wide;
    else if (wide)
        atomicMax(&columns[l >> shift], wide);
}

static int log2_of(int64_t power)
{
    int shift = 0;
    while (power >> (shift + 1))
        shift++;
    return shift;
}

void convert_sell(work *w)
{
    int64_t rows = w->to->rows, c = static_cast<int64_t>(w->to->values.number[SELL_C]);
    int64_t window = static_cast<int64_t>(w->to->values.number[SELL_SIGMA]), chunk_count = (rows + c - 1) / c;
    int64_t groups = (chunk_count * c + WARP - 1) / WARP;
    int shift = log2_of(c);
    sorting sorting = {};
    if (window > 1) sorting = take_sorting(w);
    int64_t *columns = take<int64_t>(w, chunk_count + 1), *begin = take<int64_t>(w, groups + 1);
    scan scan = take_scan(w, chunk_count > groups ? chunk_count + 1 : groups + 1);
    if (!w->scratch) return;
    const int32_t *order = window > 1 ? put_sorting(w, sorting, window) : nullptr;
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        lines<offset> lines = {csr_array<offset>(w, CSR_ROW_PTR), csr_array<int32_t>(w, CSR_COL), order, rows,
                               chunk_count * c};
        chunks place = {columns, shift};
        put_zeros(w, columns, chunk_count + 1);
        put_threads(w, "widen_chunks", lines.count, widen_chunks<offset>, lines, shift,
                    reinterpret_cast<unsigned long long *>(columns));
        put_scan(w, scan, columns, chunk_count + 1);
        put_number(w, 0, columns + chunk_count);
        if (!read_numbers(w)) return;
        int64_t slots = w->numbers[0] << shift;
        expect(w, slots, w->to->slots[0]);
        put_offsets(w, SELL_CHUNK_PTR, columns, shift, chunk_count + 1);
        if (order) put_copy(w, to_array<int32_t>(w, SELL_PERM), order, rows);
        if (slots == 0) return;
        tasks tasks = put_tasks(w, lines, place, begin, scan);
        by_word(w->csr, [&](auto value) {
            put_lines<decltype(value)>(w, lines, place, tasks, false, slots, SELL_COL, SELL_VAL);
        });
    });
}
