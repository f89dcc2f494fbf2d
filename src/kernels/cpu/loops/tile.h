/* Loops over the tile rows of tiles (formats/tile.h). The sums of a tile row's 16 rows are kept in a local
 * array, to which each tile adds the product of its values and 16 elements of x. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_TILE_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_TILE_H

#include "formats/tile.h"
#include "kernels/cpu/loops/sums.h"

static inline void tile_add_coo(real *restrict sum, const uint8_t *index, const real *val, const real *x,
                                int64_t slots)
{
    for (int64_t s = 0; s < slots; s++)
        sum[index[s] / TILE_SIZE] += val[s] * x[index[s] % TILE_SIZE];
}

static inline void tile_add_csr(real *restrict sum, const uint8_t *start, const real *val, const real *x,
                                int64_t rows, int64_t slots)
{
    const uint8_t *columns = start + rows;
    int64_t s = 0;
    for (int64_t i = 0; i < rows; i++) {
        const int64_t end = i + 1 < rows ? start[i + 1] : slots;
        real row = 0;
        for (; s < end; s++)
            row += val[s] * x[tile_half(columns, s)];
        sum[i] += row;
    }
}

/* `rows` is a constant where this is inlined, unless the tile is cut by the edge of the matrix. */
static inline __attribute__((always_inline)) void tile_add_ell(real *restrict sum, const uint8_t *columns,
                                                               const real *val, const real *x, int64_t rows,
                                                               int64_t width)
{
    for (int64_t c = 0, s = 0; c < width; c++)
        for (int64_t i = 0; i < rows; i++, s++)
            sum[i] += val[s] * x[tile_half(columns, s)];
}

static inline __attribute__((always_inline)) void tile_add_dense(real *restrict sum, const real *val,
                                                                 const real *x, int64_t rows, int64_t cols)
{
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = 0; i < rows; i++)
            sum[i] += val[j * rows + i] * x[j];
}

static inline void tile_add(real *restrict sum, const uint8_t *index, const real *val, const real *x,
                            int64_t rows, int64_t cols, int64_t slots)
{
    const uint8_t head = *index++;
    switch (tile_kind(head)) {
    case TILE_COO:
        tile_add_coo(sum, index, val, x, slots);
        break;
    case TILE_CSR:
        tile_add_csr(sum, index, val, x, rows, slots);
        break;
    case TILE_ELL:
        if (rows == TILE_SIZE)
            tile_add_ell(sum, index, val, x, TILE_SIZE, tile_width(head));
        else
            tile_add_ell(sum, index, val, x, rows, tile_width(head));
        break;
    default:
        if (rows == TILE_SIZE)
            tile_add_dense(sum, val, x, TILE_SIZE, cols);
        else
            tile_add_dense(sum, val, x, rows, cols);
    }
}

/* Multiply tile rows first .. end-1. */
static inline __attribute__((always_inline)) void tile_rows(const struct launch *launch, int64_t first,
                                                            int64_t end, bool long_offsets)
{
    const struct storage *storage = launch->storage;
    const struct array *array = storage->array;
    const void *tile_ptr = array[TILE_PTR].data, *slot_ptr = array[TILE_SLOT_PTR].data,
               *byte_ptr = array[TILE_BYTE_PTR].data;
    const int32_t *col = array[TILE_COL].data;
    const uint8_t *index = array[TILE_INDEX].data;
    const real *val = array[TILE_VAL].data, *x = launch->x;
    const bool large = ahead_pays(storage->slots[0]);
    for (int64_t r = first; r < end; r++) {
        const int64_t rows = min(TILE_SIZE, storage->rows - r * TILE_SIZE);
        const int64_t last = offset_at(tile_ptr, long_offsets, r + 1);
        real sum[TILE_SIZE] = {0};
        for (int64_t t = offset_at(tile_ptr, long_offsets, r); t < last; t++) {
            const int64_t s = offset_at(slot_ptr, long_offsets, t),
                          next = offset_at(slot_ptr, long_offsets, t + 1);
            const int64_t j = (int64_t)col[t] * TILE_SIZE;
            if (large) ahead_array(val, s, next, sizeof *val);
            tile_add(sum, index + offset_at(byte_ptr, long_offsets, t), val + s, x + j, rows,
                     min(TILE_SIZE, storage->cols - j), next - s);
        }
        put_sums(launch, sum, r * TILE_SIZE, NULL, rows);
    }
}

static void tile(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->wide)
        tile_rows(launch, first, end, true);
    else
        tile_rows(launch, first, end, false);
}

#endif
