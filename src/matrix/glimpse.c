#include "matrix/glimpse.h"

#include <stddef.h>

#include "base/range.h"

static int64_t cells_of(int64_t lines, int shift)
{
    return divide_up(lines, INT64_C(1) << shift);
}

static int shift_of(int64_t lines)
{
    int shift = 0;
    while (cells_of(lines, shift) > GLIMPSE_SIDE)
        shift++;
    return shift;
}

void glimpse_begin(struct glimpse *glimpse, int64_t rows, int64_t cols, bool mirrored, int64_t blocks)
{
    if (!glimpse) return;
    atomic_store(&glimpse->done, 0);
    atomic_store(&glimpse->blocks, blocks);
    if (glimpse_begun(glimpse)) return;
    glimpse->rows = glimpse->transposed ? cols : rows;
    glimpse->cols = glimpse->transposed ? rows : cols;
    glimpse->mirrored = mirrored;
    glimpse->row_shift = shift_of(glimpse->rows);
    glimpse->col_shift = shift_of(glimpse->cols);
    glimpse->grid_rows = cells_of(glimpse->rows, glimpse->row_shift);
    glimpse->grid_cols = cells_of(glimpse->cols, glimpse->col_shift);
    atomic_store_explicit(&glimpse->begun, true, memory_order_release);
}

bool glimpse_begun(const struct glimpse *glimpse)
{
    return glimpse && atomic_load_explicit(&glimpse->begun, memory_order_acquire);
}

/* Two threads that count in one cell at the same moment may count once. An atomic addition takes longer,
 * and the counts are those of a sample anyway. */
static inline void count_at(struct glimpse *glimpse, int32_t row, int32_t col)
{
    int64_t cell = (row >> glimpse->row_shift) * glimpse->grid_cols + (int64_t)(col >> glimpse->col_shift);
    uint32_t count = atomic_load_explicit(&glimpse->cells[cell], memory_order_relaxed);
    atomic_store_explicit(&glimpse->cells[cell], count + 1, memory_order_relaxed);
}

void glimpse_take(struct glimpse *glimpse, const int32_t *row, const int32_t *col, int64_t count,
                  int64_t block, int64_t before)
{
    if (!glimpse) return;
    const int32_t *down = glimpse->transposed ? col : row, *across = glimpse->transposed ? row : col;
    int64_t counted = 0;
    for (int64_t first = 0; first < count; first += GLIMPSE_STRETCH) {
        int64_t begin = first + glimpse_piece(block, (before + first) / GLIMPSE_STRETCH);
        int64_t end = min(begin + GLIMPSE_PIECE, count);
        for (int64_t k = begin; k < end; k++) {
            count_at(glimpse, down[k], across[k]);
            if (glimpse->mirrored && row[k] != col[k]) count_at(glimpse, across[k], down[k]);
        }
        if (end > begin) counted += end - begin;
    }
    atomic_fetch_add_explicit(&glimpse->counted, counted, memory_order_relaxed);
}

void glimpse_block(struct glimpse *glimpse)
{
    if (glimpse) atomic_fetch_add_explicit(&glimpse->done, 1, memory_order_relaxed);
}

double glimpse_share(const struct glimpse *glimpse)
{
    int64_t blocks = atomic_load(&glimpse->blocks), done = atomic_load(&glimpse->done);
    if (blocks <= 0) return -1;
    return done < blocks ? (double)done / (double)blocks : 1;
}
