/* DIA on the device. */
#include "kernels/cuda/convert/lines.cuh"

extern "C" {
#include "formats/dia.h"
}

/* Diagonals are counted as on the host (src/formats/dia.c): diagonal j - i is number j - i + rows - 1.
 * `before` has an element for each of them and one more: 1 if it is occupied, else 0; after the scan, the
 * number of lower occupied ones. */
struct mark_diagonal {
    const int32_t *col;
    int64_t rows;
    int64_t *occupied;
    __device__ void operator()(int64_t e, int64_t i) const
    {
        int64_t *there = occupied + (col[e] - i + rows - 1);
        if (*there == 0) *there = 1; /* other threads with this diagonal store the same */
    }
};

__global__ void put_diagonals(const int64_t *__restrict__ before, int64_t count, int64_t rows,
                              int32_t *__restrict__ offsets)
{
    const int64_t q = thread_of_grid();
    if (q < count && before[q + 1] > before[q]) offsets[before[q]] = static_cast<int32_t>(q - (rows - 1));
}

/* Number of diagonals on which a thread fills the slots of a row. */
#define DIAGONALS_EACH 64

/* Neighbouring threads have neighbouring rows, whose slots lie side by side. Columns of a row ascend, as
 * offsets do, so that each thread goes through its entries once; the first is searched for. */
template <class word, class offset>
__global__ void fill_diagonals(const offset *__restrict__ row_ptr, const int32_t *__restrict__ col,
                               const word *__restrict__ from, int64_t rows, int64_t diagonals, int64_t blocks,
                               const int32_t *__restrict__ offsets, word *__restrict__ val)
{
    const int64_t share = blockIdx.x / blocks, i = (blockIdx.x - share * blocks) * blockDim.x + threadIdx.x;
    const int64_t first = share * DIAGONALS_EACH;
    const int64_t last = first + DIAGONALS_EACH < diagonals ? first + DIAGONALS_EACH : diagonals;
    if (i >= rows) return;
    int64_t next = row_ptr[i], end = row_ptr[i + 1];
    for (int64_t high = end; first > 0 && next < high;) {
        const int64_t middle = next + (high - next) / 2;
        if (col[middle] - i < offsets[first])
            next = middle + 1;
        else
            high = middle;
    }
    int64_t found = next < end ? col[next] - i : INT64_MAX;
    for (int64_t d = first; d < last; d++) {
        word value = {};
        if (found == offsets[d]) {
            value = from[next++];
            found = next < end ? col[next] - i : INT64_MAX;
        }
        val[d * rows + i] = value;
    }
}

/* The host waits for the number of diagonals, on which the memory for their slots depends. */
void convert_dia(work *w)
{
    const int64_t rows = w->to->rows, cols = w->to->cols, nnz = w->to->nnz;
    const int64_t count = rows > 0 && cols > 0 ? rows + cols - 1 : 0;
    int64_t *before = take<int64_t>(w, count + 1);
    const scan scan = take_scan(w, count + 1);
    if (!w->scratch) return;
    const auto *col = csr_array<int32_t>(w, CSR_COL);
    auto *offsets = to_array<int32_t>(w, DIA_OFFSETS);
    put_zeros(w, before, count + 1);
    by_offset(w->csr, [&](auto index) {
        const mark_diagonal use = {col, rows, before};
        put_runs(w, "mark_diagonal", csr_array<decltype(index)>(w, CSR_ROW_PTR), rows, nnz, use);
    });
    put_scan(w, scan, before, count + 1);
    put_number(w, 0, before + count);
    if (!read_numbers(w)) return;
    const int64_t diagonals = w->numbers[0], blocks = (rows + WORK_BLOCK - 1) / WORK_BLOCK;
    expect(w, diagonals, w->to->number[DIA_DIAGONALS]);
    put_threads(w, "put_diagonals", count, put_diagonals, before, count, rows, offsets);
    by_offset(w->csr, [&](auto index) {
        by_word(w->csr, [&](auto value) {
            using word = decltype(value);
            using offset = decltype(index);
            put_blocks(w, "fill_diagonals", blocks * ((diagonals + DIAGONALS_EACH - 1) / DIAGONALS_EACH),
                       WORK_BLOCK, fill_diagonals<word, offset>, csr_array<offset>(w, CSR_ROW_PTR), col,
                       csr_array<word>(w, CSR_VAL), rows, diagonals, blocks, offsets,
                       to_array<word>(w, DIA_VAL));
        });
    });
}
