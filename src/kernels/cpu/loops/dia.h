/* Loops over the diagonals of DIA. */
#include "formats/dia.h"
#include "kernels/cpu/loops/sums.h"

/* Saad, section 3.4: diagonal after diagonal, each as long as the matrix. */
static void dia_plain(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const int32_t *offsets = storage->array[DIA_OFFSETS].data;
    const real *val = storage->array[DIA_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t d = first; d < end; d++) {
        int64_t offset = offsets[d];
        for (int64_t i = greatest(0, -offset); i < least(storage->rows, storage->cols - offset); i++)
            y[i] += val[d * storage->rows + i] * x[i + offset];
    }
}

/* sum[i] += val[i] x[first + i] for i = begin .. end-1. */
static inline void dia_add(real *restrict sum, const real *val, const real *x, int64_t first, int64_t begin,
                           int64_t end)
{
    for (int64_t i = begin; i < end; i++)
        sum[i] += val[i] * x[first + i];
}

/* Rows of a block: fewer than elsewhere, since x is read along with the sums. */
#define DIA_ROWS 128

/* Blocks of rows, each diagonal by diagonal. */
static void dia(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const int32_t *offsets = storage->array[DIA_OFFSETS].data;
    const real *val = storage->array[DIA_VAL].data;
    real sum[DIA_ROWS];
    for (int64_t i = first; i < end; i += DIA_ROWS) {
        int64_t n = least(DIA_ROWS, end - i);
        clear_sums(sum, n);
        for (int64_t d = 0; d < storage->number[DIA_DIAGONALS]; d++) {
            int64_t j = i + offsets[d]; /* column in row i */
            dia_add(sum, val + d * storage->rows + i, launch->x, j, greatest(0, -j),
                    least(n, storage->cols - j));
        }
        put_sums(launch, sum, i, NULL, n);
    }
}
