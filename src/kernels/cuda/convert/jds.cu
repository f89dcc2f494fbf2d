/* JDS on the device: whole diagonals, and sections. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/jds.h"
#include "matrix/histogram.h"
}

/* The slots of diagonals: entry d of sorted row l is slot begin[d] + l. */
struct diagonals {
    const int64_t *begin;
    __device__ int64_t wide(int64_t, int64_t length) const
    {
        return length;
    }
    __device__ int64_t base(int64_t l) const
    {
        return l;
    }
    __device__ int64_t slot(int64_t base, int64_t d) const
    {
        return begin[d] + base;
    }
};

/* The slots of sections that are stored as ELL: section s has sorted rows row[s] .. row[s+1]-1. */
struct ell_sections {
    const int64_t *row, *ptr;
    int64_t count;
    struct place {
        int64_t first, stride;
    };
    __device__ int64_t wide(int64_t l, int64_t) const
    {
        int64_t s = find_run(row, 0, count, l);
        return (ptr[s + 1] - ptr[s]) / (row[s + 1] - row[s]);
    }
    __device__ place base(int64_t l) const
    {
        int64_t s = find_run(row, 0, count, l);
        return {ptr[s] + l - row[s], row[s + 1] - row[s]};
    }
    __device__ int64_t slot(place base, int64_t d) const
    {
        return base.first + d * base.stride;
    }
};

/* Entries of sorted rows, one row after another: entry e lies in sorted row r, which begins at before[r]. */
template <class word, class offset> struct put_sorted {
    const offset *row_ptr;
    const int32_t *order;
    const int64_t *before;
    const int32_t *from_col;
    const word *from_val;
    int32_t *col;
    word *val;
    __device__ void operator()(int64_t e, int64_t r) const
    {
        int64_t k = row_ptr[order[r]] + e - before[r];
        col[e] = from_col[k];
        val[e] = from_val[k];
    }
};

/* Entries of the rows that are apart, in the order of the matrix. */
template <class word, class offset> struct put_apart {
    const offset *row_ptr;
    const int64_t *before;
    const int32_t *from_col;
    const word *from_val;
    int32_t *row, *col;
    word *val;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        int64_t k = row_ptr[i] + e - before[i];
        row[e] = static_cast<int32_t>(i);
        col[e] = from_col[k];
        val[e] = from_val[k];
    }
};

/* before[l] becomes the length of line l, and before[count] becomes 0. */
template <class offset> __global__ void count_sorted(stored_lines<offset> lines, int64_t *__restrict__ before)
{
    int64_t l = thread_of_grid();
    if (l <= lines.count) before[l] = l < lines.count ? entries_of(lines, l).length : 0;
}

/* before[i] becomes the length of row i if it is longer than max, else 0. */
template <class offset>
__global__ void count_apart(const offset *__restrict__ row_ptr, int64_t rows, int64_t max,
                            int64_t *__restrict__ before)
{
    int64_t i = thread_of_grid();
    if (i > rows) return;
    int64_t length = i < rows ? row_ptr[i + 1] - row_ptr[i] : 0;
    before[i] = length > max ? length : 0;
}

/* numbers: the length of the longest sorted row, the number of rows apart, the number of others with entries,
 * and their entries. */
__global__ void find_numbers(const int64_t *below, const int64_t *kept, int64_t longest, int64_t rows,
                             int64_t *numbers)
{
    int64_t low = 0, high = longest, sorted = below[longest + 1];
    while (low < high) { /* the smallest length that no row exceeds */
        int64_t middle = low + (high - low) / 2;
        if (below[middle + 1] == sorted)
            high = middle;
        else
            low = middle + 1;
    }
    numbers[0] = low;
    numbers[1] = rows - sorted;
    numbers[2] = sorted - below[1];
    numbers[3] = kept[low];
}

/* The data for sections. The host cuts them, one after another, from the number of rows of each length. */
struct cutting_work {
    int64_t *row, *ptr; /* first rows and offsets of sections, longest + 3 elements each */
    int64_t *place; /* for each length, the number of shorter ones that occur; finally the number of all */
    length_count *bins; /* the lengths that occur, ascending */
};

__global__ void mark_lengths(const int64_t *__restrict__ counts, int64_t longest, int64_t *__restrict__ place)
{
    int64_t length = thread_of_grid();
    if (length <= longest + 1) place[length] = length <= longest && counts[length] > 0;
}

__global__ void list_lengths(const int64_t *__restrict__ counts, const int64_t *__restrict__ place,
                             int64_t longest, length_count *__restrict__ bins)
{
    int64_t length = thread_of_grid();
    if (length > longest || counts[length] == 0) return;
    bins[place[length]].length = length;
    bins[place[length]].count = counts[length];
}

static void send(work *w, int64_t *there, const int64_t *here, int64_t count)
{
    note(w, "sending sections to the GPU",
         cudaMemcpyAsync(there, here, static_cast<size_t>(count) * sizeof *here, cudaMemcpyHostToDevice,
                         w->context->stream));
}

/* Cut the sections and write their offsets. `bins` is the number of lengths that occur. */
static void cut_sections(work *w, const cutting_work &there, int64_t bins)
{
    size_t bytes = static_cast<size_t>(bins) * sizeof(length_count);
    auto *here = static_cast<length_count *>(malloc(bytes + 1));
    struct jds_cut cut = {};
    if (here)
        note(w, "reading the lengths of rows",
             cudaMemcpyAsync(here, there.bins, bytes, cudaMemcpyDeviceToHost, w->context->stream));
    if (!here || !read_numbers(w) || jds_cut(w->to, here, bins, &cut, nullptr) != STATUS_OK) {
        note(w, "memory of the host for sections", cudaErrorMemoryAllocation);
    } else {
        expect(w, cut.sections, w->to->number[JDS_SECTIONS]);
        expect(w, cut.ptr[cut.sections], w->to->slots[0]);
        send(w, there.row, cut.row, cut.sections + 1);
        send(w, there.ptr, cut.ptr, cut.sections + 1);
        put_offsets(w, JDS_SECTION_ROW, there.row, 1, cut.sections + 1);
        put_offsets(w, JDS_SECTION_PTR, there.ptr, 1, cut.sections + 1);
        read_numbers(w); /* sent data must stay valid until they have arrived */
    }
    jds_cut_free(&cut);
    free(here);
}

template <class offset>
static void put_parts(work *w, enum jds_kind kind, const stored_lines<offset> &lines, const heights &heights,
                      const cutting_work &there, int64_t *before, const scan &scan)
{
    int columns = static_cast<int>(w->to->number[JDS_COLUMNS]);
    if (w->to->slots[0] == 0) {
        if (kind == JDS_SECTIONS_CSR) put_zeros(w, before, lines.count + 1);
    } else if (kind != JDS_SECTIONS_CSR) {
        diagonals diagonals = {heights.kept};
        ell_sections sections = {there.row, there.ptr, w->to->number[JDS_SECTIONS]};
        tasks tasks = kind == JDS_PLAIN ? put_tasks(w, lines, diagonals, before, scan)
                                        : put_tasks(w, lines, sections, before, scan);
        by_word(w->csr, [&](auto value) {
            using word = decltype(value);
            if (kind == JDS_PLAIN)
                put_lines<word>(w, lines, diagonals, tasks, false, w->to->slots[0], columns, columns + 1);
            else
                put_lines<word>(w, lines, sections, tasks, false, w->to->slots[0], columns, columns + 1);
        });
    } else {
        put_threads(w, "count_sorted", lines.count + 1, count_sorted<offset>, lines, before);
        put_scan(w, scan, before, lines.count + 1);
        by_word(w->csr, [&](auto value) {
            using word = decltype(value);
            put_sorted<word, offset> use = {lines.row_ptr,
                                            lines.order,
                                            before,
                                            lines.col,
                                            csr_array<word>(w, CSR_VAL),
                                            to_array<int32_t>(w, columns),
                                            to_array<word>(w, columns + 1)};
            put_runs(w, "put_sorted", before, lines.count, w->to->slots[0], use);
        });
    }
    if (kind == JDS_SECTIONS_CSR) put_offsets(w, JDS_ROW_PTR, before, 1, lines.count + 1);
}

/* The COO part. */
template <class offset>
static void put_coo(work *w, const stored_lines<offset> &lines, int64_t max, int64_t *before,
                    const scan &scan)
{
    int coo = static_cast<int>(w->to->number[JDS_COLUMNS]) + 2;
    int64_t rows = w->to->rows;
    put_threads(w, "count_apart", rows + 1, count_apart<offset>, lines.row_ptr, rows, max, before);
    put_scan(w, scan, before, rows + 1);
    by_word(w->csr, [&](auto value) {
        using word = decltype(value);
        put_apart<word, offset> use = {lines.row_ptr,
                                       before,
                                       lines.col,
                                       csr_array<word>(w, CSR_VAL),
                                       to_array<int32_t>(w, coo),
                                       to_array<int32_t>(w, coo + 1),
                                       to_array<word>(w, coo + 2)};
        put_runs(w, "put_apart", before, rows, w->to->slots[1], use);
    });
}

/* The host cuts the sections from the number of rows of each length, which it reads: each section depends on
 * the end of the previous one. */
void convert_jds(work *w)
{
    int64_t rows = w->to->rows, longest = longest_of(w);
    int64_t max = static_cast<int64_t>(w->to->values.number[JDS_MAX]);
    enum jds_kind kind = jds_kind(w->to);
    sorting sorting = take_sorting(w);
    heights heights = take_heights(w);
    int64_t *numbers = take<int64_t>(w, 4), *before = take<int64_t>(w, rows + 1);
    cutting_work there = {};
    if (kind != JDS_PLAIN) {
        there.row = take<int64_t>(w, longest + 3);
        there.ptr = take<int64_t>(w, longest + 3);
        there.place = take<int64_t>(w, longest + 2);
        there.bins = take<length_count>(w, longest + 1);
    }
    scan scan = take_scan(w, (rows > longest ? rows : longest) + 2);
    if (!w->scratch) return;
    const int32_t *order = put_sorting(w, sorting, rows > 0 ? rows : 1);
    put_heights(w, heights, max);
    put_blocks(w, "find_numbers", 1, 1, find_numbers, heights.below, heights.kept, longest, rows, numbers);
    if (kind != JDS_PLAIN) {
        put_threads(w, "mark_lengths", longest + 2, mark_lengths, heights.counts, longest, there.place);
        put_scan(w, scan, there.place, longest + 2);
        put_threads(w, "list_lengths", longest + 1, list_lengths, heights.counts, there.place, longest,
                    there.bins);
        put_number(w, 4, there.place + longest + 1);
    }
    for (int k = 0; k < 4; k++)
        put_number(w, k, numbers + k);
    if (!read_numbers(w)) return;
    int64_t apart = w->numbers[1], filled = w->numbers[2];
    expect(w, w->numbers[0], w->to->number[JDS_LONGEST]);
    expect(w, apart, w->to->number[JDS_APART]);
    expect(w, filled, w->to->number[JDS_FILLED]);
    expect(w, w->numbers[3], w->to->nnz - w->to->slots[1]);
    put_copy(w, to_array<int32_t>(w, JDS_PERM), order + apart, rows - apart);
    if (kind == JDS_PLAIN)
        put_offsets(w, JDS_ITER_PTR, heights.kept, 1, w->numbers[0] + 1);
    else
        cut_sections(w, there, w->numbers[4]);
    by_offset(w->csr, [&](auto index) {
        using offset = decltype(index);
        stored_lines<offset> lines = {csr_array<offset>(w, CSR_ROW_PTR), csr_array<int32_t>(w, CSR_COL),
                                      order + apart, filled, filled};
        put_parts(w, kind, lines, heights, there, before, scan);
        if (apart > 0) put_coo(w, lines, max, before, scan);
    });
}
