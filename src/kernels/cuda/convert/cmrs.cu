/* CMRS on the device: strips row by row, sorted by column, or divided into groups. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/cmrs.h"
}

/* The target of slots' indices: ColInd and RowInStrip, or packed in ColInd alone. */
struct indices {
    uint32_t *col_ind;
    uint8_t *row_in_strip; /* NULL if packed */
    __device__ void put(int64_t e, uint32_t col, uint32_t r) const
    {
        if (row_in_strip) {
            col_ind[e] = col;
            row_in_strip[e] = static_cast<uint8_t>(r);
        } else
            col_ind[e] = col << CMRS_ROW_BITS | r;
    }
};

/* slots[s] becomes the offset of strip s in CSR, which is also that in CMRS without padding. */
template <class offset>
__global__ void find_strips(const offset *__restrict__ row_ptr, int64_t rows, int64_t height, int64_t strips,
                            int64_t *__restrict__ slots)
{
    int64_t s = thread_of_grid();
    if (s <= strips) slots[s] = row_ptr[s * height < rows ? s * height : rows];
}

/* Strips row by row: entry e of CSR, in row i, keeps its position. */
struct put_by_rows {
    indices to;
    const int32_t *col;
    int height;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        to.put(e, static_cast<uint32_t>(col[e]), static_cast<uint32_t>(i % height));
    }
};

/* Strips sorted by column: entry e of row i comes after all entries of the strip in earlier columns, and
 * those of earlier rows in its own column. Each row is sorted, so that binary searches count them. */
template <class word, class offset> struct put_by_columns {
    indices to;
    const offset *row_ptr;
    const int32_t *col;
    const word *from;
    word *val;
    int64_t rows;
    int height;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        int64_t first = i / height * height, last = first + height < rows ? first + height : rows;
        int64_t before = e - row_ptr[i] + row_ptr[first];
        int32_t j = col[e];
        for (int64_t q = first; q < last; q++) {
            if (q == i) continue;
            int64_t begin = row_ptr[q], low = begin, high = row_ptr[q + 1];
            int32_t wanted = j + (q < i); /* the row's first column that comes after the entry */
            while (low < high) {
                int64_t middle = low + (high - low) / 2;
                if (col[middle] < wanted)
                    low = middle + 1;
                else
                    high = middle;
            }
            before += low - begin;
        }
        to.put(before, static_cast<uint32_t>(j), static_cast<uint32_t>(i - first));
        val[before] = from[e];
    }
};

/* Groups: src/formats/cmrs_strip.h describes the division of a strip. */

/* groups[s] becomes the number of groups that strip s takes, and groups[strips] becomes 0. */
template <class offset>
__global__ void count_groups(const offset *__restrict__ row_ptr, int64_t rows, int64_t strips, int64_t modulo,
                             int64_t *__restrict__ groups)
{
    int64_t s = thread_of_grid(), first = s * CMRS_HEIGHT_MAX, needed = 0;
    if (s > strips) return;
    int64_t last = first + CMRS_HEIGHT_MAX < rows ? first + CMRS_HEIGHT_MAX : rows;
    if (s < strips) needed = (row_ptr[last] - row_ptr[first] + CMRS_GROUP - 1) / CMRS_GROUP;
    for (int64_t i = first; i < last; i++) {
        int64_t own = (row_ptr[i + 1] - row_ptr[i] + modulo - 1) / modulo;
        if (own > needed) needed = own;
    }
    groups[s] = needed;
}

#define GROUPS_AHEAD 4 /* groups that a warp takes one after another */

/* A warp fills a group. Lane r < 16 computes the entries of the first r rows in the group and in all groups
 * before it; then each lane finds the row of its slot among these. */
template <class word, class offset>
__global__ void deal_groups(const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                            const word *__restrict__ from, int64_t rows, int64_t strips,
                            const int64_t *__restrict__ groups, int64_t count, indices to,
                            word *__restrict__ val)
{
    int lane = threadIdx.x % WARP;
    int64_t next = thread_of_grid() / WARP * GROUPS_AHEAD, end = next + GROUPS_AHEAD;
    if (end > count) end = count;
    if (next >= end) return;
    for (int64_t s = find_run(groups, 0, strips, next); next < end; next++) {
        while (next >= groups[s + 1])
            s++;
        int64_t first = s * CMRS_HEIGHT_MAX, all = groups[s + 1] - groups[s], g = next - groups[s];
        int64_t row = first + lane < rows ? first + lane : rows, strip_begin = row_ptr[first];
        if (lane > CMRS_HEIGHT_MAX) row = first + CMRS_HEIGHT_MAX < rows ? first + CMRS_HEIGHT_MAX : rows;
        int64_t before = row_ptr[row] - strip_begin, whole = before / all, rest = before % all;
        int start = static_cast<int>(whole + (g < rest));    /* of the first `lane` rows in this group */
        int64_t earlier = whole * g + (rest < g ? rest : g); /* and in the groups before it */
        int taken = __shfl_sync(WHOLE_WARP, start, CMRS_HEIGHT_MAX);
        int slot = lane < taken ? lane : taken - 1, r = 0;
#pragma unroll
        for (int k = 1; k < CMRS_HEIGHT_MAX; k++)
            r += __shfl_sync(WHOLE_WARP, start, k) <= slot;
        int64_t sum = __shfl_sync(WHOLE_WARP, earlier, r + 1) - __shfl_sync(WHOLE_WARP, earlier, r);
        int64_t begin = __shfl_sync(WHOLE_WARP, before, r) + strip_begin;
        int64_t k = begin + sum + slot - __shfl_sync(WHOLE_WARP, start, r);
        int64_t e = next * CMRS_GROUP + lane;
        to.put(e, static_cast<uint32_t>(col[k]), static_cast<uint32_t>(r));
        val[e] = lane < taken ? from[k] : word{};
    }
}

/* Without groups all sizes follow from CSR. */
static void put_strips(work *w, const indices &to, int64_t *slots)
{
    const int64_t *number = w->to->number;
    int64_t rows = w->to->rows, nnz = w->to->nnz;
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        const offset *row_ptr = csr_array<offset>(w, CSR_ROW_PTR);
        const int32_t *col = csr_array<int32_t>(w, CSR_COL);
        int height = static_cast<int>(number[CMRS_HEIGHT]);
        expect(w, nnz, w->to->slots[0]);
        put_threads(w, "find_strips", number[CMRS_STRIPS] + 1, find_strips<offset>, row_ptr, rows, height,
                    number[CMRS_STRIPS], slots);
        put_offsets(w, CMRS_STRIP_PTR, slots, 1, number[CMRS_STRIPS] + 1);
        by_word(w->csr, [&](auto value) {
            using word = decltype(value);
            const word *from = csr_array<word>(w, CSR_VAL);
            word *val = to_array<word>(w, CMRS_VAL);
            if (number[CMRS_SORTED]) {
                put_by_columns<word, offset> use = {to, row_ptr, col, from, val, rows, height};
                put_runs(w, "put_by_columns", row_ptr, rows, nnz, use);
            } else {
                put_by_rows use = {to, col, height};
                put_runs(w, "put_by_rows", row_ptr, rows, nnz, use);
                put_copy(w, val, from, nnz);
            }
        });
    });
}

static void put_groups(work *w, const indices &to, int64_t *groups, const scan &scan)
{
    const int64_t *number = w->to->number;
    int64_t rows = w->to->rows, strips = number[CMRS_STRIPS];
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        const offset *row_ptr = csr_array<offset>(w, CSR_ROW_PTR);
        put_threads(w, "count_groups", strips + 1, count_groups<offset>, row_ptr, rows, strips,
                    number[CMRS_MODULO], groups);
        put_scan(w, scan, groups, strips + 1);
        put_number(w, 0, groups + strips);
        if (!read_numbers(w)) return;
        int64_t count = w->numbers[0], warps = (count + GROUPS_AHEAD - 1) / GROUPS_AHEAD;
        expect(w, count * CMRS_GROUP, w->to->slots[0]);
        put_offsets(w, CMRS_STRIP_PTR, groups, CMRS_GROUP, strips + 1);
        by_word(w->csr, [&](auto value) {
            using word = decltype(value);
            put_threads(w, "deal_groups", warps * WARP, deal_groups<word, offset>, row_ptr,
                        csr_array<int32_t>(w, CSR_COL), csr_array<word>(w, CSR_VAL), rows, strips, groups,
                        count, to, to_array<word>(w, CMRS_VAL));
        });
    });
}

void convert_cmrs(work *w)
{
    int64_t strips = w->to->number[CMRS_STRIPS];
    int64_t *slots = take<int64_t>(w, strips + 1);
    scan scan = take_scan(w, strips + 1);
    if (!w->scratch) return;
    bool packed = w->to->number[CMRS_PACKED] != 0;
    indices to = {to_array<uint32_t>(w, CMRS_COL_IND),
                  packed ? nullptr : to_array<uint8_t>(w, CMRS_ROW_IN_STRIP)};
    if (w->to->number[CMRS_MODULO])
        put_groups(w, to, slots, scan);
    else
        put_strips(w, to, slots);
}
