/* Tables that kernels read beside the arrays of their format, made on the device: those of csr-balanced are
 * in csr_tiles.cu, all others here. Each overwrites the host's table, which `prepare` has copied. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/sell.h"
#include "kernels/cuda/ell.h"
#include "kernels/cuda/hyb.h"
#include "kernels/cuda/jds.h"
#include "kernels/cuda/sell.h"
}

/* The lengths of rows, for ell-bounded */

template <class offset>
__global__ void write_lengths(const offset *__restrict__ row_ptr, int64_t rows, int32_t *__restrict__ length)
{
    int64_t i = thread_of_grid();
    if (i < rows) length[i] = static_cast<int32_t>(row_ptr[i + 1] - row_ptr[i]);
}

void table_ell_bounded(work *w)
{
    if (!w->scratch) return;
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        put_threads(w, "write_lengths", w->csr->rows, write_lengths<offset>,
                    csr_array<offset>(w, CSR_ROW_PTR), w->csr->rows,
                    static_cast<int32_t *>(w->launch->state));
    });
}

/* The offsets of blocks of rows in COO, for hyb-fused */

__global__ void find_begins(const int32_t *__restrict__ row, int64_t entries, int64_t blocks, int64_t threads,
                            int64_t *__restrict__ begin)
{
    int64_t b = thread_of_grid(), low = 0, high = entries;
    if (b > blocks) return;
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (row[middle] < b * threads)
            low = middle + 1;
        else
            high = middle;
    }
    begin[b] = low;
}

void table_hyb_fused(work *w)
{
    const struct grid grid = hyb_rows_grid(w->launch);
    if (!w->scratch) return;
    put_threads(w, "find_begins", grid.blocks + 1, find_begins, array_of<int32_t>(w->launch, HYB_ROW),
                w->launch->storage->slots[1], grid.blocks, static_cast<int64_t>(grid.threads),
                static_cast<int64_t *>(w->launch->state));
}

/* The rows of the COO part, each once, for the kernels of JDS */

__global__ void mark_firsts(const int32_t *__restrict__ row, int64_t entries, int64_t *__restrict__ place)
{
    int64_t e = thread_of_grid();
    if (e <= entries) place[e] = e < entries && (e == 0 || row[e] != row[e - 1]);
}

__global__ void list_firsts(const int32_t *__restrict__ row, int64_t entries,
                            const int64_t *__restrict__ place, int32_t *__restrict__ list)
{
    int64_t e = thread_of_grid();
    if (e < entries && place[e + 1] != place[e]) list[place[e]] = row[e];
}

void table_jds(work *w)
{
    const struct storage *storage = w->launch->storage;
    int64_t entries = w->launch->state ? storage->slots[1] : 0;
    int64_t *place = take<int64_t>(w, entries + 1);
    scan scan = take_scan(w, entries + 1);
    if (!w->scratch || entries == 0) return;
    const int32_t *row = array_of<int32_t>(w->launch, static_cast<int>(storage->number[JDS_COLUMNS]) + 2);
    put_threads(w, "mark_firsts", entries + 1, mark_firsts, row, entries, place);
    put_scan(w, scan, place, entries + 1);
    put_threads(w, "list_firsts", entries, list_firsts, row, entries, place,
                static_cast<int32_t *>(w->launch->state));
}

/* Columns of 16 bits, for sell */

#define NARROW 65536 /* number of columns that 16 bits distinguish */

/* A warp has a slice: base[s] becomes the smallest column of its entries, 0 if it has none, or -1 if they
 * span too many columns. *wide counts such slices. */
template <class offset>
__global__ void find_bases(stored_lines<offset> lines, int64_t slices, int32_t *__restrict__ base,
                           unsigned long long *__restrict__ wide)
{
    int64_t l = thread_of_grid(), s = l / WARP;
    if (s >= slices) return;
    entries entries = entries_of(lines, l);
    int low = entries.length ? lines.col[entries.begin] : INT32_MAX;
    int high = entries.length ? lines.col[entries.begin + entries.length - 1] : -1;
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        int other = __shfl_xor_sync(WHOLE_WARP, low, distance);
        if (other < low) low = other;
        other = __shfl_xor_sync(WHOLE_WARP, high, distance);
        if (other > high) high = other;
    }
    if (l % WARP) return;
    base[s] = high < 0 ? 0 : high - low < NARROW ? low : -1;
    if (high >= 0 && high - low >= NARROW) atomicAdd(wide, 1ull);
}

/* Slot e lies in chunk i. */
template <class offset> struct put_narrow {
    const offset *chunk_ptr;
    const int32_t *col, *base;
    uint16_t *narrow;
    int64_t chunk_slices;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        int64_t within = (e - chunk_ptr[i]) % (chunk_slices * SELL_SLICE);
        int32_t least = base[i * chunk_slices + within / SELL_SLICE], j = col[e];
        narrow[e] = static_cast<uint16_t>(least < 0 || j < least ? 0 : j - least);
    }
};

/* The columns are written before it is known whether they are narrow enough to be used; otherwise the host
 * would have to wait in between. */
static void put_columns(work *w, const struct sell_columns *there)
{
    const struct storage *storage = w->launch->storage;
    by_offset(storage, [&](auto index) {
        using offset = decltype(index);
        put_narrow<offset> use = {array_of<offset>(w->launch, SELL_CHUNK_PTR),
                                  array_of<int32_t>(w->launch, SELL_COL), there->base, there->narrow,
                                  sell_chunk_slices(storage)};
        put_runs(w, "put_narrow", use.chunk_ptr, storage->number[SELL_CHUNKS], storage->slots[0], use);
    });
}

/* If the host found most columns too wide, only the smallest columns are computed here, which decide that,
 * too. */
static void put_sell_columns(work *w, int32_t *base, unsigned long long *wide)
{
    const struct storage *storage = w->launch->storage;
    const struct sell_columns *there = &static_cast<const struct sell_state *>(w->launch->state)->columns;
    bool given = w->launch->values.given[SELL_COLUMNS], narrow = there->narrow != nullptr;
    int64_t slices = sell_slices(storage);
    if (slices == 0 || (given && !narrow)) return;
    const int32_t *order =
        storage->values.number[SELL_SIGMA] > 1 ? array_of<int32_t>(w->launch, SELL_PERM) : nullptr;
    put_zeros(w, wide, 1);
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        stored_lines<offset> lines = {csr_array<offset>(w, CSR_ROW_PTR), csr_array<int32_t>(w, CSR_COL),
                                      order, storage->rows, slices * SELL_SLICE};
        put_threads(w, "find_bases", slices * SELL_SLICE, find_bases<offset>, lines, slices,
                    narrow ? there->base : base, wide);
    });
    if (!given) put_number(w, 0, reinterpret_cast<const int64_t *>(wide));
    if (narrow && storage->slots[0] > 0) put_columns(w, there);
}

void table_sell(work *w)
{
    const struct storage *storage = w->launch->storage;
    const int64_t slots = storage->slots[0];
    int32_t *base = take<int32_t>(w, sell_slices(storage));
    auto *wide = take<unsigned long long>(w, 1);
    const unique_work u = take_unique(w);
    if (!w->scratch) return;
    put_sell_columns(w, base, wide);
    put_unique(w, u,
               {w->launch->resident->array[SELL_VAL].data, slots, slots, false,
                &static_cast<const struct sell_state *>(w->launch->state)->unique, 1});
}
