/* Loops over the strips of CMRS. Strip s has rows s h .. s h + h-1 and slots strip_ptr[s] ..
 * strip_ptr[s+1]-1, and row[e] is the row of slot e within its strip, 0 .. h-1. All h sums of a strip are
 * kept at a time:
 *
 *     sum[row[e]] += val[e] x[col[e]]      h = 4     row      0 0 2 2 2 3
 *     y[s h + r] = sum[r]                            product  a b c d e f     sum  a+b, 0, c+d+e, f
 */
#ifndef SPARSIGHT_KERNELS_CPU_LOOPS_CMRS_H
#define SPARSIGHT_KERNELS_CPU_LOOPS_CMRS_H

#include "formats/cmrs.h"
#include "kernels/cpu/loops/sums.h"

/* Number of sums of each row, to which its entries are added in turn: neighbouring slots are mostly of one
 * row, and an addition to a sum in memory must wait for the previous addition to the same sum. */
#define CMRS_COPIES 2

/* The input of the loops. Packed slots have column * 16 + row in the strip in `packed`, others a column in
 * `col` and a row in `row`. */
struct cmrs_arrays {
    const uint32_t *packed;
    const int32_t *col;
    const uint8_t *row;
    const real *val, *x;
};

static inline struct cmrs_arrays cmrs_arrays(const struct launch *launch)
{
    const struct storage *storage = launch->storage;
    bool packed = storage->number[CMRS_PACKED];
    return (struct cmrs_arrays){
        .packed = storage->array[CMRS_COL_IND].data,
        .col = storage->array[CMRS_COL_IND].data,
        .row = packed ? NULL : storage->array[CMRS_ROW_IN_STRIP].data,
        .val = storage->array[CMRS_VAL].data,
        .x = launch->x,
    };
}

/* sum[row of e] += val[e] x[column of e]. `packed` is a constant where this is inlined. */
static inline __attribute__((always_inline)) void cmrs_add(real *sum, const struct cmrs_arrays *cmrs,
                                                           int64_t e, bool packed)
{
    if (packed)
        sum[cmrs->packed[e] & ((1 << CMRS_ROW_BITS) - 1)] +=
            cmrs->val[e] * cmrs->x[cmrs->packed[e] >> CMRS_ROW_BITS];
    else
        sum[cmrs->row[e]] += cmrs->val[e] * cmrs->x[cmrs->col[e]];
}

/* Add slots e .. stop-1 one by one, to the copies sum[0], sum[1], ... of the sums in turn, and in the end all
 * copies to sum[0]. `copies` and `packed` are constants. */
static inline __attribute__((always_inline)) void cmrs_entries(real sum[][CMRS_HEIGHT_MAX],
                                                               const struct cmrs_arrays *cmrs, int64_t e,
                                                               int64_t stop, int copies, bool packed)
{
    for (; e + copies <= stop; e += copies)
        for (int copy = 0; copy < copies; copy++)
            cmrs_add(sum[copy], cmrs, e + copy, packed);
    for (; e < stop; e++)
        cmrs_add(sum[0], cmrs, e, packed);
    for (int copy = 1; copy < copies; copy++)
        for (int i = 0; i < CMRS_HEIGHT_MAX; i++)
            sum[0][i] += sum[copy][i];
}

/* Return the end of the run of one row's slots that slot e is in, no later than `end`. In a strip in row
 * order, all slots between two slots of one row are of that row, so that one comparison may skip eight
 * slots. */
static inline int64_t cmrs_run_end(const uint8_t *row, int64_t e, int64_t end)
{
    uint8_t i = row[e++];
    while (e + 8 < end && row[e + 7] == i)
        e += 8;
    while (e < end && row[e] == i)
        e++;
    return e;
}

/* Add slots e .. stop-1, which are in row order: each run is summed in registers. */
static inline void cmrs_runs(real *sum, const struct cmrs_arrays *cmrs, int64_t e, int64_t stop)
{
    for (int64_t next; e < stop; e = next) {
        next = cmrs_run_end(cmrs->row, e, stop);
        sum[cmrs->row[e]] = dot(cmrs->val + e, cmrs->col + e, cmrs->x, next - e);
    }
}

/* Maximum number of slots of a strip that are prefetched at once. */
#define CMRS_BURST 512

/* Prefetch after slots first .. end-1; in a long strip, after its first CMRS_BURST slots. */
static inline void cmrs_ahead(const struct cmrs_arrays *cmrs, int64_t first, int64_t end)
{
    end = min(end, first + CMRS_BURST);
    ahead(cmrs->val, cmrs->col, first, end);
    if (cmrs->row) ahead_array(cmrs->row, first, end, sizeof *cmrs->row);
}

/* Minimum number of slots per row for summing a strip run by run: the ends of shorter runs are too frequent
 * and too irregular for branch prediction. */
#define CMRS_RUN 16

/* Multiply strips first .. end-1: strip by strip, the sums of all its rows (Koza et al., section 3). `copies`
 * is the number of sums of a row; `runs` is true if strips are in row order, so that long rows may be summed
 * run by run. Both and `packed` are constants. */
static inline __attribute__((always_inline)) void cmrs_strips(const struct launch *launch, int64_t first,
                                                              int64_t end, int copies, bool runs, bool packed)
{
    const struct array *strip_ptr = &launch->storage->array[CMRS_STRIP_PTR];
    const struct cmrs_arrays cmrs = cmrs_arrays(launch);
    int64_t height = launch->storage->number[CMRS_HEIGHT];
    bool large = copies > 1 && ahead_pays(launch->storage->slots[0]);
    for (int64_t s = first; s < end; s++) {
        int64_t e = offset_of(strip_ptr, s), stop = offset_of(strip_ptr, s + 1);
        real sum[CMRS_COPIES][CMRS_HEIGHT_MAX] = {{0}};
        if (large) cmrs_ahead(&cmrs, e, stop);
        if (runs && stop - e >= CMRS_RUN * height)
            cmrs_runs(sum[0], &cmrs, e, stop);
        else
            cmrs_entries(sum, &cmrs, e, stop, copies, packed);
        put_sums(launch, sum[0], s * height, NULL, min(height, launch->storage->rows - s * height));
    }
}

/* This is the published loop: one sum a row, slot by slot. */
static void cmrs_plain(const struct launch *launch, int64_t first, int64_t end)
{
    if (launch->storage->number[CMRS_PACKED])
        cmrs_strips(launch, first, end, 1, false, true);
    else
        cmrs_strips(launch, first, end, 1, false, false);
}

/* Long rows are summed run by run. Sorted strips and strips in groups are not in row order, and packed ones
 * would have to be unpacked to find runs. */
static void cmrs(const struct launch *launch, int64_t first, int64_t end)
{
    const int64_t *number = launch->storage->number;
    if (number[CMRS_PACKED])
        cmrs_strips(launch, first, end, CMRS_COPIES, false, true);
    else if (number[CMRS_SORTED] || number[CMRS_MODULO])
        cmrs_strips(launch, first, end, CMRS_COPIES, false, false);
    else
        cmrs_strips(launch, first, end, CMRS_COPIES, true, false);
}

#endif
