/* Loops over the rows of CSR. */
#include "formats/csr.h"
#include "kernels/cpu/loops/real.h"

/* PMPP figure 10.4 (sequential SpMV over CSR); Cranfield's is the same. `wide` is a constant where this is
 * inlined. */
static inline __attribute__((always_inline)) void csr_rows_plain(const struct launch *launch, int64_t first,
                                                                 int64_t end, bool wide)
{
    const struct array *array = launch->storage->array;
    const void *row_ptr = array[CSR_ROW_PTR].data;
    const int32_t *col = array[CSR_COL].data;
    const real *val = array[CSR_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        real sum = launch->accumulate ? y[i] : 0;
        for (int64_t k = offset_at(row_ptr, wide, i); k < offset_at(row_ptr, wide, i + 1); k++)
            sum += val[k] * x[col[k]];
        y[i] = sum;
    }
}

static void csr_plain(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_plain(launch, first, end, true);
    else
        csr_rows_plain(launch, first, end, false);
}
