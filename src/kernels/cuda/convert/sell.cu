/* SELL-C-sigma on the device. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/sell.h"
}

/* The slots of chunks of c lines: chunk i begins at slot columns[i] * c, and the positions of a line are c
 * slots apart. There are less than 2^31 lines, and 32-bit division is faster. */
struct chunks {
    const int64_t *columns;
    uint32_t c;
    __device__ int64_t wide(int64_t l, int64_t) const
    {
        uint32_t i = static_cast<uint32_t>(l) / c;
        return columns[i + 1] - columns[i];
    }
    __device__ int64_t base(int64_t l) const
    {
        uint32_t line = static_cast<uint32_t>(l), i = line / c;
        return columns[i] * c + (line - i * c);
    }
    __device__ int64_t slot(int64_t base, int64_t d) const
    {
        return base + d * c;
    }
};

/* columns[i] becomes the length of chunk i's longest line; it is 0 before. `each` neighbouring lanes, whose
 * lines are certainly in one chunk, find their longest line together. */
template <class offset>
__global__ void widen_chunks(stored_lines<offset> lines, uint32_t c, unsigned long long *__restrict__ columns)
{
    int64_t l = thread_of_grid();
    uint32_t i = static_cast<uint32_t>(l) / c;
    unsigned long long wide = l < lines.count ? entries_of(lines, l).length : 0;
    bool together = __shfl_sync(WHOLE_WARP, i, 0) == __shfl_sync(WHOLE_WARP, i, WARP - 1);
    int each = together ? WARP : c & (c - 1) || c > WARP ? 1 : static_cast<int>(c);
    for (int distance = each / 2; distance > 0; distance /= 2) {
        unsigned long long other = __shfl_xor_sync(WHOLE_WARP, wide, distance);
        if (other > wide) wide = other;
    }
    if (wide && l % each == 0) atomicMax(&columns[i], wide);
}

void convert_sell(work *w)
{
    int64_t rows = w->to->rows, c = static_cast<int64_t>(w->to->values.number[SELL_C]);
    int64_t window = static_cast<int64_t>(w->to->values.number[SELL_SIGMA]), chunk_count = (rows + c - 1) / c;
    int64_t groups = (chunk_count * c + WARP - 1) / WARP;
    sorting sorting = {};
    if (window > 1) sorting = take_sorting(w);
    int64_t *columns = take<int64_t>(w, chunk_count + 1), *begin = take<int64_t>(w, groups + 1);
    scan scan = take_scan(w, chunk_count > groups ? chunk_count + 1 : groups + 1);
    if (!w->scratch) return;
    const int32_t *order = window > 1 ? put_sorting(w, sorting, window) : nullptr;
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        stored_lines<offset> lines = {csr_array<offset>(w, CSR_ROW_PTR), csr_array<int32_t>(w, CSR_COL),
                                      order, rows, chunk_count * c};
        chunks place = {columns, static_cast<uint32_t>(c)};
        put_zeros(w, columns, chunk_count + 1);
        put_threads(w, "widen_chunks", lines.count, widen_chunks<offset>, lines, place.c,
                    reinterpret_cast<unsigned long long *>(columns));
        put_scan(w, scan, columns, chunk_count + 1);
        put_number(w, 0, columns + chunk_count);
        put_offsets(w, SELL_CHUNK_PTR, columns, c, chunk_count + 1);
        if (order) put_copy(w, to_array<int32_t>(w, SELL_PERM), order, rows);
        tasks tasks = put_tasks(w, lines, place, begin, scan);
        if (!read_numbers(w)) return; /* work that does not depend on the slots runs meanwhile */
        int64_t slots = w->numbers[0] * c;
        expect(w, slots, w->to->slots[0]);
        by_word(w->csr, [&](auto value) {
            put_lines<decltype(value)>(w, lines, place, tasks, false, slots, SELL_COL, SELL_VAL);
        });
    });
}
