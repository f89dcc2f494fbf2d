/* Loops over the rows of CSR. */
#include "formats/csr.h"
#include "kernels/cpu/loops/lanes.h"
#include "kernels/cpu/loops/real.h"

/* What they all read. */
struct csr_arrays {
    const int32_t *col;
    const real *val, *x;
};

static inline struct csr_arrays csr_arrays(const struct launch *launch)
{
    const struct array *array = launch->storage->array;
    return (struct csr_arrays){array[CSR_COL].data, array[CSR_VAL].data, launch->x};
}

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

/* The sum of entries first .. end-1. */
static inline __attribute__((always_inline)) real csr_sum(struct csr_arrays a, int64_t first, int64_t end)
{
    int64_t k = first;
#ifdef LANES
    lanes s = {0}, t = {0};
    for (; k + 2 * LANES <= end; k += 2 * LANES) {
        s += lanes_load(a.val + k) * lanes_gather(a.x, a.col + k);
        t += lanes_load(a.val + k + LANES) * lanes_gather(a.x, a.col + k + LANES);
    }
    if (k + LANES <= end) {
        s += lanes_load(a.val + k) * lanes_gather(a.x, a.col + k);
        k += LANES;
    }
    if (k < end) t += lanes_tail(a.val + k, a.x, a.col + k, end - k);
    return lanes_sum(s + t);
#else
    real sum = 0;
    for (; k < end; k++)
        sum += a.val[k] * a.x[a.col[k]];
    return sum;
#endif
}

static inline __attribute__((always_inline)) void csr_rows_wide(const struct launch *launch, int64_t first,
                                                                int64_t end, bool wide)
{
    struct csr_arrays a = csr_arrays(launch);
    const void *row_ptr = launch->storage->array[CSR_ROW_PTR].data;
    real *y = launch->y;
    bool accumulate = launch->accumulate;
    int64_t k = first < end ? offset_at(row_ptr, wide, first) : 0;
    for (int64_t i = first; i < end; i++) {
        int64_t next = offset_at(row_ptr, wide, i + 1);
        real sum = csr_sum(a, k, next);
        y[i] = accumulate ? y[i] + sum : sum;
        k = next;
    }
}

static void csr_rows(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->array[CSR_ROW_PTR].element == ELEMENT_I64)
        csr_rows_wide(launch, first, end, true);
    else
        csr_rows_wide(launch, first, end, false);
}

static double csr_entries(const struct launch *launch, int64_t first, int64_t end)
{
    return csr_sum(csr_arrays(launch), first, end);
}
