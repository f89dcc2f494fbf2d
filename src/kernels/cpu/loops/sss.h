/* Loops over the rows of SSS. An entry below the diagonal is multiplied twice, by its own element of x and as
 * its mirror image a' by that of its row:
 *
 *     y[i] = diag[i] x[i] + sum of val[k] x[col[k]]
 *     y[col[k]] += val'[k] x[i],   k = row_ptr[i] .. row_ptr[i+1]-1
 *
 * where a' = a, -a or conj a. Rows ascend and columns are less than their row, so that y[col[k]] was written
 * before an image is added to it. */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_SSS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_SSS_H

#include <string.h>

#include "formats/sss.h"
#include "kernels/cpu/loops/sums.h"
#include "kernels/cpu/sss.h"

/* Return conj v if `conjugate`, a constant, and the loop is for complex numbers; else v. */
static inline __attribute__((always_inline)) real sss_image(real v, bool conjugate)
{
#ifdef COMPLEX
    if (conjugate) {
        scalar parts[2];
        memcpy(parts, &v, sizeof parts);
        parts[1] = -parts[1];
        memcpy(&v, parts, sizeof parts);
    }
#endif
    return v;
}

/* The arrays of a launch; `long_offsets` and `conjugate` are constants. */
struct sss_arrays {
    const void *row_ptr;
    const int32_t *col;
    const real *val, *diag, *x;
    bool long_offsets, conjugate;
};

/* Number of entries that are prefetched at a time. */
#define SSS_BURST 64

/* Return the product of entry k with its element of x, and add that of its image with `factor` to an array
 * that begins with row `low`. */
static inline __attribute__((always_inline)) real sss_entry(const struct sss_arrays *a, real *y, int64_t low,
                                                            int64_t k, real factor)
{
    const int32_t j = a->col[k];
    const real v = a->val[k];
    y[j - low] += sss_image(v, a->conjugate) * factor;
    return v * a->x[j];
}

/* Multiply rows first .. end-1 of a share. Images in rows before the share are added to its copies, which
 * begin with row share->low; if `reaching` is false, there are none. It is a constant, since each test of a
 * short loop is mispredicted where rows vary. Two sums alternate, so that an addition does not wait for the
 * one before. */
static inline __attribute__((always_inline)) void sss_rows(const struct launch *launch,
                                                           const struct sss_share *share, real *copies,
                                                           const struct sss_arrays *a, bool reaching)
{
    const struct storage *storage = launch->storage;
    const bool add = launch->product.accumulate, skew = storage->symmetry == SYMMETRY_SKEW;
    const int64_t first = reaching ? share->first : share->alone, end = reaching ? share->alone : share->end;
    const real *x = a->x;
    real *y = launch->y;
    int64_t k = offset_at(a->row_ptr, a->long_offsets, first);
    int64_t asked = ahead_pays(storage->slots[1]) ? k : INT64_MAX;
    for (int64_t i = first; i < end; i++) {
        const int64_t stop = offset_at(a->row_ptr, a->long_offsets, i + 1);
        const real own = x[i], factor = skew ? -own : own;
        real sum = a->diag[i] * own, other = 0;
        while (asked < stop) {
            ahead(a->val, a->col, asked, asked + SSS_BURST);
            asked += SSS_BURST;
        }
        for (; reaching && k < stop && a->col[k] < share->first; k++)
            sum += sss_entry(a, copies, share->low, k, factor);
        for (; k < stop; k++) {
            const real next = other + sss_entry(a, y, 0, k, factor);
            other = sum;
            sum = next;
        }
        sum += other;
        y[i] = add ? y[i] + sum : sum;
    }
}

#ifndef COMPLEX
#    include "kernels/cpu/loops/sss_windows.h"
#endif

/* Multiply all rows of a share; `long_offsets` and `conjugate` are constants. */
static inline __attribute__((always_inline)) void sss_multiply(const struct launch *launch,
                                                               const struct sss_share *share, real *copies,
                                                               bool long_offsets, bool conjugate)
{
    const struct array *array = launch->storage->array;
    const struct sss_arrays a = {array[SSS_ROW_PTR].data,
                                 array[SSS_COL].data,
                                 array[SSS_VAL].data,
                                 array[SSS_DIAG].data,
                                 launch->x,
                                 long_offsets,
                                 conjugate};
    if (share->first < share->alone) sss_rows(launch, share, copies, &a, true);
    sss_rows(launch, share, copies, &a, false);
}

/* Multiply shares first .. end-1 of an sss_work. */
static void sss(const struct launch *launch, int64_t first, int64_t end)
{
    const struct sss_work *work = launch->state;
    const bool long_offsets = launch->storage->array[SSS_ROW_PTR].element == ELEMENT_I64,
               conjugate = launch->storage->symmetry == SYMMETRY_HERMITIAN;
    for (int64_t t = first; t < end; t++) {
        const struct sss_share *share = &work->share[t];
        real *copies = work->copies ? (real *)work->copies + share->copy : NULL;
        if (share->low < share->first) clear_sums(copies, share->first - share->low);
#ifndef COMPLEX
        if (work->windows > 0) {
            sss_windows(launch, share, copies);
            continue;
        }
#endif
        if (conjugate)
            sss_multiply(launch, share, copies, long_offsets, true);
        else if (long_offsets)
            sss_multiply(launch, share, copies, true, false);
        else
            sss_multiply(launch, share, copies, false, false);
    }
}

/* Number of rows of y that stay in the first-level cache while one copy after the other is added to them. */
#define SSS_JOIN 1024

/* Add the copies to rows first .. end-1 of y, after all shares. */
static void sss_join(const struct launch *launch, int64_t first, int64_t end)
{
    const struct sss_work *work = launch->state;
    const real *copies = work->copies;
    real *restrict y = launch->y;
    for (int64_t i = first, stop; i < end; i = stop) {
        stop = min(i + SSS_JOIN, end);
        for (int t = 0; t < work->shares; t++) {
            const struct sss_share *share = &work->share[t];
            const real *copy = copies ? copies + share->copy : NULL;
            for (int64_t r = max(i, share->low); r < min(stop, share->first); r++)
                y[r] += copy[r - share->low];
        }
    }
}

/* The published loop, for rows in order: one entry after the other. */
static void sss_plain(const struct launch *launch, int64_t first, int64_t end)
{
    const struct storage *storage = launch->storage;
    const struct array *array = storage->array;
    const int32_t *col = array[SSS_COL].data;
    const real *val = array[SSS_VAL].data, *diag = array[SSS_DIAG].data, *x = launch->x;
    const bool conjugate = storage->symmetry == SYMMETRY_HERMITIAN, skew = storage->symmetry == SYMMETRY_SKEW;
    real *y = launch->y;
    for (int64_t i = first; i < end; i++) {
        const real factor = skew ? -x[i] : x[i];
        real sum = diag[i] * x[i];
        for (int64_t k = offset_of(&array[SSS_ROW_PTR], i); k < offset_of(&array[SSS_ROW_PTR], i + 1); k++) {
            sum += val[k] * x[col[k]];
            y[col[k]] += sss_image(val[k], conjugate) * factor;
        }
        y[i] = launch->product.accumulate ? y[i] + sum : sum;
    }
}

#endif
