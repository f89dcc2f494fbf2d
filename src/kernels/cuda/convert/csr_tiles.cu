/* The tables of csr-balanced on the device (defined in src/kernels/cuda/csr_tiles.h). */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "kernels/cuda/csr_balanced.h"
}

/* Scratch memory, and the counters of `found`. */
struct tiles_work {
    uint32_t *ends;      /* for each lane of each tile, which of its entries are the last of their rows */
    uint32_t *empty;     /* bit i % 32 of word i / 32: row i is empty */
    int32_t *rows;       /* all rows with entries */
    int64_t *row_place;  /* for each word, the number of earlier rows with entries */
    int64_t *tile_place; /* for each tile, the number of rows with entries that end before it */
    int32_t *base;
    unsigned long long *found;
    struct scan scan;
};

enum { FOUND_EMPTY, FOUND_LISTED, FOUND_WIDE, FOUND_COUNT };

template <class offset>
__global__ void mark_rows(const offset *__restrict__ row_ptr, int64_t rows, int each,
                          uint32_t *__restrict__ ends, uint32_t *__restrict__ empty,
                          int64_t *__restrict__ row_place, unsigned long long *__restrict__ found)
{
    int64_t i = thread_of_grid(), word = i / WARP, words = (rows + WARP - 1) / WARP;
    bool there = i < rows, filled = there && row_ptr[i] < row_ptr[i + 1];
    unsigned filled_bits = __ballot_sync(WHOLE_WARP, filled);
    unsigned empty_bits = __ballot_sync(WHOLE_WARP, there && !filled);
    if (filled) {
        int64_t e = row_ptr[i + 1] - 1;
        atomicOr(&ends[e / each], 1u << e % each);
    }
    if (i % WARP || word > words) return;
    row_place[word] = __popc(filled_bits);
    if (word == words) return;
    empty[word] = empty_bits;
    if (empty_bits) atomicAdd(&found[FOUND_EMPTY], 1ull);
}

__global__ void list_rows(const uint32_t *__restrict__ empty, const int64_t *__restrict__ row_place,
                          int64_t rows, int32_t *__restrict__ list)
{
    int64_t i = thread_of_grid(), word = i / WARP;
    int lane = i % WARP;
    if (i >= rows || (empty[word] >> lane & 1)) return;
    list[row_place[word] + lane - __popc(empty[word] & ((1u << lane) - 1))] = static_cast<int32_t>(i);
}

/* A warp has a tile. tile_place[t] becomes the number of rows that end in it. */
template <class mark>
__global__ void make_marks(const uint32_t *__restrict__ ends, int64_t tiles, int each,
                           mark *__restrict__ marks, int64_t *__restrict__ tile_place)
{
    int64_t thread = thread_of_grid(), t = thread / WARP;
    int lane = thread % WARP;
    if (t > tiles) return;
    uint32_t bits = t < tiles ? ends[thread] : 0;
    int own = __popc(bits), sum = own;
#pragma unroll
    for (int distance = 1; distance < WARP; distance *= 2) {
        int other = __shfl_up_sync(WHOLE_WARP, sum, distance);
        if (lane >= distance) sum += other;
    }
    if (t < tiles) marks[thread] = static_cast<mark>(bits | static_cast<uint32_t>(sum - own) << each);
    if (lane == WARP - 1) tile_place[t] = sum;
}

__global__ void find_firsts(const int64_t *__restrict__ tile_place, const int32_t *__restrict__ rows,
                            int64_t tiles, int32_t *__restrict__ first,
                            unsigned long long *__restrict__ found)
{
    int64_t t = thread_of_grid();
    if (t >= tiles) return;
    int64_t begin = tile_place[t], count = tile_place[t + 1] - begin;
    int32_t least = count ? rows[begin] : 0;
    bool together = count == 0 || rows[begin + count - 1] - least == count - 1;
    first[t] = together ? least : static_cast<int32_t>(~begin);
    if (!together) atomicAdd(&found[FOUND_LISTED], static_cast<unsigned long long>(count));
}

/* As make_span on the host. */
template <class offset>
__global__ void make_spans(const offset *__restrict__ row_ptr, int64_t rows, int64_t nnz, int64_t chunks,
                           int64_t size, struct tile_span *__restrict__ spans)
{
    int64_t chunk = thread_of_grid();
    if (chunk >= chunks) return;
    int64_t begin = chunk * size, end = begin + size < nnz ? begin + size : nnz;
    int64_t r = find_run(row_ptr, 0, rows, begin), start = row_ptr[r];
    struct tile_span span = {-1, 0, -1, 0, 0, {0, 0, 0}};
    if (start < begin) {
        span.from = static_cast<int32_t>(start / size);
        span.row = static_cast<int32_t>(r);
    }
    if (end < nnz) {
        r = find_run(row_ptr, 0, rows, end);
        start = row_ptr[r];
        if (start < end) {
            span.to = static_cast<int32_t>((row_ptr[r + 1] - 1) / size);
            span.to_from = static_cast<int32_t>(start / size);
            span.to_row = static_cast<int32_t>(r);
        }
    }
    spans[chunk] = span;
}

/* A warp has a tile: base[t] becomes its smallest column, or -1 if its columns span too many for 16 bits, and
 * if col16 is not NULL the tile's columns of 16 bits are written, eight by a lane at once, or four. */
template <int EACH>
__global__ void narrow_tiles(const int32_t *__restrict__ col, int64_t nnz, int64_t tiles,
                             int32_t *__restrict__ base, uint16_t *__restrict__ col16,
                             unsigned long long *__restrict__ found)
{
    int64_t thread = thread_of_grid(), t = thread / WARP;
    int lane = thread % WARP, low = INT32_MAX, high = -1;
    if (t >= tiles) return;
    int64_t begin = t * EACH * WARP;
    int32_t own[EACH];
#pragma unroll
    for (int j = 0; j < EACH; j++) {
        int64_t e = begin + j * WARP + lane;
        own[j] = e < nnz ? col[e] : -1;
        if (e < nnz && own[j] < low) low = own[j];
        if (own[j] > high) high = own[j];
    }
#pragma unroll
    for (int distance = WARP / 2; distance > 0; distance /= 2) {
        int other = __shfl_xor_sync(WHOLE_WARP, low, distance);
        if (other < low) low = other;
        other = __shfl_xor_sync(WHOLE_WARP, high, distance);
        if (other > high) high = other;
    }
    bool narrow = high - low < 65536;
    if (lane == 0) {
        base[t] = narrow ? low : -1;
        if (!narrow) atomicAdd(&found[FOUND_WIDE], 1ull);
    }
    if (!col16) return;
    constexpr int SOME = EACH < 8 ? EACH : 8;
#pragma unroll
    for (int part = 0; part < EACH / SOME; part++) {
        uint32_t two[SOME / 2];
#pragma unroll
        for (int k = 0; k < SOME / 2; k++) {
            int32_t one = own[part * SOME + 2 * k], next = own[part * SOME + 2 * k + 1];
            uint32_t first = narrow && one >= 0 ? one - low : 0,
                     second = narrow && next >= 0 ? next - low : 0;
            two[k] = first | second << 16;
        }
        uint16_t *to = col16 + t * EACH * WARP + part * SOME * WARP + lane * SOME;
        if constexpr (SOME == 8)
            *reinterpret_cast<uint4 *>(to) = make_uint4(two[0], two[1], two[2], two[3]);
        else
            *reinterpret_cast<uint2 *>(to) = make_uint2(two[0], two[1]);
    }
}

static tiles_work take_tiles(work *w, const struct csr_tiles *there)
{
    int64_t rows = w->csr->rows, words = (rows + WARP - 1) / WARP, tiles = there->tiles;
    tiles_work t = {};
    t.ends = take<uint32_t>(w, tiles * TILE_LANES);
    t.empty = take<uint32_t>(w, words);
    t.rows = take<int32_t>(w, rows);
    t.row_place = take<int64_t>(w, words + 1);
    t.tile_place = take<int64_t>(w, tiles + 1);
    t.base = take<int32_t>(w, tiles);
    t.found = take<unsigned long long>(w, FOUND_COUNT);
    t.scan = take_scan(w, (words > tiles ? words : tiles) + 1);
    return t;
}

template <class offset> static void put_rows(work *w, const tiles_work &t, const struct csr_tiles *there)
{
    const offset *row_ptr = csr_array<offset>(w, CSR_ROW_PTR);
    int64_t rows = w->csr->rows, nnz = w->csr->nnz, words = (rows + WARP - 1) / WARP, tiles = there->tiles;
    put_threads(w, "mark_rows", (words + 1) * WARP, mark_rows<offset>, row_ptr, rows, there->each, t.ends,
                t.empty, t.row_place, t.found);
    put_scan(w, t.scan, t.row_place, words + 1);
    put_threads(w, "list_rows", rows, list_rows, t.empty, t.row_place, rows, t.rows);
    if (csr_tile_mark(there) == sizeof(uint16_t))
        put_threads(w, "make_marks", (tiles + 1) * WARP, make_marks<uint16_t>, t.ends, tiles, there->each,
                    static_cast<uint16_t *>(there->mark), t.tile_place);
    else
        put_threads(w, "make_marks", (tiles + 1) * WARP, make_marks<uint32_t>, t.ends, tiles, there->each,
                    static_cast<uint32_t *>(there->mark), t.tile_place);
    put_scan(w, t.scan, t.tile_place, tiles + 1);
    put_threads(w, "find_firsts", tiles, find_firsts, t.tile_place, t.rows, tiles, there->first, t.found);
    put_threads(w, "make_spans", there->chunks, make_spans<offset>, row_ptr, rows, nnz, there->chunks,
                static_cast<int64_t>(csr_tile_entries(there)) << there->shift, there->spans);
}

static void put_columns(work *w, const tiles_work &t, const struct csr_tiles *there)
{
    const int32_t *col = csr_array<int32_t>(w, CSR_COL);
    int32_t *base = there->col16 ? there->base : t.base;
    const int64_t threads = static_cast<int64_t>(there->tiles) * WARP;
    const auto put = [&](auto kernel) {
        put_threads(w, "narrow_tiles", threads, kernel, col, w->csr->nnz, there->tiles, base, there->col16,
                    t.found);
    };
    if (there->each == 16)
        put(narrow_tiles<16>);
    else if (there->each == 8)
        put(narrow_tiles<8>);
    else
        put(narrow_tiles<4>);
}

static void put_last(work *w, const struct csr_tiles *there)
{
    int64_t begin = (static_cast<int64_t>(there->tiles) - 1) * csr_tile_entries(there);
    int64_t count = w->csr->nnz - begin;
    put_zeros(w, there->last_col, csr_tile_entries(there));
    put_copy(w, there->last_col, csr_array<int32_t>(w, CSR_COL) + begin, count);
    by_word(w->csr, [&](auto value) {
        using word = decltype(value);
        put_zeros(w, static_cast<word *>(there->last_val), csr_tile_entries(there));
        put_copy(w, static_cast<word *>(there->last_val), csr_array<word>(w, CSR_VAL) + begin, count);
    });
}

/* The findings decide which tables are needed: rows if those that end in a tile are not consecutive, `empty`
 * if there are empty rows, columns of 16 bits unless most tiles are too wide. */
void table_csr_balanced(work *w)
{
    const auto *balanced = static_cast<const struct balanced *>(w->launch->state);
    const struct csr_tiles *there = &balanced->tiles;
    bool given = w->launch->values.given[BALANCED_COLUMNS];
    tiles_work t = take_tiles(w, there);
    const unique_work u = take_unique(w);
    if (!w->scratch || there->tiles == 0) return;
    put_zeros(w, t.ends, static_cast<int64_t>(there->tiles) * TILE_LANES);
    put_zeros(w, t.found, FOUND_COUNT);
    by_offset(w->csr, [&](auto index) { put_rows<decltype(index)>(w, t, there); });
    if (!given || there->col16) put_columns(w, t, there);
    put_last(w, there);
    put_unique(w, u,
               {w->csr->array[CSR_VAL].data, w->csr->nnz,
                static_cast<int64_t>(there->tiles) * csr_tile_entries(there), true, &balanced->unique, 4});
    put_number(w, 3, t.tile_place + there->tiles);
    for (int k = 0; k < FOUND_COUNT; k++)
        put_number(w, k, reinterpret_cast<const int64_t *>(t.found + k));
    if (!read_numbers(w)) return;
    expect(w, w->numbers[FOUND_LISTED], there->listed);
    expect(w, w->numbers[FOUND_EMPTY] > 0, there->words > 0);
    expect(w, w->numbers[3], there->ends);
    if (!given || there->col16) expect(w, w->numbers[FOUND_WIDE] > there->tiles / 2 && !given, !there->col16);
    if (there->col16) expect(w, w->numbers[FOUND_WIDE], there->wide);
    if (balanced->unique.count > 0) expect(w, w->numbers[4], balanced->unique.count);
    if (there->words) put_copy(w, there->empty, t.empty, there->words);
    if (there->listed) put_copy(w, there->rows, t.rows, there->ends);
}
