/* ELL and HYB on the device. */
#include <cmath>

#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/ell.h"
#include "formats/hyb.h"
}

/* The slots of a rectangle: position d of line l is slot l * across + d * down. */
struct rectangle {
    int64_t across, down, width;
    __device__ int64_t wide(int64_t, int64_t) const
    {
        return width;
    }
    __device__ int64_t base(int64_t l) const
    {
        return l * across;
    }
    __device__ int64_t slot(int64_t base, int64_t d) const
    {
        return base + d * down;
    }
};

static rectangle rectangle_of(const struct storage *to, int64_t width, int layout)
{
    bool transposed = static_cast<int>(to->values.number[layout]) == ELL_TRANSPOSED;
    rectangle rectangle = {transposed ? 1 : width, transposed ? to->rows : 1, width};
    return rectangle;
}

/* All groups of lines have the same width, so that tasks need not be counted. */
static void put_rectangle(work *w, int64_t width, int layout, int pad)
{
    int64_t rows = w->to->rows;
    rectangle place = rectangle_of(w->to, width, layout);
    tasks tasks = {nullptr, (rows + WARP - 1) / WARP, (width + TASK_WIDE - 1) / TASK_WIDE};
    bool sentinel = static_cast<int>(w->to->values.number[pad]) == ELL_SENTINEL;
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        stored_lines<offset> lines = {csr_array<offset>(w, CSR_ROW_PTR), csr_array<int32_t>(w, CSR_COL),
                                      nullptr, rows, rows};
        by_word(w->csr, [&](auto value) {
            put_lines<decltype(value)>(w, lines, place, tasks, sentinel, rows * width, ELL_COL, ELL_VAL);
        });
    });
}

/* The size of ELL follows from the longest row. */
void convert_ell(work *w)
{
    int64_t width = longest_of(w);
    if (!w->scratch) return;
    expect(w, width, w->to->number[ELL_WIDTH]);
    put_rectangle(w, width, ELL_LAYOUT, ELL_PAD);
}

/* HYB */

/* Return the number of rows that have `length` entries or more. */
__device__ static int64_t rows_from(const int64_t *below, int64_t longest, int64_t length)
{
    return below[longest + 1] - below[length];
}

/* Choose k, as hyb_choose does. With `least` it is the largest length that at least this number of rows
 * reach, 0 if there is none; with `wanted` the smallest that keeps this number of entries. The unused one is
 * -1. */
__global__ void choose_width(const int64_t *below, const int64_t *kept, int64_t longest, int64_t least,
                             int64_t wanted, int64_t *width)
{
    int64_t low = 0, high = longest;
    while (low < high) {
        int64_t middle = low + (high - low + (least >= 0)) / 2;
        if (least >= 0 && rows_from(below, longest, middle) >= least)
            low = middle;
        else if (least >= 0)
            high = middle - 1;
        else if (kept[middle] >= wanted)
            high = middle;
        else
            low = middle + 1;
    }
    *width = low;
}

/* rest[i] becomes the number of entries of row i beyond the width. */
template <class offset>
__global__ void count_rest(const offset *__restrict__ row_ptr, int64_t rows,
                           const int64_t *__restrict__ width, int64_t *__restrict__ rest)
{
    int64_t i = thread_of_grid();
    if (i > rows) return;
    int64_t length = i < rows ? row_ptr[i + 1] - row_ptr[i] - *width : 0;
    rest[i] = length > 0 ? length : 0;
}

/* Entry e of COO lies in row i, whose entries from the width on are there. */
template <class word, class offset> struct put_rest {
    const offset *row_ptr;
    const int64_t *rest;
    const int32_t *from_col;
    const word *from_val;
    int64_t width;
    int32_t *row, *col;
    word *val;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        int64_t k = row_ptr[i] + width + e - rest[i];
        row[e] = static_cast<int32_t>(i);
        col[e] = from_col[k];
        val[e] = from_val[k];
    }
};

/* The rules of hyb_choose. "bytes" takes longer rows into ELL as long as rows * (2 i + v) > lines * (i + v),
 * and "third" as long as there are 4096 rows and a third of all: both ask for a least number of rows. */
static int64_t least_rows(const struct storage *to)
{
    double value = static_cast<double>(element_size(to->array[HYB_VAL].element)), lines;
    int64_t rows = to->rows;
    lines = static_cast<double>(rows) * (4 + value);
    if (static_cast<int>(to->values.number[HYB_RULE]) == HYB_THIRD)
        return (rows + 2) / 3 > 4096 ? (rows + 2) / 3 : 4096;
    int64_t least = static_cast<int64_t>(lines / (8 + value));
    while (least > 1 && static_cast<double>(least - 1) * (8 + value) > lines)
        least--;
    while (!(static_cast<double>(least) * (8 + value) > lines) && least <= rows)
        least++;
    return least;
}

static int64_t wanted_entries(const struct storage *to)
{
    int64_t wanted = static_cast<int64_t>(ceil(to->values.number[HYB_SHARE] * static_cast<double>(to->nnz)));
    return wanted < to->nnz ? wanted : to->nnz;
}

template <class offset> static void put_coo(work *w, const int64_t *rest, int64_t width, int64_t count)
{
    const offset *row_ptr = csr_array<offset>(w, CSR_ROW_PTR);
    by_word(w->csr, [&](auto value) {
        using word = decltype(value);
        put_rest<word, offset> use = {row_ptr,
                                      rest,
                                      csr_array<int32_t>(w, CSR_COL),
                                      csr_array<word>(w, CSR_VAL),
                                      width,
                                      to_array<int32_t>(w, HYB_ROW),
                                      to_array<int32_t>(w, HYB_COL),
                                      to_array<word>(w, HYB_VAL)};
        put_runs(w, "put_rest", rest, w->to->rows, count, use);
    });
}

/* The device chooses the width from the lengths of rows by the rule, unless k was given. */
void convert_hyb(work *w)
{
    int64_t rows = w->to->rows, longest = longest_of(w);
    bool given = w->to->values.given[HYB_K];
    bool share = static_cast<int>(w->to->values.number[HYB_RULE]) == HYB_ENTRIES;
    heights heights = take_heights(w);
    int64_t *width = take<int64_t>(w, 1), *rest = take<int64_t>(w, rows + 1);
    scan scan = take_scan(w, rows + 1);
    if (!w->scratch) return;
    int64_t k = w->to->number[HYB_WIDTH];
    if (given) {
        note(w, "sending k to the GPU",
             cudaMemcpyAsync(width, &k, sizeof k, cudaMemcpyHostToDevice, w->context->stream));
    } else {
        put_heights(w, heights, INT64_MAX);
        put_blocks(w, "choose_width", 1, 1, choose_width, heights.below, heights.kept, longest,
                   share ? -1 : least_rows(w->to), share ? wanted_entries(w->to) : -1, width);
    }
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        put_threads(w, "count_rest", rows + 1, count_rest<offset>, csr_array<offset>(w, CSR_ROW_PTR), rows,
                    width, rest);
        put_scan(w, scan, rest, rows + 1);
        put_number(w, 0, width);
        put_number(w, 1, rest + rows);
        if (!read_numbers(w)) return;
        expect(w, w->numbers[0], w->to->number[HYB_WIDTH]);
        expect(w, w->numbers[1], w->to->slots[1]);
        put_rectangle(w, w->numbers[0], HYB_LAYOUT, HYB_PAD);
        put_coo<offset>(w, rest, w->numbers[0], w->numbers[1]);
    });
}
