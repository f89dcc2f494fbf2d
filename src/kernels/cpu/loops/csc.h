/* Loops over the columns of CSC:
 *
 *     y[row[e]] += val[e] x[j],  e = col_ptr[j] .. col_ptr[j+1]-1
 *
 * The element of x is loaded once a column. Those of y are loaded and stored for each entry, and stay in the
 * cache as long as the rows of neighbouring columns are near each other. */
#include "formats/csc.h"
#include "kernels/cpu/csc.h"
#include "kernels/cpu/loops/sums.h"

/* The published loop, Saad, section 3.5: all of the columns' entries are added to y. */
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

/* Entries are asked for ahead so many at a time. */
#define CSC_BURST 64

/* Add a part's entries to sum[row - low]. `wide` is a constant. */
static inline __attribute__((always_inline)) void csc_entries(const struct launch *launch,
                                                              const struct csc_part *part, real *restrict sum,
                                                              int64_t low, bool wide)
{
    const struct array *array = launch->storage->array;
    const void *col_ptr = array[CSC_COL_PTR].data;
    const int32_t *row = array[CSC_ROW].data;
    const real *val = array[CSC_VAL].data, *x = launch->x;
    int64_t asked = ahead_pays(launch->storage->nnz) ? part->first : part->end;
    for (int64_t j = part->column, e = part->first; e < part->end; j++) {
        int64_t end = min(offset_at(col_ptr, wide, j + 1), part->end);
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

/* Parts first .. end-1 of a csc_work. */
static void csc(const struct launch *launch, int64_t first, int64_t end)
{
    const struct csc_work *work = launch->state;
    bool wide = launch->storage->array[CSC_COL_PTR].element == ELEMENT_I64;
    for (int64_t p = first; p < end; p++) {
        const struct csc_part *part = &work->part[p];
        bool copy = part->copy >= 0;
        real *sum = copy ? (real *)work->copies + part->copy : launch->y;
        int64_t low = copy ? part->low : 0;
        if (copy || !launch->product.accumulate) clear_sums(sum + part->low - low, part->high - part->low);
        if (wide)
            csc_entries(launch, part, sum, low, true);
        else
            csc_entries(launch, part, sum, low, false);
    }
}

/* Set rows first .. end-1 to 0, but for those of parts that add to y themselves. */
static inline void csc_clear(const struct csc_work *work, real *y, int64_t first, int64_t end)
{
    for (int p = work->direct; p >= 0 && first < end; p = work->part[p].next) {
        int64_t low = min(work->part[p].low, end);
        if (first < low) clear_sums(y + first, low - first);
        first = max(first, work->part[p].high);
    }
    if (first < end) clear_sums(y + first, end - first);
}

/* Rows that stay in the first-level cache while one copy after the other is added to them. */
#define CSC_JOIN 1024

/* Rows first .. end-1, when all parts are done: copies are added to y. */
static void csc_join(const struct launch *launch, int64_t first, int64_t end)
{
    const struct csc_work *work = launch->state;
    const real *copies = work->copies;
    real *restrict y = launch->y;
    for (int64_t i = first, stop; i < end; i = stop) {
        stop = min(i + CSC_JOIN, end);
        if (!launch->product.accumulate) csc_clear(work, y, i, stop);
        for (int p = 0; p < work->parts; p++) {
            const struct csc_part *part = &work->part[p];
            if (part->copy < 0) continue;
            const real *copy = copies + part->copy;
            for (int64_t r = max(i, part->low); r < min(stop, part->high); r++)
                y[r] += copy[r - part->low];
        }
    }
}
