/* Loops over the columns of CSC:
 *
 *     y[row[e]] += val[e] x[j],  e = col_ptr[j] .. col_ptr[j+1]-1
 *
 * The element of x is loaded once a column. Those of y are loaded and stored for each entry, and stay in the
 * cache as long as the rows of neighbouring columns are near each other. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_CSC_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_CSC_H

#include "formats/csc.h"
#include "kernels/cpu/csc.h"
#include "kernels/cpu/loops/sums.h"

/* This is the published loop, Saad, section 3.5: all of the columns' entries are added to y. */
static void csc_plain(const struct launch *launch, int64_t first, int64_t end)
{
    const struct array *array = launch->storage->array;
    const int32_t *row = array[CSC_ROW].data;
    const real *val = array[CSC_VAL].data, *x = launch->x;
    real *y = launch->y;
    for (int64_t j = first; j < end; j++)
        for (int64_t e = offset_of(&array[CSC_COL_PTR], j); e < offset_of(&array[CSC_COL_PTR], j + 1); e++)
            y[row[e]] += val[e] * x[j];
}

/* Number of entries that are prefetched at a time. */
#define CSC_BURST 64

/* Add a share's entries to sum[row - low]. `wide` is a constant. */
static inline __attribute__((always_inline)) void csc_entries(const struct launch *launch,
                                                              const struct csc_share *share,
                                                              real *restrict sum, int64_t low, bool wide)
{
    const struct array *array = launch->storage->array;
    const void *col_ptr = array[CSC_COL_PTR].data;
    const int32_t *row = array[CSC_ROW].data;
    const real *val = array[CSC_VAL].data, *x = launch->x;
    int64_t asked = ahead_pays(launch->storage->nnz) ? share->first : share->end;
    for (int64_t j = share->column, e = share->first; e < share->end; j++) {
        int64_t end = min(offset_at(col_ptr, wide, j + 1), share->end);
        real factor = x[j];
        while (e < end) {
            int64_t stop = min(e + CSC_BURST, end);
            if (asked < stop) {
                ahead(val, row, asked, asked + CSC_BURST);
                asked += CSC_BURST;
            }
            for (; e < stop; e++)
                sum[row[e] - low] += val[e] * factor;
        }
    }
}

/* Multiply shares first .. end-1 of a csc_work. */
static void csc(const struct launch *launch, int64_t first, int64_t end)
{
    const struct csc_work *work = launch->state;
    bool wide = launch->storage->array[CSC_COL_PTR].element == ELEMENT_I64;
    for (int64_t t = first; t < end; t++) {
        const struct csc_share *share = &work->share[t];
        bool copy = share->copy >= 0;
        real *sum = copy ? (real *)work->copies + share->copy : launch->y;
        int64_t low = copy ? share->low : 0;
        if (copy || !launch->product.accumulate) clear_sums(sum + share->low - low, share->high - share->low);
        if (wide)
            csc_entries(launch, share, sum, low, true);
        else
            csc_entries(launch, share, sum, low, false);
    }
}

/* Set rows first .. end-1 to 0, except those of shares that add to y themselves. */
static inline void csc_clear(const struct csc_work *work, real *y, int64_t first, int64_t end)
{
    for (int t = work->direct; t >= 0 && first < end; t = work->share[t].next) {
        int64_t low = min(work->share[t].low, end);
        if (first < low) clear_sums(y + first, low - first);
        first = max(first, work->share[t].high);
    }
    if (first < end) clear_sums(y + first, end - first);
}

/* Number of rows of y that stay in the first-level cache while one copy after the other is added to them. */
#define CSC_JOIN 1024

/* Add the copies to rows first .. end-1 of y, after all shares. */
static void csc_join(const struct launch *launch, int64_t first, int64_t end)
{
    const struct csc_work *work = launch->state;
    const real *copies = work->copies;
    real *restrict y = launch->y;
    for (int64_t i = first, stop; i < end; i = stop) {
        stop = min(i + CSC_JOIN, end);
        if (!launch->product.accumulate) csc_clear(work, y, i, stop);
        for (int t = 0; t < work->shares; t++) {
            const struct csc_share *share = &work->share[t];
            if (share->copy < 0) continue;
            const real *copy = copies + share->copy;
            for (int64_t r = max(i, share->low); r < min(stop, share->high); r++)
                y[r] += copy[r - share->low];
        }
    }
}

#endif
